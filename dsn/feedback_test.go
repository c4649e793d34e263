package dsn

import (
	"encoding/json"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mailfault/mailfault/internal/corpora"
)

func feedbackMail(fields string) string {
	return "From: fbl@example.com\nTo: abuse@example.net\nSubject: report\n" +
		"Content-Type: multipart/report; report-type=feedback-report; boundary=x\n\n" +
		"--x\nContent-Type: text/plain\n\nA report.\n" +
		"--x\nContent-Type: message/feedback-report\n\n" + fields + "\n" +
		"--x\nContent-Type: message/rfc822\n\nFrom: a@example.net\nMessage-ID: <1@example.net>\n\nbuy\n--x--\n"
}

func TestFeedbackReportIsTypedAndVerbatim(t *testing.T) {
	// Every field of RFC 5965 section 3, RFC 6591 section 3, RFC 6692 and
	// RFC 7489 section 7.3.1.
	r, err := Read(strings.NewReader(feedbackMail(strings.Join([]string{
		"Feedback-Type: auth-failure",
		"User-Agent: Filter/1.0",
		"Version: 1 (a comment)",
		"Original-Envelope-Id: a+2Bb",
		"Original-Mail-From: <a@example.net>",
		"Original-Rcpt-To: <b@example.com>",
		"Original-Rcpt-To: c@example.com",
		"Arrival-Date: Thu, 8 Mar 2005 14:00:00 -0400",
		"Reporting-MTA: dns; mail.example.com",
		"Source-IP: [2001:db8::1]",
		"Source-Port: 2525",
		"Incidents: 3",
		"Authentication-Results: mail.example.com; dkim=fail",
		"  header.d=example.net",
		"Reported-Domain: example.net",
		"Reported-URI: http://example.net/x",
		"Reported-URI: mailto:b@example.com",
		"Removal-Recipient: <b@example.com>",
		"Auth-Failure: bodyhash",
		"Delivery-Result: Reject",
		"Identity-Alignment: dkim, SPF",
		"DKIM-Domain: example.net",
		"DKIM-Identity: @example.net",
		"DKIM-Selector: key",
		"DKIM-Canonicalized-Header: QUJD",
		"  REVG",
		"DKIM-Canonicalized-Body: R0hJ",
		`DKIM-Selector-DNS: "v=DKIM1; p=abc"`,
		`DKIM-ADSP-DNS: "dkim=all"`,
		`SPF-DNS: txt : example.net : "v=spf1 -all"`,
		"X-Other: kept", ""}, "\n"))))
	if err != nil {
		t.Fatal(err)
	}
	want := &Feedback{
		Type: AuthFailed, TypeRaw: "auth-failure", UserAgent: "Filter/1.0", Version: "1",
		OriginalEnvelopeID:    "a+b",
		OriginalMailFrom:      Address{Address: "a@example.net", Raw: "<a@example.net>"},
		OriginalRcptTo:        []Address{{Address: "b@example.com", Raw: "<b@example.com>"}, {Address: "c@example.com", Raw: "c@example.com"}},
		ArrivalDate:           parseDate("Thu, 8 Mar 2005 14:00:00 -0400"),
		ReportingMTA:          MTA{"dns", "mail.example.com", "dns; mail.example.com"},
		SourceIP:              netip.MustParseAddr("2001:db8::1"),
		SourcePort:            2525,
		Incidents:             3,
		AuthenticationResults: []string{"mail.example.com; dkim=fail header.d=example.net"},
		ReportedDomains:       []string{"example.net"},
		ReportedURIs:          []string{"http://example.net/x", "mailto:b@example.com"},
		RemovalRecipients:     []string{"b@example.com"},
		AuthFailure:           BodyHashFailure, AuthFailureRaw: "bodyhash",
		DeliveryResult:    "reject",
		IdentityAlignment: []string{"dkim", "spf"},
		DKIM: DKIMFailure{Domain: "example.net", Identity: "@example.net", Selector: "key", CanonicalizedHeader: "QUJDREVG",
			CanonicalizedBody: "R0hJ", SelectorDNS: `"v=DKIM1; p=abc"`, ADSPDNS: `"dkim=all"`},
		SPFDNS: []string{`txt : example.net : "v=spf1 -all"`},
		Fields: r.Feedback.Fields,
	}
	if diff := cmp.Diff(want, r.Feedback, compareIP); diff != "" {
		t.Error(diff)
	}
	if r.Kind != FeedbackReport || r.Format != RFC5965 || len(r.Feedback.Fields) != 29 || r.Returned.Extent != Whole {
		t.Errorf("%v %v, %d fields, %v", r.Kind, r.Format, len(r.Feedback.Fields), r.Returned.Extent)
	}
}

func TestFeedbackFaultsAreNamed(t *testing.T) {
	for fields, id := range map[string]string{
		"Feedback-Type: abuse\nVersion: 1\n":                      findingFeedbackIncomplete,
		"User-Agent: x\nVersion: 1\n":                             findingFeedbackIncomplete,
		"Feedback-Type: grumble\nUser-Agent: x\nVersion: 1\n":     findingFeedbackType,
		"Feedback-Type: abuse\nUser-Agent: x\nUser-Agent: y\n":    findingRepeated,
		"Feedback-Type: abuse\n\nUser-Agent: x\nSource-IP: foo\n": findingFeedbackIncomplete,
	} {
		r, err := Read(strings.NewReader(feedbackMail(fields)))
		if err != nil {
			t.Fatal(err)
		}
		if !hasFinding(r, id) {
			t.Errorf("%q: no finding %s among %v", fields, id, r.Findings)
		}
	}
}

