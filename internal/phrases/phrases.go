// Package phrases finds many phrases in a text at once, for tables of wordings
// that are held against every text.
package phrases

// Set finds all its phrases in one pass over a text (Aho and Corasick, 1975),
// without regard to ASCII case: the cost does not grow with their number. It
// does not change once made and is safe for concurrent use.
//
// Nine states of ten lie inside a phrase and have one way on. Only the others
// have a row of a table, which keeps the tables in the processor's cache.
type Set struct {
	class   [256]uint8 // bytes that no phrase has share class 0
	classes int
	forks   State     // how many states have a row, the first ones
	rows    []State   // by state and class: the state that follows
	ways    []way     // of the other states
	found   [][]int32 // phrases that end in a state, by its number
}

// A way is what follows a state inside a phrase: the next state on one class
// of bytes, and what follows fail on others. The end of a phrase that begins
// no longer one has class 0, which leads back to the start from everywhere.
type way struct {
	next, fail State
	class      uint8
}

// State is how far into a text a pass has got: the state's number, doubled,
// and whether a phrase ends there. The zero State begins a text.
type State uint32

// Next returns the state after the byte c. Over a pass it takes no more than
// two steps a byte: each way back was earned by a step ahead.
func (a *Set) Next(s State, c byte) State {
	return a.step(s, a.class[c])
}

// step is [Set.Next] after a byte of a class.
func (a *Set) step(s State, class uint8) State {
	for s >>= 1; s >= a.forks; {
		w := &a.ways[s-a.forks]
		if w.class == class {
			return w.next
		}
		s = w.fail >> 1
	}
	return a.rows[int(s)*a.classes+int(class)]
}

// Ends reports whether a phrase ends in a state.
func (s State) Ends() bool { return s&1 != 0 }

// Found returns the phrases that end in a state, by their index. The slice is
// shared.
func (a *Set) Found(s State) []int32 {
	if !s.Ends() {
		return nil
	}
	return a.found[s>>1]
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
	t := tree{{}}
	for i, word := range words {
		t.add(int32(i), word, &a.class)
	}
	a.take(t)
	return a
}

// take makes the automaton of a tree, shorter beginnings first: what follows a
// state builds on what follows the shorter ones that it ends in.
func (a *Set) take(t tree) {
	order := t.link()
	for _, n := range order {
		if t.forks(n) {
			t[n].number = a.forks
			a.forks++
		}
	}
	number := a.forks
	for _, n := range order {
		if !t.forks(n) {
			t[n].number = number
			number++
		}
	}
	a.rows = make([]State, int(a.forks)*a.classes)
	a.ways = make([]way, len(t)-int(a.forks))
	a.found = make([][]int32, len(t))
	for _, n := range order {
		node := &t[n]
		node.found = append(node.found, t[node.fail].found...)
		a.found[node.number] = node.found
	}
	for _, n := range order {
		node := &t[n]
		fail := t.state(node.fail)
		if !t.forks(n) {
			w := way{fail: fail}
			if child := node.child; child != 0 {
				w.class, w.next = t[child].class, t.state(child)
			}
			a.ways[node.number-a.forks] = w
			continue
		}
		row := a.rows[int(node.number)*a.classes:][:a.classes]
		if n != 0 {
			for class := range row {
				row[class] = a.step(fail, uint8(class))
			}
		}
		for child := node.child; child != 0; child = t[child].sibling {
			row[t[child].class] = t.state(child)
		}
	}
}
