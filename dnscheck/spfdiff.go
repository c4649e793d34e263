package dnscheck

import (
	"net/netip"
	"slices"
)

// SPFDiff is what changes for senders between two audits. Addresses that neither
// record names have the result of Default.
type SPFDiff struct {
	Gained  []SPFChange `json:"gained"`  // addresses that pass now
	Lost    []SPFChange `json:"lost"`    // addresses that passed
	Changed []SPFChange `json:"changed"` // addresses with another result, neither of them pass

	// UnlistedGained and UnlistedLost are terms whose addresses cannot be
	// listed: exists, ptr and macros of the sender.
	UnlistedGained []string `json:"unlisted_gained"`
	UnlistedLost   []string `json:"unlisted_lost"`

	Default   SPFResultChange `json:"default"`   // of addresses that no term names
	IPv4      SPFResultChange `json:"ipv4"`      // what such a client meets in fact: the worst case with all errors
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
		d.Default.Before == d.Default.After && d.IPv4.Before == d.IPv4.After && d.IPv6.Before == d.IPv6.After
}

// Diff says what changes for senders from this audit to another one: of the
// same domain later, or of a record not published yet. It compares addresses,
// not texts. Audits read back from JSON are as good.
func (a *SPFAudit) Diff(after *SPFAudit) *SPFDiff {
	d := &SPFDiff{
		Default:   SPFResultChange{a.Default, after.Default},
		IPv4:      SPFResultChange{a.IPv4.Result, after.IPv4.Result},
		IPv6:      SPFResultChange{a.IPv6.Result, after.IPv6.Result},
		Lookups:   SPFCountChange{a.Lookups, after.Lookups},
		Truncated: a.Truncated || after.Truncated,
	}
	old, now := a.sets(), after.sets()
	for before := range old {
		for then := range now {
			change := SPFResultChange{SPFResult(before), SPFResult(then)}
			if before == then || change == d.Default {
				continue
			}
			for _, p := range old[before].intersect(now[then]).prefixes() {
				d.add(SPFChange{p, change})
			}
		}
	}
	for _, changes := range []*[]SPFChange{&d.Gained, &d.Lost, &d.Changed} {
		list(changes)
		slices.SortFunc(*changes, func(x, y SPFChange) int { return x.Prefix.Compare(y.Prefix) })
	}
	d.UnlistedLost, d.UnlistedGained = different(a.unlistedTexts(), after.unlistedTexts())
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

// sets returns the addresses of each result.
func (a *SPFAudit) sets() (sets [SPFPermError + 1]addrSet) {
	var ranges [SPFPermError + 1][]addrRange
	left := everyone()
	for _, s := range a.Senders {
		if int(s.Result) < len(ranges) && s.Prefix.IsValid() {
			ranges[s.Result] = append(ranges[s.Result], rangeOf(s.Prefix))
		}
	}
	for result := range ranges {
		sets[result] = setOf(ranges[result])
		left = left.minus(sets[result])
	}
	sets[min(a.Default, SPFPermError)] = sets[min(a.Default, SPFPermError)].union(left)
	return sets
}

func (a *SPFAudit) unlistedTexts() (texts []string) {
	for _, at := range a.Unlisted {
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
