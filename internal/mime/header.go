// Package mime reads mails that break the rules: header fields, multipart
// bodies, transfer encodings and charsets, each as far as it can be read, with
// a defect for every repair. It works on a mail in memory, as one string: what it
// returns are parts of that string wherever nothing had to be decoded, so that
// nothing is copied and all of it keeps the mail in memory. Positions are kept.
package mime

import "strings"

// Field is one header field.
type Field struct {
	Name   string // as written, without blanks at its end
	Raw    string // what follows the colon, verbatim with its folds
	Offset int    // of the name in the message
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

// extend joins the line that ends at end to the last field, whose value begins
// at value of text.
func (h Header) extend(text string, value, end int) {
	if len(h) > 0 {
		h[len(h)-1].Raw = text[value:end]
	}
}

// readHeader reads the header at the start of data, which begins at base of the
// message, and returns where the body begins.
func readHeader(data string, base int, found func(Defect)) (h Header, body int) {
	var usual [40]Field // room for as many as most have
	list, body := scanHeader(usual[:0], data, base, found)
	h = make(Header, len(list))
	copy(h, list)
	return h, body
}

func scanHeader(room Header, data string, base int, found func(Defect)) (h Header, body int) {
	at := 0
	for at < len(data) && (data[at] == '\n' || data[at] == '\r') {
		at++
	}
	if strings.HasPrefix(data[at:], "From ") || strings.HasPrefix(data[at:], ">From ") {
		found(Defect{Kind: MboxLine, Offset: base + at})
		at = lineEnd(data, at)
	}
	h = room
	value := 0 // where the last field's value begins
	for at < len(data) {
		end := lineEnd(data, at)
		line := trimEOL(data[at:end])
		if len(line) == 0 {
			return h, end
		}
		if line[0] == ' ' || line[0] == '\t' {
			if isBlank(line) && startsBody(data[end:]) {
				return h, end
			}
			h.extend(data, value, end)
			at = end
			continue
		}
		switch name, colon := fieldName(line); {
		case name > 0:
			if len(h) == maxFields {
				found(Defect{Kind: TooManyFields, Offset: base + at})
				return h, headerEnd(data, at)
			}
			value = at + colon + 1
			h = append(h, Field{Name: data[at : at+name], Raw: data[value:end], Offset: base + at})
		case strings.HasPrefix(line, "--") && len(h) > 0:
			found(Defect{Kind: NoBlankLine, Offset: base + at})
			return h, at
		case len(h) == 0:
			return nil, at
		default:
			found(Defect{Kind: NoColon, Offset: base + at})
			h.extend(data, value, end)
		}
		at = end
	}
	return h, len(data)
}

// startsBody reports whether what follows a line of blanks is no field, so
// that the line ends the header.
func startsBody(rest string) bool {
	line := trimEOL(rest[:lineEnd(rest, 0)])
	if len(line) == 0 {
		return true
	}
	return line[0] != ' ' && line[0] != '\t' && !isField(line)
}

// headerEnd returns where the first blank line from at on ends.
func headerEnd(data string, at int) int {
	for at < len(data) {
		end := lineEnd(data, at)
		if trimEOL(data[at:end]) == "" {
			return end
		}
		at = end
	}
	return len(data)
}

// maxFieldName is where a line's colon is looked for.
const maxFieldName = 200

// fieldName returns the length of the name of a field line, or 0, and where its
// colon stands. Blanks may stand before the colon (RFC 5322 section 4.5.2).
func fieldName(line string) (length, colon int) {
	for i := range min(len(line), maxFieldName+1) {
		switch c := line[i]; {
		case c == ':':
			if length == 0 {
				length = i
			}
			return length, i
		case c == ' ' || c == '\t':
			if length == 0 {
				length = i
			}
			if length == 0 {
				return 0, 0
			}
		case c < ' ' || c == 0x7f || length > 0:
			return 0, 0
		}
	}
	return 0, 0
}

// trimEOL takes the line break off a line. It runs for every line of every
// header.
func trimEOL(line string) string {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line
}

// isBlank reports whether nothing but white space stands in a line.
func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// lineEnd returns where the line at at ends, its line break included.
func lineEnd(data string, at int) int {
	if i := strings.IndexByte(data[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(data)
}

// unfold runs for every field that is asked for; most need no copy.
func unfold(s string) string {
	for len(s) > 0 && isSpace(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	blank, folded := false, false
	for i := 0; i < len(s) && !folded; i++ {
		switch c := s[i]; {
		case !isSpace(c):
			blank = false
		default:
			folded = blank || c != ' '
			blank = true
		}
	}
	if !folded {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	blank = false
	from := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && !isSpace(s[i]) {
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

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// ReadGroup reads fields from at on up to the next blank line, 10,000 at most,
// and returns where reading goes on and whether the group ended there. It serves
// the groups of a message/delivery-status part (RFC 3464 section 2.1). The fields
// are put into room, which may be that of the group before, as far as it goes.
func ReadGroup(room Header, body string, at int) (group Header, next int, ended bool) {
	for at < len(body) {
		end := lineEnd(body, at)
		if !isBlank(body[at:end]) {
			break
		}
		at = end
	}
	group = room[:0]
	value := 0 // where the last field's value begins
	for at < len(body) {
		end := lineEnd(body, at)
		line := trimEOL(body[at:end])
		if isBlank(line) {
			return group, end, true
		}
		if name, colon := fieldName(line); name > 0 {
			if len(group) == maxFields {
				return group, at, false
			}
			value = at + colon + 1
			group = append(group, Field{Name: body[at : at+name], Raw: body[value:end], Offset: at})
		} else {
			group.extend(body, value, end)
		}
		at = end
	}
	return group, at, true
}
