package phrases

// tree is the words of a [Set] while it is built: a node for each beginning of
// a word. The first one is the empty beginning.
type tree []node

type node struct {
	class          uint8   // of its last byte
	child, sibling int32   // the first longer beginning, and the next one of the same length; 0 for none
	fail           int32   // the longest other beginning that it ends in
	found          []int32 // words that end there
	number         State
}

// add adds a word.
func (t *tree) add(index int32, word string, class *[256]uint8) {
	n := int32(0)
	for i := range len(word) {
		c := class[word[i]]
		child := t.childOf(n, c)
		if child == 0 {
			child = int32(len(*t))
			*t = append(*t, node{class: c, sibling: (*t)[n].child})
			(*t)[n].child = child
		}
		n = child
	}
	(*t)[n].found = append((*t)[n].found, index)
}

// childOf returns the beginning that is longer by a byte of a class, 0 for none.
func (t tree) childOf(n int32, class uint8) int32 {
	child := t[n].child
	for child != 0 && t[child].class != class {
		child = t[child].sibling
	}
	return child
}

// forks reports whether the automaton has a row for a node.
func (t tree) forks(n int32) bool {
	child := t[n].child
	return n == 0 || child != 0 && t[child].sibling != 0
}

// state returns a node's state, once found and number are set.
func (t tree) state(n int32) State {
	s := t[n].number << 1
	if len(t[n].found) > 0 {
		s |= 1
	}
	return s
}

// link sets what every node fails to and returns the nodes, the shorter
// beginnings first.
func (t tree) link() (order []int32) {
	order = make([]int32, 1, len(t))
	for i := 0; i < len(order); i++ {
		n := order[i]
		for child := t[n].child; child != 0; child = t[child].sibling {
			if n != 0 {
				t[child].fail = t.follow(t[n].fail, t[child].class)
			}
			order = append(order, child)
		}
	}
	return order
}

// follow returns the longest beginning that n and a byte of a class end in.
func (t tree) follow(n int32, class uint8) int32 {
	for {
		if child := t.childOf(n, class); child != 0 || n == 0 {
			return child
		}
		n = t[n].fail
	}
}
