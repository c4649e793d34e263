// Package mime reads mails that break the rules: header fields, multipart
// bodies, transfer encodings and charsets, each as far as it can be read, with
// a defect for every repair. It works on bytes in memory and keeps positions.
package mime

import (
	"bytes"
	"strings"
)

// Field is one header field.
type Field struct {
	Name   string // as written, without blanks at its end
	Raw    string // what follows the colon, verbatim with its folds
	Offset int    // of the name in the message

	end int // of Raw in the text it was cut from
}

// Value returns the field's text with folds and runs of blanks made one blank.
func (f Field) Value() string { return unfold(f.Raw) }

// is reports whether the field has a name in any case. Every question to a
// header asks it of every field.
func (f *Field) is(name string) bool {
	return len(f.Name) == len(name) && strings.EqualFold(f.Name, name)
}

// Header is a message's or part's fields in order.
type Header []Field

// Get returns the text of the first field of that name in any case, or "".
func (h Header) Get(name string) string {
	for i := range h {
		if h[i].is(name) {
			return h[i].Value()
		}
	}
	return ""
}

// Has reports whether a field of that name is there, even an empty one.
func (h Header) Has(name string) bool {
	for i := range h {
		if h[i].is(name) {
			return true
		}
	}
	return false
}

// All returns the texts of every field of that name.
func (h Header) All(name string) []string {
	var all []string
	for i := range h {
		if h[i].is(name) {
			all = append(all, h[i].Value())
		}
	}
	return all
}

// Defect is a rule that the input breaks and how it was read all the same.
type Defect struct {
	Kind   DefectKind
	Offset int    // in the message
	Part   string // path of the part, "" for the message itself
}

// DefectKind names a defect.
type DefectKind uint8

// What can be wrong with a mail.
const (
	NoColon         DefectKind = iota + 1 // a header line that is neither field nor fold was joined to the field before
	MboxLine                              // a separator line of an mbox stood before the header
	NoBlankLine                           // the header ended without a blank line
	NoBoundary                            // a multipart names no boundary; the first line that looks like one was taken
	WrongBoundary                         // the boundary it names does not occur; another was taken
	NoClosing                             // the last part has no closing boundary
	BadTransfer                           // transfer encoding had bytes that mean nothing in it
	UnknownTransfer                       // transfer encoding unknown; taken as it is
	UnknownCharset                        // charset unknown or wrong; windows-1252 was taken
	TooDeep                               // nested below the limit; not read further
	TooManyParts                          // more parts than the limit; the rest was not read
	TooManyFields                         // more header fields than the limit; the rest was not read
)

// maxFields is how many fields of one header are kept.
const maxFields = 10_000

// readHeader reads the header at the start of data and returns where the body
// begins. The fields share the memory of one copy of the header.
func readHeader(data []byte, base int, found func(Defect)) (h Header, body int) {
	at := 0
	for at < len(data) && (data[at] == '\n' || data[at] == '\r') {
		at++
	}
	if bytes.HasPrefix(data[at:], []byte("From ")) || bytes.HasPrefix(data[at:], []byte(">From ")) {
		found(Defect{Kind: MboxLine, Offset: base + at})
		at = lineEnd(data, at)
	}
	headEnd, fields := headerEnd(data, at)
	text := string(data[:headEnd])
	h = make(Header, 0, min(fields, maxFields))
	for at < len(data) {
		end := lineEnd(data, at)
		line := trimEOL(data[at:end])
		if len(line) == 0 {
			return h, end
		}
		if line[0] == ' ' || line[0] == '\t' {
			if len(bytes.TrimSpace(line)) == 0 && startsBody(data[end:]) {
				return h, end
			}
			extend(h, text, end)
			at = end
			continue
		}
		switch name, colon := fieldName(line); {
		case name > 0:
			if len(h) == maxFields {
				found(Defect{Kind: TooManyFields, Offset: base + at})
				return h, headEnd
			}
			h = append(h, Field{Name: text[at : at+name], Raw: text[at+colon+1 : end], Offset: base + at, end: end})
		case bytes.HasPrefix(line, []byte("--")) && len(h) > 0:
			found(Defect{Kind: NoBlankLine, Offset: base + at})
			return h, at
		case len(h) == 0:
			return nil, at
		default:
			found(Defect{Kind: NoColon, Offset: base + at})
			extend(h, text, end)
		}
		at = end
	}
	return h, len(data)
}

