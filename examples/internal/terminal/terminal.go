// Package terminal tells how wide an output is, whether it shows colours, and
// lays out text for it.
package terminal

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// Screen is what an output shows.
type Screen struct {
	Width  int // in columns
	Colour bool
}

// Of returns the screen of an output, 60 columns wide or more, with colours on
// a terminal unless NO_COLOR is set (no-color.org). What is no terminal counts
// as 100 columns.
func Of(w io.Writer) Screen {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return Screen{Width: 100}
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		width = 100
	}
	return Screen{max(width, 60), os.Getenv("NO_COLOR") == ""}
}

// Style is how text looks, by its number in ECMA-48 section 8.3.117; "" is plain.
type Style string

// The styles.
const (
	Plain  Style = ""
	Bold   Style = "1"
	Faint  Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
	Cyan   Style = "36"
)

// Paint returns text in a style where the screen shows colours.
func (s *Screen) Paint(style Style, text string) string {
	if !s.Colour || text == "" || style == Plain {
		return text
	}
	return "\x1b[" + string(style) + "m" + text + "\x1b[0m"
}

// Wrap breaks text at blanks into lines of at most width characters; a longer
// word stands on a line of its own. There is always a line.
func Wrap(text string, width int) []string {
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
