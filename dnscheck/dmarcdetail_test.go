package dnscheck

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What a verdict of DMARC rests on, and that it says why (RFC 9989 section 5.3.6,
// RFC 7489 section 6.6.2).
func TestDMARCReasons(t *testing.T) {
	const relaxed = `_dmarc.example.com TXT "v=DMARC1; p=reject"`
	var many []SignatureResult
	for i := range maxSignatures {
		many = append(many, SignatureResult{Domain: fmt.Sprintf("s%d.example", i)})
	}
	many = append(many, SignatureResult{Domain: "example.com", Pass: true})
	for name, tt := range map[string]struct {
		zone   string
		query  DMARCQuery
		want   DMARCResult
		reason string
	}{
		"a record that does not apply":                {`_dmarc.example.com TXT "v=DMARC1; p=refuse"`, DMARCQuery{AuthorDomain: "example.com", SPF: SPFPass, SPFDomain: "example.com"}, DMARCNone, "the DMARC record of example.com has no valid policy and no report address: it does not apply"},
		"authenticated and not aligned":               {relaxed, DMARCQuery{AuthorDomain: "example.com", SPF: SPFPass, SPFDomain: "example.net"}, DMARCFail, "example.net is authenticated and not aligned with example.com (relaxed)"},
		"no signature":                                {relaxed, DMARCQuery{AuthorDomain: "example.com", SPF: SPFSoftFail, SPFDomain: "example.com"}, DMARCFail, "SPF gave softfail and there is no DKIM signature"},
		"a signature that fails":                      {relaxed, DMARCQuery{AuthorDomain: "example.com", DKIM: []SignatureResult{{Domain: "example.com"}}}, DMARCFail, "SPF gave none and no DKIM signature passed"},
		"a signature of no domain":                    {relaxed, DMARCQuery{AuthorDomain: "example.com", DKIM: []SignatureResult{{Domain: "not a domain", Pass: true}}}, DMARCFail, "not a domain is authenticated and not aligned with example.com (relaxed)"},
		"a signature that DNS keeps from us":          {relaxed, DMARCQuery{AuthorDomain: "example.com", DKIM: []SignatureResult{{Domain: "example.com", TempError: true}}}, DMARCTempError, "DNS failed for a check that could have passed"},
		"one that DNS keeps from us, one that passes": {relaxed, DMARCQuery{AuthorDomain: "example.com", DKIM: []SignatureResult{{Domain: "example.com", TempError: true}, {Domain: "example.com", Pass: true}}}, DMARCPass, "DKIM passed for example.com, which is aligned with example.com (relaxed)"},
		"the signature behind the twentieth":          {relaxed, DMARCQuery{AuthorDomain: "example.com", DKIM: many}, DMARCFail, "SPF gave none and no DKIM signature passed"},
		"the twentieth":                               {relaxed, DMARCQuery{AuthorDomain: "example.com", DKIM: many[1:]}, DMARCPass, "DKIM passed for example.com, which is aligned with example.com (relaxed)"},
	} {
		got := EvaluateDMARC(t.Context(), zone(t, tt.zone), tt.query)
		if got.Result != tt.want || got.Reason != tt.reason {
			t.Errorf("%s: %v, %q; want %v, %q", name, got.Result, got.Reason, tt.want, tt.reason)
		}
		if len(got.DKIM) > maxSignatures {
			t.Errorf("%s: %d signatures", name, len(got.DKIM))
		}
	}
}

// What is said of a record by the way it is found.
func TestFindingsOfTheWay(t *testing.T) {
	for name, tt := range map[string]struct {
		author, zone   string
		want, unwanted string
		says           string
	}{
		"a record that is none":        {"example.com", `_dmarc.example.com TXT "v=dmarc1; p=reject"`, "dmarc-record-ignored dmarc-missing", "", "no record"},
		"another text":                 {"example.com", `_dmarc.example.com TXT "hello"`, "dmarc-missing", "dmarc-record-ignored", "no record"},
		"behind an alias":              {"example.com", "_dmarc.example.com CNAME dmarc.host.example\ndmarc.host.example TXT \"v=DMARC1; p=none\"", "dmarc-alias", "", "none of example.com"},
		"not behind one":               {"example.com", `_dmarc.example.com TXT "v=DMARC1; p=none"`, "", "dmarc-alias", "none of example.com"},
		"a tag for names below, below": {"news.example.com", "_dmarc.news.example.com TXT \"v=DMARC1; p=none; sp=reject\"\n_dmarc.example.com TXT \"v=DMARC1; p=none\"", "dmarc-sp-unreachable", "", "none of news.example.com"},
		"at the organization":          {"example.com", `_dmarc.example.com TXT "v=DMARC1; p=none; sp=reject; np=reject"`, "", "dmarc-sp-unreachable", "none of example.com"},
		"a record without a policy":    {"example.com", `_dmarc.example.com TXT "v=DMARC1; p=refuse"`, "dmarc-unusable", "", "a record of example.com that does not apply"},
		"inherited":                    {"news.example.com", `_dmarc.example.com TXT "v=DMARC1; p=none; sp=quarantine"`, "dmarc-inherited", "dmarc-reject-general", "quarantine of example.com"},
		"no answer":                    {"example.com", "_dmarc.example.com TXT SERVFAIL", "dmarc-dns-failed", "dmarc-missing", "no answer"},
	} {
		d := DiscoverDMARC(t.Context(), zone(t, tt.zone), tt.author)
		got := strings.Fields(findingIDs(d.Findings))
		for id := range strings.FieldsSeq(tt.want) {
			if !slices.Contains(got, id) {
				t.Errorf("%s: no %s in %v", name, id, got)
			}
		}
		if slices.Contains(got, tt.unwanted) {
			t.Errorf("%s: %s in %v", name, tt.unwanted, got)
		}
		if d.Newer.String() != tt.says {
			t.Errorf("%s: %q, want %q", name, d.Newer, tt.says)
		}
	}
}

// Addresses for reports of single messages, and which messages they are about
// (RFC 7489 section 6.3).
func TestFailureReportsThatARecordAsksFor(t *testing.T) {
	for tags, want := range map[string]struct {
		uris  int
		valid bool
	}{
		"ruf=mailto:a@example.com":                            {1, true},
		"ruf=mailto:a@example.com,mailto:b@example.com; fo=1": {2, true},
		"ruf=mailto:a@example.com; fo=d:s":                    {1, true},
		"ruf=mailto:a@example.com; fo=0 : D":                  {1, true},
		"ruf=mailto:a@example.com; fo=1:1":                    {1, false},
		"ruf=mailto:a@example.com; fo=0:1":                    {1, false},
		"ruf=mailto:a@example.com; fo=":                       {1, false},
		"ruf=mailto:a@example.com; fo=x":                      {1, false},
		"ruf=mailto:a@example.com; fo=ds":                     {1, false},
	} {
		r, err := ParseDMARC("v=DMARC1; p=none; rua=mailto:a@example.com; " + tags)
		if err != nil || len(r.Failure) != want.uris || hasFinding(r.Findings, "dmarc-value-invalid") == want.valid {
			t.Errorf("%s: %v, %+v", tags, err, r)
		}
	}
	for uri, problem := range map[string]bool{"mailto:a@example.com": false, "mailto:jürgen@example.com": true, "mailto:a b@example.com": true} {
		r, err := ParseDMARC("v=DMARC1; p=none; rua=" + uri)
		if err != nil || hasFinding(r.Findings, "dmarc-uri-invalid") != problem {
			t.Errorf("%s: %v, %s", uri, err, findingIDs(r.Findings))
		}
	}
}
