package ndr

import (
	"cmp"
	"net/netip"
	"strings"
)

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
			if tok, rest := cutToken(t); cur >= 0 && isFullHost(tok) && startsReply(rest) && len(r.n.Recipients[cur].Replies) == 0 {
				r.n.Recipients[cur].RemoteServer, t = tok, rest
				continue
			}
			if startsReply(t) {
				var w wireLine
				w, t, i = wrappedReply(p, t, i, to)
				cur = r.reply(cur, w)
				continue
			}
			tok, rest := cutToken(t)
			switch {
			case cur >= 0 && isHostName(tok) && rest == "" && len(r.n.Recipients[cur].Replies) == 0:
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

// wrappedReply reads the reply line that begins with t and goes on, perhaps, in
// the lines from next to end. It returns what follows the reply on its last line,
// and the line behind that.
func wrappedReply(p *page, t string, next, end int) (w wireLine, rest string, after int) {
	var a assembler
	head, tail := splitAttempt(t)
	for done := a.add(head) || tail != ""; !done && !a.full() && next < end; next++ {
		l := &p.lines[next]
		if l.kind == blankLine || l.kind == preLine {
			break
		}
		head, tail = splitAttempt(adminText(l))
		done = a.add(head) || tail != ""
	}
	w = parseWire(a.s)
	return w, cmp.Or(tail, w.rest), next
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
	if cur < 0 && len(r.n.Recipients) == 1 {
		cur = 0 // his address stands in the users' part alone
	}
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
