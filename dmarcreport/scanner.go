package dmarcreport

import (
	"bytes"
	"fmt"
	"io"
)

// scanner splits a document in UTF-8 into tags and texts. It knows of XML what
// this vocabulary needs, takes what is not well-formed for what it most likely
// was, and says so through report. A slice it returns lasts until the next
// call. Its window over the input grows only for one text or tag, up to max.
type scanner struct {
	r    io.Reader
	buf  []byte
	pos  int // of the next byte in buf
	end  int // of what is read in buf
	base int64
	err  error // why reading ended; io.EOF at the end of the document
	max  int

	lines     int // line ends before mark
	mark      int64
	lineStart int64 // where mark's line begins
	baseStart int64 // where base's line begins
	pins      [2]pin
	overText  bool // a text or tag is longer than max

	tok    token
	report func(id findingID, at int64, before, after string)
}

type tokenKind uint8

const (
	tokenEOF   tokenKind = iota
	tokenStart           // <name attrs> or <name attrs/>
	tokenEnd             // </name>
	tokenText            // in a leaf only
	tokenCDATA           // in a leaf only: text to be taken as it is
)

type token struct {
	kind   tokenKind
	name   []byte // with its prefix
	attrs  []byte
	closed bool   // <name/>
	text   []byte // of a text; for a tag, the whole tag
	at     int64  // offset
}

const windowSize = 64 << 10

func newScanner(r io.Reader, max int, report func(findingID, int64, string, string)) *scanner {
	return &scanner{r: r, buf: make([]byte, windowSize), max: max, report: report}
}

// startAt says that the document has bytes before the first that is read.
func (s *scanner) startAt(offset int64) { s.base, s.mark = offset, offset }

// offset is where the next byte stands in the document.
func (s *scanner) offset() int64 { return s.base + int64(s.pos) }

// errDTD ends reading at a document type declaration, so that no entity is
// ever defined.
var errDTD = fmt.Errorf("%w: a document type declaration", ErrUnsupported)

// errPage ends reading at the document type of a web page.
var errPage = fmt.Errorf("%w: a web page", ErrNotReport)

// ofPage reports whether the document type declaration that comes next is that
// of HTML.
func (s *scanner) ofPage() bool {
	i := len("<!DOCTYPE")
	for isBlank(s.peek(i)) {
		i++
	}
	if s.peek(i+4) == 0 {
		return false
	}
	return bytes.EqualFold(s.buf[s.pos+i:s.pos+i+4], []byte("html"))
}

