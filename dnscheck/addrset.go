package dnscheck

import (
	"math/big"
	"net/netip"
	"slices"
)

// addrRange is the addresses from lo to hi, both included and of one family.
type addrRange struct{ lo, hi netip.Addr }

// addrSet is a set of addresses of both families: ranges in order, apart from
// each other. IPv4 comes first, as netip orders it.
type addrSet []addrRange

// everyone is all addresses there are.
func everyone() addrSet {
	return addrSet{rangeOf(netip.PrefixFrom(netip.IPv4Unspecified(), 0)), rangeOf(netip.PrefixFrom(netip.IPv6Unspecified(), 0))}
}

// rangeOf returns the addresses of a prefix.
func rangeOf(p netip.Prefix) addrRange {
	p = p.Masked()
	if p.Addr().Is4() {
		b := p.Addr().As4()
		setHostBits(b[:], p.Bits())
		return addrRange{p.Addr(), netip.AddrFrom4(b)}
	}
	b := p.Addr().As16()
	setHostBits(b[:], p.Bits())
	return addrRange{p.Addr(), netip.AddrFrom16(b)}
}

func setHostBits(b []byte, bits int) {
	for i := range b {
		switch {
		case bits <= 0:
			b[i] = 0xff
		case bits < 8:
			b[i] |= 0xff >> bits
		}
		bits -= 8
	}
}

// setOf joins ranges in any order into a set. It may reorder them.
func setOf(ranges []addrRange) addrSet {
	slices.SortFunc(ranges, func(a, b addrRange) int { return a.lo.Compare(b.lo) })
	var s addrSet
	for _, r := range ranges {
		s = s.append(r)
	}
	return s
}

// append adds a range that begins no earlier than those in the set.
func (s addrSet) append(r addrRange) addrSet {
	if n := len(s); n > 0 {
		last := &s[n-1]
		if r.lo.BitLen() == last.hi.BitLen() && (r.lo.Compare(last.hi) <= 0 || r.lo == last.hi.Next()) {
			if last.hi.Less(r.hi) {
				last.hi = r.hi
			}
			return s
		}
	}
	return append(s, r)
}

func (s addrSet) union(t addrSet) addrSet {
	if len(t) == 0 {
		return s
	}
	out := make(addrSet, 0, len(s)+len(t))
	for len(s) > 0 || len(t) > 0 {
		if len(t) == 0 || len(s) > 0 && s[0].lo.Less(t[0].lo) {
			out, s = out.append(s[0]), s[1:]
		} else {
			out, t = out.append(t[0]), t[1:]
		}
	}
	return out
}

func (s addrSet) intersect(t addrSet) addrSet {
	var out addrSet
	for len(s) > 0 && len(t) > 0 {
		lo, hi := s[0].lo, s[0].hi
		if lo.Less(t[0].lo) {
			lo = t[0].lo
		}
		if t[0].hi.Less(hi) {
			hi = t[0].hi
		}
		if lo.Compare(hi) <= 0 {
			out = append(out, addrRange{lo, hi})
		}
		if s[0].hi.Less(t[0].hi) {
			s = s[1:]
		} else {
			t = t[1:]
		}
	}
	return out
}

func (s addrSet) minus(t addrSet) addrSet {
	out := make(addrSet, 0, len(s)+len(t))
	for _, r := range s {
		for len(t) > 0 && t[0].hi.Less(r.lo) {
			t = t[1:]
		}
		rest := t
		for len(rest) > 0 && rest[0].lo.Compare(r.hi) <= 0 && r.lo.IsValid() {
			if r.lo.Less(rest[0].lo) {
				out = append(out, addrRange{r.lo, rest[0].lo.Prev()})
			}
			if r.hi.Compare(rest[0].hi) <= 0 {
				r.lo = netip.Addr{}
				break
			}
			r.lo, rest = rest[0].hi.Next(), rest[1:]
		}
		if r.lo.IsValid() {
			out = append(out, r)
		}
	}
	return out
}

func (s addrSet) contains(t addrSet) bool { return len(t.minus(s)) == 0 }

func (s addrSet) equal(t addrSet) bool { return slices.Equal(s, t) }

// prefixes returns the fewest prefixes that make up the set.
func (s addrSet) prefixes() []netip.Prefix {
	var out []netip.Prefix
	for _, r := range s {
		for lo := r.lo; lo.IsValid() && lo.Compare(r.hi) <= 0; {
			bits := lo.BitLen()
			for bits > 0 {
				wider := netip.PrefixFrom(lo, bits-1)
				if wider.Masked().Addr() != lo || r.hi.Less(rangeOf(wider).hi) {
					break
				}
				bits--
			}
			p := netip.PrefixFrom(lo, bits)
			out = append(out, p)
			lo = rangeOf(p).hi.Next() // invalid behind the last address of all
		}
	}
	return out
}

// size counts the addresses of each family.
func (s addrSet) size() (v4 uint64, v6 *big.Int) {
	v6 = new(big.Int)
	for _, r := range s {
		if r.lo.Is4() {
			lo, hi := r.lo.As4(), r.hi.As4()
			v4 += number(hi[:]).Uint64() - number(lo[:]).Uint64() + 1
			continue
		}
		lo, hi := r.lo.As16(), r.hi.As16()
		n := number(hi[:])
		v6.Add(v6, n.Sub(n, number(lo[:])).Add(n, big.NewInt(1)))
	}
	return v4, v6
}

func number(b []byte) *big.Int { return new(big.Int).SetBytes(b) }
