package phrases

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestSetFindsWhatSearchFinds holds the set against one search for each phrase:
// all of them, each place, on texts of few letters, in which phrases overlap.
func TestSetFindsWhatSearchFinds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := []string{"a", "b", "c", "é", "達", " "}
	some := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(letters[random.IntN(len(letters))])
		}
		return b.String()
	}
	for range 300 {
		words := make([]string, 1+random.IntN(40))
		for i := range words {
			words[i] = some(1 + random.IntN(6))
		}
		set, text := New(words), some(200)
		if random.IntN(2) == 0 {
			text = strings.ToUpper(strings.ReplaceAll(text, "é", "x"))
		}
		var got, want []string
		state := State(0)
		for i := range len(text) {
			state = set.Next(state, text[i])
			for _, word := range set.Found(state) {
				got = append(got, fmt.Sprint(i+1, word))
			}
		}
		for word := range words {
			for i := range len(text) {
				if end := i + len(words[word]); end <= len(text) && strings.EqualFold(text[i:end], words[word]) {
					want = append(want, fmt.Sprint(end, word))
				}
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%q in %q: found %v, want %v", words, text, got, want)
		}
	}
}

// TestNoPhrases is about the set of none.
func TestNoPhrases(t *testing.T) {
	set := New(nil)
	if s := set.Next(0, 'a'); s.Ends() || set.Found(s) != nil {
		t.Errorf("found %v", set.Found(s))
	}
}

// BenchmarkSet is a pass that keeps failing after nearly a whole phrase, beside
// one over a text of nothing.
func BenchmarkSet(b *testing.B) {
	set := New([]string{strings.Repeat("a", 100) + "b", "mailbox is full", "mailbox not found"})
	for _, text := range []string{strings.Repeat("a", 10_000), strings.Repeat("-", 10_000)} {
		b.Run(text[:1], func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			ends := make([]int, 3)
			for b.Loop() {
				set.LastEnds(text, ends)
			}
		})
	}
}
