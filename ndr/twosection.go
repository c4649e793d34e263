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

func (r *reading) sections(p *page) sections {
	n := len(p.lines)
	s := sections{userEnd: n, admin: n, adminEnd: n, original: -1}
	failed, diag, gen, orig, reply := -1, -1, -1, -1, -1
	for i := range p.lines {
		l := &p.lines[i]
		if l.kind == blankLine || l.kind == preLine {
			if l.kind == preLine && orig < 0 && reply >= 0 {
				orig = i
			}
			continue
		}
		if h := matchHeading(l.text, failedTo, delayedTo, diagnostic, generating, originals); h != nil {
			switch h.role {
			case failedTo, delayedTo:
				if failed < 0 && gen < 0 {
					failed = i
					r.heading(h)
					r.n.Delayed = h.role == delayedTo
				}
			case diagnostic:
				if diag < 0 {
					diag = i
					r.heading(h)
				}
			case generating:
				if gen < 0 {
					gen = i
					r.heading(h)
				}
			case originals:
				if orig < 0 && gen >= 0 {
					orig = i + 1
				}
			}
		}
		if reply < 0 && (diag >= 0 || gen >= 0 || r.structural(p, i)) && replyInLine(l.text) {
			reply = i
		}
		if orig >= 0 {
			break // what follows is quoted
		}
	}
	if gen < 0 && reply >= 0 {
		gen = hostLabelBefore(p, reply)
	}
	switch {
	case gen >= 0:
		s.admin = gen
	case diag >= 0:
		s.admin = diag + 1
	case failed < 0 || r.userRecipient(p, failed) < 0:
		return s
	}
	s.found = true
	s.userEnd = s.admin
	if diag >= 0 {
		s.userEnd = diag
	} else if h := p.prev(s.admin - 1); h >= 0 && s.admin < n && strings.HasSuffix(p.lines[h].text, ":") {
		s.userEnd = h // a heading in a language we do not know
	}
	if orig < 0 && reply >= 0 {
		orig = quotedHeaderAfter(p, reply)
	}
	if orig >= 0 {
		s.original, s.adminEnd = orig, orig
	}
	if s.user = failed; failed < 0 {
		s.user = firstHeading(p, s.userEnd)
	}
	return s
}

// structural reports whether the line may hold a reply although no heading was
// recognised: only in a report whose other marks say it is Microsoft's.
func (r *reading) structural(p *page, i int) bool {
	return startsReply(p.lines[i].text) || isAddress(firstToken(p.lines[i].text))
}

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
func (r *reading) userRecipient(p *page, heading int) int {
	i := p.next(heading + 1)
	if i < len(p.lines) && lineRecipient(&p.lines[i]) != "" {
		return i
	}
	return -1
}
