package smtpcode

import (
	"strings"
	"testing"
)

func TestAsciiDomain(t *testing.T) {
	tests := []struct{ domain, want string }{
		{"Example.COM", "example.com"},
		{"bücher.example", "xn--bcher-kva.example"},
		{"mail.BÜCHER.example", "mail.xn--bcher-kva.example"},
		{"münchen.example", "xn--mnchen-3ya.example"},
		{"例え.テスト", "xn--r8jz45g.xn--zckzah"}, // test domains of IANA
		{"пример.испытание", "xn--e1afmkfd.xn--80akhbyknj4f"},
		{"\xff.example", ""},
		{strings.Repeat("ü", 64) + ".example", ""},
	}
	for _, test := range tests {
		if got, ok := asciiDomain(test.domain); got != test.want || ok != (test.want != "") {
			t.Errorf("%q: %q, %v, want %q", test.domain, got, ok, test.want)
		}
	}
}

// The samples (B), (G) and (R) of RFC 3492 section 7.1, in lower case.
func TestPunycode(t *testing.T) {
	for label, want := range map[string]string{
		"почемужеонинеговорятпорусски": "b1abfaaepdrnnbgefbadotcwatmq2g4l",
		"そのスピードで":   "d9juau41awczczp",
		"他们为什么不说中文": "ihqwcrb4cv8a8dqg056pqjye",
	} {
		if got, ok := punycode(label); !ok || got != want {
			t.Errorf("%q: %q, %v, want %q", label, got, ok, want)
		}
	}
}
