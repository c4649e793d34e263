package smtpcode

import (
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ParseReply reads one SMTP reply out of whatever a report wrapped around it,
// such as
//
//	Remote Server returned '550 5.1.1 ...'
//	#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##
//	host mx.example.net[192.0.2.1] said: 550 5.1.1 ... (in reply to RCPT TO command)
//
// Where one reply quotes another behind " -> " it returns the inner one, which
// the refusing server wrote. It never fails: a text that holds no code gives a
// reply with that text alone. See [ParseReplies] for all of them.
func ParseReply(s string) Reply {
	replies := ParseReplies(s)
	if len(replies) == 0 {
		return Reply{}
	}
	return replies[len(replies)-1]
}

// ParseReplies reads the replies of a text that reports one refusal, outermost
// first: what stands before " -> " was written by the server that reports,
// what follows by the one it quotes. Blank text gives none.
func ParseReplies(s string) []Reply {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil
	}
	if reply, ok := statusBehind(s); ok {
		return []Reply{reply}
	}
	segments := splitArrows(unwrap(s))
	if outer, inner, ok := cutQuoted(segments[len(segments)-1]); ok {
		segments = append(segments[:len(segments)-1], outer, inner)
	}
	replies := make([]Reply, len(segments))
	for i, segment := range segments {
		replies[i] = parseSegment(segment)
	}
	if len(replies) == 1 {
		replies[0].Raw = s
	}
	return replies
}

// FindReplies yields the replies that stand in running text, in order. It
// takes three digits for a reply code only where the text around them makes
// them one, and three numbers with dots for a status only where no address or
// version could stand.
func FindReplies(text string) iter.Seq[Reply] {
	return func(yield func(Reply) bool) {
		for from := 0; from < len(text); {
			start, ok := findReply(text, from)
			if !ok {
				return
			}
			end := replyEnd(text, start)
			reply := parseSegment(text[start:end])
			reply.Raw = text[start:end]
			if !yield(reply) {
				return
			}
			from = end
		}
	}
}

// unwrap takes off what reports put around a reply.
func unwrap(s string) string {
	// "#<host #5.7.1 smtp;530 5.7.1 ...> #SMTP#": the reply in the middle.
	if strings.HasPrefix(s, "#<") || strings.HasPrefix(s, "<") && strings.Contains(s, " #") {
		if i := indexFold(s, " smtp;"); i >= 0 {
			s = s[i+len(" smtp;"):]
			if j := strings.LastIndexByte(s, '>'); j >= 0 {
				s = s[:j]
			}
			return strings.TrimSpace(s)
		}
	}
	if i := indexFold(s, "returned '"); i >= 0 && i < 200 {
		s = strings.TrimSuffix(strings.TrimSpace(s[i+len("returned '"):]), "'")
	}
	s = strings.Trim(s, " \t\r\n\"")
	if rest, ok := strings.CutPrefix(s, "#"); ok && startsReply(rest) {
		s = rest
		if body, _, ok := strings.Cut(s, "##"); ok {
			s = body
		}
	}
	if !startsReply(s) {
		if start, ok := findReply(s, 0); ok {
			s = s[start:]
		}
	}
	return strings.TrimSpace(s)
}

// statusBehind reads a sentence that bears its status behind its words, as
// qmail's do: "Sorry, no mailbox here by that name. (#5.1.1)".
func statusBehind(s string) (Reply, bool) {
	if startsReply(s) {
		return Reply{}, false
	}
	start, ok := findReply(s, 0)
	if !ok {
		return Reply{}, false
	}
	ahead := strings.TrimRight(s[:start], "#")
	status, _, ok := CutStatus(s[start:])
	if !ok || ahead == "" || strings.IndexByte("([", ahead[len(ahead)-1]) < 0 || strings.Contains(s, "->") {
		return Reply{}, false
	}
	if words := strings.TrimRight(ahead, " \t\r\n(["); words == "" || words[len(words)-1] == ':' {
		return Reply{}, false // a wrapper's words
	}
	return Reply{Status: status, Text: unfold(s), Raw: s}, true
}

// trimType takes off a diagnostic type (RFC 3464 section 2.3.6) before a reply.
func trimType(s string) string {
	for _, kind := range [...]string{"smtp;", "x-unix;", "x-postfix;", "esmtp;"} {
		if len(s) > len(kind) && strings.EqualFold(s[:len(kind)], kind) {
			return strings.TrimSpace(s[len(kind):])
		}
	}
	return s
}

