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
	words   int          // these; phrases of introductions have higher numbers
}

// formatMark is one way to tell a format: all of its phrases.
type formatMark struct {
	format  int
	phrases []int
}

// textMarks builds the phrases once, when the first text is read.
var textMarks = sync.OnceValue(newMarks)

func newMarks() *marks {
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
	m.words = len(words)
	m.set = phrases.New(append(words, introductions...))
	return m
}

// seen is where phrases last end in a text, 0 for those not in it.
type seen []int32

// look finds all phrases in a text, and where the first introduction to a list
// of recipients ends behind from, 0 for none.
func (m *marks) look(text string, from int) (s seen, introduced int) {
	s = make(seen, m.words)
	state := phrases.State(0)
	for i := range len(text) {
		if state = m.set.Next(state, text[i]); !state.Ends() {
			continue
		}
		for _, word := range m.set.Found(state) {
			if int(word) < m.words {
				s[word] = int32(i + 1)
			} else if introduced == 0 && i >= from {
				introduced = i + 1
			}
		}
	}
	return s, introduced
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
		if int(s[p]) > at {
			return true
		}
	}
	return false
}
