package smtpcode

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
)

// daysMail makes the failures of one account's day: quota refusals by its own
// service and spam refusals by receivers, mixed.
func daysMail(sender string, quota, spam int) []Failure {
	var failures []Failure
	for i := range max(quota, spam) {
		if i < quota {
			failures = append(failures, Failure{Action: Failed, EnvelopeFrom: sender, Recipient: fmt.Sprintf("q%d@d%d.example.net", i, i%7), RemoteServer: "am6pr01mb0001.eurprd01.prod.exchangelabs.com",
				Replies: ParseReplies("550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients")})
		}
		if i < spam {
			failures = append(failures, Failure{Action: Failed, EnvelopeFrom: sender, Recipient: fmt.Sprintf("s%d@d%d.example.org", i, i%5), RemoteServer: "mx.example.org",
				SendingIP: netip.MustParseAddr("192.0.2.1"), Replies: ParseReplies("550 5.7.1 Message rejected as spam by Content Filtering")})
		}
	}
	return failures
}

func TestQuotaAndSpamOfOneAccountAreOnePattern(t *testing.T) {
	const bob, eve = "bob@example.com", "eve@example.com"
	tests := []struct {
		name              string
		failures          []Failure
		count, recipients int
		senders           []string
		together          bool
	}{
		{"quota alone", daysMail(bob, 40, 0), 40, 40, []string{bob}, false},
		{"quota and spam", daysMail(bob, 40, 60), 100, 100, []string{bob}, true},
		{"ten thousand recipients", daysMail(bob, 6000, 4000), 10_000, 10_000, []string{bob}, true},
		{"one quota refusal among spam refusals", daysMail(bob, 1, 60), 61, 61, []string{bob}, true},
		{"the sender's name in two spellings", append(daysMail(bob, 40, 0), daysMail("Bob@Example.com", 0, 10)...), 50, 50, []string{bob}, true},
		{"another sender's spam", append(daysMail(bob, 40, 0), daysMail(eve, 0, 60)...), 40, 40, []string{bob}, false},
		{"both, and another sender's spam", append(daysMail(bob, 40, 5), daysMail(eve, 0, 60)...), 45, 45, []string{bob}, true},
		{"no failure names a sender", daysMail("", 40, 60), 100, 100, []string{}, true},
		{"the quota names a sender, the spam none", append(daysMail(bob, 40, 0), daysMail("", 0, 60)...), 40, 40, []string{bob}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			reversed := slices.Clone(test.failures)
			slices.Reverse(reversed)
			for _, failures := range [][]Failure{test.failures, reversed} {
				patterns := Correlate(slices.Values(failures))
				if len(patterns) != 1 {
					t.Fatalf("%d patterns: %+v", len(patterns), patterns)
				}
				p := patterns[0]
				if p.Kind != PatternCompromise || p.Count != test.count || p.Recipients != test.recipients || !slices.Equal(p.Senders, test.senders) {
					t.Errorf("%s: %d failures, %d recipients, senders %v", p.Kind, p.Count, p.Recipients, p.Senders)
				}
				if together := p.Summary == summaryQuotaAndSpam; together != test.together || together != (len(p.IPs) == 1) || together != slices.Contains(p.Hosts, "mx.example.org") {
					t.Errorf("together %t, addresses %v, hosts %v", together, p.IPs, p.Hosts)
				}
			}
		})
	}
}

// Spam refusals alone may have any cause: no account is called stolen for them.
func TestSpamAloneIsNoCompromise(t *testing.T) {
	if p := Correlate(slices.Values(daysMail("bob@example.com", 0, 500))); len(p) != 0 {
		t.Errorf("%+v", p)
	}
}

// Both ways of correlating count alike.
func TestCorrelatorAgreesWithCorrelate(t *testing.T) {
	failures := append(daysMail("bob@example.com", 20, 30), daysMail("eve@example.com", 3, 9)...)
	failures = append(failures, run(50, "450 4.4.1 Connection timed out", nil)...)
	failures = append(failures, run(9, "550 5.7.1 Access denied", func(i int, f *Failure) { f.OwnDomains = []string{"mx.example.net"} })...)
	failures = append(failures, Failure{Action: Delivered, Recipient: "x@example.net"})
	var c Correlator
	for i := range failures {
		d := Diagnose(failures[i])
		c.Add(&failures[i], &d)
	}
	want, got := c.Patterns(), Correlate(slices.Values(failures))
	if fmt.Sprint(got) != fmt.Sprint(want) || c.Total() != len(failures)-1 {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}
