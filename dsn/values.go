package dsn

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mailfault/mailfault/internal/mime"
)

// cutType takes the type off "type; text". What stands before a semicolon is a
// type only if it is one word without the marks of an address or a sentence.
func cutType(s string) (kind, text string) {
	before, after, ok := strings.Cut(s, ";")
	kind = strings.TrimSpace(before)
	if !ok || kind == "" || len(kind) > 30 {
		return "", strings.TrimSpace(s)
	}
	for i := range len(kind) {
		c := kind[i]
		if !(c == '-' || c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z') {
			return "", strings.TrimSpace(s)
		}
	}
	return strings.ToLower(kind), strings.TrimSpace(after)
}

func parseAddress(raw string) Address {
	kind, text := cutType(raw)
	text = bareAddress(text)
	switch kind {
	case "utf-8", "unitext":
		text = decodeUnitext(text)
	case "rfc822":
		text = decodeXtext(text)
	}
	return Address{Type: kind, Address: text, Raw: raw}
}

// bareAddress takes angle brackets, comments and a source route (RFC 5321
// appendix C) off an address.
func bareAddress(s string) string {
	if i := strings.LastIndexByte(s, '<'); i >= 0 {
		if j := strings.IndexByte(s[i:], '>'); j > 0 {
			s = s[i+1 : i+j]
		}
	}
	s = strings.Trim(s, " <>")
	if i := strings.Index(s, " ("); i > 0 {
		s = s[:i]
	}
	if strings.HasPrefix(s, "@") {
		if i := strings.IndexByte(s, ':'); i > 0 {
			s = s[i+1:]
		}
	}
	return s
}

// decodeXtext undoes "+XX" (RFC 3461 section 4) where the encoded byte is one
// that xtext must encode, so that a tag such as "user+AB" stays.
func decodeXtext(s string) string {
	if strings.IndexByte(s, '+') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '+' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil && s[i+1:i+3] == strings.ToUpper(s[i+1:i+3]) && (c <= ' ' || c == '+' || c == '=' || c >= 0x7f) {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	if decoded := b.String(); utf8.ValidString(decoded) {
		return decoded
	}
	return s
}

// decodeUnitext undoes "\x{HEX}" (RFC 6533 section 3).
func decodeUnitext(s string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, `\x{`)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		hex, after, ok := strings.Cut(rest, "}")
		r, err := strconv.ParseUint(hex, 16, 32)
		if !ok || err != nil || r > utf8.MaxRune {
			b.WriteString(`\x{`)
			s = rest
			continue
		}
		b.WriteRune(rune(r))
		s = after
	}
}

func parseMTA(raw string) MTA {
	kind, text := cutType(raw)
	host := text
	if i := strings.IndexAny(host, " \t("); i > 0 {
		host = host[:i]
	}
	host = strings.TrimSuffix(strings.Trim(host, "[]<>,"), ".")
	return MTA{Type: kind, Host: host, Raw: raw}
}

func parseDiagnostic(raw string) Diagnostic {
	kind, text := cutType(raw)
	if strings.Contains(text, "\x1b$") {
		text, _ = mime.ToUTF8(text, "") // Domino writes ISO-2022-JP into the field
	}
	return Diagnostic{Type: kind, Text: text, Raw: raw}
}
