package dnscheck

import (
	"context"
	"testing"
)

func TestEvaluateDMARC(t *testing.T) {
	const relaxed = `_dmarc.example.com TXT "v=DMARC1; p=reject"`
	const strict = `_dmarc.example.com TXT "v=DMARC1; p=reject; aspf=s; adkim=s"`
	signed := func(domain string) []SignatureResult { return []SignatureResult{{Domain: domain, Pass: true}} }
	tests := []struct {
		name, zone string
		query      DMARCQuery
		want       DMARCResult
		policy     Policy
	}{
		{"SPF of the same name", relaxed, DMARCQuery{AuthorDomain: "example.com", SPF: SPFPass, SPFDomain: "Example.COM"}, DMARCPass, PolicyReject},
		{"SPF of a name below, relaxed", relaxed, DMARCQuery{AuthorDomain: "example.com", SPF: SPFPass, SPFDomain: "bounce.example.com"}, DMARCPass, PolicyReject},
		{"SPF of a name below, strict", strict, DMARCQuery{AuthorDomain: "example.com", SPF: SPFPass, SPFDomain: "bounce.example.com"}, DMARCFail, PolicyReject},
		{"DKIM of a name below, relaxed", relaxed, DMARCQuery{AuthorDomain: "example.com", DKIM: signed("mail.example.com")}, DMARCPass, PolicyReject},
		{"DKIM of a name below, strict", strict, DMARCQuery{AuthorDomain: "example.com", DKIM: signed("mail.example.com")}, DMARCFail, PolicyReject},
		{"two names below one organization", relaxed, DMARCQuery{AuthorDomain: "a.example.com", DKIM: signed("b.example.com")}, DMARCPass, PolicyReject},
		{"somebody else's domain", relaxed, DMARCQuery{AuthorDomain: "example.com", SPF: SPFPass, SPFDomain: "example.net", DKIM: signed("example.org")}, DMARCFail, PolicyReject},
		{"SPF that failed", relaxed, DMARCQuery{AuthorDomain: "example.com", SPF: SPFFail, SPFDomain: "example.com"}, DMARCFail, PolicyReject},
		{"a department with psd=n does not align with its company", relaxed + "\n" + `_dmarc.dep.example.com TXT "v=DMARC1; p=none; psd=n"`, DMARCQuery{AuthorDomain: "example.com", DKIM: signed("dep.example.com")}, DMARCFail, PolicyReject},
		{"two banks below a registry do not align", `_dmarc.bank.example TXT "v=DMARC1; p=reject; psd=y"`, DMARCQuery{AuthorDomain: "giant.bank.example", DKIM: signed("mega.bank.example")}, DMARCFail, PolicyReject},
		{"a bank aligns with its own subdomain", `_dmarc.bank.example TXT "v=DMARC1; p=reject; psd=y"`, DMARCQuery{AuthorDomain: "giant.bank.example", DKIM: signed("mail.giant.bank.example")}, DMARCPass, PolicyReject},
		{"no record", "", DMARCQuery{AuthorDomain: "example.com", SPF: SPFPass, SPFDomain: "example.com"}, DMARCNone, PolicyAbsent},
		{"no answer about the policy", `_dmarc.example.com TXT SERVFAIL`, DMARCQuery{AuthorDomain: "example.com", SPF: SPFPass, SPFDomain: "example.com"}, DMARCTempError, PolicyAbsent},
		{"SPF failed for the moment", relaxed, DMARCQuery{AuthorDomain: "example.com", SPF: SPFTempError, SPFDomain: "example.com"}, DMARCTempError, PolicyReject},
		{"a temporary error of a domain that does not align", relaxed, DMARCQuery{AuthorDomain: "example.com", SPF: SPFTempError, SPFDomain: "example.net"}, DMARCFail, PolicyReject},
		{"no answer whether it aligns", relaxed + "\n_dmarc.bounce.example.com TXT SERVFAIL", DMARCQuery{AuthorDomain: "example.com", SPF: SPFPass, SPFDomain: "bounce.example.com"}, DMARCTempError, PolicyReject},
		{"test mode lowers the policy", `_dmarc.example.com TXT "v=DMARC1; p=reject; t=y"`, DMARCQuery{AuthorDomain: "example.com"}, DMARCFail, PolicyQuarantine},
		{"no author domain", relaxed, DMARCQuery{}, DMARCNone, PolicyAbsent},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := EvaluateDMARC(context.Background(), zone(t, test.zone), test.query)
			if got.Result != test.want || got.Policy != test.policy || got.Reason == "" {
				t.Errorf("%v, %v: %s; want %v, %v", got.Result, got.Policy, got.Reason, test.want, test.policy)
			}
		})
	}
}

