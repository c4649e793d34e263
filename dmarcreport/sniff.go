package dmarcreport

import (
	"bytes"
)

// form is what an input looks like by its first bytes. Names and media types
// are never asked: too many are wrong.
type form uint8

const (
	formOther form = iota
	formEmpty
	formXML
	formGzip
	formZlib
	formZip
	formJSON
	formMail
	formWord        // a word in place of a report
	formUnsupported // an archive or message form that is not read
)

// signatures are first bytes with one meaning.
var signatures = [...]struct {
	bytes string
	form  form
}{
	{"\x1f\x8b", formGzip},                                // RFC 1952 section 2.3.1
	{"PK\x03\x04", formZip},                               // APPNOTE 4.3.7
	{"PK\x05\x06", formZip},                               // APPNOTE 4.3.16: an empty archive
	{"PK\x07\x08", formZip},                               // APPNOTE 8.5.4: a split archive of one part
	{"\xfe\xff\x00<", formXML},                            // XML 1.0 appendix F: UTF-16
	{"\xff\xfe<\x00", formXML},                            //
	{"\x00<\x00", formXML},                                //
	{"<\x00", formXML},                                    //
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", formUnsupported}, // compound file: an Outlook .msg
	{"7z\xbc\xaf\x27\x1c", formUnsupported},               // 7-Zip
	{"Rar!\x1a\x07", formUnsupported},                     // RAR
	{"BZh", formUnsupported},                              // bzip2
	{"\xfd7zXZ\x00", formUnsupported},                     // xz
	{"\x28\xb5\x2f\xfd", formUnsupported},                 // zstd, RFC 8878 section 3.1.1
	{"0\x82", formUnsupported},                            // DER: S/MIME, RFC 8551
	{"0\x80\x06\x09\x2a\x86\x48", formUnsupported},        // BER with an object identifier: S/MIME
}

// sniff tells the form of an input by its first bytes; whole says that head
// is all of it.
func sniff(head []byte, whole bool) form {
	for _, s := range signatures {
		if bytes.HasPrefix(head, []byte(s.bytes)) {
			return s.form
		}
	}
	if len(head) >= 2 && head[0]&0x0f == 8 && head[0]>>4 <= 7 && (uint(head[0])<<8|uint(head[1]))%31 == 0 && head[1]&0x20 == 0 {
		return formZlib // RFC 1950 section 2.2
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case len(text) == 0:
		if whole {
			return formEmpty
		}
		return formXML // blanks without end: the reader says what comes of them
	case text[0] == '<':
		return formXML
	case text[0] == '{':
		return formJSON
	case looksLikeMail(head):
		return formMail
	case bytes.Contains(head, []byte("<?xml")), bytes.Contains(head, []byte("<feedback")), bytes.Contains(head, []byte(":feedback")):
		return formXML
	case whole && len(text) <= 64 && printable(text):
		return formWord
	}
	return formOther
}

// looksLikeMail reports whether the first line is a header field or the
// separator of an mbox.
func looksLikeMail(head []byte) bool {
	if bytes.HasPrefix(head, []byte("From ")) {
		return true
	}
	for i, c := range head {
		if c == ':' {
			return i > 1
		}
		if c <= ' ' || c >= 0x7f || c == '<' || c == '"' {
			return false
		}
	}
	return false
}

func printable(b []byte) bool {
	for _, c := range bytes.TrimSpace(b) {
		if c < ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}
