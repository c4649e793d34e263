package ndr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// textPage brings plain text into a page. It undoes what mail programs and
// ticket systems do to pasted reports: quote marks, lost line breaks, no-break
// and zero-width blanks, carriage returns.
func textPage(s string, lim limits) *page {
	p := &page{}
	if len(s) > lim.bytes {
		s, p.cut = s[:lim.bytes], true
	}
	rows := strings.Split(s, "\n")
	if len(rows) > lim.lines {
		rows, p.cut = rows[:lim.lines], true
	}
	unquote(rows)
	rows = rows[:beforeFooter(rows)]
	if rows = uncollapse(rows); len(rows) > lim.lines {
		rows, p.cut = rows[:lim.lines], true
	}
	p.lines = make([]line, 0, len(rows))
	for _, raw := range rows {
		p.lines = append(p.lines, textToLine(raw))
	}
	return p
}

func textToLine(raw string) line {
	raw = strings.TrimRight(raw, " \t\r")
	l := line{raw: raw}
	visible, links := cutLinks(raw)
	l.text, l.links = unbold(squeeze(visible)), links
	switch {
	case l.text == "" && len(links) == 0:
		l.kind = blankLine
	case isRule(l.text):
		l.kind = ruleLine
	default:
		if rest, ok := cutBullet(l.text); ok {
			l.kind, l.text = itemLine, rest
		} else if cells := gapCells(visible); len(cells) > 1 {
			l.kind, l.cells = rowLine, cells
		}
	}
	return l
}

// unbold takes Markdown's marks of bold text off a line that is all bold.
func unbold(s string) string {
	if len(s) > 4 && strings.HasPrefix(s, "**") && strings.HasSuffix(s, "**") {
		return strings.TrimSpace(s[2 : len(s)-2])
	}
	return s
}

// unquote takes reply quotes ("> ") off in place when most lines that show
// anything carry one.
func unquote(rows []string) {
	for range 3 { // replies to replies
		shown, quoted := 0, 0
		for _, r := range rows {
			r = strings.TrimLeft(r, " \t")
			if strings.TrimSpace(r) == "" {
				continue
			}
			shown++
			if r[0] == '>' {
				quoted++
			}
		}
		if quoted == 0 || quoted*2 < shown {
			return
		}
		for i, r := range rows {
			trimmed := strings.TrimLeft(r, " \t")
			if strings.HasPrefix(trimmed, ">") {
				rows[i] = strings.TrimPrefix(trimmed[1:], " ")
			}
		}
	}
}

// beforeFooter returns where what a mailing list writes below every text begins,
// or how many rows there are: a drawn line, and the list's name under it.
func beforeFooter(rows []string) int {
	for i := range len(rows) - 1 {
		row := strings.TrimRight(rows[i], " \r")
		if len(row) >= 20 && strings.Trim(row, "_") == "" && strings.HasSuffix(strings.ToLower(strings.TrimSpace(rows[i+1])), " mailing list") {
			return i
		}
	}
	return len(rows)
}

// isRule reports whether a line is drawn, not written: "________".
func isRule(s string) bool {
	return len(s) >= 5 && strings.Trim(s, "_-=*") == ""
}

// cutBullet takes the mark off a list item: "*", "-", a bullet, "1.".
func cutBullet(s string) (string, bool) {
	for _, mark := range []string{"* ", "- ", "• ", "· "} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			return strings.TrimSpace(rest), true
		}
	}
	num, rest, ok := strings.Cut(s, ". ")
	if ok && len(num) > 0 && len(num) <= 2 && strings.Trim(num, "0123456789") == "" {
		return strings.TrimSpace(rest), true
	}
	return s, false
}

// gapCells splits a line at tabs and at gaps of two blanks or more. A gap at
// the start of the line makes an empty first cell.
func gapCells(s string) []cell {
	var cells []cell
	start, gap := 0, 0
	emit := func(end int) { cells = append(cells, cell{text: squeeze(s[start:end])}) }
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\t':
			gap += 2
		case ' ':
			gap++
		default:
			if gap >= 2 && len(cells) < maxCells {
				emit(i)
				start = i
			}
			gap = 0
		}
	}
	if strings.TrimSpace(s[start:]) != "" {
		emit(len(s))
	}
	return cells
}

// squeeze makes every run of blanks, no-break ones included, one blank, drops
// zero-width characters and trims the ends.
func squeeze(s string) string {
	if isSqueezed(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	pending := false
	for _, r := range s {
		switch {
		case r == '\u200b' || r == '\u200c' || r == '\u200d' || r == '\ufeff' || r == '\u00ad':
		case unicode.IsSpace(r):
			pending = b.Len() > 0
		case r == utf8.RuneError || r >= ' ' && r != 0x7f:
			if pending {
				b.WriteByte(' ')
				pending = false
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isSqueezed(s string) bool {
	blank := true // so that a leading blank is found
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && blank {
			return false
		}
		blank = c == ' '
	}
	return s == "" || !blank
}

// cutLinks takes links as mail programs write them in text, "words<URL>" and
// "[URL]", out of a line. The words before a link are its text, back to the
// start of the line or the link before.
func cutLinks(s string) (string, []Link) {
	if !strings.Contains(s, ":") || !strings.ContainsAny(s, "<[") {
		return s, nil
	}
	var b strings.Builder
	var links []Link
	for {
		i := linkStart(s)
		if i < 0 {
			break
		}
		closing := byte('>')
		if s[i] == '[' {
			closing = ']'
		}
		end := strings.IndexByte(s[i:], closing)
		if end < 0 {
			break
		}
		words := squeeze(s[:i])
		if s[i] == '[' {
			words = ""
		}
		b.WriteString(s[:i])
		links = append(links, Link{Text: words, URL: strings.TrimSpace(s[i+1 : i+end])})
		s = s[i+end+1:]
	}
	b.WriteString(s)
	return b.String(), links
}

// linkStart returns the offset of the bracket before a URL, or -1.
func linkStart(s string) int {
	for i := 0; i+8 < len(s); i++ {
		if s[i] != '<' && s[i] != '[' {
			continue
		}
		rest := s[i+1:]
		if hasPrefixFold(rest, "http:") || hasPrefixFold(rest, "https:") || hasPrefixFold(rest, "mailto:") {
			return i
		}
	}
	return -1
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
