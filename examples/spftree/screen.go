package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mailfault/mailfault/examples/internal/terminal"
)

// screen writes lines, in colour only on a terminal.
type screen struct {
	w      io.Writer
	width  int
	colour bool
}

const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

func newScreen(w io.Writer) *screen {
	width, colour := terminal.Of(w)
	return &screen{w: w, width: width, colour: colour}
}

// paint returns text in a style where colour is on.
func (s *screen) paint(style, text string) string {
	if !s.colour || text == "" || style == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

func (s *screen) line(parts ...string) {
	fmt.Fprintln(s.w, strings.TrimRight(strings.Join(parts, ""), " "))
}

// wrapped writes text below and beside a label, broken at blanks.
func (s *screen) wrapped(indent int, style, text string) {
	room := max(s.width-indent, 30)
	line := ""
	for word := range strings.FieldsSeq(plain(text)) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > room {
			s.line(strings.Repeat(" ", indent), s.paint(style, line))
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		s.line(strings.Repeat(" ", indent), s.paint(style, line))
	}
}

// plain makes text from DNS safe for a terminal.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\u00b7'
		}
		return r
	}, s)
}

// cut shortens text to n characters.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:max(n-1, 0)]) + "…"
}
