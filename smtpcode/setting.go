package smtpcode

import "strings"

// A setting is what the words ahead of others make of them: the same words can
// be denied, said of the sender, or no reason at all.
type setting uint8

const (
	denied   setting = 1 << iota // "not listed at": the opposite is said
	ofSender                     // "sender domain does not exist": of the sending side
	aside                        // "if your mailbox is full": what may be so
	quoted                       // "subject: your mailbox is full": words of the message
)

// Bounds of what is read ahead of words: a hostile text costs no more.
const (
	maxWordsAhead = 12
	maxBytesAhead = 120
)

// settingOf returns the setting of the words that begin at start, from the
// words of their sentence ahead of them, from a place on.
func (b *Rulebook) settingOf(text string, from, start int) setting {
	var found setting
	near, subject := true, true // still next to the words; still in what they are said of
	header := false             // a header is named, not quoted
	label := false              // behind the words of a label: "Sender address rejected:"
	least := max(from, start-maxBytesAhead)
	for start > least && inWord(text[start-1]) && !endsSentence(text, start-1) {
		start-- // the name they stand in
	}
	for n, i := 0, start; n < maxWordsAhead && i > least; n++ {
		// What stands between two words.
		for i > least && (!inWord(text[i-1]) || endsSentence(text, i-1)) {
			i--
			switch c := text[i]; {
			case c == ' ' || c == '<' || c == '>' || c == '[' || c == ']':
			case endsSentence(text, i):
				return found
			case c == ':' && labels(text[:i]):
				near, label = false, true
			default:
				near, subject = false, false
			}
		}
		end := i
		for i > least && inWord(text[i-1]) {
			i--
		}
		if i == end {
			break
		}
		if i == least && i > from && inWord(text[i-1]) {
			break // the bound cuts this word
		}
		switch kind := b.kindOf(text[i:end]); {
		case kind == negates:
			if near {
				found |= denied
			}
			near, subject = false, false
		case kind == supposes:
			return found | aside
		case kind == quotes:
			if !header && end < len(text) && text[end] == ':' || strings.HasPrefix(text[end:], " \"") {
				return found | quoted
			}
			near, subject = false, false
		default:
			near = near && kind&fills != 0
			if subject && kind&sends != 0 {
				found |= ofSender
			}
			subject = subject && (kind&heads != 0 || label && refuses(text[i:end]))
			header = header || strings.EqualFold(text[i:end], "header")
		}
	}
	return found
}

// ofSenderBehind reports whether the words behind others say that they are the
// sender's: "domain not found in sender address", "Postfach des Absenders".
func (b *Rulebook) ofSenderBehind(text string, end int) bool {
	for n := range 5 {
		start := end
		for start < len(text) && strings.IndexByte(" <>", text[start]) >= 0 {
			start++
		}
		for end = start; end < len(text) && end-start < maxBytesAhead && inWord(text[end]) && !endsSentence(text, end); {
			end++
		}
		if end == start {
			return false
		}
		word := text[start:end]
		switch kind := b.kindOf(word); {
		case kind&sends != 0 && kind&heads != 0 && kind&fills == 0 && n > 0:
			return true
		case kind&(fills|heads) == 0 && word != "for":
			return false
		}
	}
	return false
}

// labels reports whether what stands ahead of a colon says what was refused, as
// in Postfix's "Sender address rejected: User unknown".
func labels(ahead string) bool {
	ahead = ahead[max(0, len(ahead)-longestWord):]
	return refuses(ahead[strings.LastIndexByte(ahead, ' ')+1:])
}

// refuses reports whether a word says that something was refused.
func refuses(word string) bool {
	return strings.EqualFold(word, "rejected") || strings.EqualFold(word, "failed") || strings.EqualFold(word, "verify")
}

// inWord reports whether a byte is a word's, an address's or a host name's.
func inWord(c byte) bool { return inName(c) || c == '\'' }

// cueKinds are the kinds without which a text has no setting at all.
const cueKinds = negates | sends | supposes | quotes

// A cue is a word of such a kind.
type cue struct {
	length int
	kind   wordKind
	ending bool // of words: "n't"
}

// standsIn reports whether a cue that ends at end is a word of the text: there
// is a "no" in "unknown".
func (c *cue) standsIn(text string, end int) bool {
	start := end - c.length
	return (c.ending || start == 0 || !isLetter(text[start-1])) && (end == len(text) || !isLetter(text[end]))
}

// kindOf returns what a word is, in any case; 0 for most.
func (b *Rulebook) kindOf(word string) wordKind {
	if len(word) <= longestWord {
		var lower [longestWord]byte
		for i := range len(word) {
			c := word[i]
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			lower[i] = c
		}
		if b.lengths[lower[0]]>>len(word)&1 != 0 {
			if kind := b.kinds[string(lower[:len(word)])]; kind != 0 {
				return kind
			}
		}
	}
	switch {
	case strings.IndexByte(word, '@') >= 0, strings.IndexByte(word, '.') > 0:
		return heads // <a@example.com> or a domain, said of whom
	case strings.HasSuffix(word, "n't"), strings.HasSuffix(word, "n\u2019t"):
		return negates
	}
	return 0
}

// settings returns the settings in which a rule's words do not decide.
func (r *Rule) settings() setting {
	if r.Text == "" {
		return 0
	}
	var in setting
	if asserted[r.Condition] {
		in |= denied
	}
	if r.Condition == "greylisted" && strings.HasSuffix(r.Text, "listed") {
		in |= denied // "not greylisted", but not "not in the greylist yet"
	}
	if r.Token {
		return in
	}
	in |= aside | quoted
	if ofRecipients[r.Condition] {
		in |= ofSender
	}
	return in
}

// partOfName reports whether a word is a part of a mail address, or of the
// address of a host or a page: there it is not said of anything.
func partOfName(text string, start, end int) (address, host bool) {
	least, most := max(0, start-maxBytesAhead), min(len(text), end+maxBytesAhead)
	i, j := start, end
	for i > least && inAddress(text[i-1]) {
		i--
	}
	for j < most && inAddress(text[j]) {
		j++
	}
	for j > end && strings.IndexByte(".:/", text[j-1]) >= 0 {
		j-- // of the sentence
	}
	ahead, behind := text[i:start], text[end:j]
	address = strings.IndexByte(ahead, '@') >= 0 || strings.IndexByte(behind, '@') >= 0
	host = strings.IndexByte(ahead, '.') >= 0 || strings.IndexByte(behind, '.') >= 0 || strings.Contains(ahead, "//")
	return address, host
}

// inAddress reports whether a byte may stand in an address of any kind.
func inAddress(c byte) bool { return inName(c) || strings.IndexByte("/:?=&%+~#", c) >= 0 }
