package main

import (
	"strings"

	"golang.org/x/net/idna"
)

// removed names the fields that only the gateway may write: its own, and the
// results that claim its name (RFC 8601 section 5, RFC 7208 section 9.1). What a
// reader behind may take for one of them is one of them.
func (g *gateway) removed(name, value string) bool {
	name = strings.ToLower(visible(name))
	switch {
	case strings.HasPrefix(name, strings.ToLower(prefix)):
		return true
	case name == "authentication-results":
		return g.isOurs(authservID(value))
	case name == "received-spf":
		value, host := strings.ToLower(visible(value)), strings.ToLower(g.Hostname)
		return strings.Contains(value, "receiver="+host) || strings.Contains(value, "("+host+":")
	}
	return false
}

// visible returns the characters a field name may have (RFC 5322 section 2.2):
// some readers drop all others, or stop at them.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
}

// isOurs reports whether an authserv-id reads as the gateway's name. An encoded
// word is none (RFC 2047 section 5), but there are readers that decode it.
func (g *gateway) isOurs(id string) bool {
	return strings.Contains(id, "=?") || sameHost(id, g.Hostname)
}

// sameHost compares names in the form that DNS knows them in.
func sameHost(a, b string) bool {
	return strings.EqualFold(asciiHost(a), asciiHost(b))
}

func asciiHost(name string) string {
	if ascii, err := idna.Lookup.ToASCII(name); err == nil {
		name = ascii
	}
	return strings.TrimSuffix(visible(name), ".")
}

// authservID returns who wrote an Authentication-Results field: the first word
// after any comments, its quotes taken off (RFC 8601 section 2.2).
func authservID(value string) string {
	value = afterComments(value)
	if !strings.HasPrefix(value, `"`) {
		if end := strings.IndexAny(value, "; \t("); end >= 0 {
			value = value[:end]
		}
		return value
	}
	var id strings.Builder
	for at := 1; at < len(value) && value[at] != '"'; at++ {
		if value[at] == '\\' && at+1 < len(value) {
			at++
		}
		id.WriteByte(value[at])
	}
	return strings.TrimSpace(id.String())
}

// afterComments returns what follows the comments that a value begins with.
func afterComments(value string) string {
	value = strings.TrimSpace(value)
	for strings.HasPrefix(value, "(") {
		depth, at := 0, 0
		for at < len(value) {
			switch value[at] {
			case '\\':
				at++
			case '(':
				depth++
			case ')':
				depth--
			}
			at++
			if depth == 0 {
				break
			}
		}
		value = strings.TrimSpace(value[min(at, len(value)):])
	}
	return value
}
