package dsn

import (
	"strings"
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
	transcript = len(t.lines)
	introduced, last := t.introduced(), ""
	var locked *lineShape
	for i := range t.lines {
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
			list = append(list, candidate{line: i})
		}
		last = l.lower
	}
	return list, transcript
}

// introduced returns the line in which the first list of failed addresses is
// introduced, within the text's beginning; past the last line when none is.
func (t *textReader) introduced() int {
	first := len(t.top)
	for _, phrase := range introductions {
		if i := strings.Index(t.top[:first], phrase); i >= 0 {
			first = i + len(phrase) - 1
		}
	}
	if first == len(t.top) {
		return len(t.lines)
	}
	for i := range t.lines {
		if t.lines[i].at > first {
			return i - 1
		}
	}
	return len(t.lines) - 1
}

// undecorated takes a list's marks off a line.
func undecorated(s string) (string, byte) {
	for _, mark := range [...]string{"* ", "- ", "-- ", ">>> ", "• ", "· ", "o ", "+ "} {
		if strings.HasPrefix(s, mark) && len(s) > len(mark) {
			return strings.TrimLeft(s[len(mark):], " "), mark[0]
		}
	}
	return s, 0
}

// accepts reports whether a line that begins with an address names a recipient.
func (t *textReader) accepts(c *candidate, armed bool, last string) bool {
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
		return c.shape.after != 'w' || t.format.name != "" || strings.HasPrefix(c.rest, "...") || strings.HasPrefix(c.rest, "on ") || strings.HasPrefix(c.rest, "- ")
	}
	if armed || c.shape.open == '<' && c.shape.after == ':' {
		return true
	}
	if strings.EqualFold(c.address, t.sender) {
		return false
	}
	if c.shape.after == ':' && len(c.rest) > 2 {
		_, _, ok := replyIn(c.rest)
		return ok || t.format.name != ""
	}
	return c.shape.after == 'b' && (t.format.name != "" || t.replyFollows(c.line))
}

