package ndr

import "strings"

// readTwoSection reads the layout of Exchange 2007 and later: a part for the
// user, then one for administrators. It reports whether the page has it.
//
// Headings are looked up in a table; where none is known the parts are found
// by what does not change with the language: SMTP replies, host names,
// addresses.
func (r *reading) readTwoSection(p *page) bool {
	s := r.sections(p)
	if !s.found {
		return false
	}
	r.n.Layout = LayoutTwoSection
	r.userPart(p, s.user, s.userEnd)
	r.adminPart(p, s.admin, s.adminEnd)
	if s.original >= 0 {
		r.originalHeaders(p, s.original)
	}
	return true
}

// sections are line ranges of a page in the two-section layout.
type sections struct {
	found           bool
	user, userEnd   int
	admin, adminEnd int // the generating server's line and on
	original        int // first line of the quoted header, or -1
}

// landmarks are the lines by which the sections are found; -1 where there is
// none.
type landmarks struct {
	failed     int // heading of the user's part
	diagnostic int // heading of the administrators' part
	generating int // "Generating server:"
	original   int // first line of the quoted header
	reply      int // first reply
}

func (r *reading) findLandmarks(p *page) landmarks {
	m := landmarks{-1, -1, -1, -1, -1}
	for i := range p.lines {
		l := &p.lines[i]
		if l.kind == preLine && m.reply >= 0 {
			m.original = i
			break // what follows is quoted
		}
		if l.kind == blankLine || l.kind == preLine {
			continue
		}
		if h := matchHeading(l.text, failedTo, delayedTo, diagnostic, generating, originals); h != nil {
			switch {
			case (h.role == failedTo || h.role == delayedTo) && m.failed < 0 && m.generating < 0:
				m.failed = i
				r.heading(h)
				r.n.Delayed = h.role == delayedTo
			case h.role == diagnostic && m.diagnostic < 0:
				m.diagnostic = i
				r.heading(h)
			case h.role == generating && m.generating < 0:
				m.generating = i
				r.heading(h)
			case h.role == originals && m.generating >= 0:
				m.original = i + 1
			}
		}
		if m.reply < 0 && (m.diagnostic >= 0 || m.generating >= 0 || structural(l)) && replyInLine(l.text) {
			m.reply = i
		}
		if m.original >= 0 {
			break // what follows is quoted
		}
	}
	if m.reply >= 0 && m.generating < 0 {
		m.generating = hostLabelBefore(p, m.reply)
	}
	if m.reply >= 0 && m.original < 0 {
		m.original = quotedHeaderAfter(p, m.reply)
	}
	return m
}

func (r *reading) sections(p *page) sections {
	n := len(p.lines)
	m := r.findLandmarks(p)
	s := sections{admin: n, adminEnd: n, original: m.original}
	switch {
	case m.generating >= 0:
		s.admin = m.generating
	case m.diagnostic >= 0:
		s.admin = m.diagnostic + 1
	case m.failed < 0 || userRecipient(p, m.failed) < 0:
		return s
	}
	s.found = true
	s.userEnd = s.admin
	if m.diagnostic >= 0 {
		s.userEnd = m.diagnostic
	} else if h := p.prev(s.admin - 1); h >= 0 && s.admin < n && strings.HasSuffix(p.lines[h].text, ":") {
		s.userEnd = h // a heading in a language we do not know
	}
	if m.original >= 0 {
		s.adminEnd = m.original
	}
	if s.user = m.failed; m.failed < 0 {
		s.user = firstHeading(p, s.userEnd)
	}
	return s
}

// structural reports whether a line may hold a reply although no heading was
// recognised: it begins with one, or with an address.
func structural(l *line) bool { return startsReply(l.text) || isAddress(firstToken(l.text)) }

func firstToken(s string) string {
	t, _ := cutToken(s)
	return t
}

// replyInLine reports whether a reply line starts here, maybe after an address
// and a host.
func replyInLine(s string) bool {
	for range 3 {
		if startsReply(s) {
			return true
		}
		tok, rest := cutToken(s)
		if rest == "" || !isAddress(tok) && !isHostName(tok) {
			return false
		}
		s = rest
	}
	return false
}

// hostLabelBefore finds the line "label: host" nearest before a reply, in any
// language; -1 where there is none within a few lines.
func hostLabelBefore(p *page, reply int) int {
	found := -1
	for i, steps := reply-1, 0; i >= 0 && steps < 12; i, steps = i-1, steps+1 {
		label, value, ok := strings.Cut(p.lines[i].text, ":")
		if !ok || len(label) > 80 || isAddress(firstToken(p.lines[i].text)) {
			if found >= 0 {
				return found
			}
			continue
		}
		if host, _, rest := hostAndIP(strings.TrimSpace(value)); isFullHost(host) && rest == "" {
			found = i // of several labels, the first is the generating server's
		}
	}
	return found
}

// quotedHeaderAfter finds where the quoted header begins after the replies:
// preformatted text, or fields after a line that is only a label.
func quotedHeaderAfter(p *page, reply int) int {
	for i := reply + 1; i < len(p.lines); i++ {
		l := &p.lines[i]
		if l.kind == preLine {
			return i
		}
		if l.kind == blankLine || !strings.HasSuffix(l.text, ":") || strings.Count(l.text, ":") > 1 {
			continue
		}
		if next := p.next(i + 1); next < len(p.lines) && isFieldStart(p.lines[next].raw) {
			return next
		}
	}
	return -1
}

// firstHeading finds where the user part begins when its heading is not known:
// the line before the first recipient, else the first line shown.
func firstHeading(p *page, end int) int {
	for i := p.next(0); i < end; i = p.next(i + 1) {
		if lineRecipient(&p.lines[i]) != "" {
			if h := p.prev(i - 1); h >= 0 {
				return h
			}
			return i
		}
	}
	return p.next(0)
}

// userRecipient returns the line of the first recipient after a heading, or -1.
func userRecipient(p *page, heading int) int {
	i := p.next(heading + 1)
	if i < len(p.lines) && lineRecipient(&p.lines[i]) != "" {
		return i
	}
	return -1
}
