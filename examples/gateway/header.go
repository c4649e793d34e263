package main

import (
	"bytes"
	"iter"
	"mime"
	"strings"
)

// field is a header field that the gateway adds.
type field struct{ Name, Value string }

// prefix begins the names of the gateway's own fields. Nobody else's pass.
const prefix = "X-Mailfault-"

// headerEnd returns where the header ends in data, its empty line included, or
// -1 when the end is not there yet.
func headerEnd(data []byte) int {
	for at := 0; at < len(data); {
		end := bytes.IndexByte(data[at:], '\n')
		if end < 0 {
			return -1
		}
		line := bytes.TrimSuffix(data[at:at+end], []byte("\r"))
		at += end + 1
		if len(line) == 0 {
			return at
		}
	}
	return -1
}

// rawFields yields the fields of a header with their folded lines and line
// ends. Every CR and LF ends a line, also one that stands alone: what one reader
// takes for a part of a field, the next may take for a field of its own.
func rawFields(header []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		start := 0
		for at := 0; at < len(header); {
			end := bytes.IndexAny(header[at:], "\r\n")
			if end < 0 {
				end = len(header) - at
			} else if bytes.HasPrefix(header[at+end:], []byte("\r\n")) {
				end += 2
			} else {
				end++
			}
			at += end
			if at < len(header) && (header[at] == ' ' || header[at] == '\t') {
				continue
			}
			if !yield(header[start:at]) {
				return
			}
			start = at
		}
	}
}

// split returns a raw field's name and its unfolded value; name is "" where
// the line is no field.
func split(raw []byte) (name, value string) {
	before, after, ok := bytes.Cut(raw, []byte(":"))
	if !ok {
		return "", ""
	}
	unfolded := strings.NewReplacer("\r", "", "\n", "").Replace(string(after))
	return strings.TrimSpace(string(before)), strings.TrimSpace(unfolded)
}

// get returns the value of the first field of that name, or "".
func get(header []byte, name string) string {
	for raw := range rawFields(header) {
		if n, value := split(raw); strings.EqualFold(n, name) {
			return value
		}
	}
	return ""
}

// rewrite returns the header with added fields on top and without the fields
// that remove names. A header that needs neither comes back as it is.
func rewrite(header []byte, add []field, remove func(name, value string) bool) []byte {
	var b bytes.Buffer
	for _, f := range add {
		f.writeTo(&b)
	}
	first := true
	for raw := range rawFields(header) {
		name, value := split(raw)
		// A first line that is folded would become a part of the last field
		// added.
		stray := first && len(add) > 0 && (raw[0] == ' ' || raw[0] == '\t')
		first = false
		if !stray && (name == "" || !remove(name, value)) {
			b.Write(raw)
		}
	}
	if bytes.Equal(b.Bytes(), header) {
		return header
	}
	return b.Bytes()
}

// maxValue bounds a value the gateway writes, in bytes; what reports say has no
// bound of its own.
const maxValue = 800

// clean returns text from a stranger as a header value: one line, printable,
// within maxValue, encoded where it is not ASCII.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "?")
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxValue {
		s = strings.ToValidUTF8(s[:maxValue], "") + "..."
	}
	return mime.QEncoding.Encode("utf-8", s)
}

// writeTo writes the field, folded at spaces near 78 columns (RFC 5322 section
// 2.1.1).
func (f field) writeTo(b *bytes.Buffer) {
	b.WriteString(f.Name + ":")
	column := len(f.Name) + 1
	for word := range strings.FieldsSeq(f.Value) {
		if column > len(f.Name)+1 && column+1+len(word) > 78 {
			b.WriteString("\r\n")
			column = 0
		}
		b.WriteString(" " + word)
		column += 1 + len(word)
	}
	b.WriteString("\r\n")
}
