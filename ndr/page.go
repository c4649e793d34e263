package ndr

import "strings"

// A page is the readable side of a report as lines: the one form that HTML,
// the plain-text alternative and pasted text are brought into before a layout
// is read from it.
type page struct {
	lines []line
	html  bool // cells and colours are facts, not guesses from blanks
	cut   bool // a limit ended it early
}

type lineKind uint8

const (
	textLine  lineKind = iota
	blankLine          // nothing visible
	itemLine           // a list item
	rowLine            // a table row of two cells or more
	ruleLine           // a horizontal rule
	preLine            // preformatted: raw holds its text with its blanks
)

type line struct {
	kind  lineKind
	text  string // visible text, runs of blanks made one
	raw   string // as written, for header blocks
	cells []cell // of a row; text separates cells only where it had wide gaps
	links []Link
}

type cell struct {
	text   string
	colour string // "#rrggbb" of the background, where given
	red    bool   // its text is set in red
}

// A Link is what the report points the reader to.
type Link struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// next returns the index of the first line at or after i that shows anything,
// or len(lines).
func (p *page) next(i int) int {
	for i < len(p.lines) && (p.lines[i].kind == blankLine || p.lines[i].kind == ruleLine) {
		i++
	}
	return i
}

// prev is next backwards; it returns -1 before the first.
func (p *page) prev(i int) int {
	for i >= 0 && i < len(p.lines) && (p.lines[i].kind == blankLine || p.lines[i].kind == ruleLine) {
		i--
	}
	return i
}

// find returns the index of the first line in [from, to) for which ok holds,
// or -1.
func (p *page) find(from, to int, ok func(*line) bool) int {
	for i := from; i < to && i < len(p.lines); i++ {
		if ok(&p.lines[i]) {
			return i
		}
	}
	return -1
}

// paragraphs joins the lines of [from, to) into paragraphs, which end at blank
// lines, rules and list items, and collects their links.
func (p *page) paragraphs(from, to int) (paras []paragraph) {
	open := false
	for i := from; i < to && i < len(p.lines); i++ {
		l := &p.lines[i]
		switch l.kind {
		case blankLine, ruleLine:
			open = false
			continue
		case itemLine:
			open = false
		}
		if !open || p.html {
			paras = append(paras, paragraph{item: l.kind == itemLine})
			open = true
		}
		last := &paras[len(paras)-1]
		last.parts = append(last.parts, l.text)
		last.links = append(last.links, l.links...)
	}
	for i := range paras {
		paras[i].text = strings.TrimSpace(strings.Join(paras[i].parts, " "))
	}
	return paras
}

type paragraph struct {
	text  string
	parts []string
	item  bool
	links []Link
}

// joinParagraphs returns the paragraphs' text, one a line.
func joinParagraphs(paras []paragraph) (text string, links []Link) {
	var b strings.Builder
	for _, q := range paras {
		if q.text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(q.text)
		links = append(links, q.links...)
	}
	return b.String(), links
}
