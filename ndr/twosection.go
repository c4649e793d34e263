package ndr

import (
	"net/netip"
	"strings"
)

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

// lineRecipient returns the address of a line that is a recipient and nothing
// else: "Name<mailto:addr>", "addr (addr)", "addr".
func lineRecipient(l *line) string {
	if l.kind != textLine && l.kind != rowLine || l.text == "" {
		return ""
	}
	if len(l.links) == 1 && hasPrefixFold(l.links[0].URL, "mailto:") && l.links[0].Text == l.text {
		if a := bareAddress(l.text); a != "" {
			return a
		}
		return bareAddress(l.links[0].URL)
	}
	if a := bareAddress(l.text); a != "" && (isAddress(l.text) || len(l.text) < 200 && strings.ContainsAny(l.text[len(l.text)-1:], ">)")) {
		return a
	}
	return ""
}

// userPart reads the heading and each recipient with the sentences under it.
func (r *reading) userPart(p *page, from, to int) {
	i := p.next(from)
	if i >= to {
		return
	}
	if lineRecipient(&p.lines[i]) == "" {
		r.n.Headline = p.lines[i].text
		if host, ok := cutRejected(r.n.Headline); ok {
			r.n.Servers.Remote = host
		}
		i++
	}
	var open []int // recipients whose reason is still to come
	for i < to {
		i = p.next(i)
		if i >= to {
			return
		}
		if addr := lineRecipient(&p.lines[i]); addr != "" {
			k := r.recipient(addr)
			if k < 0 {
				return
			}
			r.n.Recipients[k].DisplayName = displayName(p.lines[i].text, addr)
			open = append(open, k)
			i++
			continue
		}
		end := i
		for end < to && lineRecipient(&p.lines[end]) == "" {
			end++
		}
		r.reason(p, i, end, open)
		open, i = nil, end
	}
}

// reason reads the sentences of [from, to) and gives them to the recipients
// they stand under; without any, to all.
func (r *reading) reason(p *page, from, to int, under []int) {
	end, text := to, ""
	gave := p.find(from, to, func(l *line) bool { return strings.Contains(fold(l.text), "gave this error") })
	if gave >= 0 {
		end = gave
		text, _ = joinParagraphs(p.paragraphs(gave+1, to))
		if host := firstToken(p.lines[gave].text); isHostName(host) && r.n.Servers.Remote == "" {
			r.n.Servers.Remote = host
		}
	}
	paras := p.paragraphs(from, end)
	paras = r.dropSignature(paras)
	sentence, links, advice := "", []Link(nil), []string(nil)
	for i, q := range paras {
		if i == 0 {
			sentence = q.text
		} else if q.text != "" {
			advice = append(advice, q.text)
		}
		links = append(links, q.links...)
	}
	r.n.Links = append(r.n.Links, links...)
	if under == nil {
		r.sharedReason, r.sharedAdvice, r.sharedLinks = sentence, advice, links
		return
	}
	for _, k := range under {
		rc := &r.n.Recipients[k]
		rc.Reason, rc.Advice, rc.ReasonLinks, rc.RemoteText = sentence, advice, links, text
	}
}

// dropSignature takes "Sent by Microsoft Exchange Server 2007" off: it names
// the product and is no part of the reason.
func (r *reading) dropSignature(paras []paragraph) []paragraph {
	kept := paras[:0]
	for _, q := range paras {
		if i := strings.Index(q.text, "Sent by Microsoft Exchange Server"); i >= 0 {
			r.signed = true
			q.text = strings.TrimSpace(q.text[:i])
		}
		if q.text != "" {
			kept = append(kept, q)
		}
	}
	return kept
}

// cutRejected reads "<host> rejected your message to the following ...".
func cutRejected(s string) (host string, ok bool) {
	i := indexFold(s, " rejected your message")
	if i <= 0 || !isHostName(s[:i]) {
		return "", false
	}
	return s[:i], true
}

// displayName returns what a recipient line says beside the address.
func displayName(text, addr string) string {
	name := text
	for _, s := range []string{"(" + addr + ")", "<" + addr + ">"} {
		if i := strings.LastIndex(name, s); i >= 0 {
			name = name[:i] + name[i+len(s):]
		}
	}
	name = strings.TrimSpace(name)
	if strings.EqualFold(name, addr) {
		return ""
	}
	return name
}

