package dsn

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mailfault/mailfault/internal/mime"
	"github.com/mailfault/mailfault/smtpcode"
)

// textReader reads recipients and replies out of a text for people.
type textReader struct {
	header    mime.Header
	format    *textFormat
	seen      seen   // phrases in head
	intro     int    // where the first introduction to a list ends in top, 0 for none
	daemon    bool   // From is a mail system
	asked     bool   // the caller says that the text is a report
	head      string // From, Subject, X-Mailer and the text's beginning in lower case, to find a format by
	subject   string // in lower case
	top       string // the text's beginning in lower case, blanks made one
	lines     []textLine
	copied    string   // the copy of the returned message behind the text
	failed    []string // of X-Failed-Recipients and its like
	sender    string   // whom the report went to
	found     []textRecipient
	at        map[string]int // index of found by address in lower case
	failedSet map[string]bool
	madeOf    map[string]int // index of found by the address it was generated from
	reasoned  bool           // a label announces what is said of a recipient without an address
	derived   bool           // the recipient was taken from the returned message's To
	turns     bool           // a mark stands in the text that a client's commands have in some logs
}

type textLine struct {
	text   string // without blanks at its ends
	lower  string
	indent int
	at     int // where it begins in textReader.top
}

// newTextReader looks at a text. It takes limit recipients of the header, and
// one more, for that is too many.
func newTextReader(h mime.Header, text string, limit int) *textReader {
	t := &textReader{header: h, sender: strings.ToLower(bareAddress(h.Get("To"))), daemon: fromDaemon(h)}
	var head strings.Builder
	head.Grow(512 + min(len(text), maxTextHead/4))
	for _, name := range [...]string{"from", "subject", "x-mailer"} {
		head.WriteString(name)
		head.WriteString(": ")
		value := unlabelled(mime.DecodeWords(h.Get(name)))
		value = appendLower(&head, value[:min(len(value), maxTextHead)])
		if name == "subject" {
			t.subject = value
		}
		head.WriteByte('\n')
	}
	t.turns = containsAny(text, clientMarks)
	from := head.Len()
	end := t.split(text, &head)
	t.head = head.String()[:end]
	t.top = t.head[from:]
	t.seen = textMarks().look(t.head, from)
	t.intro = max(0, t.seen.intro-from)
	t.format = textMarks().format(&t.seen)
	t.failedIn(h, limit)
	return t
}

// unlabelled takes what filters write before a subject off it.
func unlabelled(subject string) string {
	for {
		before := len(subject)
		for _, label := range filterLabels {
			if hasPrefixFold(subject, label) {
				subject = strings.TrimLeft(subject[len(label):], " :")
			}
		}
		if len(subject) == before {
			return subject
		}
	}
}

// failedIn takes the recipients that fields of the header name.
func (t *textReader) failedIn(h mime.Header, limit int) {
	for _, name := range failedFields {
		for _, value := range h.All(name) {
			for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
				address, n := cutAddress(part)
				key := strings.ToLower(address)
				if n == 0 || t.failedSet[key] {
					continue
				}
				if t.failedSet == nil {
					t.failedSet = make(map[string]bool)
				}
				t.failedSet[key] = true
				t.failed = append(t.failed, address)
				if len(t.failed) > limit {
					return
				}
			}
		}
	}
}

// failedFields name failed recipients in the header of a report: Exim and
// Google, Sendgrid-like platforms, iPlanet.
var failedFields = [...]string{"X-Failed-Recipients", "X-Failed-Recipient", "Failed-Recipients", "X-Bounce-Recipient", "X-Undelivered-To"}

// maxBlank is how many blank lines are kept together: no rule looks farther, and
// a line takes more memory than its line break.
const maxBlank = 8

// split cuts the text into lines, up to the copy of the returned message, and
// adds them to head in lower case, with a blank behind each, as far as head is
// to reach: up to the end that it returns.
func (t *textReader) split(text string, head *strings.Builder) (end int) {
	from := head.Len()
	t.lines = make([]textLine, 0, min(strings.Count(text, "\n")+1, 40))
	var beyond strings.Builder // lines in lower case that are not in head as they stand
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		raw := text[at : at+end]
		next := min(at+end+1, len(text))
		line := strings.TrimSpace(raw)
		l := textLine{text: line, indent: len(raw) - len(strings.TrimLeft(raw, " \t")), at: head.Len() - from}
		switch {
		case line == "":
		case l.at > maxTextHead:
			l.lower = appendLower(&beyond, line)
		case isSingleLine(line):
			l.lower = appendLower(head, line)
			head.WriteByte(' ')
		default:
			l.lower = appendLower(&beyond, line)
			head.WriteString(singleLine(l.lower))
			head.WriteByte(' ')
		}
		switch {
		case beginsCopy(l.lower):
			t.copied = text[next:]
			return from + l.at
		case l.indent == 0 && beginsHeader(raw):
			t.copied = text[at:]
			return from + l.at
		case l.indent == 0 && beginsFooter(line, text[next:]):
			return from + l.at
		}
		if n := len(t.lines); line == "" && n >= maxBlank && !slices.ContainsFunc(t.lines[n-maxBlank:], func(l textLine) bool { return l.text != "" }) {
			at = next
			continue
		}
		if len(t.lines) == cap(t.lines) { // a long text: room for all of it at once
			t.lines = slices.Grow(t.lines, min(strings.Count(text[at:], "\n")+1, max(1<<10, len(t.lines))))
		}
		t.lines = append(t.lines, l)
		at = next
	}
	return head.Len()
}

