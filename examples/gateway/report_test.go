package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/smtpcode"
)

var unknownUser = &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "5.1.1 User unknown"}

// startReporter opens a door that reports refusals to clients on 127.0.0.1.
func startReporter(t *testing.T, h *hop) string {
	return startGateway(t, h, "-reports", "-inside", "127.0.0.1/32")
}

// apart returns the reports and the other mail at a next hop.
func apart(h *hop) (reports, others []delivery) {
	for _, d := range h.mails() {
		if d.from == "" {
			reports = append(reports, d)
		} else {
			others = append(others, d)
		}
	}
	return reports, others
}

func TestRefusedRecipientsAreReported(t *testing.T) {
	h := startHop(t)
	h.rcpt["gone@example.net"] = unknownUser
	gw := startReporter(t, h)
	mail := "Message-ID: <1@example.org>\r\n" + ordinary
	for name, test := range map[string]struct {
		to     []string
		others int
	}{
		"all":  {[]string{"gone@example.net"}, 0},
		"some": {[]string{"good@example.net", "gone@example.net"}, 1},
	} {
		h.mu.Lock()
		h.got = nil
		h.mu.Unlock()
		if got := send(t, gw, "a@example.org", test.to, mail); !strings.HasPrefix(got, "250") {
			t.Fatalf("%s: %q", name, got)
		}
		reports, others := apart(h)
		if len(reports) != 1 || len(others) != test.others || strings.Join(reports[0].to, ",") != "a@example.org" {
			t.Fatalf("%s: %d reports and %d other mails", name, len(reports), len(others))
		}
		if test.others == 1 && (string(others[0].data) != mail || strings.Join(others[0].to, ",") != "good@example.net") {
			t.Errorf("%s: the mail went to %v as %q", name, others[0].to, others[0].data)
		}
		r, err := dsn.Read(bytes.NewReader(reports[0].data))
		if err != nil {
			t.Fatal(err)
		}
		if r.Kind != dsn.DeliveryStatus || r.ReportingMTA.Host != "gw.test" || len(r.Recipients) != 1 {
			t.Fatalf("%s: %+v", name, r)
		}
		to := r.Recipients[0]
		if to.FinalRecipient.Address != "gone@example.net" || to.Action != smtpcode.Failed || to.Status != (smtpcode.Status{5, 1, 1}) ||
			to.RemoteMTA.Host != "127.0.0.1" || !strings.HasPrefix(to.Diagnostic.Text, "550 5.1.1 ") {
			t.Errorf("%s: %+v", name, to)
		}
		d := smtpcode.Diagnose(r.Failures()[0])
		if d.Condition != "recipient-not-found" || !strings.Contains(r.Explanation.Text, d.Summary) || !strings.Contains(r.Explanation.Text, d.Steps[0].Text) {
			t.Errorf("%s: %s is not explained in %q", name, d.Condition, r.Explanation.Text)
		}
		if r.Returned == nil || r.Returned.Header.Get("Message-ID") != "<1@example.org>" || bytes.Contains(reports[0].data, []byte("body\r\n")) {
			t.Errorf("%s: the header alone is not returned", name)
		}
		if len(r.Findings) > 0 {
			t.Errorf("%s: %+v", name, r.Findings)
		}
	}
}

func TestMailRefusedAsAWholeIsReportedForEveryRecipient(t *testing.T) {
	h := startHop(t)
	h.rcpt["gone@example.net"] = unknownUser
	h.only = func(d delivery) *smtp.SMTPError {
		if d.from == "" {
			return nil
		}
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "Spam"}
	}
	gw := startReporter(t, h)
	if got := send(t, gw, "a@example.org", []string{"b@example.net", "gone@example.net"}, ordinary); !strings.HasPrefix(got, "250") {
		t.Fatal(got)
	}
	reports, others := apart(h)
	if len(reports) != 1 || len(others) != 0 {
		t.Fatalf("%d reports and %d other mails", len(reports), len(others))
	}
	r, err := dsn.Read(bytes.NewReader(reports[0].data))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, to := range r.Recipients {
		got[to.FinalRecipient.Address] = to.Status.String()
	}
	if len(got) != 2 || got["b@example.net"] != "5.7.1" || got["gone@example.net"] != "5.1.1" {
		t.Errorf("reported: %v", got)
	}
}

