package dnscheck

import (
	"net/netip"
	"strings"
)

// findAddress looks at the address as written.
func (a *SPFAudit) findAddress(r *SPFRecord, t *SPFTerm) {
	_, written, _ := strings.Cut(t.Text, ":")
	written, _, _ = strings.Cut(written, "/")
	if addr, err := netip.ParseAddr(written); err == nil && addr != t.Prefix.Addr() {
		a.add("spf-host-bits", r, t, t.Prefix.String())
	}
	if kind := reserved(t.Prefix); kind != "" {
		a.add("spf-range-private", r, t, t.Prefix.String()+" ("+kind+")")
	}
}

// reserved says what kind of addresses a block is made of that the public
// Internet does not route, or "". A block with others in it is none: its ends
// differ.
func reserved(p netip.Prefix) string {
	kind := reservedAddr(p.Addr())
	if kind != "" && kind != reservedAddr(lastAddr(p)) {
		return ""
	}
	return kind
}

// lastAddr returns the last address of a block.
func lastAddr(p netip.Prefix) netip.Addr {
	b := p.Masked().Addr().AsSlice()
	for i := p.Bits(); i < len(b)*8; i++ {
		b[i/8] |= 0x80 >> (i % 8)
	}
	last, _ := netip.AddrFromSlice(b)
	return last
}

func reservedAddr(addr netip.Addr) string {
	switch {
	case addr.Is4In6():
		return "IPv4 written as IPv6, which never matches"
	case addr.IsPrivate():
		return "private"
	case addr.IsLoopback():
		return "loopback"
	case addr.IsLinkLocalUnicast():
		return "link-local"
	case addr.IsMulticast():
		return "multicast"
	case addr.Is4() && addr.As4()[0] == 0:
		return "this network"
	case addr.Is4() && addr.As4()[0] == 100 && addr.As4()[1]&0xc0 == 64:
		return "shared address space"
	}
	return ""
}

// Blocks from which on a range is wider than one organization's senders.
const (
	wide4 = 8
	wide6 = 19
)

// findRanges looks at the addresses that terms name.
func (a *SPFAudit) findRanges() {
	for _, r := range a.Ranges {
		bits, wide := r.Prefix.Bits(), wide4
		if r.Prefix.Addr().Is6() {
			wide = wide6
		}
		switch {
		case bits == 0 && r.Result == SPFPass:
			a.add("spf-range-all", r.record, r.term, "")
		case bits <= wide && r.Result == SPFPass:
			a.add("spf-range-wide", r.record, r.term, "a /"+itoa(bits))
		}
		if r.Within.IsValid() && r.record == a.Record {
			a.add("spf-range-overlap", r.record, r.term, r.Prefix.String()+" lies in "+r.Within.String()+" of "+r.WithinOf)
		}
	}
	a.findShadowed()
	a.findUnion()
	for _, s := range a.Savings {
		if s.Unused && s.term.Mechanism == MechanismInclude {
			a.add("spf-include-unused", s.record, s.term, itoa(s.Remove))
		}
	}
}

// findShadowed looks for terms of the domain's own record whose addresses all get
// another result, from terms before.
func (a *SPFAudit) findShadowed() {
	if len(a.Record.Terms)*len(a.Ranges) > maxUnusedWork {
		return
	}
	whole := setsOf(a.Record, nil, a.done)
	for i := range a.Record.Terms {
		t := &a.Record.Terms[i]
		if t.Problem != "" || !t.Reached || t.BySender || t.Mechanism >= ModifierRedirect {
			continue
		}
		if set := a.listed(t); len(set) > 0 && len(set.intersect(whole.of[t.Qualifier])) == 0 {
			a.add("spf-shadowed", a.Record, t, "")
		}
	}
}

// findUnion looks at the blocks that terms let pass together and none of them alone.
func (a *SPFAudit) findUnion() {
	var ranges []addrRange
	alone := map[netip.Prefix]bool{} // blocks that a term alone names
	for _, r := range a.Ranges {
		if r.Result == SPFPass {
			ranges = append(ranges, rangeOf(r.Prefix))
			alone[r.Prefix] = true
		}
	}
	for _, p := range setOf(ranges).prefixes() {
		family, wide := "IPv4", wide4
		if p.Addr().Is6() {
			family, wide = "IPv6", wide6
		}
		switch {
		case p.Bits() > wide || alone[p]:
		case p.Bits() == 0:
			a.add("spf-union-all", a.Record, nil, family)
		default:
			a.add("spf-union-wide", a.Record, nil, p.String())
		}
	}
}
