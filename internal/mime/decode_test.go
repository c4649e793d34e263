package mime

import (
	"slices"
	"strings"
	"testing"
)

// TestTransferEncodings decodes RFC 2045 section 6, kept and broken.
func TestTransferEncodings(t *testing.T) {
	for name, test := range map[string]struct {
		encoding, body, want string
		defects              []DefectKind
	}{
		"none":                         {"", "a=3D\r\n", "a=3D\r\n", nil},
		"7bit":                         {"7BIT", "a=3D", "a=3D", nil},
		"8bit with a comment":          {"8bit (as it came)", "\xe9", "\xe9", nil},
		"unknown":                      {"x-uuencode", "a", "a", []DefectKind{UnknownTransfer}},
		"quoted-printable":             {"Quoted-Printable", "caf=C3=A9 =3D\n", "café =\n", nil},
		"lower-case digits":            {"quoted-printable", "=c3=a9", "é", nil},
		"a soft line break":            {"quoted-printable", "one =\ntwo", "one two", nil},
		"a soft line break, CRLF":      {"quoted-printable", "one =\r\ntwo", "one two", nil},
		"blanks added behind it":       {"quoted-printable", "one = \t\ntwo", "one two", nil},
		"a soft line break at the end": {"quoted-printable", "one=", "one", nil},
		"an escape cut off":            {"quoted-printable", "one=4", "one=4", []DefectKind{BadTransfer}},
		"no escape":                    {"quoted-printable", "1=2, x=zz", "1=2, x=zz", []DefectKind{BadTransfer}},
		"in quotes":                    {`"quoted-printable"`, "=41", "A", nil},
		"base64":                       {"BASE64", "aGVsbG8gdGhlcmU=", "hello there", nil},
		"in lines":                     {"base64", "aGVs\r\nbG8g\r\ndGhlcmU=\r\n", "hello there", nil},
		"without padding":              {"base64", "aGVsbG8gdGhlcmU", "hello there", nil},
		"junk in it":                   {"base64", "aGVs*bG8g!dGhlcmU=", "hello there", []DefectKind{BadTransfer}},
		"two pieces":                   {"base64", "aGVsbG8=IHRoZXJl", "hello there", nil},
		"the alphabet of URLs":         {"base64", "__79", "\xff\xfe\xfd", []DefectKind{BadTransfer}},
		"one digit too many":           {"base64", "aGVsbG8gdGhlcmUhI", "hello there!", []DefectKind{BadTransfer}},
		"padding alone":                {"base64", "====", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := Part{Header: Header{{Name: "Content-Transfer-Encoding", Raw: test.encoding}}, Body: test.body}
			if got, defects := p.Decoded(); got != test.want || !slices.Equal(defects, test.defects) {
				t.Errorf("%q %v, want %q %v", got, defects, test.want, test.defects)
			}
		})
	}
}

// TestLongBase64 goes over the blocks it is decoded in.
func TestLongBase64(t *testing.T) {
	p := Part{Header: Header{{Name: "Content-Transfer-Encoding", Raw: "base64"}}, Body: strings.Repeat("aGVs\nbG8h", 1000)}
	if got, defects := p.Decoded(); got != strings.Repeat("hello!", 1000) || defects != nil {
		t.Errorf("%d bytes %v", len(got), defects)
	}
}