func TestDMARCRecordFindings(t *testing.T) {
	tests := []struct{ record, id, text string }{
		{"v=DMARC1; p=none", "dmarc-rua-missing", ""},
		{"v=DMARC1; p=none; pct=50", "dmarc-pct-partial", "pct=50"},
		{"v=DMARC1; p=none; pct=0", "dmarc-pct-zero", "pct=0"},
		{"v=DMARC1; p=none; pct=100", "dmarc-tag-removed", "pct=100"},
		{"v=DMARC1; p=none; pct=x", "dmarc-value-invalid", "pct=x"},
		{"v=DMARC1; p=none; ri=86400", "dmarc-tag-removed", "ri=86400"},
		{"v=DMARC1; p=refuse", "dmarc-policy-invalid", "p=refuse"},
		{"v=DMARC1; rua=mailto:a@example.com", "dmarc-policy-missing", ""},
		{"v=DMARC1; p=none; p=reject", "dmarc-tag-repeated", "p=reject"},
		{"v=DMARC1; P=none", "dmarc-tag-case", "P=none"},
		{"v=DMARC1; sp=none; p=none", "dmarc-p-not-second", "p=none"},
		{"v=DMARC1; p=none; x=y", "dmarc-tag-unknown", "x=y"},
		{"v=DMARC1; p=none; reject", "dmarc-tag-malformed", "reject"},
		{"v=DMARC1; p=none; adkim=strict", "dmarc-value-invalid", "adkim=strict"},
		{"v=DMARC1; p=none; fo=0:1", "dmarc-value-invalid", "fo=0:1"},
		{"v=DMARC1; p=none; fo=1", "dmarc-fo-without-ruf", "fo=1"},
		{"v=DMARC1; p=none; psd=y", "dmarc-psd-yes", "psd=y"},
		{"v=DMARC1; p=reject; t=y", "dmarc-testing", "t=y"},
		{"v=DMARC1; p=none; rua=a@example.com", "dmarc-uri-invalid", "a@example.com"},
		{"v=DMARC1; p=none; rua=mailto:a@example.com, mailto:b", "dmarc-uri-invalid", "mailto:b"},
		{"v=DMARC1; p=none; rua=mailto:a@example.com!10m", "dmarc-size-removed", "mailto:a@example.com!10m"},
		{"v=DMARC1; p=none; rua=https://example.com/r", "dmarc-uri-scheme", "https://example.com/r"},
	}
	for _, test := range tests {
		r, err := ParseDMARC(test.record)
		if err != nil {
			t.Errorf("%q: %v", test.record, err)
			continue
		}
		found := false
		for _, f := range r.Findings {
			found = found || f.ID == test.id && (test.text == "" || f.Where.Text() == test.text)
		}
		if !found {
			t.Errorf("%q: no %s at %q in %v", test.record, test.id, test.text, r.Findings)
		}
	}
}

func TestTextsThatAreNoDMARCRecord(t *testing.T) {
	for _, text := range []string{"", "v=DMARC2; p=none", " v=DMARC1; p=none", "v=dmarc1; p=none", "p=none; v=DMARC1", "v=DMARC1 p=none", "v=DMARC10"} {
		if _, err := ParseDMARC(text); err != ErrNotDMARC {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"v=DMARC1", "v = DMARC1 ;p=none", "v=DMARC1;"} {
		if _, err := ParseDMARC(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzParseDMARC(f *testing.F) {
	for _, seed := range []string{"v=DMARC1; p=reject; rua=mailto:a@example.com!10m,mailto:b@example.org; pct=50", "v=DMARC1;;=;p", "v=DMARC1; rua=,,!;fo=0:d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseDMARC(text)
		if err != nil {
			return
		}
		for _, finding := range r.Findings {
			if w := finding.Where; w.Start < 0 || w.End < w.Start || w.End > len(text) || finding.Message == "" {
				t.Errorf("finding outside the record: %+v", finding)
			}
		}
	})
}
