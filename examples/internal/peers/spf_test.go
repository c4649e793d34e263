package peers

import (
	"context"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"blitiri.com.ar/go/spf"
	"github.com/mailfault/mailfault/dnscheck"
)

// spfCases are zones with what is asked of them.
var spfCases = []struct {
	name, zone string
}{
	{"ip4", `example.org TXT "v=spf1 ip4:192.0.2.0/24 -all"`},
	{"include-chain", chain(10)},
	{"exists-macros", `example.org TXT "v=spf1 exists:%{ir}.%{v}.a.example.org exists:%{l}.%{d2}.b.example.org -all"
user.example.org.b.example.org A 127.0.0.1`},
}

func chain(n int) string {
	var b strings.Builder
	name := "example.org"
	for i := range n {
		next := "i" + strconv.Itoa(i) + ".example.org"
		b.WriteString(name + ` TXT "v=spf1 include:` + next + ` -all"` + "\n")
		name = next
	}
	b.WriteString(name + ` TXT "v=spf1 ip4:192.0.2.1 -all"` + "\n")
	return b.String()
}

func BenchmarkSPF(b *testing.B) {
	ctx := context.Background()
	ip := netip.MustParseAddr("192.0.2.1")
	for _, c := range spfCases {
		zone, err := dnscheck.ReadZone(strings.NewReader(c.zone))
		if err != nil {
			b.Fatal(err)
		}
		for _, trace := range []bool{false, true} {
			b.Run(c.name+"/mailfault,trace="+strconv.FormatBool(trace), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					r := dnscheck.CheckSPF(ctx, zone, dnscheck.SPFQuery{IP: ip, MailFrom: "user@example.org", HELO: "mail.example.org", Trace: trace})
					if r.Result != dnscheck.SPFPass {
						b.Fatal(r.Result, r.Err)
					}
				}
			})
		}
		b.Run(c.name+"/blitiri", func(b *testing.B) {
			resolver := standard{zone}
			b.ReportAllocs()
			for b.Loop() {
				result, err := spf.CheckHostWithSender(net.IP{192, 0, 2, 1}, "mail.example.org", "user@example.org", spf.WithResolver(resolver), spf.WithContext(ctx))
				if result != spf.Pass {
					b.Fatal(result, err)
				}
			}
		})
	}
}

// standard gives a zone the shape of the standard library's resolver.
type standard struct{ zone *dnscheck.Zone }

func notFound(name string) error {
	return &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
}

func (s standard) LookupTXT(ctx context.Context, name string) ([]string, error) {
	a := s.zone.Lookup(ctx, name, dnscheck.TypeTXT)
	if a.Outcome != dnscheck.Found {
		return nil, notFound(name)
	}
	out := make([]string, len(a.TXT))
	for i := range a.TXT {
		out[i] = a.TXT[i].Text
	}
	return out, nil
}

func (s standard) LookupMX(ctx context.Context, name string) ([]*net.MX, error) {
	return nil, notFound(name)
}

func (s standard) LookupIPAddr(ctx context.Context, name string) ([]net.IPAddr, error) {
	a := s.zone.Lookup(ctx, name, dnscheck.TypeA)
	if a.Outcome != dnscheck.Found {
		return nil, notFound(name)
	}
	out := make([]net.IPAddr, len(a.Addrs))
	for i := range a.Addrs {
		out[i] = net.IPAddr{IP: a.Addrs[i].AsSlice()}
	}
	return out, nil
}

func (s standard) LookupAddr(ctx context.Context, addr string) ([]string, error) {
	return nil, notFound(addr)
}
