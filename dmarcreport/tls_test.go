package dmarcreport_test

import (
	"encoding/json"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
)

// companyX has the members of RFC 8460 sections 4.3 and 4.4.
const companyX = `{"organization-name":"Company-X","date-range":{"start-datetime":"2016-04-01T00:00:00Z","end-datetime":"2016-04-01T23:59:59Z"},
"contact-info":"sts-reporting@company-x.example","report-id":"5065427c-23d3","policies":[{"policy":{"policy-type":"sts",
"policy-string":["version: STSv1","mode: testing"],"policy-domain":"company-y.example","mx-host":["*.mail.company-y.example"]},
"summary":{"total-successful-session-count":5326,"total-failure-session-count":303},
"failure-details":[{"result-type":"certificate-expired","sending-mta-ip":"2001:db8:abcd:12::1","receiving-mx-hostname":"mx1.mail.company-y.example","failed-session-count":100}]}]}`

// What reporters write otherwise is read for what it says, and told of.
func TestTLSReportsInOtherForms(t *testing.T) {
	for name, tt := range map[string]struct {
		old, new string
		findings string
		fits     func(*dmarcreport.TLSReport) bool
	}{
		"as the standard has it": {"", "", "", func(r *dmarcreport.TLSReport) bool {
			p := r.Policies[0]
			return r.DateRange.Begin.Equal(time.Date(2016, 4, 1, 0, 0, 0, 0, time.UTC)) && p.Successful == 5326 && p.Failed == 303 && p.Domain == "company-y.example" &&
				slices.Equal(p.MXHosts, []string{"*.mail.company-y.example"}) && p.Failures[0].SendingMTAIP == netip.MustParseAddr("2001:db8:abcd:12::1") && p.Failures[0].FailedSessions == 100
		}},
		"a byte order mark":       {"{\"organization-name\"", "\ufeff{\"organization-name\"", "", func(r *dmarcreport.TLSReport) bool { return r.OrganizationName == "Company-X" }},
		"no name":                 {`"organization-name":"Company-X",`, "", "missing-member", func(r *dmarcreport.TLSReport) bool { return r.OrganizationName == "" }},
		"a name that is null":     {`"Company-X"`, "null", "member-form", func(r *dmarcreport.TLSReport) bool { return r.OrganizationName == "" }},
		"a name that is a number": {`"Company-X"`, "17", "member-form", func(r *dmarcreport.TLSReport) bool { return r.OrganizationName == "17" }},
		"a name that is a list":   {`"Company-X"`, `["x"]`, "member-form", func(r *dmarcreport.TLSReport) bool { return r.OrganizationName == "" }},
		"no range":                {`"date-range"`, `"dates"`, "missing-member", func(r *dmarcreport.TLSReport) bool { return r.DateRange.Begin.IsZero() }},
		"a time without a zone": {"2016-04-01T00:00:00Z", "2016-04-01T00:00:00", "date-text", func(r *dmarcreport.TLSReport) bool {
			return r.DateRange.Begin.Hour() == 0 && r.DateRange.Begin.Day() == 1
		}},
		"a date alone": {"2016-04-01T00:00:00Z", "2016-04-01", "date-text", func(r *dmarcreport.TLSReport) bool { return r.DateRange.Begin.Day() == 1 }},
		"no time": {"2016-04-01T00:00:00Z", "today", "no-date", func(r *dmarcreport.TLSReport) bool {
			return r.DateRange.Begin.IsZero() && r.DateRange.BeginRaw == "today"
		}},
		"a policy that is a word": {`"policies":[{`, `"policies":["none",{`, "member-form", func(r *dmarcreport.TLSReport) bool { return len(r.Policies) == 1 }},
		"policies that are one":   {`"policies":[`, `"policies":{},"x":[`, "member-form", func(r *dmarcreport.TLSReport) bool { return len(r.Policies) == 0 }},
		"no policies":             {`"policies":[`, `"x":[`, "missing-member", func(r *dmarcreport.TLSReport) bool { return len(r.Policies) == 0 }},
		"a policy without a policy": {`"policy":{`, `"rule":{`, "missing-member", func(r *dmarcreport.TLSReport) bool {
			return r.Policies[0].Type == "" && r.Policies[0].Successful == 5326
		}},
		"a type in capitals": {`"sts"`, `"STS"`, "type-case", func(r *dmarcreport.TLSReport) bool { return r.Policies[0].Type == "STS" }},
		"a type of nobody's": {`"sts"`, `"tls"`, "unknown-type", func(r *dmarcreport.TLSReport) bool { return r.Policies[0].Type == "tls" }},
		"a string for a list": {`["version: STSv1","mode: testing"]`, `"version: STSv1"`, "member-form", func(r *dmarcreport.TLSReport) bool {
			return slices.Equal(r.Policies[0].Strings, []string{"version: STSv1"})
		}},
		"a number in the list": {`"mode: testing"`, `7`, "member-form", func(r *dmarcreport.TLSReport) bool {
			return slices.Equal(r.Policies[0].Strings, []string{"version: STSv1"})
		}},
		"a host for a list": {`["*.mail.company-y.example"]`, `"mx.example"`, "", func(r *dmarcreport.TLSReport) bool {
			return slices.Equal(r.Policies[0].MXHosts, []string{"mx.example"})
		}},
		"the member of the draft": {`"mx-host"`, `"mx-host-pattern"`, "", func(r *dmarcreport.TLSReport) bool { return len(r.Policies[0].MXHosts) == 1 }},
		"no summary": {`"summary"`, `"sums"`, "missing-member", func(r *dmarcreport.TLSReport) bool {
			return r.Policies[0].Successful == -1 && r.Policies[0].Failed == -1
		}},
		"a count in quotes":       {`5326`, `"5326"`, "member-form", func(r *dmarcreport.TLSReport) bool { return r.Policies[0].Successful == 5326 }},
		"a count below zero":      {`5326`, `-1`, "bad-count", func(r *dmarcreport.TLSReport) bool { return r.Policies[0].Successful == -1 }},
		"a count with a fraction": {`5326`, `1.5`, "bad-count", func(r *dmarcreport.TLSReport) bool { return r.Policies[0].Successful == -1 }},
		"a count that is true":    {`5326`, `true`, "bad-count", func(r *dmarcreport.TLSReport) bool { return r.Policies[0].Successful == -1 }},
		"no count": {`"total-successful-session-count":5326,`, "", "missing-member", func(r *dmarcreport.TLSReport) bool {
			return r.Policies[0].Successful == -1 && r.Policies[0].Failed == 303
		}},
		"a detail that is a word": {`"failure-details":[{`, `"failure-details":["x",{`, "member-form", func(r *dmarcreport.TLSReport) bool { return len(r.Policies[0].Failures) == 1 }},
		"a result of nobody's":    {`"certificate-expired"`, `"certificate-old"`, "unknown-type", func(r *dmarcreport.TLSReport) bool { return r.Policies[0].Failures[0].ResultType == "certificate-old" }},
		"no result":               {`"result-type":"certificate-expired",`, "", "missing-member", func(r *dmarcreport.TLSReport) bool { return r.Policies[0].Failures[0].ResultType == "" }},
		"an address that is none": {`"2001:db8:abcd:12::1"`, `"mta.example"`, "bad-address", func(r *dmarcreport.TLSReport) bool {
			f := r.Policies[0].Failures[0]
			return !f.SendingMTAIP.IsValid() && f.SendingMTAIPRaw == "mta.example"
		}},
		"an address in another form": {`"2001:db8:abcd:12::1"`, `"::ffff:192.0.2.1"`, "", func(r *dmarcreport.TLSReport) bool {
			return r.Policies[0].Failures[0].SendingMTAIP == netip.MustParseAddr("192.0.2.1")
		}},
	} {
		text := strings.Replace(companyX, tt.old, tt.new, 1)
		if tt.old != "" && text == companyX {
			t.Fatalf("%s: nothing is changed", name)
		}
		r, err := dmarcreport.ParseTLS([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(ids(r.Findings), " "); got != tt.findings || !tt.fits(r) {
			t.Errorf("%s: findings %q, want %q\n%+v", name, got, tt.findings, r)
		}
		if data, err := json.Marshal(r); err != nil || strings.Contains(string(data), `"findings":null`) {
			t.Errorf("%s: %s, %v", name, data, err)
		}
	}
}

// Who wants no repairs gets none in these reports either; findings that only inform
// repair nothing.
func TestStrictReadersTakeNoRepairedNeighbours(t *testing.T) {
	failure := "From: a@r.example\nSubject: report\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=feedback-report; boundary=b\n\n--b\nContent-Type: message/feedback-report\n\nFeedback-Type: auth-failure\nVersion: 1\nUser-Agent: x\nAuth-Failure: dmarc\nSource-IP: 192.0.2.1\n\n--b--\n"
	for name, tt := range map[string]struct {
		text   string
		repair string
	}{
		"a TLS report":                     {companyX, ""},
		"one with an unknown type":         {strings.Replace(companyX, `"sts"`, `"tls"`, 1), ""},
		"one with a count that is none":    {strings.Replace(companyX, "5326", "-1", 1), "bad-count"},
		"a failure report":                 {failure, ""},
		"one with an address that is none": {strings.Replace(failure, "192.0.2.1", "nowhere", 1), "bad-address"},
	} {
		n := 0
		for doc, err := range (&dmarcreport.Reader{Strict: true}).Documents(strings.NewReader(tt.text)) {
			n++
			var repair *dmarcreport.RepairError
			if (tt.repair == "") != (err == nil) || (err == nil) != (doc != nil) {
				t.Errorf("%s: %v, %v", name, doc, err)
			} else if tt.repair != "" && (!errors.As(err, &repair) || repair.Finding.ID != tt.repair || !strings.Contains(err.Error(), "dmarcreport: ")) {
				t.Errorf("%s: %v, want %s", name, err, tt.repair)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d answers", name, n)
		}
	}
	if _, err := dmarcreport.Read(strings.NewReader(companyX)); !errors.Is(err, dmarcreport.ErrNotReport) || !strings.Contains(err.Error(), "it is a tls report") {
		t.Errorf("read for an aggregate report: %v", err)
	}
}

// The fields of RFC 5965 section 3 as they should not be.
func TestFailureReportsInOtherForms(t *testing.T) {
	for fields, tt := range map[string]struct {
		findings string
		fits     func(*dmarcreport.FailureReport) bool
	}{
		"Feedback-Type: abuse\nVersion: 1\nUser-Agent: x\n":                     {"", func(r *dmarcreport.FailureReport) bool { return r.Incidents == 1 && !r.Text }},
		"Feedback-Type: abuse\nVersion: 1\nUser-Agent: x\nIncidents: 7\n":       {"", func(r *dmarcreport.FailureReport) bool { return r.Incidents == 7 }},
		"Feedback-Type: abuse\nVersion: 1\nUser-Agent: x\nIncidents: -7\n":      {"not-a-number", func(r *dmarcreport.FailureReport) bool { return r.Incidents == 1 }},
		"Feedback-Type: abuse\nVersion: 1\nUser-Agent: x\nIncidents: many\n":    {"not-a-number", func(r *dmarcreport.FailureReport) bool { return r.Incidents == 1 }},
		"Feedback-Type: abuse\nVersion: 1\nUser-Agent: x\nVersion: 2\n":         {"repeated-field", func(r *dmarcreport.FailureReport) bool { return r.Version == "1" && len(r.Fields) == 4 }},
		"Feedback-Type: abuse\nUser-Agent: x\n":                                 {"missing-element", func(r *dmarcreport.FailureReport) bool { return r.Version == "" }},
		"Feedback-Type: Auth-Failure\nVersion: 1\nUser-Agent: x\n":              {"missing-element", func(r *dmarcreport.FailureReport) bool { return r.AuthFailure == "" }},
		"Feedback-Type: abuse\nVersion: 1\nUser-Agent: x\nSource-IP: nowhere\n": {"bad-address", func(r *dmarcreport.FailureReport) bool { return !r.SourceIP.IsValid() && r.SourceIPRaw == "nowhere" }},
		"Feedback-Type: abuse\nVersion: 1\nUser-Agent: x\nSource-IP: 192.0.2.1\n": {"", func(r *dmarcreport.FailureReport) bool {
			return r.SourceIP == netip.MustParseAddr("192.0.2.1") && r.SourceIPRaw == ""
		}},
		"Feedback-Type: abuse\nVersion: 1\nUser-Agent: x\nSource-IP: [192.0.2.1]\n": {"", func(r *dmarcreport.FailureReport) bool {
			return r.SourceIP == netip.MustParseAddr("192.0.2.1") && r.SourceIPRaw == "[192.0.2.1]"
		}},
		"Feedback-Type: abuse\nVersion: 1\nUser-Agent: x\nSource-IP: 192.0.2.1 (mx.example)\n": {"address-form", func(r *dmarcreport.FailureReport) bool { return r.SourceIP == netip.MustParseAddr("192.0.2.1") }},
		"Feedback-Type: abuse\nVersion: 1\nUser-Agent: x\nIdentity-Alignment: SPF, dkim\n": {"", func(r *dmarcreport.FailureReport) bool {
			return slices.Equal(r.IdentityAlignment, []string{"spf", "dkim"})
		}},
		"Feedback-Type: abuse\nVersion: 1\nUser-Agent: x\nReported-Domain: a.example\nReported-Domain: b.example\n": {"", func(r *dmarcreport.FailureReport) bool {
			return slices.Equal(r.ReportedDomains, []string{"a.example", "b.example"})
		}},
	} {
		mail := "From: a@r.example\nSubject: report\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=feedback-report; boundary=b\n\n--b\nContent-Type: message/feedback-report\n\n" + fields + "\n--b\nContent-Type: text/rfc822-headers\n\nSubject: hello\n\n--b--\n"
		n := 0
		for doc, err := range new(dmarcreport.Reader).Documents(strings.NewReader(mail)) {
			n++
			if err != nil || doc.Kind != dmarcreport.KindFailure {
				t.Errorf("%q: %+v, %v", fields, doc, err)
				continue
			}
			if got := strings.Join(ids(doc.Failure.Findings), " "); got != tt.findings || !tt.fits(doc.Failure) || !doc.Failure.HeadersOnly {
				t.Errorf("%q: findings %q, want %q\n%+v", fields, got, tt.findings, doc.Failure)
			}
		}
		if n != 1 {
			t.Errorf("%q: %d answers", fields, n)
		}
	}
}
