package dnscheck

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func TestAuditSaysWhatEachTermWouldSave(t *testing.T) {
	// 5 + 3 + 1 + 2 = 11 look-ups.
	z := auditZone(t, "v=spf1 include:four.example.net include:two.example.net mx:mail.example.net include:mac.example.net -all")
	a := AuditSPF(context.Background(), z, "example.org", SPFAuditOptions{})
	want := map[string]string{ // of the domain's own terms
		"include:four.example.net": "removing 5, flattening 5 into 2 ranges, unused", // both lie in the two networks of ip.example.net
		"include:two.example.net":  "removing 3, flattening 3 into 2 ranges",
		"mx:mail.example.net":      "removing 1, flattening 1 into 2 ranges, unused",
		"include:mac.example.net":  "removing 2, exists asks DNS for each client",
	}
	for _, s := range a.Savings {
		if s.Spot.Domain != "example.org" {
			continue
		}
		got := fmt.Sprintf("removing %d, flattening %d into %d ranges", s.Remove, s.Flatten, s.Ranges)
		if s.Kept != "" {
			got = fmt.Sprintf("removing %d, %s", s.Remove, s.Kept)
		}
		if s.Unused {
			got += ", unused"
		}
		if got != want[s.Spot.Term] {
			t.Errorf("%s: %s, want %s", s.Spot.Term, got, want[s.Spot.Term])
		}
		delete(want, s.Spot.Term)
	}
	if len(want) > 0 {
		t.Errorf("nothing said about %v", want)
	}
	if a.Eleventh.Text() != "exists:%{i}._ip.%{d}" || a.Eleventh.Name != "mac.example.net" {
		t.Errorf("the eleventh is %+v", a.Eleventh)
	}
}

func TestATermThatCannotBeFlattenedSaysWhy(t *testing.T) {
	tests := map[string]string{
		"include:self.example.net":  "it leads back to a record that includes it",
		"include:ring1.example.net": "it leads back to a record that includes it",
		"include:sick.example.net":  "DNS did not answer for it",
		"include:twice.example.net": "its record cannot be evaluated",
		"include:gone.example.net":  "its record cannot be evaluated",
		"a:slow.example.net":        "DNS did not answer for it",
	}
	for term, want := range tests {
		f := AuditSPF(context.Background(), auditZone(t, "v=spf1 "+term+" -all"), "example.org", SPFAuditOptions{Flatten: true}).Flattened
		if len(f.Kept) != 1 || f.Kept[0] != term+": "+want {
			t.Errorf("%q, want %q", f.Kept, want)
		}
	}
}

func TestFlattenedRecords(t *testing.T) {
	tests := []struct {
		name, record string
		want         []string // records, the domain's first
		lookups      int
		refused      string
	}{
		{"includes and hosts become addresses", "v=spf1 a:both.example.net include:ip.example.net exp=e.example.org -all",
			[]string{"v=spf1 ip4:198.51.100.0/24 ip6:2001:db8::/32 -all exp=e.example.org"}, 0, ""},
		{"exceptions keep their order", "v=spf1 -ip4:198.51.100.7 include:ip.example.net ~all",
			[]string{"v=spf1 -ip4:198.51.100.7 ip4:198.51.100.0/24 ip6:2001:db8::/32 ~all"}, 0, ""},
		{"what asks for each client stays", "v=spf1 include:mac.example.net include:one.example.net ptr -all",
			[]string{"v=spf1 include:mac.example.net ip4:198.51.100.1 ptr -all"}, 3, ""},
		{"a redirect stays", "v=spf1 a:h1.example.net redirect=one.example.net", []string{"v=spf1 ip4:198.51.100.1 redirect=one.example.net"}, 1, ""},
		{"everybody stays everybody", "v=spf1 include:open.example.net -all", []string{"v=spf1 ip4:0.0.0.0/0 ip6:::/0 -all"}, 0, ""},
		{"a broken record is left alone", "v=spf1 ipv4:192.0.2.1 -all", nil, 0, "the record has a syntax error"},
		{"a broken include", "v=spf1 include:twice.example.net -all", nil, 0, "include:twice.example.net: its record cannot be evaluated, so that the record would end in permerror as it does now"},
		{"a circle", "v=spf1 ip4:192.0.2.1 include:ring1.example.net -all", nil, 0, "include:ring1.example.net: it leads back to a record that includes it, so that the record would end in permerror as it does now"},
		{"a redirect to itself", "v=spf1 redirect=example.org", nil, 0, "redirect=example.org: it leads back to a record that includes it, so that the record would end in permerror as it does now"},
		{"eleven terms that stay", "v=spf1" + strings.Repeat(" exists:%{i}.example.org", 11) + " -all", nil, 11, "the terms that cannot be written as addresses cost 11 look-ups, more than the ten that are allowed"},
		{"no record", "nothing", nil, 0, "there is no record that could be evaluated"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := AuditSPF(context.Background(), auditZone(t, test.record), "example.org", SPFAuditOptions{Flatten: true}).Flattened
			if len(f.Publish) != len(test.want) || f.Lookups != test.lookups || f.Refused != test.refused || len(f.Risks) == 0 {
				t.Fatalf("%+v", f)
			}
			for i, p := range f.Publish {
				if p.Text != test.want[i] {
					t.Errorf("got  %s\nwant %s", p.Text, test.want[i])
				}
			}
		})
	}
}

