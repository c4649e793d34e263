package dmarcreport

import (
	"errors"
	"io"
	"iter"
)

// Stream is an aggregate report that is read record by record, in memory that
// does not grow with it. It is not safe for concurrent use.
type Stream struct {
	d       *decoder
	waiting bool // a record has begun and waits for Next
	err     error
}

// openStream reads a document up to its first record.
func openStream(r io.Reader, limits Limits, strict bool, part string, src *source) (*Stream, error) {
	r, before, charset := decodeCharset(r)
	d := newDecoder(r, limits, strict, part)
	d.s.startAt(before)
	if charset.id != findNone {
		d.add(charset)
	}
	if a, ok := r.(*asciiReader); ok {
		a.beyond = d.add
	}
	if src != nil {
		for _, n := range src.notes {
			d.add(n)
		}
		src.damaged = func(id findingID) { d.add(note{id: id, el: d.top(), at: d.s.offset()}) }
	}
	s := &Stream{d: d}
	ev, err := d.run()
	switch {
	case err != nil:
		if errors.Is(err, ErrNotReport) && src != nil && src.broken {
			err = ErrCorrupt
		}
		return nil, err
	case ev == recordBegins:
		s.waiting = true
	default:
		s.err = io.EOF
	}
	return s, nil
}

// Metadata returns who reports about which period. Where a reporter puts it
// after the records, it is complete once Next has returned io.EOF.
func (s *Stream) Metadata() Metadata { return s.d.meta }

// Policy returns the policy as the reporter found it; see Metadata for when it
// is complete.
func (s *Stream) Policy() PolicyPublished { return s.d.policy }

// Dialect returns the evidence so far for the standard the report follows.
func (s *Stream) Dialect() Dialect { return s.d.dialect }

// Findings returns what was found wrong so far, and how many findings were
// dropped for Limits.Findings.
func (s *Stream) Findings() (list []Finding, dropped int) {
	return s.d.notes.findings, s.d.notes.dropped
}

// Next reads the next record into rec and uses the memory of its slices again.
// It returns io.EOF after the last one. Another error ends reading; the
// records before it are good.
func (s *Stream) Next(rec *Record) error {
	if s.err != nil {
		return s.err
	}
	d := s.d
	for !s.waiting {
		ev, err := d.run()
		if err == nil && ev == documentEnds {
			err = io.EOF
		}
		if err != nil {
			s.err = err
			return err
		}
		s.waiting = ev == recordBegins
	}
	s.waiting = false
	rec.reset()
	rec.Offset = d.began
	d.rec, d.hasCount = rec, false
	ev, err := d.run()
	d.rec = nil
	if err != nil {
		s.err = err
		return err
	}
	if ev == documentEnds {
		s.err = io.EOF
		if !rec.SourceIP.IsValid() && !d.hasCount {
			d.add(note{id: findCutRecord, el: elRecord, at: d.s.offset()})
			return s.err
		}
		rec.Partial = true
		return nil
	}
	return nil
}

// Done reports whether the stream has ended without an error: Next has
// returned io.EOF.
func (s *Stream) Done() bool { return s.err == io.EOF }

// reset empties a record and keeps the memory of its slices.
func (r *Record) reset() {
	*r = Record{
		Evaluated:  Evaluated{Reasons: r.Evaluated.Reasons[:0]},
		DKIM:       r.DKIM[:0],
		SPF:        r.SPF[:0],
		Extensions: r.Extensions[:0],
	}
}

// Records yields the records that are left. Each is the caller's to keep; Next
// spares the memory. After an error it yields nothing more.
func (s *Stream) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for {
			var rec Record
			err := s.Next(&rec)
			if err == io.EOF {
				return
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// Report gathers the rest of the stream. After an error it holds what was read
// before it.
func (s *Stream) Report() (*Report, error) {
	out := Report{Records: []Record{}}
	var err error
	for rec, e := range s.Records() {
		if e != nil {
			err = e
			break
		}
		if int64(len(out.Records)) >= s.d.limits.Gathered {
			err = &LimitError{"Gathered", s.d.limits.Gathered, rec.Offset}
			break
		}
		out.Records = append(out.Records, rec)
	}
	out.Metadata, out.Policy, out.Dialect = s.Metadata(), s.Policy(), s.Dialect()
	out.Findings, out.Dropped = s.Findings()
	if out.Findings == nil {
		out.Findings = []Finding{} // [] in JSON
	}
	return &out, err
}
