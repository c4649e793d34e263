package smtpcode

import "strings"

// acrossLines returns where words stand in a raw reply, case aside. A blank of
// words stands for any run of blanks and line breaks, and for the reply code
// and status with which a later line of the reply begins (RFC 5321 section
// 4.2.1, RFC 2034 section 4).
func acrossLines(raw, words string) (start, end int, ok bool) {
	for start = range len(raw) {
		if !sameLetter(raw[start], words[0]) {
			continue
		}
		if end, ok = follow(raw, start, words); ok {
			return start, end, true
		}
	}
	return 0, 0, false
}

// follow returns where words end that begin at start.
func follow(raw string, start int, words string) (end int, ok bool) {
	at := start
	for i := range len(words) {
		if words[i] == ' ' {
			next := skipFold(raw, at, words[i+1:])
			if next == at {
				return 0, false
			}
			at = next
			continue
		}
		if at == len(raw) || !sameLetter(raw[at], words[i]) {
			return 0, false
		}
		at++
	}
	return at, true
}

// maxFold is how many bytes may part two words: two lines' ends, a code and a
// status are far shorter. It keeps the search linear in the reply.
const maxFold = 64

// skipFold skips blanks, and code and status of the line they lead to, unless
// the words go on with that status.
func skipFold(raw string, at int, words string) int {
	i, limit := at, min(len(raw), at+maxFold)
	for i < limit && isSpace(raw[i]) {
		i++
	}
	if i == at {
		return at
	}
	_, rest, ok := cutCode(raw[i:])
	switch {
	case ok && rest != "" && (rest[0] == '-' || rest[0] == ' '):
		i = len(raw) - len(rest) + 1
	case raw[i-1] != '\n':
		return i
	}
	if _, rest, ok := CutStatus(raw[i:]); ok && !strings.HasPrefix(words, raw[i:len(raw)-len(rest)]) {
		i = len(raw) - len(rest)
	}
	for i < limit && isSpace(raw[i]) {
		i++
	}
	return i
}

// sameLetter compares two bytes, letters without regard to case.
func sameLetter(a, b byte) bool {
	return a == b || isLetter(a) && a|0x20 == b|0x20
}

// codeSpan returns where reply code and status stand in a raw reply.
func codeSpan(raw string) (start, end int) {
	for start < len(raw) && !startsReply(raw[start:]) {
		start++
	}
	end = start
	if _, rest, ok := cutCode(trimType(raw[start:])); ok {
		end = len(raw) - len(rest)
	}
	if _, rest, ok := CutStatus(strings.TrimLeft(raw[end:], " -#")); ok {
		end = len(raw) - len(rest)
	}
	return start, end
}
