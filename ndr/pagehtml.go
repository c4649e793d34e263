package ndr

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxDepth is how deep tables may nest; deeper cells are read as text.
const maxDepth = 64

// htmlPage brings HTML into a page. It reads tokens, not a tree: reports are
// not well formed, and tokens take linear time whatever the nesting.
func htmlPage(s string, lim limits) *page {
	b := &htmlBuilder{page: &page{html: true}, lim: lim}
	if len(s) > lim.bytes {
		s, b.page.cut = s[:lim.bytes], true
	}
	z := html.NewTokenizer(strings.NewReader(s))
	for len(b.page.lines) < lim.lines {
		switch z.Next() {
		case html.ErrorToken:
			b.flush()
			for len(b.rows) > 0 {
				b.endRow()
			}
			return b.page
		case html.TextToken:
			b.text(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			b.start(atom.Lookup(name), z, more)
		case html.EndTagToken:
			name, _ := z.TagName()
			b.end(atom.Lookup(name))
		}
	}
	b.page.cut = true
	return b.page
}

type htmlBuilder struct {
	page *page
	lim  limits

	cur   strings.Builder // text of the line being built
	links []Link
	item  bool // the line being built is a list item

	rows []*htmlRow // open table rows, outermost first
	skip int        // open elements whose text is not shown
	pre  int        // open <pre>
	red  []atom.Atom
	href string // of the open <a>
	from int    // where its text starts in cur
	last bool   // the line before was blank
}

// htmlRow is an open table row: cells hold finished lines until it is known
// whether the row is a layout frame (one cell) or data (several).
type htmlRow struct {
	cells  [][]line
	colour []string
	red    []bool
	open   bool // inside a cell
	frame  bool // a table began inside: its rows went out as lines
}

func (b *htmlBuilder) row() *htmlRow {
	if n := len(b.rows); n > 0 {
		return b.rows[n-1]
	}
	return nil
}

func (b *htmlBuilder) text(s string) {
	if b.skip > 0 {
		return
	}
	if b.pre > 0 {
		b.preText(s)
		return
	}
	if len(b.red) > 0 && strings.TrimSpace(s) != "" {
		if r := b.row(); r != nil && r.open {
			r.red[len(r.red)-1] = true
		}
	}
	b.cur.WriteString(s)
}

func (b *htmlBuilder) preText(s string) {
	for {
		head, tail, more := strings.Cut(s, "\n")
		b.cur.WriteString(head)
		if !more {
			return
		}
		b.flush()
		s = tail
	}
}

// flush ends the line being built.
func (b *htmlBuilder) flush() {
	raw := b.cur.String()
	b.cur.Reset()
	l := line{links: b.links}
	if b.pre > 0 {
		l.kind, l.raw = preLine, strings.TrimRight(raw, "\r")
		l.text = squeeze(raw)
	} else {
		l.text = squeeze(raw)
		l.raw = l.text
		switch {
		case l.text == "":
			l.kind = blankLine
		case b.item:
			l.kind = itemLine
		}
	}
	b.links = nil
	if l.kind != blankLine {
		b.item = false
	}
	b.href, b.from = "", 0
	b.put(l)
}

// put adds a line to the open cell, or to the page. Blank lines in a row count
// once.
func (b *htmlBuilder) put(l line) {
	if r := b.row(); r != nil && r.open {
		cell := &r.cells[len(r.cells)-1]
		if l.kind != blankLine {
			*cell = append(*cell, l)
		}
		return
	}
	b.emit(l)
}

func (b *htmlBuilder) emit(l line) {
	if l.kind == blankLine && b.last {
		return
	}
	if len(b.page.lines) >= b.lim.lines {
		b.page.cut = true
		return
	}
	b.last = l.kind == blankLine
	b.page.lines = append(b.page.lines, l)
}

func (b *htmlBuilder) start(tag atom.Atom, z *html.Tokenizer, more bool) {
	if hidden(tag) {
		b.skip++
	}
	if b.skip > 0 {
		return
	}
	switch tag {
	case atom.Br:
		b.flush()
	case atom.P, atom.Div, atom.H1, atom.H2, atom.H3, atom.H4, atom.Ul, atom.Ol, atom.Blockquote, atom.Body:
		b.breakLine()
	case atom.Li:
		b.breakLine()
		b.item = true
	case atom.Hr:
		b.breakLine()
		b.put(line{kind: ruleLine})
	case atom.Pre:
		b.breakLine()
		b.pre++
	case atom.A:
		b.href, b.from = attrs(z, more).href, b.cur.Len()
	case atom.Span, atom.Font, atom.B, atom.Strong:
		if isRed(attrs(z, more).colour) {
			b.red = append(b.red, tag)
		}
	case atom.Table:
		b.startTable()
	case atom.Tr:
		b.startRow()
	case atom.Td, atom.Th:
		b.startCell(attrs(z, more))
	}
}

func (b *htmlBuilder) end(tag atom.Atom) {
	if hidden(tag) && b.skip > 0 {
		b.skip--
		return
	}
	switch tag {
	case atom.P, atom.Div, atom.H1, atom.H2, atom.H3, atom.H4, atom.Ul, atom.Ol, atom.Li, atom.Blockquote:
		b.breakLine()
	case atom.Pre:
		if b.pre > 0 {
			b.flush()
			b.pre--
		}
	case atom.A:
		b.endLink()
	case atom.Span, atom.Font, atom.B, atom.Strong:
		if n := len(b.red); n > 0 && b.red[n-1] == tag {
			b.red = b.red[:n-1]
		}
	case atom.Td, atom.Th:
		b.endCell()
	case atom.Tr:
		b.endRow()
	case atom.Table:
		if r := b.row(); r != nil && r.open && !r.frame {
			b.endRow() // a row never closed
		}
	}
}

// hidden reports whether what an element holds is not shown.
func hidden(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Title, atom.Textarea, atom.Noscript:
		return true
	}
	return false
}

