package dmarcreport

import (
	"errors"
	"hash/maphash"
	"io"
	"strings"
)

// decoder makes records of the tags of one document. It goes by the tree, not
// by the order of elements, and mends the tree where tags are missing.
type decoder struct {
	s       *scanner
	notes   notes
	limits  Limits
	strings interner

	meta    Metadata
	policy  PolicyPublished
	dialect Dialect
	marks   uint64 // pieces of evidence for a dialect already counted

	stack    []frame
	pending  bool // the scanner's token was read and not yet used
	last     elementID
	follow   [elementCount]elementID // which element came after each, the last time
	prefix   string                  // of the root
	spaces   namespaces              // that the open elements declare
	attrs    []byte                  // of the start tag that is taken
	rooted   bool                    // the root was seen
	done     bool                    // the root has ended
	records  int64
	began    int64  // where the record begins that is next
	scratch  []byte // of the text of the leaf that is read
	early    []note // about elements before the records, not yet said
	reason   string // text found in a reason that should hold elements
	cut      bool   // the document ends in the leaf that is read
	full     bool   // the list that is open has all it may have
	twice    bool   // the leaf that is read was there before
	hasCount bool   // of the record that is read

	rec *Record // that is being filled
}

type frame struct {
	id           elementID
	name         string // of an element outside of the vocabulary
	seen, filled uint32 // children that were there, that had a value
	lost         uint32 // children whose name is there in another namespace
	again        bool   // the element was there before: its leaves are read beside those
	position     uint8  // of the last child, where order is fixed
}

// errRecordEnds says that a start tag ended the record before it, errRecordBegins
// that one began whose own tag is missing. The tag is read again then.
var (
	errRecordEnds   = errors.New("a record ends")
	errRecordBegins = errors.New("a record begins")
)

// event is why run came back.
type event uint8

const (
	recordBegins event = iota
	recordEnds
	documentEnds
)

func newDecoder(r io.Reader, limits Limits, strict bool, part string) *decoder {
	d := &decoder{limits: limits}
	d.strings.seed = maphash.MakeSeed()
	d.notes = notes{part: part, strict: strict, max: limits.Findings}
	d.s = newScanner(r, int(min(limits.Text, 1<<30)), d.scanned)
	d.notes.where = d.s.where
	return d
}

// scanned takes what the scanner found wrong.
func (d *decoder) scanned(id findingID, at int64, before, after string) {
	if id == findStrayText {
		switch {
		case d.unknown():
			return // of an element that is passed over
		case len(d.stack) == 0 && !d.rooted:
			if strings.Trim(before, "\ufeff") == "" {
				return
			}
		case d.top() == elReason && d.reason == "":
			d.reason = before
			id = findReasonText
		case d.done:
			return // said once, as trailing data
		}
	}
	d.add(note{id: id, el: d.top(), at: at, before: before, after: after})
}

func (d *decoder) add(n note) { d.notes.add(n) }

// top is the innermost open element of the vocabulary.
func (d *decoder) top() elementID {
	for i := len(d.stack) - 1; i >= 0; i-- {
		if d.stack[i].id != elNone {
			return d.stack[i].id
		}
	}
	return elNone
}

// run reads on to the next event.
func (d *decoder) run() (event, error) {
	for {
		t := &d.s.tok
		if !d.pending {
			t = d.s.next(false)
		}
		d.pending = false
		if err := d.check(); err != nil {
			return documentEnds, err
		}
		switch t.kind {
		case tokenEOF:
			return documentEnds, d.end()
		case tokenStart:
			begins, err := d.start(t)
			switch err {
			case errRecordEnds:
				return recordEnds, nil
			case errRecordBegins:
				return recordBegins, nil
			}
			if begins || err != nil {
				return recordBegins, err
			}
		case tokenEnd:
			if d.finish(t) {
				return recordEnds, nil
			}
			if d.done {
				d.trailing()
				return documentEnds, d.check()
			}
		}
	}
}

// check returns the error that ends reading at once.
func (d *decoder) check() error {
	if d.s.overText {
		return &LimitError{"Text", d.limits.Text, d.s.offset()}
	}
	return d.notes.err
}