// startsReply reports whether s begins with a reply code or a status.
func startsReply(s string) bool {
	s = strings.TrimLeft(trimType(s), "# ")
	if _, rest, ok := cutCode(s); ok {
		return rest == "" || rest[0] == ' ' || rest[0] == '-' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r' || rest[0] == '#' || rest[0] == ','
	}
	_, _, ok := CutStatus(s)
	return ok
}

// cutCode reads a reply code (RFC 5321 section 4.2.1) at the start of s.
func cutCode(s string) (code int, rest string, ok bool) {
	if len(s) < 3 || s[0] < '2' || s[0] > '5' || !isDigit(s[1]) || !isDigit(s[2]) {
		return 0, s, false
	}
	if len(s) > 3 && (isDigit(s[3]) || s[3] == '.' || isLetter(s[3])) {
		return 0, s, false
	}
	return int(s[0]-'0')*100 + int(s[1]-'0')*10 + int(s[2]-'0'), s[3:], true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// parseSegment reads code, status and text, and joins the lines of a reply of
// several lines, whether the line breaks survived or became blanks.
func parseSegment(s string) Reply {
	reply := Reply{Raw: s}
	rest := strings.TrimLeft(trimType(s), "# ")
	code, after, ok := cutCode(rest)
	if ok {
		reply.Code = code
		if said, quoted := strings.CutPrefix(after, "-'"); quoted {
			after = strings.TrimSuffix(said, "'")
		}
		rest = untupled(strings.TrimLeft(after, " -\t\r\n#,:"))
	}
	if status, after, ok := CutStatus(strings.TrimLeft(rest, "<([# ")); ok {
		reply.Status = status
		rest = untupled(strings.TrimLeft(after, " \t\r\n:;-])>"))
	}
	reply.Text = unfold(withoutStatuses(joinLines(rest, s, reply), reply.Status))
	if reply.Code != 0 && reply.Status.IsZero() {
		reply.Status = statusAtEnd(reply.Text, reply.Code/100)
	}
	return reply
}

// untupled takes off what programs write around the text of a reply: Python,
// where it prints the pair its smtplib has, "(550, b'5.1.1 ...')", and Go,
// where it prints the error of net/smtp.
func untupled(s string) string {
	text := s
	if strings.HasPrefix(text, "b'") || strings.HasPrefix(text, `b"`) {
		text = text[1:]
	}
	if text == "" || text[0] != '\'' && text[0] != '"' {
		return s
	}
	if end := strings.LastIndex(text, text[:1]+")"); end > 0 {
		return text[1:end]
	}
	// Go's net/textproto: 550 "5.1.1 ...". The quotes at the end may be gone.
	if text[0] == '"' && utf8.ValidString(text) {
		inner := strings.TrimRight(text[1:], `"`)
		if strings.HasSuffix(inner, `\`) {
			inner += `"`
		}
		if unquoted, err := strconv.Unquote(`"` + inner + `"`); err == nil {
			return unquoted
		}
	}
	if end := len(text) - 1; end > 0 && text[end] == text[0] && strings.Count(text, text[:1]) == 2 {
		return text[1:end]
	}
	return s
}

// joinLines takes the repeated code and status of a reply's later lines out.
func joinLines(text, raw string, reply Reply) string {
	if reply.Code == 0 || len(raw) < 3 {
		return text
	}
	digits := string([]byte{byte('0' + reply.Code/100), byte('0' + reply.Code/10%10), byte('0' + reply.Code%10)})
	if !strings.Contains(text, digits) {
		return text
	}
	status := reply.Status.String()
	// "550-one 550 two": a hyphen announces more lines, the last has none.
	several := strings.HasPrefix(strings.TrimLeft(trimType(raw), "# "), digits+"-")
	var b strings.Builder
	last := 0
	for from := 0; ; {
		i := strings.Index(text[from:], digits)
		if i < 0 {
			break
		}
		i += from
		from = i + len(digits)
		end := i + len(digits)
		if i == 0 || !isSpace(text[i-1]) || end >= len(text) || text[end] != '-' && text[end] != ' ' {
			continue
		}
		goesOn := text[end] == '-'
		end++
		switch atLineStart := text[i-1] == '\n' || text[i-1] == '\r'; {
		case status != "" && strings.HasPrefix(text[end:], status):
			end += len(status)
		case atLineStart, goesOn && (several || status == ""):
		case several && !goesOn:
			several = false // this was the last line
		default:
			continue
		}
		b.WriteString(text[last:i])
		last, from = end, end
	}
	b.WriteString(text[last:])
	return b.String()
}

// withoutStatuses takes out the status repeated at the start of the later
// lines of a reply whose codes are gone, as in the Msg of a textproto.Error.
func withoutStatuses(text string, status Status) string {
	if status.IsZero() || strings.IndexByte(text, '\n') < 0 {
		return text
	}
	again := status.String() + " "
	var b strings.Builder
	for i, line := range strings.SplitAfter(text, "\n") {
		if i > 0 {
			line = strings.TrimPrefix(line, again)
		}
		b.WriteString(line)
	}
	return b.String()
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// unfold makes every run of blanks and line breaks one blank.
func unfold(s string) string {
	clean := true
	for i := 0; i < len(s); i++ {
		if s[i] == '\t' || s[i] == '\r' || s[i] == '\n' || s[i] == ' ' && (i == 0 || s[i-1] == ' ' || i == len(s)-1) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// beforeCode are the bytes after which three digits may be a reply code even
// without a status behind them.
const beforeCode = "'\"(;#>\n\r"

// findReply returns where the next reply in text begins, from on.
func findReply(text string, from int) (start int, ok bool) {
	for i := from; i < len(text); i++ {
		c := text[i]
		if c < '2' || c > '5' {
			continue
		}
		if i > 0 && (isDigit(text[i-1]) || isLetter(text[i-1]) || strings.IndexByte(".-_@/=+", text[i-1]) >= 0) {
			continue
		}
		if i > 1 && text[i-1] == '#' && (isDigit(text[i-2]) || isLetter(text[i-2])) {
			continue // a place in a page: "docs/DOC-1369#550 [...]"
		}
		if strong := i == 0 || strings.IndexByte(beforeCode, text[i-1]) >= 0 || endsWithColon(text[:i]); replyAt(text[i:], strong) {
			return i, true
		}
	}
	return 0, false
}

func endsWithColon(s string) bool {
	s = strings.TrimRight(s, " \t")
	return s == "" || s[len(s)-1] == ':' || s[len(s)-1] == '\n'
}

// replyAt reports whether s begins with a reply. strong says that what stands
// before announces one.
func replyAt(s string, strong bool) bool {
	if code, rest, ok := cutCode(s); ok && code%100 < 80 && code >= 400 {
		if rest == "" {
			return strong
		}
		if _, _, ok := CutStatus(strings.TrimLeft(rest, " -#(:,")); ok {
			return true
		}
		if rest[0] == ',' || rest[0] == ':' { // "550, text": a blank tells it from "550:1" and "550,000"
			rest = rest[1:]
		}
		return strong && rest != "" && (rest[0] == ' ' || rest[0] == '-')
	}
	if !strong {
		return false
	}
	st, rest, ok := CutStatus(s)
	return ok && st.Class() != ClassSuccess && (rest == "" || strings.IndexByte(" \t\r\n:;,)>-'", rest[0]) >= 0)
}

// replyEnd returns where the reply that begins at start ends: at the quote
// that opened before it, else at the end of the line unless the next line goes
// on with the same code, else before the next reply.
func replyEnd(text string, start int) int {
	if start > 0 && (text[start-1] == '\'' || text[start-1] == '"') {
		if i := strings.IndexByte(text[start:], text[start-1]); i > 0 {
			return start + i
		}
	}
	code := ""
	if _, _, ok := cutCode(text[start:]); ok {
		code = text[start : start+3]
	}
	end := start
	for {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			return len(text)
		}
		end += i
		if code == "" || !strings.HasPrefix(text[end+1:], code) {
			return end
		}
		end++
	}
}

// indexFold is strings.Index without regard to ASCII case; sub is lower case.
func indexFold(s, sub string) int {
	for i := 0; i+len(sub) <= len(s); i++ {
		if s[i]|0x20 == sub[0]|0x20 && strings.EqualFold(s[i:i+len(sub)], sub) {
			return i
		}
	}
	return -1
}

func containsFold(s, sub string) bool { return indexFold(s, sub) >= 0 }
