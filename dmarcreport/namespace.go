package dmarcreport

import "bytes"

// namespaces is what the prefixes of a document stand for where it is read.
type namespaces struct{ bound []binding }

// binding is one prefix, and how many elements are open around the one that
// declares it.
type binding struct {
	prefix, uri string
	depth       int
}

// mostBindings is far beyond what a report declares; a search through them is
// made for every tag with a prefix.
const mostBindings = 50

// declare takes the prefixes that an element declares (Namespaces in XML 1.0
// section 3).
func (n *namespaces) declare(attrs []byte, depth int) {
	for key, value := range attributes(attrs) {
		if prefix, ok := bytes.CutPrefix(key, []byte("xmlns:")); ok && len(n.bound) < mostBindings {
			n.bound = append(n.bound, binding{string(prefix), string(value), depth})
		}
	}
}

// leave forgets what elements declared that are no longer open.
func (n *namespaces) leave(depth int) {
	for len(n.bound) > 0 && n.bound[len(n.bound)-1].depth >= depth {
		n.bound = n.bound[:len(n.bound)-1]
	}
}

// of returns the namespace of a prefix, "" where nothing binds it.
func (n *namespaces) of(prefix []byte) string {
	for i := len(n.bound) - 1; i >= 0; i-- {
		if b := &n.bound[i]; b.prefix == string(prefix) {
			return b.uri
		}
	}
	return ""
}
