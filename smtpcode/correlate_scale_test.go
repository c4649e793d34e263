package smtpcode

import (
	"fmt"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"
)

// run makes n failures of one reply.
func run(n int, reply string, each func(i int, f *Failure)) []Failure {
	failures := make([]Failure, n)
	replies := ParseReplies(reply)
	for i := range failures {
		failures[i] = Failure{Action: Failed, Recipient: fmt.Sprintf("user%d@d%d.example.net", i, i%50), RemoteServer: "mx.example.net", GeneratingServer: "out.example.com", Replies: replies}
		if each != nil {
			each(i, &failures[i])
		}
	}
	return failures
}

// Among a day's failures of every kind each trouble is recognised by what its
// failures have in common.
func TestTroublesStandOutAmongManyFailures(t *testing.T) {
	ip := netip.MustParseAddr("192.0.2.1")
	tests := []struct {
		name     string
		failures []Failure
		kind     PatternKind
		owner    Party
		check    func(p *Pattern) bool
	}{
		{"one domain down, a few strays elsewhere", append(
			run(300, "450 4.4.1 Connection timed out", func(i int, f *Failure) { f.Recipient = fmt.Sprintf("u%d@down.example", i) }),
			run(3, "450 4.4.1 Connection timed out", nil)...),
			PatternOneDomain, RecipientAdmin, func(p *Pattern) bool { return p.Domain == "down.example" }},
		{"every domain times out", run(300, "450 4.4.1 Connection timed out", nil),
			PatternSeveral, SenderAdmin, func(p *Pattern) bool { return p.Domain == "" && len(p.Domains) == maxSample }},
		{"own SPF broken everywhere", run(300, "550 5.7.23 SPF fail", nil),
			PatternOwnAuth, SenderDNS, func(p *Pattern) bool { return p.Condition == "spf-fail" }},
		{"one address blocked", run(300, "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org", func(i int, f *Failure) { f.SendingIP = ip }),
			PatternBlocked, SenderAdmin, func(p *Pattern) bool { return len(p.IPs) == 1 && p.IPs[0] == ip }},
		{"stale list", run(300, "550 5.1.1 user unknown", nil),
			PatternStaleList, Sender, func(p *Pattern) bool { return p.Recipients == 300 }},
		{"compromised account", run(300, "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients", func(i int, f *Failure) {
			f.RemoteServer, f.EnvelopeFrom = "am6pr01mb0001.eurprd01.prod.exchangelabs.com", "bob@example.com"
		}),
			PatternCompromise, Sender, func(p *Pattern) bool { return len(p.Senders) == 1 && p.Senders[0] == "bob@example.com" }},
		{"refused reports", run(30, "550 5.5.3 <DATA>: Data command rejected: Multi-recipient bounce", nil),
			PatternBackscatter, SenderAdmin, func(p *Pattern) bool { return p.Count == 30 }},
		{"certificate of one host that many domains share", run(30, "450 4.7.323 tlsa-invalid: The domain failed DANE validation", func(i int, f *Failure) { f.RemoteServer = "mx.example.net" }),
			PatternHostTransport, RecipientAdmin, func(p *Pattern) bool { return len(p.Hosts) == 1 }},
	}
	// What any day brings beside it: single failures that are no pattern.
	noise := append(run(200, "452 4.2.2 over quota", nil), run(2, "554 5.7.1 spam detected", nil)...)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			patterns := Correlate(func(yield func(Failure) bool) {
				for i := range test.failures {
					if !yield(test.failures[i]) || i < len(noise) && !yield(noise[i]) {
						return
					}
				}
			})
			if len(patterns) != 1 || patterns[0].Kind != test.kind || patterns[0].Owners[0] != test.owner || !test.check(&patterns[0]) {
				t.Errorf("%d failures of %q: %+v", len(test.failures), Diagnose(test.failures[0]).Condition, patterns)
			}
		})
	}
}

// million yields a million failures, of names without end.
func million(long string, heap func()) func(yield func(Failure) bool) {
	replies := [][]Reply{
		ParseReplies("550 5.1.1 user unknown"),
		ParseReplies("452 4.2.2 over quota"),
		ParseReplies("550 5.7.26 Unauthenticated email is not accepted due to domain's DMARC policy"),
		ParseReplies("450 4.4.1 Connection timed out"),
	}
	buf := make([]byte, 0, 128)
	return func(yield func(Failure) bool) {
		for i := range 1_000_000 {
			buf = fmt.Appendf(buf[:0], "user%d@d%d.example.net", i, i/3)
			recipient := string(buf)
			f := Failure{Action: Failed, Recipient: recipient, EnvelopeFrom: recipient, RemoteServer: recipient[strings.IndexByte(recipient, '@')+1:], Replies: replies[i%len(replies)]}
			if long != "" && i%100 == 0 {
				f.Recipient, f.RemoteServer, f.EnvelopeFrom = long+recipient+long, recipient+long, long+recipient
			}
			if !yield(f) {
				return
			}
			if i%100_000 == 0 {
				heap()
			}
		}
	}
}

// A million failures are correlated in less than 64 MiB, whatever they name.
// The time of a run stands in BenchmarkCorrelateMillion.
func TestAMillionFailuresFitInBoundedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("a million failures")
	}
	for _, long := range []string{"", strings.Repeat("x", 20_000)} {
		var before, now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		peak := uint64(0)
		start := time.Now()
		var c Correlator
		for f := range million(long, func() {
			runtime.GC()
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc-min(now.HeapAlloc, before.HeapAlloc))
		}) {
			d := Diagnose(f)
			c.Add(&f, &d)
		}
		if c.Total() != 1_000_000 || len(c.Patterns()) == 0 {
			t.Errorf("%d failures, patterns %v", c.Total(), c.Patterns())
		}
		if peak > 64<<20 {
			t.Errorf("names of %d bytes: %d KiB in use", len(long), peak>>10)
		}
		t.Logf("names of %d bytes: %d KiB in use, %v", len(long), peak>>10, time.Since(start).Round(time.Millisecond))
	}
}

func BenchmarkCorrelateMillion(b *testing.B) {
	for b.Loop() {
		Correlate(million("", func() {}))
	}
}
