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
	kinds   []wordKind   // by phrase
}

// wordKind says in which tables beside textFormats a phrase stands.
type wordKind uint8

const (
	failureWord wordKind = 1 << iota
	delayWord
	introduction
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
	for kind, list := range map[wordKind][]string{failureWord: failureWords, delayWord: delayWords, introduction: introductions} {
		for _, word := range list {
			m.kinds[add(word)] |= kind
		}
	}
	m.set = phrases.New(words)
	return m
}

// seen is what was found in a text.
type seen struct {
	phrases []uint64 // a bit for each
	failure int      // where the last failure word ends, 0 for none
	delay   int      // where the last delay word ends
	intro   int      // where the first introduction ends behind a text's header
}

// look finds all phrases in a text whose header ends at from.
func (m *marks) look(text string, from int) seen {
	s := seen{phrases: make([]uint64, len(m.kinds)/64+1)}
	state := phrases.State(0)
	for i := range len(text) {
		if state = m.set.Next(state, text[i]); !state.Ends() {
			continue
		}
		for _, word := range m.set.Found(state) {
			s.phrases[word/64] |= 1 << (word % 64)
			kind := m.kinds[word]
			if kind&failureWord != 0 {
				s.failure = i + 1
			}
			if kind&delayWord != 0 {
				s.delay = i + 1
			}
			if kind&introduction != 0 && s.intro == 0 && i >= from {
				s.intro = i + 1
			}
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