func TestFlattenedRecordsAreSplitToFit(t *testing.T) {
	var z Zone
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, " ip4:192.0.2.%d", 2*i)
	}
	z.AddTXT("big.example.net", "v=spf1"+b.String()+" -all")
	z.AddTXT("example.org", "v=spf1 include:big.example.net ~all")
	a := AuditSPF(context.Background(), &z, "example.org", SPFAuditOptions{Flatten: true})
	f := a.Flattened
	if len(f.Publish) < 3 || f.Lookups != len(f.Publish)-1 || f.Refused != "" {
		t.Fatalf("%+v", f)
	}
	after := &Overlay{Base: &Zone{}, SPF: map[string]string{}}
	for _, p := range f.Publish {
		if len(p.Text) > 450 || strings.Join(p.Strings, "") != p.Text {
			t.Errorf("%d bytes in %d strings: %s", len(p.Text), len(p.Strings), p.Text)
		}
		for _, s := range p.Strings {
			if len(s) > 255 {
				t.Errorf("a string of %d bytes", len(s))
			}
		}
		after.SPF[p.Name] = p.Text
	}
	if d := a.Diff(AuditSPF(context.Background(), after, "example.org", SPFAuditOptions{})); !d.Empty() {
		t.Errorf("flattening changes %+v", d)
	}
	// Three hundred separate addresses and more take over ten records.
	b.Reset()
	for i := range 400 {
		fmt.Fprintf(&b, " ip4:192.0.%d.%d", i/100, 2*(i%100))
	}
	z.AddTXT("huge.example.net", "v=spf1"+b.String()+" -all")
	z.AddTXT("huge.example.org", "v=spf1 include:huge.example.net ~all")
	if f := AuditSPF(context.Background(), &z, "huge.example.org", SPFAuditOptions{Flatten: true}).Flattened; f.Refused == "" || len(f.Publish) > 0 {
		t.Errorf("%+v", f)
	}
}

func TestRangesSayWhoNamesThemAndWhatIsWithinWhat(t *testing.T) {
	a := AuditSPF(context.Background(), auditZone(t, "v=spf1 ip4:198.51.0.0/16 -ip4:198.51.100.9 include:one.example.net include:ip.example.net -include:two.example.net -all"), "example.org", SPFAuditOptions{})
	var got []string
	for _, r := range a.Ranges {
		got = append(got, fmt.Sprintf("%v %v %s %s within %v of %s", r.Prefix, r.Result, r.Spot.Domain, r.Spot.Term, r.Within, r.WithinOf))
	}
	want := []string{
		"198.51.0.0/16 pass example.org ip4:198.51.0.0/16 within invalid Prefix of ",
		"198.51.100.0/24 pass ip.example.net ip4:198.51.100.0/24 within 198.51.0.0/16 of example.org",
		"198.51.100.0/24 fail ip.example.net ip4:198.51.100.0/24 within 198.51.100.0/24 of ip.example.net",
		"198.51.100.1/32 pass one.example.net ip4:198.51.100.1 within 198.51.100.0/24 of ip.example.net",
		"198.51.100.9/32 fail example.org -ip4:198.51.100.9 within 198.51.100.0/24 of ip.example.net",
		"198.51.100.20/32 fail two.example.net a:both.example.net within 198.51.100.0/24 of ip.example.net",
		"2001:db8::/32 pass ip.example.net ip6:2001:db8::/32 within invalid Prefix of ",
		"2001:db8::/32 fail ip.example.net ip6:2001:db8::/32 within 2001:db8::/32 of ip.example.net",
		"2001:db8::20/128 fail two.example.net a:both.example.net within 2001:db8::/32 of ip.example.net",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// 2^16 of the network; the exception stands behind it and changes nothing.
	if a.Addresses != (AddressCount{1 << 16, "79228162514264337593543950336"}) {
		t.Errorf("%+v", a.Addresses)
	}
}
