package main

import (
	"io"
	"os"

	"github.com/mailfault/mailfault/examples/internal/mailbox"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// manyFiles is the number of files from which on a progress bar is drawn.
const manyFiles = 50

// progress draws a bar on a terminal when there are many files; otherwise it
// does nothing.
type progress struct{ bar *progressbar.ProgressBar }

func newProgress(o options, stderr io.Writer) *progress {
	terminal, ok := stderr.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		return &progress{}
	}
	files := 0
	for range mailbox.Files(o.paths) {
		files++
	}
	if files < manyFiles {
		return &progress{}
	}
	return &progress{progressbar.NewOptions(files, progressbar.OptionSetWriter(stderr), progressbar.OptionSetDescription("reading"),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100_000_000))}
}

func (p *progress) step() {
	if p.bar != nil {
		p.bar.Add(1)
	}
}

// clear makes room for a line on the terminal.
func (p *progress) clear() {
	if p.bar != nil {
		p.bar.Clear()
	}
}

func (p *progress) finish() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
