package messagetrace

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf8"
)

// scanner splits CSV into records. It differs from encoding/csv in what it
// forgives: any quote, any number of fields, a quote that is never closed.
type scanner struct {
	r     *bufio.Reader
	comma byte
	max   int // bytes of a record

	line    int    // line the next record begins on, from 1
	pending []byte // lines read ahead in vain for a closing quote, to be read again
	buf     []byte // the record
	ends    []int  // end of each field in out
	out     []byte // field text, one after the other

	unclosed bool // the record's quote was never closed: it was read as one line
	long     bool // the record was over the limit: cut
	nul      bool // NUL bytes were dropped
	charset  bool // the record is not UTF-8
	eof      bool
	err      error
}

// readLine appends the next line, with its end, to s.buf and reports whether
// there was one.
func (s *scanner) readLine() bool {
	if len(s.pending) > 0 {
		n := bytes.IndexByte(s.pending, '\n') + 1
		if n == 0 {
			n = len(s.pending)
		}
		s.buf = append(s.buf, s.pending[:n]...)
		s.pending = s.pending[n:]
		return true
	}
	if s.eof {
		return false
	}
	start := len(s.buf)
	for {
		chunk, err := s.r.ReadSlice('\n')
		if room := s.max - len(s.buf); len(chunk) > room {
			s.long = true
			chunk = chunk[:max(room, 0)]
		}
		s.buf = append(s.buf, chunk...)
		switch err {
		case nil:
			return true
		case bufio.ErrBufferFull:
			continue
		case io.EOF:
			s.eof = true
		default:
			s.eof, s.err = true, err
		}
		return len(s.buf) > start
	}
}

// next reads the next record that is not empty; false at the end.
func (s *scanner) next() (line int, ok bool) {
	for {
		s.buf, s.unclosed, s.long, s.nul = s.buf[:0], false, false, false
		line = s.line
		if !s.readLine() {
			return line, false
		}
		s.line++
		if len(bytes.TrimRight(s.buf, "\r\n")) > 0 {
			break
		}
	}
	if bytes.IndexByte(s.buf, '"') < 0 {
		s.split(s.buf)
		return line, true
	}
	first, lines := len(s.buf), 1
	for from, open := 0, false; ; {
		open = s.quoteOpen(from, open)
		if !open {
			break
		}
		from = len(s.buf)
		if s.long || len(s.buf) >= s.max || !s.readLine() {
			s.giveBack(first)
			s.split(s.buf)
			return line, true
		}
		lines++
	}
	s.line += lines - 1
	s.split(s.buf)
	return line, true
}

// giveBack undoes reading on for a quote that is never closed: the record is
// its first line, the rest is read again.
func (s *scanner) giveBack(first int) {
	s.unclosed = true
	if first == len(s.buf) {
		return
	}
	s.pending = append(bytes.Clone(s.buf[first:]), s.pending...)
	s.buf = s.buf[:first]
}

// quoteOpen reports whether a quoted field is open at the end of s.buf, given
// whether one was open at from. Quotes open only at the start of a field.
func (s *scanner) quoteOpen(from int, open bool) bool {
	start := !open && (from == 0 || s.buf[from-1] == '\n')
	for i := from; i < len(s.buf); i++ {
		c := s.buf[i]
		switch {
		case open:
			j := bytes.IndexByte(s.buf[i:], '"')
			if j < 0 {
				return true
			}
			i += j
			if i+1 < len(s.buf) && s.buf[i+1] == '"' {
				i++ // an escaped quote
				continue
			}
			open, start = false, false
		case c == '"' && start:
			open = true
		case c == s.comma:
			start = true
		case c != ' ':
			start = false
		}
	}
	return open
}

// split cuts a record into fields and takes quotes off.
func (s *scanner) split(rec []byte) {
	rec = bytes.TrimRight(rec, "\r\n")
	s.out, s.ends = s.out[:0], s.ends[:0]
	if bytes.IndexByte(rec, 0) >= 0 {
		s.nul = true
		rec = bytes.ReplaceAll(rec, []byte{0}, nil)
	}
	for len(s.ends) < maxColumns {
		if !s.unclosed {
			if trimmed := bytes.TrimLeft(rec, " "); len(trimmed) > 0 && trimmed[0] == '"' {
				rec = s.quoted(trimmed[1:])
				if rec == nil {
					return
				}
				continue
			}
		}
		i := bytes.IndexByte(rec, s.comma)
		if i < 0 {
			s.out = append(s.out, rec...)
			s.ends = append(s.ends, len(s.out))
			return
		}
		s.out = append(s.out, rec[:i]...)
		s.ends = append(s.ends, len(s.out))
		rec = rec[i+1:]
	}
}

// quoted takes a quoted field whose opening quote is gone and returns what
// follows its comma, nil at the record's end. Text between the closing quote
// and the comma is kept.
func (s *scanner) quoted(rec []byte) []byte {
	for {
		i := bytes.IndexByte(rec, '"')
		if i < 0 {
			s.out = append(s.out, rec...)
			s.ends = append(s.ends, len(s.out))
			return nil
		}
		s.out = append(s.out, rec[:i]...)
		rec = rec[i+1:]
		if len(rec) > 0 && rec[0] == '"' {
			s.out = append(s.out, '"')
			rec = rec[1:]
			continue
		}
		break
	}
	i := bytes.IndexByte(rec, s.comma)
	if i < 0 {
		s.out = append(s.out, rec...)
		s.ends = append(s.ends, len(s.out))
		return nil
	}
	s.out = append(s.out, rec[:i]...)
	s.ends = append(s.ends, len(s.out))
	return rec[i+1:]
}

// maxColumns is how many columns of a record are read.
const maxColumns = 256

// fields returns the record's fields as UTF-8.
func (s *scanner) fields() []string {
	out := make([]string, len(s.ends))
	start := 0
	if s.charset = !utf8.Valid(s.out); s.charset {
		for i, end := range s.ends {
			out[i], start = valid(s.out[start:end]), end
		}
		return out
	}
	all := string(s.out) // one allocation for the record
	for i, end := range s.ends {
		out[i], start = all[start:end], end
	}
	return out
}
