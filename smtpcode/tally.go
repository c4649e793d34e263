package smtpcode

import (
	"cmp"
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
type tally[K comparable] struct{ m map[K]int }

// add counts a key; the zero key is no key.
func (t *tally[K]) add(key K) {
	var none K
	if key == none {
		return
	}
	n, known := t.m[key]
	if !known {
		if len(t.m) == maxKeys {
			return
		}
		if t.m == nil {
			t.m = make(map[K]int)
		}
		key = own(key)
	}
	t.m[key] = n + 1
}

func (t *tally[K]) len() int { return len(t.m) }

// most returns the greatest count.
func (t *tally[K]) most() int {
	n := 0
	for _, count := range t.m {
		n = max(n, count)
	}
	return n
}

// sorted returns the keys, most counted first.
func (t *tally[K]) sorted(compare func(a, b K) int) []K {
	keys := make([]K, 0, len(t.m))
	for key := range t.m {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b K) int { return cmp.Or(cmp.Compare(t.m[b], t.m[a]), compare(a, b)) })
	return keys
}

// top returns the keys counted most, maxSample of them.
func (t *tally[K]) top(compare func(a, b K) int) []K {
	keys := t.sorted(compare)
	return keys[:min(len(keys), maxSample)]
}

// own returns a key that keeps no longer text alive.
func own[K comparable](key K) K {
	if s, ok := any(key).(string); ok {
		return any(strings.Clone(s)).(K)
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
