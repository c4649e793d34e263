package dmarcreport

import (
	"bytes"
	"strings"
)

// leaf reads the text of a leaf and gives it its meaning.
func (d *decoder) leaf(id elementID, t *token) error {
	at := t.at
	var lang string
	if len(t.attrs) > 0 {
		lang = string(d.entities(d.mend([]byte(attribute(t.attrs, "lang")), id, at), id, at))
	}
	if t.closed {
		d.value(id, nil, at, lang)
		return nil
	}
	text, ok := d.s.simple(t.name)
	if !ok && d.s.bring(t) {
		text, ok = d.s.simple(t.name)
	}
	if ok {
		text = d.clean(text, id, at)
	} else {
		// Broken texts come in pieces.
		d.s.pin(pinLeaf, at)
		var err error
		if text, err = d.broken(id, string(t.name)); err != nil {
			return err
		}
	}
	if d.cut && !prose(id) {
		return nil // of "12" nobody knows whether it is all of the count
	}
	if len(text) > 0 {
		f := &d.stack[len(d.stack)-1]
		f.filled |= families()[f.id].bit[id]
	}
	d.value(id, text, at, lang)
	return nil
}

// broken reads a leaf that holds more than text: sections, comments, tags that
// are text not escaped, or no end tag.
func (d *decoder) broken(id elementID, name string) ([]byte, error) {
	var out []byte
	for {
		t := d.s.next(true)
		if err := d.check(); err != nil {
			return nil, err
		}
		switch t.kind {
		case tokenEOF:
			d.pending, d.cut = true, true
			return bytes.TrimSpace(out), nil
		case tokenCDATA:
			out = append(out, d.mend(t.text, id, t.at)...)
		case tokenText:
			out = append(out, d.unescape(t.text, id, t.at)...)
		case tokenEnd:
			switch {
			case string(t.name) == name:
				return bytes.TrimSpace(out), nil
			case strings.EqualFold(string(t.name), name):
				d.add(note{id: findMismatchCase, el: id, at: t.at, before: cut(t.name), after: name})
				return bytes.TrimSpace(out), nil
			case d.opened(t.name) >= 0:
				d.add(note{id: findNoEndTag, el: id, at: t.at})
				d.pending = true
				return bytes.TrimSpace(out), nil
			}
			d.add(note{id: findStrayEndTag, el: id, at: t.at, before: cut(t.text)})
			if verdict(id) {
				out = append(out, d.mend(t.text, id, t.at)...)
			}
		case tokenStart:
			if d.known(local(t.name)) {
				d.add(note{id: findNoEndTag, el: id, at: t.at})
				d.pending = true
				return bytes.TrimSpace(out), nil
			}
			d.add(note{id: findBareLess, el: id, at: t.at, before: cut(t.text), after: cut(t.text)})
			out = append(out, d.mend(t.text, id, t.at)...)
		}
		if int64(len(out)) > d.limits.Text {
			return nil, &LimitError{"Text", d.limits.Text, d.s.offset()}
		}
	}
}

// known reports whether an element of that name may stand in one that is open.
func (d *decoder) known(name []byte) bool {
	for i := range d.stack {
		if child(d.stack[i].id, name) != elNone {
			return true
		}
	}
	return false
}

// prose reports whether a leaf is a text for people, of which the beginning is
// worth having.
func prose(id elementID) bool {
	return id == elOrgName || id == elContact || id == elError || id == elGenerator
}