// breakLine ends the line being built if it has any text, and marks the
// paragraph's end outside of tables.
func (b *htmlBuilder) breakLine() {
	if strings.TrimSpace(b.cur.String()) != "" {
		b.flush()
	}
	b.cur.Reset()
	if b.row() == nil && b.pre == 0 {
		b.emit(line{kind: blankLine})
	}
}

func (b *htmlBuilder) endLink() {
	if b.href == "" {
		return
	}
	text := b.cur.String()
	if b.from <= len(text) {
		b.links = append(b.links, Link{Text: squeeze(text[b.from:]), URL: b.href})
	}
	b.href = ""
}

func (b *htmlBuilder) startTable() {
	b.breakLine()
	r := b.row()
	if r == nil || !r.open {
		return
	}
	// The open row is a frame around this table: what it has goes out now.
	for _, lines := range r.cells {
		for _, l := range lines {
			b.emit(l)
		}
	}
	r.cells, r.colour, r.red = [][]line{nil}, []string{""}, []bool{false}
	r.frame = true
}

func (b *htmlBuilder) startRow() {
	if r := b.row(); r != nil && !r.open && len(r.cells) == 0 || len(b.rows) >= maxDepth {
		return
	}
	if r := b.row(); r != nil && !r.frame {
		b.endRow() // </tr> missing
	}
	b.rows = append(b.rows, &htmlRow{})
}

func (b *htmlBuilder) startCell(a htmlAttrs) {
	r := b.row()
	if r == nil {
		b.breakLine()
		return
	}
	b.endCell()
	if len(r.cells) >= maxCells {
		return
	}
	r.cells = append(r.cells, nil)
	r.colour = append(r.colour, a.background)
	r.red = append(r.red, false)
	r.open = true
}

// maxCells is how many cells of a row are kept. The hops table has six.
const maxCells = 32

func (b *htmlBuilder) endCell() {
	r := b.row()
	if r == nil || !r.open {
		return
	}
	if strings.TrimSpace(b.cur.String()) != "" {
		b.flush()
	}
	b.cur.Reset()
	b.red = b.red[:0]
	r.open = false
}

// endRow turns the innermost open row into lines of the page: one row line
// where it had several cells, its lines where it had one.
func (b *htmlBuilder) endRow() {
	r := b.row()
	if r == nil {
		return
	}
	b.endCell()
	b.rows = b.rows[:len(b.rows)-1]
	if len(r.cells) < 2 || r.frame {
		for _, lines := range r.cells {
			for _, l := range lines {
				b.emit(l)
			}
		}
		b.emit(line{kind: blankLine})
		return
	}
	l := line{kind: rowLine}
	for i, lines := range r.cells {
		var text strings.Builder
		for _, in := range lines {
			if text.Len() > 0 {
				text.WriteByte(' ')
			}
			text.WriteString(in.text)
			l.links = append(l.links, in.links...)
		}
		l.cells = append(l.cells, cell{text: text.String(), colour: r.colour[i], red: r.red[i]})
	}
	l.text = squeeze(rowText(l.cells))
	l.raw = l.text
	b.emit(l)
}

func rowText(cells []cell) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(c.text)
		b.WriteByte(' ')
	}
	return b.String()
}
