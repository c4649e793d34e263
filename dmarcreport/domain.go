package dmarcreport

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// domainName returns a domain as names are compared: in lower case, in its
// ASCII form, without a trailing dot. It returns "" for what is no domain name
// (RFC 1035 section 2.3.1, RFC 5890): an address, a list, a word with blanks.
// Underscores are let pass, since names that hold mail policies have them.
func domainName(s string) string {
	s = strings.TrimSuffix(s, ".")
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	if !ascii {
		// No mapping: what must be mapped first is not the name it looks like.
		var err error
		if s, err = idna.Registration.ToASCII(lowerASCII(s)); err != nil {
			return ""
		}
	}
	const longestName, longestLabel = 253, 63
	if s == "" || len(s) > longestName {
		return ""
	}
	last := ""
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > longestLabel || label[0] == '-' || label[len(label)-1] == '-' {
			return ""
		}
		for i := range len(label) {
			if c := label[i]; c >= utf8.RuneSelf || c == '.' || !domainByte(c) {
				return ""
			}
		}
		last = label
	}
	if strings.Trim(last, "0123456789") == "" {
		return "" // an IPv4 address, or what became of one
	}
	return lowerASCII(s)
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}
