package smtpcode

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// spellings are the ways in which words, in lower case, stand in texts: mail
// programs and pages put curly apostrophes for straight ones, or write them as HTML does, and servers write
// other languages than English without accents as a rule. English has two spellings. The search disregards
// the case of ASCII letters alone, so the first letter beyond ASCII may be a capital, or all of them.
func spellings(word string) []string {
	all := []string{word}
	add := func(other string) {
		if !slices.Contains(all, other) {
			all = append(all, other)
		}
	}
	add(strings.ReplaceAll(word, "'", "\u2019"))
	add(strings.ReplaceAll(word, "'", "&#39;"))
	add(strings.ReplaceAll(word, "greylist", "graylist"))
	add(strings.ReplaceAll(word, "authoriz", "authoris"))
	add(withoutAccents().Replace(word))
	add(withDigraphs().Replace(word))
	for _, spelling := range all {
		if first, size := utf8.DecodeRuneInString(spelling); first >= utf8.RuneSelf {
			add(string(unicode.ToUpper(first)) + spelling[size:])
		}
		add(strings.Map(func(r rune) rune {
			if r < utf8.RuneSelf {
				return r
			}
			return unicode.ToUpper(r)
		}, spelling))
	}
	return all
}

// The letters with accents of the languages that the rules are in, and what is
// written for them.
var (
	withoutAccents = sync.OnceValue(func() *strings.Replacer {
		return strings.NewReplacer(
			"à", "a", "á", "a", "â", "a", "ã", "a", "ä", "a", "ą", "a",
			"ç", "c", "ć", "c",
			"è", "e", "é", "e", "ê", "e", "ë", "e", "ę", "e",
			"ì", "i", "í", "i", "î", "i", "ï", "i",
			"ł", "l", "ñ", "n", "ń", "n",
			"ò", "o", "ó", "o", "ô", "o", "õ", "o", "ö", "o",
			"ś", "s", "ß", "ss",
			"ù", "u", "ú", "u", "û", "u", "ü", "u",
			"ź", "z", "ż", "z", "ё", "е",
		)
	})
	withDigraphs = sync.OnceValue(func() *strings.Replacer {
		return strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss")
	})
)
