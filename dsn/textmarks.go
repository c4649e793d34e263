package dsn

import (
	"strings"
	"sync"

	"github.com/mailfault/mailfault/internal/phrases"
)

// marks are the phrases of textFormats, of failureWords and of delayWords,
// found in one pass over a text.
type marks struct {
	words   *phrases.Starts
	formats []formatMark // in the order of textFormats
	kinds   []wordKind   // by phrase
}

// wordKind says in which tables beside textFormats a phrase stands.
type wordKind uint8

const (
	failureWord wordKind = 1 << iota
	delayWord
	introduction
	reporterWord
	successWord
	handedOnWord
)

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
			m.kinds = append(m.kinds, 0)
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
		m.kinds[add(word)] |= failureWord
	}
	for _, word := range delayWords {
		m.kinds[add(word)] |= delayWord
	}
	for _, word := range introductions {
		m.kinds[add(word)] |= introduction
	}
	for _, word := range successWords {
		m.kinds[add(word)] |= successWord
	}
	for _, word := range handedOnWords {
		m.kinds[add(word)] |= handedOnWord
	}
	for _, word := range reporterPhrases {
		m.kinds[add(word)] |= reporterWord
	}
	m.words = phrases.NewStarts(words)
	return m
}

// seen is what was found in a text.
type seen struct {
	phrases  []uint64 // a bit for each
	failure  int      // where the last failure word ends, 0 for none
	delay    int      // where the last delay word ends
	intro    int      // where the first introduction ends behind a text's header
	reporter bool     // one of reporterPhrases is there
	success  bool     // one of successWords is
	handedOn bool     // one of handedOnWords is
}

// look finds all phrases in a text whose header ends at from.
func (m *marks) look(text string, from int) seen {
	s := seen{phrases: make([]uint64, len(m.kinds)/64+1)}
	for word, end := range m.words.In(text) {
		s.phrases[word/64] |= 1 << (word % 64)
		kind := m.kinds[word]
		if kind&failureWord != 0 {
			s.failure = max(s.failure, end)
		}
		if kind&delayWord != 0 {
			s.delay = max(s.delay, end)
		}
		s.success = s.success || kind&successWord != 0
		s.handedOn = s.handedOn || kind&handedOnWord != 0
		s.reporter = s.reporter || kind&reporterWord != 0
		if kind&introduction != 0 && end > from && (s.intro == 0 || end < s.intro) {
			s.intro = end
		}
	}
	return s
}

// format returns the first format all of whose phrases of one mark were seen.
func (m *marks) format(s *seen) *textFormat {
	for _, f := range m.formats {
		if s.all(f.phrases) {
			return &textFormats[f.format]
		}
	}
	return &textFormat{}
}

func (s *seen) all(phrases []int) bool {
	for _, p := range phrases {
		if s.phrases[p/64]>>(p%64)&1 == 0 {
			return false
		}
	}
	return true
}