// start takes a start tag; it reports whether a record begins with it.
func (d *decoder) start(t *token) (begins bool, err error) {
	d.attrs = t.attrs
	d.spaces.leave(len(d.stack))
	parent := elNone
	if n := len(d.stack); n > 0 {
		parent = d.stack[n-1].id
	}
	id := d.follow[d.last]
	if e := &vocabulary[id]; id == elNone || e.parent != parent || e.name != string(t.name) || len(t.attrs) > 0 || d.unknown() {
		if id, err = d.resolve(t); err != nil || id == elNone {
			return false, err
		}
		d.follow[d.last] = id
	}
	if id == elRow && d.rowAgain() {
		// Two rows are two records whose tags between them are missing.
		d.add(note{id: findNoEndTag, el: elRecord, at: t.at})
		d.pending = true
		d.pop(t.at)
		return false, errRecordEnds
	}
	d.last = id
	e := &vocabulary[id]
	if id != elFeedback && !d.accept(id, t) {
		return false, d.again(id, t)
	}
	if e.form == leaf {
		d.twice = d.stack[len(d.stack)-1].again
		err := d.leaf(id, t)
		d.twice = false
		return false, err
	}
	if e.form == foreign {
		return false, d.skip(t)
	}
	if id == elRecord && !t.closed { // an empty one says nothing
		return true, d.beginRecord(t.at)
	}
	if err := d.push(frame{id: id}); err != nil {
		return false, err
	}
	switch id {
	case elFeedback:
		d.root(t)
	default:
		d.begins(id, t.at)
	}
	if t.closed {
		d.pop(t.at)
	}
	return false, nil
}

// unknown reports whether an element outside of the vocabulary is open.
func (d *decoder) unknown() bool {
	n := len(d.stack)
	return n > 0 && d.stack[n-1].id == elNone
}

// accept notes a child in its parent, and reports whether its value counts.
func (d *decoder) accept(id elementID, t *token) bool {
	f := &d.stack[len(d.stack)-1]
	bit := families()[f.id].bit[id]
	e := &vocabulary[id]
	if f.seen&bit != 0 {
		if most := max(e.rfc7489, e.rfc9990); most <= once && f.filled&bit != 0 {
			d.add(note{id: findRepeated, el: id, at: t.at})
			return false
		}
	}
	f.seen |= bit
	if e.position != 0 {
		if e.position < f.position {
			d.add(note{id: findOrder, el: id, at: t.at})
		}
		f.position = e.position
	}
	if e.rfc7489 == never || e.rfc9990 == never {
		d.foreignTo(id, t.at)
	}
	return true
}

// foreignTo takes an element that only one of the standards has as evidence
// for it. Which of the two the report breaks is said once all that stands
// before the records is known.
func (d *decoder) foreignTo(id elementID, at int64) {
	e := &vocabulary[id]
	switch {
	case e.rfc7489 == never && e.rfc9990 == never:
		d.add(note{id: findNotInStandard, el: id, at: at, spec: specSchema})
		return
	case e.rfc7489 == never:
		d.evidence(id, "RFC 9990", e.name)
	default:
		d.evidence(id, "RFC 7489", e.name)
	}
	n := note{id: findNotInStandard, el: id, at: at}
	const most = 50
	if d.records == 0 && len(d.early) < most {
		n.spot = d.s.where(at) // the window will have left it
		d.early = append(d.early, n)
	} else {
		d.sayForeign(n)
	}
}

// sayForeign notes an element that the standard the report follows lacks.
func (d *decoder) sayForeign(n note) {
	e, likely := &vocabulary[n.el], d.dialect.Likely()
	switch {
	case e.rfc7489 == never && likely == "RFC 7489":
		n.spec = "RFC 7489 appendix C"
	case e.rfc9990 == never && likely == "RFC 9990":
		n.spec = "RFC 9990 appendix A"
	default:
		return
	}
	d.add(n)
}

// headEnds is called where the records begin or the document ends.
func (d *decoder) headEnds() {
	for _, n := range d.early {
		d.sayForeign(n)
	}
	d.early = nil
}

// beginRecord opens a record.
func (d *decoder) beginRecord(at int64) error {
	d.headEnds()
	if d.records++; d.records > d.limits.Records {
		return &LimitError{"Records", d.limits.Records, at}
	}
	d.began = at
	return d.push(frame{id: elRecord})
}

// rowAgain reports whether the record that is open has a row already.
func (d *decoder) rowAgain() bool {
	f := &d.stack[len(d.stack)-1]
	return f.filled&families()[elRecord].bit[elRow] != 0
}

// again passes over an element that was there before, unless a pass can rest
// on it: two that differ are none, whichever comes first. Results in a second
// auth_results are results like the others.
func (d *decoder) again(id elementID, t *token) error {
	switch id {
	case elEvaluatedDKIM, elEvaluatedSPF, elDisposition, elDKIMResult, elSPFResult, elSPFScope,
		elADKIM, elASPF, elHeaderFrom, elDKIMDomain, elSPFDomain:
		d.twice = true
		err := d.leaf(id, t)
		d.twice = false
		return err
	case elEvaluated, elIdentifiers, elAuthResults:
		if !t.closed {
			return d.push(frame{id: id, again: id != elAuthResults})
		}
	}
	return d.skip(t)
}

func (d *decoder) push(f frame) error {
	if int64(len(d.stack)) >= d.limits.Depth {
		return &LimitError{"Depth", d.limits.Depth, d.s.offset()}
	}
	if len(d.attrs) > 0 {
		d.spaces.declare(d.attrs, len(d.stack))
	}
	d.stack = append(d.stack, f)
	return nil
}
