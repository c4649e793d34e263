package smtpcode

import (
	"net/netip"
	"strings"
	"unicode"
)

// hostName takes off what reports put around a host name: a type before a
// semicolon, brackets, a port, a trailing dot, an address behind it. What is
// left has the form of a host name or an IP address; "" where it has not:
// reports carry what a stranger wrote, and a derived field is no place for it.
func hostName(s string) string {
	if i := strings.IndexByte(s, ';'); i >= 0 && i < 10 {
		s = s[i+1:]
	}
	s = strings.TrimSpace(s)
	for i := 1; i < len(s); i++ {
		if s[i] == ' ' || s[i] == '(' {
			s = s[:i]
			break
		}
	}
	if i := strings.LastIndexByte(s, ':'); i > 0 && onlyDigits(s[i+1:]) && (strings.IndexByte(s, ':') == i || s[i-1] == ']') {
		s = s[:i]
	}
	s = strings.TrimSuffix(strings.Trim(s, "[]<>"), ".")
	if !isDomain(s) && !isLiteral(s) {
		return ""
	}
	return s
}

// isDomain reports whether s has the form of a domain or host name: labels of
// letters, digits and inner hyphens (RFC 1123 section 2.1), 63 bytes each, 255
// in all (RFC 5321 section 4.5.3.1.2). Underscores pass, as real hosts have
// them, and so do letters outside ASCII (RFC 6531 section 3.3).
func isDomain(s string) bool {
	if s == "" || len(s) > 255 {
		return false
	}
	start := 0 // of the label
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '.':
			if i == start || i-start > 63 || s[i-1] == '-' {
				return false
			}
			start = i + 1
		case isLetter(c) || isDigit(c) || c == '_' || c == '-' && i > start:
		case c >= 0x80:
			return isWideDomain(s)
		default:
			return false
		}
	}
	return start < len(s) && len(s)-start <= 63 && s[len(s)-1] != '-'
}

// isWideDomain is isDomain for a name with letters outside ASCII.
func isWideDomain(s string) bool {
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 255 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, r := range label {
			if r != '-' && r != '_' && !unicode.In(r, unicode.Letter, unicode.Mark, unicode.Digit) {
				return false
			}
		}
	}
	return true
}

// isLiteral reports whether s is an address literal without its brackets (RFC
// 5321 section 4.1.3), or an IPv6 address alone.
func isLiteral(s string) bool {
	const tag = "ipv6:"
	if len(s) > len(tag) && strings.EqualFold(s[:len(tag)], tag) {
		s = s[len(tag):]
	}
	if strings.IndexByte(s, ':') < 0 || len(s) > 64 {
		return false
	}
	_, err := netip.ParseAddr(s)
	return err == nil
}

func onlyDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// domainOf returns what stands behind the last "@" of an address.
func domainOf(address string) string {
	return address[strings.LastIndexByte(address, '@')+1:]
}

// domainToCheck returns a domain to look up, "" for what has not the form of
// one: the text is a stranger's.
func domainToCheck(s string) string {
	if s = strings.TrimSuffix(s, "."); isDomain(s) {
		return s
	}
	return ""
}

// within reports whether host is domain or below it.
func within(host, domain string) bool {
	n := len(host) - len(domain)
	return domain != "" && n >= 0 && strings.EqualFold(host[n:], domain) && (n == 0 || host[n-1] == '.')
}
