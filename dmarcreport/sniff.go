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
	formBase64      // of one of the forms above
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
	{"\x78\x9f\x3e\x22", formUnsupported},                 // TNEF: winmail.dat
	{"MSCF\x00\x00\x00\x00", formUnsupported},             // cabinet
	{"LZIP", formUnsupported},                             // lzip
	{"\x04\x22\x4d\x18", formUnsupported},                 // LZ4
	{"-----BEGIN PGP MESSAGE", formUnsupported},           // RFC 9580 section 6.2.1
	{"H4sI", formBase64},                                  // gzip, as above
	{"UEsDB", formBase64},                                 // zip
	{"PD94bWwg", formBase64},                              // "<?xml "
	{"PGZlZWRiYWNr", formBase64},                          // "<feedback"
	{"77u/PD94bWwg", formBase64},                          // "<?xml " behind a byte order mark
	{"0\x82", formUnsupported},                            // DER of up to 64 KiB: S/MIME, RFC 8551
	{"0\x83", formUnsupported},                            // of up to 16 MiB (X.690 section 8.1.3.5)
	{"0\x84", formUnsupported},                            // longer
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
	if len(head) > 262 && string(head[257:262]) == "ustar" {
		return formUnsupported // tar (POSIX pax)
	}
	if len(head) >= 2 && head[0]&0x0f == 8 && head[0]>>4 <= 7 && (uint(head[0])<<8|uint(head[1]))%31 == 0 && head[1]&0x20 == 0 {
		return formZlib // RFC 1950 section 2.2
	}
	text := mailStart(head)
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
	case looksLikeMail(text):
		return formMail
	case bytes.Contains(head, []byte("<?xml")), bytes.Contains(head, []byte("<feedback")), bytes.Contains(head, []byte(":feedback")):
		return formXML
	case bytes.Contains(head, []byte("PK\x03\x04")):
		return formZip // with something before it
	case whole && len(text) <= 64 && printable(text):
		return formWord
	}
	return formOther
}

// mailFields are fields that mails have and other texts of "name: value" lines
// do not, in lower case.
var mailFields = [...]string{"from:", "received:", "return-path:", "delivered-to:", "message-id:", "mime-version:",
	"dkim-signature:", "arc-seal:", "authentication-results:", "content-type:", "subject:", "x-envelope-from:"}

// beginsMail reports whether an attachment of any type is a mail: the lines it
// begins with are a header that has a field of mails.
func beginsMail(head []byte) bool {
	text := mailStart(head)
	if !looksLikeMail(text) {
		return false
	}
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) == 0 {
			return false
		}
		lower := bytes.ToLower(line)
		for _, f := range mailFields {
			if bytes.HasPrefix(lower, []byte(f)) {
				return true
			}
		}
	}
	return false
}

// mailStart returns a mail without the byte order mark and blank lines that
// some files have before its header.
func mailStart(data []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
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
