package dnscheck

import (
	"net/netip"
	"strings"
)

// misspelt are beginnings of terms that are written instead of others.
var misspelt = [...][2]string{
	{"include=", "include:"}, {"include.", "include:"}, {"include;", "include:"},
	{"ip4=", "ip4:"}, {"ip6=", "ip6:"}, {"ipv4:", "ip4:"}, {"ipv6:", "ip6:"}, {"ipv4=", "ip4:"}, {"ipv6=", "ip6:"}, {"ip:", "ip4:"}, {"ip4.", "ip4:"},
	{"mx=", "mx:"}, {"a=", "a:"}, {"redirect:", "redirect="}, {"exp:", "exp="},
}

// lookalikes are characters that editors put in the place of others.
var lookalikes = strings.NewReplacer("\u00a0", " ", "\t", " ", "\u200b", "", "\ufeff", "", "–", "-", "—", "-", "−", "-", "“", "", "”", "", "‘", "", "’", "", `"`, "", "'", "", "：", ":")

// suggest proposes what a malformed term may have meant: one or more terms
// that are well formed. It is "" when nothing suggests itself.
func suggest(term string) string {
	if len(term) > 512 {
		return ""
	}
	cleaned := strings.Join(strings.Fields(lookalikes.Replace(term)), " ")
	cleaned = strings.TrimRight(cleaned, ";,.")
	for _, proposal := range [...]string{cleaned, respelt(cleaned), retyped(cleaned), unglued(cleaned), inALabels(cleaned)} {
		if proposal != term && wellFormed(proposal) {
			return proposal
		}
	}
	return ""
}

func wellFormed(terms string) bool {
	fields := strings.Fields(terms)
	for _, field := range fields {
		var t Term
		if parseTerm(&t, field) != "" || t.Mechanism == ModifierOther {
			return false
		}
	}
	return len(fields) > 0
}

// respelt mends the beginning of a term.
func respelt(term string) string {
	sign, body := cutQualifier(term)
	for _, fix := range misspelt {
		if len(body) > len(fix[0]) && strings.EqualFold(body[:len(fix[0])], fix[0]) {
			name := fix[1]
			if name == "redirect=" || name == "exp=" {
				sign = ""
			}
			return retyped(sign + name + body[len(fix[0]):])
		}
	}
	name, value, ok := strings.Cut(body, ":")
	for _, long := range [...]string{"include", "exists", "redirect"} {
		switch {
		case !ok || !oneSlip(strings.ToLower(name), long):
		case long == "redirect":
			return long + "=" + value
		default:
			return sign + long + ":" + value
		}
	}
	return term
}

// oneSlip reports whether a word is another with one letter missing, added, wrong
// or in its neighbour's place.
func oneSlip(got, want string) bool {
	same := 0
	for same < len(got) && same < len(want) && got[same] == want[same] {
		same++
	}
	got, want = got[same:], want[same:]
	switch len(got) - len(want) {
	case 1:
		return got[1:] == want
	case -1:
		return got == want[1:]
	case 0:
		return got != "" && (got[1:] == want[1:] || len(got) > 1 && got[0] == want[1] && got[1] == want[0] && got[2:] == want[2:])
	}
	return false
}

// retyped gives a term the mechanism that its value asks for.
func retyped(term string) string {
	sign, body := cutQualifier(term)
	name, value, ok := strings.Cut(body, ":")
	switch strings.ToLower(name) {
	case "ip4", "ip6", "a", "mx":
	default:
		name, value, ok = "", body, true
	}
	text, _, _ := strings.Cut(value, "/")
	addr, err := netip.ParseAddr(text)
	switch {
	case !ok:
	case err == nil && addr.Is4():
		return sign + "ip4:" + value
	case err == nil:
		return sign + "ip6:" + value
	case name != "" && name[0]|0x20 == 'i' && !strings.Contains(value, ":"):
		return sign + "a:" + value
	}
	return term
}

// inALabels writes a term's name in its A-label form (RFC 7208 section 4.3).
func inALabels(term string) string {
	i := strings.IndexAny(term, ":=")
	if i < 0 {
		return term
	}
	name, err := aLabels(term[i+1:])
	if err != nil {
		return term
	}
	return term[:i+1] + name
}

func cutQualifier(term string) (sign, body string) {
	if term != "" && strings.IndexByte("+-~?", term[0]) >= 0 {
		return term[:1], term[1:]
	}
	return "", term
}

// unglued puts spaces before terms that follow another without one.
func unglued(term string) string {
	lower := strings.ToLower(term)
	var b strings.Builder
	for i := range len(term) {
		if i > 0 && startsTerm(lower, i) {
			b.WriteByte(' ')
		}
		b.WriteByte(term[i])
	}
	return b.String()
}

// startsTerm reports whether a term seems to begin in the middle of s.
func startsTerm(s string, i int) bool {
	rest := s[i:]
	if sign := strings.IndexByte("+-~?", rest[0]) >= 0; sign {
		rest = rest[1:]
		if rest == "all" {
			return true
		}
	} else if strings.IndexByte("+-~?", s[i-1]) >= 0 {
		return false // the qualifier began it
	}
	for _, name := range [...]string{"include:", "ip4:", "ip6:", "exists:", "redirect="} {
		if strings.HasPrefix(rest, name) {
			return true
		}
	}
	return false
}
