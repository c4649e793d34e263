package dnscheck

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// SystemResolver is a [Resolver] over Go's own: for programs that have a
// *net.Resolver and nothing else, and for names that only the operating system can
// resolve. Prefer [Client].
//
// Its answers are degraded, and Answer.Gaps says how: a name that does not exist
// looks like one without such records (NoData stands for both), and TTL, aliases,
// the AD bit and the number of a TXT record's strings are not known. Types other
// than A, AAAA, MX, TXT and PTR, and PTR outside the reverse trees, are not asked:
// the answer is OutcomeUnknown with errors.ErrUnsupported.
//
// A name that is an address literal does not exist, though net.Resolver would
// answer it without DNS. The hosts file still counts where net.Resolver reads it.
type SystemResolver struct {
	Resolver *net.Resolver // nil is net.DefaultResolver
}

// SystemGaps is what a SystemResolver never knows.
const SystemGaps = GapExistence | GapTTL | GapAliases | GapAuthentic | GapStrings

// Lookup asks net.Resolver for the absolute name.
func (s SystemResolver) Lookup(ctx context.Context, name string, t Type) Answer {
	if ctx == nil {
		return Answer{Err: ErrNoContext}
	}
	r := s.Resolver
	if r == nil {
		r = net.DefaultResolver
	}
	name = canonical(name)
	if _, err := netip.ParseAddr(name); err == nil {
		return Answer{Outcome: NoData, Gaps: SystemGaps}
	}
	a := Answer{Gaps: SystemGaps}
	absolute := name + "." // or the search list would apply
	var err error
	switch t {
	case TypeA:
		a.Addrs, err = r.LookupNetIP(ctx, "ip4", absolute)
	case TypeAAAA:
		a.Addrs, err = r.LookupNetIP(ctx, "ip6", absolute)
	case TypeMX:
		var hosts []*net.MX
		hosts, err = r.LookupMX(ctx, absolute)
		for _, mx := range hosts {
			a.MX = append(a.MX, MX{mx.Pref, canonical(mx.Host)})
		}
		// net.Resolver shuffles within a preference; a check must not.
		slices.SortFunc(a.MX, func(x, y MX) int {
			return cmp.Or(cmp.Compare(x.Preference, y.Preference), strings.Compare(x.Host, y.Host))
		})
	case TypeTXT:
		var texts []string
		texts, err = r.LookupTXT(ctx, absolute)
		for _, text := range texts {
			a.TXT = append(a.TXT, TXT{Text: text})
		}
	case TypePTR:
		addr, ok := reverseAddr(name)
		if !ok {
			return Answer{Gaps: SystemGaps, Err: errors.ErrUnsupported}
		}
		a.Names, err = r.LookupAddr(ctx, addr.String())
		for i := range a.Names {
			a.Names[i] = canonical(a.Names[i])
		}
	default:
		return Answer{Gaps: SystemGaps, Err: errors.ErrUnsupported}
	}
	for i := range a.Addrs {
		a.Addrs[i] = a.Addrs[i].Unmap()
	}
	// net.Resolver gives usable records beside an error about bad ones.
	if len(a.Addrs)+len(a.MX)+len(a.TXT)+len(a.Names) > 0 {
		a.Outcome = Found
		return a
	}
	a.Outcome, a.Err = systemOutcome(ctx, err)
	return a
}

// systemOutcome reads what a net.Resolver's error can tell.
func systemOutcome(ctx context.Context, err error) (Outcome, error) {
	var dns *net.DNSError
	switch {
	case err == nil:
		return NoData, nil
	case ctx.Err() != nil:
		return Timeout, ctx.Err()
	case errors.As(err, &dns) && dns.IsNotFound:
		return NoData, nil
	case errors.As(err, &dns) && dns.IsTimeout:
		return Timeout, err
	}
	return ServFail, err
}

// reverseAddr reads the address of a name in the reverse trees (RFC 1035
// section 3.5, RFC 3596 section 2.5).
func reverseAddr(name string) (netip.Addr, bool) {
	if rest, ok := strings.CutSuffix(name, ".in-addr.arpa"); ok {
		labels := strings.Split(rest, ".")
		slices.Reverse(labels)
		addr, err := netip.ParseAddr(strings.Join(labels, "."))
		return addr, err == nil && addr.Is4()
	}
	rest, ok := strings.CutSuffix(name, ".ip6.arpa")
	labels := strings.Split(rest, ".")
	if !ok || len(labels) != 32 {
		return netip.Addr{}, false
	}
	var bytes [16]byte
	for i, label := range labels {
		digit, err := strconv.ParseUint(label, 16, 4)
		if err != nil || len(label) != 1 {
			return netip.Addr{}, false
		}
		at := 31 - i
		bytes[at/2] |= byte(digit) << (4 * (1 - at%2))
	}
	return netip.AddrFrom16(bytes), true
}
