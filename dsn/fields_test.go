package dsn

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/smtpcode"
)

// statusMail is a report with the fields of a delivery status.
func statusMail(fields string) string {
	return "From: MAILER-DAEMON@mx.example.org\nTo: ann@o.example\nSubject: Returned\nContent-Type: multipart/report; report-type=delivery-status; boundary=x\n\n" +
		"--x\nContent-Type: text/plain\n\nIt failed.\n--x\nContent-Type: message/delivery-status\n\n" + fields + "\n--x--\n"
}

func findingIDs(r *Report) (list []string) {
	for _, f := range r.Findings {
		list = append(list, f.ID)
	}
	return list
}

// RFC 3464 section 2.1 parts the groups by blank lines; programs leave them out,
// write them twice, or put a message's field into a recipient's group.
func TestFieldsInTheWrongGroup(t *testing.T) {
	const mta, final, fate = "Reporting-MTA: dns; mx.example.org\n", "Final-Recipient: rfc822; bo@example.net\n", "Action: failed\nStatus: 5.1.1\n"
	for name, tt := range map[string]struct {
		fields  string
		finding string
		fits    func(*Report) bool
	}{
		"a message's field behind a recipient": {final + fate + "Arrival-Date: Mon, 3 Aug 2026 10:00:00 +0000\n" + mta, findingMerged, func(r *Report) bool {
			return len(r.Recipients) == 1 && r.ReportingMTA.Host == "mx.example.org" && !r.ArrivalDate.Time.IsZero()
		}},
		"no blank line behind the message's fields": {mta + final + fate, findingMerged, func(r *Report) bool {
			return len(r.Recipients) == 1 && r.Recipients[0].FinalRecipient.Address == "bo@example.net"
		}},
		"a blank line within a recipient": {mta + "\n" + final + "\n" + fate, findingSplit, func(r *Report) bool {
			return len(r.Recipients) == 1 && r.Recipients[0].Status == smtpcode.Status{5, 1, 1}
		}},
		"a field that stands once, twice": {mta + "\n" + final + fate + "Remote-MTA: dns; a.example.net\nRemote-MTA: dns; b.example.net\n", findingRepeated, func(r *Report) bool {
			return len(r.Recipients) == 1 && r.Recipients[0].RemoteMTA.Host == "b.example.net"
		}},
		"an extension behind the last recipient": {mta + "\n" + final + fate + "\nX-Extra: kept\n", "", func(r *Report) bool {
			return len(r.Recipients) == 1 && slices.Equal(r.Recipients[0].Extensions, []Field{{"X-Extra", "kept"}}) && r.Extensions == nil
		}},
		"an extension before the next recipient": {mta + "\n" + final + fate + "\nX-Extra: kept\n" + strings.Replace(final, "bo@", "cy@", 1) + fate, "", func(r *Report) bool {
			return len(r.Recipients) == 2 && r.Recipients[0].Extensions == nil && slices.Equal(r.Recipients[1].Extensions, []Field{{"X-Extra", "kept"}})
		}},
		"an extension of the message": {mta + "X-Extra: kept\n\n" + final + fate, "", func(r *Report) bool {
			return len(r.Recipients) == 1 && r.Recipients[0].Extensions == nil && slices.Equal(r.Extensions, []Field{{"X-Extra", "kept"}})
		}},
		"what became of him before his name": {mta + "\n" + final + fate + "\n" + fate + strings.Replace(final, "bo@", "cy@", 1), "", func(r *Report) bool {
			return len(r.Recipients) == 2 && r.Recipients[1].FinalRecipient.Address == "cy@example.net" && r.Recipients[1].Status == smtpcode.Status{5, 1, 1}
		}},
		"a name longer than any field's": {mta + "\n" + final + fate + strings.Repeat("X", 70) + ": kept\n", "", func(r *Report) bool {
			return len(r.Recipients) == 1 && len(r.Recipients[0].Extensions) == 1
		}},
	} {
		r, err := Read(strings.NewReader(statusMail(tt.fields)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if ids := findingIDs(r); (tt.finding != "") != slices.Contains(ids, tt.finding) || !tt.fits(r) {
			t.Errorf("%s: findings %v, want %q; %+v, message's %v", name, ids, tt.finding, r.Recipients, r.Extensions)
		}
	}
}

// What RFC 3464 sections 2.2 and 2.3 let a field say, and what programs write.
func TestFieldValues(t *testing.T) {
	for fields, fits := range map[string]func(*Report) bool{
		"DSN-Gateway: dns; gw.example.org\n":                                func(r *Report) bool { return r.DSNGateway.Host == "gw.example.org" && r.DSNGateway.Type == "dns" },
		"Reporting-MTA: dns; mx.example.org (Postfix)\n":                    func(r *Report) bool { return r.ReportingMTA.Host == "mx.example.org" },
		"Reporting-MTA: [192.0.2.1]\n":                                      func(r *Report) bool { return r.ReportingMTA.Host == "192.0.2.1" && r.ReportingMTA.Type == "" },
		"\nFinal-Recipient: rfc822; <bo@example.net> (Bo)\n":                func(r *Report) bool { return r.Recipients[0].FinalRecipient.Address == "bo@example.net" },
		"\nFinal-Recipient: rfc822; bo@example.net (Bo)\n":                  func(r *Report) bool { return r.Recipients[0].FinalRecipient.Address == "bo@example.net" },
		"\nFinal-Recipient: rfc822; @a.example,@b.example:bo@example.net\n": func(r *Report) bool { return r.Recipients[0].FinalRecipient.Address == "bo@example.net" },
		"\nFinal-Recipient: utf-8; j\\x{FC}rgen@example.net\n":              func(r *Report) bool { return r.Recipients[0].FinalRecipient.Address == "jürgen@example.net" },
		"\nFinal-Recipient: utf-8; j\\x{zz}\\x{110000}rgen@example.net\n": func(r *Report) bool {
			return r.Recipients[0].FinalRecipient.Address == `j\x{zz}\x{110000}rgen@example.net`
		},
		"\nFinal-Recipient: no type; bo@example.net\n": func(r *Report) bool { return r.Recipients[0].FinalRecipient.Type == "" },
		"\nFinal-Recipient: rfc822; a@example.net\nAction: expired\n": func(r *Report) bool {
			return r.Recipients[0].Action == smtpcode.Failed && r.Recipients[0].ActionRaw == "expired"
		},
		"\nFinal-Recipient: rfc822; a@example.net\nAction: Delayed (queue)\n": func(r *Report) bool { return r.Recipients[0].Action == smtpcode.Delayed },
		"\nFinal-Recipient: rfc822; a@example.net\nAction: lost\n": func(r *Report) bool {
			return r.Recipients[0].Action == smtpcode.ActionUnknown && r.Recipients[0].ActionRaw == "lost"
		},
		"\nFinal-Recipient: rfc822; a@example.net\nStatus: (#5.2.2)\n": func(r *Report) bool { return r.Recipients[0].Status == smtpcode.Status{5, 2, 2} },
	} {
		r, err := Read(strings.NewReader(statusMail(fields + "Action: failed\n")))
		if strings.Contains(fields, "Action:") {
			r, err = Read(strings.NewReader(statusMail(fields)))
		}
		if err != nil || !fits(r) {
			t.Errorf("%q: %v\n%+v", fields, err, r)
		}
	}
}

// Who the evidence is about, and from where the mail came, where a field is absent.
func TestEvidenceOfFieldsThatAreAbsent(t *testing.T) {
	r, err := Read(strings.NewReader(statusMail("Reporting-MTA: dns; mx.example.org\nReceived-From-MTA: dns; [::ffff:192.0.2.7]\nArrival-Date: Mon, 3 Aug 2026 10:00:00 +0000\n\nOriginal-Recipient: rfc822; bo@example.net\nAction: failed\nStatus: 5.1.1\n")))
	if err != nil {
		t.Fatal(err)
	}
	f := r.Failures()[0]
	if f.Recipient != "bo@example.net" || f.OriginalRecipient != "" || f.SendingIP != netip.MustParseAddr("192.0.2.7") || !f.Date.Equal(r.ArrivalDate.Time) || f.Date.IsZero() {
		t.Errorf("%+v", f)
	}
}

// OpenSMTPD and others name the refusing host in the text alone.
func TestHostThatOnlyTheTextNames(t *testing.T) {
	const text = "It failed.\n"
	mail := strings.Replace(statusMail("Reporting-MTA: dns; mx.example.org\n\nFinal-Recipient: rfc822; bo@example.net\nAction: failed\nStatus: 5.1.1\n"), text,
		"This is the mail system at host mx.example.org.\n\n<bo@example.net>: host mx.example.net[192.0.2.1] said: 550 5.1.1 no such user\n", 1)
	for _, remote := range []string{"", "Remote-MTA: dns; other.example.net\n"} {
		r, err := Read(strings.NewReader(strings.Replace(mail, "Status: 5.1.1\n", "Status: 5.1.1\n"+remote, 1)))
		if err != nil {
			t.Fatal(err)
		}
		want := "mx.example.net"
		if remote != "" {
			want = "other.example.net" // what the field declares stands above the text
		}
		if f := r.Failures()[0]; f.RemoteServer != want || f.Replies[0].Code != 550 {
			t.Errorf("%+v, want the host %s", f, want)
		}
	}
}

func TestFeedbackValues(t *testing.T) {
	v6 := netip.MustParseAddr("2001:db8::1")
	for field, fits := range map[string]func(*Feedback) bool{
		"Received-Date: Mon, 3 Aug 2026 10:00:00 +0000": func(f *Feedback) bool { return f.ArrivalDate.Time.Unix() == 1785751200 },
		"Source: 192.0.2.1":                             func(f *Feedback) bool { return f.SourceIP == netip.MustParseAddr("192.0.2.1") },
		"Source-IP: IPv6:2001:db8::1":                   func(f *Feedback) bool { return f.SourceIP == v6 },
		"Source-IP: [IPv6:2001:db8::1]":                 func(f *Feedback) bool { return f.SourceIP == v6 },
		"Source-IP: 2001:db8::1 (seen)":                 func(f *Feedback) bool { return f.SourceIP == v6 },
		"Source-IP: nowhere":                            func(f *Feedback) bool { return !f.SourceIP.IsValid() },
		"Source-Port: 65536":                            func(f *Feedback) bool { return f.SourcePort == 0 },
		"Source-Port: 25 (smtp)":                        func(f *Feedback) bool { return f.SourcePort == 25 },
		"Incidents: -1":                                 func(f *Feedback) bool { return f.Incidents == 0 },
		"Incidents: many":                               func(f *Feedback) bool { return f.Incidents == 0 },
		"Incidents: 7 (seven)":                          func(f *Feedback) bool { return f.Incidents == 7 },
		"Auth-Failure: Signature":                       func(f *Feedback) bool { return f.AuthFailure == SignatureFailure && f.AuthFailureRaw == "Signature" },
		"Identity-Alignment: none":                      func(f *Feedback) bool { return slices.Equal(f.IdentityAlignment, []string{"none"}) },
	} {
		r, err := Read(strings.NewReader(feedbackMail("Feedback-Type: abuse\nUser-Agent: x\nVersion: 1\n" + field + "\n")))
		if err != nil || !fits(r.Feedback) {
			t.Errorf("%s: %v, %+v", field, err, r.Feedback)
		}
	}
}
