package dnscheck

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// Findings that need more than one record of example.org: zones of their own.
func TestFindingsOfTheWholeName(t *testing.T) {
	long := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " ip4:192.0.2.%d", 2*i)
		}
		return b.String()
	}
	tests := []struct{ name, domain, zone, want string }{
		{"no domain", "org", "", "spf-no-domain"},
		{"a label too long", strings.Repeat("a", 64) + ".example.org", "", "spf-no-domain"},
		{"no record", "example.org", `example.org A 192.0.2.1`, "spf-missing"},
		{"two records", "example.org", "example.org TXT \"v=spf1 -all\"\nexample.org TXT \"v=spf1 ~all\"", "spf-many-records"},
		{"DNS fails", "example.org", `example.org TXT SERVFAIL`, "spf-dns-failed"},
		{"type 99", "example.org", "example.org TXT \"v=spf1 -all\"\nexample.org SPF \"v=spf1 -all\"", "spf-type99"},
		{"an alias", "example.org", "example.org CNAME x.example.org\nx.example.org TXT \"v=spf1 -all\"", "spf-alias"},
		{"a long string", "example.org", `example.org TXT "v=spf1` + long(20) + ` -all"`, "spf-string-length"},
		{"two strings", "example.org", `example.org TXT "v=spf1` + long(10) + `" "` + long(10) + ` -all"`, "spf-range-overlap"},
		{"a long record", "example.org", `example.org TXT "v=spf1` + long(15) + `" " ip6:2001:db8::/32` + strings.Repeat(" ip4:198.51.100.0/24", 11) + `" " -all"`, "spf-range-overlap spf-record-length"},
		{"long other records", "example.org", "example.org TXT \"v=spf1 -all\"\n" + strings.Repeat(`example.org TXT "`+strings.Repeat("x", 250)+"\"\n", 5), "spf-answer-length"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := AuditSPF(context.Background(), zone(t, test.zone), test.domain, SPFAuditOptions{})
			if got := ids(a.Findings); got != test.want {
				t.Errorf("findings %s, want %s", got, test.want)
			}
		})
	}
}

func TestEveryFindingHasATestThatRaisesIt(t *testing.T) {
	raised := map[string]bool{ // by tests of their own
		"spf-no-domain": true, "spf-type99": true, "spf-string-length": true, "spf-record-length": true, "spf-answer-length": true,
		"spf-audit-limit": true, "spf-audit-ended": true, "spf-resolver-gaps": true, "spf-union-all": true,
	}
	for _, test := range auditTests {
		for id := range strings.FieldsSeq(test.findings) {
			raised[id] = true
		}
	}
	for id := range spfRules {
		if !raised[id] {
			t.Errorf("no test raises %s", id)
		}
	}
	for id := range raised {
		if _, ok := spfRules[id]; !ok {
			t.Errorf("there is no rule %s", id)
		}
	}
}

