package phrases

import (
	"iter"
	"strings"
)

// Starts finds all its phrases in a text by their first three bytes. It takes a
// few kilobytes where a [Set] takes megabytes, so it is the faster one where
// other work drives the tables out of the processor's cache between two texts;
// but phrases that begin alike cost one comparison each. It does not change
// once made and is safe for concurrent use.
type Starts struct {
	words   []string
	buckets [1<<startBits + 1]uint16 // where a bucket's phrases begin in order
	order   []uint16                 // phrases by bucket
}

const (
	startLength = 3
	startBits   = 12
)

// NewStarts returns the phrases' index. Each has three bytes or more; there are
// less than 65,536.
func NewStarts(words []string) *Starts {
	s := &Starts{words: words, order: make([]uint16, len(words))}
	for _, word := range words {
		s.buckets[bucketOf(start(word))+1]++
	}
	for i := range 1 << startBits {
		s.buckets[i+1] += s.buckets[i]
	}
	next := s.buckets
	for i, word := range words {
		b := bucketOf(start(word))
		s.order[next[b]] = uint16(i)
		next[b]++
	}
	return s
}

// start returns the first three bytes of s in one number.
func start(s string) uint32 {
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16
}

// bucketOf mixes three bytes; different ones may share a bucket.
func bucketOf(start uint32) uint32 {
	const mix = 0x9E3779B1 // 2^32 over the golden ratio, as Knuth has it
	return start * mix >> (32 - startBits)
}

// In gives each phrase in text, by its index, and where it ends, in the order
// in which they begin. Case counts.
func (s *Starts) In(text string) iter.Seq2[int, int] {
	return func(yield func(word, end int) bool) {
		if len(text) < startLength {
			return
		}
		next := start(text) << 8 // the three bytes up to the one before
		for last := startLength - 1; last < len(text); last++ {
			next = next>>8 | uint32(text[last])<<16
			b := bucketOf(next)
			from, to := s.buckets[b], s.buckets[b+1]
			if from == to {
				continue // nearly always
			}
			i := last - (startLength - 1)
			for _, word := range s.order[from:to] {
				if strings.HasPrefix(text[i:], s.words[word]) && !yield(int(word), i+len(s.words[word])) {
					return
				}
			}
		}
	}
}
