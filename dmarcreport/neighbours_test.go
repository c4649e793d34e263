package dmarcreport_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport"
)

// tlsSample breaks no rule of RFC 8460.
const tlsSample = `{"organization-name":"Sender","date-range":{"start-datetime":"2026-03-31T00:00:00Z","end-datetime":"2026-03-31T23:59:59Z"},
"contact-info":"tls@sender.example","report-id":"t-1","policies":[{"policy":{"policy-type":"sts","policy-string":["version: STSv1","mode: testing"],
"policy-domain":"receiver.example","mx-host":["*.mail.receiver.example"]},"summary":{"total-successful-session-count":5326,"total-failure-session-count":303},
"failure-details":[{"result-type":"certificate-expired","sending-mta-ip":"2001:db8:abcd:12::1","receiving-mx-hostname":"mx1.mail.receiver.example","failed-session-count":100},
{"result-type":"starttls-not-supported","sending-mta-ip":"192.0.2.2","receiving-mx-hostname":"mx2.mail.receiver.example","receiving-ip":"203.0.113.56","failed-session-count":203,"additional-information":"https://sender.example/info"}]}]}`

const failureMail = "From: reports@receiver.example\r\nTo: ruf@sender.example\r\nSubject: FW: Invoice\r\nMIME-Version: 1.0\r\n" +
	"Content-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nA report.\r\n" +
	"--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: auth-failure\r\nUser-Agent: maker/1\r\nVersion: 1\r\n" +
	"Original-Mail-From: <x@other.example>\r\nSource-IP: 192.0.2.9\r\nReported-Domain: sender.example\r\nAuth-Failure: dmarc\r\n" +
	"Identity-Alignment: dkim, spf\r\nDelivery-Result: reject\r\nArrival-Date: Tue, 31 Mar 2026 10:00:00 +0000\r\n" +
	"Authentication-Results: receiver.example; dmarc=fail header.from=sender.example\r\n\r\n" +
	"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nFrom: <a@sender.example>\r\nSubject: Invoice\r\n\r\n--b--\r\n"

func one(t *testing.T, data []byte) *dmarcreport.Document {
	t.Helper()
	var out *dmarcreport.Document
	for doc, err := range new(dmarcreport.Reader).Documents(bytes.NewReader(data)) {
		if err != nil || out != nil {
			t.Fatalf("%v, %v", doc, err)
		}
		out = doc
	}
	if out == nil {
		t.Fatal("no document")
	}
	return out
}

func TestTLSReport(t *testing.T) {
	for _, data := range [][]byte{[]byte(tlsSample), gz([]byte(tlsSample)), mailed("application/tlsrpt+gzip", gz([]byte(tlsSample)))} {
		doc := one(t, data)
		if doc.Kind != dmarcreport.KindTLS {
			t.Fatalf("%v", doc.Kind)
		}
		r := doc.TLS
		if len(r.Findings) != 0 || r.OrganizationName != "Sender" || r.DateRange.End.Unix() != 1775001599 || len(r.Policies) != 1 {
			t.Fatalf("%+v", r)
		}
		p := r.Policies[0]
		if p.Type != "sts" || p.Successful != 5326 || p.Failed != 303 || len(p.Failures) != 2 || p.Failures[1].FailedSessions != 203 ||
			p.Failures[0].SendingMTAIP.String() != "2001:db8:abcd:12::1" || !slices.Equal(p.MXHosts, []string{"*.mail.receiver.example"}) {
			t.Errorf("%+v", p)
		}
	}
}

func TestTLSRepairs(t *testing.T) {
	for _, tt := range []struct {
		name, old, new, finding string
		want                    func(*dmarcreport.TLSReport) bool
	}{
		{"a count as a string", "5326", `"5326"`, "member-form", func(r *dmarcreport.TLSReport) bool { return r.Policies[0].Successful == 5326 }},
		{"a count that is none", "5326", "-1", "bad-count", func(r *dmarcreport.TLSReport) bool { return r.Policies[0].Successful == -1 }},
		{"no count", `"total-successful-session-count":5326,`, "", "missing-member", func(r *dmarcreport.TLSReport) bool { return r.Policies[0].Successful == -1 }},
		{"a type in capitals", `"sts"`, `"STS"`, "type-case", func(r *dmarcreport.TLSReport) bool { return r.Policies[0].Type == "STS" }},
		{"a type nobody registered", "certificate-expired", "bad-luck", "unknown-type", func(r *dmarcreport.TLSReport) bool { return r.Policies[0].Failures[0].ResultType == "bad-luck" }},
		{"one string for a list", `["version: STSv1","mode: testing"]`, `"version: STSv1"`, "member-form", func(r *dmarcreport.TLSReport) bool { return len(r.Policies[0].Strings) == 1 }},
		{"a time without zone", "00:00:00Z", "00:00:00", "date-text", func(r *dmarcreport.TLSReport) bool { return r.DateRange.Begin.Unix() == 1774915200 }},
		{"null", `"tls@sender.example"`, "null", "member-form", func(r *dmarcreport.TLSReport) bool { return r.ContactInfo == "" }},
		{"an address that is none", "192.0.2.2", "here", "bad-address", func(r *dmarcreport.TLSReport) bool {
			return !r.Policies[0].Failures[1].SendingMTAIP.IsValid() && r.Policies[0].Failures[1].SendingMTAIPRaw == "here"
		}},
	} {
		r, err := dmarcreport.ParseTLS([]byte(strings.Replace(tlsSample, tt.old, tt.new, 1)))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if !slices.Contains(ids(r.Findings), tt.finding) || !tt.want(r) {
			t.Errorf("%s: %+v", tt.name, r)
		}
	}
}

func TestFailureReport(t *testing.T) {
	doc := one(t, []byte(failureMail))
	if doc.Kind != dmarcreport.KindFailure {
		t.Fatalf("%v", doc.Kind)
	}
	r := doc.Failure
	if len(r.Findings) != 0 || r.FeedbackType != "auth-failure" || r.AuthFailure != "dmarc" || r.SourceIP.String() != "192.0.2.9" ||
		!slices.Equal(r.IdentityAlignment, []string{"dkim", "spf"}) || !slices.Equal(r.ReportedDomains, []string{"sender.example"}) ||
		r.DeliveryResult != "reject" || r.Incidents != 1 || len(r.Fields) != 11 || !r.HeadersOnly || !bytes.Contains(r.Original, []byte("Subject: Invoice")) {
		t.Errorf("%+v", r)
	}
}

func TestFailureNotice(t *testing.T) {
	doc := one(t, []byte("From: x@mx.example\nMIME-Version: 1.0\nContent-Type: text/plain\n\nA message failed.\n\n  Sender Domain: sender.example\n"+
		"  Sender IP Address: 192.0.2.7\n  Received date: Mon, 07 Apr 2025 23:16:09 +0200\n  SPF Alignment: no\n  DKIM Alignment: no\n  DMARC Results: None, Accept\n\n"+
		"------ This is a copy of the headers that were received before the error was detected.\n\nFrom: <u@sender.example>\nSubject: hi\n"))
	r := doc.Failure
	if r == nil || !r.Text || r.SourceIP.String() != "192.0.2.7" || !slices.Equal(r.ReportedDomains, []string{"sender.example"}) ||
		!bytes.HasPrefix(r.Original, []byte("From: <u@")) || !slices.Contains(ids(r.Findings), "no-feedback-part") {
		t.Errorf("%+v", r)
	}
}
