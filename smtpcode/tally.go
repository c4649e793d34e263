package smtpcode

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Limits of what a [Correlator] remembers; beyond them it goes on counting.
const (
	maxKeys       = 4_096 // domains, hosts, senders and addresses, each
	maxKeyLength  = 255   // bytes of one: no name is longer (RFC 1035 section 2.3.4)
	maxRecipients = 10_000
	maxSample     = 20
)

// A tally counts keys, maxKeys of them at most.
type tally[K comparable] struct {
	at     map[K]int32 // index of counts: a known key costs one look-up
	counts []int
}

// add counts a key; the zero key is no key.
func (t *tally[K]) add(key K) {
	var none K
	if key == none {
		return
	}
	if i, known := t.at[key]; known {
		t.counts[i]++
		return
	}
	if len(t.counts) == maxKeys {
		return
	}
	if t.at == nil {
		t.at = make(map[K]int32)
	}
	t.at[own(key)] = int32(len(t.counts))
	t.counts = append(t.counts, 1)
}

// put adds n to a key whose text is its own, beyond maxKeys too: two tallies
// that are joined have no more than twice as many.
func (t *tally[K]) put(key K, n int) {
	var none K
	if key == none {
		return
	}
	if i, known := t.at[key]; known {
		t.counts[i] += n
		return
	}
	if t.at == nil {
		t.at = make(map[K]int32)
	}
	t.at[key] = int32(len(t.counts))
	t.counts = append(t.counts, n)
}

func (t *tally[K]) clone() tally[K] {
	return tally[K]{maps.Clone(t.at), slices.Clone(t.counts)}
}

func (t *tally[K]) len() int { return len(t.counts) }

// count returns how often a key was counted.
func (t *tally[K]) count(key K) int {
	if i, known := t.at[key]; known {
		return t.counts[i]
	}
	return 0
}

// most returns the greatest count.
func (t *tally[K]) most() int {
	n := 0
	for _, count := range t.counts {
		n = max(n, count)
	}
	return n
}

// keys returns the keys in no order.
func (t *tally[K]) keys() []K {
	keys := make([]K, 0, len(t.at))
	for key := range t.at {
		keys = append(keys, key)
	}
	return keys
}

// sorted returns the keys, most counted first.
func (t *tally[K]) sorted(compare func(a, b K) int) []K {
	keys := t.keys()
	slices.SortFunc(keys, func(a, b K) int {
		return cmp.Or(cmp.Compare(t.count(b), t.count(a)), compare(a, b))
	})
	return keys
}

// top returns the keys counted most, maxSample of them.
func (t *tally[K]) top(compare func(a, b K) int) []K {
	keys := t.sorted(compare)
	return keys[:min(len(keys), maxSample)]
}

// own returns a key that keeps no longer text alive.
func own[K comparable](key K) K {
	switch key := any(key).(type) {
	case string:
		return any(strings.Clone(key)).(K)
	case of[string]:
		key.key = strings.Clone(key.key)
		return any(key).(K)
	}
	return key
}

// name returns a host's or an address's key: lower case; "" where it is longer
// than any name.
func name(s string) string {
	if len(s) > maxKeyLength {
		return ""
	}
	return strings.ToLower(strings.TrimSuffix(s, "."))
}

// hash is FNV-1a of an address without regard to ASCII case and a last dot. It
// is the same in every run.
func hash(s string) uint64 {
	s = strings.TrimSuffix(s, ".")
	h := uint64(14695981039346656037)
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}
