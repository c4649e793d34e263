package smtpcode

import "strings"

// markIn returns the index of a mark if it ends at end in the text as its
// operator's software writes it, the length of the table if not.
func markIn(text string, end, mark int, known bool) int {
	m := operatorMarks[mark].mark
	if !strings.HasSuffix(text[:end], m) || !genuine(text, end-len(m), end, known) {
		return len(operatorMarks)
	}
	return mark
}

// genuine reports whether the mark from start to end is what it looks like. A
// code has a digit or a letter behind it: "(AS3140)" is Microsoft's, "(ASCII)"
// nobody's. The name of a host or a page is whole and in no mail address, as in
// the Message-ID that a reply quotes. It is no mark where the host that spoke is
// known to be another operator's, who may name it as the client.
func genuine(text string, start, end int, known bool) bool {
	mark := text[start:end]
	first, last := mark[0], mark[len(mark)-1]
	next := byte(' ')
	if end < len(text) {
		next = text[end]
	}
	switch {
	case strings.IndexByte(mark, '(') >= 0:
		return isDigit(next) || next == '('
	case last == '.' && 'A' <= first && first <= 'Z':
		return isLetter(next)
	case !isHostMark(mark):
		return true
	case known, strings.IndexByte(mark, '@') < 0 && inMailAddress(text, start):
		return false
	}
	if first != '.' && start > 0 && (isLetter(text[start-1]) || isDigit(text[start-1]) || text[start-1] == '-') {
		return false
	}
	switch {
	case last == '.' || last == '/':
		return true
	case next == '.':
		return end+1 == len(text) || !isLetter(text[end+1]) && !isDigit(text[end+1])
	}
	return !isLetter(next) && !isDigit(next) && next != '-'
}

// isHostMark reports whether a mark is a name of a host or a page.
func isHostMark(mark string) bool {
	dot := strings.IndexByte(mark, '.')
	return dot >= 0 && strings.IndexByte(mark, ' ') < 0 && (dot == 0 || 'a' <= mark[dot-1] && mark[dot-1] <= 'z' || isDigit(mark[dot-1]))
}

// inMailAddress reports whether the name that goes on at start has an "@" ahead.
func inMailAddress(text string, start int) bool {
	for i := start; i > max(0, start-maxBytesAhead) && inName(text[i-1]); i-- {
		if text[i-1] == '@' {
			return true
		}
	}
	return false
}
