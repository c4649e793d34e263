package dmarcreport

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// clean returns a text without escapes and without blanks around it. Nearly
// every text is clean already and comes back as it is.
func (d *decoder) clean(b []byte, id elementID, at int64) []byte {
	plain := true
	for _, c := range b {
		if c < ' ' || c >= 0x7f || c == '&' {
			plain = false
			break
		}
	}
	if plain && (len(b) == 0 || b[0] != ' ' && b[len(b)-1] != ' ') {
		return b
	}
	return d.trim(d.unescape(b, id, at), id, at)
}

// trim takes the blanks around a text away.
func (d *decoder) trim(b []byte, id elementID, at int64) []byte {
	trimmed := bytes.TrimSpace(b)
	if len(trimmed) < len(b) && len(trimmed) > 0 {
		d.add(note{id: findBlanks, el: id, at: at})
	}
	return trimmed
}

// unescape mends a text and decodes its entities. The result lasts until the
// next call.
func (d *decoder) unescape(b []byte, id elementID, at int64) []byte {
	b = d.mend(b, id, at)
	if bytes.IndexByte(b, '&') < 0 {
		return b
	}
	out := d.entities(b, id, at)
	if bytes.IndexByte(out, '&') >= 0 && !verdict(id) {
		if once := html.UnescapeString(string(out)); once != string(out) {
			d.add(note{id: findEscapedTwice, el: id, at: at, before: cut(out), after: cut([]byte(once))})
			return []byte(once)
		}
	}
	return out
}

// entities decodes the entities of a text once.
func (d *decoder) entities(b []byte, id elementID, at int64) []byte {
	out := d.scratch[:0]
	for i := 0; i < len(b); {
		if b[i] != '&' {
			out = append(out, b[i])
			i++
			continue
		}
		n, text, kind := entity(b[i:])
		if kind != findNone {
			d.add(note{id: kind, el: id, at: at, before: cut(b[i : i+n]), after: text})
		}
		if text == "" && verdict(id) {
			text = string(utf8.RuneError)
		}
		out = append(out, text...)
		i += n
	}
	d.scratch = out
	return out
}

// mend takes bytes that are no UTF-8 for windows-1252, and drops characters
// that XML forbids (XML 1.0 section 2.2).
func (d *decoder) mend(b []byte, id elementID, at int64) []byte {
	if !utf8.Valid(b) {
		before := b
		b, _ = charmap.Windows1252.NewDecoder().Bytes(b)
		d.add(note{id: findBadBytes, el: id, at: at, before: cut(before), after: cut(b)})
	}
	if bytes.IndexFunc(b, forbidden) < 0 {
		return b
	}
	d.add(note{id: findControl, el: id, at: at, before: strconv.QuoteToASCII(cut(b))})
	instead := rune(-1)
	if verdict(id) {
		instead = utf8.RuneError
	}
	return bytes.Map(func(r rune) rune {
		if forbidden(r) {
			return instead
		}
		return r
	}, b)
}

// forbidden reports whether XML 1.0 has no such character.
func forbidden(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f || r == 0xfffe || r == 0xffff
}

// verdict reports whether a leaf holds a word that a pass rests on. What would
// be mended in other texts is left in it, so that it makes no such word.
func verdict(id elementID) bool {
	switch id {
	case elDisposition, elEvaluatedDKIM, elEvaluatedSPF, elDKIMResult, elSPFResult, elSPFScope, elADKIM, elASPF:
		return true
	}
	return false
}

// entity reads an entity at the start of b: its length, what it stands for,
// and what is wrong with it.
func entity(b []byte) (n int, text string, kind findingID) {
	const longest = 32
	end := bytes.IndexByte(b[:min(len(b), longest)], ';')
	if end < 2 {
		return 1, "&", findBareAmpersand
	}
	name := string(b[1:end])
	switch name {
	case "amp":
		return end + 1, "&", findNone
	case "lt":
		return end + 1, "<", findNone
	case "gt":
		return end + 1, ">", findNone
	case "quot":
		return end + 1, `"`, findNone
	case "apos":
		return end + 1, "'", findNone
	}
	if name[0] == '#' {
		digits, base := name[1:], 10
		if strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
			digits, base = digits[1:], 16
		}
		v, err := strconv.ParseUint(digits, base, 32)
		if err != nil {
			return 1, "&", findBareAmpersand
		}
		if v > utf8.MaxRune || !utf8.ValidRune(rune(v)) || forbidden(rune(v)) {
			return end + 1, "", findControl
		}
		return end + 1, string(rune(v)), findNone
	}
	whole := string(b[:end+1])
	if t := html.UnescapeString(whole); t != whole {
		return end + 1, t, findEntity
	}
	return 1, "&", findBareAmpersand
}
