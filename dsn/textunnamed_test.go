package dsn

import (
	"errors"
	"strings"
	"testing"
)

// Texts as people paste them: pieces of bounces, with addresses blacked out,
// through pages that mark them up. What the text gives is read, and nothing else.
func TestPiecesOfBounces(t *testing.T) {
	for _, tt := range []struct {
		name, text                  string
		recipient, host, mta, reply string // reply is how it begins
	}{
		{
			name:      "a Postfix paragraph alone, and a sentence in the reply that could close it",
			text:      "<bo@r.example>: host mx.r.example[203.0.113.9] said: 554 No thanks.\n    Please ask the postmaster why. If you cannot, write a letter. (in reply to\n    MAIL FROM command)\n",
			recipient: "bo@r.example", host: "mx.r.example", reply: "554 No thanks. Please ask the postmaster why. If you cannot, write a letter. (in reply to MAIL FROM command)",
		},
		{
			name:      "Markdown's links for addresses",
			text:      "This is the mail system at host out.s.example.\n\n<[bo@r.example](mailto:bo@r.example)>: host mx.r.example[203.0.113.9] said: 550 gone\n",
			recipient: "bo@r.example", host: "mx.r.example", mta: "out.s.example", reply: "550 gone",
		},
		{
			name:      "a web page's source",
			text:      "This is the mail system at host out.s.example.\n\n&lt;<a href=\"mailto:bo@r.example\">bo@r.example</a>&gt;: host\n    mx.r.example[203.0.113.9] said: 550 5.1.1 &lt;bo@r.example&gt;: gone (in reply to RCPT TO command)\n",
			recipient: "bo@r.example", host: "mx.r.example", mta: "out.s.example", reply: "550 5.1.1 <bo@r.example>: gone",
		},
		{
			name:      "fields in a code block",
			text:      "```\nReporting-MTA: dns; out.s.example\n\nFinal-Recipient: rfc822; bo@r.example\nAction: failed\nStatus: 5.2.2\nDiagnostic-Code: smtp; 552 5.2.2 full\n```\n",
			recipient: "bo@r.example", mta: "out.s.example", reply: "552 5.2.2 full",
		},
		{
			name:      "a program named after its maker",
			text:      "Hi. This is the Pigeon Mailer program at out.s.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.\n\nIntended Recipients: <bo@r.example>\nFailure Reason: 550 gone\n",
			recipient: "bo@r.example", mta: "out.s.example", reply: "550 gone",
		},
		{
			name:      "a sentence that names him twice, and the reply below",
			text:      "Unable to send to bo@r.example\nBounce reason: The recipient's email address (bo@r.example) does not exist.\nhost mx.r.example[203.0.113.9] said: 550 5.1.1 gone\n",
			recipient: "bo@r.example", host: "mx.r.example", reply: "550 5.1.1 gone",
		},
		{
			name:      "the server between address and reply",
			text:      "We could not deliver your mail for the following recipients.\nbo@r.example at remote mailserver mx.r.example. (203.0.113.9): 421 4.3.2 too many\n",
			recipient: "bo@r.example", host: "mx.r.example", reply: "421 4.3.2 too many",
		},
		{
			name: "an address blacked out, and a reply",
			text: "I'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients. It's attached below.\n\n<xxx>: host mx.r.example[203.0.113.9] said: 550 5.1.1 gone (in\n    reply to RCPT TO command)\n",
			host: "mx.r.example", reply: "550 5.1.1 gone (in reply to RCPT TO command)",
		},
		{
			name:  "an address blacked out, and no reply",
			text:  "Delivery to the following recipient failed permanently:\n\n     bo@*******\n\nTechnical details of permanent failure:\nDNS Error: there is no such domain\n",
			reply: "DNS Error: there is no such domain",
		},
		{
			name: "an Exim paragraph without its address",
			text: "  SMTP error from remote mail server after end of data:\n    host mx.r.example [203.0.113.9]: 550-5.7.1 not today,\n    550 5.7.1 not tomorrow\n",
			host: "mx.r.example", reply: "550-5.7.1 not today, 550 5.7.1 not tomorrow",
		},
	} {
		report, err := ReadText(tt.text)
		if err != nil || len(report.Recipients) != 1 {
			t.Errorf("%s: %v, %d recipients", tt.name, err, len(report.Recipients))
			continue
		}
		r := report.Recipients[0]
		if r.FinalRecipient.Address != tt.recipient || r.RemoteMTA.Host != tt.host || report.ReportingMTA.Host != tt.mta || !strings.HasPrefix(r.Diagnostic.Text, tt.reply) {
			t.Errorf("%s: recipient %q, host %q, reporter %q, reply %q", tt.name, r.FinalRecipient.Address, r.RemoteMTA.Host, report.ReportingMTA.Host, r.Diagnostic.Text)
		}
	}
}

// A text that only has an address or a number in it is no report.
func TestOrdinaryTextsAreNoReports(t *testing.T) {
	for _, text := range []string{
		"Hello Bo,\n\nplease write to me at: ann@s.example\n\nAnn\n",
		"From: ann@s.example\nDate: today\n\nThe invoice is 550 euros.\n",
		"Reason: we are closed on Mondays.\n",
	} {
		if report, err := ReadText(text); !errors.Is(err, ErrNotReport) {
			t.Errorf("%q: %v %+v", text, err, report.Recipients)
		}
	}
}
