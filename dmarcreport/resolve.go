package dmarcreport

import (
	"bytes"
	"iter"
	"strings"
)

// resolve says which element a start tag begins. It returns elNone for one
// outside of the vocabulary, which is then open; elements whose end tag is
// missing are ended.
func (d *decoder) resolve(t *token) (elementID, error) {
	name := local(t.name)
	if !d.rooted {
		return d.resolveRoot(t, name)
	}
	n := len(d.stack)
	if d.otherNamespace(t) {
		d.extension(t)
		return elNone, d.skip(t)
	}
	if n == 0 {
		return elNone, d.skip(t)
	}
	if top := &d.stack[n-1]; top.id != elNone {
		if id := child(top.id, name); id != elNone {
			return id, nil
		}
		if id := d.loosely(top.id, name, t.at); id != elNone {
			return id, nil
		}
	}
	if d.stack[n-1].id == elFeedback && child(elRecord, name) == elRow {
		return d.impliedRecord(t)
	}
	if id, err := d.resolveOuter(t, name); id != elNone || err != nil {
		return id, err
	}
	if d.stack[n-1].id != elNone {
		kind := findUnknownElement
		if anywhere(name) {
			kind = findMisplaced
		}
		d.add(note{id: kind, el: d.top(), child: cut(name), at: t.at})
	}
	return elNone, d.skip(t)
}

// resolveRoot says whether a start tag is the root's.
func (d *decoder) resolveRoot(t *token, name []byte) (elementID, error) {
	if !bytes.EqualFold(name, []byte("feedback")) {
		return elNone, d.skip(t)
	}
	for _, f := range d.stack {
		d.add(note{id: findNoEndTag, child: f.name, at: t.at})
	}
	d.stack = d.stack[:0]
	d.rooted = true
	if string(name) != "feedback" {
		d.add(note{id: findCase, el: elFeedback, at: t.at, before: cut(name), after: "feedback"})
	}
	return elFeedback, nil
}

// resolveOuter says which child of an element further out a start tag begins,
// where end tags are missing.
func (d *decoder) resolveOuter(t *token, name []byte) (elementID, error) {
	n := len(d.stack)
	for i := n - 2; i >= 0; i-- {
		id := child(d.stack[i].id, name)
		if id == elNone || vocabulary[id].form == foreign {
			continue
		}
		if vocabulary[id].form == leaf && !d.complete(i+1) || d.stack[n-1].id == elNone && id != elRecord {
			continue
		}
		for j := len(d.stack) - 1; j > i; j-- {
			d.add(note{id: findNoEndTag, el: d.top(), child: d.stack[j].name, at: t.at})
			if d.stack[j].id == elRecord {
				// The record that was open ends first; the tag is read again.
				d.pending = true
			}
			if d.pop(t.at) == elRecord {
				return elNone, errRecordEnds
			}
		}
		return id, nil
	}
	return elNone, nil
}

// impliedRecord opens a record whose start tag is missing before its row.
func (d *decoder) impliedRecord(t *token) (elementID, error) {
	d.add(note{id: findNoStartTag, el: elRecord, at: t.at})
	d.pending = true
	d.last = elRecord
	d.accept(elRecord, t)
	if err := d.beginRecord(t.at); err != nil {
		return elNone, err
	}
	return elNone, errRecordBegins
}

// loosely finds a child by an alias, by its name in another case, or with its
// words joined another way.
func (d *decoder) loosely(parent elementID, name []byte, at int64) elementID {
	lower := strings.ToLower(string(name))
	kind := findCase
	if a := meant(lower); a != "" {
		lower, kind = a, findAlias
	}
	id := child(parent, []byte(lower))
	if id == elNone {
		if id = childJoined(parent, lower); id != elNone {
			lower, kind = vocabulary[id].name, findAlias
		}
	}
	if id != elNone {
		d.add(note{id: kind, el: id, at: at, before: cut(name), after: lower})
	}
	return id
}

// complete reports whether every open element from i on has all that either
// standard asks for, so that one of them may have ended without an end tag.
func (d *decoder) complete(i int) bool {
	for _, f := range d.stack[i:] {
		must := families()[f.id].must
		if f.id == elNone || must[0]&must[1]&^f.seen != 0 {
			return false
		}
	}
	return true
}

// skip opens an element that is passed over with all it holds.
func (d *decoder) skip(t *token) error {
	if t.closed {
		return nil
	}
	return d.push(frame{name: string(t.name)})
}

// otherNamespace reports whether a tag is of a namespace that is neither the
// report's nor one of DMARC. A prefix that nothing binds is the report's where
// the root has it too.
func (d *decoder) otherNamespace(t *token) bool {
	p, _, ok := bytes.Cut(t.name, []byte{':'})
	if !ok {
		if len(t.attrs) == 0 {
			return false
		}
		ns := attribute(t.attrs, "xmlns")
		return ns != "" && !d.ours(ns)
	}
	ns := ""
	if len(t.attrs) > 0 {
		ns = attribute(t.attrs, "xmlns:"+string(p))
	}
	if ns == "" {
		ns = d.spaces.of(p)
	}
	if ns == "" {
		return string(p) != d.prefix
	}
	return !d.ours(ns)
}

// ours reports whether a namespace is the report's own or one of DMARC.
func (d *decoder) ours(ns string) bool { return ns == d.dialect.Namespace || dmarcNamespace(ns) }

// extension keeps the name of an element of another namespace.
func (d *decoder) extension(t *token) {
	if n := len(d.stack); n > 0 && d.stack[n-1].id != elNone {
		top := &d.stack[n-1]
		top.lost |= families()[top.id].bit[child(top.id, local(t.name))]
	}
	const most = 20
	list := &d.meta.Extensions
	for _, f := range d.stack {
		if f.id == elNone && f.name != "" && strings.Contains(f.name, ":") {
			return // within another one
		}
		if f.id == elRecord && d.rec != nil {
			list = &d.rec.Extensions
		}
	}
	if len(*list) < most {
		*list = append(*list, cut(t.name))
	}
}

// anywhere reports whether the vocabulary has an element of that name.
func anywhere(name []byte) bool {
	for id := elFeedback; id < elementCount; id++ {
		if vocabulary[id].name == string(name) {
			return true
		}
	}
	return false
}

// local returns a name without its prefix.
func local(name []byte) []byte {
	if _, after, ok := bytes.Cut(name, []byte{':'}); ok {
		return after
	}
	return name
}

// attributes yields the names and values of a tag's attributes, up to the first
// that has another form. Entities in them are not decoded.
func attributes(rest []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		for len(rest) > 0 {
			eq := bytes.IndexByte(rest, '=')
			if eq < 0 {
				return
			}
			name := bytes.TrimSpace(rest[:eq])
			rest = bytes.TrimLeft(rest[eq+1:], " \t\r\n")
			if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
				return
			}
			end := bytes.IndexByte(rest[1:], rest[0])
			if end < 0 || !yield(name, rest[1:1+end]) {
				return
			}
			rest = rest[end+2:]
		}
	}
}

// attribute returns the value of an attribute, "" where it is not there.
func attribute(attrs []byte, name string) string {
	for n, value := range attributes(attrs) {
		if string(n) == name {
			return string(value)
		}
	}
	return ""
}
