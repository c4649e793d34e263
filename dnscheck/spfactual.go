package dnscheck

import (
	"errors"
	"slices"
)

// SPFActual is what clients of a record with errors get: an error only meets those
// who get that far, whom an earlier term matches does not.
type SPFActual struct {
	Senders  []SPFSender `json:"senders"`  // addresses with another result than IPv4 or IPv6 of the audit, as few prefixes as possible
	Unlisted []SPFSpot   `json:"unlisted"` // terms whose addresses cannot be listed and that some clients get to
}

// results returns the addresses by what they get in fact, and the terms whose
// addresses cannot be listed.
func (a *SPFAudit) results() (sets [SPFPermError + 1]addrSet, unlisted []SPFSpot) {
	if a.Actual != nil {
		return senderSets(a.Actual.Senders, a.IPv4.Result, a.IPv6.Result), a.Actual.Unlisted
	}
	return senderSets(a.Senders, a.Default, a.Default), a.Unlisted
}

// findActual fills in Actual where an error makes a difference.
func (a *SPFAudit) findActual() {
	var of [SPFPermError + 1]addrSet
	reached := make(map[*SPFTerm]bool)
	for i, six := range []bool{false, true} {
		e := spfErrors{six: six, reached: reached}
		for result, clients := range e.record(a.Record, spfClients{{}: everyone()[i : i+1]}) {
			of[result] = of[result].union(clients.all())
		}
	}
	if len(of[SPFTempError])+len(of[SPFPermError]) == 0 {
		return
	}
	actual := &SPFActual{}
	for result := range of {
		for _, p := range of[result].prefixes() {
			if r := SPFResult(result); p.Addr().Is4() && r != a.IPv4.Result || p.Addr().Is6() && r != a.IPv6.Result {
				actual.Senders = append(actual.Senders, SPFSender{p, r})
			}
		}
	}
	slices.SortFunc(actual.Senders, func(x, y SPFSender) int { return x.Prefix.Compare(y.Prefix) })
	a.walk(func(r *SPFRecord, t *SPFTerm, _ []*SPFTerm) {
		if reached[t] && slices.Contains(a.Unlisted, r.spot(t)) {
			actual.Unlisted = append(actual.Unlisted, r.spot(t))
		}
	})
	list(&actual.Senders)
	list(&actual.Unlisted)
	a.Actual = actual
}

// spfSpent is what a client has cost so far.
type spfSpent struct{ lookups, voids int }

// spfClients are the clients that got to one place of a record, by what they
// have cost: there are few kinds, as the limits end the others.
type spfClients map[spfSpent]addrSet

func (c spfClients) add(spent spfSpent, set addrSet) {
	if len(set) > 0 {
		c[spent] = c[spent].union(set)
	}
}

func (c spfClients) addAll(more spfClients) {
	for spent, set := range more {
		c.add(spent, set)
	}
}

func (c spfClients) all() (set addrSet) {
	for _, s := range c {
		set = set.union(s)
	}
	return set
}

// spfErrors evaluates a record for all clients of a family at once, with
// everything that ends an evaluation.
type spfErrors struct {
	six     bool
	reached map[*SPFTerm]bool // terms that cannot be listed
}

// spfEnds are clients by their result.
type spfEnds [SPFPermError + 1]spfClients

func (e spfEnds) add(result SPFResult, clients spfClients) { e[result].addAll(clients) }

// record evaluates a record for the clients that get to it.
func (e *spfErrors) record(r *SPFRecord, clients spfClients) spfEnds {
	var ends spfEnds
	for i := range ends {
		ends[i] = spfClients{}
	}
	if result, ok := r.without(); ok {
		ends.add(result, clients)
		return ends
	}
	var redirect *SPFTerm
	for i := 0; i < len(r.Terms) && len(clients) > 0; i++ {
		t := &r.Terms[i]
		switch m := t.Mechanism; {
		case m == ModifierRedirect:
			redirect = t
		case m > ModifierRedirect:
		case m == MechanismAll:
			ends.add(t.Qualifier, clients)
			return ends
		case m == MechanismIP4 || m == MechanismIP6:
			last := i
			for last+1 < len(r.Terms) && (r.Terms[last+1].Mechanism == MechanismIP4 || r.Terms[last+1].Mechanism == MechanismIP6) {
				last++
			}
			clients = e.listed(r.Terms[i:last+1], clients, ends)
			i = last
		default:
			clients = e.charged(t, clients, ends)
		}
	}
	switch {
	case redirect == nil || len(clients) == 0:
	case redirect.Record == nil:
		clients = e.charge(redirect, clients, ends)
	default:
		below := e.record(redirect.Record, e.charge(redirect, clients, ends))
		for result, there := range below {
			ends.add(instead(SPFResult(result)), there)
		}
		return ends
	}
	ends.add(SPFNeutral, clients)
	return ends
}

