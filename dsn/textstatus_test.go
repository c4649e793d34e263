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

// The fields of a delivery status in a text begin with one that RFC 3464 knows: what
// stands above is no field, nor are a boundary and a part's type between them. A
// recipient alone, whose fate is not told, makes no status.
func TestFieldsWithinAText(t *testing.T) {
	const head = "From: MAILER-DAEMON@mx.example.org\nSubject: Undelivered Mail Returned to Sender\n\n"
	const fields = "Reporting-MTA: dns; mx.example.org\nX-Queue-ID: Q7\n\nFinal-Recipient: rfc822; gone@example.net\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 unknown,\n    really\n"
	for name, tt := range map[string]struct {
		text   string
		format Format
	}{
		"alone":                {fields, RFC3464},
		"below a sentence":     {"Dear sender: this failed.\nPriority: none\n\n" + fields, RFC3464},
		"in a part":            {"Sorry.\n--b1\nContent-Type: message/delivery-status\n\n" + strings.Replace(fields, "\n\n", "\n\n--b1\nContent-Type: text/plain\n", 1), RFC3464},
		"no fate":              {"Unable to deliver to gone@example.net: 550 5.1.1 unknown\n\nFinal-Recipient: rfc822; gone@example.net\n", Prose},
		"no field, but a line": {"Unable to deliver to gone@example.net: 550 5.1.1 unknown\n\nFinal-Recipients are listed.\nAction: failed\n", Prose},
	} {
		r, err := Read(strings.NewReader(head + tt.text))
		if err != nil || r.Format != tt.format || len(r.Recipients) != 1 || r.Recipients[0].FinalRecipient.Address != "gone@example.net" {
			t.Errorf("%s: %v, %+v", name, err, r)
			continue
		}
		if tt.format == RFC3464 && (len(r.Extensions) != 1 || r.Extensions[0].Name != "X-Queue-ID" || len(r.Recipients[0].Extensions) != 0 || r.Recipients[0].Diagnostic.Text != "550 5.1.1 unknown, really") {
			t.Errorf("%s: extensions %v and %v, %q", name, r.Extensions, r.Recipients[0].Extensions, r.Recipients[0].Diagnostic.Text)
		}
	}
}
