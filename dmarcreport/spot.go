package dmarcreport

import "bytes"

var newline = []byte{'\n'}

// spot is where in the document a byte stands, for people: both from 1, the
// column in bytes; 0: not known any more.
type spot struct{ line, column int }

// pin is a byte whose spot is still known when the window has left it: the
// tag of the leaf that is read, and the markup that is passed over.
type pin struct {
	at int64
	spot
}

const (
	pinLeaf = iota
	pinMarkup
)

func (s *scanner) pin(which int, at int64) { s.pins[which] = pin{at, s.where(at)} }

// where returns the spot of a byte that is pinned or not yet out of the
// window; for any other, the line where counting stands.
func (s *scanner) where(at int64) spot {
	for _, p := range s.pins {
		if p.line > 0 && p.at == at {
			return p.spot
		}
	}
	if at < s.base {
		return spot{line: s.lines + 1}
	}
	if at < s.mark {
		line, start := s.lines+1, s.lineStart
		if n := bytes.Count(s.buf[at-s.base:s.mark-s.base], newline); n > 0 {
			line, start = line-n, s.startOfLine(int(at-s.base))
		}
		return spot{line, int(at-start) + 1}
	}
	if from, to := int(s.mark-s.base), min(int(at-s.base), s.end); from < to {
		passed := s.buf[from:to]
		if i := bytes.LastIndexByte(passed, '\n'); i >= 0 {
			s.lines += bytes.Count(passed, newline)
			s.lineStart = s.mark + int64(i) + 1
		}
		s.mark = s.base + int64(to)
	}
	return spot{s.lines + 1, int(at-s.lineStart) + 1}
}

// startOfLine returns where the line of the i-th byte of the window begins.
func (s *scanner) startOfLine(i int) int64 {
	if before := bytes.LastIndexByte(s.buf[:i], '\n'); before >= 0 {
		return s.base + int64(before) + 1
	}
	return s.baseStart
}
