package dnscheck

import "strings"

// domainOf returns the domain of a mail address as reports and envelopes write it, with
// angle brackets or a source route (RFC 5321 section 4.1.2) or without; a domain stays
// as it is. So does an address that cannot be taken apart: two at signs outside quotes.
func domainOf(text string) string {
	_, domain := cutMailbox(text)
	return domain
}

// cutMailbox takes an address apart; local is "" where text is a domain, or
// cannot be taken apart.
func cutMailbox(text string) (local, domain string) {
	text = strings.TrimSpace(text)
	if n := len(text); n >= 2 && text[0] == '<' && text[n-1] == '>' {
		text = strings.TrimSpace(text[1 : n-1])
	}
	mailbox := text
	if route, behind, ok := strings.Cut(text, ":"); ok && strings.HasPrefix(route, "@") {
		mailbox = behind
	}
	local, domain, ok := cutAddress(mailbox)
	quoted := len(local) >= 2 && local[0] == '"' && local[len(local)-1] == '"'
	switch {
	case !ok:
		return "", text
	case !quoted && strings.ContainsAny(local, "@<> "):
		return "", text
	}
	return local, domain
}

// cutAddress parts an address at its last at sign.
func cutAddress(s string) (local, domain string, ok bool) {
	i := strings.LastIndexByte(s, '@')
	if i < 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}
