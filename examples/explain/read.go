package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/examples/internal/mailbox"
	"github.com/mailfault/mailfault/examples/internal/maillog"
	"github.com/mailfault/mailfault/examples/internal/progress"
)

// explanation is what one message came to.
type explanation struct {
	document
	err error
}

// task explains a part of the inputs: a message, or all of a small file.
type task struct {
	explain func() []explanation
	last    bool // of its file
}

// smallFile is up to which size a file is one task, in bytes.
const smallFile = 256 << 10

// documents yields the explanation of every message of every input, in order.
// All processors explain; nobody reads further ahead than they need.
func documents(ctx context.Context, o options, stdin io.Reader, bar *progress.Bar) iter.Seq2[document, error] {
	return func(yield func(document, error) bool) {
		if o.reply != "" && !yield(explained.Reply("-reply", 0, o.reply), nil) {
			return
		}
		for done := range inOrder(tasks(ctx, o.paths, stdin), runtime.GOMAXPROCS(0)) {
			for _, e := range done.explanations {
				if !yield(e.document, e.err) {
					return
				}
			}
			if done.last {
				bar.Step()
			}
		}
	}
}

// done is what a task came to.
type done struct {
	explanations []explanation
	last         bool
}

// inOrder does tasks side by side and yields what they come to in their order.
func inOrder(tasks iter.Seq[task], atOnce int) iter.Seq[done] {
	return func(yield func(done) bool) {
		stop := make(chan struct{})
		defer close(stop)
		queue := make(chan chan done, atOnce)
		go func() {
			defer close(queue)
			for t := range tasks {
				result := make(chan done, 1)
				select {
				case queue <- result: // as soon as the first of those before is done
				case <-stop:
					return
				}
				go func() { result <- done{t.explain(), t.last} }()
			}
		}()
		for result := range queue {
			if !yield(<-result) {
				return
			}
		}
	}
}

// tasks yields what there is to explain in the files that paths name.
func tasks(ctx context.Context, paths []string, stdin io.Reader) iter.Seq[task] {
	return func(yield func(task) bool) {
		for name, err := range mailbox.Files(paths) {
			if isTable(name) && !slices.Contains(paths, name) {
				continue
			}
			last := func() []explanation { return failed(err) }
			switch {
			case err != nil:
			case isSmall(name):
				last = func() []explanation { return whole(ctx, name) }
			default:
				goOn := true
				err := file(ctx, name, stdin, func(explain func() []explanation) bool {
					goOn = yield(task{explain: explain})
					return goOn
				})
				if !goOn {
					return
				}
				last = func() []explanation { return failed(err) }
			}
			if !yield(task{last, true}) {
				return
			}
		}
	}
}

// isTable reports whether a file is a table by its name. Lists that lie beside
// mails hold replies too, of the same failures mostly: in a folder they do not
// count, while one that is named is read.
func isTable(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv", ".tsv":
		return true
	}
	return false
}

// failed is what an input came to that could not be read, or not to its end.
func failed(err error) []explanation {
	if err == nil {
		return nil
	}
	return []explanation{{err: err}}
}

func isSmall(name string) bool {
	info, err := os.Stat(name)
	return name != "-" && err == nil && info.Mode().IsRegular() && info.Size() <= smallFile
}

// whole explains all of a file.
func whole(ctx context.Context, name string) (all []explanation) {
	err := file(ctx, name, nil, func(explain func() []explanation) bool {
		all = append(all, explain()...)
		return ctx.Err() == nil
	})
	return append(all, failed(err)...)
}

// untilDone reads until the context ends: a log may be long and tell of nothing.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilDone) Read(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(b)
}

// file yields what explains the messages of a file, until the context ends.
func file(ctx context.Context, name string, stdin io.Reader, yield func(func() []explanation) bool) error {
	f, err := mailbox.Open(name, stdin)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReaderSize(untilDone{ctx, f}, 64<<10)
	if start, _ := in.Peek(16 << 10); explained.Sniff(start) == explained.ShapeLog && !bytes.HasPrefix(start, []byte("From ")) {
		return logFile(name, in, yield)
	}
	for message, err := range mailbox.Messages(name, in) {
		explain := func() []explanation {
			return []explanation{{document: explained.Any(name, message.Index, message.Data)}}
		}
		if err != nil {
			explain = func() []explanation { return failed(err) }
		}
		if !yield(explain) {
			return nil
		}
	}
	return nil
}

// logFile yields what explains the entries of a log. One is soon explained, so
// that many go together; but those of a pipe as they come.
func logFile(name string, in io.Reader, yield func(func() []explanation) bool) error {
	together := 64
	if name == "-" {
		together = 1
	}
	var entries []maillog.Entry
	index := 0
	give := func() bool {
		some, first := entries, index-len(entries)
		entries = nil
		return yield(func() (all []explanation) {
			for i, entry := range some {
				all = append(all, explanation{document: readEntry(name, first+i, entry)})
			}
			return all
		})
	}
	for entry, err := range maillog.Entries(in) {
		if err != nil {
			give()
			return fmt.Errorf("%s: %w", name, err)
		}
		entries = append(entries, entry)
		if index++; len(entries) == together && !give() {
			return nil
		}
	}
	give()
	return nil
}
