package dsn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mailfault/mailfault/smtpcode"
)

func ExampleReport_WriteTo() {
	report := &Report{
		ReportingMTA: MTA{Host: "mail.example.org"},
		Recipients: []Recipient{{
			FinalRecipient: Address{Address: "gone@example.net"},
			Action:         smtpcode.Failed,
			Status:         smtpcode.Status{5, 1, 1},
			RemoteMTA:      MTA{Host: "mx.example.net"},
			Diagnostic:     Diagnostic{Type: "smtp", Text: "550 5.1.1 no such user"},
		}},
		Returned: NewReturned([]byte("Return-Path: <a@example.org>\r\nMessage-ID: <1@example.org>\r\nSubject: hello\r\n\r\ntext\r\n")),
	}
	var mail bytes.Buffer
	if _, err := report.WriteTo(&mail); err != nil { // then: MAIL FROM:<>
		fmt.Println(err)
		return
	}
	again, err := Read(&mail)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(again.Header.Get("To"), again.Header.Get("Auto-Submitted"))
	fmt.Println(again.Recipients[0].FinalRecipient.Raw, again.Recipients[0].Action, again.Recipients[0].Status)
	fmt.Println(again.Returned.Extent, again.Returned.Header.Get("Subject"))
	// Output:
	// <a@example.org> auto-replied
	// rfc822; gone@example.net failed 5.1.1
	// whole hello
}

// composed is a report of one recipient with an action.
func composed(action smtpcode.Action, status smtpcode.Status, address string) *Report {
	return &Report{
		ReportingMTA: MTA{Host: "mail.example.org"},
		ArrivalDate:  Date{Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)},
		Recipients:   []Recipient{{FinalRecipient: Address{Address: address}, Action: action, Status: status}},
		Returned:     NewReturned([]byte("Return-Path: <a@example.org>\r\nMessage-ID: <1@example.org>\r\nSubject: hello\r\n\r\nsome text\r\n")),
	}
}

func written(t testing.TB, wr *Writer, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	n, err := wr.Write(&b, r)
	if err != nil {
		t.Fatal(err)
	}
	if n != int64(b.Len()) {
		t.Errorf("%d bytes said, %d written", n, b.Len())
	}
	return b.String()
}

func reread(t testing.TB, mail string) *Report {
	t.Helper()
	r, err := Read(strings.NewReader(mail))
	if err != nil {
		t.Fatalf("%v\n%s", err, mail)
	}
	return r
}

func TestWriteIsTheStandardsForm(t *testing.T) {
	// RFC 6522 section 3, RFC 3464 sections 2.1 to 2.3, RFC 3834 section 5.
	r := composed(smtpcode.Delayed, smtpcode.Status{4, 4, 1}, "slow@example.net")
	r.OriginalEnvelopeID = "a+b=c"
	r.Recipients[0].OriginalRecipient = Address{Address: "asked@example.net"}
	r.Recipients[0].RemoteMTA = MTA{Host: "192.0.2.1"}
	r.Recipients[0].Diagnostic = Diagnostic{Type: "smtp", Text: "451 4.4.1 " + strings.Repeat("later ", 30) + "please"}
	r.Recipients[0].LastAttemptDate = Date{Time: time.Date(2026, 1, 2, 4, 0, 0, 0, time.UTC)}
	r.Recipients[0].WillRetryUntil = Date{Time: time.Date(2026, 1, 7, 3, 4, 5, 0, time.UTC)}
	r.Recipients[0].FinalLogID = "Q7"
	r.Extensions = []Field{{"X-Queue-ID", "Q7"}}
	got := written(t, &Writer{Date: time.Date(2026, 1, 2, 5, 0, 0, 0, time.UTC), MessageID: "r@mail.example.org", Boundary: "next", HeadersOnly: true}, r)
	want := strings.ReplaceAll(`From: Mail Delivery System <MAILER-DAEMON@mail.example.org>
To: <a@example.org>
Subject: Delayed mail: still being tried
Date: Fri, 2 Jan 2026 05:00:00 +0000
Message-Id: <r@mail.example.org>
In-Reply-To: <1@example.org>
References: <1@example.org>
Auto-Submitted: auto-replied
Mime-Version: 1.0
Content-Type: multipart/report; boundary=next; report-type=delivery-status

--next
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

This is the mail system at mail.example.org.

Your message has not yet been delivered to these recipients. You need not s=
end it again; delivery is still being tried:

<slow@example.net>: 451 4.4.1 later later later later later later later lat=
er later later later later later later later later later later later later =
later later later later later later later later later later please

--next
Content-Type: message/delivery-status

Original-Envelope-Id: a+2Bb+3Dc
Reporting-MTA: dns; mail.example.org
Arrival-Date: Fri, 2 Jan 2026 03:04:05 +0000
X-Queue-ID: Q7

Original-Recipient: rfc822; asked@example.net
Final-Recipient: rfc822; slow@example.net
Action: delayed
Status: 4.4.1
Remote-MTA: dns; [192.0.2.1]
Diagnostic-Code: smtp; 451 4.4.1 later later later later later later later
 later later later later later later later later later later later later
 later later later later later later later later later later later please
Last-Attempt-Date: Fri, 2 Jan 2026 04:00:00 +0000
Final-Log-ID: Q7
Will-Retry-Until: Wed, 7 Jan 2026 03:04:05 +0000

--next
Content-Type: text/rfc822-headers

Return-Path: <a@example.org>
Message-ID: <1@example.org>
Subject: hello

--next--
`, "\n", "\r\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if again := reread(t, got); len(again.Findings) != 0 {
		t.Errorf("our own report has findings: %v", again.Findings)
	}
}

