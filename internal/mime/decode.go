package mime

import (
	"encoding/base64"
	"strings"
)

// Decoded returns the body without its transfer encoding. Bytes that mean
// nothing in it are passed over or kept as they are, and reading goes on.
func (p *Part) Decoded() (body string, defects []DefectKind) {
	switch transferName(p.Header.Get("Content-Transfer-Encoding")) {
	case "", "7bit", "8bit", "binary", "7-bit", "8-bit":
		return p.Body, nil
	case "quoted-printable":
		body, clean := quotedPrintable(p.Body)
		return body, defectUnless(clean, BadTransfer)
	case "base64":
		body, clean := forgivingBase64(p.Body)
		return body, defectUnless(clean, BadTransfer)
	}
	return p.Body, []DefectKind{UnknownTransfer}
}

// transferName returns a transfer encoding in lower case, without comments (RFC
// 5322 section 3.2.2) and what else stands around it.
func transferName(value string) string {
	if strings.IndexByte(value, '(') >= 0 {
		var b strings.Builder
		for before, rest, ok := "", value, true; ok; {
			before, rest, ok = strings.Cut(rest, "(")
			b.WriteString(before)
			_, rest, _ = strings.Cut(rest, ")")
		}
		value = b.String()
	}
	value, _, _ = strings.Cut(value, ";")
	return strings.ToLower(strings.Trim(value, " \t\"'"))
}

func defectUnless(clean bool, kind DefectKind) []DefectKind {
	if clean {
		return nil
	}
	return []DefectKind{kind}
}

// Text returns the body as UTF-8 text with LF line ends.
func (p *Part) Text() (text string, defects []DefectKind) {
	body, defects := p.Decoded()
	text, ok := ToUTF8(body, p.Params.Get("charset"))
	if !ok {
		defects = append(defects, UnknownCharset)
	}
	return lineFeeds(text), defects
}

// lineFeeds makes line ends LF.
func lineFeeds(text string) string {
	at := strings.IndexByte(text, '\r')
	if at < 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for at >= 0 {
		b.WriteString(text[:at])
		text = text[at+1:]
		if text == "" || text[0] != '\n' {
			b.WriteByte('\n')
		}
		at = strings.IndexByte(text, '\r')
	}
	b.WriteString(text)
	return b.String()
}

// quotedPrintable decodes RFC 2045 section 6.7; an escape that is none stays.
func quotedPrintable(in string) (out string, clean bool) {
	at := strings.IndexByte(in, '=')
	if at < 0 {
		return in, true
	}
	var b strings.Builder
	b.Grow(len(in))
	clean = true
	for ; at >= 0; at = strings.IndexByte(in, '=') {
		b.WriteString(in[:at])
		in = in[at+1:]
		if len(in) >= 2 {
			hi, lo := hexDigit(in[0]), hexDigit(in[1])
			if hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				in = in[2:]
				continue
			}
		}
		// A soft line break; blanks before it were added on the way.
		end := 0
		for end < len(in) && (in[end] == ' ' || in[end] == '\t' || in[end] == '\r') {
			end++
		}
		switch {
		case end == len(in):
			in = ""
		case in[end] == '\n':
			in = in[end+1:]
		default:
			b.WriteByte('=')
			clean = false
		}
	}
	b.WriteString(in)
	return b.String(), clean
}

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// Base64 decodes a text as Decoded does the body of a part in base64; clean is
// false where something in it means nothing.
func Base64(text string) (out string, clean bool) { return forgivingBase64(text) }

// forgivingBase64 decodes RFC 2045 section 6.8, passing over what is no digit
// and beginning anew after padding. Where "-" and "_" stand and "+" and "/" do
// not, the alphabet is that of RFC 4648 section 5.
func forgivingBase64(in string) (out string, clean bool) {
	d := base64Decoder{clean: true}
	d.out.Grow(base64.RawStdEncoding.DecodedLen(len(in)))
	urls := strings.ContainsAny(in, "-_") && !strings.ContainsAny(in, "+/")
	for i := range len(in) {
		switch c := in[i]; {
		case 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '+', c == '/':
			d.digit(c)
		case urls && c == '-':
			d.digit('+')
			d.clean = false
		case urls && c == '_':
			d.digit('/')
			d.clean = false
		case c == '=':
			d.flush()
		case c != '\r' && c != '\n' && c != ' ' && c != '\t':
			d.clean = false
		}
	}
	d.flush()
	return d.out.String(), d.clean
}

// base64Decoder decodes digits in blocks.
type base64Decoder struct {
	digits [1024]byte // a multiple of four
	n      int
	out    strings.Builder
	clean  bool
}

func (d *base64Decoder) digit(c byte) {
	d.digits[d.n] = c
	if d.n++; d.n == len(d.digits) {
		d.flush()
	}
}

// flush decodes the digits so far; what follows begins anew.
func (d *base64Decoder) flush() {
	var block [len(d.digits)]byte
	n, err := base64.RawStdEncoding.Decode(block[:], d.digits[:d.n])
	d.out.Write(block[:n])
	d.clean = d.clean && err == nil
	d.n = 0
}
