package dsn

import (
	"strings"
	"testing"
)

// The blank line between a part's header and the fields is missing, so the fields
// stand in the header (RFC 2045 section 3; RFC 5322 section 2.1 wants the line).
func TestFieldsInTheHeaderOfTheirPart(t *testing.T) {
	const head, fields = "Content-Type: message/delivery-status\n", "Reporting-MTA: dns; mx.example.org\nFinal-Recipient: rfc822; bo@example.net\nAction: failed\nStatus: 5.2.2\nDiagnostic-Code: smtp; 552 5.2.2\n mailbox full\n"
	for name, part := range map[string]string{
		"all of them":           head + fields,
		"the message's alone":   head + strings.Replace(fields, "\nFinal", "\n\nFinal", 1),
		"as they should stand":  head + "\n" + fields,
		"after another field":   head + "Content-Description: report\n" + fields,
		"with a group behind":   head + fields + "\nFinal-Recipient: rfc822; cy@example.net\nAction: failed\nStatus: 5.1.1\n",
		"and blank lines twice": head + fields + "\n\n",
	} {
		mail := "From: MAILER-DAEMON@mx.example.org\nSubject: Undelivered\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nsorry\n--b\n" + part + "--b--\n"
		r, err := Read(strings.NewReader(mail))
		if err != nil || len(r.Recipients) == 0 {
			t.Errorf("%s: %v %+v", name, err, r.Recipients)
			continue
		}
		rcpt := r.Recipients[0]
		if rcpt.FinalRecipient.Address != "bo@example.net" || rcpt.Status.String() != "5.2.2" || rcpt.Diagnostic.Text != "552 5.2.2 mailbox full" || r.ReportingMTA.Host != "mx.example.org" {
			t.Errorf("%s: %+v by %q", name, rcpt, r.ReportingMTA.Host)
		}
		for _, f := range r.Findings {
			if f.ID == findingMerged && !strings.HasPrefix(mail[f.Where.Offset:], "Reporting-MTA") && !strings.HasPrefix(mail[f.Where.Offset:], "Final-Recipient") {
				t.Errorf("%s: a finding at %.20q", name, mail[f.Where.Offset:])
			}
		}
		if want := strings.Contains(name, "behind"); (len(r.Recipients) == 2) != want {
			t.Errorf("%s: %d recipients", name, len(r.Recipients))
		}
	}
}

// A text that tells of success reports no failure, unless a server refused.
func TestTextsOfSuccess(t *testing.T) {
	const opening = "This is the mail system at host mx.example.org.\n\nYour message was successfully delivered to the destination(s)\nlisted below. Otherwise you may still receive notifications of mail\ndelivery errors from other systems.\n\n"
	for text, want := range map[string]string{
		opening + "<bo@example.net>: delivery via mx.example.net[192.0.2.1]:25: 250 2.0.0 Ok\n":         "delivered",
		opening + "<bo@example.net>: host mx.example.net[192.0.2.1] said: 550 5.1.1 unknown\n":          "failed",
		opening + "<bo@example.net>: status 5.1.1: unknown user\n":                                      "delivered",
		strings.Replace(opening, "successfully", "not", 1) + "<bo@example.net>: unknown user: \"bo\"\n": "failed",
	} {
		mail := "Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.org\nTo: ann@o.example\nSubject: Mail Delivery Report\n\n" + text
		r, err := Read(strings.NewReader(mail))
		if err != nil || len(r.Recipients) != 1 || r.Recipients[0].Action.String() != want {
			t.Errorf("want %s: %v %+v\n%s", want, err, r.Recipients, text)
		}
	}
}

// Quoted reports whose systems call themselves by other names than mail.
func TestQuotedReportsOfPostmasters(t *testing.T) {
	for _, who := range []string{"Postmaster <postmaster@example.org>", "MDaemon at mx.example.org <MDaemon@mx.example.org>", "System Administrator <sa@example.org>", "Mail Delivery System <MAILER-DAEMON@mx.example.org>"} {
		mail := "From: Ann <ann@o.example>\nTo: help@o.example\nSubject: Re: what is this\n\nPlease help.\n\nOn Tue, 4 Aug 2026, " + who + " wrote:\n> Your message could not be delivered to the following recipients:\n>\n> <bo@example.net>: 550 5.1.1 user unknown\n"
		r, err := Read(strings.NewReader(mail))
		if err != nil || len(r.Recipients) != 1 || r.Recipients[0].FinalRecipient.Address != "bo@example.net" {
			t.Errorf("%s: %v %+v", who, err, r.Recipients)
		}
	}
	mail := "From: Ann <ann@o.example>\nTo: help@o.example\nSubject: Re: hello\n\nOn Tue, 4 Aug 2026, Postmaster <postmaster@example.org> wrote:\n> We have moved your mailbox; write to bo@example.net if it is slow.\n"
	if r, err := Read(strings.NewReader(mail)); err == nil {
		t.Errorf("a postmaster's letter is read as a report: %+v", r.Recipients)
	}
}

// Codes alone come before the reply with its words; and an address that is the
// only one of a text, in whatever sentence.
func TestCodesBeforeTheirReplyAndTheOnlyAddress(t *testing.T) {
	if reply, text, ok := replyIn("550 5.1.10\n\nError:\n550 5.1.10 Recipient not found"); !ok || text != "550 5.1.10 Recipient not found" || reply.Text != "Recipient not found" {
		t.Errorf("%q", text)
	}
	if _, text, _ := replyIn("550 5.1.10\nno more"); text != "550 5.1.10 no more" {
		t.Errorf("%q", text)
	}
	for text, want := range map[string]string{
		"Ihre Nachricht konnte nicht an bo@example.net übermittelt werden.\n\nAntwort:\n\n\n550 5.1.1 no such user\n":        "bo@example.net",
		"Viestiäsi osoitteeseen bo@example.net ei voitu toimittaa.\n\n\nVastaus:\n\n550 5.1.1 no such user\n":                "bo@example.net",
		"Viestiä bo@example.net ei voitu toimittaa.\n\n\nTietoja: apu@example.org\n\n\n\n550 5.1.1 no such user\n":           "",
		"Viestiä bo@example.net ei voitu toimittaa.\n\n\nTietoja on sivulla.\n":                                              "",
		"Viestiä bo@example.net ei voitu toimittaa.\n\n\nann@o.example, BO@example.net\n\n\n\n550 5.1.1 no such user here\n": "bo@example.net",
	} {
		mail := "Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.org\nTo: ann@o.example\nSubject: Undelivered Mail\nContent-Type: text/plain; charset=utf-8\n\n" + text
		r, _ := Read(strings.NewReader(mail))
		got := ""
		if len(r.Recipients) == 1 {
			got = r.Recipients[0].FinalRecipient.Address
		}
		if got != want {
			t.Errorf("%q, want %q of %q", got, want, text)
		}
	}
}