func TestWriteEveryAction(t *testing.T) {
	for action, status := range map[smtpcode.Action]smtpcode.Status{
		smtpcode.Failed: {5, 1, 1}, smtpcode.Delayed: {4, 4, 1}, smtpcode.Delivered: {2, 1, 5}, smtpcode.Relayed: {2, 1, 9}, smtpcode.Expanded: {2, 1, 5},
	} {
		again := reread(t, written(t, &Writer{}, composed(action, status, "b@example.net")))
		rcpt := again.Recipients[0]
		if rcpt.Action != action || rcpt.Status != status || again.Format != RFC3464 || len(again.Findings) != 0 {
			t.Errorf("%v: %+v %v", action, rcpt, again.Findings)
		}
		if s := again.Header.Get("Subject"); s != actionTexts[action].subject {
			t.Errorf("%v: subject %q", action, s)
		}
		if c := Classify(again.Header); c.Author != Reporter || c.Answer {
			t.Errorf("%v: %+v", action, c)
		}
		if again.Thread().MessageID != "1@example.org" {
			t.Errorf("%v: %+v", action, again.Thread())
		}
	}
}

func TestWriteTakesTheFormTheAddressesDemand(t *testing.T) {
	for address, want := range map[string]Format{"b@example.net": RFC3464, "jürgen@example.net": RFC6533, "b@exämple.net": RFC6533} {
		mail := written(t, &Writer{}, composed(smtpcode.Failed, smtpcode.Status{5, 1, 1}, address))
		again := reread(t, mail)
		if again.Format != want || again.Recipients[0].FinalRecipient.Address != address || len(again.Findings) != 0 {
			t.Errorf("%s: %v %+v %v", address, again.Format, again.Recipients[0].FinalRecipient, again.Findings)
		}
		if global := strings.Contains(mail, "message/global\r\n"); global != (want == RFC6533) {
			t.Errorf("%s: message/global %v", address, global)
		}
	}
	// A report that must stay in the plain form writes the address in ASCII.
	r := composed(smtpcode.Failed, smtpcode.Status{5, 1, 1}, "jürgen@example.net")
	r.Format = RFC3464
	again := reread(t, written(t, &Writer{}, r))
	if got := again.Recipients[0].FinalRecipient; got.Raw != `utf-8; j\x{FC}rgen@example.net` || got.Address != "jürgen@example.net" {
		t.Errorf("%+v", got)
	}
}

