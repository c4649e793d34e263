package dnscheck

import (
	"net/netip"
	"slices"
)

// SPFDiff is what changes for senders between two audits: what they get in fact,
// errors counted. Other addresses change as IPv4 and IPv6 say.
type SPFDiff struct {
	Gained  []SPFChange `json:"gained"`  // addresses that pass now
	Lost    []SPFChange `json:"lost"`    // addresses that passed
	Changed []SPFChange `json:"changed"` // addresses with another result, neither of them pass

	// UnlistedGained and UnlistedLost are terms whose addresses cannot be
	// listed: exists, ptr and macros of the sender.
	UnlistedGained []string `json:"unlisted_gained"`
	UnlistedLost   []string `json:"unlisted_lost"`

	Default   SPFResultChange `json:"default"`   // of addresses that no term names, were the records without error
	IPv4      SPFResultChange `json:"ipv4"`      // of such addresses in fact
	IPv6      SPFResultChange `json:"ipv6"`      //
	Lookups   SPFCountChange  `json:"lookups"`   // worst case, of ten
	Findings  []string        `json:"findings"`  // ids that are new
	Mended    []string        `json:"mended"`    // ids that are gone
	Truncated bool            `json:"truncated"` // one of the audits stopped at a limit: addresses may be missing
}

// SPFChange is a block of addresses whose result changes.
type SPFChange struct {
	Prefix netip.Prefix `json:"prefix"`
	SPFResultChange
}

// SPFResultChange is a result before and after.
type SPFResultChange struct {
	Before SPFResult `json:"before"`
	After  SPFResult `json:"after"`
}

// SPFCountChange is a count before and after.
type SPFCountChange struct {
	Before int `json:"before"`
	After  int `json:"after"`
}

// Empty reports whether nothing changes for any sender.
func (d *SPFDiff) Empty() bool {
	return len(d.Gained)+len(d.Lost)+len(d.Changed)+len(d.UnlistedGained)+len(d.UnlistedLost) == 0 &&
		d.IPv4.Before == d.IPv4.After && d.IPv6.Before == d.IPv6.After
}

// Diff says what changes for senders from this audit to another one: of the
// same domain later, or of a record not published yet. It compares what addresses
// get, not texts: a record that errs today has no senders to lose. Audits read back from JSON
// are as good; a nil one is that of no record.
func (a *SPFAudit) Diff(after *SPFAudit) *SPFDiff {
	if a == nil {
		a = &SPFAudit{}
	}
	if after == nil {
		after = &SPFAudit{}
	}
	old, unlistedBefore := a.results()
	now, unlistedAfter := after.results()
	d := &SPFDiff{
		Default:   SPFResultChange{a.Default, after.Default},
		IPv4:      SPFResultChange{a.IPv4.Result, after.IPv4.Result},
		IPv6:      SPFResultChange{a.IPv6.Result, after.IPv6.Result},
		Lookups:   SPFCountChange{a.Lookups, after.Lookups},
		Truncated: a.Truncated || after.Truncated,
	}
	for before := range old {
		for then := range now {
			change := SPFResultChange{SPFResult(before), SPFResult(then)}
			if before == then {
				continue
			}
			for _, p := range old[before].intersect(now[then]).prefixes() {
				if p.Addr().Is4() && change != d.IPv4 || p.Addr().Is6() && change != d.IPv6 {
					d.add(SPFChange{p, change})
				}
			}
		}
	}
	for _, changes := range []*[]SPFChange{&d.Gained, &d.Lost, &d.Changed} {
		list(changes)
		slices.SortFunc(*changes, func(x, y SPFChange) int { return x.Prefix.Compare(y.Prefix) })
	}
	d.UnlistedLost, d.UnlistedGained = different(spotTexts(unlistedBefore), spotTexts(unlistedAfter))
	d.Mended, d.Findings = different(a.findingIDs(), after.findingIDs())
	return d
}

func (d *SPFDiff) add(c SPFChange) {
	switch {
	case c.After == SPFPass:
		d.Gained = append(d.Gained, c)
	case c.Before == SPFPass:
		d.Lost = append(d.Lost, c)
	default:
		d.Changed = append(d.Changed, c)
	}
}

// senderSets returns the addresses of each result, those not listed included.
func senderSets(senders []SPFSender, four, six SPFResult) (sets [SPFPermError + 1]addrSet) {
	var ranges [SPFPermError + 1][]addrRange
	left := everyone()
	for _, s := range senders {
		if int(s.Result) < len(ranges) && s.Prefix.IsValid() {
			ranges[s.Result] = append(ranges[s.Result], rangeOf(s.Prefix))
		}
	}
	for result := range ranges {
		sets[result] = setOf(ranges[result])
		left = left.minus(sets[result])
	}
	for i, result := range []SPFResult{min(four, SPFPermError), min(six, SPFPermError)} {
		sets[result] = sets[result].union(left.intersect(everyone()[i : i+1]))
	}
	return sets
}

func spotTexts(spots []SPFSpot) (texts []string) {
	for _, at := range spots {
		texts = append(texts, at.Domain+": "+at.Term)
	}
	return texts
}

func (a *SPFAudit) findingIDs() (ids []string) {
	for _, f := range a.Findings {
		ids = append(ids, f.ID)
	}
	return ids
}

// different returns what is only in the first list and what is only in the
// second, in order, each once.
func different(first, second []string) (onlyFirst, onlySecond []string) {
	only := func(these, others []string) []string {
		out := []string{}
		known := make(map[string]bool, len(others))
		for _, s := range others {
			known[s] = true
		}
		for _, s := range these {
			if !known[s] {
				out = append(out, s)
				known[s] = true
			}
		}
		slices.Sort(out)
		return out
	}
	return only(first, second), only(second, first)
}
