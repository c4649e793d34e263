package dnscheck

import (
	"cmp"
	"errors"
	"net/netip"
	"slices"
)

// spfSets says which addresses get which result, indexed by SPFResult.
type spfSets struct {
	of          [SPFPermError + 1]addrSet
	otherwise   SPFResult // of addresses that no term names
	unspecified addrSet   // those addresses
	last        [2]int    // the term behind which there is no IPv4 or IPv6 address left; -1: none
}

// setsOf works out the sets of a record as if it had no errors; done keeps those
// of records below. Terms whose addresses cannot be listed match nobody, and so do
// those in skip.
func setsOf(r *SPFRecord, skip map[*SPFTerm]bool, done map[*SPFRecord]*spfSets) *spfSets {
	if s := done[r]; s != nil {
		return s
	}
	claims, otherwise, redirect := claimsOf(r, skip, done)
	s := &spfSets{otherwise: otherwise, last: [2]int{-1, -1}}
	var claimed addrSet
	settle(claims, func(won claim) {
		s.of[won.result] = s.of[won.result].append(won.addrRange)
		claimed = claimed.append(won.addrRange)
		family := family(won.lo.Is6())
		s.last[family] = max(s.last[family], won.order)
	})
	s.unspecified = everyone().minus(claimed)
	for _, r := range s.unspecified {
		s.last[family(r.lo.Is6())] = -1
	}
	if redirect != nil {
		below := setsOf(redirect, nil, done)
		s.otherwise = below.otherwise
		for result, set := range below.of {
			s.of[result] = s.of[result].union(set.intersect(s.unspecified))
		}
		s.unspecified = s.unspecified.intersect(below.unspecified)
	} else {
		s.of[s.otherwise] = s.of[s.otherwise].union(s.unspecified)
	}
	done[r] = s
	return s
}

// claimsOf lists the addresses that the terms of a record name, in their order,
// and says who decides about the others: a result, or a record that redirect names.
func claimsOf(r *SPFRecord, skip map[*SPFTerm]bool, done map[*SPFRecord]*spfSets) (claims []claim, otherwise SPFResult, redirect *SPFRecord) {
	for i := range r.Terms {
		t := &r.Terms[i]
		if t.Problem != "" || skip[t] || t.BySender {
			continue
		}
		var named addrSet
		switch {
		case t.Mechanism == MechanismAll:
			return claims, t.Qualifier, nil
		case t.Mechanism == ModifierRedirect:
			redirect = t.Record
		case t.Mechanism == MechanismInclude && t.Record != nil:
			named = setsOf(t.Record, nil, done).of[SPFPass]
		case t.Mechanism == MechanismExists && t.Outcome == Found:
			named = everyone()
		}
		for _, x := range named {
			claims = append(claims, claim{x, i, t.Qualifier})
		}
		for _, p := range t.prefixes {
			claims = append(claims, claim{rangeOf(p), i, t.Qualifier})
		}
	}
	return claims, SPFNeutral, redirect
}

// family is the index of an address family.
func family(six bool) int {
	if six {
		return 1
	}
	return 0
}

// equal reports whether every address gets the same result from both.
func (s *spfSets) equal(t *spfSets) bool {
	for i := range s.of {
		if !s.of[i].equal(t.of[i]) {
			return false
		}
	}
	return true
}

// listSenders fills in who may send.
func (a *SPFAudit) listSenders() {
	s := setsOf(a.Record, nil, a.done)
	a.Default = s.otherwise
	if a.Record.Text == "" {
		a.Default = SPFNone
	}
	for result := range s.of {
		if SPFResult(result) == s.otherwise {
			continue
		}
		for _, p := range s.of[result].prefixes() {
			a.Senders = append(a.Senders, SPFSender{p, SPFResult(result)})
		}
	}
	slices.SortFunc(a.Senders, func(x, y SPFSender) int { return x.Prefix.Compare(y.Prefix) })
	four, six := s.of[SPFPass].size()
	a.Addresses = AddressCount{four, six.String()}
	a.walk(func(r *SPFRecord, t *SPFTerm, _ []*SPFTerm) {
		if t.Reached && (t.BySender || t.Mechanism == MechanismExists && t.Outcome == Found) {
			a.Unlisted = append(a.Unlisted, r.spot(t))
		}
	})
}

// maxRanges is how many ranges of addresses an audit takes up.
const maxRanges = 20000

// listRanges fills in each term's addresses and which of them lie within others.
func (a *SPFAudit) listRanges() {
	a.walk(func(r *SPFRecord, t *SPFTerm, path []*SPFTerm) {
		result, counts := t.Qualifier, t.Reached && !t.BySender
		for _, above := range slices.Backward(path) {
			if above.Mechanism != MechanismInclude {
				continue
			}
			counts = counts && result == SPFPass && !above.BySender
			result = above.Qualifier
		}
		if !counts {
			return
		}
		for _, p := range t.prefixes {
			a.Ranges = append(a.Ranges, SPFRange{Prefix: p, Result: result, Spot: r.spot(t), record: r, term: t})
		}
	})
	slices.SortStableFunc(a.Ranges, func(x, y SPFRange) int {
		return cmp.Or(x.Prefix.Addr().Compare(y.Prefix.Addr()), x.Prefix.Bits()-y.Prefix.Bits())
	})
	var open []*SPFRange // ranges around the next one, widest first
	for i := range a.Ranges {
		r := &a.Ranges[i]
		for len(open) > 0 && !covers(open[len(open)-1].Prefix, r.Prefix) {
			open = open[:len(open)-1]
		}
		if n := len(open); n > 0 {
			r.Within, r.WithinOf = open[n-1].Prefix, open[n-1].Spot.Domain
		}
		open = append(open, r)
	}
}

