package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mailfault/mailfault/examples/internal/terminal"
)

// printer writes labelled, wrapped text, in colour only on a terminal.
type printer struct {
	w      io.Writer
	width  int
	colour bool
	around *around // nil: nothing is known beside the reports
}

const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

func newPrinter(w io.Writer) *printer {
	width, colour := terminal.Of(w)
	return &printer{w: w, width: min(width, 120), colour: colour}
}

// paint returns text in a style where colour is on.
func (p *printer) paint(style, text string) string {
	if !p.colour || text == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

func (p *printer) line(text string) { fmt.Fprintln(p.w, text) }

const labelWidth = 12

// field writes "label   text" with the text wrapped in a column of its own.
// An empty text writes nothing.
func (p *printer) field(label, style, text string) {
	text = printable(text)
	if strings.TrimSpace(text) == "" {
		return
	}
	for i, line := range wrap(text, p.width-labelWidth-4) {
		if i > 0 {
			label = ""
		}
		fmt.Fprintf(p.w, "    %s%s\n", p.paint(faint, fmt.Sprintf("%-*s", labelWidth, printable(label))), p.paint(style, line))
	}
}

// wrap breaks text at blanks into lines of at most width characters; a longer
// word stands on a line of its own.
func wrap(text string, width int) []string {
	var lines []string
	var line strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		if column > 0 && column+1+n > width {
			lines = append(lines, line.String())
			line.Reset()
			column = 0
		}
		if column > 0 {
			line.WriteByte(' ')
			column++
		}
		line.WriteString(word)
		column += n
	}
	return append(lines, line.String())
}

// printable replaces line breaks by blanks and control characters by U+FFFD, so
// that hostile text can neither drive the terminal nor turn round what stands
// beside it.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case drives(r):
			return utf8.RuneError
		}
		return r
	}, text)
}

// drives reports whether r is no character to see but tells the terminal or the
// browser what to do with others.
func drives(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
