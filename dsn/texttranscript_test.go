package dsn

import (
	"strings"
	"testing"
)

// turnsMail is a report with a session that MDaemon logs, each line behind a time.
func turnsMail(before, mark string, session ...string) string {
	var b strings.Builder
	b.WriteString("Return-Path: <>\nFrom: MDaemon <mdaemon@out.example.org>\nTo: ann@o.example\nSubject: Permanent delivery failure\n\n")
	b.WriteString(before + "\n--- " + mark + " ---\n")
	for _, line := range session {
		b.WriteString(" Mon 2026-08-03 10:00:00: " + line + "\n")
	}
	b.WriteString("--- End Transcript ---\n")
	return b.String()
}

// In a session logged in turns a refusal is of the command above it (RFC 5321
// section 4.1.1): of a RCPT TO it is about that recipient alone, of any other about
// all that are sent to.
func TestRefusalsInASessionLoggedInTurns(t *testing.T) {
	const opening = "The attached message had PERMANENT fatal delivery errors.\n"
	for name, tt := range map[string]struct {
		before  string
		session []string
		want    string // recipient host reply, a line each
	}{
		"one of two": {opening, []string{
			"Attempting SMTP connection to mx.example.net",
			"<-- 220 mx.example.net ready", "--> MAIL From:<ann@o.example>", "<-- 250 ok",
			"--> RCPT To:<bo@example.net>", "<-- 250 ok", "--> RCPT To:<gone@example.net>", "<-- 550 5.1.1 no such user",
		}, "gone@example.net mx.example.net 550 5.1.1 no such user"},
		"both, each its own": {opening, []string{
			"--> RCPT To:<full@example.net>", "<-- 452 4.2.2 mailbox full", "--> RCPT To:<gone@example.net>", "<-- 550 5.1.1 no such user",
		}, "full@example.net  452 4.2.2 mailbox full\ngone@example.net  550 5.1.1 no such user"},
		"the first refusal of a command counts": {opening, []string{
			"--> RCPT To:<gone@example.net>", "<-- 550 5.1.1 no such user", "<-- 421 4.3.2 closing", "--> QUIT", "<-- 500 what?",
		}, "gone@example.net  550 5.1.1 no such user"},
		"an address literal and a port": {opening, []string{
			"Attempting SMTP connection to [192.0.2.1:25]", "--> RCPT To:<gone@example.net>", "<-- 550 5.1.1 no such user",
		}, "gone@example.net 192.0.2.1 550 5.1.1 no such user"},
		"an address literal of IPv6": {opening, []string{
			"Attempting SMTP connection to [2001:db8::25]", "--> RCPT To:<gone@example.net>", "<-- 550 5.1.1 no such user",
		}, "gone@example.net 2001:db8::25 550 5.1.1 no such user"},
		"the text itself, of an address that is listed": {opening + "\nFailed address: gone@example.net\n", []string{
			"Attempting SMTP connection to mx.example.net",
			"--> RCPT To:<gone@example.net>", "<-- 250 ok", "--> DATA", "<-- 354 go ahead", "<-- 554 5.7.1 spam", "--> QUIT", "<-- 221 bye",
		}, "gone@example.net mx.example.net 554 5.7.1 spam"},
		"the text itself, of those the server took": {opening, []string{
			"--> RCPT To:<bo@example.net>", "<-- 250 ok", "--> RCPT To:<gone@example.net>", "<-- 250 ok", "--> DATA", "<-- 354 go ahead", "<-- 554 5.7.1 spam",
		}, "bo@example.net  554 5.7.1 spam\ngone@example.net  554 5.7.1 spam"},
		"the text itself, of the one who is listed": {opening + "\nFailed address: gone@example.net\n", []string{
			"--> RCPT To:<bo@example.net>", "<-- 250 ok", "--> RCPT To:<gone@example.net>", "<-- 250 ok", "--> DATA", "<-- 354 go ahead", "<-- 554 5.7.1 spam",
		}, "gone@example.net  554 5.7.1 spam"},
		"one by his address, the other by the text": {opening, []string{
			"--> RCPT To:<bo@example.net>", "<-- 250 ok", "--> RCPT To:<gone@example.net>", "<-- 550 5.1.1 no such user", "--> DATA", "<-- 354 go ahead", "<-- 554 5.7.1 spam",
		}, "gone@example.net  550 5.1.1 no such user\nbo@example.net  554 5.7.1 spam"},
		"a second server, after one that was busy": {opening, []string{
			"Attempting SMTP connection to mx1.example.net", "--> MAIL From:<ann@o.example>", "<-- 451 4.3.2 busy",
			"Attempting SMTP connection to mx2.example.net", "--> MAIL From:<ann@o.example>", "<-- 250 ok", "--> RCPT To:<gone@example.net>", "<-- 550 5.1.1 no such user",
		}, "gone@example.net mx2.example.net 550 5.1.1 no such user"},
		"bad sequence, and nothing before": {opening, []string{"--> RCPT To:<gone@example.net>", "<-- 503 5.5.1 MAIL first"}, "gone@example.net  503 5.5.1 MAIL first"},
		"an arrow in a sentence": {opening, []string{
			"this is what we said --> RCPT To:<other@example.net>", "--> RCPT To:<gone@example.net>", "<-- 550 5.1.1 no such user",
		}, "gone@example.net  550 5.1.1 no such user"},
		"the sender": {opening + "\nFailed address: gone@example.net\n", []string{
			"--> MAIL From:<ann@o.example>", "<-- 553 5.1.8 unknown sender", "--> RCPT To:<gone@example.net>", "<-- 503 5.5.1 MAIL first",
		}, "gone@example.net  553 5.1.8 unknown sender"},
	} {
		r, err := Read(strings.NewReader(turnsMail(tt.before, "Session Transcript", tt.session...)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, rcpt := range r.Recipients {
			got = append(got, rcpt.FinalRecipient.Address+" "+rcpt.RemoteMTA.Host+" "+rcpt.Diagnostic.Text)
		}
		if got := strings.Join(got, "\n"); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", name, got, tt.want)
		}
	}
}

// What the list of failed addresses quotes stands above the dialogue: the dialogue
// adds who said it where it has the same words, and nothing where it has others.
func TestListsAndDialogues(t *testing.T) {
	const list = "   ----- The following addresses had permanent fatal errors -----\n<gone@example.net>\n    (reason: 550 Unknown user)\n\n   ----- Transcript of session follows -----\n... while talking to mx.example.net.:\n>>> RCPT To:<gone@example.net>\n"
	for name, tt := range map[string]struct{ dialogue, want string }{
		"the same words, about him":    {"<<< 550 Unknown user\n550 5.1.1 <gone@example.net>... User unknown\n", "mx.example.net 5.1.1 550 Unknown user"},
		"the same words, about nobody": {"<<< 550 Unknown user\n", "mx.example.net 0.0.0 550 Unknown user"},
		"others, about him":            {"<<< 452 4.2.2 Mailbox full\n452 4.2.2 <gone@example.net>... Mailbox full\n", " 0.0.0 550 Unknown user"},
		"others, about nobody":         {"<<< 452 4.2.2 Mailbox full\n", " 0.0.0 550 Unknown user"},
	} {
		r, err := Read(strings.NewReader("From: MAILER-DAEMON@mx.example.org\nSubject: Returned mail: User unknown\n\n" + list + tt.dialogue))
		if err != nil || len(r.Recipients) != 1 {
			t.Errorf("%s: %v, %+v", name, err, r)
			continue
		}
		rcpt := r.Recipients[0]
		status := "0.0.0"
		if !rcpt.Status.IsZero() {
			status = rcpt.Status.String()
		}
		if got := rcpt.RemoteMTA.Host + " " + status + " " + rcpt.Diagnostic.Text; got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
