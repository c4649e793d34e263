package dsn

import (
	"strings"
	"sync"

	"github.com/mailfault/mailfault/smtpcode"
)

// candidate is a line that names a recipient.
type candidate struct {
	line    int
	named   bool   // by a sentence, which may be all there is about it
	address string // "" where Exim names a pipe or a file
	rest    string // of the line
	shape   lineShape
}

// lineShape is what the lines of one list of recipients share. An address in
// another shape belongs to the text about a recipient.
type lineShape struct {
	indent int
	open   byte // the bracket or quote before the address
	after  byte // 'b' for nothing, else the byte after it
}

// readRecipients finds the recipients and the text about each.
func (t *textReader) readRecipients() {
	list, transcript := t.listed()
	if len(list) == 0 {
		list = t.named(transcript)
	}
	list = t.withHeader(list)
	t.describe(list, transcript)
	t.readTranscript(transcript)
	if len(t.found) == 0 {
		t.nearReply()
	}
	t.shareReasons()
}

// listed reads lines that begin with an address, up to a transcript.
func (t *textReader) listed() (list []candidate, transcript int) {
	transcript = t.turnsFrom()
	introduced, last := t.introduced(), ""
	var locked *lineShape
	for i := range t.lines[:transcript] {
		l := &t.lines[i]
		if l.lower == "" {
			continue
		}
		if strings.Contains(l.lower, "transcript of session") || l.lower == "-------smtp command" {
			return list, i
		}
		armed := i > introduced
		lead, mark := undecorated(l.text)
		if address, n := cutAddress(lead); n > 0 {
			c := candidate{line: i, address: address, rest: strings.TrimSpace(lead[n:])}
			c.shape = lineShape{indent: l.indent, open: mark}
			if lead[0] == '<' || lead[0] == '"' || lead[0] == '\'' {
				c.shape.open = lead[0]
			}
			c.shape.after = 'b'
			if c.rest != "" {
				c.shape.after = c.rest[0]
				if isLocal(c.rest[0]) {
					c.shape.after = 'w'
				}
			}
			again := len(list) > 0 && strings.EqualFold(list[len(list)-1].address, address)
			if !again && (locked == nil || *locked == c.shape || t.failedSet[strings.ToLower(address)]) && t.accepts(&c, armed, last) {
				locked = &c.shape
				list = append(list, c)
			}
		} else if t.format.textCounts && armed && l.indent == 2 && i+1 < len(t.lines) && t.lines[i+1].indent >= 4 {
			list = append(list, candidate{line: i, address: t.pipedFrom(i + 1)})
		}
		last = l.lower
	}
	return list, transcript
}

// pipedFrom returns the address that Exim says a pipe or a file stands for:
// "(generated from ann@example.net)" in the next line.
func (t *textReader) pipedFrom(line int) string {
	address, _ := generatedFrom(&t.lines[line])
	return address
}

// introduced returns the line in which the first list of failed addresses is
// introduced, within the text's beginning; past the last line when none is.
func (t *textReader) introduced() int {
	if t.intro == 0 {
		return len(t.lines)
	}
	for i := range t.lines {
		if t.lines[i].at >= t.intro {
			return i - 1
		}
	}
	return len(t.lines) - 1
}

// undecorated takes a list's marks off a line.
func undecorated(s string) (string, byte) {
	if s == "" || 'A' <= s[0] && s[0] <= 'Z' {
		return s, 0 // most lines
	}
	for _, mark := range [...]string{"* ", "- ", "-- ", "-> ", ">>> ", "• ", "· ", "o ", "+ "} {
		if strings.HasPrefix(s, mark) && len(s) > len(mark) {
			return strings.TrimLeft(s[len(mark):], " "), mark[0]
		}
	}
	return s, 0
}

