package smtpcode

import "strings"

// gapMark parts a rule's Text in two: words, and others behind them.
const gapMark = " * "

// maxGap is how many bytes may stand between them: an address and some words.
const maxGap = 72

// gap returns the two parts of Text; before is "" for a phrase without a gap.
func (r *Rule) gap() (before, behind string) {
	if i := strings.Index(r.Text, gapMark); i > 0 {
		return r.Text[:i], r.Text[i+len(gapMark):]
	}
	return "", r.Text
}

// sameSentence reports whether words from start to end, whole, have those that
// begin at next behind them in the same sentence.
func sameSentence(text string, start, end, next int) bool {
	if end > next || !wordBorder(text, start) || !wordBorder(text, end) || ofServer(text, end) {
		return false // the recipient's server is no recipient
	}
	for i := start; i < next; i++ {
		if endsSentence(text, i) {
			return false
		}
	}
	return true
}

// wordBorder reports whether no word goes across a place of the text. What
// addresses and host names are made of counts as a word's: the user in
// user@example.com is nobody's account.
func wordBorder(text string, at int) bool {
	if at <= 0 || at >= len(text) {
		return true
	}
	a, b := text[at-1], text[at]
	if b >= 0x80 && ideograph(b) || a >= 0x80 && at >= 3 && ideograph(text[at-3]) {
		return true
	}
	return !(inName(a) && inName(b)) || a == '.' && !isLetter(b) && !isDigit(b) || b == '.' && (at+1 == len(text) || text[at+1] == ' ' || text[at+1] == '.')
}

// ideograph reports whether a letter of a script that puts no blanks between
// words begins with c in UTF-8: one of U+3000 to U+9FFF or of U+F000 to U+FFFF.
func ideograph(c byte) bool { return c >= 0xe3 && c <= 0xe9 || c == 0xef }

// ofServer reports whether words that end at end name whose server is spoken
// of: what "the recipient's server" does or lacks is not said of the recipient,
// nor is what lists "the sender's IP".
func ofServer(text string, end int) bool {
	rest, possessive := strings.CutPrefix(text[end:], "'s ")
	if !possessive {
		return false
	}
	for _, thing := range [...]string{"server", "mail server", "email server", "mail system", "system", "host", "provider", "ip"} {
		if len(rest) >= len(thing) && strings.EqualFold(rest[:len(thing)], thing) {
			return true
		}
	}
	return false
}

func inName(c byte) bool {
	return isLetter(c) || isDigit(c) || c >= 0x80 || c == '@' || c == '.' || c == '_' || c == '-'
}

// endsSentence reports whether a sentence ends at a byte of the text. The dots
// that sendmail puts behind an address do not end one.
func endsSentence(text string, at int) bool { return mayEnd[text[at]] && endsHere(text, at) }

// mayEnd has the bytes that a sentence can end at.
var mayEnd = [256]bool{';': true, '!': true, '?': true, '\n': true, '(': true, 0xe3: true, '.': true, ' ': true}

func endsHere(text string, at int) bool {
	switch text[at] {
	case ' ':
		return at+1 < len(text) && (text[at+1] == '4' || text[at+1] == '5') && replyBegins(text[at+1:])
	case '(':
		return strings.HasPrefix(text[at:], "(in reply to ") // what Postfix adds
	case 0xe3:
		return strings.HasPrefix(text[at:], "。")
	case '.':
		return at+1 < len(text) && text[at+1] == ' ' && (at == 0 || text[at-1] != '.')
	}
	return true
}

// replyBegins reports whether another reply begins with text, which begins with
// 4 or 5: a code that refuses, and words behind it, a capital or qmail's "sorry" first. Round numbers
// are sizes as well: 500 MB.
func replyBegins(text string) bool {
	if len(text) < 5 || text[1] < '0' || text[1] > '5' || !isDigit(text[2]) || text[1:3] == "00" {
		return false
	}
	first := text[4]
	return (text[3] == ' ' || text[3] == '-') && (strings.HasPrefix(text[4:], "sorry") || 'A' <= first && first <= 'Z' || len(text) > 5 && first == text[0] && text[5] == '.')
}
