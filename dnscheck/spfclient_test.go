package dnscheck

import (
	"errors"
	"net/netip"
	"testing"
)

func TestTheClientsAddress(t *testing.T) {
	const record = `example.org TXT "v=spf1 ip6:fe80::/10 exists:%{ir}.%{v}.example.net ip4:192.0.2.0/24 -all"`
	tests := []struct {
		name string
		ip   netip.Addr
		want SPFResult
		err  error
	}{
		{"one that is listed", netip.MustParseAddr("192.0.2.1"), SPFPass, nil},
		{"mapped into IPv6", netip.MustParseAddr("::ffff:192.0.2.1"), SPFPass, nil},
		{"with the link it is on", netip.MustParseAddr("fe80::1%eth0"), SPFPass, nil},
		{"one that is not listed", netip.MustParseAddr("2001:db8::1"), SPFFail, nil},
		{"none: nobody was refused", netip.Addr{}, SPFNone, ErrNoAddress},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := CheckSPF(t.Context(), zone(t, record), SPFQuery{IP: tt.ip, MailFrom: "a@example.org"})
			if got.Result != tt.want || !errors.Is(got.Err, tt.err) {
				t.Errorf("%v (%v), want %v (%v)", got.Result, got.Err, tt.want, tt.err)
			}
		})
	}
}

// macro-expand of RFC 7208 section 7.1 is a macro in braces, %%, %_ or %-, and
// each may end a domain-spec.
func TestWhatADomainMayEndIn(t *testing.T) {
	tests := []struct {
		term string
		ok   bool
	}{
		{"a:%{d}", true}, {"exists:%{ir}.%{d2}", true},
		{"a:x.%%", true}, {"include:x%_", true}, {"exists:%-", true}, {"redirect=%{d}%%", true},
		{"a:%{d}.example", true}, {"a:%%.example.", true}, {"a:%%example", false}, {"a:%%.", false},
		{"a:x.%", false}, {"a:x.%%%", false}, {"a:%{d}.1", false}, {"a:%{d}x", false},
		{"a:%{d1}", true}, {"a:%{d01}", true}, {"a:%{d00000000002}", true}, {"a:%{d99999999999999999999}", true},
		{"a:%{d0}", false}, {"a:%{d000000000000}", false},
	}
	for _, tt := range tests {
		if _, err := ParseSPF("v=spf1 " + tt.term); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.term, err)
		}
	}
	z := zone(t, `example.org TXT "v=spf1 exists:%{d00000000002}.x.example exists:%{l99999999999}.y.example -all"
example.org.x.example A 127.0.0.2`)
	if got := CheckSPF(t.Context(), z, SPFQuery{IP: netip.MustParseAddr("192.0.2.1"), MailFrom: "a@example.org"}); got.Result != SPFPass {
		t.Errorf("%v (%v)", got.Result, got.Err)
	}
}
