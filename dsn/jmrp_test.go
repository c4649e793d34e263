package dsn

import (
	"net/netip"
	"strings"
	"testing"
)

// A complaint of Microsoft's Junk Mail Reporting Program is the message that a user
// called junk, attached, with a field that names him (the program's page at
// sendersupport.olc.protection.outlook.com). The subject has the sending address.
func TestJunkMailReport(t *testing.T) {
	complaint := func(subject, mark string) string {
		return "From: <staff@hotmail.example>\nTo: abuse@o.example\nSubject: " + subject + "\nContent-Type: multipart/mixed; boundary=x\n\n" +
			"--x\nContent-Type: message/rfc822\n\n" + mark + "Authentication-Results: hotmail.example; spf=pass\nFrom: ann@o.example\nTo: list@o.example\nSubject: offers\n\nbuy\n--x--\n"
	}
	const user = "X-HmXmrOriginalRecipient: bo@example.net\n"
	for name, subject := range map[string]string{"as written": "complaint about message from 192.0.2.1", "in another case, behind a label": "[EXT] Complaint About Message From 192.0.2.1"} {
		r, err := Read(strings.NewReader(complaint(subject, user)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		f := r.Feedback
		if r.Kind != FeedbackReport || r.Format != JMRP || r.Path != "1" || f == nil {
			t.Errorf("%s: %v %v at %q, %+v", name, r.Kind, r.Format, r.Path, f)
			continue
		}
		if f.Type != Abuse || f.SourceIP != netip.MustParseAddr("192.0.2.1") || len(f.OriginalRcptTo) != 1 || f.OriginalRcptTo[0].Address != "bo@example.net" ||
			len(f.AuthenticationResults) != 1 || f.AuthenticationResults[0] != "hotmail.example; spf=pass" {
			t.Errorf("%s: %+v", name, f)
		}
	}
	for name, mail := range map[string]string{
		"another subject":         complaint("about your message", user),
		"nobody who called it so": complaint("complaint about message from 192.0.2.1", ""),
	} {
		if r, err := Read(strings.NewReader(mail)); err == nil && r.Format == JMRP {
			t.Errorf("%s: %v", name, r.Format)
		}
	}
}
