package dnscheck

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// findingIDs lists findings by their id, in order.
func findingIDs(findings []Finding) string {
	var list []string
	for _, f := range findings {
		list = append(list, f.ID)
	}
	return strings.Join(list, " ")
}

func readZone(t testing.TB, text string) *Zone {
	t.Helper()
	zone, err := ReadZone(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestMX(t *testing.T) {
	tests := []struct {
		name, zone string
		findings   string
		takes      bool
		err        error
	}{
		{name: "two hosts of one preference", zone: `
example.org MX 10 a.example.org
example.org MX 10 b.example.org
a.example.org A 203.0.113.1
b.example.org A 203.0.113.2
b.example.org AAAA 2001:db8::2`, takes: true},
		{name: "null MX", zone: `example.org MX 0 .`, findings: "mx-null"},
		{name: "null MX with another preference", zone: `example.org MX 10 .`, findings: "mx-null mx-null-number"},
		{name: "null MX beside a host", zone: `
example.org MX 0 .
example.org MX 10 a.example.org
a.example.org A 203.0.113.1`, findings: "mx-null-beside", takes: true},
		{name: "no MX but an address", zone: `example.org A 203.0.113.1`, findings: "mx-implicit", takes: true},
		{name: "no MX and a private address", zone: `example.org A 192.168.0.1`, findings: "mx-implicit mx-not-public", takes: true},
		{name: "nothing", zone: `example.org TXT "hello"`, findings: "mx-none", err: ErrNoRecord},
		{name: "no domain", zone: `example.net TXT "hello"`, findings: "mx-no-domain", err: ErrNoRecord},
		{name: "an alias", zone: `
example.org MX 10 mail.example.org
mail.example.org CNAME host.example.org
host.example.org A 203.0.113.1`, findings: "mx-alias", takes: true},
		{name: "an address for a host", zone: `
example.org MX 10 203.0.113.1
203.0.113.1 A 203.0.113.1`, findings: "mx-address"},
		{name: "a name that is no host's", zone: `example.org MX 10 mail-.example.org`, findings: "mx-bad-host"},
		{name: "a host that does not exist", zone: `example.org MX 10 gone.example.org`, findings: "mx-unresolved"},
		{name: "private and loopback addresses", zone: `
example.org MX 10 mail.example.org
mail.example.org A 10.0.0.1
mail.example.org A 127.0.0.1
mail.example.org A 203.0.113.1`, findings: "mx-not-public mx-not-public", takes: true},
		{name: "the same host twice", zone: `
example.org MX 10 mail.example.org
example.org MX 20 mail.example.org
mail.example.org A 203.0.113.1`, findings: "mx-repeated", takes: true},
		{name: "IPv6 only", zone: `
example.org MX 10 mail.example.org
mail.example.org AAAA 2001:db8::2`, findings: "mx-ipv6-only", takes: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := CheckMX(context.Background(), readZone(t, tt.zone), "Example.ORG.")
			if findingIDs(got.Findings) != tt.findings || got.TakesMail() != tt.takes || !errors.Is(got.Err, tt.err) {
				t.Errorf("findings %q, takes mail %v, %v; want %q, %v, %v", findingIDs(got.Findings), got.TakesMail(), got.Err, tt.findings, tt.takes, tt.err)
			}
		})
	}
}

func TestMXWhereDNSFails(t *testing.T) {
	zone := readZone(t, "example.org MX 10 mail.example.org")
	zone.SetOutcome("mail.example.org", TypeA, ServFail)
	if got := CheckMX(t.Context(), zone, "example.org"); findingIDs(got.Findings) != "mx-host-failed" || got.Findings[0].Owner != OwnerResolver {
		t.Errorf("%+v", got.Findings)
	}
	zone.SetOutcome("example.org", TypeMX, Timeout)
	if got := CheckMX(t.Context(), zone, "example.org"); findingIDs(got.Findings) != "mx-dns-failed" || got.Err != ErrDNS {
		t.Errorf("%+v, %v", got.Findings, got.Err)
	}
	if got := CheckMX(t.Context(), zone, "not a domain"); findingIDs(got.Findings) != "mx-bad-domain" || !errors.Is(got.Err, ErrBadDomain) {
		t.Errorf("%+v, %v", got.Findings, got.Err)
	}
}

// The operator of another organization's host has to mend its address; the
// domain alone decides which hosts it names.
func TestMXNamesWhoseRecordItIs(t *testing.T) {
	zone := readZone(t, "example.org MX 10 mx.example.net\nexample.org MX 20 mx.example.org")
	got := CheckMX(t.Context(), zone, "example.org")
	if findingIDs(got.Findings) != "mx-unresolved mx-unresolved" || got.Findings[0].Owner != OwnerInclude || got.Findings[1].Owner != OwnerDomain {
		t.Errorf("%+v", got.Findings)
	}
}

func TestMXAsksForABoundedNumberOfHosts(t *testing.T) {
	var zone Zone
	for i := range 1000 {
		zone.AddMX("example.org", 10, fmt.Sprintf("mx%d.example.org", i))
	}
	limit := &Limit{Resolver: &zone}
	got := CheckMX(t.Context(), limit, "example.org")
	if used := limit.Used().Queries; used != 1+2*maxExchangers {
		t.Errorf("%d questions", used)
	}
	if got.Findings[0].ID != "mx-many" || len(got.Findings) != 1+maxExchangers {
		t.Errorf("%d findings: %v", len(got.Findings), got.Findings[0])
	}
}
