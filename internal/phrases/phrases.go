// Package phrases finds many phrases in a text at once, for tables of wordings
// that are held against every text.
package phrases

import "slices"

// Set finds all its phrases in one pass over a text (Aho and Corasick, 1975),
// without regard to ASCII case: the cost does not grow with their number. It
// does not change once made and is safe for concurrent use.
type Set struct {
	class   [256]uint8 // bytes that no word has share class 0
	classes int
	next    []State   // row of the state, class: the state that follows
	found   [][]int32 // words that end in a state, by its number
}

// State is how far into a text a pass has got: the row of the table, doubled,
// and whether a phrase ends there. The zero State begins a text.
type State uint32

// Next returns the state after the byte c.
func (a *Set) Next(s State, c byte) State {
	return a.next[int(s>>1)+int(a.class[c])]
}

// Ends reports whether a phrase ends in a state.
func (s State) Ends() bool { return s&1 != 0 }

// Found returns the phrases that end in a state, by their index. The slice is
// shared.
func (a *Set) Found(s State) []int32 {
	if !s.Ends() {
		return nil
	}
	return a.found[int(s>>1)/a.classes]
}

// LastEnds sets ends[i] to where phrase i last ends in text, 0 for one that is
// not in it. ends has room for every phrase.
func (a *Set) LastEnds(text string, ends []int) {
	clear(ends)
	s := State(0)
	for i := range len(text) {
		if s = a.Next(s, text[i]); s.Ends() {
			for _, word := range a.Found(s) {
				ends[word] = i + 1
			}
		}
	}
}

// New returns the set of words, which are lower case and not empty. A word may
// stand in it twice.
func New(words []string) *Set {
	a := &Set{classes: 1}
	for _, word := range words {
		for i := range len(word) {
			if a.class[word[i]] == 0 {
				a.class[word[i]] = uint8(min(a.classes, 255))
				a.classes = min(a.classes+1, 256)
			}
		}
	}
	for c := byte('A'); c <= 'Z'; c++ {
		a.class[c] = a.class[c+'a'-'A']
	}
	t := &tree{classes: a.classes, next: make([]int32, 0, countStates(words)*a.classes)}
	t.addState()
	for i, word := range words {
		state := int32(0)
		for j := range len(word) {
			cell := int(state)*a.classes + int(a.class[word[j]])
			if t.next[cell] == 0 {
				t.next[cell] = t.addState()
			}
			state = t.next[cell]
		}
		t.found[state] = append(t.found[state], int32(i))
	}
	t.link()
	a.found = t.found
	a.next = make([]State, len(t.next))
	for i, s := range t.next {
		a.next[i] = State(int(s)*a.classes) << 1
		if len(t.found[s]) > 0 {
			a.next[i] |= 1
		}
	}
	return a
}

// tree is the words' tree while the set is built.
type tree struct {
	classes int
	next    []int32
	found   [][]int32
}

func (a *tree) addState() int32 {
	a.next = a.next[:len(a.next)+a.classes] // within its capacity: countStates
	a.found = append(a.found, nil)
	return int32(len(a.found) - 1)
}

// countStates returns how many states the tree of words has: one for each
// beginning of a word.
func countStates(words []string) int {
	sorted := slices.Sorted(slices.Values(words))
	n, last := 1, ""
	for _, word := range sorted {
		same := 0
		for same < min(len(word), len(last)) && word[same] == last[same] {
			same++
		}
		n += len(word) - same
		last = word
	}
	return n
}

// link turns the tree of words into the automaton: a missing step goes where
// the longest suffix that is also a beginning of a word goes.
func (a *tree) link() {
	fail := make([]int32, len(a.found))
	var queue []int32
	for c := range a.classes {
		if s := a.next[c]; s != 0 {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		for c := range a.classes {
			cell := int(state)*a.classes + c
			viaFail := a.next[int(fail[state])*a.classes+c]
			s := a.next[cell]
			if s == 0 {
				a.next[cell] = viaFail
				continue
			}
			fail[s] = viaFail
			a.found[s] = append(a.found[s], a.found[viaFail]...)
			queue = append(queue, s)
		}
	}
}