func TestFindingsSayWhereAndWhose(t *testing.T) {
	z := auditZone(t, "v=spf1 include:sub.example.org include:broken.example.net +all")
	z.AddTXT("sub.example.org", "v=spf1 ptr ?all")
	a := AuditSPF(context.Background(), z, "example.org", SPFAuditOptions{})
	var got []string
	for _, f := range a.Findings {
		got = append(got, fmt.Sprintf("%v %s %s %q %v", f.Severity, f.ID, f.Where.Name, f.Where.Text(), f.Owner))
	}
	want := []string{
		`error spf-all-pass example.org "+all" domain`,
		`error spf-syntax broken.example.net "ipv4:198.51.100.9" include`,
		`warning spf-ptr sub.example.org "ptr" domain`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if fix := a.Findings[1].Fix; fix != "did you mean ip4:198.51.100.9?" {
		t.Errorf("fix %q", fix)
	}
}

// What several terms name together is judged, not only each of them.
func TestTermsAreJudgedTogether(t *testing.T) {
	tests := []struct{ record, want string }{
		{"v=spf1 ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all", "together the terms name every IPv4 address"},
		{"v=spf1 ip4:128.0.0.0/1 include:half.example.net -all", "together the terms name every IPv4 address"},
		{"v=spf1 -ip4:192.0.2.1 ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all", "together the terms name every IPv4 address"},
		{"v=spf1 ip4:10.0.0.0/9 ip4:10.128.0.0/9 -all", "together the terms name 10.0.0.0/8: far more than one organization's senders"},
		{"v=spf1 ip6:2000::/20 ip6:2000:1000::/20 -all", "together the terms name 2000::/19: far more than one organization's senders"},
		{"v=spf1 ip4:10.0.0.0/9 ?ip4:10.128.0.0/9 -all", ""},
		{"v=spf1 ip4:11.0.0.0/8 ip4:11.0.0.0/9 -all", ""}, // the term alone is found already
	}
	for _, test := range tests {
		z := auditZone(t, test.record)
		z.AddTXT("half.example.net", "v=spf1 ip4:0.0.0.0/1 -all")
		var got []string
		for _, f := range AuditSPF(context.Background(), z, "example.org", SPFAuditOptions{}).Findings {
			if strings.HasPrefix(f.ID, "spf-union-") {
				got = append(got, f.Message)
			}
		}
		if test.want != strings.Join(got, "") {
			t.Errorf("%s: %q, want %q", test.record, got, test.want)
		}
	}
}

func TestLookupsWithoutAnswerAreOneFindingARecord(t *testing.T) {
	z := auditZone(t, "v=spf1 a:g1.example.net mx:h1.example.net exists:g2.example.net include:more.example.net -all")
	var many strings.Builder
	for i := range 7 {
		fmt.Fprintf(&many, " a:n%d.example.net", i)
	}
	z.AddTXT("more.example.net", "v=spf1"+many.String()+" -all")
	var got []string
	for _, f := range AuditSPF(context.Background(), z, "example.org", SPFAuditOptions{}).Findings {
		if f.ID == "spf-void" {
			got = append(got, f.Where.Text()+": "+f.Message)
		}
	}
	want := []string{
		"a:g1.example.net: 3 look-ups have no answer: g1.example.net does not exist, h1.example.net has no such records, g2.example.net does not exist",
		"a:n0.example.net: 7 look-ups have no answer: n0.example.net does not exist, n1.example.net does not exist, n2.example.net does not exist, n3.example.net does not exist, n4.example.net does not exist, and 2 more",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// gappy cannot know what net.Resolver cannot.
type gappy struct{ r Resolver }

func (g gappy) Lookup(ctx context.Context, name string, t Type) Answer {
	a := g.r.Lookup(ctx, name, t)
	a.Gaps = GapExistence | GapStrings
	for i := range a.TXT {
		a.TXT[i].Strings = 1
	}
	return a
}

func TestWhatTheResolverCannotKnowIsSaidAndNotJudged(t *testing.T) {
	z := zone(t, `example.org TXT "v=spf1`+strings.Repeat(" ip4:192.0.2.1", 20)+`" " -all"`)
	if got := ids(AuditSPF(context.Background(), gappy{z}, "example.org", SPFAuditOptions{}).Findings); got != "spf-range-overlap spf-resolver-gaps" {
		t.Error(got)
	}
}

func TestASampleSenderOpensNamesThatDependOnIt(t *testing.T) {
	z := auditZone(t, "v=spf1 include:%{l}._spf.example.org a:%{i}.hosts.example.org -all")
	z.AddTXT("anna._spf.example.org", "v=spf1 include:two.example.net -all")
	plain := AuditSPF(context.Background(), z, "example.org", SPFAuditOptions{})
	if plain.Lookups != 2 || !plain.BySender || plain.Sender != nil {
		t.Errorf("without a sender: %d look-ups, by sender %v", plain.Lookups, plain.BySender)
	}
	a := AuditSPF(context.Background(), z, "example.org", SPFAuditOptions{
		Sender: SPFQuery{IP: netip.MustParseAddr("198.51.100.20"), MailFrom: "anna@example.org"},
	})
	// include 1 + include two 1 + its a 1 + its include 1 + the second a 1
	if a.Lookups != 5 || a.Record.Terms[0].Target != "anna._spf.example.org" || !a.BySender {
		t.Errorf("for anna: %d look-ups, target %q", a.Lookups, a.Record.Terms[0].Target)
	}
	if a.Sender.Result != SPFPass || a.Sender.Lookups != 3 || len(a.Sender.Steps) == 0 {
		t.Errorf("anna gets %v after %d look-ups", a.Sender.Result, a.Sender.Lookups)
	}
	// What only anna may do is not listed as everybody's.
	if len(a.Senders) != 0 || len(a.Unlisted) < 2 {
		t.Errorf("senders %v, unlisted %v", a.Senders, a.Unlisted)
	}
}
