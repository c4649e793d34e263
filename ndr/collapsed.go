package ndr

import (
	"slices"
	"strings"
)

// uncollapse gives back its lines to a two-section report that a form or a
// ticket system made one line of: a row with several of the layout's headings
// in it is broken at them, behind the recipients, and before the fields of the
// quoted header.
func uncollapse(rows []string) []string {
	for i, row := range rows {
		if broken := splitCollapsed(row); broken != nil {
			rows = slices.Concat(rows[:i], broken, rows[i+1:])
			break // a paste has one report
		}
	}
	return rows
}

// collapsedRow is a row as words, to look for headings in. Folding can change
// the length of a word, so places are counted in words.
type collapsedRow struct {
	words  []string // as written
	folded string   // all of them, folded, one blank between
	starts []int    // of each in folded
	breaks []bool   // a line begins at the word
}

func splitCollapsed(row string) []string {
	const (
		shortest = 120      // a row as long as two headings and what they announce
		longest  = 64 << 10 // beyond any report
	)
	if len(row) < shortest || len(row) > longest || !containsHeading(fold(row), generating) {
		return nil // most rows
	}
	c := newCollapsedRow(row)
	user, userEnd, opened := c.heading(0, failedTo, delayedTo)
	diag, diagEnd, divided := c.heading(userEnd, diagnostic)
	gen, genEnd, wrote := c.heading(max(userEnd, diagEnd), generating)
	if !wrote || !opened && !divided {
		return nil
	}
	if opened {
		user = c.refuser(user)
	}
	if !divided {
		diag = gen
	}
	orig, origEnd, quoted := c.heading(genEnd, originals)
	if !quoted {
		orig, origEnd = len(c.words), len(c.words)
	}
	for _, at := range []int{user, userEnd, diag, diagEnd, gen, orig, origEnd} {
		c.breakAt(at)
	}
	c.breakRecipients(userEnd, diag, c.addresses(gen, orig))
	c.breakRefusal(userEnd, diag)
	c.breakReplies(gen, orig)
	c.breakFields(origEnd)
	return c.lines()
}

// containsHeading reports whether folded text has a heading of the role that is
// told by its beginning.
func containsHeading(folded string, role headingRole) bool {
	for i := range headings {
		if h := &headings[i]; h.role == role && h.match == startsWith && strings.Contains(folded, h.text) {
			return true
		}
	}
	return false
}

func newCollapsedRow(row string) *collapsedRow {
	c := &collapsedRow{words: strings.Fields(row)}
	c.breaks, c.starts = make([]bool, len(c.words)), make([]int, len(c.words))
	var b strings.Builder
	for i, word := range c.words {
		if i > 0 {
			b.WriteByte(' ')
		}
		c.starts[i] = b.Len()
		b.WriteString(fold(word))
	}
	c.folded = b.String()
	return c
}

// heading finds the first heading of the roles from a word on, and the word
// behind it: behind its colon, where it has one.
func (c *collapsedRow) heading(from int, roles ...headingRole) (start, end int, ok bool) {
	if from >= len(c.words) {
		return 0, from, false
	}
	at, text := -1, ""
	for i := range headings {
		h := &headings[i]
		if !slices.Contains(roles, h.role) {
			continue
		}
		j := strings.Index(c.folded[c.starts[from]:], h.text)
		if j += c.starts[from]; j >= c.starts[from] && (j == 0 || c.folded[j-1] == ' ' || h.match == endsWith) && (at < 0 || j < at) {
			at, text = j, h.text
		}
	}
	if at < 0 {
		return 0, from, false
	}
	start, whole := slices.BinarySearch(c.starts, at)
	if !whole { // the heading is known by its end: it begins behind a sentence or a reply
		const most = 5
		start--
		for first := max(from, start-most); start > first && !strings.ContainsAny(lastByte(c.words[start-1]), ".!?:'#"); {
			start--
		}
	}
	end, _ = slices.BinarySearch(c.starts, at+len(text))
	const colon = 12 // words a heading may go on for: "... or distribution lists:"
	for i := end - 1; i < min(len(c.words), end+colon); i++ {
		if strings.HasSuffix(c.words[i], ":") {
			return start, i + 1, true
		}
	}
	return start, end, true
}