// adminPart reads generating and receiving server and each recipient's reply
// lines.
func (r *reading) adminPart(p *page, from, to int) {
	cur := -1
	gen := r.n.Servers.Generating != ""
	for i := from; i < to; {
		l := &p.lines[i]
		i++
		if l.kind == blankLine || l.kind == ruleLine {
			continue
		}
		for t := adminText(l); t != ""; {
			if !gen || cur < 0 {
				if rest, ok := r.serverLabel(t, i-1 == from); ok {
					gen, t = true, rest
					continue
				}
			}
			if tok, rest := cutToken(t); isAddress(strings.Trim(tok, "<>")) {
				if cur = r.recipient(strings.Trim(tok, "<>")); cur < 0 {
					return
				}
				t = rest
				continue
			}
			if startsReply(t) {
				var a assembler
				head, tail := splitAttempt(t)
				for done := a.add(head) || tail != ""; !done && !a.full() && i < to; i++ {
					next := &p.lines[i]
					if next.kind == blankLine || next.kind == preLine {
						break
					}
					head, tail = splitAttempt(adminText(next))
					done = a.add(head) || tail != ""
				}
				w := parseWire(a.s)
				cur = r.reply(cur, w)
				if t = tail; t == "" {
					t = w.rest
				}
				continue
			}
			tok, rest := cutToken(t)
			switch {
			case cur >= 0 && isHostName(tok) && (rest == "" || startsReply(rest)) && len(r.n.Recipients[cur].Replies) == 0:
				r.n.Recipients[cur].RemoteServer = tok
			case strings.HasPrefix(rest, "#") && isHostName(tok) && startsReply(rest):
				// "host #<host #5.7.1 ...": the host is in the reply too
			default:
				rest = ""
			}
			t = rest
		}
	}
}

// adminText returns a line of the administrators' part as written, but for
// the links that mail programs put behind addresses: a reply's own links stay.
func adminText(l *line) string {
	s := l.raw
	for {
		i := indexFold(s, "<mailto:")
		if i < 0 {
			return squeeze(s)
		}
		end := strings.IndexByte(s[i:], '>')
		if end < 0 {
			return squeeze(s)
		}
		s = s[:i] + s[i+end+1:]
	}
}

// serverLabel reads "Generating server: H" and "Receiving server: H (ip)" at
// the start of s. In a language we do not know the first label of the part is
// the generating server's, the next the receiving server's.
func (r *reading) serverLabel(s string, first bool) (rest string, ok bool) {
	label, value, ok := strings.Cut(s, ":")
	if !ok || len(label) > 80 {
		return s, false
	}
	host, ip, rest := hostAndIP(strings.TrimSpace(value))
	if !isHostName(host) {
		return s, false
	}
	srv := &r.n.Servers
	switch h := matchHeading(label, generating, receiving); {
	case h != nil && h.role == generating, h == nil && first:
		if srv.Generating == "" {
			srv.Generating = host
		}
	case h != nil && h.role == receiving, h == nil && isFullHost(host) && srv.Receiving == "" && srv.Generating != "":
		srv.Receiving, srv.ReceivingIP = host, ip
	default:
		return s, false
	}
	return rest, true
}

// reply adds a reply line to recipient cur, or to one without an address where
// there is none yet, and returns its index.
func (r *reading) reply(cur int, w wireLine) int {
	if cur < 0 {
		if cur = r.recipient(""); cur < 0 {
			return cur
		}
	}
	rc := &r.n.Recipients[cur]
	replies := w.replies()
	if len(rc.Replies)+len(replies) > maxReplies {
		r.finding(findingTooMany, "more than %d replies for one recipient: the rest is left out", maxReplies)
		return cur
	}
	rc.Replies = append(rc.Replies, replies...)
	if w.original != "" {
		rc.OriginalAddress = w.original
	}
	if w.remote && w.host != "" && rc.RemoteServer == "" {
		rc.RemoteServer = w.host
	}
	if w.date != "" {
		a := Attempt{Date: w.date, Remote: w.remote, Server: w.host, IP: w.ip}
		if len(replies) > 0 {
			a.Reply = replies[0]
		}
		rc.Attempts = append(rc.Attempts, a)
	} else if rc.RemoteServer == "" && w.host != "" && w.ip == (netip.Addr{}) && w.remote {
		rc.RemoteServer = w.host
	}
	return cur
}

// maxReplies is how many replies of one recipient are kept.
const maxReplies = 200
