package dmarcreport

import "bytes"

// tag reads a start or an end tag; false where "<" begins none. It looks no
// further than the next "<", so that a run of them costs no more than its
// length.
func (s *scanner) tag(c byte) bool {
	from := 1
	if c == '/' {
		from = 2
		c = s.peek(2)
	}
	if !nameStart(c) {
		return false
	}
	n := from
	for {
		for s.pos+n < s.end && nameByte(s.buf[s.pos+n]) {
			n++
		}
		if s.pos+n < s.end {
			break
		}
		if !s.fill() {
			return s.cutTag()
		}
	}
	i := n
	if c := s.buf[s.pos+n]; c != '>' {
		if !isBlank(c) && c != '/' {
			return false // "<joe@example.org>": text that was not escaped
		}
		var quoted bool
		if i, quoted = s.tagEnd(n); i < 0 {
			return s.cutTag()
		}
		if s.buf[s.pos+i] == '<' {
			return false
		}
		if quoted {
			if j := s.quotedEnd(n); j >= 0 {
				i = j
			} else {
				s.report(findQuote, s.offset(), cut(s.buf[s.pos:s.pos+i+1]), "")
			}
		}
	}
	s.tok = token{kind: tokenStart, name: s.buf[s.pos+from : s.pos+n], text: s.buf[s.pos : s.pos+i+1], at: s.offset()}
	if i > n {
		s.tok.attrs = bytes.TrimSpace(s.buf[s.pos+n : s.pos+i])
	}
	if from == 2 {
		s.tok.kind = tokenEnd
	} else if l := len(s.tok.attrs); l > 0 && s.tok.attrs[l-1] == '/' {
		s.tok.closed = true
		s.tok.attrs = bytes.TrimSpace(s.tok.attrs[:l-1])
	}
	s.pos += i + 1
	return true
}

// tagEnd returns where the next ">" or "<" is, and whether a quote stands
// before it; -1 where the document ends first.
func (s *scanner) tagEnd(i int) (end int, quoted bool) {
	for {
		for ; s.pos+i < s.end; i++ {
			switch s.buf[s.pos+i] {
			case '>', '<':
				return i, quoted
			case '"', '\'':
				quoted = true
			}
		}
		if !s.fill() {
			return -1, quoted
		}
	}
}

// cutTag ends the document at a tag that it ends in.
func (s *scanner) cutTag() bool {
	if s.overText {
		return false
	}
	s.pos = s.end
	s.tok = token{at: s.offset()}
	return true
}

// quotedEnd returns where the tag ends, taking ">" within quotes for text; -1
// where a quote is not closed before the next tag.
func (s *scanner) quotedEnd(from int) int {
	var quote byte
	for i := from; ; i++ {
		c := s.peek(i)
		switch {
		case c == 0 && s.pos+i >= s.end, c == '<':
			return -1
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i
		}
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func nameStart(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

// nameByte tells the bytes of a name: letters, digits, "_-.:" and all of UTF-8
// beyond ASCII.
func nameByte(c byte) bool {
	return c >= 0x80 || nameBits[c>>6]>>(c&63)&1 != 0
}

var nameBits = [2]uint64{0x7ff600000000000, 0x7fffffe87fffffe}
