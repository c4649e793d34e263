package dsn

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/mailfault/mailfault/internal/mime"
)

// A setter puts the text of a field into a T, and reports whether the place was
// free: most fields may stand once.
type setter[T any] func(into *T, text string) (fresh bool)

// once makes the setter of a field that may stand once; the last one counts.
func once[T any, V comparable](place func(*T) *V, parse func(text string) V) setter[T] {
	return func(into *T, text string) bool {
		p := place(into)
		var free V
		fresh := *p == free
		*p = parse(text)
		return fresh
	}
}

// many makes the setter of a field that may be repeated.
func many[T, V any](place func(*T) *[]V, parse func(text string) V) setter[T] {
	return func(into *T, text string) bool {
		p := place(into)
		*p = append(*p, parse(text))
		return true
	}
}

// setterOf finds the setter of a field by its name in any case, without a copy
// of the name: it is asked for every field of every report.
func setterOf[T any](setters map[string]setter[T], name string) setter[T] {
	var lower [64]byte
	if len(name) > len(lower) {
		return nil
	}
	for i := range len(name) {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	return setters[string(lower[:len(name)])]
}

// fieldList reads a part that is one group of fields, keeping each verbatim. A
// blank line within it ends nothing: some write one after the first fields.
func fieldList[T any](body string, setters map[string]setter[T], into *T, found func(id string, offset int)) (fields []Field) {
	group := make(mime.Header, 0, usualGroup)
	for at := 0; at < len(body); {
		group, at, _ = mime.ReadGroup(group, body, at)
		for _, f := range group {
			if len(fields) == maxReportFields {
				found(findingTooManyFields, f.Offset)
				return fields
			}
			value := f.Value()
			fields = append(fields, Field{f.Name, value})
			if set := setterOf(setters, f.Name); set != nil && !set(into, value) {
				found(findingRepeated, f.Offset)
			}
		}
	}
	return fields
}

// maxReportFields is how many fields of a disposition notification or a
// feedback report are kept, and how many extension fields of a delivery status.
const maxReportFields = 10_000

func verbatim(text string) string { return text }

// parseMessageID takes comments and angle brackets off a message id.
func parseMessageID(text string) string {
	if _, after, ok := strings.Cut(text, "<"); ok {
		if id, _, ok := strings.Cut(after, ">"); ok {
			return id
		}
	}
	return strings.Trim(text, "<> ")
}

// parseIP reads an address, also one in brackets or with a comment behind it;
// what is none gives the zero Addr.
func parseIP(text string) netip.Addr {
	text, _, _ = strings.Cut(strings.TrimLeft(text, "[ "), " ")
	text = strings.TrimRight(text, "],;")
	if len(text) > 5 && strings.EqualFold(text[:5], "ipv6:") {
		text = text[5:]
	}
	ip, _ := netip.ParseAddr(text)
	return ip.Unmap()
}

// parseCount reads a number that is not negative; 0 when it is none.
func parseCount(text string) int {
	n, err := strconv.ParseUint(firstWord(text), 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}

func parsePort(text string) uint16 {
	n, err := strconv.ParseUint(firstWord(text), 10, 16)
	if err != nil {
		return 0
	}
	return uint16(n)
}

// firstWord returns text up to a blank or a comment.
func firstWord(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.IndexAny(text, " \t("); i >= 0 {
		return text[:i]
	}
	return text
}
