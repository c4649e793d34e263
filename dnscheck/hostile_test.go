package dnscheck

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// TestChecksOverAHostileServerAreBounded runs whole checks through the client
// against servers that answer every question with the worst they can.
func TestChecksOverAHostileServerAreBounded(t *testing.T) {
	// text makes a server that answers each TXT question so, and has an
	// address for each name.
	text := func(record func(name string) []string) func(*dnsmessage.Message) {
		return func(m *dnsmessage.Message) {
			name := m.Questions[0].Name.String()
			switch m.Questions[0].Type {
			case dnsmessage.TypeTXT:
				m.Answers = []dnsmessage.Resource{recordTXT(name, 300, record(name)...)}
			case dnsmessage.TypeMX:
				for n := range 1000 {
					m.Answers = append(m.Answers, recordMX(name, n))
				}
			case dnsmessage.TypeA:
				m.Answers = []dnsmessage.Resource{recordA(name, 300, "203.0.113.66")}
			}
		}
	}
	long := func(s string) (parts []string) { // as many strings of 255 bytes as a message holds
		all := strings.Repeat(s, 255*254/len(s))
		for len(all) > 0 {
			n := min(255, len(all))
			parts, all = append(parts, all[:n]), all[n:]
		}
		return parts
	}
	for name, tt := range map[string]struct {
		change func(*dnsmessage.Message)
		want   SPFResult
		err    error
	}{
		"every record includes three new names": {change: text(func(name string) []string {
			name = strings.TrimSuffix(name, ".")
			if len(name) > 200 {
				name = "example.org"
			}
			return []string{"v=spf1" + strings.ReplaceAll(" include:0.N include:1.N include:2.N", "N", name)}
		}), want: SPFPermError, err: ErrTooManyLookups},
		"macros that include themselves": {change: text(func(string) []string {
			return []string{"v=spf1 include:%{d}.%{d}.%{l}.%{s} -all"}
		}), want: SPFPermError, err: ErrTooManyLookups},
		"thousands of mx with a thousand hosts each": {change: text(func(string) []string {
			return append([]string{"v=spf1 "}, long("mx ")...)
		}), want: SPFPermError, err: ErrTooManyMX},
		"thousands of a": {change: text(func(string) []string {
			return append([]string{"v=spf1 "}, long("a:x.example ")...)
		}), want: SPFPermError, err: ErrTooManyLookups},
		"a text of 64 KiB that is no record": {change: text(func(string) []string { return long("x") }), want: SPFNone, err: ErrNoRecord},
		"an alias of itself": {change: func(m *dnsmessage.Message) {
			name := m.Questions[0].Name.String()
			m.Answers = []dnsmessage.Resource{recordCNAME(name, 300, name)}
		}, want: SPFTempError, err: ErrDNS},
		"aliases without end": {change: func(m *dnsmessage.Message) {
			m.RecursionAvailable, m.Authoritative = false, true
			name := m.Questions[0].Name.String()
			m.Answers = []dnsmessage.Resource{recordCNAME(name, 300, "x."+name)}
		}, want: SPFTempError, err: ErrDNS},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(query []byte, tcp bool) [][]byte {
				msg := response(query, tt.change)
				if !tcp && len(msg) > udpSize {
					msg = response(query, func(m *dnsmessage.Message) { m.Truncated = true })
				}
				return [][]byte{msg}
			})
			limit := &Limit{Resolver: &Client{Servers: []string{s.addr}, Timeout: time.Second}, Timeout: 20 * time.Second}
			got := CheckSPF(t.Context(), limit, SPFQuery{IP: netip.MustParseAddr("192.0.2.1"), MailFrom: "anna@example.org", HELO: "example.org"})
			if got.Result != tt.want || !errors.Is(got.Err, tt.err) {
				t.Errorf("%v (%v), want %v (%v)", got.Result, got.Err, tt.want, tt.err)
			}
			if used := limit.Used().Queries; used > 1+MaxLookups*(1+maxNames) {
				t.Errorf("%d questions for one check", used)
			}
			limit = &Limit{Resolver: limit.Resolver, Queries: 200, Timeout: 20 * time.Second}
			start := time.Now()
			AuditSPF(t.Context(), limit, "example.org", SPFAuditOptions{})
			if used := limit.Used(); used.Queries > 200 || time.Since(start) > 2*time.Minute {
				t.Errorf("audit: %+v in %v", used, time.Since(start))
			}
		})
	}
}
