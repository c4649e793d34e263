// Package mailbox yields the mails found in files, mbox files, Maildirs and
// folders, one at a time, for programs that take any of them on the command
// line.
package mailbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
)

// Message is one mail, or one file that holds no mail but something else the
// program may know how to read.
type Message struct {
	File  string // as named on the command line, or found below a folder; "-" for standard input
	Index int    // position in an mbox, from 0
	Data  []byte
}

// MaxMessage is the size above which a message is not read: 64 MiB.
const MaxMessage = 64 << 20

// ErrTooLarge marks a message above MaxMessage.
var ErrTooLarge = errors.New("larger than 64 MiB")

// Files lists the files that paths name, in order: a folder stands for the
// files below it (of a Maildir those in cur and new), "-" for standard input.
// A path that cannot be read yields its error and the listing goes on.
func Files(paths []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, path := range paths {
			if path == "-" {
				if !yield(path, nil) {
					return
				}
				continue
			}
			err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
				switch {
				case err != nil:
					if !yield(name, err) {
						return fs.SkipAll
					}
					return nil
				case entry.IsDir() && isMaildirTmp(name):
					return fs.SkipDir
				case entry.IsDir() || !entry.Type().IsRegular() && name != path:
					return nil
				}
				if !yield(name, nil) {
					return fs.SkipAll
				}
				return nil
			})
			if err != nil {
				return
			}
		}
	}
}

// isMaildirTmp reports whether dir is the tmp folder of a Maildir, which holds
// mails still being written.
func isMaildirTmp(dir string) bool {
	if filepath.Base(dir) != "tmp" {
		return false
	}
	for _, sibling := range []string{"cur", "new"} {
		if info, err := os.Stat(filepath.Join(filepath.Dir(dir), sibling)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// Open opens a file that [Files] listed; "-" is stdin.
func Open(name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(stdin), nil
	}
	return os.Open(name)
}

// Messages yields the mails of r: the messages of an mbox, else all of r as
// one. An error ends the sequence, except ErrTooLarge for a message of an
// mbox, after which the next one follows.
func Messages(name string, r io.Reader) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		br := newInput(r)
		if !startsMbox(br) {
			data, err := readAll(br)
			if err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
			yield(Message{File: name, Data: data}, err)
			return
		}
		splitMbox(name, br, yield)
	}
}

// Each gives do each message of an mbox, or all of any other file as it is,
// which may be larger than [MaxMessage]. The error names the file and joins
// those of its messages.
func Each(name string, stdin io.Reader, do func(io.Reader) error) error {
	f, err := Open(name, stdin)
	if err != nil {
		return err
	}
	defer f.Close()
	var errs []error
	br := newInput(f)
	if start, _ := br.Peek(5); string(start) != "From " {
		errs = append(errs, do(br))
	} else {
		for m, err := range Messages(name, br) {
			if err == nil {
				err = do(bytes.NewReader(m.Data))
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("message %d: %w", m.Index, err))
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func readAll(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxMessage+1))
	if err == nil && len(data) > MaxMessage {
		return slices.Clip(data[:MaxMessage]), ErrTooLarge
	}
	return data, err
}
