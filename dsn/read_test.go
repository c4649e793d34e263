package dsn

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/smtpcode"
)

const sample = `From: Mail Delivery System <mailer-daemon@mail.example.org>
To: a@example.org
Subject: Undelivered mail
Content-Type: multipart/report; report-type=delivery-status; boundary="x"

--x
Content-Type: text/plain

Sorry.
--x
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.org
Arrival-Date: Thu, 1 Jan 2026 00:00:00 +0000

Final-Recipient: rfc822; gone@example.net
Original-Recipient: rfc822;old+2Bx@example.com
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.example.net
Diagnostic-Code: smtp; 550 5.1.1 no such user
X-Note: kept

--x
Content-Type: message/rfc822

Return-Path: <a@example.org>
From: A <a@news.example.org>
Subject: hello

text
--x--
`

func ExampleRead() {
	report, err := Read(strings.NewReader(sample))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, failure := range report.Failures() {
		diagnosis := smtpcode.Diagnose(failure)
		fmt.Println(failure.Recipient, diagnosis.Condition)
		fmt.Println("refused by", diagnosis.Refuser.Host)
		fmt.Println("first:", diagnosis.Steps[0].Text)
	}
	// Output:
	// gone@example.net recipient-not-found
	// refused by mx.example.net
	// first: Check the spelling, delete the address from the Auto-Complete list, type it whole again and send.
}

func TestReadKeepsWhatIsDeclared(t *testing.T) {
	r, err := Read(strings.NewReader(sample))
	if err != nil {
		t.Fatal(err)
	}
	rcpt := r.Recipients[0]
	for name, pair := range map[string][2]string{
		"final":     {rcpt.FinalRecipient.Address, "gone@example.net"},
		"original":  {rcpt.OriginalRecipient.Address, "old+x@example.com"},
		"raw":       {rcpt.OriginalRecipient.Raw, "rfc822;old+2Bx@example.com"},
		"remote":    {rcpt.RemoteMTA.Host, "mx.example.net"},
		"type":      {rcpt.Diagnostic.Type, "smtp"},
		"text":      {rcpt.Diagnostic.Text, "550 5.1.1 no such user"},
		"extension": {rcpt.Extensions[0].Value, "kept"},
		"extent":    {r.Returned.Extent.String(), "whole"},
		"author":    {r.Failures()[0].AuthorDomain, "news.example.org"},
		"sentence":  {strings.TrimSpace(r.Explanation.Text), "Sorry."},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %q, want %q", name, pair[0], pair[1])
		}
	}
	if len(r.Findings) != 0 {
		t.Errorf("findings in a sound report: %+v", r.Findings)
	}
}

func TestRepairsAreNamed(t *testing.T) {
	tests := []struct {
		name, find string
		edit       func(string) string
	}{
		{"no blank line before the group", findingMerged, func(s string) string { return strings.Replace(s, "+0000\n\nFinal", "+0000\nFinal", 1) }},
		{"a blank line within the group", findingSplit, func(s string) string { return strings.Replace(s, "Status: 5.1.1\n", "Status: 5.1.1\n\n", 1) }},
		{"no closing boundary", "closing-boundary-missing", func(s string) string { return strings.Replace(s, "--x--\n", "", 1) }},
		{"no final recipient", findingNoFinalRecipient, func(s string) string {
			return strings.Replace(s, "Final-Recipient: rfc822; gone@example.net\n", "", 1)
		}},
		{"an odd date", findingBadDate, func(s string) string { return strings.Replace(s, "Thu, 1 Jan 2026 00:00:00 +0000", "the other day", 1) }},
		{"an unknown action", findingNoAction, func(s string) string { return strings.Replace(s, "Action: failed", "Action: lost", 1) }},
		{"another top level", findingNotReport, func(s string) string { return strings.Replace(s, "multipart/report", "multipart/mixed", 1) }},
		{"a header line without a colon", "header-line-without-colon", func(s string) string { return strings.Replace(s, "To: a", "oops\nTo: a", 1) }},
		{"the boundary is not named", "boundary-missing", func(s string) string { return strings.Replace(s, `; boundary="x"`, "", 1) + strings.Repeat(" ", 0) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			mail := strings.ReplaceAll(sample, "--x", "--xyz123")
			mail = strings.ReplaceAll(mail, `boundary="x"`, `boundary="xyz123"`)
			edited := test.edit(mail)
			if test.name == "the boundary is not named" {
				edited = strings.Replace(mail, `; boundary="xyz123"`, "", 1)
			}
			if test.name == "no closing boundary" {
				edited = strings.Replace(mail, "--xyz123--\n", "", 1)
			}
			r, err := Read(strings.NewReader(edited))
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Recipients) != 1 || r.Recipients[0].Diagnostic.Text != "550 5.1.1 no such user" {
				t.Errorf("recipients %+v", r.Recipients)
			}
			for _, f := range r.Findings {
				if f.ID == test.find {
					return
				}
			}
			t.Errorf("findings %+v lack %s", r.Findings, test.find)
		})
	}
}

