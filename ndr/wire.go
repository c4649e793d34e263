package ndr

import (
	"net/netip"
	"strings"

	"github.com/mailfault/mailfault/internal/localdate"
	"github.com/mailfault/mailfault/smtpcode"
)

// A wireLine is one reply line of the administrators' part:
//
//	Remote Server returned '550 5.1.10 ...'
//	3/09/2016 8:05:56 PM - Remote Server at host (ip) returned '441 4.4.1 ...'
//	#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##rfc822;original@example.com
//	host #<host #5.7.1 smtp;530 5.7.1 ...> #SMTP#
type wireLine struct {
	date     string // as written; "" when there is none
	remote   bool   // "Remote Server"
	host     string // "at host"
	ip       netip.Addr
	original string          // address behind "##rfc822;"
	reply    string          // as it stood, with what ParseReplies knows to unwrap
	status   smtpcode.Status // before the reply's own: "<host #5.5.0 smtp;554 ...>"
	rest     string          // what follows on the line after re-rendering
}

// startsReply reports whether s begins a reply line. It may end on a later
// line of the page.
func startsReply(s string) bool {
	switch {
	case len(s) < 4:
		return false
	case s[0] == '#':
		return isDigit(s[1]) || s[1] == '<' || s[1] == ' ' && s[2] == '<'
	case hasPrefixFold(s, "remote server"), hasPrefixFold(s, "server at "), hasPrefixFold(s, "server returned"):
		return true
	case s[0] == '<':
		host, rest := cutToken(s[1:])
		return isHostName(host) && len(rest) > 1 && rest[0] == '#' && isDigit(rest[1])
	}
	if _, rest, ok := localdate.Parse(s); ok {
		return strings.HasPrefix(rest, "- ")
	}
	// An unknown wording: '550 ...' at the end of the line.
	q := quotedReply(s)
	return q >= 0 && strings.HasSuffix(s, "'")
}

// quotedReply returns the offset of a quote mark that a reply code follows, or
// -1.
func quotedReply(s string) int {
	for i := 0; i+4 < len(s); i++ {
		if (s[i] == '\'' || strings.HasPrefix(s[i:], "‘")) && isReplyCode(strings.TrimPrefix(s[i+1:], "\x80\x98")) {
			return i
		}
	}
	return -1
}

