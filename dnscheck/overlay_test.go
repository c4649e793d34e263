package dnscheck

import (
	"context"
	"errors"
	"slices"
	"testing"
)

func TestOverlayLaysRecordsOverDNS(t *testing.T) {
	base := `
example.org      TXT "v=spf1 -all"
example.org      TXT "site verification"
example.org      MX 10 mail.example.org
mail.example.org A 192.0.2.1
www.example.org  CNAME mail.example.org
two.example.org  CNAME www.example.org
sick.example.org TXT SERVFAIL
`
	over := `
mail.example.org A 192.0.2.2
new.example.org  TXT "v=spf1 ?all"
to.example.org   CNAME mail.example.org
a.example.org    CNAME b.example.org
b.example.org    CNAME a.example.org
`
	laid := zone(t, over)
	laid.SetOutcome("example.org", TypeMX, NoData)
	o := &Overlay{Base: zone(t, base), Zone: laid, SPF: map[string]string{
		"Example.ORG": "v=spf1 ~all", "sick.example.org": "v=spf1 a -all", "fresh.example.org": "v=spf1 mx -all",
	}}
	tests := []struct {
		name    string
		t       Type
		outcome Outcome
		text    string   // of the last text record
		n       int      // of records
		cname   []string // that led there
	}{
		{"example.org", TypeTXT, Found, "v=spf1 ~all", 2, nil},
		{"example.org", TypeMX, NoData, "", 0, nil},
		{"mail.example.org", TypeA, Found, "192.0.2.2", 1, nil},
		{"www.example.org", TypeA, Found, "192.0.2.2", 1, []string{"mail.example.org"}},
		{"two.example.org", TypeA, Found, "192.0.2.2", 1, []string{"www.example.org", "mail.example.org"}},
		{"to.example.org", TypeA, Found, "192.0.2.2", 1, []string{"mail.example.org"}},
		{"new.example.org", TypeTXT, Found, "v=spf1 ?all", 1, nil},
		{"new.example.org", TypeA, NoData, "", 0, nil},
		{"fresh.example.org", TypeTXT, Found, "v=spf1 mx -all", 1, nil},
		{"fresh.example.org", TypeMX, NoData, "", 0, nil},
		{"sick.example.org", TypeTXT, Found, "v=spf1 a -all", 1, nil},
		{"gone.example.org", TypeA, NXDomain, "", 0, nil},
	}
	for _, test := range tests {
		a := o.Lookup(context.Background(), test.name, test.t)
		text := ""
		for _, txt := range a.TXT {
			text = txt.Text
		}
		for _, addr := range a.Addrs {
			text = addr.String()
		}
		if a.Outcome != test.outcome || text != test.text || len(a.TXT)+len(a.Addrs)+len(a.MX) != test.n || !slices.Equal(a.CNAME, test.cname) {
			t.Errorf("%s %v: %+v", test.name, test.t, a)
		}
	}
	if a := o.Lookup(context.Background(), "a.example.org", TypeA); a.Outcome != ServFail || !errors.Is(a.Err, ErrAliasLoop) {
		t.Errorf("a circle of aliases: %+v", a)
	}
	if a := (&Overlay{}).Lookup(context.Background(), "example.org", TypeTXT); a.Outcome != NXDomain {
		t.Errorf("the zero overlay: %+v", a)
	}
}

func TestOverlayTakesRecordsAwayWithoutTouchingTheBase(t *testing.T) {
	base := zone(t, "example.org TXT \"v=spf1 -all\"\nexample.org TXT \"v=spf1 ~all\"\nexample.org TXT other")
	o := &Overlay{Base: base, SPF: map[string]string{"example.org": ""}}
	if a := o.Lookup(context.Background(), "example.org", TypeTXT); len(a.TXT) != 1 || a.TXT[0].Text != "other" {
		t.Errorf("%+v", a)
	}
	o.SPF["example.org"] = "v=spf1 a -all"
	if a := o.Lookup(context.Background(), "example.org", TypeTXT); len(a.TXT) != 2 {
		t.Errorf("%+v", a)
	}
	if a := base.Lookup(context.Background(), "example.org", TypeTXT); len(a.TXT) != 3 {
		t.Errorf("the base changed: %+v", a)
	}
}