func TestOrdinaryMailIsNoReport(t *testing.T) {
	for _, mail := range []string{"", "Subject: hi\n\nlunch at 5.1.1?\n", "From: postmaster@example.org\nSubject: new opening hours\n\n550 guests\n"} {
		if r, err := Read(strings.NewReader(mail)); !errors.Is(err, ErrNotReport) || r == nil {
			t.Errorf("%q: %v", mail, err)
		}
	}
}

func TestAForwardedReportIsFound(t *testing.T) {
	mail := "From: b@example.org\nSubject: Fwd: what is this?\nContent-Type: multipart/mixed; boundary=\"outer\"\n\n--outer\n\nlook\n--outer\nContent-Type: message/rfc822\n\n" + sample + "\n--outer--\n"
	r, err := Read(strings.NewReader(mail))
	if err != nil || len(r.Recipients) != 1 || r.Path != "2/2" {
		t.Fatalf("%v: %+v", err, r)
	}
}

// forwarded wraps a mail as an attachment of another, n times.
func forwarded(mail string, n int) string {
	for i := range n {
		mail = fmt.Sprintf("From: b@example.org\nSubject: Fwd\nContent-Type: multipart/mixed; boundary=outer%d\n\n--outer%[1]d\n\nlook\n--outer%[1]d\nContent-Type: message/rfc822\n\n%s\n--outer%[1]d--\n", i, mail)
	}
	return mail
}

func TestAReportForwardedSeveralTimesIsFound(t *testing.T) {
	for n, path := range map[int]string{2: "2/2/2", 8: "2/2/2/2/2/2/2/2/2"} {
		r, err := Read(strings.NewReader(forwarded(sample, n)))
		if err != nil || len(r.Recipients) != 1 || r.Path != path {
			t.Errorf("%d times: %v, path %q", n, err, r.Path)
		}
	}
}

func TestAReportForwardedTooOftenIsNotRead(t *testing.T) {
	if _, err := Read(strings.NewReader(forwarded(sample, maxForwards+1))); !errors.Is(err, ErrNotReport) {
		t.Error(err)
	}
}

func TestLimits(t *testing.T) {
	_, err := (&Reader{MaxBytes: 100}).Read(strings.NewReader(sample))
	if e, ok := errors.AsType[*LimitError](err); !ok || e.Limit != "MaxBytes" {
		t.Errorf("%v", err)
	}
	many := strings.Replace(sample, "X-Note: kept\n", strings.Repeat("\nFinal-Recipient: rfc822; a@example.net\nAction: failed\nStatus: 5.0.0\n", 50), 1)
	r, err := (&Reader{MaxRecipients: 10}).Read(strings.NewReader(many))
	if err != nil || len(r.Recipients) != 10 {
		t.Errorf("%v, %d recipients", err, len(r.Recipients))
	}
}

func TestReadStatus(t *testing.T) {
	r, err := ReadStatus([]byte("Reporting-MTA: dns; m.example\r\n\r\nFinal-Recipient: utf-8; gr\\x{E5}@example.net\r\nAction: delayed\r\nStatus: 4.4.1\r\n"))
	if err != nil || r.Recipients[0].FinalRecipient.Address != "grå@example.net" || r.Recipients[0].Action != smtpcode.Delayed {
		t.Errorf("%v: %+v", err, r)
	}
	if _, err := ReadStatus([]byte("nothing")); !errors.Is(err, ErrNotReport) {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(strings.ReplaceAll(sample, "\n", "\r")))
	f.Add([]byte("X-Failed-Recipients: a@example.net\n\n550 5.1.1 gone\n"))
	f.Add([]byte("Content-Type: multipart/report; boundary=a\n\n--a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n--a\n"))
	f.Fuzz(func(t *testing.T, mail []byte) {
		r, err := Read(strings.NewReader(string(mail)))
		if err == nil && r.Kind == KindUnknown {
			t.Error("a report of unknown kind")
		}
		for _, failure := range r.Failures() {
			smtpcode.Diagnose(failure)
		}
	})
}
