package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/mailfault/mailfault/dsn"
)

// The demo's mails are mails as they come in; only their key is no secret.
//
//go:embed testdata/demo/new testdata/demo.zone
var demoFiles embed.FS

const (
	demoKey    = "the-demo-desk-signs-with-this-key"
	demoDomain = "desk.example"
)

// prepareDemo copies the demo's Maildir to a folder of its own, for mails are
// moved there, and puts the store beside it.
func (o *options) prepareDemo() (end func(), err error) {
	dir, err := os.MkdirTemp("", "ticketing")
	if err != nil {
		return nil, err
	}
	o.db, o.key, o.domain, o.maildir = filepath.Join(dir, "demo.db"), filepath.Join(dir, "key"), demoDomain, filepath.Join(dir, "mail")
	if o.dns == "" {
		o.dns = filepath.Join(dir, "zone")
	}
	zone, err := demoFiles.ReadFile("testdata/demo.zone")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(o.dns, zone, 0o600); err != nil {
		return nil, err
	}
	if err := os.WriteFile(o.key, []byte(demoKey), 0o600); err != nil {
		return nil, err
	}
	mails, err := fs.Sub(demoFiles, "testdata/demo")
	if err != nil {
		return nil, err
	}
	if err := os.CopyFS(o.maildir, mails); err != nil {
		return nil, err
	}
	return func() { os.RemoveAll(dir) }, os.Mkdir(filepath.Join(o.maildir, "cur"), 0o700)
}

// runDemo takes the mails in, at the times they say, and prints the tickets.
func (k *desk) runDemo(ctx context.Context, o *options, stdout io.Writer) error {
	defer func() { k.now = time.Now }()
	fmt.Fprintln(stdout, "What came in:")
	if _, err := (maildir{Dir: o.maildir}).scan(ctx, func(ctx context.Context, data []byte) (outcome, error) {
		date, err := time.Parse(time.RFC1123Z, dsn.ReadHeader(data).Get("Date"))
		if err != nil {
			date, err = time.Parse("Mon, 2 Jan 2006 15:04:05 -0700", dsn.ReadHeader(data).Get("Date"))
		}
		if err != nil {
			return outcome{}, err
		}
		k.now = func() time.Time { return date }
		out, err := k.take(ctx, data)
		fmt.Fprintln(stdout, " ", out)
		return out, err
	}); err != nil {
		return err
	}
	return k.print(ctx, stdout)
}

// print writes every ticket with its timeline.
func (k *desk) print(ctx context.Context, w io.Writer) error {
	tickets, err := k.tickets(ctx)
	if err != nil {
		return err
	}
	for _, t := range tickets {
		fmt.Fprintf(w, "\nTicket #%d, %s: %s (%s)\n", t.ID, t.State, printable(t.Subject), printable(t.Customer))
		entries, err := k.entries(ctx, t.ID)
		if err != nil {
			return err
		}
		for _, e := range entries {
			fmt.Fprintf(w, "  %s  %-10s %s\n", e.At.Format("_2 Jan 15:04"), e.Kind, printable(e.Text))
		}
	}
	patterns, err := k.patterns(ctx, time.Time{})
	if err != nil {
		return err
	}
	for _, p := range patterns {
		fmt.Fprintf(w, "\nSeen together: %s\n", p.Summary)
	}
	return nil
}
