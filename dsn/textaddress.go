package dsn

import (
	"net/netip"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/mailfault/mailfault/internal/phrases"
)

// cutAddress reads an address at the start of s, bare, quoted or in angle
// brackets, and returns how many bytes it takes; 0 is none.
func cutAddress(s string) (address string, n int) {
	i, open := 0, byte(0)
	for i < len(s) && (s[i] == '<' || s[i] == '"' || s[i] == '\'' || s[i] == '[' || s[i] == '(') {
		if s[i] == '"' && i+1 < len(s) {
			if end := quotedLocal(s[i:]); end > 0 {
				break
			}
		}
		open = s[i]
		i++
	}
	for _, scheme := range [...]string{"mailto:", "smtp:", "rfc822;"} {
		if len(s)-i >= len(scheme) && strings.EqualFold(s[i:i+len(scheme)], scheme) {
			i += len(scheme)
			break
		}
	}
	start := i
	if end := quotedLocal(s[i:]); end > 0 {
		i += end
	} else {
		for i < len(s) && isLocal(s[i]) {
			i++
		}
	}
	if i == start || i >= len(s) || s[i] != '@' || foreignWords(s[start:i]) > 0 {
		return "", 0
	}
	i++
	domain := i
	if i < len(s) && s[i] == '[' {
		end := strings.IndexByte(s[i:], ']')
		if end < 0 || end > 60 {
			return "", 0
		}
		i += end + 1
	} else {
		for i < len(s) && (isHostByte(s[i]) || s[i] >= utf8.RuneSelf && !foreignMark(s[i:])) {
			i++
		}
	}
	end := i
	for end > domain && (s[end-1] == '.' || s[end-1] == '-') {
		end--
	}
	name := s[domain:end]
	if name == "" || open == 0 && !strings.Contains(name, ".") && name[0] != '[' {
		return "", 0
	}
	if i < len(s) && s[i] == '@' {
		return "", 0
	}
	address = s[start:end]
	i = end
	for i < len(s) && (s[i] == '>' || s[i] == '"' || s[i] == '\'' || s[i] == ')' && open == '(' || s[i] == ']' && open == '[') {
		i++
	}
	return address, i
}

// quotedLocal returns the length of a quoted local part (RFC 5321 section
// 4.1.2) that an at sign follows.
func quotedLocal(s string) int {
	if len(s) < 3 || s[0] != '"' {
		return 0
	}
	for i := 1; i < len(s) && i < 256; i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			if i+1 < len(s) && s[i+1] == '@' {
				return i + 1
			}
			return 0
		}
	}
	return 0
}

// isLocal reports whether a byte may stand in a local part without quotes.
func isLocal(c byte) bool {
	const marks = ".!#$%&'*+-/=?^_`{|}~"
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c >= utf8.RuneSelf || c > ' ' && strings.IndexByte(marks, c) >= 0
}

func isHostByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '.' || c == '-' || c == '_'
}

// foreignMarks end an address in texts that write no blank behind it.
var foreignMarks = []string{"」", "』", "）", "】", "、", "。", "，", "：", "；", "！", "？", "　", "您", "様", "さ", "宛", "へ", "に", "の", "は", "が", "»", "“", "”", "‘", "’", "،", "\u00a0", "…"}

func foreignMark(s string) bool {
	for _, mark := range foreignMarks {
		if strings.HasPrefix(s, mark) {
			return true
		}
	}
	return false
}

// findAddress returns the first address in s and where it begins and ends.
func findAddress(s string) (address string, start, end int) {
	for from := 0; ; {
		at := strings.IndexByte(s[from:], '@')
		if at < 0 {
			return "", -1, -1
		}
		at += from
		start = at
		for start > from && isLocal(s[start-1]) {
			start--
		}
		if start > from && s[start-1] == '"' {
			if q := strings.LastIndexByte(s[from:start-1], '"'); q >= 0 {
				start = from + q
			}
		}
		if start > from && (s[start-1] == '<' || s[start-1] == '"') {
			start--
		}
		start += foreignWords(s[start:at])
		// A bare local part does not begin with a mark.
		for start < at && strings.IndexByte("'*=|`/", s[start]) >= 0 {
			start++
		}
		if address, n := cutAddress(s[start:]); n > 0 {
			return address, start, start + n
		}
		from = at + 1
	}
}

// foreignWords returns how much of what stands before an at sign belongs to the
// sentence around it: texts in Chinese, Japanese and Korean put no blank before
// an address. A local part all in such a script stays.
func foreignWords(local string) int {
	end := 0
	for i, r := range local {
		if r >= firstUnspaced {
			end = i + utf8.RuneLen(r)
		}
	}
	if end == len(local) {
		return 0
	}
	return end
}