// TestCharsets decodes texts in charsets by the names in use.
func TestCharsets(t *testing.T) {
	for name, test := range map[string]struct {
		charset, body, want string
		ok                  bool
	}{
		"none":                      {"", "abc", "abc", true},
		"none, UTF-8 all the same":  {"", "é", "é", true},
		"none, and no UTF-8":        {"", "caf\xe9", "café", true},
		"us-ascii":                  {"US-ASCII", "abc", "abc", true},
		"us-ascii, but it is not":   {"us-ascii", "caf\xe9", "café", false},
		"utf-8":                     {" UTF-8 ", "é", "é", true},
		"utf-8, but it is not":      {"utf-8", "caf\xe9", "café", false},
		"iso-8859-1":                {"ISO-8859-1", "caf\xe9", "café", true},
		"its name without a hyphen": {"iso8859-15", "\xa4", "€", true},
		"windows-1252":              {"windows-1252", "\x93a\x94", "“a”", true},
		"cp1252":                    {"cp1252", "\x93a\x94", "“a”", true},
		"cp-850":                    {"cp-850", "\x82", "é", true},
		"koi8-r":                    {"koi8-r", "\xd0\xcf\xde\xd4\xc1", "почта", true},
		"iso-2022-jp":               {"iso-2022-jp", "\x1b$B%a!<%k\x1b(B", "メール", true},
		"iso-2022-jp, undeclared":   {"", "\x1b$B%a!<%k\x1b(B", "メール", true},
		"iso-2022-jp, as us-ascii":  {"us-ascii", "a \x1b$B%a!<%k\x1b(B b", "a メール b", true},
		"an escape that shifts not": {"", "\x1b$1m and \x1b(B", "\x1b$1m and \x1b(B", true},
		"shift_jis":                 {"Shift_JIS", "\x83\x81\x81\x5b\x83\x8b", "メール", true},
		"gb2312":                    {"gb2312", "\xd3\xca\xbc\xfe", "邮件", true},
		"utf-7":                     {"utf-7", "caf+AOk- 1+-1", "café 1+1", true},
		"utf-7 by its old name":     {"unicode-1-1-utf-7", "+AOk", "é", true},
		"unknown, ASCII":            {"x-none", "abc", "abc", false},
		"unknown, no UTF-8":         {"x-none", "caf\xe9", "café", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got, ok := ToUTF8(test.body, test.charset); got != test.want || ok != test.ok {
				t.Errorf("%q %v, want %q %v", got, ok, test.want, test.ok)
			}
		})
	}
}

func TestTextHasLineFeeds(t *testing.T) {
	for _, body := range []string{"a\nb\n\n", "a\r\nb\r\n\r\n", "a\rb\r\r", "a\r\nb\n\r"} {
		p := Part{Body: body}
		if got, _ := p.Text(); got != "a\nb\n\n" {
			t.Errorf("%q: %q", body, got)
		}
	}
}

// TestEncodedWords decodes RFC 2047.
func TestEncodedWords(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                                 "plain",
		"=?us-ascii?Q?a_b?=":                    "a b",
		"=?ISO-8859-1?Q?a?= b":                  "a b",
		"=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=": "ab",
		"=?utf-8?B?w6k=?=":                      "é",
		"=?koi8-r?B?0M/e1ME=?=":                 "почта",
		"=?x-none?Q?a?=":                        "a",
		"=?utf-8?X?a?=":                         "=?utf-8?X?a?=",
		"=?broken":                              "=?broken",
	} {
		if got := DecodeWords(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzParse reads anything: every part lies within the mail, and what is decoded
// is text.
func FuzzParse(f *testing.F) {
	f.Add("Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Transfer-Encoding: base64\n\naGk=\n--b--\n")
	f.Add("Content-Type: multipart/mixed\r\n\r\n--x\r\nContent-Type: text/plain; charset*=utf-7\r\n\r\n+AOk-\r\n")
	f.Add("From x\nA\rb: c\n =\n\n")
	f.Fuzz(func(t *testing.T, mail string) {
		root, _ := Parse(mail, Limits{})
		mail = lines(mail)
		var check func(p *Part)
		check = func(p *Part) {
			if p.Offset > len(mail) || !strings.HasPrefix(mail[p.Offset:], p.Body) {
				t.Errorf("part %q: offset %d", p.Path, p.Offset)
			}
			for _, field := range p.Header {
				if !strings.HasPrefix(mail[field.Offset:], field.Name) {
					t.Errorf("field %q: offset %d", field.Name, field.Offset)
				}
			}
			p.Text()
			for _, child := range p.Parts {
				check(child)
			}
		}
		check(root)
	})
}
