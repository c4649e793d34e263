package dmarcreport

import "hash/maphash"

// interner gives equal texts one string. It is small and forgets: a report of
// a million domains costs no more memory than one of a hundred.
type interner struct {
	seed  maphash.Seed
	slots [1024]string
}

func (t *interner) get(b []byte) string {
	switch n := len(b); {
	case n == 0:
		return ""
	case n > 256:
		return string(b)
	}
	slot := &t.slots[maphash.Bytes(t.seed, b)%uint64(len(t.slots))]
	if *slot != string(b) {
		*slot = string(b)
	}
	return *slot
}
