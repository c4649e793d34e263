// Package terminal tells how wide an output is and whether it shows colours.
package terminal

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Of returns the width of an output in columns, from 60 on, and whether to write
// in colour: on a terminal, unless NO_COLOR is set (no-color.org). What is no
// terminal counts as 100 columns.
func Of(w io.Writer) (width int, colour bool) {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return 100, false
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		width = 100
	}
	return max(width, 60), os.Getenv("NO_COLOR") == ""
}
