package phrases

import (
	"slices"
	"strings"
	"testing"
)

// TestStartsAgreeWithTheSet holds the two ways to find phrases against each
// other, where phrases overlap, begin alike and lie within one another.
func TestStartsAgreeWithTheSet(t *testing.T) {
	words := []string{"not", "not delivered", "delivered", "ever", "vered to", "aaa", "aaaa", "échec", "送達できません"}
	set, starts := New(words), NewStarts(words)
	for _, text := range []string{"", "no", "not", "not delivered to", "notnot delivered", "aaaaaa", "un échec; 送達できません", strings.Repeat("delivered", 9)} {
		want, got := make([]int, len(words)), make([]int, len(words))
		set.LastEnds(text, want)
		for word, end := range starts.In(text) {
			got[word] = max(got[word], end)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
