package dsn

import (
	"strings"

	"github.com/mailfault/mailfault/internal/mime"
	"github.com/mailfault/mailfault/smtpcode"
)

// looksLikeBounce reports whether a mail without a delivery-status part says by
// its header that a mail system wrote it about a delivery.
func looksLikeBounce(root *mime.Part) bool {
	h := root.Header
	if h.Has("X-Failed-Recipients") || h.Has("X-MS-Exchange-Message-Is-Ndr") || h.Has("X-MS-Embedded-Report") || h.Has("X-DSNContext") {
		return true
	}
	if h.Has("Auto-Submitted") && strings.HasPrefix(strings.ToLower(h.Get("Auto-Submitted")), "auto-replied") && !h.Has("X-Failed-Recipients") && !fromDaemon(h) {
		return false
	}
	return fromDaemon(h) && (root.Params["report-type"] == "delivery-status" || bounceSubject(h.Get("Subject")))
}

func fromDaemon(h mime.Header) bool {
	from := strings.ToLower(bareAddress(h.Get("From")))
	local, _, _ := strings.Cut(from, "@")
	switch local {
	case "mailer-daemon", "postmaster", "mailerdaemon", "mail-daemon", "mailer_daemon", "majordomo":
		return true
	}
	return strings.Contains(strings.ToLower(h.Get("From")), "mail delivery")
}

// bounceWords stand in the subjects of bounces.
var bounceWords = []string{"undeliver", "delivery", "returned mail", "failure", "failed", "could not be", "not delivered", "non remis",
	"unzustellbar", "delayed", "mail error", "returned message", "returning", "bounce", "warning", "permanent error", "nondeliverable"}

func bounceSubject(subject string) bool {
	subject = strings.ToLower(mime.DecodeWords(subject))
	for _, word := range bounceWords {
		if strings.Contains(subject, word) {
			return true
		}
	}
	return subject == ""
}

// returnedMarks begin the copy of the message in a text; nothing behind them is
// about the failure.
var returnedMarks = []string{"below this line is a copy", "this is a copy of the message", "the headers of the", "original message follows",
	"original message headers", "---- original message", "--- original message", "----- original message", "header of the original message",
	"returned message follows", "unsent message below", "included below", "message header follows", "------ this is a copy"}

// maxProse is how many recipients and replies are read out of prose.
const maxProse = 100

// prose reads recipients and replies out of the text of a report that has
// nothing else. Addresses are taken only from where a mail system names failed
// recipients: the X-Failed-Recipients field, and lines that hold an address
// and little more, before the returned message.
func (b *builder) prose() {
	r := b.report
	text := beforeReturned(r.Explanation.Text)
	var replies []smtpcode.Reply
	for reply := range smtpcode.FindReplies(text) {
		if replies = append(replies, reply); len(replies) == maxProse {
			break
		}
	}
	seen := make(map[string]bool)
	add := func(address string) {
		key := strings.ToLower(address)
		if address == "" || seen[key] || len(seen) >= maxProse {
			return
		}
		seen[key] = true
		recipient := Recipient{FinalRecipient: Address{Address: address, Raw: address}, Action: smtpcode.Failed}
		if len(replies) > 0 {
			reply := replies[min(len(r.Recipients), len(replies)-1)]
			recipient.Diagnostic = Diagnostic{Text: reply.Raw, Raw: reply.Raw}
			recipient.Status = reply.Status
			recipient.StatusRaw = reply.Status.String()
		}
		r.Recipients = append(r.Recipients, recipient)
	}
	for _, value := range r.Header.All("X-Failed-Recipients") {
		for address := range strings.SplitSeq(value, ",") {
			add(bareAddress(address))
		}
	}
	if len(seen) > 0 {
		return
	}
	for line := range strings.Lines(text) {
		add(addressLine(line))
	}
}

func beforeReturned(text string) string {
	lower := strings.ToLower(text)
	end := len(text)
	for _, mark := range returnedMarks {
		if i := strings.Index(lower, mark); i >= 0 && i < end {
			end = i
		}
	}
	if len(lower) != len(text) { // lower case changed the length; marks are no use
		return text
	}
	return text[:end]
}

// addressLine returns the address of a line that holds one and little more:
// "<a@example.net>:", "a@example.net", "Recipient: [SMTP:a@example.net]".
func addressLine(line string) string {
	line = strings.Trim(line, " \t\r\n*->")
	for _, prefix := range []string{"recipient address:", "recipient:", "to:", "final-recipient: rfc822;", "[smtp:", "smtp:"} {
		if len(line) > len(prefix) && strings.EqualFold(line[:len(prefix)], prefix) {
			line = strings.TrimSpace(line[len(prefix):])
		}
	}
	line = strings.Trim(line, " <>:,;[]()\"'")
	if i := strings.IndexAny(line, ">:, ("); i > 0 && len(line)-i < 2+len(line)/2 {
		line = line[:i]
	}
	local, domain, ok := strings.Cut(line, "@")
	if !ok || local == "" || !strings.Contains(domain, ".") || strings.ContainsAny(line, " <>,;:\t\"") || strings.Contains(domain, "@") {
		return ""
	}
	return line
}
