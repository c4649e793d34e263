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
	terminal.Screen
	w io.Writer
}

func newScreen(w io.Writer) *screen { return &screen{terminal.Of(w), w} }

func (s *screen) line(parts ...string) {
	fmt.Fprintln(s.w, strings.TrimRight(strings.Join(parts, ""), " "))
}

// wrapped writes text below and beside a label, broken at blanks.
func (s *screen) wrapped(indent int, style terminal.Style, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	for _, line := range terminal.Wrap(plain(text), max(s.Width-indent, 30)) {
		s.line(strings.Repeat(" ", indent), s.Paint(style, line))
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
