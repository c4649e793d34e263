package smtpcode

import "strings"

// maxReplies is how many replies quoted in one another are told apart; no
// server was seen to quote more than three.
const maxReplies = 16

// splitArrows parts a reply from the one it quotes.
func splitArrows(s string) []string {
	var segments []string
	for from := 0; len(segments) < maxReplies-1; {
		i := strings.Index(s[from:], "->")
		if i < 0 {
			break
		}
		i += from
		from = i + len("->")
		// Types and blanks end soon: what follows an arrow is looked at once.
		inner := trimType(strings.TrimSpace(s[from:]))
		if i == 0 || !startsReply(inner) {
			continue
		}
		segments = append(segments, strings.TrimSpace(s[:i]))
		s, from = inner, 0
	}
	return append(segments, s)
}

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
