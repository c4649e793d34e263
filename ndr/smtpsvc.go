package ndr

import "strings"

// smtpsvcOpening is the first sentence of the IIS SMTP service's reports.
const smtpsvcOpening = "This is an automatically generated Delivery Status Notification."

// readSMTPSVC reads the layout of the IIS SMTP service, which Hotmail used
// until about 2015: a sentence about "the following recipients", then their
// addresses. Everything else is in the delivery-status part.
func (r *reading) readSMTPSVC(p *page) bool {
	at := p.find(0, len(p.lines), func(l *line) bool { return strings.HasPrefix(l.text, smtpsvcOpening) })
	if at < 0 {
		return false
	}
	paras := p.paragraphs(at, len(p.lines))
	found := false
	for _, q := range paras {
		text := strings.TrimSpace(strings.TrimPrefix(q.text, smtpsvcOpening))
		switch {
		case strings.Contains(text, "the following recipients"):
			found = true
			r.n.Headline = text
			r.n.Delayed = strings.Contains(text, "delayed")
			if strings.Contains(text, "because") {
				r.sharedReason = text
			}
		case found:
			for w := range strings.FieldsSeq(text) {
				if a := bareAddress(w); a != "" && r.recipient(a) < 0 {
					return true
				}
			}
		}
	}
	if found {
		r.n.Layout, r.language = LayoutSMTPSVC, "en"
	}
	return found
}
