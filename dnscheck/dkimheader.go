package dnscheck

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrLongHeader says that a message's header is longer than 1 MiB.
var ErrLongHeader = errors.New("dnscheck: the message's header is longer than 1 MiB")

const (
	maxHeader = 1 << 20
	crlf      = "\r\n"
)

// headerField is one field of a message's header as signatures cover it.
type headerField struct {
	name string // in lower case; "" where the line is no field
	text string // all of it, each line with CRLF at its end
}

// value is what stands behind the colon.
func (f headerField) value() string {
	_, value, _ := strings.Cut(f.text, ":")
	return value
}

// readHeader reads up to the first empty line, with it.
func readHeader(r *bufio.Reader) ([]byte, error) {
	var header []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(header)+len(part) > maxHeader {
			return header, ErrLongHeader
		}
		starts := len(header) == 0 || header[len(header)-1] == '\n'
		header = append(header, part...)
		switch {
		case errors.Is(err, io.EOF):
			return header, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return header, fmt.Errorf("dnscheck: reading a message: %w", err)
		case starts && (string(part) == "\n" || string(part) == crlf):
			return header, nil
		}
	}
}

// splitHeader cuts a header into its fields. Signatures are made over lines that
// end with CRLF, and so is what a file holds with other ends of lines.
func splitHeader(header []byte) (fields []headerField) {
	header = bytes.ReplaceAll(bytes.ReplaceAll(header, []byte(crlf), []byte("\n")), []byte("\n"), []byte(crlf))
	text := string(header)
	for start, at := 0, 0; at < len(text); {
		if i := strings.Index(text[at:], crlf); i >= 0 {
			at += i + len(crlf)
		} else {
			text += crlf // the header ends within a line
			at = len(text)
		}
		if at < len(text) && (text[at] == ' ' || text[at] == '\t') {
			continue // folded
		}
		if text[start:at] == crlf {
			return fields
		}
		f := headerField{text: text[start:at]}
		if name, _, ok := strings.Cut(f.text, ":"); ok {
			f.name = lowerASCII(strings.TrimRight(name, blanks))
		}
		fields = append(fields, f)
		start = at
	}
	return fields
}

// canonicalField is a field in the canonical form that is hashed (RFC 6376
// sections 3.4.1 and 3.4.2).
func canonicalField(text string, relaxed bool) string {
	if !relaxed {
		return text
	}
	name, value, _ := strings.Cut(text, ":")
	words := strings.FieldsFunc(strings.ReplaceAll(value, crlf, ""), func(c rune) bool { return c == ' ' || c == '\t' })
	return lowerASCII(strings.TrimRight(name, blanks)) + ":" + strings.Join(words, " ") + crlf
}

// withoutB is a DKIM-Signature field with the value of its tag b taken out, as
// it was when the value was made (RFC 6376 section 3.7).
func withoutB(field string) string {
	for start := strings.IndexByte(field, ':') + 1; start < len(field); {
		end := len(field)
		if i := strings.IndexByte(field[start:], ';'); i >= 0 {
			end = start + i
		}
		name, _, ok := strings.Cut(field[start:end], "=")
		if ok && strings.Trim(name, blanks) == "b" {
			return field[:start+len(name)+1] + field[end:]
		}
		start = end + 1
	}
	return field
}

// signedHeader is a message's header, with the places of its fields by their names.
type signedHeader struct {
	fields []headerField
	at     map[string][]int
}

func newHeader(text []byte) signedHeader {
	h := signedHeader{splitHeader(text), make(map[string][]int)}
	for i, f := range h.fields {
		h.at[f.name] = append(h.at[f.name], i)
	}
	return h
}

// signatures returns the signatures and their own fields, in order.
func (h signedHeader) signatures() (list []*DKIMSignature, own []headerField) {
	list = []*DKIMSignature{}
	for _, i := range h.at["dkim-signature"][:min(len(h.at["dkim-signature"]), maxSignatures)] {
		s, _ := ParseDKIMSignature(h.fields[i].value())
		list, own = append(list, s), append(own, h.fields[i])
	}
	return list, own
}

// writeSigned writes what a signature covers of a header: of fields with the
// same name the last first (RFC 6376 section 5.4.2), and the signature's own field at the
// end, without the value of b. Fields that are named and not there count for nothing.
func (h signedHeader) writeSigned(w io.Writer, s *DKIMSignature, own headerField) {
	used := make(map[string]int)
	for _, name := range s.Headers {
		used[name]++
		if left := len(h.at[name]) - used[name]; name != "" && left >= 0 {
			_, _ = io.WriteString(w, canonicalField(h.fields[h.at[name][left]].text, s.relaxedHeader))
		}
	}
	_, _ = io.WriteString(w, strings.TrimSuffix(canonicalField(withoutB(own.text), s.relaxedHeader), crlf))
}

// onceOnly are the fields that a message may have once (RFC 5322 section 3.6).
var onceOnly = []string{"From", "Sender", "Reply-To", "To", "Cc", "Subject", "Date", "Message-ID", "In-Reply-To", "References"}

// unsigned names the fields that a message may have once and has more often than
// a signature covers it.
func (h signedHeader) unsigned(s *DKIMSignature) (names []string) {
	signed := make(map[string]int)
	for _, name := range s.Headers {
		signed[name]++
	}
	for _, name := range onceOnly {
		if there := len(h.at[lowerASCII(name)]); there > 1 && there > signed[lowerASCII(name)] {
			names = append(names, name)
		}
	}
	return names
}