// beginsFooter reports whether a line is the rule above what a mailing list
// writes below every text, by what follows it.
func beginsFooter(line, after string) bool {
	if len(line) < 20 || strings.Trim(line, "_") != "" {
		return false
	}
	after, _, _ = strings.Cut(after, "\n")
	return strings.HasSuffix(strings.ToLower(strings.TrimSpace(after)), " mailing list")
}

// isSingleLine reports whether s is ASCII and nothing but single blanks stand
// between its words.
func isSingleLine(s string) bool {
	blank := true
	for i := range len(s) {
		c := s[i]
		if c > ' ' && c < utf8.RuneSelf {
			blank = false
			continue
		}
		if c != ' ' || blank {
			return false
		}
		blank = true
	}
	return !blank
}

// singleLine returns s with what stands between its words made one blank each.
func singleLine(s string) string {
	if isSingleLine(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// appendLower writes s in lower case and returns what it wrote, which shares
// the builder's memory.
func appendLower(b *strings.Builder, s string) string {
	if b.Cap() == 0 {
		b.Grow(1 << 10)
	}
	from := b.Len()
	var block [128]byte
	for s != "" {
		n := min(len(s), len(block))
		for i := range n {
			c := s[i]
			if c >= utf8.RuneSelf {
				b.Write(block[:i])
				b.WriteString(strings.ToLower(s[i:]))
				return b.String()[from:]
			}
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			block[i] = c
		}
		b.Write(block[:n])
		s = s[n:]
	}
	return b.String()[from:]
}

// beginsCopy reports whether a line announces the returned message.
func beginsCopy(lower string) bool {
	if len(lower) > 120 || lower == "" {
		return false
	}
	const rule = "-*=_+#~<>[]:. \t" // what lines and frames are drawn with
	line := lower
	for line != "" && strings.IndexByte(rule, line[0]) >= 0 {
		line = line[1:]
	}
	for line != "" && strings.IndexByte(rule, line[len(line)-1]) >= 0 {
		line = line[:len(line)-1]
	}
	if line == "" {
		return false
	}
	for _, mark := range returnedByFirst()[line[0]] {
		if prefix, ok := strings.CutSuffix(mark, "*"); ok {
			if strings.HasPrefix(line, prefix) && len(line) < len(prefix)+60 {
				return true
			}
		} else if line == mark {
			return true
		}
	}
	return false
}

// returnedByFirst is returnedLines by first byte: every line of every text is
// held against them.
var returnedByFirst = sync.OnceValue(func() *[256][]string {
	var table [256][]string
	for _, mark := range returnedLines {
		table[mark[0]] = append(table[mark[0]], mark)
	}
	return &table
})

// beginsHeader reports whether a line is a field that begins a message's header.
func beginsHeader(line string) bool {
	if line == "" || strings.IndexByte("FfRrXxDd", line[0]) < 0 {
		return false // most lines
	}
	for _, name := range [...]string{"Received:", "Return-Path:", "X-Received:", "DKIM-Signature:", "X-Originating-IP:", "X-Envelope-From:", "Delivered-To:"} {
		if len(line) > len(name) && strings.EqualFold(line[:len(name)], name) {
			return true
		}
	}
	return strings.HasPrefix(line, "From ") && strings.Count(line, ":") >= 2 && strings.Contains(line, "@") || strings.HasPrefix(line, "From MAILER-DAEMON ")
}

func containsAny(s string, words []string) bool {
	for _, word := range words {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// action is what became of the message.
func (t *textReader) action() smtpcode.Action {
	if t.format.action != 0 {
		return t.format.action
	}
	if t.seen.delay > 0 {
		return smtpcode.Delayed
	}
	switch {
	case !t.seen.handedOn && !t.seen.success, t.refused():
	case t.seen.handedOn:
		return smtpcode.Relayed
	case t.seen.success:
		return smtpcode.Delivered
	}
	return smtpcode.Failed
}

// refused reports whether a server's refusal is said of a recipient.
func (t *textReader) refused() bool {
	return slices.ContainsFunc(t.found, func(f textRecipient) bool {
		reply, _, ok := replyIn(f.about)
		return ok && (reply.Code >= 400 || reply.Status.Class() >= 4)
	})
}

// reporter returns the host that says it wrote the report.
func (t *textReader) reporter() string {
	lines := t.lines[:min(len(t.lines), 20)]
	if len(lines) == 0 || !t.seen.reporter && lines[len(lines)-1].at <= maxTextHead {
		return "" // all of them were looked through
	}
	for i := range lines {
		l := &t.lines[i]
		for _, phrase := range reporterPhrases {
			at := strings.Index(l.lower, phrase)
			if at < 0 || len(l.lower) != len(l.text) {
				continue
			}
			rest := l.text[at+len(phrase):]
			if phrase == "this is the dragonfly mail agent" {
				_, rest, _ = strings.Cut(rest, " at ")
			}
			word, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
			if word = strings.Trim(word, ".,:;<>()"); isHost(word) {
				return word
			}
		}
	}
	return ""
}
