package mailbox

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// newInput returns r ready to be looked at: UTF-16 with its mark, as Windows
// saves text, becomes UTF-8, and in an mbox line ends of CR alone become LF.
// Anything else stays as it is.
func newInput(r io.Reader) *bufio.Reader {
	br := bufio.NewReaderSize(r, bufferSize)
	switch mark, _ := br.Peek(2); string(mark) {
	case "\xff\xfe", "\xfe\xff":
		utf16 := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
		br = bufio.NewReaderSize(transform.NewReader(br, utf16.NewDecoder()), bufferSize)
	}
	head, _ := br.Peek(4 << 10)
	if bytes.HasPrefix(head, []byte("From ")) && bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 {
		br = bufio.NewReaderSize(carriageReturns{br}, bufferSize)
	}
	return br
}

const bufferSize = 64 << 10

// carriageReturns reads each CR as LF.
type carriageReturns struct{ r io.Reader }

func (c carriageReturns) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}
