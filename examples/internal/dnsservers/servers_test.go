package dnsservers

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dnscheck"
)

// zones are what Knot serves. Only signed.example is signed; Knot has no
// file for broken.example, and Unbound a wrong key for bogus.example.
var zones = map[string]string{
	"signed.example": `
@       TXT   "v=spf1 " "include:spf.plain.example -all"
@       MX    20 backup
@       MX    10 mail
mail    A     192.0.2.1
mail    AAAA  2001:db8::1
backup  A     192.0.2.2
a       CNAME b
b  60   CNAME c
c       CNAME mail
loop    CNAME loop2
loop2   CNAME loop
dead    CNAME nowhere
across  CNAME mail.plain.example.
away    CNAME mail.elsewhere.example.
empty.between A 192.0.2.3
many    MX    1 mail
` + "\n" + bigTXT() + manyMX(),
	"plain.example": `
@       TXT   "v=spf1 -all"
spf     TXT   "v=spf1 ip4:198.51.100.0/24 a:mail.plain.example -all"
mail    A     198.51.100.25
`,
	"bogus.example": "@ TXT \"v=spf1 -all\"\n",
}

const zoneHead = `$ORIGIN %s.
$TTL 300
@  3600 SOA ns hostmaster.of.the 1 3600 600 86400 90
@       NS  ns
ns      A   127.0.0.1
`

// bigTXT is a record of 200 strings of 255 bytes: 51,000 in all.
func bigTXT() string {
	return "big TXT" + strings.Repeat(` "`+strings.Repeat("x", 255)+`"`, 200) + "\n"
}

func manyMX() string {
	var b strings.Builder
	for n := range 999 {
		fmt.Fprintf(&b, "many MX %d mx%d\n", n+2, n)
	}
	return b.String()
}

// program finds an installed server, or skips the test.
func program(t *testing.T, name, debian string) string {
	t.Helper()
	for _, candidate := range []string{name, filepath.Join("/usr/sbin", name)} {
		if path, err := exec.LookPath(candidate); err == nil {
			return path
		}
	}
	if os.Getenv("MAILFAULT_CORPORA_REQUIRED") != "" {
		t.Fatalf("%s required", name)
	}
	t.Skipf("%s is not installed (Debian: %s)", name, debian)
	return ""
}

// folder is a short one: paths of sockets have room for a hundred bytes.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "dns")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// freePort is one of 127.0.0.1 where UDP and TCP are free.
func freePort(t *testing.T) string {
	t.Helper()
	for range 20 {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		packets, err := net.ListenPacket("udp", listener.Addr().String())
		listener.Close()
		if err == nil {
			packets.Close()
			_, port, _ := net.SplitHostPort(listener.Addr().String())
			return port
		}
	}
	t.Fatal("no port is free")
	return ""
}

// start runs a server until the test ends and waits until it answers.
func start(t *testing.T, port, path string, args ...string) *dnscheck.Client {
	t.Helper()
	var log bytes.Buffer
	server := exec.Command(path, args...)
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { server.Wait(); close(ended) }()
	t.Cleanup(func() {
		server.Process.Kill()
		<-ended
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(path), &log)
		}
	})
	client := &dnscheck.Client{Servers: []string{"127.0.0.1:" + port}}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for client.Lookup(ctx, "signed.example", dnscheck.TypeTXT).Outcome != dnscheck.Found {
		select {
		case <-ended:
			t.Fatalf("%s ended:\n%s", path, &log)
		case <-ctx.Done():
			t.Fatalf("%s gives no answer", path)
		case <-time.After(50 * time.Millisecond):
		}
	}
	return client
}

// startKnot runs Knot with the zones; it returns its port and the DS records
// of the signed zone.
func startKnot(t *testing.T) (client *dnscheck.Client, port, anchors string) {
	t.Helper()
	knotd, keymgr := program(t, "knotd", "knot"), program(t, "keymgr", "knot")
	dir := folder(t)
	port = freePort(t)
	if err := os.Mkdir(filepath.Join(dir, "db"), 0o700); err != nil {
		t.Fatal(err)
	}
	conf := fmt.Sprintf(`server:
    rundir: "%[1]s"
    listen: 127.0.0.1@%[2]s
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
log:
  - target: stderr
    any: warning
database:
    storage: "%[1]s/db"
policy:
  - id: one-key
    algorithm: ecdsap256sha256
    single-type-signing: on
template:
  - id: default
    storage: "%[1]s"
    file: "%%s.zone"
    zonefile-sync: -1
    zonefile-load: difference-no-serial
    journal-content: all
zone:
  - domain: signed.example
    dnssec-signing: on
    dnssec-policy: one-key
  - domain: plain.example
  - domain: bogus.example
  - domain: broken.example
`, dir, port)
	write(t, dir, "knot.conf", conf)
	for name, text := range zones {
		write(t, dir, name+".zone", fmt.Sprintf(zoneHead, name)+text)
	}
	client = start(t, port, knotd, "-c", filepath.Join(dir, "knot.conf"))
	ds, err := exec.Command(keymgr, "-c", filepath.Join(dir, "knot.conf"), "signed.example", "ds").Output()
	if err != nil {
		t.Fatalf("keymgr: %v", err)
	}
	return client, port, string(ds)
}

// startUnbound runs Unbound over Knot, with the key of the signed zone and a
// wrong one for another.
func startUnbound(t *testing.T, knotPort, anchors string) *dnscheck.Client {
	t.Helper()
	unbound := program(t, "unbound", "unbound")
	dir, port := folder(t), freePort(t)
	var conf strings.Builder
	fmt.Fprintf(&conf, `server:
  interface: 127.0.0.1
  port: %[2]s
  access-control: 127.0.0.0/8 allow
  do-not-query-localhost: no
  num-threads: 1
  do-daemonize: no
  use-syslog: no
  username: ""
  chroot: ""
  pidfile: ""
  directory: "%[1]s"
  module-config: "validator iterator"
  ede: yes
  trust-anchor-file: "%[1]s/anchors"
  trust-anchor: "bogus.example. DS 1 13 2 %[3]s"
remote-control:
  control-enable: no
`, dir, port, strings.Repeat("00", 32))
	for _, zone := range []string{"signed.example", "plain.example", "bogus.example", "broken.example"} {
		fmt.Fprintf(&conf, "stub-zone:\n  name: %s\n  stub-addr: 127.0.0.1@%s\n", zone, knotPort)
	}
	write(t, dir, "anchors", anchors)
	write(t, dir, "unbound.conf", conf.String())
	return start(t, port, unbound, "-d", "-c", filepath.Join(dir, "unbound.conf"))
}
