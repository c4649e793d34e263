package dsn

import (
	"strings"
	"testing"
)

// Gateways hand the fields on as a text or an attachment: they are declared all
// the same. A text that has other lines is none.
func TestTheFieldsInAPartOfAnotherType(t *testing.T) {
	const fields = "X-Relay-Queue-ID: 4711\nReporting-MTA: dns; mx.example.org\n\nFinal-Recipient: rfc822; gone@example.net\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 no such user\n"
	for name, test := range map[string]struct {
		kind, body string
		want       Format
	}{
		"a named text":      {`text/plain; name="details.txt"`, fields, RFC3464},
		"an attachment":     {"application/octet-stream", fields, RFC3464},
		"blanks at colons":  {"text/plain", strings.ReplaceAll(fields, ":", " :"), RFC3464},
		"a picture":         {"image/png", fields, Prose},
		"words behind them": {"application/octet-stream", fields + "\nWe are sorry about this.\n", Prose},
		"no recipient":      {"application/octet-stream", strings.Replace(fields, "Final-Recipient", "X-Recipient", 1), Prose},
	} {
		mail := "From: MAILER-DAEMON@mx.example.org\nSubject: Undelivered Mail\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nThis is the mail system at host mx.example.org.\n\n<gone@example.net>: host mx.example.net[192.0.2.1] said: 550 5.1.1 no such user\n--b\nContent-Type: " + test.kind + "\n\n" + test.body + "--b--\n"
		r, err := Read(strings.NewReader(mail))
		if err != nil || r.Format != test.want || len(r.Recipients) != 1 || r.Recipients[0].FinalRecipient.Address != "gone@example.net" {
			t.Errorf("%s: %v %v %+v", name, err, r.Format, r.Recipients)
		}
	}
}

func TestWhatAListWritesBelowIsNotRead(t *testing.T) {
	const text = "Your message could not be delivered to gone@example.net: mailbox full\n"
	const footer = "\n_______________________________________________\nstaff mailing list\nstaff@lists.example.org\n"
	r, err := ReadText(text + footer)
	if err != nil || len(r.Recipients) != 1 || r.Recipients[0].FinalRecipient.Address != "gone@example.net" {
		t.Errorf("%v %+v", err, r.Recipients)
	}
}
