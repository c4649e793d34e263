package dsn

import (
	"encoding/base64"
	"strings"
	"testing"
)

// Some mail programs attach a forwarded mail as a file of no known type.
func TestReportAttachedAsAFile(t *testing.T) {
	report := "From: MAILER-DAEMON@mx.example.org\nSubject: Undelivered Mail Returned to Sender\n\nThis is the mail system at host mx.example.org.\n\n<gone@example.net>: host mx.example.net[192.0.2.1] said: 550 5.1.1 user unknown\n    (in reply to RCPT TO command)\n"
	mail := "From: Ann <ann@example.com>\nTo: help@example.com\nSubject: what is this?\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nsee attached\n--b\nContent-Type: application/octet-stream; name=\"Undelivered.eml\"\nContent-Transfer-Encoding: base64\n\n" +
		base64.StdEncoding.EncodeToString([]byte(report)) + "\n--b--\n"
	r, err := Read(strings.NewReader(mail))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Recipients) != 1 || r.Recipients[0].FinalRecipient.Address != "gone@example.net" || r.Recipients[0].RemoteMTA.Host != "mx.example.net" {
		t.Errorf("recipients %+v", r.Recipients)
	}
	if r.Path != "2" {
		t.Errorf("path %q, want that of the attachment", r.Path)
	}
}

// GroupWise names its own users without a domain: who that is stands in the
// returned message, what became of him beside the name.
func TestReasonBesideAUserName(t *testing.T) {
	mail := "From: <Mailer-Daemon@example.net>\nTo: sender@example.com\nSubject: Message status - undeliverable\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nThe message that you sent was undeliverable to the following:\n\tgone (user not found)\n\n--b\nContent-Type: message/rfc822\n\nFrom: sender@example.com\nTo: gone@example.net\nSubject: hello\n\nhello\n--b--\n"
	r, err := Read(strings.NewReader(mail))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Recipients) != 1 || r.Recipients[0].FinalRecipient.Address != "gone@example.net" || r.Recipients[0].Diagnostic.Text != "user not found" {
		t.Errorf("recipients %+v", r.Recipients)
	}
}

func TestReasonInBracketsBesideAnAddress(t *testing.T) {
	mail := "From: <Mailer-Daemon@example.net>\nTo: sender@example.com\nSubject: Message status - undeliverable\n\nThe message that you sent was undeliverable to the following:\n\tgone@example.net (mailbox is full)\n"
	r, err := Read(strings.NewReader(mail))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Recipients) != 1 || r.Recipients[0].Diagnostic.Text != "mailbox is full" {
		t.Errorf("recipients %+v", r.Recipients)
	}
}
