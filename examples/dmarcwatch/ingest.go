package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/examples/internal/mailbox"
	"github.com/mailfault/mailfault/examples/internal/progress"
)

// fileReader reads what the caller chose to read, a million records with all
// they may hold: it streams, so only the time it takes grows. An upload has the
// limits for mail from strangers.
func fileReader() dmarcreport.Reader {
	return dmarcreport.Reader{Limits: dmarcreport.Limits{Input: 2 << 30, Output: 4 << 30}}
}

func (a *app) ingest(ctx context.Context, args []string) error {
	flags, parse := a.flags("ingest", "PATH...|-", 1)
	alert := flags.String("alert", "", "tell of new and newly failing sources at once: smtp://HOST[:PORT]?from=A&to=B, https://..., or a command that gets JSON")
	all := flags.Bool("alert-all", false, "alert of every kind of event and of corrections")
	baseline := flags.Bool("baseline", false, "import a past: its events are kept and alert nobody")
	authserv := flags.String("authserv", "", "believe only mails that this server's Authentication-Results call dmarc=pass")
	domains := flags.String("domains", "", "keep only reports about these domains, parted by commas, and names below them")
	sources := flags.Int("max-sources", 0, "how many sources one report may name before it is refused; 0 = 100,000, negative = no limit")
	every := flags.Duration("every", 0, "look again for new files after this long, until interrupted")
	if err := parse(args); err != nil {
		return err
	}
	var tell *alerts
	if *alert != "" {
		var err error
		if tell, err = newAlerts(*alert, *all); err != nil {
			return err
		}
	}
	h, closeDB, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer closeDB()
	h.Rules.MaxSources = *sources
	in := &ingester{app: a, history: h, reader: fileReader(), baseline: *baseline, authserv: *authserv, now: time.Now}
	in.domains = strings.FieldsFunc(strings.ToLower(*domains), func(r rune) bool { return r == ',' || r == ' ' })
	in.tell = func(line string) {
		in.bar.Clear()
		fmt.Fprintf(a.stderr, "dmarcwatch: %s\n", line)
	}
	seen := make(map[string]time.Time) // when each file was last changed
	for {
		err := in.run(ctx, flags.Args(), seen)
		if tell != nil && ctx.Err() == nil {
			old, alertErr := tell.deliver(ctx, h)
			if err = errors.Join(err, alertErr); old > 0 && !*baseline {
				fmt.Fprintf(a.stdout, "events too old to alert of: %d; dmarcwatch events -log lists them\n", old)
			}
		}
		var store storeError
		if errors.As(err, &store) {
			clear(seen) // what the batch held is to be read again
		}
		if *every > 0 && errors.Is(err, context.Canceled) {
			return nil // interrupted, as it is meant to end
		}
		if *every <= 0 || ctx.Err() != nil {
			return err
		}
		if err != nil {
			fmt.Fprintf(a.stderr, "dmarcwatch: %v\n", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(*every):
		}
	}
}

// errInterrupted wraps what it is told apart by.
var errInterrupted = fmt.Errorf("interrupted: run it again to go on (%w)", context.Canceled)

// run adds the files of paths that are new or changed since seen. What cannot
// be read is an error at the end and keeps nothing else out.
func (in *ingester) run(ctx context.Context, paths []string, seen map[string]time.Time) error {
	in.counts, in.foreign, in.failed = make(map[history.Status]int), 0, 0
	in.bar = progress.New(paths, in.stderr)
	defer in.bar.Finish()
	for name, err := range mailbox.Files(paths) {
		if ctx.Err() != nil {
			break
		}
		in.bar.Step()
		if err == nil {
			info, statErr := os.Stat(name)
			if statErr == nil {
				if changed, ok := seen[name]; ok && changed.Equal(info.ModTime()) {
					continue
				}
				seen[name] = info.ModTime()
			}
			err = in.file(ctx, name)
		}
		var store storeError
		if ctx.Err() == nil && errors.As(err, &store) {
			return err
		}
		if err != nil && ctx.Err() == nil {
			in.failed++
			in.tell(err.Error())
		}
	}
	err := in.flush(ctx)
	if ctx.Err() != nil {
		return errInterrupted
	}
	if err != nil {
		return err
	}
	if counts := in.summary(); counts != "" {
		fmt.Fprintf(in.stdout, "reports: %s\n", counts)
	}
	if in.failed > 0 {
		return fmt.Errorf("%d of the inputs could not be read or kept", in.failed)
	}
	return nil
}

// file adds the reports of a file, message by message where it is an mbox.
func (in *ingester) file(ctx context.Context, name string) error {
	index := -1
	return mailbox.Each(name, in.stdin, func(r io.Reader) error {
		index++
		src := source{name: name}
		if name != "-" {
			at := index
			src.again = func(read func(io.Reader) error) error { return nth(name, at, read) }
		}
		return in.input(ctx, r, src)
	})
}

// nth reads one message of a file again.
func nth(name string, index int, read func(io.Reader) error) error {
	at := -1
	return mailbox.Each(name, nil, func(r io.Reader) error {
		if at++; at != index {
			return nil
		}
		return read(r)
	})
}

// summary says how many reports there were of each status.
func (in *ingester) summary() string {
	var parts []string
	for s := history.Accepted; s <= history.Invalid; s++ {
		if n := in.counts[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	if in.foreign > 0 {
		parts = append(parts, fmt.Sprintf("%d about other domains", in.foreign))
	}
	return strings.Join(parts, ", ")
}