// accepts reports whether a line that begins with an address names a recipient.
func (t *textReader) accepts(c *candidate, armed bool, last string) bool {
	if endsInReply(last) {
		return false
	}
	if t.failedSet[strings.ToLower(c.address)] {
		return true
	}
	if endsIn(last, notRecipients) {
		return false
	}
	if c.shape.after == 'w' || c.shape.after == ',' || c.shape.after >= 0x80 {
		if !armed || strings.EqualFold(c.address, t.sender) {
			return false
		}
		return c.shape.after != 'w' || t.format.name != "" || strings.HasPrefix(c.rest, "...") || strings.HasPrefix(c.rest, "on ") || strings.HasPrefix(c.rest, "- ") || strings.HasPrefix(c.rest, "at ")
	}
	if armed || c.shape.open == '<' && c.shape.after == ':' {
		return true
	}
	if strings.EqualFold(c.address, t.sender) {
		return false
	}
	if c.shape.after == ':' && len(c.rest) > 2 {
		return hasReply(c.rest) || t.format.name != ""
	}
	return c.shape.after == 'b' && (t.format.name != "" || t.replyFollows(c.line))
}

// endsInReply reports whether a line ends in the codes of a server's reply, so
// that the next line goes on with its text.
func endsInReply(line string) bool {
	at := max(strings.LastIndexByte(line, ' '), 0)
	word := strings.TrimSpace(line[at:])
	if _, rest, ok := smtpcode.CutStatus(word); ok && rest == "" {
		at = max(strings.LastIndexByte(line[:at], ' '), 0)
		word = strings.TrimSpace(strings.TrimSuffix(line[at:], word))
	}
	return len(word) == 3 && (word[0] == '4' || word[0] == '5') && smtpcode.ParseReply(word+" x").Code > 0
}

// replyFollows reports whether a server's reply stands in the next lines.
func (t *textReader) replyFollows(line int) bool {
	for i := line + 1; i < min(line+5, len(t.lines)); i++ {
		if hasReply(t.lines[i].text) {
			return true
		}
	}
	return false
}

func endsIn(lower string, words []string) bool {
	lower = strings.TrimRight(lower, " <")
	for _, word := range words {
		if before, ok := strings.CutSuffix(lower, word); ok && (before == "" || before[len(before)-1] == ' ' || before[len(before)-1] == ',') {
			return true
		}
	}
	return false
}

func contains(list []string, s string) bool {
	for _, have := range list {
		if strings.EqualFold(have, s) {
			return true
		}
	}
	return false
}

// named reads sentences that name the failed address.
func (t *textReader) named(end int) (list []candidate) {
	for i := range end {
		l := &t.lines[i]
		if strings.IndexByte(l.text, '@') < 0 || len(l.lower) != len(l.text) {
			continue
		}
		for from := 0; from < len(l.text); {
			address, start, stop := findAddress(l.text[from:])
			if start < 0 {
				break
			}
			start, stop, from = start+from, stop+from, stop+from
			before := strings.TrimRight(l.lower[:start], " <\"'(:")
			if start < 3 && i > 0 {
				before = t.lines[i-1].lower
			}
			if !endsInSentence(before) {
				continue
			}
			if len(list) > 0 && strings.EqualFold(list[len(list)-1].address, address) {
				continue // the sentence goes on about him
			}
			list = append(list, candidate{line: i, named: true, address: address, rest: strings.TrimLeft(l.text[stop:], " >).,;:]")})
			break
		}
	}
	return list
}

// endsInSentence reports whether text before an address names it as failed.
func endsInSentence(before string) bool {
	before = strings.TrimRight(before, " <\"'(:：")
	if before == "" {
		return false
	}
	for _, s := range sentencesByLast()[before[len(before)-1]] {
		if strings.HasSuffix(before, s) {
			return true
		}
	}
	return false
}

// sentencesByLast is sentences, without what stands before an address, by last
// byte: the text before every address is held against them.
var sentencesByLast = sync.OnceValue(func() *[256][]string {
	var table [256][]string
	for _, s := range sentences {
		s = strings.TrimRight(s, ":<： ")
		table[s[len(s)-1]] = append(table[s[len(s)-1]], s)
	}
	return &table
})

