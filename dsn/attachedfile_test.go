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

// The name may stand in either field, quoted or not (RFC 2183 section 2.3, RFC 2046);
// a file of another kind is no message.
func TestMessagesAttachedAsFiles(t *testing.T) {
	mail := func(fields, file string) string {
		return "From: MAILER-DAEMON@mx.example.org\nTo: ann@o.example\nSubject: Undelivered Mail Returned to Sender\nContent-Type: multipart/mixed; boundary=b\n\n" +
			"--b\nContent-Type: text/plain\n\nThis is the mail system at host mx.example.org.\n\n<gone@example.net>: 550 5.1.1 user unknown\n\n--b\n" + fields + "\n\n" + file + "\n--b--\n"
	}
	const header = "From: ann@o.example\nSubject: hello\n"
	for name, tt := range map[string]struct {
		fields, file string
		want         Extent
	}{
		"a name in quotes":          {"Content-Type: application/octet-stream; name=\"hello.EML\"", header + "\nhello", Whole},
		"a name without quotes":     {"Content-Type: application/octet-stream; name=hello.eml", header + "\nhello", Whole},
		"a name that a tag follows": {"Content-Type: application/octet-stream; name=hello.eml; x=y", header + "\nhello", Whole},
		"the disposition's name":    {"Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=hello.eml", header + "\nhello", Whole},
		"a header alone":            {"Content-Type: application/octet-stream; name=hello.eml", header, HeadersOnly},
		"a message without text":    {"Content-Type: message/rfc822", header, HeadersOnly},
		"another file":              {"Content-Type: application/octet-stream; name=hello.emlx", header + "\nhello", ExtentUnknown},
		"a file without a name":     {"Content-Type: application/octet-stream", header + "\nhello", ExtentUnknown},
	} {
		r, err := Read(strings.NewReader(mail(tt.fields, tt.file)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := ExtentUnknown
		if r.Returned != nil {
			got = r.Returned.Extent
		}
		if got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
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

// Only what stands behind the user's own name in brackets or behind a colon is said
// of him.
func TestReasonsBesideUserNames(t *testing.T) {
	for line, want := range map[string]string{
		"gone (user not found)":                  "user not found",
		"GONE: user not found":                   "user not found",
		"gone (a) and (b)":                       "(a) and (b)",
		"other (user not found)":                 "",
		"gone away":                              "",
		"gone":                                   "",
		"gone for good\n\tgone (user not found)": "user not found",
		"somebody\n\tgone   [user not found]":    "",
	} {
		mail := "From: <Mailer-Daemon@example.net>\nTo: sender@example.com\nSubject: Message status - undeliverable\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n\nThe message that you sent was undeliverable to the following:\n\t" + line + "\n\n--b\nContent-Type: message/rfc822\n\nFrom: sender@example.com\nTo: gone@example.net\nSubject: hello\n\nhello\n--b--\n"
		r, err := Read(strings.NewReader(mail))
		if err != nil || len(r.Recipients) != 1 || r.Recipients[0].FinalRecipient.Address != "gone@example.net" || r.Recipients[0].Diagnostic.Text != want {
			t.Errorf("%q: %v, %+v, want %q", line, err, r.Recipients, want)
		}
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