func TestWriteReturnsNoMoreThanAllowed(t *testing.T) {
	long := func() *Report {
		r := composed(smtpcode.Failed, smtpcode.Status{5, 1, 1}, "b@example.net")
		r.Returned = NewReturned([]byte("Return-Path: <a@example.org>\nSubject: long\n\n" + strings.Repeat("text of the message\n", 5000)))
		return r
	}
	for name, c := range map[string]struct {
		wr   Writer
		want Extent
	}{
		"default":      {Writer{}, HeadersOnly},
		"no limit":     {Writer{MaxReturn: -1}, Whole},
		"enough":       {Writer{MaxReturn: 200_000}, Whole},
		"headers only": {Writer{MaxReturn: -1, HeadersOnly: true}, HeadersOnly},
		"half a line":  {Writer{MaxReturn: 35}, HeadersOnly},
	} {
		again := reread(t, written(t, &c.wr, long()))
		if again.Returned == nil || again.Returned.Extent != c.want {
			t.Errorf("%s: %+v", name, again.Returned)
		}
		if got := again.Returned.Header.Get("Subject"); (name == "half a line") != (got == "") {
			t.Errorf("%s: subject %q", name, got)
		}
	}
	r := long()
	r.Returned.Extent = Cut
	if again := reread(t, written(t, &Writer{MaxReturn: -1}, r)); again.Returned.Extent != HeadersOnly {
		t.Errorf("a cut message was written as %v", again.Returned.Extent)
	}
}

func TestWriteRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Report)
		want   error
	}{
		"no reporting MTA": {func(r *Report) { r.ReportingMTA = MTA{} }, ErrIncomplete},
		"no recipient":     {func(r *Report) { r.Recipients = nil }, ErrIncomplete},
		"no address":       {func(r *Report) { r.Recipients[0].FinalRecipient = Address{} }, ErrIncomplete},
		"no action":        {func(r *Report) { r.Recipients[0].Action = 0 }, ErrIncomplete},
		"no status":        {func(r *Report) { r.Recipients[0].Status = smtpcode.Status{} }, ErrIncomplete},
		"nobody":           {func(r *Report) { r.Returned = nil }, ErrIncomplete},
		"a report about a report": {func(r *Report) {
			r.Returned = NewReturned([]byte("Return-Path: <>\n\nx"))
		}, ErrEmptyReturnPath},
		"an auto-reply": {func(r *Report) { r.Kind = AutoReply }, ErrUnwritable},
		"nothing typed": {func(r *Report) { r.Kind = FeedbackReport }, ErrUnwritable},
		"a disposition that is not there": {func(r *Report) {
			r.Kind, r.Feedback = DispositionNotification, &Feedback{Fields: []Field{{"Feedback-Type", "abuse"}}}
		}, ErrUnwritable},
		"feedback that is not there": {func(r *Report) {
			r.Kind, r.Disposition = FeedbackReport, &Disposition{Fields: []Field{{"Disposition", "manual-action/MDN-sent-manually; displayed"}}}
		}, ErrUnwritable},
		"a disposition without fields": {func(r *Report) { r.Kind, r.Disposition = DispositionNotification, &Disposition{Type: Displayed} }, ErrUnwritable},
		"feedback without fields":      {func(r *Report) { r.Kind, r.Feedback = FeedbackReport, &Feedback{Type: Abuse} }, ErrUnwritable},
	} {
		r := composed(smtpcode.Failed, smtpcode.Status{5, 1, 1}, "b@example.net")
		c.change(r)
		if n, err := r.WriteTo(io.Discard); !errors.Is(err, c.want) || n != 0 {
			t.Errorf("%s: %d %v, want %v", name, n, err, c.want)
		}
	}
	full := errors.New("full")
	if _, err := composed(smtpcode.Failed, smtpcode.Status{5, 1, 1}, "b@example.net").WriteTo(failing{full}); !errors.Is(err, full) {
		t.Error(err)
	}
}

// An address stands in a mail address as a literal (RFC 5321 section 4.1.3).
func TestWriteNamesItsSender(t *testing.T) {
	for host, want := range map[string]string{"mail.example.org": "mail.example.org", "192.0.2.1": "[192.0.2.1]", "2001:db8::1": "[IPv6:2001:db8::1]"} {
		r := composed(smtpcode.Failed, smtpcode.Status{5, 1, 1}, "b@example.net")
		r.ReportingMTA.Host = host
		if got := reread(t, written(t, &Writer{}, r)).Header.Get("From"); got != "Mail Delivery System <MAILER-DAEMON@"+want+">" {
			t.Errorf("%s: %q", host, got)
		}
	}
}