// covers reports whether a holds all of b.
func covers(a, b netip.Prefix) bool { return a.Bits() <= b.Bits() && a.Contains(b.Addr()) }

// maxSavings is how many terms an audit works out savings for.
const maxSavings = 200

// listSavings fills in what removing or flattening each charged term would save.
func (a *SPFAudit) listSavings() {
	var own []*SPFTerm // terms of the domain's record, with their savings
	var at []int
	a.walk(func(r *SPFRecord, t *SPFTerm, path []*SPFTerm) {
		if t.Cost == 0 || !t.Reached || len(a.Savings) == maxSavings {
			return
		}
		s := SPFSaving{Spot: r.spot(t), record: r, term: t, Target: t.Target, Remove: a.Lookups - a.lookupsWithout(t)}
		if s.Kept = unflattenable(t); s.Kept == "" {
			s.Flatten = t.Total
			s.Ranges = len(a.listed(t).prefixes())
			if len(path) == 0 {
				own, at = append(own, t), append(at, len(a.Savings))
			}
		}
		a.Savings = append(a.Savings, s)
	})
	a.findUnused(own, at)
}

// maxUnusedWork bounds what goes through all ranges once a term.
const maxUnusedWork = 200_000

// findUnused marks the terms that can go, all of them together, without
// changing any address's result: the dearest first, of equals the later one.
func (a *SPFAudit) findUnused(terms []*SPFTerm, at []int) {
	if len(terms) == 0 {
		return
	}
	if len(terms)*len(a.Ranges) > maxUnusedWork {
		a.Truncated = true
		return
	}
	whole := setsOf(a.Record, nil, a.done)
	defer func() { a.done[a.Record] = whole }()
	order := make([]int, len(terms))
	for i := range order {
		order[i] = len(order) - 1 - i
	}
	slices.SortStableFunc(order, func(x, y int) int { return a.Savings[at[y]].Remove - a.Savings[at[x]].Remove })
	skip := make(map[*SPFTerm]bool)
	for _, i := range order {
		skip[terms[i]] = true
		delete(a.done, a.Record)
		if setsOf(a.Record, skip, a.done).equal(whole) {
			a.Savings[at[i]].Unused = true
		} else {
			delete(skip, terms[i])
		}
	}
}

// listed returns the addresses a term names.
func (a *SPFAudit) listed(t *SPFTerm) addrSet {
	var ranges []addrRange
	if t.Record != nil {
		ranges = append(ranges, setsOf(t.Record, nil, a.done).of[SPFPass]...)
	}
	for _, p := range t.prefixes {
		ranges = append(ranges, rangeOf(p))
	}
	return setOf(ranges)
}

// hopeless says why whoever gets to a term meets a permerror, or "".
func hopeless(t *SPFTerm) string {
	r := t.Record
	switch {
	case t.Mechanism == MechanismMX && len(t.Hosts) > maxNames:
		return "it leads to more than ten mail exchangers"
	case t.BySender:
		return ""
	case r == nil && t.Mechanism == ModifierRedirect:
		return "its record cannot be evaluated"
	case r == nil:
		return ""
	case r.Loop:
		return "it leads back to a record that includes it"
	case r.Err != nil && r.Err != errAuditLimit && !errors.Is(r.Err, ErrDNS):
		return "its record cannot be evaluated"
	}
	for i := range r.Terms {
		below := &r.Terms[i]
		if below.Problem != "" {
			return "its record cannot be evaluated"
		}
		if below.Reached {
			if why := hopeless(below); why != "" {
				return why
			}
		}
	}
	return ""
}

// unflattenable says why a term cannot be replaced by addresses, or "".
func unflattenable(t *SPFTerm) string {
	if why := hopeless(t); why != "" {
		return why
	}
	switch {
	case t.Mechanism == ModifierRedirect:
		return "it also decides about everybody else"
	case t.Mechanism == MechanismExists:
		return "exists asks DNS for each client"
	case t.Mechanism == MechanismPTR:
		return "ptr asks for each client's name"
	case t.BySender:
		return "its name depends on the sender"
	case t.Record != nil && t.Record.Err == errAuditLimit:
		return "the audit stopped at a limit before it"
	case t.Cost > 0 && (t.Outcome.Failed() || t.a.Failed() && t.Mechanism == MechanismA):
		return "DNS did not answer for it"
	case t.Record == nil:
		return ""
	}
	for i := range t.Record.Terms {
		below := &t.Record.Terms[i]
		if !below.Reached || !below.Mechanism.Charged() {
			continue
		}
		if below.Mechanism == ModifierRedirect && !below.BySender {
			copied := *below
			copied.Mechanism = MechanismInclude
			below = &copied
		}
		if why := unflattenable(below); why != "" {
			return why
		}
	}
	return ""
}
