package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
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
	// largeReport is the number of records from which on a report is not read
	// whole: the largest of the corpus has 3,555.
	largeReport     = 5000
	progressRecords = 20000
)

// ingester adds the reports of files to a history.
type ingester struct {
	*app
	history  *history.History
	reader   dmarcreport.Reader
	baseline bool
	authserv string // whose Authentication-Results count; "" = all mail is believed
	now      func() time.Time

	bar     *progress.Bar
	batch   []history.Submission
	records int
	counts  map[history.Status]int
}

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
	in := &ingester{app: a, history: h, reader: fileReader(), baseline: *baseline, authserv: *authserv, now: time.Now}
	seen := make(map[string]time.Time) // when each file was last changed
	for {
		err := in.run(ctx, flags.Args(), seen)
		if tell != nil {
			err = errors.Join(err, tell.deliver(ctx, h))
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

// run adds the files of paths that are new or changed since seen. What cannot
// be read is an error at the end and keeps nothing else out.
func (in *ingester) run(ctx context.Context, paths []string, seen map[string]time.Time) error {
	in.counts = make(map[history.Status]int)
	var failed int
	bar := progress.New(paths, in.stderr)
	in.bar = bar
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

// add adds a report to the batch, or, where it is a large one, by itself and
// record by record: its records are never all in memory.
func (in *ingester) add(ctx context.Context, doc *dmarcreport.Document, believed bool) error {
	stream := doc.Aggregate
	first, err := take(stream, largeReport)
	if err != nil {
		return err
	}
	large := !stream.Done()
	if m := stream.Metadata(); large && (stream.Policy().Domain == "" || m.DateRange.End.IsZero()) {
		// What says whose report this is comes after the records.
		rest, err := stream.Report()
		if err != nil {
			return err
		}
		first, large = append(first, rest.Records...), false
	}
	s := history.Of(&dmarcreport.Report{Metadata: stream.Metadata(), Policy: stream.Policy(), Records: first})
	s.Authentic, s.Learnt, s.Baseline = believed, in.now(), in.baseline
	if large {
		if err := in.flush(ctx); err != nil {
			return err
		}
		s.Records = in.following(ctx, s.Records, stream)
	}
	in.batch = append(in.batch, s)
	in.records += len(first)
	if large || len(in.batch) >= batchReports || in.records >= batchRecords {
		return in.flush(ctx)
	}
	return nil
}

// take reads up to n records.
func take(stream *dmarcreport.Stream, n int) ([]dmarcreport.Record, error) {
	var records []dmarcreport.Record
	for len(records) < n {
		var rec dmarcreport.Record
		if err := stream.Next(&rec); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		records = append(records, rec)
	}
	return records, nil
}

// following yields the records read so far and then those that are left in the
// stream, which all use the same memory.
func (in *ingester) following(ctx context.Context, first iter.Seq2[*dmarcreport.Record, error], stream *dmarcreport.Stream) iter.Seq2[*dmarcreport.Record, error] {
	return func(yield func(*dmarcreport.Record, error) bool) {
		n := 0
		for rec, err := range first {
			if n++; !yield(rec, err) {
				return
			}
		}
		var rec dmarcreport.Record
		for {
			err := stream.Next(&rec)
			if err == io.EOF {
				return
			}
			if err = errors.Join(err, ctx.Err()); !yield(&rec, err) || err != nil {
				return
			}
			if n++; n%progressRecords == 0 {
				in.bar.Records(n)
			}
		}
	}
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
