package dmarcreport

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// decodeCharset returns a document as UTF-8, by its byte order mark, its first
// bytes, or the encoding it declares, in this order. Bytes that are no UTF-8
// in a document that says it is are left to be mended text by text. before is
// how many bytes of the document stand before what is returned.
func decodeCharset(r io.Reader) (text io.Reader, before int64, n note) {
	const look = 256
	br := bufio.NewReaderSize(r, 4096)
	head, _ := br.Peek(look)
	declared := declaredEncoding(head)
	wide := func(e unicode.Endianness) (io.Reader, int64, note) {
		var n note
		if said := declaredEncoding(bytes.ReplaceAll(head, []byte{0}, nil)); said != "" && !wideName(said) {
			n = note{id: findEncoding, before: said, after: "utf-16"}
		}
		return unicode.UTF16(e, unicode.UseBOM).NewDecoder().Reader(br), 0, n
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
	case asciiName(declared):
		return &asciiReader{r: br, declared: declared}, 0, note{}
	case wideName(declared):
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

// wideName reports whether a declared encoding has more than one byte a letter.
func wideName(declared string) bool {
	lower := strings.ToLower(declared)
	return strings.HasPrefix(lower, "utf-16") || strings.HasPrefix(lower, "ucs") || strings.HasPrefix(lower, "iso-10646")
}

// asciiName reports whether a declared encoding is ASCII (RFC 1345).
func asciiName(declared string) bool {
	switch strings.ToLower(declared) {
	case "us-ascii", "ascii", "us", "iso646-us", "ansi_x3.4-1968":
		return true
	}
	return false
}

// asciiReader passes on a document that says it is ASCII, and tells of the
// first byte that is not: it is UTF-8 then, or mended text by text.
type asciiReader struct {
	r        io.Reader
	declared string
	beyond   func(note) // set before the first read
}

func (a *asciiReader) Read(p []byte) (int, error) {
	n, err := a.r.Read(p)
	if a.beyond != nil {
		for _, c := range p[:n] {
			if c >= utf8.RuneSelf {
				a.beyond(note{id: findEncoding, before: a.declared, after: "utf-8"})
				a.beyond = nil
				break
			}
		}
	}
	return n, err
}
