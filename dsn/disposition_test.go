package dsn

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// notification wraps the fields of a disposition notification into a mail.
func notification(contentType, fields string) string {
	return "From: b@example.net\nTo: a@example.org\nSubject: Read\n" +
		"Content-Type: multipart/report; report-type=disposition-notification; boundary=x\n\n" +
		"--x\nContent-Type: text/plain\n\nShown.\n" +
		"--x\nContent-Type: " + contentType + "\n\n" + fields + "\n" +
		"--x\nContent-Type: text/rfc822-headers\n\nMessage-ID: <1@example.org>\nTo: b@example.net\n\n--x--\n"
}

func TestDispositionNotificationIsTypedAndVerbatim(t *testing.T) {
	// The field forms of RFC 8098 section 3.2, and its section 9's example.
	r, err := Read(strings.NewReader(notification("message/disposition-notification", strings.Join([]string{
		"Reporting-UA: joes-pc.cs.example.com; Foomail 97.1",
		"MDN-Gateway: dns; gw.example.net",
		"Original-Recipient: rfc822;Joe_Recipient@example.com",
		"Final-Recipient: rfc822;Joe_Recipient@example.com",
		"Original-Message-ID: <199509192301.23456@example.org>",
		"Disposition: manual-action/MDN-sent-manually; displayed/error",
		"Error: no",
		" luck",
		"X-Extra: kept", ""}, "\n"))))
	if err != nil {
		t.Fatal(err)
	}
	if r.Kind != DispositionNotification || r.Format != RFC8098 || r.Path != "2" || len(r.Recipients) != 0 {
		t.Errorf("read as %v %v in %q with %d recipients", r.Kind, r.Format, r.Path, len(r.Recipients))
	}
	joe := Address{Type: "rfc822", Address: "Joe_Recipient@example.com", Raw: "rfc822;Joe_Recipient@example.com"}
	want := &Disposition{
		ReportingUA:       ReportingUA{"joes-pc.cs.example.com", "Foomail 97.1", "joes-pc.cs.example.com; Foomail 97.1"},
		MDNGateway:        MTA{"dns", "gw.example.net", "dns; gw.example.net"},
		OriginalRecipient: joe,
		FinalRecipient:    joe,
		OriginalMessageID: "199509192301.23456@example.org",
		ActionMode:        ManualAction,
		SendingMode:       SentManually,
		Type:              Displayed,
		Modifiers:         []string{"error"},
		DispositionRaw:    "manual-action/MDN-sent-manually; displayed/error",
		Errors:            []string{"no luck"},
		Fields:            r.Disposition.Fields,
	}
	if diff := cmp.Diff(want, r.Disposition); diff != "" {
		t.Error(diff)
	}
	if got := r.Disposition.Fields; len(got) != 8 || got[7] != (Field{"X-Extra", "kept"}) {
		t.Errorf("fields %v", got)
	}
	if r.Returned == nil || r.Returned.Header.Get("Message-ID") != "<1@example.org>" || r.Returned.Extent != HeadersOnly {
		t.Errorf("returned %+v", r.Returned)
	}
}

func TestDispositionsInUse(t *testing.T) {
	for raw, want := range map[string]struct {
		action    ActionMode
		sending   SendingMode
		kind      DispositionType
		modifiers []string
		finding   string
	}{
		"automatic-action/MDN-sent-automatically; displayed":           {AutomaticAction, SentAutomatically, Displayed, nil, ""},
		"manual-action/MDN-sent-manually; deleted":                     {ManualAction, SentManually, Deleted, nil, ""},
		"automatic-action/MDN-sent-automatically;processed":            {AutomaticAction, SentAutomatically, Processed, nil, ""},
		"Automatic-Action/mdn-sent-automatically; Dispatched":          {AutomaticAction, SentAutomatically, Dispatched, nil, ""},
		"automatic-action/MDN-sent-automatically; deleted/expired":     {AutomaticAction, SentAutomatically, Deleted, []string{"expired"}, ""},
		"manual-action/MDN-sent-automatically; displayed/warning,x":    {ManualAction, SentAutomatically, Displayed, []string{"warning", "x"}, ""},
		"manual-action/MDN-sent-manually (by hand); displayed (a ; b)": {ManualAction, SentManually, Displayed, nil, ""},
		"manual-action/MDN-sent-manually; denied":                      {ManualAction, SentManually, Denied, nil, ""},
		"manual-action; displayed":                                     {ManualAction, SendingModeUnknown, Displayed, nil, findingBadDisposition},
		"displayed":                                                    {ActionModeUnknown, SendingModeUnknown, Displayed, nil, findingBadDisposition},
		"manual-action/MDN-sent-manually; eaten":                       {ManualAction, SentManually, DispositionUnknown, []string{"eaten"}, findingBadDisposition},
		"":                                                             {ActionModeUnknown, SendingModeUnknown, DispositionUnknown, nil, findingNoDisposition},
	} {
		r, err := Read(strings.NewReader(notification("message/disposition-notification", "Final-Recipient: rfc822; b@example.net\nDisposition: "+raw+"\n")))
		if err != nil {
			t.Fatal(err)
		}
		d := r.Disposition
		if d.ActionMode != want.action || d.SendingMode != want.sending || d.Type != want.kind || !slices.Equal(d.Modifiers, want.modifiers) || d.DispositionRaw != raw {
			t.Errorf("%q: %v %v %v %q", raw, d.ActionMode, d.SendingMode, d.Type, d.Modifiers)
		}
		if want.finding != "" && !hasFinding(r, want.finding) {
			t.Errorf("%q: no finding %s", raw, want.finding)
		}
		if want.finding == "" && (hasFinding(r, findingBadDisposition) || hasFinding(r, findingNoDisposition)) {
			t.Errorf("%q: findings %v", raw, r.Findings)
		}
	}
}

