package dsn

import (
	"strings"
	"sync"

	"github.com/mailfault/mailfault/internal/phrases"
)

// marks are the phrases of textFormats, of failureWords and of delayWords,
// found in one pass over a text.
type marks struct {
	set     *phrases.Set
	formats []formatMark // in the order of textFormats
	failure []int        // phrases of failureWords
	delay   []int        // phrases of delayWords
	words   int
}

// formatMark is one way to tell a format: all of its phrases.
type formatMark struct {
	format  int
	phrases []int
}

// textMarks builds the phrases once, when the first text is read.
var textMarks = sync.OnceValue(func() *marks {
	m := &marks{}
	var words []string
	number := map[string]int{}
	add := func(word string) int {
		n, ok := number[word]
		if !ok {
			n = len(words)
			number[word] = n
			words = append(words, word)
		}
		return n
	}
	for i := range textFormats {
		for _, mark := range textFormats[i].marks {
			f := formatMark{format: i}
			for word := range strings.SplitSeq(mark, " & ") {
				f.phrases = append(f.phrases, add(word))
			}
			m.formats = append(m.formats, f)
		}
	}
	for _, word := range failureWords {
		m.failure = append(m.failure, add(word))
	}
	for _, word := range delayWords {
		m.delay = append(m.delay, add(word))
	}
	m.set, m.words = phrases.New(words), len(words)
	return m
})

// seen is where phrases last end in a text, 0 for those not in it.
type seen []int

// look finds all phrases in a text.
func (m *marks) look(text string) seen {
	s := make(seen, m.words)
	m.set.LastEnds(text, s)
	return s
}

// format returns the first format all of whose phrases of one mark were seen.
func (m *marks) format(s seen) *textFormat {
	for _, f := range m.formats {
		if s.all(f.phrases) {
			return &textFormats[f.format]
		}
	}
	return &textFormat{}
}

func (s seen) all(phrases []int) bool {
	for _, p := range phrases {
		if s[p] == 0 {
			return false
		}
	}
	return true
}

// anyBehind reports whether one of the phrases ends behind a place in the text.
func (s seen) anyBehind(phrases []int, at int) bool {
	for _, p := range phrases {
		if s[p] > at {
			return true
		}
	}
	return false
}
