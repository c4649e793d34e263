package dnscheck

import (
	"container/heap"
	"slices"
)

// claim is a range of addresses that a term matches.
type claim struct {
	addrRange
	order  int // of the term: the first one that matches decides
	result SPFResult
}

// claims is a heap: the first term is on top.
type claims []claim

func (c claims) Len() int           { return len(c) }
func (c claims) Less(i, j int) bool { return c[i].order < c[j].order }
func (c claims) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *claims) Push(x any)        { *c = append(*c, x.(claim)) }
func (c *claims) Pop() any {
	last := len(*c) - 1
	x := (*c)[last]
	*c = (*c)[:last]
	return x
}

// settle gives every address that is claimed to the first of its claimants, in one
// sweep over the ranges in order: give gets a claim cut to what it won, lowest
// addresses first. It may reorder all.
func settle(all []claim, give func(claim)) {
	slices.SortFunc(all, func(a, b claim) int { return a.lo.Compare(b.lo) })
	var open claims // that reach to at or may end before it
	for len(all) > 0 {
		for at := all[0].lo; at.IsValid(); {
			for len(all) > 0 && all[0].lo == at {
				heap.Push(&open, all[0])
				all = all[1:]
			}
			for len(open) > 0 && open[0].hi.Less(at) {
				heap.Pop(&open)
			}
			if len(open) == 0 {
				break
			}
			first := open[0]
			if len(all) > 0 && all[0].lo.Compare(first.hi) <= 0 {
				first.hi = all[0].lo.Prev()
			}
			first.lo = at
			give(first)
			at = first.hi.Next() // invalid behind a family's last address
		}
		open = open[:0]
	}
}
