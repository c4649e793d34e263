// Package askdns opens what the programs ask for DNS records: servers, or a
// zone file in their place.
package askdns

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/mailfault/mailfault/dnscheck"
)

// Server returns a client of the DNS server at an address, of the system's
// servers where it is empty.
func Server(address string) *dnscheck.Client {
	if address == "" {
		return &dnscheck.Client{}
	}
	return &dnscheck.Client{Servers: []string{address}}
}

// ZoneFile reads a zone file. Errors name it.
func ZoneFile(name string) (*dnscheck.Zone, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	zone, err := dnscheck.ReadZone(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return zone, nil
}

// Named opens what one option names: "system" for the system's servers, a zone
// file, or a server's address where no file has that name. Answers of servers
// are remembered.
func Named(name string) (dnscheck.Resolver, error) {
	if name == "system" {
		return &dnscheck.Cache{Resolver: Server("")}, nil
	}
	zone, err := ZoneFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &dnscheck.Cache{Resolver: Server(name)}, nil
	case err != nil:
		return nil, err
	}
	return zone, nil
}