// firstUnspaced is where the radicals, signs, syllables and marks begin that
// are written without blanks.
const firstUnspaced = '\u2e80'

// isHost reports whether s is a host name or an IP address.
func isHost(s string) bool {
	if _, err := netip.ParseAddr(strings.Trim(s, "[]")); err == nil {
		return true
	}
	if len(s) > 253 || !strings.Contains(strings.Trim(s, "."), ".") {
		return false
	}
	letters := false
	for _, r := range s {
		switch {
		case r >= utf8.RuneSelf: // an internationalized name, RFC 5890
			if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
				return false
			}
			letters = true
		case !isHostByte(byte(r)):
			return false
		}
		letters = letters || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return letters
}

// hostPhrases stand before the host that refused, after which " <host>" or
// ": <host>" follows.
var hostPhrases = []string{"host: ", "host ", "server for the recipient domain ", "remote system: dns; ", "remote system: dns;", "while talking to ", "smtp server <", "connected to ", "server ", "connect to ", "rcpt host ", "smtp:rcpt host ", "remote-mta: dns; ", "connection refused by ", "connection timed out with ", "connection reset by "}

// hostSuffixes stand behind it.
var hostSuffixes = []string{" does not like recipient", " failed after i sent the message", " did not like our ", " responded with failure", " said:", " failed with:", " rejected recipient"}

// hostMarks finds hostPhrases and hostSuffixes in one pass.
type hostMarks struct{ words *phrases.Starts }

var hostWords = sync.OnceValue(func() hostMarks {
	return hostMarks{phrases.NewStarts(append(slices.Clone(hostPhrases), hostSuffixes...))}
})

// in returns a bit for each phrase that a text in lower case has: those of
// hostPhrases, then those of hostSuffixes.
func (h hostMarks) in(lower string) (there uint32) {
	for word := range h.words.In(lower) {
		there |= 1 << word
	}
	return there
}

// remoteHost finds the host that refused in the text about a recipient.
func remoteHost(raw string) string {
	lower := strings.ToLower(raw)
	if len(lower) != len(raw) {
		return ""
	}
	there := hostWords().in(lower)
	if there == 0 {
		return ""
	}
	if host := actingHost(raw, lower, there); host != "" {
		return host
	}
	if i := strings.Index(lower, "server for the recipient domain "); i >= 0 {
		if _, after, ok := strings.Cut(raw[i:], " by "); ok {
			raw, lower = "host "+after, "host "+lower[len(lower)-len(after):]
			there = hostWords().in(lower)
		}
	}
	for n, phrase := range hostPhrases {
		if there>>n&1 == 0 {
			continue
		}
		for from := 0; from < len(lower); {
			i := strings.Index(lower[from:], phrase)
			if i < 0 {
				break
			}
			from += i + len(phrase)
			word, _, _ := strings.Cut(raw[from:], " ")
			if name, _, ok := strings.Cut(word, "["); ok && name != "" {
				word = name
			}
			word = strings.Trim(word, "<>,;:.()'")
			if isHost(word) && word[0] != '[' {
				return word
			}
		}
	}
	return ""
}

// actingHost finds the host that one of hostSuffixes says did something, of
// those that are there.
func actingHost(raw, lower string, there uint32) string {
	for n, suffix := range hostSuffixes {
		if there>>(len(hostPhrases)+n)&1 == 0 {
			continue
		}
		if i := strings.Index(lower, suffix); i > 0 {
			fields := strings.Fields(raw[:i])
			for back := 1; back <= min(2, len(fields)); back++ {
				word := fields[len(fields)-back]
				if word[0] == '[' || word[0] == '(' {
					continue
				}
				if name, _, ok := strings.Cut(word, "["); ok {
					word = name
				}
				if isHost(strings.Trim(word, "<>,;:")) {
					return strings.Trim(word, "<>,;:")
				}
			}
		}
	}
	return ""
}

// hostBefore returns the host that stands before its reply: "mx.example.net: 550
// 5.1.1 ...".
func hostBefore(raw, reply string) string {
	before, _, ok := strings.Cut(raw, reply)
	before, colon := strings.CutSuffix(strings.TrimRight(before, " "), ":")
	if !ok || !colon {
		return ""
	}
	word := strings.Trim(before[strings.LastIndexByte(before, ' ')+1:], "(<['\"")
	if !isHost(word) || strings.HasSuffix(word, "]") {
		return ""
	}
	return word
}
