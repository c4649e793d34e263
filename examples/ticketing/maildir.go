package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mailfault/mailfault/examples/internal/mailbox"
)

// take is what a mailbox gives each mail to.
type take func(ctx context.Context, data []byte) (outcome, error)

// maildir reads the mails in new. One that is taken in goes to cur, as when a
// mail program shows it; one that nobody can place goes to the folder Unknown.
// Nothing is deleted, and what could not be stored stays in new.
//
// With Shown, the mails in cur are read too: those that a mail program has
// moved there, because somebody looked first. They stay there.
type maildir struct {
	Dir   string
	Shown shownFiles // nil: new only
}

// shownFiles remembers which files of cur were taken in, by the part of their
// name that stays when flags change.
type shownFiles interface {
	shown(ctx context.Context) (map[string]bool, error)
	addShown(ctx context.Context, name string) error
}

// unknownFolder is the folder's name, in a Maildir and on an IMAP server.
const unknownFolder = "Unknown"

func (d maildir) scan(ctx context.Context, to take) (int, error) {
	taken, err := d.folder(ctx, "new", nil, to)
	if d.Shown == nil || errors.Is(err, errStore) {
		return taken, err
	}
	known, storeErr := d.Shown.shown(ctx)
	if storeErr != nil {
		return taken, errors.Join(err, storeErr)
	}
	more, curErr := d.folder(ctx, "cur", known, to)
	return taken + more, errors.Join(err, curErr)
}

// folder takes the mails of new or cur in, but for the known ones.
func (d maildir) folder(ctx context.Context, sub string, known map[string]bool, to take) (taken int, err error) {
	entries, err := os.ReadDir(filepath.Join(d.Dir, sub))
	if err != nil {
		return 0, fmt.Errorf("no Maildir: %w", err)
	}
	var errs []error
	for _, entry := range entries {
		if ctx.Err() != nil {
			break
		}
		if !entry.Type().IsRegular() || known[unique(entry.Name())] {
			continue
		}
		err := d.one(ctx, sub, entry.Name(), to)
		switch {
		case errors.Is(err, errStore):
			return taken, fmt.Errorf("%w; the mail stays in %s", err, d.Dir)
		case errors.Is(err, os.ErrNotExist):
			continue // another program took it
		case err != nil:
			errs = append(errs, err) // one bad file keeps no other out
			continue
		}
		taken++
	}
	return taken, errors.Join(errs...)
}

// unique is the part of a file's name that stays when its flags change.
func unique(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return name
}

func (d maildir) one(ctx context.Context, sub, base string, to take) error {
	name := filepath.Join(d.Dir, sub, base)
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	folder := d.Dir
	if info.Size() > mailbox.MaxMessage {
		folder, err = d.unknown()
	} else {
		var data []byte
		if data, err = os.ReadFile(name); err != nil {
			return err
		}
		o, takeErr := to(ctx, data)
		if takeErr != nil {
			return takeErr
		}
		if o.setAside() {
			folder, err = d.unknown()
		}
	}
	if err != nil {
		return err
	}
	if d.Shown != nil && folder == d.Dir {
		if err := d.Shown.addShown(ctx, unique(base)); err != nil {
			return err
		}
	}
	if !strings.Contains(base, ":") {
		base += ":2,"
	}
	cur := filepath.Join(folder, "cur")
	if err := os.MkdirAll(cur, 0o700); err != nil { // a Maildir may come without it
		return err
	}
	return os.Rename(name, filepath.Join(cur, base))
}

// unknown makes the folder of the Maildir++ form.
func (d maildir) unknown() (string, error) {
	folder := filepath.Join(d.Dir, "."+unknownFolder)
	for _, sub := range [...]string{"cur", "new", "tmp"} {
		if err := os.MkdirAll(filepath.Join(folder, sub), 0o700); err != nil {
			return "", err
		}
	}
	return folder, os.WriteFile(filepath.Join(folder, "maildirfolder"), nil, 0o600)
}