// without is the result of a record that no term of is evaluated.
func (r *SPFRecord) without() (SPFResult, bool) {
	switch {
	case errors.Is(r.Err, ErrDNS), r.Err == errAuditLimit:
		return SPFTempError, true
	case r.Depth == 0 && (r.Err == ErrNoRecord || r.Err == ErrBadDomain):
		return SPFNone, true
	case r.Err != nil, slices.ContainsFunc(r.Terms, func(t SPFTerm) bool { return t.Problem != "" }):
		return SPFPermError, true
	}
	return SPFNone, false
}

// instead is what the result of another record means for one that leads to it.
func instead(result SPFResult) SPFResult {
	if result == SPFNone {
		return SPFPermError
	}
	return result
}

// listed lets ip4 and ip6 terms match, and returns the clients that get further.
func (e *spfErrors) listed(terms []SPFTerm, clients spfClients, ends spfEnds) spfClients {
	var all []claim
	for i := range terms {
		for _, p := range terms[i].prefixes {
			if p.Addr().Is6() == e.six {
				all = append(all, claim{rangeOf(p), i, terms[i].Qualifier})
			}
		}
	}
	var won [SPFPermError + 1]addrSet
	var any addrSet
	settle(all, func(c claim) {
		won[c.result], any = won[c.result].append(c.addrRange), any.append(c.addrRange)
	})
	left := spfClients{}
	for spent, set := range clients {
		for result := range won {
			ends[result].add(spent, set.intersect(won[result]))
		}
		left.add(spent, set.minus(any))
	}
	return left
}

// charge counts a term's look-ups, and returns the clients that may ask.
func (e *spfErrors) charge(t *SPFTerm, clients spfClients, ends spfEnds) spfClients {
	left := spfClients{}
	for spent, set := range clients {
		spent.lookups = min(spent.lookups+t.Cost, MaxLookups+1)
		if spent.lookups > MaxLookups {
			ends[SPFPermError].add(spent, set)
		} else {
			left.add(spent, set)
		}
	}
	return left
}

// void counts a look-up without an answer, and returns the clients that get further.
func (e *spfErrors) void(clients spfClients, ends spfEnds) spfClients {
	left := spfClients{}
	for spent, set := range clients {
		if spent.voids++; spent.voids > MaxVoidLookups {
			ends[SPFPermError].add(spent, set)
		} else {
			left.add(spent, set)
		}
	}
	return left
}

// charged evaluates a term that asks, and returns the clients that get further.
func (e *spfErrors) charged(t *SPFTerm, clients spfClients, ends spfEnds) spfClients {
	clients = e.charge(t, clients, ends)
	if t.BySender && len(clients) > 0 {
		e.reached[t] = true
	}
	outcome := t.Outcome
	switch t.Mechanism {
	case MechanismInclude:
		return e.include(t, clients, ends)
	case MechanismPTR:
		return clients
	case MechanismA:
		outcome = t.a
		if e.six {
			outcome = t.aaaa
		}
	}
	switch {
	case t.BySender:
		return clients
	case outcome.Failed():
		ends.add(SPFTempError, clients)
		return nil
	case outcome.Void():
		return e.void(clients, ends)
	case t.Mechanism == MechanismExists:
		if len(clients) > 0 {
			e.reached[t] = true
		}
		ends.add(t.Qualifier, clients)
		return nil
	case t.Mechanism == MechanismMX && len(t.Hosts) > maxNames:
		ends.add(SPFPermError, clients)
		return nil
	}
	left := e.listed([]SPFTerm{*t}, clients, ends)
	failed := t.a.Failed()
	if e.six {
		failed = t.aaaa.Failed()
	}
	if t.Mechanism == MechanismMX && failed && hasHost(t.Hosts) {
		ends.add(SPFTempError, left)
		return nil
	}
	return left
}

// include evaluates the record of another domain, and returns the clients that
// it does not let pass.
func (e *spfErrors) include(t *SPFTerm, clients spfClients, ends spfEnds) spfClients {
	if t.Record == nil || len(clients) == 0 {
		return clients
	}
	left := spfClients{}
	for result, there := range e.record(t.Record, clients) {
		switch r := instead(SPFResult(result)); {
		case r == SPFTempError || r == SPFPermError:
			ends.add(r, there)
		case r == SPFPass && !t.BySender:
			ends.add(t.Qualifier, there)
		default:
			left.addAll(there)
		}
	}
	return left
}
