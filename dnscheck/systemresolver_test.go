package dnscheck

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/net/dns/dnsmessage"
)

// systemOver is a net.Resolver that asks a fake server.
func systemOver(s *fakeServer) SystemResolver {
	return SystemResolver{&net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, s.addr)
	}}}
}

func TestSystemResolverSaysWhatItCannotKnow(t *testing.T) {
	s := serve(t, answers(func(m *dnsmessage.Message) {
		name := m.Questions[0].Name.String()
		switch name {
		case "example.org.":
			switch m.Questions[0].Type {
			case dnsmessage.TypeA:
				m.Answers = []dnsmessage.Resource{recordA(name, 300, "192.0.2.1")}
			case dnsmessage.TypeMX:
				m.Answers = []dnsmessage.Resource{recordMX(name, 2), recordMX(name, 1)}
			case dnsmessage.TypeTXT:
				m.Answers = []dnsmessage.Resource{recordTXT(name, 300, "v=spf1 ", "-all")}
			}
		case "gone.example.":
			m.RCode = dnsmessage.RCodeNameError
		case "broken.example.":
			m.RCode = dnsmessage.RCodeServerFailure
		case "1.2.0.192.in-addr.arpa.":
			m.Answers = []dnsmessage.Resource{{Header: header(name, dnsmessage.TypePTR, 60), Body: &dnsmessage.PTRResource{PTR: dnsmessage.MustNewName("Mail.example.org.")}}}
		}
	}))
	for _, tt := range []struct {
		name string
		t    Type
		want Answer
	}{
		{"example.org", TypeA, Answer{Outcome: Found, Addrs: []netip.Addr{netip.MustParseAddr("192.0.2.1")}}},
		{"example.org", TypeAAAA, Answer{Outcome: NoData}},
		{"example.org", TypeMX, Answer{Outcome: Found, MX: []MX{{1998, "mx2.example.org"}, {1999, "mx1.example.org"}}}},
		{"example.org", TypeTXT, Answer{Outcome: Found, TXT: []TXT{{"v=spf1 -all", 0}}}},
		{"gone.example", TypeA, Answer{Outcome: NoData}}, // it cannot tell
		{"broken.example", TypeA, Answer{Outcome: ServFail}},
		{"1.2.0.192.in-addr.arpa", TypePTR, Answer{Outcome: Found, Names: []string{"mail.example.org"}}},
		{"example.org", TypePTR, Answer{}},
		{"example.org", TypeSPF, Answer{}},
		{"192.0.2.1", TypeA, Answer{Outcome: NoData}}, // no literal is a name
	} {
		got := systemOver(s).Lookup(t.Context(), tt.name, tt.t)
		tt.want.Gaps = SystemGaps
		if d := cmp.Diff(tt.want, got, cmpopts.EquateComparable(netip.Addr{}), cmpopts.IgnoreFields(Answer{}, "Err")); d != "" {
			t.Errorf("%s %v: %s", tt.name, tt.t, d)
		}
		if got.Outcome == OutcomeUnknown && !errors.Is(got.Err, errors.ErrUnsupported) || got.Outcome.Failed() != (got.Err != nil) {
			t.Errorf("%s %v: error %v", tt.name, tt.t, got.Err)
		}
	}
}

func TestSystemResolverStopsWithItsContext(t *testing.T) {
	s := serve(t, func([]byte, bool) [][]byte { time.Sleep(time.Second); return nil })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if got := systemOver(s).Lookup(ctx, "example.org", TypeTXT); got.Outcome != Timeout {
		t.Errorf("%+v", got)
	}
}

func TestReverseAddrReadsTheReverseTrees(t *testing.T) {
	for name, want := range map[string]string{
		"1.2.0.192.in-addr.arpa": "192.0.2.1",
		"1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa": "2001:db8::1",
		"2.0.192.in-addr.arpa":   "",
		"x.2.0.192.in-addr.arpa": "",
		"1.ip6.arpa":             "",
		"10.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa": "",
		"g.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa":  "",
		"example.org": "",
	} {
		addr, ok := reverseAddr(name)
		if ok != (want != "") || ok && addr != netip.MustParseAddr(want) {
			t.Errorf("%s: %v, %v", name, addr, ok)
		}
	}
}
