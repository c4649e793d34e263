package mime

import (
	"encoding/base64"
	"io"
	stdmime "mime"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
)

// ToUTF8 turns text in a charset into UTF-8; ok is false where the charset is
// unknown or does not fit, and windows-1252 was taken.
func ToUTF8(in, charset string) (text string, ok bool) {
	charset = strings.ToLower(strings.TrimSpace(charset))
	switch charset {
	case "", "us-ascii", "ascii", "utf-8", "utf8", "unicode-1-1-utf-8":
		if shiftsToJapanese(in) {
			return ToUTF8(in, "iso-2022-jp")
		}
		if utf8.ValidString(in) {
			return in, true
		}
		return fromWindows1252(in), charset == ""
	case "utf-7", "unicode-1-1-utf-7", "x-unicode-2-0-utf-7":
		return utf7(in), true
	}
	enc := encodingOf(charset)
	if enc == nil {
		if utf8.ValidString(in) {
			return in, false
		}
		return fromWindows1252(in), false
	}
	if isASCII(in) && (strings.HasPrefix(charset, "iso-8859-") || strings.HasPrefix(charset, "windows-")) {
		return in, true
	}
	out, err := enc.NewDecoder().String(in)
	if err != nil {
		return fromWindows1252(in), false
	}
	return out, true
}

// shiftsToJapanese reports whether text has the escape sequences by which
// ISO-2022-JP changes to and from JIS X 0208 (RFC 1468): Domino and others send
// it without saying so.
func shiftsToJapanese(in string) bool {
	i := strings.Index(in, "\x1b$")
	return i >= 0 && len(in) > i+2 && (in[i+2] == 'B' || in[i+2] == '@') && (strings.Contains(in[i:], "\x1b(B") || strings.Contains(in[i:], "\x1b(J"))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// encodingOf finds a charset by the names in use, "cp-850" and "iso8859-1"
// among them.
func encodingOf(name string) encoding.Encoding {
	for _, try := range []string{name, strings.Replace(name, "cp-", "cp", 1), strings.Replace(name, "iso8859", "iso-8859", 1), strings.Replace(name, "cp", "ibm", 1)} {
		if enc, err := htmlindex.Get(try); err == nil {
			return enc
		}
		if enc, err := ianaindex.MIME.Encoding(try); err == nil && enc != nil {
			return enc
		}
	}
	return nil
}

func fromWindows1252(in string) string {
	out, err := charmap.Windows1252.NewDecoder().String(in)
	if err != nil {
		return strings.ToValidUTF8(in, "\uFFFD")
	}
	return out
}

// utf7 decodes RFC 2152; what is no valid shift stays as it is.
func utf7(in string) string {
	var b strings.Builder
	for i := 0; i < len(in); {
		if in[i] != '+' {
			b.WriteByte(in[i])
			i++
			continue
		}
		end := i + 1
		for end < len(in) && (in[end] == '+' || in[end] == '/' || '0' <= in[end] && in[end] <= '9' || 'A' <= in[end]&^0x20 && in[end]&^0x20 <= 'Z') {
			end++
		}
		digits := in[i+1 : end]
		if len(digits) == 0 {
			b.WriteByte('+')
		} else {
			raw := make([]byte, base64.RawStdEncoding.DecodedLen(len(digits)))
			n, _ := base64.RawStdEncoding.Decode(raw, []byte(digits))
			units := make([]uint16, 0, n/2)
			for j := 0; j+1 < n; j += 2 {
				units = append(units, uint16(raw[j])<<8|uint16(raw[j+1]))
			}
			b.WriteString(string(utf16.Decode(units)))
		}
		if end < len(in) && in[end] == '-' {
			end++
		}
		i = end
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

// DecodeWords decodes the encoded words of a header field (RFC 2047).
func DecodeWords(s string) string {
	if !strings.Contains(s, "=?") {
		return s
	}
	decoder := stdmime.WordDecoder{CharsetReader: func(charset string, in io.Reader) (io.Reader, error) {
		raw, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		text, _ := ToUTF8(string(raw), charset)
		return strings.NewReader(text), nil
	}}
	if text, err := decoder.DecodeHeader(s); err == nil {
		return text
	}
	return s
}
