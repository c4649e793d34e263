package smtpcode

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// timeouts makes n expiries at the domain that each names.
func timeouts(n int, domain func(i int) string) []Failure {
	return run(n, "450 4.4.1 Connection timed out", func(i int, f *Failure) { f.Recipient = fmt.Sprintf("u%d@%s", i, domain(i)) })
}

// What comes often is found though more names came before than are kept.
func TestOftenSeenNamesOutliveSeldomOnes(t *testing.T) {
	const strays, down = 20_000, 300_000
	f := timeouts(1, func(int) string { return "" })[0]
	in := func(yield func(Failure) bool) {
		for i := range strays + down {
			if f.Recipient = fmt.Sprintf("u@d%d.example", i); i >= strays {
				f.Recipient = fmt.Sprintf("u%d@down.example", i)
			}
			if !yield(f) {
				return
			}
		}
	}
	var c Correlator
	d := Diagnose(f)
	for f := range in {
		c.Add(&f, &d)
	}
	top := c.Domains()[0]
	if top.Key != "down.example" || top.Count > down || top.Count < down-down/100 {
		t.Errorf("most: %+v", top)
	}
	p := c.Patterns()
	if len(p) != 1 || p[0].Kind != PatternOneDomain || p[0].Domain != "down.example" || !strings.HasPrefix(p[0].Summary, "At least ") {
		t.Errorf("%+v", p)
	}
	if len(c.Domains()) > maxKeys {
		t.Errorf("%d domains", len(c.Domains()))
	}
}

// Up to the bounds of its tables Correlator does not mind the order.
func TestOrderOfFailuresDoesNotMatter(t *testing.T) {
	failures := slices.Concat(
		timeouts(60, func(i int) string { return "down.example" }),
		timeouts(4, func(i int) string { return fmt.Sprintf("d%d.example", i) }),
		run(90, "550 5.7.23 SPF fail", nil),
		run(90, "550 5.1.1 user unknown", nil),
		run(30, "450 4.7.323 tlsa-invalid: The domain failed DANE validation", nil),
		run(30, "550 5.5.3 <DATA>: Data command rejected: Multi-recipient bounce", nil),
		daysMail("bob@example.com", 20, 30), daysMail("eve@example.com", 3, 9),
	)
	want := Correlate(slices.Values(failures))
	if len(want) != 6 {
		t.Fatalf("%d patterns: %+v", len(want), want)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		random.Shuffle(len(failures), func(i, j int) { failures[i], failures[j] = failures[j], failures[i] })
		if got := Correlate(slices.Values(failures)); !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v\nwant %+v", got, want)
		}
	}
}

// A stranger chooses the names.
func TestHostileNames(t *testing.T) {
	for _, name := range []string{"", "\x00", "@", ".", "..", "@.", "a@", "\xff\xfe@\xff", "a@\x00.example", "a\x1b[31m@example.com", "a@xn--\xff.example", "a@xn--a.example",
		strings.Repeat("é", 300) + "@example.com", "a@" + strings.Repeat("x.", 20_000) + "example", "a@[IPv6:::1]", "a@[", "a@\u202eexample.com"} {
		failures := slices.Concat(daysMail(name, 3, 3), run(6, "550 5.1.1 user unknown", func(_ int, f *Failure) { f.Recipient = name }), timeouts(6, func(int) string { return name }))
		for i := range failures {
			failures[i].RemoteServer, failures[i].EnvelopeFrom = name, name
		}
		var c Correlator
		for i := range failures {
			c.Add(&failures[i], &Diagnosis{Condition: Condition(strings.Repeat(name, 300))}) // as a Rulebook may name it
			d := Diagnose(failures[i])
			c.Add(&failures[i], &d)
		}
		c.Add(&Failure{}, &Diagnosis{})
		for _, v := range []any{c.Patterns(), c.Domains(), c.Conditions(), c.Owners(), c.Operators()} {
			data, err := json.Marshal(v)
			if err != nil || len(data) > 50_000 || !utf8.Valid(data) || strings.Contains(string(data), `\u001b`) || strings.Contains(string(data), "null") {
				t.Errorf("%.40q: %d bytes, %v: %.400s", name, len(data), err, data)
			}
		}
	}
}

func TestNoFailuresShowAnEmptyList(t *testing.T) {
	if p := Correlate(func(func(Failure) bool) {}); p == nil || len(p) != 0 {
		t.Errorf("%#v", p)
	}
}

// One name in several spellings is one.
func TestSpellingsOfAName(t *testing.T) {
	for _, spellings := range [][]string{
		{"a@example.com", "b@EXAMPLE.com", "c@Example.com."},
		{"a@bücher.example", "b@BÜCHER.example", "c@xn--bcher-kva.example", "d@XN--BCHER-KVA.example."},
	} {
		p := Correlate(expired(spellings...))
		if len(p) != 1 || p[0].Kind != PatternOneDomain || p[0].Recipients != len(spellings) {
			t.Errorf("%q: %+v", spellings, p)
		}
	}
	same := expired("ü@bücher.example", "ü@xn--bcher-kva.example", "Ü@BÜCHER.example.")
	if p := Correlate(same); len(p) != 1 || p[0].Recipients != 1 {
		t.Errorf("one address: %+v", p)
	}
	p := Correlate(slices.Values(run(4, "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org", func(i int, f *Failure) {
		f.SendingIP = netip.MustParseAddr([]string{"192.0.2.1", "::ffff:192.0.2.1"}[i%2])
	})))
	if len(p) != 1 || len(p[0].IPs) != 1 {
		t.Errorf("one address in two forms: %+v", p)
	}
}

