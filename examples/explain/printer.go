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
	terminal.Screen
	w      io.Writer
	around *around // nil: nothing is known beside the reports
}

func newPrinter(w io.Writer) *printer {
	screen := terminal.Of(w)
	screen.Width = min(screen.Width, 120)
	return &printer{Screen: screen, w: w}
}

func (p *printer) line(text string) { fmt.Fprintln(p.w, text) }

const labelWidth = 12

// field writes "label   text" with the text wrapped in a column of its own.
// An empty text writes nothing.
func (p *printer) field(label string, style terminal.Style, text string) {
	text = printable(text)
	if strings.TrimSpace(text) == "" {
		return
	}
	for i, line := range terminal.Wrap(text, p.Width-labelWidth-4) {
		if i > 0 {
			label = ""
		}
		fmt.Fprintf(p.w, "    %s%s\n", p.Paint(terminal.Faint, fmt.Sprintf("%-*s", labelWidth, printable(label))), p.Paint(style, line))
	}
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
