package main

import (
	"bytes"
	"io"
)

// lineEnds reads mail with no line end that ends a line only for some servers, for
// by one mail may hide another: a LF alone becomes CRLF (RFC 5321 section 2.3.8),
// and so does a CR before a dot, which the writer then doubles. A run of CRs, as
// careless programs write before a LF, is one CR. Any other CR stays.
type lineEnds struct {
	r       io.Reader
	in, out []byte // in is the buffer; out what of it is not handed on yet
	made    []byte // the buffer of out, where the line ends had to be changed
	crs     bool   // the last byte read was a CR, not handed on yet
	err     error
}

func newLineEnds(r io.Reader) *lineEnds { return &lineEnds{r: r, in: make([]byte, 16<<10)} }

// Read reads what is there; it does not wait for more than one byte.
func (l *lineEnds) Read(b []byte) (int, error) {
	for len(l.out) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		var n int
		n, l.err = l.r.Read(l.in[:min(len(b), len(l.in))])
		l.out = l.fix(l.in[:n], l.err != nil)
		if len(b) == 0 {
			break
		}
	}
	n := copy(b, l.out)
	l.out = l.out[n:]
	return n, nil
}

// fix returns the chunk with its line ends made CRLF: the chunk itself where
// they are.
func (l *lineEnds) fix(chunk []byte, last bool) []byte {
	if !l.crs && bytes.IndexByte(chunk, '\r') < 0 && bytes.IndexByte(chunk, '\n') < 0 {
		return chunk
	}
	l.made = l.made[:0]
	for _, c := range chunk {
		switch {
		case c == '\r' && l.crs:
			// A run of them is one.
		case c == '\r':
			l.crs = true
		case c == '\n':
			l.made, l.crs = append(l.made, "\r\n"...), false
		case l.crs && c != '.':
			l.made, l.crs = append(l.made, '\r', c), false
		case l.crs:
			l.made, l.crs = append(l.made, '\r', '\n', c), false
		default:
			l.made = append(l.made, c)
		}
	}
	if last && l.crs {
		l.made, l.crs = append(l.made, '\r'), false
	}
	return l.made
}