func TestGlobalDispositionNotification(t *testing.T) {
	// RFC 6533 section 5: the recipient in UTF-8 as it is, or in its ASCII form.
	for raw, want := range map[string]string{
		"utf-8; jürgen@exämple.net":                "jürgen@exämple.net",
		`utf-8; j\x{FC}rgen@ex\x{E4}mple.net`:      "jürgen@exämple.net",
		"rfc822; juergen@xn--exmple-cua.net":       "juergen@xn--exmple-cua.net",
		`UTF-8;"j\x{FC}rgen b"@xn--exmple-cua.net`: `"jürgen b"@xn--exmple-cua.net`,
	} {
		r, err := Read(strings.NewReader(notification("message/global-disposition-notification", "Final-Recipient: "+raw+"\nDisposition: manual-action/MDN-sent-manually; displayed\n")))
		if err != nil || r.Kind != DispositionNotification {
			t.Fatal(r.Kind, err)
		}
		if got := r.Disposition.FinalRecipient.Address; got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

func TestMicrosoftReadReceipt(t *testing.T) {
	// Exchange gives no Reporting-UA, its own correlation key, and folds freely.
	r, err := Read(strings.NewReader(notification("message/disposition-notification", strings.Join([]string{
		"Final-recipient: RFC822; b@example.net",
		"Original-message-ID:",
		"\t<1@example.org>",
		"Disposition: automatic-action/MDN-sent-automatically; displayed",
		"X-MSExch-Correlation-Key: abc==",
		"X-Display-Name: B", ""}, "\n"))))
	if err != nil {
		t.Fatal(err)
	}
	d := r.Disposition
	if d.OriginalMessageID != "1@example.org" || d.FinalRecipient.Address != "b@example.net" || d.FinalRecipient.Type != "rfc822" || d.Type != Displayed {
		t.Errorf("%+v", d)
	}
	if !slices.Contains(d.Fields, Field{"X-Display-Name", "B"}) {
		t.Errorf("fields %v", d.Fields)
	}
}

func TestForwardedDispositionNotificationIsFound(t *testing.T) {
	inner := notification("message/disposition-notification", "Final-Recipient: rfc822; b@example.net\nDisposition: manual-action/MDN-sent-manually; deleted\n")
	r, err := Read(strings.NewReader("From: c@example.net\nSubject: Fwd: receipt\nContent-Type: multipart/mixed; boundary=out\n\n--out\nContent-Type: text/plain\n\nsee below\n--out\nContent-Type: message/rfc822\n\n" + inner + "\n--out--\n"))
	if err != nil || r.Kind != DispositionNotification || r.Path != "2/2" {
		t.Fatalf("%v in %q: %v", r.Kind, r.Path, err)
	}
	if r.Disposition.Type != Deleted {
		t.Errorf("%+v", r.Disposition)
	}
}

func TestRequestForNotificationIsNoReport(t *testing.T) {
	_, err := Read(strings.NewReader("From: a@example.org\nTo: b@example.net\nDisposition-Notification-To: a@example.org\nSubject: please confirm\n\nhello\n"))
	if !errors.Is(err, ErrNotReport) {
		t.Error(err)
	}
}

func hasFinding(r *Report, id string) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.ID == id })
}