func lastByte(s string) string { return s[max(0, len(s)-1):] }

// refuser returns where a heading begins that has its host before it: "host
// rejected your message to the following".
func (c *collapsedRow) refuser(start int) int {
	if start > 0 && strings.HasPrefix(c.folded[c.starts[start]:], "rejected ") && isHostName(c.words[start-1]) {
		return start - 1
	}
	return start
}

// addresses returns the addresses that are words of [from, to), in lower case.
func (c *collapsedRow) addresses(from, to int) map[string]bool {
	found := map[string]bool{}
	for _, word := range c.words[from:to] {
		if a := strings.Trim(word, "<>"); isAddress(a) {
			found[strings.ToLower(a)] = true
		}
	}
	return found
}

// breakRecipients puts each recipient of the user part on a line of its own,
// with the name before the address: back to the end of the sentence before it.
// Other addresses, of a helpdesk, stay in their sentences.
func (c *collapsedRow) breakRecipients(from, to int, recipients map[string]bool) {
	begin := from
	for i := from; i < to; i++ {
		word := strings.Trim(c.words[i], "<>()")
		if _, address, ok := strings.Cut(word, "<mailto:"); ok { // a link as Outlook writes it in plain text
			word = address
		}
		switch {
		case isAddress(word) && recipients[strings.ToLower(word)]:
			c.breakAt(begin)
			for i+1 < to && strings.EqualFold(strings.Trim(c.words[i+1], "<>()"), word) {
				i++
			}
			c.breakAt(i + 1)
			begin = i + 1
		case len(word) >= 20 && strings.Trim(word, "_") == "": // a rule
			c.breakAt(i)
			c.breakAt(i + 1)
			begin = i + 1
		case strings.ContainsAny(lastByte(word), ".!?"):
			begin = i + 1
		}
	}
}

// breakRefusal puts "host gave this error:" on a line of its own.
func (c *collapsedRow) breakRefusal(from, to int) {
	for i := from; i+3 < to; i++ {
		if isHostName(c.words[i]) && strings.HasPrefix(c.folded[c.starts[i+1]:], "gave this error") {
			c.breakAt(i)
			c.breakAt(i + 4)
			return
		}
	}
}

// breakReplies begins a line at each address of the administrators' part that
// follows a reply.
func (c *collapsedRow) breakReplies(from, to int) {
	for i := from + 1; i < to; i++ {
		before := c.words[i-1]
		if isAddress(strings.Trim(c.words[i], "<>")) && (strings.HasPrefix(before, "##") || strings.HasSuffix(before, "##") || strings.HasSuffix(before, "'") || strings.HasSuffix(before, "’")) {
			c.breakAt(i)
		}
	}
}

// breakFields begins a line at each field of the quoted header.
func (c *collapsedRow) breakFields(from int) {
	for i := from; i < len(c.words); i++ {
		name, ok := strings.CutSuffix(c.words[i], ":")
		if ok && isFieldStart(c.words[i]) && (strings.Contains(name, "-") || slices.Contains(plainFields, strings.ToLower(name))) {
			c.breakAt(i)
		}
	}
}

// plainFields are the names of header fields without a hyphen.
var plainFields = []string{"received", "from", "to", "cc", "bcc", "subject", "date", "sender"}

func (c *collapsedRow) breakAt(word int) {
	if word < len(c.breaks) {
		c.breaks[word] = true
	}
}

func (c *collapsedRow) lines() []string {
	var lines []string
	start := 0
	for i := 1; i <= len(c.words); i++ {
		if i == len(c.words) || c.breaks[i] {
			lines = append(lines, strings.Join(c.words[start:i], " "))
			start = i
		}
	}
	return lines
}