// fill reads more into the window and reports whether there is more.
func (s *scanner) fill() bool {
	if s.err != nil || s.overText {
		return false
	}
	if s.pos > 0 && (s.end == len(s.buf) || s.pos == s.end) {
		s.where(s.offset()) // count what leaves the window
		s.baseStart = s.startOfLine(s.pos)
		copy(s.buf, s.buf[s.pos:s.end])
		s.base += int64(s.pos)
		s.end -= s.pos
		s.pos = 0
	}
	if s.end == len(s.buf) {
		if len(s.buf) > s.max {
			s.overText = true
			return false
		}
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		if err != nil {
			s.err = err
		}
		if n > 0 || err != nil {
			return n > 0
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// index returns where c is next, counted from the next byte, looking from
// from on; -1 where the document or the window ends before it.
func (s *scanner) index(from int, c byte) int {
	for {
		if i := bytes.IndexByte(s.buf[s.pos+from:s.end], c); i >= 0 {
			return from + i
		}
		from = s.end - s.pos
		if !s.fill() {
			return -1
		}
	}
}

// peek returns the byte that stands i bytes ahead, 0 past the end.
func (s *scanner) peek(i int) byte {
	for s.pos+i >= s.end {
		if !s.fill() {
			return 0
		}
	}
	return s.buf[s.pos+i]
}

// hasPrefix reports whether p comes next.
func (s *scanner) hasPrefix(p string) bool {
	for s.end-s.pos < len(p) {
		if !s.fill() {
			return false
		}
	}
	return string(s.buf[s.pos:s.pos+len(p)]) == p
}

// next reads the next tag, or, in a leaf, the next tag or text. Outside of
// leaves text is passed over, and reported where it is not blank.
func (s *scanner) next(leaf bool) *token {
	for {
		s.tok = token{}
		if leaf {
			if s.text() {
				return &s.tok
			}
		} else {
			s.skipText()
		}
		if s.pos == s.end && !s.fill() {
			s.tok.at = s.offset()
			return &s.tok
		}
		switch c := s.peek(1); {
		case c == '!' && s.special(leaf):
			if s.tok.kind == tokenCDATA {
				return &s.tok
			}
		case c == '?':
			s.skipTo("?>", "instruction")
		case c != '!' && s.tag(c):
			return &s.tok
		default:
			// "<" that begins no markup is a character that was not escaped.
			s.tok = token{kind: tokenText, text: s.buf[s.pos : s.pos+1], at: s.offset()}
			s.pos++
			s.report(findBareLess, s.tok.at, "<", "<")
			if leaf {
				return &s.tok
			}
		}
		if s.overText {
			s.tok = token{at: s.offset()}
			return &s.tok
		}
	}
}

// bring makes sure that the window holds the text that comes next and the end
// tag that may follow it, of an element whose tag was just read. It reports
// whether the window moved.
func (s *scanner) bring(tag *token) (moved bool) {
	b := s.buf[s.pos:s.end]
	need := len("</>") + len(tag.name)
	if i := bytes.IndexByte(b, '<'); i >= 0 && len(b) >= i+need {
		return false
	}
	s.pin(pinLeaf, tag.at)
	tag.name = bytes.Clone(tag.name)
	if i := s.index(0, '<'); i >= 0 {
		s.peek(i + need - 1)
	}
	return true
}

// simple returns the text of a leaf that holds nothing but text and ends with
// its own end tag, as nearly all do. ok is false for any other, and nothing is
// read then.
func (s *scanner) simple(name []byte) (text []byte, ok bool) {
	b := s.buf[s.pos:s.end]
	i := bytes.IndexByte(b, '<')
	if i < 0 || len(b) < i+len(name)+3 || b[i+1] != '/' {
		return nil, false
	}
	tail := b[i+2:]
	if tail[len(name)] != '>' || string(tail[:len(name)]) != string(name) {
		return nil, false
	}
	s.pos += i + len(name) + 3
	return b[:i], true
}

// text takes the text up to the next "<".
func (s *scanner) text() bool {
	i := s.index(0, '<')
	if i < 0 {
		i = s.end - s.pos
	}
	if i == 0 {
		return false
	}
	s.tok = token{kind: tokenText, text: s.buf[s.pos : s.pos+i], at: s.offset()}
	s.pos += i
	return true
}

// skipText passes over what stands before the next "<", in a window that does
// not grow. Of text that is not blank the beginning is reported.
func (s *scanner) skipText() {
	said := false
	for {
		b := s.buf[s.pos:s.end]
		i := bytes.IndexByte(b, '<')
		if i >= 0 {
			b = b[:i]
		}
		if k := inked(b); !said && k >= 0 {
			said = true
			s.pos += k
			s.report(findStrayText, s.offset(), cut(s.ahead()), "")
			continue
		}
		s.pos += len(b)
		if i >= 0 || !s.fill() {
			return
		}
	}
}

// inked returns where the first byte stands that is no blank, or -1.
func inked(b []byte) int {
	for i, c := range b {
		if c > ' ' {
			return i
		}
	}
	return -1
}

// ahead returns the beginning of the text that comes next, without blanks at
// its end: the same however the document is cut into reads.
func (s *scanner) ahead() []byte {
	n := 0
	for n < maxCut {
		if c := s.peek(n); c == '<' || c == 0 && s.pos+n >= s.end {
			break
		}
		n++
	}
	b := s.buf[s.pos : s.pos+n]
	for len(b) > 0 && b[len(b)-1] <= ' ' {
		b = b[:len(b)-1]
	}
	return b
}

// special reads comments, CDATA sections and declarations; false where "<!"
// begins none of them.
func (s *scanner) special(leaf bool) bool {
	switch {
	case s.hasPrefix("<!--"):
		s.skipTo("-->", "comment")
	case s.hasPrefix("<![CDATA["):
		if !leaf {
			s.skipTo("]]>", "section")
			return true
		}
		at := s.offset()
		s.pin(pinMarkup, at)
		from := len("<![CDATA[")
		for i := from; ; i++ {
			if i = s.index(i, ']'); i < 0 {
				s.report(findUnclosed, at, "<![CDATA[", "")
				s.tok = token{kind: tokenCDATA, text: s.buf[s.pos+from : s.end], at: at}
				s.pos = s.end
				return true
			}
			if s.peek(i+1) == ']' && s.peek(i+2) == '>' {
				s.tok = token{kind: tokenCDATA, text: s.buf[s.pos+from : s.pos+i], at: at}
				s.pos += i + 3
				return true
			}
		}
	case s.hasPrefix("<!DOCTYPE") || s.hasPrefix("<!ENTITY"):
		s.err = errDTD
		if s.ofPage() {
			s.err = errPage
		}
		s.end = s.pos
	default:
		return false
	}
	return true
}

// skipTo passes over everything up to and with the text end.
func (s *scanner) skipTo(end, what string) {
	at := s.offset()
	s.pin(pinMarkup, at)
	s.pos += 2
	for {
		b := s.buf[s.pos:s.end]
		if i := bytes.Index(b, []byte(end)); i >= 0 {
			s.pos += i + len(end)
			return
		}
		// The end may be cut in two by the window's.
		if keep := len(end) - 1; len(b) > keep {
			s.pos += len(b) - keep
		}
		if !s.fill() {
			s.pos = s.end
			s.report(findUnclosed, at, what, "")
			return
		}
	}
}

const maxCut = 200

// cut bounds a text that goes into a finding.
func cut(b []byte) string {
	if len(b) > maxCut {
		b = b[:maxCut]
	}
	return string(bytes.ToValidUTF8(b, []byte("\uFFFD")))
}
