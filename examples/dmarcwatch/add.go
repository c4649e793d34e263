package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/examples/internal/progress"
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
	authserv string   // whose Authentication-Results count; "" = all mail is believed
	domains  []string // kept, with the names below them; none = all are
	now      func() time.Time
	tell     func(line string) // of what was not simply taken

	bar     *progress.Bar
	batch   []history.Submission
	from    []string // the names of the batch's sources
	records int
	counts  map[history.Status]int
	foreign int // reports about domains that are not kept
	failed  int // inputs and reports that could not be read or kept
}

// storeError is an error of the store, after which there is no going on.
type storeError struct{ error }

func (e storeError) Unwrap() error { return e.error }

// source is what reports are read from.
type source struct {
	name string
	// again reads the same bytes once more; nil where that cannot be done.
	again func(read func(io.Reader) error) error
}

// input adds every aggregate report of one file or mail to the batch.
func (in *ingester) input(ctx context.Context, r io.Reader, src source) error {
	br := bufio.NewReaderSize(r, 64<<10)
	start, _ := br.Peek(64 << 10)
	believed := in.authserv == "" || authenticated(start, in.authserv)
	var errs []error
	at := -1
	for doc, err := range in.reader.Documents(br) {
		if at++; err == nil && doc.Aggregate != nil {
			err = in.add(ctx, doc.Aggregate, believed, src, at)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// add adds a report to the batch, or, where it is a large one, by itself and
// record by record: its records are never all in memory. at is its position
// among the documents of the source.
func (in *ingester) add(ctx context.Context, stream *dmarcreport.Stream, believed bool, src source, at int) error {
	first, err := take(stream, largeReport)
	if err != nil {
		return err
	}
	large := !stream.Done()
	if large && !named(stream) {
		if src.again != nil {
			return in.addNamedLast(ctx, stream, believed, src, at)
		}
		rest, err := stream.Report()
		if err != nil {
			return fmt.Errorf("%w (what says whose report it is stands last: such a one must be read twice, so give it as a file)", err)
		}
		first, large = append(first, rest.Records...), false
	}
	s := history.Of(&dmarcreport.Report{Metadata: stream.Metadata(), Policy: stream.Policy(), Records: first})
	if large {
		if err := in.flush(ctx); err != nil {
			return err
		}
		s.Records = in.following(ctx, s.Records, stream)
	}
	return in.submit(ctx, s, believed, src.name, len(first), large)
}

// named reports whether a stream has come to what says whose report it is.
func named(stream *dmarcreport.Stream) bool {
	return stream.Policy().Domain != "" && !stream.Metadata().DateRange.End.IsZero()
}

// addNamedLast adds a large report whose domain or period comes after the
// records: it is read to its end for these, and then once more.
func (in *ingester) addNamedLast(ctx context.Context, stream *dmarcreport.Stream, believed bool, src source, at int) error {
	for _, err := range in.following(ctx, nothing, stream) {
		if err != nil {
			return err
		}
	}
	if err := in.flush(ctx); err != nil {
		return err
	}
	s := history.Submission{Metadata: stream.Metadata(), Policy: stream.Policy()}
	s.Records = func(yield func(*dmarcreport.Record, error) bool) {
		found := false
		err := src.again(func(r io.Reader) error {
			n := -1
			for doc, err := range in.reader.Documents(r) {
				if n++; n != at || err != nil || doc.Aggregate == nil {
					continue
				}
				found = true
				for rec, err := range in.following(ctx, nothing, doc.Aggregate) {
					if !yield(rec, err) {
						yield = nil
						return nil
					}
				}
				if !reflect.DeepEqual(doc.Aggregate.Policy(), s.Policy) || !reflect.DeepEqual(doc.Aggregate.Metadata(), s.Metadata) {
					return errChanged
				}
				return nil
			}
			return nil
		})
		if err == nil && !found {
			err = errChanged
		}
		if err != nil && yield != nil {
			yield(nil, err)
		}
	}
	return in.submit(ctx, s, believed, src.name, 0, true)
}

var errChanged = errors.New("the file changed while it was read")

func nothing(func(*dmarcreport.Record, error) bool) {}

// submit adds a submission to the batch, and stores it if that is full.
func (in *ingester) submit(ctx context.Context, s history.Submission, believed bool, name string, records int, now bool) error {
	if !in.wants(s.Policy.Domain) {
		in.foreign++
		return nil
	}
	s.Authentic, s.Learnt, s.Baseline = believed, in.now(), in.baseline
	in.batch, in.from = append(in.batch, s), append(in.from, name)
	in.records += records
	if now || len(in.batch) >= batchReports || in.records >= batchRecords {
		return in.flush(ctx)
	}
	return nil
}

// wants reports whether reports about a domain are kept. One that names none is
// the history's to refuse.
func (in *ingester) wants(domain string) bool {
	domain = strings.ToLower(strings.Trim(domain, ". "))
	return len(in.domains) == 0 || domain == "" || slices.ContainsFunc(in.domains, func(d string) bool {
		return domain == d || strings.HasSuffix(domain, "."+d)
	})
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

// flush stores the batch and tells of the reports that were not simply taken.
func (in *ingester) flush(ctx context.Context) error {
	outcomes, err := in.history.Add(ctx, in.batch...)
	from := in.from
	in.batch, in.from, in.records = nil, nil, 0
	if err != nil {
		return storeError{err}
	}
	for i, o := range outcomes {
		in.counts[o.Status]++
		report := fmt.Sprintf("%s: report %.100q of %q about %q", from[i], o.Key.ID, o.Key.Reporter, o.Key.Domain)
		switch o.Status {
		case history.Invalid:
			in.failed++
			in.tell(fmt.Sprintf("%s: %v", report, o.Err))
		case history.Conflict:
			in.tell(report + ": it differs from another of the same id and period; both are counted")
		}
	}
	return nil
}