// isReplyCode reports whether s starts with a three-digit SMTP reply code.
func isReplyCode(s string) bool {
	return len(s) >= 3 && '2' <= s[0] && s[0] <= '5' && isDigit(s[1]) && isDigit(s[2]) && (len(s) == 3 || !isDigit(s[3]))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// maxReply bounds one reply line put together from wrapped lines, in bytes.
const maxReply = 16 << 10

// An assembler puts a reply line together that was wrapped over several lines
// of the page, looking at each byte a bounded number of times.
type assembler struct {
	s       string
	scanned int  // bytes already looked at
	opened  bool // the quote or bracket that has to close was seen
}

// add appends a line and reports whether the reply is whole now.
func (a *assembler) add(text string) bool {
	if a.s == "" {
		a.s = text
	} else {
		a.s += " " + text
	}
	if a.s == "" {
		return false
	}
	from := max(0, a.scanned-len("returned '  "))
	a.scanned = len(a.s)
	fresh := a.s[from:]
	switch {
	case a.s[0] == '#':
		return strings.Contains(fresh[min(1, len(fresh)):], "##") || strings.Contains(fresh, "#SMTP#")
	case a.s[0] == '<':
		return strings.HasSuffix(a.s, ">")
	}
	if !a.opened {
		_, _, a.opened = cutReturned(fresh)
	}
	return a.opened && (strings.HasSuffix(a.s, "'") || strings.HasSuffix(a.s, "’"))
}

// full reports whether no more lines should be taken in.
func (a *assembler) full() bool { return len(a.s) >= maxReply }

// cutReturned splits "... returned 'reply" before the quote. What introduces
// the quote is the English "returned" or, in an unknown wording, anything.
func cutReturned(s string) (before, reply string, ok bool) {
	if i := indexFold(s, "returned"); i >= 0 {
		after := strings.TrimLeft(s[i+len("returned"):], " ")
		for _, quote := range []string{"'", "‘", "’"} {
			if r, found := strings.CutPrefix(after, quote); found {
				return s[:i], r, true
			}
		}
	}
	if i := quotedReply(s); i >= 0 {
		return s[:i], strings.TrimPrefix(s[i+1:], "\x80\x98"), true
	}
	return "", "", false
}

// splitAttempt splits a line before a second attempt on it. The forms that
// start with "#" end by themselves.
func splitAttempt(s string) (head, tail string) {
	if strings.HasPrefix(s, "#") {
		return s, ""
	}
	if i := nextAttempt(s); i >= 0 {
		return s[:i+1], s[i+2:]
	}
	return s, ""
}

// nextAttempt returns the offset of a closing quote that another attempt
// follows on the same line, or -1. Re-rendering joins lines.
func nextAttempt(s string) int {
	for i := 0; i+2 < len(s); i++ {
		if s[i] == '\'' && s[i+1] == ' ' {
			rest := s[i+2:]
			if hasPrefixFold(rest, "remote server") {
				return i
			}
			if _, after, ok := localdate.Parse(rest); ok && strings.HasPrefix(after, "- ") {
				return i
			}
		}
	}
	return -1
}

// parseWire reads a whole reply line.
func parseWire(s string) wireLine {
	if strings.HasPrefix(s, "#") {
		return parseHash(s)
	}
	if strings.HasPrefix(s, "<") {
		w := wireLine{reply: s, host: angleHost(s)}
		if _, code, ok := strings.Cut(s, " #"); ok {
			w.status, _, _ = smtpcode.CutStatus(code)
		}
		return w
	}
	var w wireLine
	if _, rest, ok := localdate.Parse(s); ok {
		if after, dash := strings.CutPrefix(rest, "- "); dash {
			w.date = strings.TrimSpace(strings.TrimSuffix(s[:len(s)-len(rest)], " "))
			s = after
		}
	}
	before, reply, ok := cutReturned(s)
	if !ok {
		w.reply = s
		return w
	}
	w.reply = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(reply), "'"), "’")
	w.remote = hasPrefixFold(before, "remote")
	if i := indexFold(before, " at "); i >= 0 {
		w.host, w.ip, _ = hostAndIP(before[i+len(" at "):])
	}
	return w
}

// parseHash reads the forms that start with "#".
func parseHash(s string) wireLine {
	first := s // what precedes "##"
	if i := strings.Index(s[1:], "##"); i >= 0 {
		first = s[:i+1]
	}
	if i := strings.Index(first, "#SMTP#"); i >= 0 {
		end := i + len("#SMTP#")
		return wireLine{reply: s[:end], host: angleHost(s), remote: true, rest: strings.TrimSpace(s[end:])}
	}
	body, after, ok := strings.Cut(s[1:], "##")
	w := wireLine{reply: strings.TrimSpace(body)}
	if !ok {
		return w
	}
	if hasPrefixFold(after, "rfc822;") {
		addr, rest := cutToken(after)
		w.original, w.rest = bareAddress(addr), rest
		return w
	}
	w.rest = strings.TrimSpace(after)
	return w
}

// angleHost returns the host in "<host #5.7.1 smtp;...>".
func angleHost(s string) string {
	_, in, ok := strings.Cut(s, "<")
	if !ok {
		return ""
	}
	host, _ := cutToken(in)
	if isHostName(host) {
		return host
	}
	return ""
}

// replies reads the reply of a line, outermost first.
func (w wireLine) replies() []smtpcode.Reply { return smtpcode.ParseReplies(w.reply) }