// replyFollows reports whether a server's reply stands in the next lines.
func (t *textReader) replyFollows(line int) bool {
	for i := line + 1; i < min(line+5, len(t.lines)); i++ {
		if _, _, ok := replyIn(t.lines[i].text); ok {
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
			if endsIn(before, notRecipients) && !endsInSentence(before) || !endsInSentence(before) {
				continue
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
	for _, s := range sentences {
		if strings.HasSuffix(before, strings.TrimRight(s, ":<： ")) {
			return true
		}
	}
	return false
}

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
			if t.format.before {
				f.about = t.paragraphBefore(c.line)
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
		if closes(l.lower) {
			if content {
				break
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

func closes(lower string) bool {
	for _, word := range closingLines {
		if strings.HasPrefix(lower, word) {
			return true
		}
	}
	return false
}

// generatedFrom reads "(generated from a@example.net)" and "(expanded from: <a>)".
func generatedFrom(l *textLine) (string, bool) {
	if len(l.lower) > 300 {
		return "", false
	}
	for _, phrase := range [...]string{"generated from ", "expanded from", "generated by "} {
		if i := strings.Index(l.lower, phrase); i >= 0 && i < 16 && len(l.lower) == len(l.text) {
			address, _, _ := findAddress(l.text[i:])
			return address, true
		}
	}
	return "", false
}

// reason picks, out of the text about a recipient, the paragraph with the
// server's reply, else the one a label announces, else the first.
func (t *textReader) reason(about string, c candidate) string {
	about = rewrite.Replace(about)
	if _, _, ok := replyIn(about); ok {
		return about
	}
	paragraphs := strings.Split(about, "\n\n")
	for i, p := range paragraphs {
		lower := strings.ToLower(strings.TrimSpace(p))
		for _, label := range reasonLabels {
			if !strings.HasPrefix(lower, label) || len(lower) != len(strings.TrimSpace(p)) {
				continue
			}
			if rest := strings.TrimSpace(strings.TrimSpace(p)[len(label):]); rest != "" {
				return rest
			}
			if i+1 < len(paragraphs) {
				return paragraphs[i+1]
			}
		}
	}
	first := strings.TrimSpace(paragraphs[0])
	if c.named && (strings.Trim(first, ".") == "" || first[0] == '(') {
		return t.lines[c.line].text // a sentence that says it all
	}
	if strings.HasPrefix(first, "[") && strings.HasSuffix(first, "]") {
		return first[1 : len(first)-1]
	}
	return first
}

// rewrite makes replies of forms that hide their code.
var rewrite = strings.NewReplacer("Address, ERROR_CODE :", "Address: ", ", ERROR_CODE :", " ", "ResponseCode ", "reply: ", ", ,", " ")

// paragraphBefore returns the text before a line, up to a blank line.
func (t *textReader) paragraphBefore(line int) string {
	start := line
	for start > 0 && t.lines[start-1].text != "" && line-start < 10 {
		start--
	}
	var b strings.Builder
	for i := start; i < line; i++ {
		b.WriteString(t.lines[i].text)
		b.WriteByte('\n')
	}
	return b.String()
}

// firstReply returns the lines from the first reply in the text on.
func (t *textReader) firstReply(end int) string {
	for i := range end {
		if strings.ContainsAny(t.lines[i].text, "45") {
			if _, text, ok := replyIn(t.lines[i].text); ok {
				return text
			}
		}
	}
	return ""
}

// nearReply takes the address nearest to a reply where nothing names one.
func (t *textReader) nearReply() {
	if t.format.name == "" && !fromDaemon(t.header) {
		return
	}
	for i := range t.lines {
		if _, _, ok := replyIn(t.lines[i].text); !ok {
			continue
		}
		for _, j := range [...]int{i, i - 1, i + 1, i - 2, i + 2} {
			if j < 0 || j >= len(t.lines) {
				continue
			}
			address, start, _ := findAddress(t.lines[j].text)
			if start < 0 || strings.EqualFold(address, t.sender) || endsIn(strings.ToLower(t.lines[j].text[:start]), notRecipients) {
				continue
			}
			_, text, _ := replyIn(t.lines[i].text)
			t.add(textRecipient{address: address, line: j, about: text})
			return
		}
	}
}

// shareReasons gives recipients of a list the reason behind the list.
func (t *textReader) shareReasons() {
	for i := len(t.found) - 2; i >= 0; i-- {
		f, next := &t.found[i], &t.found[i+1]
		if f.about == "" && next.about != "" && next.line == f.line+1 && !strings.Contains(next.about, next.address) {
			f.about, f.host = next.about, next.host
		}
	}
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
		t.found = append(t.found, textRecipient{address: address, line: -1, about: t.firstReply(len(t.lines))})
		t.derived = true
		return
	}
}

// readTranscript reads an SMTP dialogue: what the server said to whom.
func (t *textReader) readTranscript(from int) {
	if from == len(t.lines) {
		if !t.format.transcript {
			return
		}
		from = 0
	}
	listed := len(t.found)
	host, server, first := "", "", ""
	var asked []string
	for i := from; i < len(t.lines); i++ {
		l := &t.lines[i]
		text := strings.TrimLeft(l.text, ".> ")
		lower := strings.TrimLeft(l.lower, ".> ")
		if name, ok := strings.CutPrefix(lower, "while talking to "); ok {
			host, server = strings.Trim(name, ":. "), ""
			continue
		}
		command := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(lower, "in:"), "---"))
		if strings.HasPrefix(command, "rcpt to:") {
			if address, start, _ := findAddress(text); start >= 0 {
				asked = append(asked, address)
			}
			continue
		}
		said, isServer := strings.CutPrefix(text, "<<< ")
		if !isServer {
			said, isServer = strings.CutPrefix(text, "Out: ")
		}
		reply, _, ok := replyIn(said)
		if !ok {
			continue
		}
		if first == "" {
			first = said
		}
		if isServer {
			if reply.Code != 503 || server == "" {
				server = said
			}
			continue
		}
		address, start, end := findAddress(text)
		if start < 0 {
			continue
		}
		about, by := server, host
		if about == "" {
			by = ""
			about = strings.TrimLeft(text[end:], " .>:")
			if _, _, ok := replyIn(about); !ok {
				about = said
			}
		}
		f := textRecipient{address: address, line: i, about: about, host: by}
		switch at := t.index(address); {
		case at >= 0 && t.found[at].about == "":
			t.found[at].about, t.found[at].host = about, by
		case at < 0 && listed == 0:
			t.add(f)
		}
		server = ""
	}
	if server != "" {
		first = server
	}
	if len(t.found) == 0 {
		for _, address := range asked {
			t.add(textRecipient{address: address, line: -1, about: first, host: host})
		}
	}
	for i := range t.found {
		if t.found[i].about == "" {
			t.found[i].about, t.found[i].host = first, host
		}
	}
}

func (t *textReader) index(address string) int {
	if i, ok := t.at[strings.ToLower(address)]; ok {
		return i
	}
	return -1
}
