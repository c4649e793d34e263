package dnscheck

import (
	"bufio"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
)

const (
	maxServers     = 8 // of resolv.conf; the C library takes 3
	maxResolveConf = 1 << 16
)

// systemServers returns the servers of the system's configuration, or those on
// this host when it names none, as resolv.conf(5) has it.
func systemServers() []string {
	var servers []string
	if f, err := os.Open("/etc/resolv.conf"); err == nil {
		servers = readServers(f)
		f.Close()
	}
	if len(servers) == 0 {
		servers = []string{"127.0.0.1:53", "[::1]:53"}
	}
	return servers
}

// readServers reads the nameserver lines of a resolv.conf.
func readServers(r io.Reader) (servers []string) {
	lines := bufio.NewScanner(io.LimitReader(r, maxResolveConf))
	for lines.Scan() && len(servers) < maxServers {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 || fields[0] != "nameserver" {
			continue
		}
		if addr, err := netip.ParseAddr(fields[1]); err == nil {
			servers = append(servers, net.JoinHostPort(addr.String(), "53"))
		}
	}
	return servers
}
