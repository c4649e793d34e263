package ndr

import (
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// reading is the state of reading one notice.
type reading struct {
	n   *Notice
	lim limits

	index    map[string]int // recipient by address in lower case
	language string         // of the headings met
	signed   bool           // "Sent by Microsoft Exchange Server 2007" was there

	errorReplies []smtpcode.Reply // of the current layout's "Error Details"
	causeLinks   []Link

	sharedReason string // sentences that stand under no recipient
	sharedAdvice []string
	sharedLinks  []Link
}

func newReading(lim limits) *reading {
	return &reading{n: &Notice{}, lim: lim, index: map[string]int{}}
}

// recipient returns the index of the recipient with that address, adding it
// where needed; -1 over the limit.
func (r *reading) recipient(addr string) int {
	key := strings.ToLower(addr)
	if k, ok := r.index[key]; ok {
		return k
	}
	// The only recipient, named by neither part so far, is this one.
	if k, ok := r.index[""]; ok && len(r.n.Recipients) == 1 {
		delete(r.index, "")
		r.index[key] = k
		r.n.Recipients[k].Address = addr
		return k
	}
	if len(r.n.Recipients) >= r.lim.recipients {
		r.finding(findingTooMany, "more than %d recipients: the rest is left out", r.lim.recipients)
		return -1
	}
	r.n.Recipients = append(r.n.Recipients, Recipient{Address: addr})
	r.index[key] = len(r.n.Recipients) - 1
	return len(r.n.Recipients) - 1
}

// heading notes the language of a heading that was recognised.
func (r *reading) heading(h *heading) {
	if r.language == "" {
		r.language = h.lang
	}
}

// read reads a page in whatever layout it has.
func (r *reading) read(p *page) bool {
	ok := r.readCurrent(p) || r.readTwoSection(p) || r.readExchange2003(p) || r.readSMTPSVC(p)
	if p.cut {
		r.finding(findingCut, "the text is over the limit of %d bytes or %d lines: the rest is left out", r.lim.bytes, r.lim.lines)
	}
	if !ok {
		return false
	}
	for i := range r.n.Recipients {
		rc := &r.n.Recipients[i]
		if rc.Reason == "" {
			rc.Reason, rc.Advice, rc.ReasonLinks = r.sharedReason, r.sharedAdvice, r.sharedLinks
		}
		if len(rc.Replies) == 0 && r.n.Layout != LayoutSMTPSVC {
			r.finding(findingNoReply, "no reply is given for %q", rc.Address)
		}
	}
	if r.n.Layout == LayoutTwoSection && r.language == "" {
		r.finding(findingStructure, "no heading was recognised: read by its replies and hosts")
	}
	if d := r.n.Diagram; d != nil && d.Marked < 0 {
		r.finding(findingMarked, "the diagram marks no party, or more than one")
	}
	return true
}
