package dnscheck

import (
	"net/netip"
	"testing"
)

func TestSendingAddress(t *testing.T) {
	const good = "25.2.0.192.in-addr.arpa PTR mail.example.org\nmail.example.org A 192.0.2.25\n"
	tests := []struct {
		name, zone, ip, helo string
		findings             string
		confirmed            bool
		heloIs               HELOMatch
	}{
		{name: "a good host", zone: good, helo: "Mail.Example.org", confirmed: true, heloIs: HELOReverse},
		{name: "an IPv4-mapped address", zone: good, ip: "::ffff:192.0.2.25", confirmed: true},
		{name: "IPv6", ip: "2001:db8::25", zone: "5.2.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa PTR mail.example.org\nmail.example.org AAAA 2001:db8::25", confirmed: true},
		{name: "no reverse name", zone: "mail.example.org A 192.0.2.25", findings: "ip-no-ptr"},
		{name: "a reverse name that leads elsewhere", zone: "25.2.0.192.in-addr.arpa PTR mail.example.org\nmail.example.org A 192.0.2.26", findings: "ip-unconfirmed"},
		{name: "a reverse name that does not exist", zone: "25.2.0.192.in-addr.arpa PTR mail.example.org", findings: "ip-unconfirmed"},
		{name: "an address as the reverse name", zone: "25.2.0.192.in-addr.arpa PTR 192.0.2.25\n192.0.2.25 A 192.0.2.25", findings: "ip-unconfirmed"},
		{name: "one of two is confirmed", zone: good + "25.2.0.192.in-addr.arpa PTR other.example.org", findings: "ip-several-ptr", confirmed: true},
		{name: "a generic name", zone: "25.2.0.192.in-addr.arpa PTR 192-0-2-25.pool.example.net\n192-0-2-25.pool.example.net A 192.0.2.25", findings: "ip-generic", confirmed: true},
		{name: "a private address", ip: "10.0.0.1", findings: "ip-not-public"},
		{name: "an announced address", zone: good, helo: "[192.0.2.25]", findings: "helo-address", confirmed: true, heloIs: HELOLiteral},
		{name: "an announced IPv6 literal", zone: good, helo: "[IPv6:2001:db8::25]", findings: "helo-address", confirmed: true, heloIs: HELOLiteral},
		{name: "an announced single label", zone: good, helo: "localhost", findings: "helo-invalid", confirmed: true, heloIs: HELOInvalid},
		{name: "an announced name without address", zone: good, helo: "gone.example.org", findings: "helo-unresolved", confirmed: true, heloIs: HELOElsewhere},
		{name: "an announced name of another host", zone: good + "www.example.org A 192.0.2.80", helo: "www.example.org", findings: "helo-other-host", confirmed: true, heloIs: HELOElsewhere},
		{name: "an announced second name", zone: good + "out.example.org A 192.0.2.25", helo: "out.example.org", findings: "helo-not-reverse", confirmed: true, heloIs: HELOForward},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.ip == "" {
				tt.ip = "192.0.2.25"
			}
			got := CheckIP(t.Context(), readZone(t, tt.zone), netip.MustParseAddr(tt.ip), tt.helo)
			if findingIDs(got.Findings) != tt.findings || got.Confirmed() != tt.confirmed || got.HELOIs != tt.heloIs {
				t.Errorf("%q, confirmed %v, helo %v; want %q, %v, %v", findingIDs(got.Findings), got.Confirmed(), got.HELOIs, tt.findings, tt.confirmed, tt.heloIs)
			}
		})
	}
}

func TestSendingAddressWhereDNSFails(t *testing.T) {
	var zone Zone
	zone.SetOutcome("25.2.0.192.in-addr.arpa", TypePTR, ServFail)
	zone.SetOutcome("mail.example.org", TypeA, Timeout)
	got := CheckIP(t.Context(), &zone, netip.MustParseAddr("192.0.2.25"), "mail.example.org")
	if findingIDs(got.Findings) != "ip-dns-failed helo-dns-failed" || got.Err != ErrDNS || got.HELOIs != HELOUnknown {
		t.Errorf("%v, %v", got.Findings, got.Err)
	}
	if got := CheckIP(t.Context(), &zone, netip.Addr{}, ""); got.Err == nil {
		t.Error("the invalid address has no error")
	}
}

func TestGenericNames(t *testing.T) {
	tests := []struct {
		name, ip string
		generic  bool
	}{
		{"mail.example.org", "192.0.2.25", false},
		{"mx2-25.example.org", "192.0.2.25", false},
		{"example.org", "192.0.2.25", false},
		{"192-0-2-25.example.net", "192.0.2.25", true},
		{"ip192.0.2.25.example.net", "192.0.2.25", true},
		{"25.2.0.192.example.net", "192.0.2.25", true},
		{"host-192-000-002-025.example.net", "192.0.2.25", true},
		{"192000002025.example.net", "192.0.2.25", true},
		{"c0000219.example.net", "192.0.2.25", true},
		{"a12.dsl.example.net", "192.0.2.25", true},
		{"dyn-7.example.net", "192.0.2.25", true},
		{"dynamo.example.net", "192.0.2.25", false},
		{"pool.example", "192.0.2.25", false}, // its own domain's name
		{"2001-db8-0-0-0000-0000-0000-0025.example.net", "2001:db8::25", true},
		{"mail-25.example.net", "2001:db8::25", false},
	}
	for _, tt := range tests {
		if got := looksGeneric(tt.name, netip.MustParseAddr(tt.ip)); got != tt.generic {
			t.Errorf("%s for %s: %v", tt.name, tt.ip, got)
		}
	}
}

func TestSendingAddressAsksForTenNames(t *testing.T) {
	var zone Zone
	for i := range 100 {
		zone.AddPTR("25.2.0.192.in-addr.arpa", itoa(i)+".example.org")
	}
	limit := &Limit{Resolver: &zone}
	got := CheckIP(t.Context(), limit, netip.MustParseAddr("192.0.2.25"), "mail.example.org")
	if used := limit.Used().Queries; used != 12 || got.Findings[0].ID != "ip-many-ptr" {
		t.Errorf("%d questions, %v", used, got.Findings)
	}
}