// A report with a page and no plain text gets one only where we compose it.
func TestWriteKeepsThePage(t *testing.T) {
	r := composed(smtpcode.Failed, smtpcode.Status{5, 1, 1}, "b@example.net")
	r.Explanation = Explanation{HTML: "<p>Nobody here, Jürgen."}
	again := reread(t, written(t, &Writer{}, r))
	if again.Explanation.HTML != r.Explanation.HTML || !strings.Contains(again.Explanation.Text, "b@example.net") {
		t.Errorf("composed: %+v", again.Explanation)
	}
	r.Format = RFC3464
	if again = reread(t, written(t, &Writer{To: "a@example.org"}, r)); again.Explanation.HTML != r.Explanation.HTML || again.Explanation.Text != "" {
		t.Errorf("read: %+v", again.Explanation)
	}
}

// Reports of the other kinds go out with the fields they came with.
func TestWriteKeepsOtherKindsOfReports(t *testing.T) {
	for kind, mail := range map[Kind]string{
		FeedbackReport:          feedbackMail("Feedback-Type: abuse\nUser-Agent: x\nVersion: 1\nSource-IP: 192.0.2.1\n"),
		DispositionNotification: notification("message/disposition-notification", "Final-Recipient: rfc822; b@example.net\nDisposition: manual-action/MDN-sent-manually; deleted\nFailure: no\nWarning: odd\n"),
	} {
		r := reread(t, mail)
		again := reread(t, written(t, &Writer{}, r))
		if again.Kind != kind || cmp.Diff(r.Feedback, again.Feedback, compareIP) != "" || cmp.Diff(r.Disposition, again.Disposition) != "" {
			t.Errorf("%v: %+v %+v", again.Kind, again.Feedback, again.Disposition)
		}
		if d := again.Disposition; kind == DispositionNotification && (len(d.Failures) != 1 || d.Failures[0] != "no" || len(d.Warnings) != 1 || d.Warnings[0] != "odd") {
			t.Errorf("%+v", d)
		}
	}
}

// A recipient whose address nobody read must not take the next one's: his group
// ends before an Action or a Status, not before an address (RFC 3464 section 2.1).
func TestWriteKeepsRecipientsWithoutAnAddressApart(t *testing.T) {
	r := composed(smtpcode.Failed, smtpcode.Status{5, 1, 1}, "")
	r.Format = RFC3464
	r.Recipients = append(r.Recipients, Recipient{FinalRecipient: Address{Address: "b@example.net"}, Action: smtpcode.Delayed, Status: smtpcode.Status{4, 2, 2}})
	again := reread(t, written(t, &Writer{}, r))
	if len(again.Recipients) != 2 || again.Recipients[0].FinalRecipient.Address != "" || again.Recipients[1].FinalRecipient.Address != "b@example.net" || again.Recipients[0].Status != (smtpcode.Status{5, 1, 1}) {
		t.Errorf("%+v", again.Recipients)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestWriteLetsNothingIn(t *testing.T) {
	// Line breaks in values would begin fields, parts or a body.
	r := composed(smtpcode.Failed, smtpcode.Status{5, 1, 1}, "b@example.net\r\nX-Evil: 1")
	r.Recipients[0].Diagnostic = Diagnostic{Type: "smtp", Text: "550 no\r\n\r\nFinal-Recipient: rfc822; c@example.net"}
	r.Recipients[0].Extensions = []Field{{"X Evil:", "1"}, {"X-Fine", "a\nX-Evil: 1"}}
	mail := written(t, &Writer{Subject: "a\r\nX-Evil: 1", From: "a@example.org\nX-Evil: 1", To: "b@example.org\r\n\r\nevil"}, r)
	if strings.Contains(mail, "\nX-Evil") || strings.Contains(mail, "\nevil") {
		t.Error(mail)
	}
	if again := reread(t, mail); len(again.Recipients) != 1 || len(again.Recipients[0].Extensions) != 1 {
		t.Errorf("%+v", again.Recipients)
	}
}
