package dmarcreport

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// decodeCharset returns a document as UTF-8, by its byte order mark, its first
// bytes, or the encoding it declares, in this order. Bytes that are no UTF-8
// in a document that says it is are left to be mended text by text. before is
// how many bytes of the document stand before what is returned.
func decodeCharset(r io.Reader) (utf8 io.Reader, before int64, n note) {
	const look = 256
	br := bufio.NewReaderSize(r, 4096)
	head, _ := br.Peek(look)
	declared := declaredEncoding(head)
	wide := func(e unicode.Endianness) (io.Reader, int64, note) {
		return unicode.UTF16(e, unicode.UseBOM).NewDecoder().Reader(br), 0, note{}
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, _ = br.Discard(3)
		return br, 3, note{}
	case bytes.HasPrefix(head, []byte("\xfe\xff")), bytes.HasPrefix(head, []byte("\x00<")):
		return wide(unicode.BigEndian)
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("<\x00")):
		return wide(unicode.LittleEndian)
	case declared == "" || strings.EqualFold(declared, "utf-8"):
		return br, 0, note{}
	case strings.HasPrefix(strings.ToLower(declared), "utf-16"), strings.HasPrefix(strings.ToLower(declared), "ucs"):
		return br, 0, note{id: findEncoding, before: declared, after: "utf-8"}
	}
	enc, err := htmlindex.Get(declared)
	if err != nil {
		return br, 0, note{id: findCharset, before: declared, after: "utf-8"}
	}
	if enc == encoding.Replacement {
		return br, 0, note{id: findCharset, before: declared, after: "utf-8"}
	}
	return enc.NewDecoder().Reader(br), 0, note{}
}

// declaredEncoding returns what the XML declaration says, "" where it says
// nothing.
func declaredEncoding(head []byte) string {
	i := bytes.Index(head, []byte("<?xml"))
	if i < 0 {
		return ""
	}
	head = head[i:]
	if end := bytes.Index(head, []byte("?>")); end >= 0 {
		head = head[:end]
	}
	i = bytes.Index(head, []byte("encoding"))
	if i < 0 {
		return ""
	}
	rest := bytes.TrimLeft(head[i+len("encoding"):], " \t\r\n=")
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	end := bytes.IndexByte(rest[1:], rest[0])
	if end < 0 || end > 40 {
		return ""
	}
	return string(rest[1 : 1+end])
}
