package dnscheck

import (
	"cmp"
	"errors"
	"maps"
	"slices"
)

// errAuditLimit marks what an audit did not ask: a limit of its options was reached.
var errAuditLimit = errors.New("dnscheck: the audit reached a limit of its options")

// count fills in what every term costs and the worst case of each family.
func (a *SPFAudit) count() {
	for _, six := range []bool{false, true} {
		c := spfCount{six: six, mark: true, done: a.done}
		result := c.record(a.Record)
		worst := SPFWorst{Result: result, Lookups: c.lookups, Voids: c.voids, QueryVoids: c.queryVoids, SenderVoids: c.senderVoids}
		if c.err != nil {
			worst.Result, worst.Err, worst.Problem = c.failed, c.err, problem(c.err)
		}
		if six {
			a.IPv6 = worst
		} else {
			a.IPv4 = worst
		}
		if a.Eleventh == nil {
			a.Eleventh = c.eleventh
		}
		a.Endless = a.Endless || c.endless
		a.BySender = a.BySender || c.bySender
	}
	a.Lookups = max(a.IPv4.Lookups, a.IPv6.Lookups)
}

// spfCount walks a tree as the evaluation for a client would that no term
// matches but those that match everybody, and charges what it reaches
// (RFC 7208 section 4.6.4). It goes on behind limits and errors, and behind an
// include that lets almost everybody pass: those it refuses by name get further.
type spfCount struct {
	six  bool     // the client's family
	mark bool     // write costs into the tree
	skip *SPFTerm // counted as if it were not there
	past int      // above 0: only clients get here that are refused by name

	done map[*SPFRecord]*spfSets

	lookups                        int
	voids, queryVoids, senderVoids int
	plain                          struct{ lookups, voids int } // of a client that is named nowhere
	failed                         SPFResult                    // the first error that such a client meets
	err                            error
	eleventh                       *Position
	endless, bySender              bool
}

// lookupsWithout is the worst case of the record without one of its terms.
func (a *SPFAudit) lookupsWithout(t *SPFTerm) int {
	four, six := spfCount{skip: t, done: a.done}, spfCount{six: true, skip: t, done: a.done}
	four.record(a.Record)
	six.record(a.Record)
	return max(four.lookups, six.lookups)
}

func (c *spfCount) fail(result SPFResult, err error) {
	if c.err == nil && c.past == 0 {
		c.failed, c.err = result, err
	}
}

// record returns the result of a record, errors left out.
func (c *spfCount) record(r *SPFRecord) SPFResult {
	before := c.lookups
	result := c.terms(r)
	if c.mark {
		r.Lookups = max(r.Lookups, c.lookups-before)
	}
	return result
}

func (c *spfCount) terms(r *SPFRecord) SPFResult {
	switch {
	case r.Loop:
		c.endless = true
		c.fail(SPFPermError, r.Err)
	case r.Err == ErrBadDomain && r.Depth == 0:
		c.fail(SPFNone, r.Err)
	case r.Err == ErrNoRecord && r.Depth == 0:
		c.fail(SPFNone, &nameError{r.Domain, r.Err})
	case errors.Is(r.Err, ErrDNS), r.Err == errAuditLimit:
		c.fail(SPFTempError, &nameError{r.Domain, r.Err})
	case r.Err != nil:
		c.fail(SPFPermError, &nameError{r.Domain, r.Err})
	}
	var redirect, decided *SPFTerm
	past := c.past
	defer func() { c.past = past }()
	for i := range r.Terms {
		if t := &r.Terms[i]; t.Problem != "" && c.err == nil && c.past == 0 {
			c.fail(SPFPermError, &SPFSyntaxError{Domain: r.Domain, Record: r.Text, Start: t.Start, End: t.End, Problem: t.Problem, Suggestion: suggest(t.Text)})
		}
	}
	last := c.last(r)
	for i := range r.Terms {
		t := &r.Terms[i]
		switch {
		case t.Problem != "" || t == c.skip:
		case t.Mechanism == ModifierRedirect:
			redirect = t
		case t.Mechanism > ModifierRedirect:
		default:
			matched := c.term(r, t)
			if matched && decided == nil {
				decided = t
			}
			if matched && c.everybody(t) {
				return decided.Qualifier
			}
			if i == last {
				return cmp.Or(decided, t).Qualifier
			}
			if matched {
				c.past++
			}
		}
	}
	result := SPFNeutral
	if redirect != nil {
		before := c.lookups
		c.charge(r, redirect)
		if redirect.Record != nil {
			result = c.record(redirect.Record)
		}
		c.total(redirect, before)
	}
	if decided != nil {
		return decided.Qualifier
	}
	return result
}

