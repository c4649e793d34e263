package ndr

import (
	"slices"
	"strings"

	"github.com/mailfault/mailfault/internal/localdate"
	"github.com/mailfault/mailfault/smtpcode"
)

// notReached are the sentences that open the recipients' part of Exchange 5.5
// to 2003 reports; the table is in lower case.
var notReached = []string{
	"did not reach the following recipient(s):",        // Internet Mail Service 5.5, Exchange 2000 and 2003
	"did not reach the following recipients:",          // the same, re-worded by gateways
	"the following recipient(s) could not be reached:", // Internet Mail Connector 4.0, Exchange 2003 clients
	"the following recipient(s) cannot be reached:",    // Outlook's own rendering of it
}

// readExchange2003 reads the layout of Exchange 5.5 to 2003: "Your message ...
// did not reach the following recipient(s):", then for each an address with a
// date, a sentence, and a line of the message transfer agent. It has no
// enhanced status code, and none is made up.
func (r *reading) readExchange2003(p *page) bool {
	if !r.recipients2003(p) {
		return false
	}
	if r.imitates2003() {
		r.n, r.index, r.language = &Notice{}, map[string]int{}, ""
		return false
	}
	return true
}

// imitates2003 reports whether the report has the sentences of Exchange and
// nothing else of it: no date behind an address, no words of its transfer agent,
// no status in angle brackets. hMailServer and MailEnable write so.
func (r *reading) imitates2003() bool {
	for i := range r.n.Recipients {
		rc := &r.n.Recipients[i]
		dated := func(a Attempt) bool { return a.Date != "" }
		marked := func(reply smtpcode.Reply) bool {
			return strings.Contains(reply.Raw, "MSEXCH:") || strings.Contains(reply.Raw, "#")
		}
		if slices.ContainsFunc(rc.Attempts, dated) || slices.ContainsFunc(rc.Replies, marked) {
			return false
		}
	}
	return true
}

// recipients2003 reads the part about the recipients, and reports whether there
// is one.
func (r *reading) recipients2003(p *page) bool {
	at := p.find(0, len(p.lines), func(l *line) bool {
		t := strings.ToLower(l.text)
		for _, s := range notReached {
			if strings.HasSuffix(t, s) {
				return true
			}
		}
		return false
	})
	if at < 0 {
		return false
	}
	r.n.Layout, r.language = LayoutExchange2003, "en"
	r.headline2003(p, at)
	cur := -1
	for i := at + 1; i < len(p.lines); i++ {
		l := &p.lines[i]
		switch {
		case l.kind == blankLine || l.kind == ruleLine:
			continue
		case isFieldStart(l.raw) && hasPrefixFold(l.raw, "received:"):
			return true // the returned message
		}
		if addr, name, date, ok := cutOnDate(l.text); ok {
			if addr == "" && len(r.n.Details.Recipients) == 1 {
				addr = r.n.Details.Recipients[0]
			}
			if cur = r.recipient(addr); cur < 0 {
				return true
			}
			r.n.Recipients[cur].DisplayName = name
			r.n.Recipients[cur].Attempts = append(r.n.Recipients[cur].Attempts, Attempt{Date: date, At: headerDate(date)})
			continue
		}
		if cur < 0 {
			continue
		}
		rc := &r.n.Recipients[cur]
		if i := strings.Index(l.text, "MSEXCH:"); i >= 0 {
			r.transferAgent(rc, l.text[i:])
			continue
		}
		switch {
		case startsReply(l.text):
			w := parseWire(l.text)
			rc.Replies, rc.Status = append(rc.Replies, w.replies()...), w.status
		case len(rc.Replies) > 0 && rc.Replies[0].Code == 0 && len(rc.Replies[0].Text) < 200:
			rc.Replies[0].Text = strings.TrimSpace(rc.Replies[0].Text + " " + l.text)
			rc.Replies[0].Raw += " " + l.text
		case strings.HasPrefix(l.text, "The MTS-ID of the original message is"), rc.Reason != "":
			if len(rc.Advice) < 100 {
				rc.Advice = append(rc.Advice, l.text)
			}
		default:
			rc.Reason = l.text
		}
	}
	return true
}

// headline2003 reads what stands before the recipients: To, Subject and Sent
// of the message.
func (r *reading) headline2003(p *page, at int) {
	for i := range at {
		l := &p.lines[i]
		name, value, ok := strings.Cut(l.text, ":")
		value = strings.TrimSpace(value)
		switch {
		case l.kind == blankLine:
		case ok && strings.EqualFold(name, "To"):
			r.n.Details.Recipients = splitAddresses(value)
		case ok && strings.EqualFold(name, "Subject"):
			r.n.Details.Subject = value
		case ok && strings.EqualFold(name, "Sent"):
			r.n.Details.Created = value
		case strings.HasPrefix(l.text, "Your message"):
			r.n.Headline = l.text
		}
	}
	if strings.EqualFold(r.n.Headline, "Your message") {
		r.n.Headline += " " + p.lines[at].text
	}
}

// cutOnDate splits "addr on <date>" and "Name on <date>". An address alone is a
// recipient too.
func cutOnDate(s string) (addr, name, date string, ok bool) {
	addr, rest := cutToken(s)
	if isAddress(addr) {
		date, ok = strings.CutPrefix(rest, "on ")
		return addr, "", date, ok || rest == ""
	}
	i := strings.LastIndex(s, " on ")
	if i <= 0 || i > 200 {
		return "", "", "", false
	}
	date = s[i+len(" on "):]
	if _, _, local := localdate.Parse(date); !local && headerDate(date).IsZero() {
		return "", "", "", false
	}
	return "", strings.TrimSpace(s[:i]), date, true
}

// transferAgent reads "MSEXCH:IMS:org:site:server 0 (000C05A6) Unknown
// Recipient": the server that gave up and its words.
func (r *reading) transferAgent(rc *Recipient, s string) {
	names, words := s, ""
	if i := strings.IndexByte(s, '('); i >= 0 {
		names = s[:i]
		if _, after, ok := strings.Cut(s[i:], ")"); ok {
			words = strings.TrimSpace(after)
		}
	}
	parts := strings.Split(names, ":")
	if server := firstToken(parts[len(parts)-1]); len(parts) >= 5 && r.n.Servers.Generating == "" {
		r.n.Servers.Generating = server
	}
	rc.Replies = append(rc.Replies, smtpcode.Reply{Text: words, Raw: s})
}
