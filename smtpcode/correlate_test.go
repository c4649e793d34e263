package smtpcode

import (
	"fmt"
	"iter"
	"slices"
	"testing"
)

func expired(recipients ...string) iter.Seq[Failure] {
	return func(yield func(Failure) bool) {
		for _, r := range recipients {
			f := online("550 4.4.7 QUEUE.Expired; message expired")
			f.Recipient = r
			if !yield(f) {
				return
			}
		}
	}
}

func TestExpiryAtOneDomainIsTheirs(t *testing.T) {
	p := Correlate(expired("a@example.com", "b@example.com", "c@example.com"))
	if len(p) != 1 || p[0].Kind != PatternOneDomain || p[0].Domain != "example.com" || !slices.Equal(p[0].Owners, []Party{RecipientAdmin}) {
		t.Errorf("%+v", p)
	}
}

func TestExpiryAtSeveralDomainsIsOurs(t *testing.T) {
	p := Correlate(expired("a@example.com", "b@example.net"))
	if len(p) != 1 || p[0].Kind != PatternSeveral || !slices.Equal(p[0].Owners, []Party{SenderAdmin}) || len(p[0].Steps) != 4 {
		t.Errorf("%+v", p)
	}
}

// The wizard is Microsoft's: who has no Exchange cannot run it.
func TestHybridConnectorOnlyWithMicrosoft(t *testing.T) {
	tests := []struct {
		name    string
		failure Failure
		want    bool
	}{
		{"Exchange Online reports", online("550 4.4.7 QUEUE.Expired; message expired"), true},
		{"Exchange of one's own", Failure{Action: Failed, GeneratingServer: "ex1.corp.example", Replies: ParseReplies("550 4.4.7 QUEUE.Expired; message expired")}, true},
		{"Postfix reports", Failure{Action: Failed, GeneratingServer: "out.sender.example", Replies: ParseReplies("connect to mx.example.com[192.0.2.1]:25: Connection timed out")}, false},
	}
	for _, test := range tests {
		p := Correlate(func(yield func(Failure) bool) {
			for _, recipient := range []string{"a@example.com", "b@example.net"} {
				f := test.failure
				if f.Recipient = recipient; !yield(f) {
					return
				}
			}
		})
		if len(p) != 1 || p[0].Kind != PatternSeveral || slices.Contains(p[0].Steps, hybridConnector) != test.want {
			t.Errorf("%s: %+v", test.name, p)
		}
	}
}

// The summary gives the numbers, so that nobody takes a majority for all.
func TestOneDomainIsCounted(t *testing.T) {
	var recipients []string
	for i := range 20 {
		recipients = append(recipients, fmt.Sprintf("user%d@down.example", i))
	}
	for _, test := range []struct {
		more []string
		want string
	}{
		{nil, "All 20 messages that did not get through were for down.example: the trouble is there."},
		{[]string{"a@example.com", "b@example.net"}, "20 of 22 messages that did not get through were for down.example: the trouble is there."},
	} {
		p := Correlate(expired(slices.Concat(recipients, test.more)...))
		if len(p) != 1 || p[0].Kind != PatternOneDomain || p[0].Summary != test.want {
			t.Errorf("%+v", p)
		}
	}
	half := make([]string, 0, 40)
	for i := range 20 {
		half = append(half, recipients[i], fmt.Sprintf("user@d%d.example", i))
	}
	if p := Correlate(expired(half...)); len(p) != 1 || p[0].Kind != PatternSeveral {
		t.Errorf("half of them: %+v", p)
	}
}

func TestOneExpiryStaysUndecided(t *testing.T) {
	p := Correlate(expired("a@example.com"))
	if len(p) != 1 || p[0].Kind != PatternUndecided || !slices.Equal(p[0].Owners, []Party{Unknown}) {
		t.Errorf("%+v", p)
	}
}

func TestExpiryWithoutRecipientTellsNoDomain(t *testing.T) {
	tests := []struct {
		name       string
		recipients []string
		want       PatternKind
		domain     string
	}{
		{"none is named", []string{"", "", ""}, PatternUndecided, ""},
		{"local names alone", []string{"root", "bob"}, PatternUndecided, ""},
		{"one domain is named, the rest may be anywhere", []string{"a@example.com", ""}, PatternUndecided, ""},
		{"two domains are named", []string{"a@example.com", "", "b@example.net"}, PatternSeveral, ""},
		{"one domain, in two spellings", []string{"a@example.com", "b@EXAMPLE.com."}, PatternOneDomain, "example.com"},
	}
	for _, test := range tests {
		p := Correlate(expired(test.recipients...))
		if len(p) != 1 || p[0].Kind != test.want || p[0].Domain != test.domain || p[0].Count != len(test.recipients) || slices.Contains(p[0].Domains, "") {
			t.Errorf("%s: %+v", test.name, p)
		}
	}
}

func TestOneAddressFailingOftenIsNoStaleList(t *testing.T) {
	failures := func(addresses int) iter.Seq[Failure] {
		return func(yield func(Failure) bool) {
			for i := range 12 {
				f := Failure{Action: Failed, Recipient: fmt.Sprintf("user%d@example.com", i%addresses), Replies: ParseReplies("550 5.1.1 user unknown")}
				if !yield(f) {
					return
				}
			}
		}
	}
	if p := Correlate(failures(staleFrom - 1)); len(p) != 0 {
		t.Errorf("few addresses: %+v", p)
	}
	if p := Correlate(failures(staleFrom)); len(p) != 1 || p[0].Kind != PatternStaleList || p[0].Count != 12 || p[0].Recipients != staleFrom {
		t.Errorf("many addresses: %+v", p)
	}
}

func TestDeliveredMailShowsNoPattern(t *testing.T) {
	p := Correlate(slices.Values([]Failure{{Action: Delivered, Recipient: "a@example.com"}}))
	if len(p) != 0 {
		t.Errorf("%+v", p)
	}
}

func BenchmarkCorrelate(b *testing.B) {
	replies := [][]Reply{
		ParseReplies("550 5.1.1 user unknown"),
		ParseReplies("452 4.2.2 over quota"),
		ParseReplies("550 5.7.26 Unauthenticated email is not accepted due to domain's DMARC policy"),
	}
	recipients := make([]string, 5000)
	for i := range recipients {
		recipients[i] = fmt.Sprintf("user%d@d%d.example.com", i, i%700)
	}
	b.ReportAllocs()
	for b.Loop() {
		Correlate(func(yield func(Failure) bool) {
			for i := range 10_000 {
				if !yield(Failure{Action: Failed, Recipient: recipients[i%len(recipients)], Replies: replies[i%len(replies)], RemoteServer: "mx.example.com"}) {
					return
				}
			}
		})
	}
}
