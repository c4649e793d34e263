package dmarcreport

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// finish takes an end tag; it reports whether a record ends with it.
func (d *decoder) finish(t *token) (recordDone bool) {
	n := len(d.stack)
	if n > 0 {
		// The usual case first.
		if f := &d.stack[n-1]; f.id != elNone && vocabulary[f.id].name == string(t.name) {
			return d.pop(t.at) == elRecord
		}
	}
	i := d.opened(t.name)
	if i < 0 {
		d.add(note{id: findStrayEndTag, el: d.top(), at: t.at, before: cut(t.text)})
		return false
	}
	for len(d.stack) > i+1 {
		f := &d.stack[len(d.stack)-1]
		d.add(note{id: findNoEndTag, el: d.top(), child: f.name, at: t.at})
		if d.pop(t.at) == elRecord {
			// The record's own end comes first; its parent's is read again.
			d.pending = true
			return true
		}
	}
	return d.pop(t.at) == elRecord
}

// opened returns which open element an end tag ends, or -1.
func (d *decoder) opened(name []byte) int {
	for i := len(d.stack) - 1; i >= 0; i-- {
		f := &d.stack[i]
		open := f.name
		if f.id != elNone {
			open = vocabulary[f.id].name
			name = local(name)
		}
		if strings.EqualFold(open, string(name)) {
			return i
		}
		if f.id != elNone && (meant(strings.ToLower(string(name))) == open || sameJoined(string(name), open)) {
			return i
		}
	}
	return -1
}

// pop ends the innermost element, and says what it lacks.
func (d *decoder) pop(at int64) elementID {
	f := d.stack[len(d.stack)-1]
	d.stack = d.stack[:len(d.stack)-1]
	if f.id == elNone {
		return elNone
	}
	d.last = f.id
	if n := len(d.stack); n > 0 && f.seen != 0 {
		parent := &d.stack[n-1]
		parent.filled |= families()[parent.id].bit[f.id]
	}
	must := families()[f.id].must
	if missing := (must[0] | must[1]) &^ f.seen; missing != 0 {
		d.missing(f, at)
	}
	d.done = d.done || f.id == elFeedback
	d.conclude(f.id, at)
	return f.id
}

// conclude looks at an element as a whole, where it ends or the document does.
func (d *decoder) conclude(id elementID, at int64) {
	switch id {
	case elFeedback:
		d.headEnds()
	case elReason:
		d.reasonEnds()
	case elDateRange:
		d.rangeEnds(at)
	case elRecord:
		d.recordEnds(at)
	}
}

// missing notes the children that the standard the report follows asks for, or
// both standards where nothing tells which of them it is: sp, pct and fo are
// required by RFC 7489 alone, and selector by RFC 9990.
func (d *decoder) missing(f frame, at int64) {
	fam := &families()[f.id]
	both := fam.must[0] & fam.must[1]
	must, spec := both, specSchema
	switch old, successor := d.dialect.RFC7489, d.dialect.RFC9990; {
	case old > successor:
		must, spec = fam.must[0], "RFC 7489 appendix C"
	case successor > old:
		must, spec = fam.must[1], "RFC 9990 appendix A"
	}
	for _, c := range fam.children {
		if bit := fam.bit[c]; must&^f.seen&bit != 0 {
			id, s := findMissing, spec
			if both&bit != 0 {
				s = specSchema
			}
			switch {
			case f.lost&bit != 0:
				id = findOtherNamespace
			case c == elRecord:
				id = findNoRecord
			}
			d.add(note{id: id, el: c, at: at, spec: s})
		}
	}
}

// end takes the end of the document.
func (d *decoder) end() error {
	if err := d.s.err; err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	if !d.rooted {
		return fmt.Errorf("%w: no feedback element", ErrNotReport)
	}
	if len(d.stack) > 0 {
		d.add(note{id: findTruncated, el: d.top(), at: d.s.offset()})
	}
	for _, f := range d.stack {
		d.conclude(f.id, d.s.offset()) // what there is of it is looked at as a whole
	}
	return d.check()
}

// trailing looks whether something follows the root.
func (d *decoder) trailing() {
	for {
		t := d.s.next(true)
		switch {
		case t.kind == tokenEOF:
			return
		case t.kind == tokenText && len(bytes.TrimSpace(t.text)) == 0:
			continue
		case t.kind == tokenStart && bytes.EqualFold(local(t.name), []byte("feedback")):
			d.add(note{id: findMoreReports, at: t.at})
		default:
			d.add(note{id: findTrailing, at: t.at, before: cut(t.text)})
		}
		return
	}
}
