package dnscheck

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func zone(t testing.TB, text string) *Zone {
	t.Helper()
	z, err := ReadZone(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestWhyThereIsNoVerdict(t *testing.T) {
	tests := []struct {
		name, zone string
		result     SPFResult
		err        error
	}{
		{"no record", `example.org A 192.0.2.1`, SPFNone, ErrNoRecord},
		{"two records", "example.org TXT \"v=spf1 -all\"\nexample.org TXT \"v=spf1 ~all\"", SPFPermError, ErrManyRecords},
		{"DNS fails", `example.org TXT SERVFAIL`, SPFTempError, ErrDNS},
		{"nobody answers", `example.org TXT TIMEOUT`, SPFTempError, ErrDNS},
		{"a record that includes itself", `example.org TXT "v=spf1 include:example.org -all"`, SPFPermError, ErrLoop},
		{"a loop ends by the limit", `example.org TXT "v=spf1 redirect=example.org"`, SPFPermError, ErrTooManyLookups},
		{"a loop ends by void look-ups", `example.org TXT "v=spf1 mx include:Example.org -all"`, SPFPermError, ErrLoop},
		{"a loop's void look-ups", `example.org TXT "v=spf1 mx include:example.org -all"`, SPFPermError, ErrTooManyVoids},
		{"aliases in a circle", "example.org TXT \"v=spf1 a:x.example.org -all\"\nx.example.org CNAME y.example.org\ny.example.org CNAME x.example.org", SPFTempError, ErrDNS},
		{"three look-ups without an answer", `example.org TXT "v=spf1 a:a.example.org a:b.example.org a:c.example.org -all"`, SPFPermError, ErrTooManyVoids},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := CheckSPF(context.Background(), zone(t, test.zone), SPFQuery{IP: netip.MustParseAddr("192.0.2.9"), MailFrom: "a@example.org"})
			if got.Result != test.result || !errors.Is(got.Err, test.err) {
				t.Errorf("%v (%v), want %v (%v)", got.Result, got.Err, test.result, test.err)
			}
		})
	}
}

func TestSyntaxErrorsNameTheTermAndWhatWasMeant(t *testing.T) {
	tests := []struct{ record, term, suggestion string }{
		{"v=spf1 a include=x.example -foo", "-foo", ""},
		{"v=spf1 -all;", "-all;", "-all"},
		{"v=spf1 192.0.2.1 -all", "192.0.2.1", "ip4:192.0.2.1"},
		{"v=spf1 ip4:192.0.2.1/33", "ip4:192.0.2.1/33", ""},
		{"v=spf1 ip4:2001:db8::1", "ip4:2001:db8::1", "ip6:2001:db8::1"},
		{"v=spf1 include:", "include:", ""},
		{"v=spf1 a:%{x}.example.org", "a:%{x}.example.org", ""},
		{"v=spf1 redirect=a.example redirect=b.example", "redirect=b.example", ""},
		{"v=spf1 a\u00a0-all", "a\u00a0-all", "a -all"},
		{"v=spf1 a:\xff.example", "a:\xff.example", ""},
		{"v=spf1 a:ä.example", "a:ä.example", "a:xn--4ca.example"},
	}
	for _, test := range tests {
		_, err := ParseSPF(test.record)
		e, ok := errors.AsType[*SPFSyntaxError](err)
		if !ok || e.Record[e.Start:e.End] != test.term || e.Suggestion != test.suggestion {
			t.Errorf("%q: %v", test.record, err)
		}
	}
	for _, term := range []string{strings.Repeat("x", 1e5), "a:%{" + strings.Repeat("x", 1e5) + "}"} {
		if _, err := ParseSPF("v=spf1 " + term); err == nil || len(err.Error()) > 500 {
			t.Errorf("a term of %d bytes: %.500v", len(term), err)
		}
	}
}

// An include bomb must cost no more than the limit allows.
func TestTheNumberOfQuestionsIsBounded(t *testing.T) {
	var z Zone
	for i := range 50 {
		var terms []string
		for j := range 50 {
			terms = append(terms, fmt.Sprintf("include:d%d.example.org", (i*7+j)%50))
		}
		z.AddTXT(fmt.Sprintf("d%d.example.org", i), "v=spf1 "+strings.Join(terms, " ")+" -all")
	}
	for i := range 1000 {
		z.AddMX("many.example.org", 1, fmt.Sprintf("m%d.example.org", i))
	}
	z.AddTXT("mx.example.org", "v=spf1 mx:many.example.org -all")
	z.AddTXT("big.example.org", "v=spf1 "+strings.Repeat("ip4:192.0.2.1 ", 4600)+"-all")
	for domain, want := range map[string]SPFResult{"d0.example.org": SPFPermError, "mx.example.org": SPFPermError, "big.example.org": SPFFail} {
		counted := &counter{r: &z}
		got := CheckSPF(context.Background(), counted, SPFQuery{IP: netip.MustParseAddr("198.51.100.1"), MailFrom: "a@" + domain})
		if got.Result != want || counted.n > 1+MaxLookups*(1+maxNames) {
			t.Errorf("%s: %v (%v) after %d questions", domain, got.Result, got.Err, counted.n)
		}
	}
}

