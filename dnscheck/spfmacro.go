package dnscheck

import (
	"net/netip"
	"strconv"
	"strings"
)

// checkMacros checks the macros of a macro-string (RFC 7208 section 7.1) and
// returns where the last one ends, or what is wrong. The letters c, r and t are
// for explanations alone.
func checkMacros(s string, explanation bool) (lastEnd int, problem string) {
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			continue
		}
		if i+1 == len(s) {
			return 0, "a % stands alone"
		}
		switch s[i+1] {
		case '%', '_', '-':
			i++
			lastEnd = i + 1
			continue
		case '{':
		default:
			return 0, "a % begins no macro"
		}
		end := strings.IndexByte(s[i:], '}')
		if end < 0 {
			return 0, "a macro is not closed"
		}
		if _, ok := parseMacro(s[i+2:i+end], explanation); !ok {
			return 0, "the macro %{" + clip(s[i+2:i+end]) + "} is malformed"
		}
		i += end
		lastEnd = i + 1
	}
	return lastEnd, ""
}

// macro is one expansion: a letter and its transformers.
type macro struct {
	letter     byte // lower case
	escape     bool // written in upper case: URL-escaped
	keep       int  // right-hand parts kept; 0 for all
	reverse    bool
	delimiters string // "." when none given
}

func parseMacro(s string, explanation bool) (m macro, ok bool) {
	if s == "" {
		return m, false
	}
	m.letter, m.escape = s[0]|0x20, s[0] < 'a'
	letters := "slodiphv"
	if explanation {
		letters += "crt"
	}
	if strings.IndexByte(letters, m.letter) < 0 {
		return m, false
	}
	s = s[1:]
	digits := 0
	for digits < len(s) && '0' <= s[digits] && s[digits] <= '9' {
		digits++
	}
	if digits > 0 {
		number := strings.TrimLeft(s[:digits], "0")
		if number == "" {
			return m, false
		}
		m.keep, _ = strconv.Atoi(number[:min(len(number), 9)]) // more parts than a name has
		s = s[digits:]
	}
	if s != "" && s[0]|0x20 == 'r' {
		m.reverse, s = true, s[1:]
	}
	m.delimiters = "."
	if s != "" {
		for i := range len(s) {
			if strings.IndexByte(".-+,/_=", s[i]) < 0 {
				return m, false
			}
		}
		m.delimiters = s
	}
	return m, true
}

// checkDomainSpec checks a domain-spec: it ends in a macro, of which %%, %_ and %-
// are three, or in a top label that is not all digits (RFC 7208 section 7.1).
func checkDomainSpec(s string) string {
	if s == "" {
		return "a domain is missing"
	}
	lastEnd, problem := checkMacros(s, false)
	if problem != "" {
		return problem
	}
	if lastEnd == len(s) {
		return ""
	}
	tail := strings.TrimSuffix(s[lastEnd:], ".")
	dot := strings.LastIndexByte(tail, '.')
	if dot < 0 && lastEnd == 0 {
		return "the domain has one label only"
	}
	if dot < 0 {
		return "the domain does not end in a top label"
	}
	top := tail[dot+1:]
	if !isTopLabel(top) {
		return "the domain does not end in a top label"
	}
	return ""
}

func isTopLabel(s string) bool {
	if s == "" || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	letter := false
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', c == '-':
			letter = true
		case '0' <= c && c <= '9':
		default:
			return false
		}
	}
	return letter
}

// expand expands the macros of s in the evaluation of domain.
func (c *spfCheck) expand(s, domain string, explanation bool) (string, error) {
	if strings.IndexByte(s, '%') < 0 {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		switch s[i+1] {
		case '%':
			b.WriteByte('%')
			i++
		case '_':
			b.WriteByte(' ')
			i++
		case '-':
			b.WriteString("%20")
			i++
		case '{':
			end := strings.IndexByte(s[i:], '}')
			m, ok := parseMacro(s[i+2:i+end], explanation)
			if !ok {
				return "", errMacro
			}
			value, err := c.macroValue(m, domain)
			if err != nil {
				return "", err
			}
			writeMacro(&b, m, value)
			i += end
		}
		if b.Len() > maxExpansion {
			return "", errMacro
		}
	}
	return b.String(), nil
}

// maxExpansion bounds what macros may expand to, in bytes.
const maxExpansion = 64 << 10

func (c *spfCheck) macroValue(m macro, domain string) (string, error) {
	switch m.letter {
	case 's':
		return c.local + "@" + c.senderDomain, nil
	case 'l':
		return c.local, nil
	case 'o':
		return c.senderDomain, nil
	case 'd':
		return domain, nil
	case 'i':
		return dotted(c.q.IP), nil
	case 'p':
		return c.validatedName(domain)
	case 'v':
		if c.q.IP.Is4() {
			return "in-addr", nil
		}
		return "ip6", nil
	case 'h':
		return c.q.HELO, nil
	case 'c':
		return c.q.IP.String(), nil
	case 'r':
		if c.q.Receiver == "" {
			return "unknown", nil
		}
		return c.q.Receiver, nil
	case 't':
		return strconv.FormatInt(c.q.now().Unix(), 10), nil
	}
	return "", errMacro
}

// dotted is an address as macros have it: IPv6 as dotted nibbles in upper case
// (RFC 7208 section 7.4).
func dotted(ip netip.Addr) string {
	if ip.Is4() {
		return ip.String()
	}
	raw := ip.As16()
	b := make([]byte, 0, 63)
	for _, c := range raw {
		b = append(b, "0123456789ABCDEF"[c>>4], '.', "0123456789ABCDEF"[c&15], '.')
	}
	return string(b[:63])
}

// writeMacro splits, reverses, cuts and joins a value as the macro says.
func writeMacro(b *strings.Builder, m macro, value string) {
	var space [16]string
	parts := space[:0]
	start := 0
	for i := range len(value) {
		if strings.IndexByte(m.delimiters, value[i]) >= 0 {
			parts = append(parts, value[start:i])
			start = i + 1
		}
	}
	parts = append(parts, value[start:])
	if m.reverse {
		for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
			parts[i], parts[j] = parts[j], parts[i]
		}
	}
	if m.keep > 0 && m.keep < len(parts) {
		parts = parts[len(parts)-m.keep:]
	}
	for i, part := range parts {
		if i > 0 {
			b.WriteByte('.')
		}
		if m.escape {
			urlEscape(b, part)
		} else {
			b.WriteString(part)
		}
	}
}

// urlEscape escapes all but unreserved characters (RFC 3986 section 2.3).
func urlEscape(b *strings.Builder, s string) {
	for i := range len(s) {
		c := s[i]
		if 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte("0123456789ABCDEF"[c>>4])
		b.WriteByte("0123456789ABCDEF"[c&15])
	}
}

// shorten cuts labels off the left of a name until it fits (section 7.3).
func shorten(name string) string {
	name = strings.TrimSuffix(name, ".")
	for len(name) > 253 {
		_, rest, ok := strings.Cut(name, ".")
		if !ok {
			return name
		}
		name = rest
	}
	return name
}