// arfTruth is what an independent reader made of a feedback report, as far as
// both give it.
type arfTruth struct {
	Type      string   `json:"feedback_type"`
	Arrival   *int64   `json:"arrival_date"`
	Results   []string `json:"authentication_results"`
	Incidents int      `json:"incidents"`
	MailFrom  *string  `json:"original_mail_from"`
	RcptTo    *string  `json:"original_rcpt_to"`
	Domains   []string `json:"reported_domain"`
	URIs      []string `json:"reported_uri"`
	MTA       *string  `json:"reporting_mta"`
	Source    *string  `json:"source_ip"`
	Agent     string   `json:"user_agent"`
	Version   int      `json:"version"`
	Failure   string   `json:"auth_failure"`
	Domain    *string  `json:"dkim_domain"`
}

func TestCorpusFeedbackAgreesWithAnIndependentReader(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpora.Dir(t, "arf"), "*.eml"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return strings.TrimSpace(*s)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		truth, err := os.ReadFile(strings.TrimSuffix(file, "eml") + "json")
		if err != nil {
			t.Fatal(err)
		}
		var want arfTruth
		if err := json.Unmarshal(truth, &want); err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		r, err := Read(strings.NewReader(string(data)))
		if err != nil || r.Kind != FeedbackReport {
			t.Fatalf("%s: %v %v", name, r.Kind, err)
		}
		f := r.Feedback
		check := func(field, got, want string) {
			if got != want {
				t.Errorf("%s: %s %q, want %q", name, field, got, want)
			}
		}
		// The other reader writes what it has none of as "Unspecified".
		specified := func(s string) string { return strings.ReplaceAll(s, "Unspecified", "unknown") }
		lower := func(s string) string { return strings.ToLower(strings.ReplaceAll(specified(s), "-", "")) }
		check("type", lower(f.Type.String()), lower(want.Type))
		check("failure", lower(f.AuthFailure.String()), lower(want.Failure))
		check("agent", f.UserAgent, want.Agent)
		check("from", f.OriginalMailFrom.Raw, text(want.MailFrom))
		var rcpt, results []string
		for _, a := range f.OriginalRcptTo {
			rcpt = append(rcpt, a.Raw)
		}
		for _, r := range want.Results {
			results = append(results, normal(r))
		}
		check("rcpt", strings.Join(rcpt, ","), text(want.RcptTo))
		check("results", strings.Join(f.AuthenticationResults, "|"), strings.Join(results, "|"))
		check("domains", strings.Join(f.ReportedDomains, "|"), strings.Join(want.Domains, "|"))
		check("uris", strings.Join(f.ReportedURIs, "|"), strings.Join(want.URIs, "|"))
		check("mta", f.ReportingMTA.Host, text(want.MTA))
		check("dkim domain", f.DKIM.Domain, text(want.Domain))
		source := ""
		if f.SourceIP.IsValid() {
			source = f.SourceIP.String()
		}
		check("source", source, text(want.Source))
		if want.Arrival != nil && !f.ArrivalDate.Time.IsZero() && f.ArrivalDate.Time.Unix() != *want.Arrival {
			t.Errorf("%s: arrival %v, want %d", name, f.ArrivalDate, *want.Arrival)
		}
		if f.Incidents != 0 && f.Incidents != want.Incidents {
			t.Errorf("%s: incidents %d, want %d", name, f.Incidents, want.Incidents)
		}
	}
}

// complaints lists the feedback reports of the bounce corpus, read by eye: format and
// type.
var complaints = map[string]struct {
	format Format
	kind   FeedbackType
}{
	"arf-01": {RFC5965, Abuse}, "arf-02": {RFC5965, Abuse}, "arf-11": {RFC5965, Abuse}, "arf-12": {RFC5965, OptOut},
	"arf-14": {RFC5965, Abuse}, "arf-15": {RFC5965, Abuse}, "arf-16": {RFC5965, Abuse}, "arf-17": {RFC5965, Abuse},
	"arf-19": {RFC5965, AuthFailed}, "arf-20": {RFC5965, AuthFailed}, "arf-21": {RFC5965, Abuse}, "arf-25": {RFC5965, Abuse},
	"arf-22": {JMRP, Abuse}, "arf-23": {JMRP, Abuse}, "arf-24": {JMRP, Abuse},
}

func TestCorpusComplaints(t *testing.T) {
	for file, want := range complaints {
		r, err := Read(strings.NewReader(string(corpusMail(t, file))))
		if err != nil || r.Kind != FeedbackReport || r.Feedback == nil {
			t.Errorf("%s: %v %v", file, r.Kind, err)
			continue
		}
		if r.Format != want.format || r.Feedback.Type != want.kind {
			t.Errorf("%s: %v %v (%q)", file, r.Format, r.Feedback.Type, r.Feedback.TypeRaw)
		}
		if r.Returned == nil {
			t.Errorf("%s: no returned message", file)
		}
	}
}
