// Package progress shows on a terminal how far a program has come when there
// are many files to read, or one with very many records, and nothing otherwise.
package progress

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/mailfault/mailfault/examples/internal/mailbox"
)

// manyFiles is the number of files from which on a bar is drawn.
const manyFiles = 50

// Bar is a progress bar. The zero value draws nothing.
type Bar struct {
	bar     *progressbar.ProgressBar
	records io.Writer // where to count records if there is no bar
}

// New returns a bar for the files that paths name, drawn on w if that is a
// terminal.
func New(paths []string, w io.Writer) *Bar {
	terminal, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		return &Bar{}
	}
	files := 0
	for range mailbox.Files(paths) {
		files++
	}
	if files < manyFiles {
		return &Bar{records: w}
	}
	return &Bar{bar: progressbar.NewOptions(files, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription("reading"),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))}
}

// Step counts one file.
func (p *Bar) Step() {
	if p.bar != nil {
		p.bar.Add(1)
	}
}

// Records says how many records of one input have been read. Call it at
// intervals.
func (p *Bar) Records(n int) {
	if p.records != nil {
		p.bar = progressbar.NewOptions(-1, progressbar.OptionSetWriter(p.records), progressbar.OptionClearOnFinish())
		p.records = nil
	}
	if p.bar != nil {
		p.bar.Describe(fmt.Sprintf("reading, %d records", n))
	}
}

// Clear makes room for a line on the terminal.
func (p *Bar) Clear() {
	if p.bar != nil {
		p.bar.Clear()
	}
}

// Finish takes the bar away.
func (p *Bar) Finish() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