// Where a report has no place, or cannot be handed over, the refusal is the
// reply, and no report is left behind.
func TestRefusalStaysAReply(t *testing.T) {
	greylisted := &smtp.SMTPError{Code: 450, EnhancedCode: smtp.EnhancedCode{4, 2, 0}, Message: "Greylisted"}
	for name, test := range map[string]struct {
		args       []string
		from, to   string
		parameters string
		rcpt       map[string]*smtp.SMTPError
		only       *smtp.SMTPError // for ordinary mail
		want       string
	}{
		"temporary":                 {from: "a@example.org", to: "later@example.net", want: "450-4.2.0"},
		"from outside":              {args: []string{"-inside", "192.0.2.0/24"}, from: "a@example.org", to: "gone@example.net", want: "550-5.1.1"},
		"a report":                  {from: "", to: "gone@example.net", want: "550-5.1.1"},
		"nobody wants a report":     {from: "a@example.org", to: "gone@example.net", parameters: " NOTIFY=NEVER", want: "550-5.1.1"},
		"sender takes no report":    {from: "gone@example.net", to: "gone@example.net", want: "550-5.1.1"},
		"the mail is to come again": {from: "a@example.org", to: "gone@example.net,good@example.net", only: greylisted, want: "450-4.2.0"},
	} {
		t.Run(name, func(t *testing.T) {
			h := startHop(t)
			h.rcpt["gone@example.net"], h.rcpt["later@example.net"] = unknownUser, greylisted
			h.only = func(d delivery) *smtp.SMTPError {
				if d.from == "" {
					return nil
				}
				return test.only
			}
			gw := startGateway(t, h, append([]string{"-reports", "-inside", "127.0.0.1/32"}, test.args...)...)
			c := connect(t, gw).greet()
			c.say("MAIL FROM:<" + test.from + ">")
			got := ""
			for to := range strings.SplitSeq(test.to, ",") {
				got = c.say("RCPT TO:<" + to + ">" + test.parameters)
			}
			if strings.HasPrefix(got, "250") {
				c.say("DATA")
				got = c.say(ordinary + ".")
			}
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("got %q, want %s", got, test.want)
			}
			if kept := h.mails(); len(kept) > 0 {
				t.Errorf("the next hop has %d mails", len(kept))
			}
		})
	}
}

// The sender's wishes about reports come through (RFC 3461).
func TestReportHonoursTheSendersWishes(t *testing.T) {
	h := startHop(t)
	h.rcpt["gone@example.net"] = unknownUser
	gw := startReporter(t, h)
	c := connect(t, gw).greet()
	c.say("MAIL FROM:<a@example.org> RET=FULL ENVID=QQ+2B1", "RCPT TO:<gone@example.net> NOTIFY=FAILURE ORCPT=rfc822;first@example.com", "DATA")
	if got := c.say(ordinary + "."); !strings.HasPrefix(got, "250") {
		t.Fatal(got)
	}
	reports, _ := apart(h)
	r, err := dsn.Read(bytes.NewReader(reports[0].data))
	if err != nil {
		t.Fatal(err)
	}
	if r.OriginalEnvelopeID != "QQ+1" || r.Recipients[0].OriginalRecipient.Address != "first@example.com" {
		t.Errorf("envelope id %q, original recipient %q", r.OriginalEnvelopeID, r.Recipients[0].OriginalRecipient.Address)
	}
	if r.Returned == nil || r.Returned.Extent != dsn.Whole || !strings.Contains(r.Returned.Raw, "body") {
		t.Errorf("returned: %+v", r.Returned)
	}
}

const pythonReader = `
import email, email.policy, json, sys
m = email.message_from_binary_file(sys.stdin.buffer, policy=email.policy.default)
parts = list(m.iter_parts())
status = list(parts[1].iter_parts()) if parts[1].is_multipart() else parts[1].get_payload()
defects = [repr(d) for p in m.walk() for d in p.defects]
print(json.dumps({
	"type": m.get_content_type(), "report": m.get_param("report-type"), "auto": m["Auto-Submitted"], "to": str(m["To"]),
	"parts": [p.get_content_type() for p in parts], "text": parts[0].get_content(),
	"message": {k.lower(): v for k, v in status[0].items()}, "recipient": {k.lower(): v for k, v in status[1].items()},
	"defects": defects}))
`

func TestPythonReadsTheReport(t *testing.T) {
	python, err := exec.LookPath("python3")
	switch {
	case err != nil && os.Getenv("MAILFAULT_CORPORA_REQUIRED") == "1":
		t.Fatal(err)
	case err != nil:
		t.Skip("no python3 here")
	}
	h := startHop(t)
	h.rcpt["gone@example.net"] = unknownUser
	send(t, startReporter(t, h), "a@example.org", []string{"gone@example.net"}, "Message-ID: <1@example.org>\r\n"+ordinary)
	reports, _ := apart(h)
	run := exec.Command(python, "-c", pythonReader)
	run.Stdin = bytes.NewReader(reports[0].data)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var got struct {
		Type, Report, Auto, To, Text string
		Parts, Defects               []string
		Message, Recipient           map[string]string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got.Type != "multipart/report" || got.Report != "delivery-status" || !strings.HasPrefix(got.Auto, "auto-") || len(got.Defects) > 0 ||
		!strings.Contains(got.To, "a@example.org") || strings.Join(got.Parts, " ") != "text/plain message/delivery-status text/rfc822-headers" {
		t.Errorf("got %+v", got)
	}
	for field, want := range map[string]string{"action": "failed", "status": "5.1.1", "final-recipient": "gone@example.net", "diagnostic-code": "550 5.1.1"} {
		if !strings.Contains(got.Recipient[field], want) {
			t.Errorf("%s: %q, want %q", field, got.Recipient[field], want)
		}
	}
	if !strings.Contains(got.Message["reporting-mta"], "gw.test") || !strings.Contains(got.Text, "does not exist") {
		t.Errorf("got %+v", got)
	}
}
