package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mailfault/mailfault/examples/internal/mailbox"
)

// take is what a mailbox gives each mail to.
type take func(ctx context.Context, data []byte) (outcome, error)

// maildir reads the mails in new. One that is taken in goes to cur, as when a
// mail program shows it; one that nobody can place goes to the folder Unknown.
// Nothing is deleted, and what could not be stored stays in new.
type maildir struct {
	Dir string
}

// unknownFolder is the folder's name, in a Maildir and on an IMAP server.
const unknownFolder = "Unknown"

func (d maildir) scan(ctx context.Context, to take) (int, error) {
	taken := 0
	entries, err := os.ReadDir(filepath.Join(d.Dir, "new"))
	if err != nil {
		return 0, fmt.Errorf("no Maildir: %w", err)
	}
	var errs []error
	for _, entry := range entries {
		if ctx.Err() != nil {
			break
		}
		if !entry.Type().IsRegular() {
			continue
		}
		name := filepath.Join(d.Dir, "new", entry.Name())
		switch err := d.one(ctx, name, to); {
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

func (d maildir) one(ctx context.Context, name string, to take) error {
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
	return os.Rename(name, filepath.Join(folder, "cur", filepath.Base(name)+":2,"))
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
