package ndr

import "strings"

// smtpsvcOpening is the first sentence of the IIS SMTP service's reports.
// Other programs begin theirs with it too, so a second has to follow.
const smtpsvcOpening = "This is an automatically generated Delivery Status Notification."

// smtpsvcSentences say what became of the recipients listed under them.
var smtpsvcSentences = []struct {
	prefix  string
	delayed bool
	reason  bool // the sentence gives one
	source  string
}{
	{"Delivery to the following recipients failed.", false, false, "observed: Hotmail, 2012 to 2015"},
	{"Delivery to the following recipients has been delayed.", true, false, "observed: Hotmail, 2015"},
	{"Unable to deliver message to the following recipients, ", false, true, "observed: IIS SMTP service 6.0"},
}

// readSMTPSVC reads the layout of the IIS SMTP service, which Hotmail used
// until about 2015: a sentence about "the following recipients", then their
// addresses. Everything else is in the delivery-status part.
func (r *reading) readSMTPSVC(p *page) bool {
	at := p.find(0, len(p.lines), func(l *line) bool { return strings.HasPrefix(l.text, smtpsvcOpening) })
	if at < 0 {
		return false
	}
	found := false
	for _, q := range p.paragraphs(at, len(p.lines)) {
		text := strings.TrimSpace(strings.TrimPrefix(q.text, smtpsvcOpening))
		if !found {
			found = r.smtpsvcSentence(text)
			continue
		}
		for w := range strings.FieldsSeq(text) {
			a := bareAddress(w)
			if a == "" {
				return true // past the list
			}
			if r.recipient(a) < 0 {
				return true
			}
		}
	}
	return found
}

func (r *reading) smtpsvcSentence(text string) bool {
	for _, s := range smtpsvcSentences {
		if !strings.HasPrefix(text, s.prefix) {
			continue
		}
		r.n.Layout, r.language = LayoutSMTPSVC, "en"
		r.n.Headline, r.n.Delayed = text, s.delayed
		if s.reason {
			r.sharedReason = text
		}
		return true
	}
	return false
}
