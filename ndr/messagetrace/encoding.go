package messagetrace

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// bufferSize is how much of the input is held at once.
const bufferSize = 64 << 10

// decode finds out how r is encoded and returns it as UTF-8 without a byte
// order mark: UTF-8, or UTF-16 of either byte order. Microsoft documents
// nothing here; exports in UTF-16LE without a mark have been reported.
func decode(r io.Reader) *bufio.Reader {
	in := bufio.NewReaderSize(r, bufferSize)
	head, _ := in.Peek(1024)
	switch {
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}):
		in.Discard(3)
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return utf16(in, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM))
	case zeros(head, 1):
		return utf16(in, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM))
	case zeros(head, 0):
		return utf16(in, unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM))
	}
	return in
}

// zeros reports whether the bytes at every second place from start are zero:
// UTF-16 of mostly ASCII text.
func zeros(head []byte, start int) bool {
	if len(head) < 8 {
		return false
	}
	n, other := 0, 0
	for i := 0; i+1 < len(head); i += 2 {
		if head[i+start] == 0 {
			n++
		}
		if head[i+1-start] == 0 {
			other++
		}
	}
	return n > len(head)/2*3/4 && other == 0
}

func utf16(r io.Reader, e encoding.Encoding) *bufio.Reader {
	return bufio.NewReaderSize(transform.NewReader(r, e.NewDecoder()), bufferSize)
}

// valid returns s as UTF-8: bytes that are none are read as Windows-1252, the
// usual other encoding of files saved by hand.
func valid(s []byte) string {
	if utf8.Valid(s) {
		return string(s)
	}
	if out, err := charmap.Windows1252.NewDecoder().Bytes(s); err == nil {
		return string(out)
	}
	return string(bytes.ToValidUTF8(s, []byte("\ufffd")))
}
