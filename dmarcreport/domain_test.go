package dmarcreport_test

import (
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport"
)

// TestOnlyDomainsAlign sets each value in the place of the author domain, of
// the signing domain and of both. Only a domain name may be aligned with
// anything, itself included (RFC 7489 section 3.1 compares domain names).
func TestOnlyDomainsAlign(t *testing.T) {
	long := strings.Repeat("a.", 126) + "example.org"
	for _, tt := range []struct {
		value string
		good  bool
	}{
		{"m.example.org", true},
		{"M.Example.ORG.", true},
		{"_dmarc.example.org", true},
		{"xn--bcher-kva.example.org", true},
		{"b\u00fccher.example.org", true},
		{"x@m.example.org", false},
		{"@example.org", false},
		{"<x@example.org>", false},
		{"a.example.org,b.example.org", false},
		{"a.example.org;b.example.org", false},
		{"a.example.org b.example.org", false},
		{"a.example.org\u00a0b.example.org", false},
		{" .example.org", false},
		{"..example.org", false},
		{".example.org", false},
		{"example.org..", false},
		{".", false},
		{"-.example.org", false},
		{"a-.example.org", false},
		{"*.example.org", false},
		{"%{d}.example.org", false},
		{"a/example.org", false},
		{"a:b.example.org", false},
		{"[192.0.2.1]", false},
		{"192.0.2.1", false},
		{"2001:db8::1", false},
		{"\ufffd.example.org", false},
		{"\xff.example.org", false},
		{"\u200b.example.org", false},
		{"\u212a.example.org", false}, // the Kelvin sign, not k
		{"a\u3002example.org", false}, // a full stop, and none
		{strings.Repeat("a", 64) + ".example.org", false},
		{long, false},
	} {
		for _, r := range []dmarcreport.Record{
			{HeaderFrom: tt.value, DKIM: []dmarcreport.DKIMResult{{Domain: "example.org", Result: dmarcreport.ResultPass}}},
			{HeaderFrom: "example.org", DKIM: []dmarcreport.DKIMResult{{Domain: tt.value, Result: dmarcreport.ResultPass}}},
			{HeaderFrom: tt.value, DKIM: []dmarcreport.DKIMResult{{Domain: tt.value, Result: dmarcreport.ResultPass}}},
			{HeaderFrom: "example.org", SPF: []dmarcreport.SPFResult{{Domain: tt.value, Scope: dmarcreport.ScopeMailFrom, Result: dmarcreport.ResultPass}}},
		} {
			j := dmarcreport.Evaluate(&dmarcreport.PolicyPublished{Domain: "example.org"}, &r, nil)
			if j.Pass() != tt.good {
				t.Errorf("%q in %+v: %+v", tt.value, r, j)
			}
			if !tt.good && j.DKIM != dmarcreport.VerdictUnknown && len(r.DKIM) > 0 {
				t.Errorf("%q: DKIM is %v, want unknown", tt.value, j.DKIM)
			}
		}
	}
}

// TestOneNameInTwoForms aligns an internationalized name with its ASCII form
// (RFC 5890 section 2.3.2.4).
func TestOneNameInTwoForms(t *testing.T) {
	p := dmarcreport.PolicyPublished{Domain: "x.example", ADKIM: dmarcreport.AlignmentStrict}
	r := dmarcreport.Record{HeaderFrom: "b\u00fccher.example", DKIM: []dmarcreport.DKIMResult{{Domain: "xn--bcher-kva.example", Result: dmarcreport.ResultPass}}}
	if j := dmarcreport.Evaluate(&p, &r, nil); j.DKIM != dmarcreport.VerdictPass {
		t.Errorf("%+v", j)
	}
}

func TestNoOrganizationalDomainIsNotShared(t *testing.T) {
	none := func(string) string { return "" }
	r := dmarcreport.Record{HeaderFrom: "a.example", DKIM: []dmarcreport.DKIMResult{{Domain: "b.example", Result: dmarcreport.ResultPass}}}
	if j := dmarcreport.Evaluate(&dmarcreport.PolicyPublished{}, &r, none); j.DKIM != dmarcreport.VerdictFail {
		t.Errorf("%+v", j)
	}
}
