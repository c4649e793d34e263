package dsn

import (
	"fmt"
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// actionTexts are what a composed report says of each action: its subject, and
// what became of the message, before the list of recipients.
var actionTexts = map[smtpcode.Action]struct{ subject, text string }{
	smtpcode.Failed:    {"Undelivered mail: returned to sender", "Your message could not be delivered to these recipients, and no further attempt is made:"},
	smtpcode.Delayed:   {"Delayed mail: still being tried", "Your message has not yet been delivered to these recipients. You need not send it again; delivery is still being tried:"},
	smtpcode.Delivered: {"Delivered mail: report you asked for", "Your message was delivered to these recipients:"},
	smtpcode.Relayed:   {"Relayed mail: report you asked for", "Your message was handed on for these recipients to a system that sends no reports of delivery:"},
	smtpcode.Expanded:  {"Delivered mail: report you asked for", "Your message was delivered to these addresses and sent on to their members:"},
}

func subject(r *Report) string {
	switch r.Kind {
	case DispositionNotification:
		return "Disposition notification"
	case FeedbackReport:
		return "Feedback report"
	}
	return firstOf(actionTexts[worst(r)].subject, "Delivery status")
}

// explain writes the text for people of a report that has none.
func explain(r *Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "This is the mail system at %s.\n", firstOf(r.ReportingMTA.Host, "an unnamed host"))
	for _, action := range [...]smtpcode.Action{smtpcode.Failed, smtpcode.Delayed, smtpcode.Delivered, smtpcode.Relayed, smtpcode.Expanded} {
		begun := false
		for i := range r.Recipients {
			rcpt := &r.Recipients[i]
			if rcpt.Action != action {
				continue
			}
			if !begun {
				b.WriteString("\n" + actionTexts[action].text + "\n\n")
				begun = true
			}
			b.WriteString("<" + oneLine(firstOf(rcpt.FinalRecipient.Address, rcpt.OriginalRecipient.Address)) + ">")
			if rcpt.Diagnostic.Text != "" {
				b.WriteString(": " + oneLine(rcpt.Diagnostic.Text))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
