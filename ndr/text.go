package ndr

import (
	"net/netip"
	"strings"
)

// isAddress reports whether s is one mail address and nothing else. Exchange's
// encapsulated addresses (IMCEAEX-_O=...@host) count.
func isAddress(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at <= 0 || at == len(s)-1 || len(s) > 1000 || strings.ContainsAny(s, " \t<>,;\"'()") {
		return false
	}
	return isHostName(s[at+1:]) && !strings.Contains(s, "://")
}

// bareAddress returns the one address in s, which may stand in angle brackets,
// in parentheses after a name, or after "mailto:" or "rfc822;"; "" when s
// holds none.
func bareAddress(s string) string {
	s = strings.TrimSpace(s)
	for _, brackets := range []string{"<>", "()"} {
		open := strings.LastIndexByte(s, brackets[0])
		if open < 0 || s[len(s)-1] != brackets[1] {
			continue
		}
		if in := bareAddress(s[open+1 : len(s)-1]); in != "" {
			return in
		}
	}
	for _, prefix := range []string{"mailto:", "rfc822;", "smtp:"} {
		if hasPrefixFold(s, prefix) {
			s = strings.TrimSpace(s[len(prefix):])
		}
	}
	s, _, _ = strings.Cut(s, "?") // mailto:a@b.example?subject=...
	if isAddress(s) {
		return s
	}
	return ""
}

// isHostName reports whether s could name a host: letters of any script,
// digits, "-", "_" and dots, with a letter in it. A single label counts.
func isHostName(s string) bool {
	if s == "" || len(s) > 255 || s[0] == '.' || s[0] == '-' {
		return false
	}
	letter := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80:
			letter = true
		case '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_':
		default:
			return false
		}
	}
	return letter && !strings.Contains(s, "..")
}

// isFullHost is isHostName with a dot in it.
func isFullHost(s string) bool { return isHostName(s) && strings.Contains(strings.Trim(s, "."), ".") }

// cutToken splits s after its first word.
func cutToken(s string) (token, rest string) {
	token, rest, _ = strings.Cut(strings.TrimLeft(s, " "), " ")
	return token, strings.TrimLeft(rest, " ")
}

// hostAndIP reads "host", "host (ip)" or "[ip]" at the start of s and returns
// what follows.
func hostAndIP(s string) (host string, ip netip.Addr, rest string) {
	host, rest = cutToken(s)
	host = strings.TrimRight(host, ",;")
	if strings.HasPrefix(host, "[") {
		if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
			return "", a, rest
		}
	}
	if strings.HasPrefix(rest, "(") {
		if in, after, ok := strings.Cut(rest[1:], ")"); ok {
			if a, err := netip.ParseAddr(strings.TrimSpace(in)); err == nil {
				return host, a, strings.TrimLeft(after, " ")
			}
		}
	}
	return host, ip, rest
}

// indexFold is strings.Index for an ASCII needle in any case.
func indexFold(s, lowerNeedle string) int {
	for i := 0; i+len(lowerNeedle) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(lowerNeedle)], lowerNeedle) {
			return i
		}
	}
	return -1
}