// Where each pattern begins, and what looks like it but is another thing.
func TestWherePatternsBegin(t *testing.T) {
	const (
		spf    = "550 5.7.23 SPF fail"
		listed = "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org"
		dead   = "550 5.1.1 user unknown"
		quota  = "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients"
		bounce = "550 5.5.3 <DATA>: Data command rejected: Multi-recipient bounce"
		tlsa   = "450 4.7.323 tlsa-invalid: The domain failed DANE validation"
	)
	host := func(format string) func(int, *Failure) {
		return func(i int, f *Failure) { f.RemoteServer = fmt.Sprintf(format, i) }
	}
	here := func(i int, f *Failure) { f.Recipient = fmt.Sprintf("u%d@one.example", i) }
	tests := []struct {
		name     string
		failures []Failure
		want     []PatternKind
	}{
		{"nine in ten of 20 expiries at one domain", slices.Concat(timeouts(18, func(int) string { return "down.example" }), timeouts(2, func(i int) string { return fmt.Sprintf("d%d.example", i) })), []PatternKind{PatternOneDomain}},
		{"fewer than nine in ten", slices.Concat(timeouts(17, func(int) string { return "down.example" }), timeouts(3, func(i int) string { return fmt.Sprintf("d%d.example", i) })), []PatternKind{PatternSeveral}},
		{"nine in ten of 19 expiries", slices.Concat(timeouts(18, func(int) string { return "down.example" }), timeouts(1, func(int) string { return "d.example" })), []PatternKind{PatternSeveral}},
		{"two receivers find SPF broken", run(2, spf, nil), []PatternKind{PatternOwnAuth}},
		{"one receiver finds SPF broken", run(300, spf, here), nil},
		{"each receiver finds another author's SPF broken", run(50, spf, func(i int, f *Failure) { f.EnvelopeFrom = fmt.Sprintf("bob@author%d.example", i) }), nil},
		{"one author's SPF is broken among others", run(50, spf, func(i int, f *Failure) { f.EnvelopeFrom = fmt.Sprintf("bob@author%d.example", i/2) }), []PatternKind{PatternOwnAuth}},
		{"VERP senders of one domain", run(50, spf, func(i int, f *Failure) { f.EnvelopeFrom = fmt.Sprintf("b+%d@list.example", i) }), []PatternKind{PatternOwnAuth}},
		{"two receivers list the address", run(2, listed, nil), []PatternKind{PatternBlocked}},
		{"one receiver lists the address", run(300, listed, here), nil},
		{"five dead addresses", run(5, dead, nil), []PatternKind{PatternStaleList}},
		{"four dead addresses, mailed often", run(300, dead, func(i int, f *Failure) { f.Recipient = fmt.Sprintf("u%d@one.example", i%4) }), nil},
		{"addresses that are still tried", run(300, "450 4.2.1 mailbox unavailable", func(_ int, f *Failure) { f.Action = Delayed }), nil},
		{"two of an account over quota", run(2, quota, func(_ int, f *Failure) { f.EnvelopeFrom = "bob@example.com" }), []PatternKind{PatternCompromise}},
		{"two accounts over quota once each", run(2, quota, func(i int, f *Failure) { f.EnvelopeFrom = fmt.Sprintf("bob%d@example.com", i) }), nil},
		{"many accounts over quota once each", run(300, quota, func(i int, f *Failure) { f.EnvelopeFrom = fmt.Sprintf("bob%d@example.com", i) }), nil},
		{"five refused reports", run(5, bounce, nil), []PatternKind{PatternBackscatter}},
		{"four refused reports", run(4, bounce, nil), nil},
		{"two faults of one host", run(2, tlsa, nil), []PatternKind{PatternHostTransport}},
		{"two faults of two hosts", run(2, tlsa, host("mx%d.example.net")), nil},
		{"faults of every host", run(300, tlsa, host("mx%d.example.net")), nil},
		{"faults of one host, a few of others", slices.Concat(run(90, tlsa, nil), run(10, tlsa, host("mx%d.example.org"))), []PatternKind{PatternHostTransport}},
		{"one fault that names its host, many that name none", slices.Concat(run(1, tlsa, nil), run(50, tlsa, func(_ int, f *Failure) { f.RemoteServer, f.GeneratingServer = "", "" })), nil},
		{"two hosts of one domain", run(2, tlsa, func(i int, f *Failure) { here(i, f); f.RemoteServer = fmt.Sprintf("mx%d.example.net", i) }), []PatternKind{PatternHostTransport}},
		{"SPF broken, and a stale list", slices.Concat(run(40, spf, nil), run(60, dead, nil)), []PatternKind{PatternStaleList, PatternOwnAuth}},
		{"one domain down, and an address listed", slices.Concat(run(40, listed, nil), timeouts(60, func(int) string { return "down.example" })), []PatternKind{PatternOneDomain, PatternBlocked}},
		{"a host's certificate, and refused reports", slices.Concat(run(40, tlsa, nil), run(60, bounce, nil)), []PatternKind{PatternBackscatter, PatternHostTransport}},
		{"an account's quota, and its list is stale", slices.Concat(daysMail("bob@example.com", 40, 40), run(60, dead, nil)), []PatternKind{PatternCompromise, PatternStaleList}},
	}
	for _, test := range tests {
		// The same, alone and with as many failures of other kinds.
		other := run(len(test.failures), "452 4.2.2 over quota", nil)
		for _, failures := range [][]Failure{test.failures, slices.Concat(other, test.failures)} {
			var kinds []PatternKind
			for _, p := range Correlate(slices.Values(failures)) {
				kinds = append(kinds, p.Kind)
			}
			if !slices.Equal(kinds, test.want) {
				t.Errorf("%s, %d failures: %v, want %v", test.name, len(failures), kinds, test.want)
			}
		}
	}
}