// withHeader joins what the header names with what the text does.
func (t *textReader) withHeader(list []candidate) []candidate {
	named := make(map[string]bool, len(list))
	for _, c := range list {
		named[strings.ToLower(c.address)] = true
	}
	var missing []string
	for _, address := range t.failed {
		if !named[strings.ToLower(address)] {
			missing = append(missing, address)
		}
	}
	var out []candidate
	plain := 0
	for _, c := range list {
		if c.address == "" {
			if len(missing) == 0 {
				continue
			}
			c.address, missing = missing[0], missing[1:]
		} else if len(t.failed) > 0 && !t.format.textCounts && !t.failedSet[strings.ToLower(c.address)] {
			continue
		} else {
			plain++
		}
		out = append(out, c)
	}
	if t.format.textCounts && plain > 0 {
		return out
	}
	for _, address := range missing {
		out = append(out, candidate{line: -1, address: address})
	}
	return out
}

// describe gives each recipient the text up to the next one.
func (t *textReader) describe(list []candidate, end int) {
	for k, c := range list {
		stop := end
		if k+1 < len(list) && list[k+1].line > c.line {
			stop = list[k+1].line
		}
		f := textRecipient{address: c.address, line: c.line}
		if c.line >= 0 {
			f.about, f.original = t.about(c, stop)
			f.before, _, _ = strings.Cut(t.lines[c.line].text, c.address)
			if t.format.before {
				f.about = t.paragraphBefore(c.line)
			}
			if f.about == "" && t.format.above {
				f.about = t.paragraphAbove(c.line)
			}
		} else if len(list) == 1 {
			f.about = t.firstReply(end)
		}
		t.add(f)
	}
}

// add keeps a recipient once.
func (t *textReader) add(f textRecipient) {
	if i := t.index(f.address); i >= 0 {
		if t.found[i].about == "" {
			t.found[i].about = f.about
		}
		return
	}
	if t.at == nil {
		t.at = make(map[string]int)
	}
	t.at[strings.ToLower(f.address)] = len(t.found)
	t.found = append(t.found, f)
}

// about gathers the text about the recipient of a line, up to stop.
func (t *textReader) about(c candidate, stop int) (about, original string) {
	var b strings.Builder
	rest := strings.TrimLeft(c.rest, " :;")
	if c.rest != "" && c.rest[0] == '<' {
		rest = "" // the address again
	}
	if strings.HasPrefix(rest, "on ") && t.format.name == "exchange-2003" {
		rest = ""
	}
	b.WriteString(rest)
	content := strings.Trim(rest, ".") != ""
	for i := c.line + 1; i < min(stop, c.line+60); i++ {
		l := &t.lines[i]
		if closes(l.lower) && !t.continues(i, c.line) {
			if content || c.named && c.rest == "" && strings.HasSuffix(t.lines[c.line].text, ".") {
				break // the sentence says it all, and what follows is advice
			}
			b.WriteString("\n")
			continue
		}
		if address, ok := generatedFrom(l); ok {
			original = address
			continue
		}
		if strings.HasPrefix(l.text, ">>> ") {
			continue
		}
		text, _ := undecorated(strings.TrimPrefix(l.text, "<<< "))
		b.WriteByte('\n')
		b.WriteString(text)
		content = content || text != "" && !contains(reasonLabels, text)
		if b.Len() > 4*maxTextReason {
			break
		}
	}
	if original == "" {
		original, _ = generatedFrom(&textLine{text: rest, lower: strings.ToLower(rest)})
	}
	return t.reason(strings.TrimSpace(b.String()), c), original
}

// fromReturned takes the recipient from the To of the returned message, where
// it has only one address.
func (t *textReader) fromReturned(returned *Returned) {
	if returned == nil {
		return
	}
	for _, name := range [...]string{"X-Envelope-To", "To"} {
		value := returned.Header.Get(name)
		address, start, end := findAddress(value)
		if start < 0 {
			continue
		}
		if _, second, _ := findAddress(value[end:]); second >= 0 {
			return
		}
		about := t.firstReply(len(t.lines))
		if about == "" {
			about = t.reasonBehind()
		}
		if about == "" {
			about = t.reasonOfLocal(address)
		}
		t.found = append(t.found, textRecipient{address: address, line: -1, about: about})
		t.derived = true
		return
	}
}