type counter struct {
	r Resolver
	n int
}

func (c *counter) Lookup(ctx context.Context, name string, t Type) Answer {
	c.n++
	return c.r.Lookup(ctx, name, t)
}

func TestAnEndedContextIsATemporaryError(t *testing.T) {
	ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	got := CheckSPF(ctx, zone(t, `example.org TXT "v=spf1 -all"`), SPFQuery{IP: netip.MustParseAddr("192.0.2.1"), MailFrom: "a@example.org"})
	if got.Result != SPFTempError {
		t.Errorf("%v", got.Result)
	}
}

func TestZoneErrorsNameTheLine(t *testing.T) {
	for text, line := range map[string]int{"a.example A 192.0.2.1\nb.example A nothing": 2, "\n\nx.example TXT \"open": 3, "x.example WKS 1": 1, "x.example": 1} {
		_, err := ReadZone(strings.NewReader(text))
		if e, ok := errors.AsType[*ZoneError](err); !ok || e.Line != line {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzCheckSPF(f *testing.F) {
	for _, record := range []string{"v=spf1 -all", "v=spf1 exists:%{ir}.%{l1r+}.example.org exp=%{d}.example.org", "v=spf1 a/24//64 mx:%{o} ptr redirect=example.org", "v=spf1 ip6:2001:db8::/32 ?all"} {
		f.Add(record, "user+tag@example.org")
	}
	f.Fuzz(func(t *testing.T, record, from string) {
		var z Zone
		z.AddTXT("example.org", record)
		counted := &counter{r: &z}
		got := CheckSPF(context.Background(), counted, SPFQuery{IP: netip.MustParseAddr("2001:db8::1"), MailFrom: from, HELO: "example.org", Trace: true})
		if got.Lookups > MaxLookups+1 || counted.n > 200 {
			t.Errorf("%d look-ups, %d questions", got.Lookups, counted.n)
		}
		terms, err := ParseSPF(record)
		for _, term := range terms {
			if term.Start < 0 || term.End > len(record) || term.Start >= term.End {
				t.Errorf("term outside the record: %+v", term)
			}
		}
		if e, ok := errors.AsType[*SPFSyntaxError](err); ok {
			_ = e.Error()
		}
	})
}

func FuzzReadZone(f *testing.F) {
	f.Add(masterFile)
	f.Add("a.example 300 IN TXT \"v=spf1\" \" -all\" ; x\nb.example MX 10 .")
	f.Fuzz(func(t *testing.T, text string) {
		z, err := ReadZone(strings.NewReader(text))
		if (z == nil) != (err != nil) {
			t.Errorf("%v, %v", z, err)
		}
	})
}

// Of a loop the term that leads back is the one at fault, not the one that
// happens to ask the eleventh look-up.
func TestALoopIsTheFaultOfTheTermThatLeadsBack(t *testing.T) {
	tests := []struct{ zone, domain, term string }{
		{"example.org TXT \"v=spf1 a include:example.org -all\"\nexample.org A 192.0.2.1", "example.org", "include:example.org"},
		{"example.org TXT \"v=spf1 include:a.example.org -all\"\na.example.org TXT \"v=spf1 a:h.example.org a:h.example.org include:b.example.org -all\"\n" +
			"b.example.org TXT \"v=spf1 redirect=a.example.org\"\nh.example.org A 192.0.2.1", "b.example.org", "redirect=a.example.org"},
	}
	for _, tt := range tests {
		got := CheckSPF(t.Context(), zone(t, tt.zone), SPFQuery{IP: netip.MustParseAddr("192.0.2.9"), MailFrom: "a@example.org"})
		if got.RecordOf != tt.domain || got.decisive() != tt.term || !errors.Is(got.Err, ErrLoop) {
			t.Errorf("%s of %s, %v; want %s of %s", got.decisive(), got.RecordOf, got.Err, tt.term, tt.domain)
		}
	}
}

// RFC 7208 section 4.3 wants A-labels; a reverse path comes in brackets.
func TestSendersAsGatewaysHaveThem(t *testing.T) {
	z := zone(t, "xn--bcher-kva.example TXT \"v=spf1 ip4:192.0.2.9 -all\"\nmail.example.org TXT \"v=spf1 ip4:192.0.2.9 -all\"")
	for _, from := range []string{"<anna@bücher.example>", "anna@BÜCHER.example", "<anna@xn--bcher-kva.example>", "bücher.example", "<>", ""} {
		got := CheckSPF(t.Context(), z, SPFQuery{IP: netip.MustParseAddr("192.0.2.9"), MailFrom: from, HELO: "mail.example.org"})
		if got.Result != SPFPass {
			t.Errorf("%s: %v for %s (%v)", from, got.Result, got.Domain, got.Err)
		}
	}
}
