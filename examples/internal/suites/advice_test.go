package suites

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dnscheck"
)

// What the suites' records are told must be true of them: an audit names the
// result of the suite's own client, a flattened record changes nobody, what Explain
// says to publish makes the mail pass, and no explanation disagrees with the result.
func TestAdviceOnTheSuitesRecords(t *testing.T) {
	audited, flattened, published := 0, 0, 0
	for _, file := range []string{"rfc7208-tests.yml", "blitirispf-tests.yml", "pyspf-tests.yml", "rfc4408-tests.yml"} {
		eachScenario(t, file, func(s *scenario) {
			zone := zoneOf(t, s.ZoneData)
			for name, test := range s.Tests {
				query := dnscheck.SPFQuery{IP: netip.MustParseAddr(test.Host).Unmap(), MailFrom: test.MailFrom, HELO: test.Helo}
				check := dnscheck.CheckSPF(t.Context(), zone, query)
				if check.Domain == "" {
					continue
				}
				audit := dnscheck.AuditSPF(t.Context(), zone, check.Domain, dnscheck.SPFAuditOptions{Flatten: true})
				if len(audit.Unlisted) == 0 && !audit.BySender {
					audited++
					if got := resultFor(audit, query.IP); got != check.Result {
						t.Errorf("%s: %v gets %v (%v), the audit says %v of %s", name, query.IP, check.Result, check.Err, got, audit.Record.Text)
					}
				}
				if f := audit.Flattened; len(f.Publish) > 0 {
					flattened++
					after := &dnscheck.Overlay{Base: zone, SPF: map[string]string{}}
					for _, p := range f.Publish {
						after.SPF[p.Name] = p.Text
					}
					flat := dnscheck.AuditSPF(t.Context(), after, check.Domain, dnscheck.SPFAuditOptions{})
					if d := audit.Diff(flat); len(d.Lost) > 0 || d.IPv4.After == dnscheck.SPFPermError && d.IPv4.Before != d.IPv4.After {
						t.Errorf("%s: flattened %s to %s: %+v", name, audit.Record.Text, f.Publish[0].Text, d)
					}
				}
				refusal := dnscheck.Refusal{Claim: dnscheck.ClaimSPF, EnvelopeFrom: test.MailFrom, HELO: test.Helo, SendingIP: query.IP}
				e := dnscheck.Explain(t.Context(), zone, refusal)
				passes := check.Result == dnscheck.SPFPass
				if e.Summary == "" || strings.Contains(e.Summary+e.Change, "%!") || passes != (e.Cause == "spf-passes-now") && e.Cause != "spf-private" || e.Agreement == dnscheck.Agrees && (passes || e.Change == "") {
					t.Errorf("%s: %v, but %s: %s; %s", name, check.Result, e.Cause, e.Summary, e.Change)
				}
				if e.Publish != "" {
					published++
					after := &dnscheck.Overlay{Base: zone, SPF: map[string]string{e.Fault.Name: e.Publish}}
					if got := dnscheck.Explain(t.Context(), after, refusal); got.Agreement != dnscheck.Disagrees {
						t.Errorf("%s: %s in the place of %s still gives %s: %s", name, e.Publish, e.Fault.Record, got.Cause, got.Summary)
					}
				}
			}
		})
	}
	if audited < 200 || flattened < 100 || published < 30 {
		t.Errorf("only %d audited, %d flattened, %d published", audited, flattened, published)
	}
}

// resultFor is what an audit says that an address gets, errors counted.
func resultFor(a *dnscheck.SPFAudit, ip netip.Addr) dnscheck.SPFResult {
	senders, result := a.Senders, a.Default
	if a.Actual != nil {
		senders, result = a.Actual.Senders, a.IPv4.Result
		if ip.Is6() {
			result = a.IPv6.Result
		}
	}
	for _, s := range senders {
		if s.Prefix.Contains(ip) {
			return s.Result
		}
	}
	return result
}
