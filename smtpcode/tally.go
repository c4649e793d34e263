package smtpcode

import (
	"cmp"
	"hash/maphash"
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

// A tally counts keys, maxKeys of them at most. Once it was full, a sample of
// the new keys take the places of those counted least, so that what comes often
// is found however late it begins; the counts are then lower bounds. This is
// the summary of Misra and Gries ("Finding repeated elements", 1982), cut to
// half whenever it overflows.
type tally[K comparable] struct {
	at      map[K]int32 // index of entries: a known key costs one look-up
	entries []entry[K]
	missed  uint64  // how often a new key came since the table was full
	some    *filter // of entries, once the table was full
	seed    maphash.Seed
}

type entry[K comparable] struct {
	key    K
	count  int
	weight int // count, less what keys that left have cost it
}

// add counts a key; the zero key is no key.
func (t *tally[K]) add(key K) {
	var none K
	if key == none {
		return
	}
	if t.some == nil || t.some.has(maphash.Comparable(t.seed, key)) {
		if i, known := t.at[key]; known {
			e := &t.entries[i]
			e.count++
			e.weight++
			return
		}
	}
	if t.missed > 0 || len(t.entries) >= maxKeys {
		// One in 64, spread by the golden ratio: no rhythm of the input
		// hides a key, and equal inputs count alike.
		t.missed++
		if t.missed*0x9e3779b97f4a7c15>>58 != 0 {
			return
		}
	}
	if len(t.entries) >= maxKeys {
		t.prune()
	}
	t.append(own(key), 1)
}

// prune keeps the half that weighs most, of equal keys the older.
func (t *tally[K]) prune() {
	weights := make([]int, len(t.entries))
	for i := range t.entries {
		weights[i] = t.entries[i].weight
	}
	slices.Sort(weights)
	least := weights[len(weights)-maxKeys/2-1] // the most of what goes
	heavier := 0
	for _, weight := range weights[len(weights)-maxKeys/2:] {
		if weight > least {
			heavier++
		}
	}
	kept, equal := t.entries[:0], maxKeys/2-heavier
	clear(t.at)
	if t.some == nil {
		t.some, t.seed = new(filter), maphash.MakeSeed()
	}
	clear(t.some[:])
	for _, e := range t.entries {
		switch {
		case e.weight < least || e.weight == least && equal == 0:
			continue
		case e.weight == least:
			equal--
		}
		e.weight -= least
		t.at[e.key] = int32(len(kept))
		t.some.put(maphash.Comparable(t.seed, e.key))
		kept = append(kept, e)
	}
	clear(t.entries[len(kept):])
	t.entries = kept
}

func (t *tally[K]) append(key K, n int) {
	if t.at == nil {
		t.at = make(map[K]int32)
	}
	t.at[key] = int32(len(t.entries))
	t.entries = append(t.entries, entry[K]{key, n, n})
	if t.some != nil {
		t.some.put(maphash.Comparable(t.seed, key))
	}
}

// put adds n to a key whose text is its own, beyond maxKeys too: two tallies
// that are joined have no more than twice as many.
func (t *tally[K]) put(key K, n int) {
	var none K
	if key == none {
		return
	}
	if i, known := t.at[key]; known {
		t.entries[i].count += n
		return
	}
	t.append(key, n)
}

func (t *tally[K]) clone() tally[K] {
	c := *t
	c.at, c.entries = maps.Clone(t.at), slices.Clone(t.entries)
	if t.some != nil {
		some := *t.some
		c.some = &some
	}
	return c
}

func (t *tally[K]) len() int { return len(t.entries) }

// exact reports whether every key was counted.
func (t *tally[K]) exact() bool { return t.missed == 0 }

// count returns how often a key was counted.
func (t *tally[K]) count(key K) int {
	if i, known := t.at[key]; known {
		return t.entries[i].count
	}
	return 0
}

// most returns the greatest count.
func (t *tally[K]) most() int {
	n := 0
	for i := range t.entries {
		n = max(n, t.entries[i].count)
	}
	return n
}

// keys returns the keys in no order to rely on.
func (t *tally[K]) keys() []K {
	keys := make([]K, len(t.entries))
	for i := range t.entries {
		keys[i] = t.entries[i].key
	}
	return keys
}

// sorted returns the keys, most counted first.
func (t *tally[K]) sorted(compare func(a, b K) int) []K {
	entries := slices.Clone(t.entries)
	slices.SortFunc(entries, func(a, b entry[K]) int {
		return cmp.Or(cmp.Compare(b.count, a.count), compare(a.key, b.key))
	})
	keys := make([]K, len(entries))
	for i := range entries {
		keys[i] = entries[i].key
	}
	return keys
}

// top returns the keys counted most, maxSample of them.
func (t *tally[K]) top(compare func(a, b K) int) []K {
	keys := t.sorted(compare)
	return slices.Clip(keys[:min(len(keys), maxSample)])
}

// own returns a key that keeps no longer text alive.
func own[K comparable](key K) K {
	switch key := any(key).(type) {
	case string:
		return any(strings.Clone(key)).(K)
	case Condition:
		return any(Condition(strings.Clone(string(key)))).(K)
	case of[string]:
		key.key = strings.Clone(key.key)
		return any(key).(K)
	}
	return key
}

// A filter has a bit for each hash put into it: most others are told by it
// without a look into a map.
type filter [1 << 11]uint64

func (f *filter) put(hash uint64) { f[hash>>6%uint64(len(f))] |= 1 << (hash % 64) }

// has reports whether the hash, or one that shares its bit, was put.
func (f *filter) has(hash uint64) bool { return f[hash>>6%uint64(len(f))]>>(hash%64)&1 != 0 }

// name returns a host's or an address's key: lower case, the domain in its
// ASCII form (RFC 5890 section 2.3.2.1); "" where it is longer than any name,
// and for control characters, which no name has.
func name(s string) string {
	if len(s) > maxKeyLength {
		return ""
	}
	s = strings.TrimSuffix(s, ".")
	plain, wide := true, false
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c == 0x7f:
			return ""
		case 'A' <= c && c <= 'Z':
			plain = false
		case c >= 0x80:
			wide = true
		}
	}
	if wide {
		at := strings.LastIndexByte(s, '@') + 1
		if domain, ok := asciiDomain(s[at:]); ok {
			s = s[:at] + domain
		}
	} else if plain {
		return s
	}
	return strings.ToLower(s)
}

// hash is FNV-1a of an address without regard to case, a last dot and the form
// of an international domain. It is the same in every run.
func hash(s string) uint64 {
	s = strings.TrimSuffix(s, ".")
	h := uint64(14695981039346656037)
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		} else if c >= 0x80 {
			return hashWide(s)
		}
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// hashWide is hash of what is not all ASCII.
func hashWide(s string) uint64 {
	if key := name(s); key != "" {
		s = key
	}
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
