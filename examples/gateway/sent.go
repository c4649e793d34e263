package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/mailfault/mailfault/dsn"
)

// sentMail remembers the message ids of the mail that went out, for as long as
// reports about it may come back: in two generations, of which the elder is
// forgotten when the younger is full or old enough. Nil remembers nothing.
type sentMail struct {
	keep time.Duration // at least, unless maxIDs come first
	name string        // of the file; "": forgotten when the process ends

	mu         sync.Mutex
	young, old generation
	file       lineFile // nil: there is none, or it could not be opened
	unwritten  [][8]byte
}

const maxIDs = 2_000_000 // of a generation: about 100 MB

// generation is the mail sent in a span of time.
type generation struct {
	since time.Time
	ids   map[[8]byte]struct{} // parts of hashes
}

// openSentMail goes on with the ids that earlier runs left in the file and the
// one beside it.
func openSentMail(name string, keep time.Duration) (*sentMail, error) {
	s := &sentMail{keep: keep, name: name}
	now := time.Now()
	s.old, s.young = generation{since: now}, generation{since: now, ids: map[[8]byte]struct{}{}}
	if name == "" {
		return s, nil
	}
	if err := errors.Join(s.old.load(name+".old"), s.young.load(name)); err != nil {
		return nil, err
	}
	if s.young.since.Before(s.old.since) {
		s.old.since = s.young.since
	}
	if err := s.open(); err != nil && !errors.Is(err, syscall.ENOSPC) { // a full disk keeps no mail from passing
		return nil, err
	}
	return s, nil
}

func (s *sentMail) open() error {
	file, err := openLines(s.name)
	if err != nil {
		return err
	}
	if err := appendLine(file, fmt.Appendln(nil, "since", s.young.since.Unix())); err != nil {
		return errors.Join(err, file.Close())
	}
	s.file = file
	return nil
}

// write writes the ids that are not in the file yet, some at a time.
func (s *sentMail) write() error {
	if s.file == nil {
		if err := s.open(); err != nil {
			return err
		}
	}
	for len(s.unwritten) > 0 {
		some := s.unwritten[:min(len(s.unwritten), 1000)]
		var lines []byte
		for _, key := range some {
			lines = fmt.Appendf(lines, "%x\n", key)
		}
		if err := appendLine(s.file, lines); err != nil {
			return err
		}
		s.unwritten = s.unwritten[len(some):]
	}
	s.unwritten = nil
	return nil
}

// load reads what open and add wrote. A line that a crash cut short is passed
// over.
func (g *generation) load(name string) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	g.ids = map[[8]byte]struct{}{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if at, ok := strings.CutPrefix(lines.Text(), "since "); ok {
			unix, err := strconv.ParseInt(at, 10, 64)
			if t := time.Unix(unix, 0); err == nil && t.Before(g.since) {
				g.since = t
			}
		} else if key, err := hex.DecodeString(lines.Text()); err == nil && len(key) == 8 {
			g.ids[[8]byte(key)] = struct{}{}
		}
	}
	return lines.Err()
}

func hashID(id string) (key [8]byte, ok bool) {
	id = strings.ToLower(strings.Trim(strings.TrimSpace(id), "<>"))
	sum := sha256.Sum256([]byte(id))
	return [8]byte(sum[:8]), id != ""
}

// add remembers a message id. A file that cannot be written is an error; the id
// is remembered all the same, and written when the file takes it.
func (s *sentMail) add(id string, now time.Time) error {
	key, ok := hashID(id)
	if s == nil || !ok {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if len(s.young.ids) >= maxIDs || now.Sub(s.young.since) > s.keep {
		s.old, s.young = s.young, generation{since: now, ids: map[[8]byte]struct{}{}}
		if s.file != nil {
			err = errors.Join(s.file.Close(), os.Rename(s.name, s.name+".old"))
			s.file = nil
		}
	}
	s.young.ids[key] = struct{}{}
	if s.name != "" {
		s.unwritten = append(s.unwritten, key)
		err = errors.Join(err, s.write())
	}
	return err
}

// lookup says whether the message was sent from here. No is said only of a
// message from the time that is remembered.
func (s *sentMail) lookup(id string, date time.Time) dsn.Verdict {
	key, ok := hashID(id)
	if s == nil || !ok {
		return dsn.CannotTell
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, young := s.young.ids[key]
	_, old := s.old.ids[key]
	switch {
	case young || old:
		return dsn.Ours
	case date.IsZero() || date.Before(s.old.since):
		return dsn.CannotTell
	}
	return dsn.NotOurs
}
