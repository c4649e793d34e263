// Package digest sums up a history for people: one digest an address for all
// the domains that share it, as data, text and HTML mail.
package digest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/internal/enum"
)

// State is how a domain fared in a period.
// As text: no-reports, clean, attention.
type State uint8

// The states. A period without reports is never a clean one: nobody looked.
const (
	NoReports State = iota // no authentic report about the period has come
	Clean                  // no event, and no message failed but by forwarders and lists
	Attention              // something failed or happened
)

var stateNames = enum.Names{"no-reports", "clean", "attention"}

// String returns the state in kebab-case.
func (s State) String() string { return stateNames.String("State", uint8(s)) }

// MarshalText returns the state in kebab-case.
func (s State) MarshalText() ([]byte, error) { return stateNames.MarshalText("State", uint8(s)) }

// UnmarshalText reads what MarshalText writes; another word is an error.
func (s *State) UnmarshalText(text []byte) error {
	v, err := stateNames.Parse("State", text)
	*s = State(v)
	return err
}

// Digest is a period of some domains, summed up.
type Digest struct {
	Address string         `json:"address"`
	Period  history.Period `json:"period"`
	Domains []Domain       `json:"domains"` // those that need attention first
}

// Clean reports whether every domain was clean. A digest without domains is
// not: nobody looked.
func (d *Digest) Clean() bool {
	return len(d.Domains) > 0 && !slices.ContainsFunc(d.Domains, func(d Domain) bool { return d.State != Clean })
}

// Domain is one domain of a digest.
type Domain struct {
	Domain string `json:"domain"`
	State  State  `json:"state"`
	history.Totals
	Before  history.Totals      `json:"before"`  // of the period of the same length before
	Days    []history.DayTotals `json:"days"`    // every day of the period, empty ones too
	Reports int                 `json:"reports"` // authentic ones about the period
	Sources int                 `json:"sources"` // that sent mail
	Failing []history.Source    `json:"failing"` // sources with failing mail, at most TopSources, most first
	Events  []history.Event     `json:"events"`  // of the period
	// Late are the changes that were learnt in the period and are about an
	// earlier one, which an earlier digest told otherwise.
	Late      []history.Entry    `json:"late"`
	Reporters []history.Reporter `json:"reporters"` // when each reported last
}

// Silent returns the usual reporters that no longer report.
func (d *Domain) Silent() []string {
	var names []string
	for _, r := range d.Reporters {
		if r.Vanished {
			names = append(names, r.Reporter)
		}
	}
	return names
}

// TopSources is how many failing sources a digest lists for a domain.
const TopSources = 10

// MaxDays is the longest period of a digest.
const MaxDays = 3660

// ErrPeriod says that a period is open at an end, empty, or longer than MaxDays.
var ErrPeriod = errors.New("digest: not a period that can be summed up")

// Make sums up a period, closed at both ends, of domains for an address. Another
// period than that, or one of more than MaxDays, is ErrPeriod.
func Make(ctx context.Context, h *history.History, address string, p history.Period, domains ...string) (*Digest, error) {
	if p.First == 0 || p.Last < p.First || int64(p.Last)-int64(p.First) >= MaxDays {
		return nil, ErrPeriod
	}
	log, err := h.Store.Log(ctx, 0, -1)
	if err != nil {
		return nil, err
	}
	d := &Digest{Address: address, Period: p}
	for _, name := range domains {
		domain, err := summary(ctx, h, name, p, log)
		if err != nil {
			return nil, err
		}
		d.Domains = append(d.Domains, domain)
	}
	rank := func(s State) int { return slices.Index([]State{Attention, NoReports, Clean}, s) }
	slices.SortStableFunc(d.Domains, func(a, b Domain) int {
		if c := rank(a.State) - rank(b.State); c != 0 {
			return c
		}
		return strings.Compare(a.Domain, b.Domain)
	})
	return d, nil
}

func summary(ctx context.Context, h *history.History, name string, p history.Period, log []history.Entry) (Domain, error) {
	d := Domain{Domain: name}
	length := p.Last - p.First + 1
	days, err := h.Days(ctx, name, history.Period{First: p.First - length, Last: p.Last})
	if err != nil {
		return d, err
	}
	for day := p.First; day <= p.Last; day++ {
		d.Days = append(d.Days, history.DayTotals{Day: day})
	}
	for _, t := range days {
		if t.Day < p.First {
			d.Before.Add(t.Totals)
			continue
		}
		d.Totals.Add(t.Totals)
		d.Days[t.Day-p.First].Totals = t.Totals
	}
	reports, err := h.Reports(ctx, name, p)
	if err != nil {
		return d, err
	}
	for _, r := range reports {
		if r.Authentic {
			d.Reports++
		}
	}
	sources, err := h.Sources(ctx, name, p)
	if err != nil {
		return d, err
	}
	d.Sources = len(sources)
	d.Failing = slices.DeleteFunc(sources, func(s history.Source) bool { return s.Fail == 0 })
	slices.SortStableFunc(d.Failing, func(a, b history.Source) int { return cmp.Compare(b.Fail, a.Fail) })
	d.Failing = d.Failing[:min(len(d.Failing), TopSources)]

	mine := slices.Clone(log)
	mine = slices.DeleteFunc(mine, func(e history.Entry) bool { return e.Event.Domain != name })
	for _, e := range history.Replay(mine) {
		if p.Contains(e.Day) {
			d.Events = append(d.Events, e)
		}
	}
	// What was learnt on the first day is mostly about the day before, and
	// was to be in the digest before.
	learnt := history.Period{First: p.First + 1, Last: p.Last + 1}
	for _, e := range mine {
		if e.Event.Day < p.First && !e.Quiet && learnt.Contains(history.DayOf(e.Learnt)) {
			d.Late = append(d.Late, e)
		}
	}
	if d.Reporters, err = h.Reporters(ctx, name); err != nil {
		return d, err
	}
	switch {
	case d.Reports == 0:
		d.State = NoReports
	case d.Fail == 0 && len(d.Events) == 0 && len(d.Late) == 0:
		d.State = Clean
	default:
		d.State = Attention
	}
	return d, nil
}