// extend joins the line that ends at end to the last field, behind which it
// stands.
func extend(h Header, text string, end int) {
	if len(h) > 0 {
		last := &h[len(h)-1]
		last.Raw, last.end = text[last.end-len(last.Raw):end], end
	}
}

// startsBody reports whether what follows a line of blanks is no field, so
// that the line ends the header.
func startsBody(rest []byte) bool {
	line := trimEOL(rest[:lineEnd(rest, 0)])
	if len(line) == 0 {
		return true
	}
	return line[0] != ' ' && line[0] != '\t' && !isField(line)
}

// headerEnd returns where the first blank line from at on ends, and how many
// lines before it are no folds.
func headerEnd(data []byte, at int) (end, fields int) {
	for at < len(data) {
		end := lineEnd(data, at)
		if len(trimEOL(data[at:end])) == 0 {
			return end, fields
		}
		if data[at] != ' ' && data[at] != '\t' {
			fields++
		}
		at = end
	}
	return len(data), fields
}

// maxFieldName is where a line's colon is looked for.
const maxFieldName = 200

// fieldName returns the length of the name of a field line, or 0, and where its
// colon stands.
func fieldName(line []byte) (length, colon int) {
	colon = bytes.IndexByte(line[:min(len(line), maxFieldName+1)], ':')
	if colon <= 0 {
		return 0, 0
	}
	name := line[:colon]
	for len(name) > 0 && (name[len(name)-1] == ' ' || name[len(name)-1] == '\t') {
		name = name[:len(name)-1]
	}
	for _, c := range name {
		if c <= ' ' || c == 0x7f {
			return 0, 0
		}
	}
	return len(name), colon
}

// trimEOL takes the line break off a line. It runs for every line of every
// header.
func trimEOL(line []byte) []byte {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line
}

// lineEnd returns where the line at at ends, its line break included.
func lineEnd(data []byte, at int) int {
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(data)
}

func unfold(s string) string {
	s = strings.Trim(s, " \t\r\n")
	folded := false
	for i := range len(s) {
		if c := s[i]; c < ' ' && (c == '\n' || c == '\r' || c == '\t') || c == ' ' && s[i-1] == ' ' {
			folded = true
			break
		}
	}
	if !folded {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	from := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] != ' ' && s[i] != '\t' && s[i] != '\r' && s[i] != '\n' {
			continue
		}
		if from < i {
			if blank {
				b.WriteByte(' ')
			}
			b.WriteString(s[from:i])
			blank = true
		}
		from = i + 1
	}
	return b.String()
}

// usualGroup is how many fields a group seldom exceeds.
const usualGroup = 8

// ReadGroup reads fields from at on up to the next blank line, 10,000 at most,
// and returns where reading goes on and whether the group ended there. It serves the groups of a message/delivery-status part. text
// is the same as body: fields share its memory.
func ReadGroup(body []byte, text string, at int) (fields Header, next int, ended bool) {
	for at < len(body) && len(bytes.TrimSpace(body[at:lineEnd(body, at)])) == 0 {
		at = lineEnd(body, at)
	}
	for at < len(body) {
		end := lineEnd(body, at)
		line := trimEOL(body[at:end])
		if len(bytes.TrimSpace(line)) == 0 {
			return fields, end, true
		}
		name, colon := 0, 0
		if line[0] != ' ' && line[0] != '\t' {
			name, colon = fieldName(line)
		}
		if name > 0 {
			switch len(fields) {
			case maxFields:
				return fields, at, false
			case 0:
				fields = make(Header, 0, usualGroup)
			}
			fields = append(fields, Field{Name: text[at : at+name], Raw: text[at+colon+1 : end], Offset: at, end: end})
		} else {
			extend(fields, text, end)
		}
		at = end
	}
	return fields, at, true
}
