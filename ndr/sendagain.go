package ndr

import (
	"fmt"
	"strings"
	"time"

	"github.com/mailfault/mailfault/smtpcode"
)

// SendAgainLimit is the size of attachments, in bytes, from which on Outlook's
// Send Again may be missing or may not work: 10 MB.
const SendAgainLimit = 10 << 20

// SendAgain is what to expect of Outlook's Send Again control, which builds a
// fresh copy of the message to edit and send.
type SendAgain struct {
	Helps   Answer   `json:"helps"`   // whether a copy with nothing changed can get through
	Works   Answer   `json:"works"`   // whether the control is there and builds the copy
	Instead string   `json:"instead"` // what to do where it does not work; "" where it does
	Why     []string `json:"why"`     // the grounds, one a sentence
}

// SendAgain judges the control for this report. attachments is the size of the
// message's attachments in bytes; 0 when not known: then a whole returned
// message tells, else the answer stays open.
func (n *Notice) SendAgain(attachments int64) SendAgain {
	s := SendAgain{Why: []string{}}
	s.helps(n)
	s.works(n, attachments)
	return s
}

func (s *SendAgain) helps(n *Notice) {
	if n.Delayed {
		s.Helps = No
		s.why("The server is still trying: a copy would arrive twice.")
		return
	}
	permanent, transient := 0, 0
	var wait time.Duration // that clears every 5.x.x reply, as a quota's does
	for _, f := range n.Failures() {
		switch class(f) {
		case smtpcode.ClassPermanent:
			permanent++
			if r := smtpcode.Diagnose(f).Resend; r.Advice == smtpcode.Later && wait >= 0 {
				wait = max(wait, r.Wait)
			} else {
				wait = -1
			}
		case smtpcode.ClassTransient:
			transient++
		}
	}
	switch {
	case permanent > 0 && wait > 0:
		s.Helps = Yes
		s.why(fmt.Sprintf("A copy sent now draws the same 5.x.x reply again; after %.3g hours it can get through unchanged.", wait.Hours()))
	case permanent > 0:
		s.Helps = No
		s.why("A copy of a message that drew a 5.x.x reply draws that reply again: change something first.")
	case transient > 0:
		s.Helps = Yes
		s.why("A 4.x.x code is a temporary problem that outlasted the retries: a later copy can get through once the cause is gone.")
	}
}

// class is the class of the status that ended delivery, else of the reply.
func class(f smtpcode.Failure) int {
	if !f.Status.IsZero() {
		return f.Status.Class()
	}
	for _, r := range f.Replies {
		if !r.Status.IsZero() {
			return r.Status.Class()
		}
		if r.Code != 0 {
			return r.Code / 100
		}
	}
	return 0
}

func (s *SendAgain) works(n *Notice, attachments int64) {
	if mark := n.bulkService(); mark != "" {
		s.Works = No
		s.Instead = "Send it again from the service that sent it."
		s.why("The message was sent by a bulk service (" + mark + "): there is nothing in Outlook to send again.")
		return
	}
	if attachments <= 0 {
		attachments = n.attachments
	}
	switch {
	case attachments > SendAgainLimit:
		s.Works = No
		s.Instead = "Resend the message from Sent Items."
		s.why("Attachments over 10 MB: Send Again might be missing or might not work.")
	case attachments > 0:
		s.Works = Yes
	default:
		s.Instead = "If Send Again is missing, resend the message from Sent Items."
		s.why("The size of the attachments is not known: over 10 MB Send Again might be missing.")
	}
}

func (s *SendAgain) why(text string) { s.Why = append(s.Why, text) }

// bulkMarks are fields that services which send for others put on messages.
// A prefix ends in "-".
var bulkMarks = []struct {
	field, service, source string
}{
	{"x-ses-outgoing", "Amazon SES", "observed: reports of SES customers"},
	{"x-mailgun-", "Mailgun", "observed: reports of Mailgun customers"},
	{"x-sg-", "SendGrid", "docs: X-SG-EID, X-SG-ID"},
	{"x-mandrill-", "Mandrill", "docs: X-Mandrill-User"},
	{"x-mc-user", "Mailchimp", "docs: X-MC-User"},
	{"x-pm-message-id", "Postmark", "docs: X-PM-Message-Id"},
	{"x-sib-id", "Brevo", "docs: X-sib-id"},
	{"x-mailjet-", "Mailjet", "docs: X-MJ, X-Mailjet-Campaign"},
	{"feedback-id", "a bulk sender", "docs: Gmail's feedback loop, set by bulk senders"},
	{"list-unsubscribe", "a mailing", "RFC 2369 section 3.2"},
}

// bulkService names the bulk service the original message shows, or "".
func (n *Notice) bulkService() string {
	for _, m := range bulkMarks {
		for _, f := range n.Original.Fields {
			name := strings.ToLower(f.Name)
			if name == m.field || strings.HasSuffix(m.field, "-") && strings.HasPrefix(name, m.field) {
				return m.service
			}
		}
	}
	return ""
}