// last is the index of the term behind which no client of the family is left, as
// it and those before name every address; -1 where some are.
func (c *spfCount) last(r *SPFRecord) int {
	last := setsOf(r, nil, c.done).last[family(c.six)]
	if last < 0 || c.skip == nil || !slices.ContainsFunc(r.Terms, func(t SPFTerm) bool { return t.Start == c.skip.Start && t.Text == c.skip.Text }) {
		return last
	}
	done := maps.Clone(c.done)
	delete(done, r)
	return setsOf(r, map[*SPFTerm]bool{c.skip: true}, done).last[family(c.six)]
}

// everybody reports whether no client of the family gets behind a term that matches.
func (c *spfCount) everybody(t *SPFTerm) bool {
	if t.Mechanism != MechanismInclude {
		return true
	}
	of := family(c.six)
	return setsOf(t.Record, nil, c.done).of[SPFPass].contains(everyone()[of : of+1])
}

// term charges a term and reports whether it matches a client that is named nowhere.
func (c *spfCount) term(r *SPFRecord, t *SPFTerm) bool {
	before := c.lookups
	defer c.total(t, before)
	if t.Cost > 0 {
		c.charge(r, t)
	} else if c.mark {
		t.Reached, t.Running = true, max(t.Running, c.lookups)
	}
	if t.Mechanism == MechanismPTR || t.BySender && t.Mechanism != MechanismInclude {
		c.sender(t)
		return false
	}
	addresses, voids, queryVoids := t.a, t.Voids.IPv4Term, t.Voids.IPv4Query
	if c.six {
		addresses, voids, queryVoids = t.aaaa, t.Voids.IPv6Term, t.Voids.IPv6Query
	}
	switch t.Mechanism {
	case MechanismAll:
		return true
	case MechanismInclude:
		return t.Record != nil && c.record(t.Record) == SPFPass && !t.BySender
	case MechanismExists:
		return c.answered(t, t.Outcome, one(t.Outcome), one(t.Outcome))
	case MechanismA:
		c.answered(t, addresses, voids, queryVoids)
	case MechanismMX:
		c.answered(t, t.Outcome, voids, queryVoids)
		if len(t.Hosts) > maxNames {
			c.fail(SPFPermError, ErrTooManyMX)
			return false
		}
		if addresses.Failed() && hasHost(t.Hosts) {
			c.fail(SPFTempError, &nameError{t.Target, ErrDNS})
		}
	}
	for _, p := range t.prefixes {
		if p.Bits() == 0 && p.Addr().Is6() == c.six {
			return true
		}
	}
	return false
}

// hasHost reports whether one of the names of mail exchangers is a host: that of
// a null MX is empty.
func hasHost(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return name != "" })
}

// answered charges the voids of a term and reports whether it has an answer.
func (c *spfCount) answered(t *SPFTerm, o Outcome, voids, queryVoids int) bool {
	if o.Failed() {
		c.fail(SPFTempError, &nameError{t.Target, ErrDNS})
	}
	c.voids += voids
	c.queryVoids += queryVoids
	if c.past == 0 {
		c.plain.voids += voids
	}
	if c.plain.voids > MaxVoidLookups {
		c.fail(SPFPermError, ErrTooManyVoids)
	}
	if c.mark && t.Mechanism == MechanismExists {
		t.Voids = SPFTermVoids{IPv4Term: voids, IPv4Query: voids, IPv6Term: voids, IPv6Query: voids}
	}
	return o == Found
}

// sender counts a look-up that has no answer for some senders.
func (c *spfCount) sender(t *SPFTerm) {
	c.senderVoids++
	if c.mark {
		t.Voids = SPFTermVoids{Sender: 1}
	}
}

// charge counts a term against the limit: before its question, as evaluation does.
func (c *spfCount) charge(r *SPFRecord, t *SPFTerm) {
	if c.lookups <= MaxLookups && c.lookups+t.Cost > MaxLookups {
		at := r.position(t)
		c.eleventh = &at
	}
	c.lookups += t.Cost
	if c.past == 0 {
		c.plain.lookups += t.Cost
	}
	if c.plain.lookups > MaxLookups {
		c.fail(SPFPermError, ErrTooManyLookups)
	}
	if t.BySender && (t.Mechanism == MechanismInclude || t.Mechanism == ModifierRedirect) {
		c.bySender = true
	}
	if c.mark {
		t.Reached, t.Running = true, max(t.Running, c.lookups)
	}
}

func (c *spfCount) total(t *SPFTerm, before int) {
	if c.mark {
		t.Total = max(t.Total, c.lookups-before)
	}
}
