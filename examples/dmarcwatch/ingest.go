package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/emersion/go-message"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/examples/internal/mailbox"
	"github.com/mailfault/mailfault/examples/internal/progress"
	"github.com/mailfault/mailfault/internal/authres"
)

// A batch goes into one transaction a domain: large enough to be fast, small
// enough that an interrupted run has little to do again.
const (
	batchReports = 100
	batchRecords = 20000
)

// ingester adds the reports of files to a history.
type ingester struct {
	*app
	history  *history.History
	reader   dmarcreport.Reader
	baseline bool
	authserv string // whose Authentication-Results count; "" = all mail is believed
	now      func() time.Time

	batch   []history.Submission
	records int
	counts  map[history.Status]int
}

func (a *app) ingest(ctx context.Context, args []string) error {
	flags, parse := a.flags("ingest", "PATH...|-", 1)
	alert := flags.String("alert", "", "tell of new and newly failing sources at once: smtp://HOST[:PORT]?from=A&to=B, https://..., or a command that gets JSON")
	all := flags.Bool("alert-all", false, "alert of every kind of event and of corrections")
	baseline := flags.Bool("baseline", false, "import a past: its events are kept and alert nobody")
	authserv := flags.String("authserv", "", "believe only mails that this server's Authentication-Results call dmarc=pass")
	every := flags.Duration("every", 0, "look again for new files after this long, until interrupted")
	if err := parse(args); err != nil {
		return err
	}
	send, err := newAlert(*alert)
	if err != nil {
		return err
	}
	h, closeDB, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer closeDB()
	in := &ingester{app: a, history: h, baseline: *baseline, authserv: *authserv, now: time.Now}
	seen := make(map[string]time.Time) // when each file was last changed
	for {
		err := in.run(ctx, flags.Args(), seen)
		if *alert != "" {
			err = errors.Join(err, deliver(ctx, h, *alert, *all, send))
		}
		var store storeError
		if errors.As(err, &store) {
			clear(seen) // what the batch held is to be read again
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

// run adds the files of paths that are new or changed since seen. What cannot
// be read is an error at the end and keeps nothing else out.
func (in *ingester) run(ctx context.Context, paths []string, seen map[string]time.Time) error {
	in.counts = make(map[history.Status]int)
	var failed int
	bar := progress.New(paths, in.stderr)
	for name, err := range mailbox.Files(paths) {
		if ctx.Err() != nil {
			break
		}
		bar.Step()
		if err == nil {
			info, statErr := os.Stat(name)
			if statErr == nil {
				if changed, ok := seen[name]; ok && changed.Equal(info.ModTime()) {
					continue
				}
				seen[name] = info.ModTime()
			}
			err = mailbox.Each(name, in.stdin, func(r io.Reader) error { return in.input(ctx, r) })
		}
		var store storeError
		if errors.As(err, &store) {
			bar.Finish()
			return err
		}
		if err != nil {
			failed++
			bar.Clear()
			fmt.Fprintf(in.stderr, "dmarcwatch: %v\n", err)
		}
	}
	bar.Finish()
	if err := errors.Join(in.flush(ctx), ctx.Err()); err != nil {
		return err
	}
	var parts []string
	for s := history.Accepted; s <= history.Invalid; s++ {
		if n := in.counts[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(in.stdout, "reports: %s\n", strings.Join(parts, ", "))
	}
	if failed > 0 {
		return fmt.Errorf("%d inputs could not be read", failed)
	}
	return nil
}

// storeError is an error of the store, after which there is no going on.
type storeError struct{ error }

func (e storeError) Unwrap() error { return e.error }

// input adds every aggregate report of one file or mail to the batch.
func (in *ingester) input(ctx context.Context, r io.Reader) error {
	br := bufio.NewReaderSize(r, 64<<10)
	start, _ := br.Peek(64 << 10)
	believed := in.authserv == "" || authenticated(start, in.authserv)
	var errs []error
	for doc, err := range in.reader.Documents(br) {
		if err == nil && doc.Aggregate != nil {
			err = in.add(ctx, doc, believed)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (in *ingester) add(ctx context.Context, doc *dmarcreport.Document, believed bool) error {
	report, err := doc.Aggregate.Report()
	if err != nil {
		return err
	}
	s := history.Of(report)
	s.Authentic, s.Learnt, s.Baseline = believed, in.now(), in.baseline
	in.batch = append(in.batch, s)
	in.records += len(report.Records)
	if len(in.batch) >= batchReports || in.records >= batchRecords {
		return in.flush(ctx)
	}
	return nil
}

// flush stores the batch.
func (in *ingester) flush(ctx context.Context) error {
	outcomes, err := in.history.Add(ctx, in.batch...)
	in.batch, in.records = nil, 0
	if err != nil {
		return storeError{err}
	}
	var errs []error
	for _, o := range outcomes {
		in.counts[o.Status]++
		if o.Err != nil {
			errs = append(errs, fmt.Errorf("report %q of %q: %w", o.Key.ID, o.Key.Reporter, o.Err))
		}
	}
	return errors.Join(errs...)
}

// authenticated reports whether the mail that starts so was called dmarc=pass
// by the server. Only the topmost field of that name counts: a sender can write
// others below it.
func authenticated(start []byte, server string) bool {
	e, err := message.Read(bytes.NewReader(start))
	if e == nil || err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
		return false
	}
	for fields := e.Header.FieldsByKey("Authentication-Results"); fields.Next(); {
		results := authres.Parse(fields.Value())
		if !strings.EqualFold(results.ServID, server) {
			continue
		}
		for _, r := range results.Results {
			if r.Method == "dmarc" {
				return r.Value == "pass"
			}
		}
		return false
	}
	return false
}
