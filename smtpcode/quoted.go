package smtpcode

import "strings"

// cutQuoted parts a status of the reporting system's own from the reply that it
// quotes behind its words: "5.1.0 - Unknown address error 550-'5.1.1 ...'
// (delivery attempts: 0)", as Cisco's AsyncOS writes it.
func cutQuoted(s string) (outer, inner string, ok bool) {
	if _, rest, status := CutStatus(s); !status || !strings.HasPrefix(rest, " - ") {
		return s, "", false
	}
	i := strings.Index(s, "-'")
	end := strings.LastIndexByte(s, '\'')
	if i < 4 || s[i-4] != ' ' || end <= i+1 {
		return s, "", false
	}
	if _, _, code := cutCode(s[i-3:]); !code {
		return s, "", false
	}
	return strings.TrimSpace(s[:i-3]), s[i-3 : end+1], true
}
