package dsn

import (
	"strings"
	"testing"
)

// saidMail is a report whose fields have no diagnostic code: the reason stands in
// the text.
func saidMail(text, groups string) string {
	return "Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.org\nTo: ann@o.example\nSubject: Undelivered Mail\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\n" + text +
		"\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n" + groups + "\n--b--\n"
}

// The text may name a recipient as he was written to, as what his address stands
// for, or not at all.
func TestWhatTheTextSaysOfADeclaredRecipient(t *testing.T) {
	const fate = "Action: failed\nStatus: 5.0.0\n"
	const exim = "This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n"
	for name, tt := range map[string]struct{ text, groups, want string }{
		"by the original address": {"Failed to deliver to 'bo@example.net'\nLOCAL module(account bo) reports:\n account is full\n",
			"Original-Recipient: rfc822;<bo@example.net>\nFinal-Recipient: LOCAL;<bo>\n" + fate, "LOCAL module(account bo) reports: account is full"},
		"a pipe, by the address it stands for": {exim + "  ann@example.net\n    Unknown user\n  |/usr/bin/ticket\n    (generated from help@example.net)\n    Child process returned 127\n",
			"Final-Recipient: rfc822;ann@example.net\n" + fate + "\nFinal-Recipient: rfc822;help@example.net\n" + fate, "Unknown user|Child process returned 127"},
		"an address made of another": {exim + "  bo@inside.example\n    (generated from bo@example.net)\n    mailbox is full\n  cy@inside.example\n    (generated from cy@example.net)\n    Unknown user\n",
			"Final-Recipient: rfc822;cy@example.net\n" + fate + "\nFinal-Recipient: rfc822;bo@example.net\n" + fate, "Unknown user|mailbox is full"},
		"nobody named": {"Your message was refused:\n\n550 5.7.1 Not from here\n",
			"Final-Recipient: rfc822;bo@example.net\n" + fate, "550 5.7.1 Not from here"},
		"two, and nobody named": {"Your message was refused:\n\n550 5.7.1 Not from here\n",
			"Final-Recipient: rfc822;bo@example.net\n" + fate + "\nFinal-Recipient: rfc822;cy@example.net\n" + fate, "|"},
	} {
		r, err := Read(strings.NewReader(saidMail(tt.text, tt.groups)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var said []string
		for _, rcpt := range r.Recipients {
			said = append(said, rcpt.Said.Text)
		}
		if got := strings.Join(said, "|"); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", name, got, tt.want)
		}
	}
}

// A status in quotes, as some programs write all values.
func TestAStatusInQuotes(t *testing.T) {
	for _, raw := range []string{`"5.2.1"`, "'5.2.1'", "#5.2.1", "(5.2.1)"} {
		r, err := Read(strings.NewReader(saidMail("x", "Final-Recipient: rfc822;bo@example.net\nAction: failed\nStatus: "+raw+"\n")))
		if err != nil || r.Recipients[0].Status.String() != "5.2.1" || r.Recipients[0].StatusRaw != raw {
			t.Errorf("%s: %v %+v", raw, err, r.Recipients)
		}
	}
}

// What only the words of a text tell: delay, host, status and reason.
func TestWordsOfTextsFirstSeen(t *testing.T) {
	for name, tt := range map[string]struct{ text, address, action, status, host, said string }{
		"sendmail defers": {"   ----- The following addresses had transient non-fatal errors -----\n<bo@example.net>\n\n   ----- Transcript of session follows -----\n<bo@example.net>... Deferred: Connection refused by mx.example.net.\nWarning: message still undelivered after 4 hours\nWill keep trying until message is 5 days old\n",
			"bo@example.net", "delayed", "", "mx.example.net", "Deferred: Connection refused by mx.example.net."},
		"a reply in brackets that has some": {"   ----- The following addresses had permanent fatal errors -----\n<bo@example.net>\n    (reason: 553 sorry, not in my list (#5.7.1))\n\n   ----- Transcript of session follows -----\n... while talking to mx.example.net.:\n>>> DATA\n<<< 553 sorry, not in my list (#5.7.1)\n550 5.1.1 <bo@example.net>... User unknown\n",
			"bo@example.net", "failed", "5.7.1", "mx.example.net", "553 sorry, not in my list (#5.7.1)"},
		"OpenSMTPD waits": {"    Hi!\n\n    This is the MAILER-DAEMON, please DO NOT REPLY to this email.\n\n    A message is delayed for more than 4 hours for the following\n    list of recipients:\n\nbo@example.net: Network error on destination MXs\n\n    Please note that this is only a temporary failure report.\n",
			"bo@example.net", "delayed", "", "", "Network error on destination MXs"},
		"Domino in German": {"Ihre Nachricht\n\n  Betreff: hallo\n\nwurde nicht zugestellt an:\n\n  bo@example.net\n\nweil:\n\n  Das Postfach ist voll\n",
			"bo@example.net", "failed", "", "", "Das Postfach ist voll"},
		"a host outside ASCII": {"This is the mail system at host mx.example.org.\n\n<bo@müller.example>: host mx.müller.example[192.0.2.1] said: 550 5.1.1 user unknown\n",
			"bo@müller.example", "failed", "5.1.1", "mx.müller.example", "550 5.1.1 user unknown"},
		"a status before the reply": {"Delivery failed for:\n\nbo@example.net\n    <gw.example.org #5.5.0 smtp;554 Relay access denied>\n",
			"bo@example.net", "failed", "5.5.0", "", ""},
	} {
		mail := "Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.org\nTo: ann@o.example\nSubject: Undelivered Mail\nContent-Type: text/plain; charset=utf-8\n\n" + tt.text
		r, err := Read(strings.NewReader(mail))
		if err != nil || len(r.Recipients) != 1 {
			t.Errorf("%s: %v %+v", name, err, r.Recipients)
			continue
		}
		rcpt := r.Recipients[0]
		if status := rcpt.Status.String(); rcpt.FinalRecipient.Address != tt.address || rcpt.Action.String() != tt.action || status != tt.status ||
			rcpt.RemoteMTA.Host != tt.host || tt.said != "" && rcpt.Diagnostic.Text != tt.said {
			t.Errorf("%s: %s %v %s by %q: %q", name, rcpt.FinalRecipient.Address, rcpt.Action, status, rcpt.RemoteMTA.Host, rcpt.Diagnostic.Text)
		}
	}
}
