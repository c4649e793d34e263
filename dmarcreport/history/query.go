package history

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
)

// Source is what is known of one source of a domain.
type Source struct {
	Source string `json:"source"`
	State  State  `json:"state"`
	Marks
	// Totals are those of the period asked for, authentic reports only.
	Totals
}

// Sources returns the sources of a domain: those that fail first, then by
// messages in the period. Sources without mail in the period are left out,
// unless the period is open at both ends.
func (h *History) Sources(ctx context.Context, domain string, p Period) ([]Source, error) {
	domain = domainKey(domain)
	r := h.Rules.resolve()
	var sources []Source
	err := h.view(ctx, domain, func(rd Reader, dt *domainTrack) error {
		u := &update{Reader: rd, rules: r, domain: domain}
		for stored, err := range rd.AllTracks(ctx) {
			if err != nil {
				return err
			}
			s, ok, err := u.describe(ctx, stored, p, dt.horizon)
			if err != nil {
				return err
			}
			if ok {
				sources = append(sources, s)
			}
		}
		return nil
	})
	slices.SortFunc(sources, func(a, b Source) int {
		failing := func(s Source) int {
			if s.State == Failing {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(failing(a), failing(b)), cmp.Compare(b.Messages(), a.Messages()), cmp.Compare(a.Source, b.Source))
	})
	return sources, err
}

// describe decodes no more of a source than the period needs.
func (u *update) describe(ctx context.Context, stored Track, p Period, horizon Day) (Source, bool, error) {
	t, err := u.load(ctx, stored, false)
	if err != nil {
		return Source{}, false, err
	}
	s := Source{Source: t.source, Marks: t.state(u.rules, horizon)}
	s.State = s.Marks.State()
	if s.LastSeen == 0 {
		return s, false, nil // only reports that are not authentic name it
	}
	days := t.recent
	switch {
	case p.First <= s.FirstSeen && (p.Last == 0 || p.Last >= t.split):
		s.Totals = t.before
	case !t.hasPast && (p.First < t.split):
		if t, err = u.load(ctx, stored, true); err != nil {
			return s, false, err
		}
		days = slices.Concat(t.past, t.recent)
	}
	for _, d := range days {
		if p.Contains(d.Day) {
			s.Totals.Add(d.Totals)
		}
	}
	return s, s.Messages() > 0 || p == Period{}, nil
}

// Source returns one source of a domain with its days; ok is false where no
// authentic report names it.
func (h *History) Source(ctx context.Context, domain, source string) (s Source, days []DayTotals, ok bool, err error) {
	err = h.view(ctx, domain, func(rd Reader, dt *domainTrack) error {
		u := &update{Reader: rd, rules: h.Rules.resolve(), domain: domain}
		stored, err := rd.Tracks(ctx, []string{source})
		if err != nil || len(stored) == 0 {
			return err
		}
		t, err := u.load(ctx, stored[0], true)
		if err != nil {
			return err
		}
		s = Source{Source: source, Marks: t.state(u.rules, dt.horizon)}
		s.State = s.Marks.State()
		days = slices.DeleteFunc(slices.Concat(t.past, t.recent), func(d DayTotals) bool { return d.Messages() == 0 })
		for _, d := range days {
			s.Totals.Add(d.Totals)
		}
		ok = s.LastSeen != 0
		return nil
	})
	return s, days, ok, err
}

// Days returns the days of a domain in a period, all sources and reporters
// added up. Reports of many days are counted on their first.
func (h *History) Days(ctx context.Context, domain string, p Period) ([]DayTotals, error) {
	var days []DayTotals
	err := h.view(ctx, domain, func(_ Reader, dt *domainTrack) error {
		for _, d := range dt.days {
			if p.Contains(d.Day) {
				days = append(days, d)
			}
		}
		return nil
	})
	return days, err
}

// Rows returns what each reporter saw of a source ("" for all) day by day,
// reports that are not authentic included and marked.
func (h *History) Rows(ctx context.Context, domain, source string, p Period) ([]Row, error) {
	return collect(ctx, h.Store, domain, func(r Reader) iter.Seq2[Row, error] { return r.Rows(ctx, source, p) })
}

// Reports returns the reports of a domain whose first day lies in the period.
func (h *History) Reports(ctx context.Context, domain string, p Period) ([]ReportInfo, error) {
	return collect(ctx, h.Store, domain, func(r Reader) iter.Seq2[ReportInfo, error] { return r.Reports(ctx, p) })
}

// Reporter is one of those who report on a domain.
type Reporter struct {
	Reporter string `json:"reporter"`
	First    Day    `json:"first"`
	Last     Day    `json:"last"` // the latest day it told of
	Days     int    `json:"days"` // that it told of
	Policy   string `json:"policy"`
	Vanished bool   `json:"vanished"`
}

// Reporters returns who reports on a domain, in authentic reports, by name.
func (h *History) Reporters(ctx context.Context, domain string) ([]Reporter, error) {
	var reporters []Reporter
	r := h.Rules.resolve()
	err := h.view(ctx, domain, func(_ Reader, dt *domainTrack) error {
		reporters = make([]Reporter, len(dt.reporters))
		for i, name := range dt.reporters {
			reporters[i].Reporter = name
		}
		for _, p := range dt.points {
			m := &reporters[p.reporter]
			if m.First == 0 {
				m.First = p.day
			}
			if p.day > m.Last {
				m.Last = p.day
				m.Days++
			}
			m.Policy = dt.policies[p.policy]
		}
		for i := range reporters {
			m := &reporters[i]
			m.Vanished = r.vanish != 0 && m.Days >= r.regular && dt.horizon > m.Last+r.vanish
		}
		return nil
	})
	slices.SortFunc(reporters, func(a, b Reporter) int { return cmp.Compare(a.Reporter, b.Reporter) })
	return reporters, err
}

// Events returns what stands of a domain ("" for all), in order: the log,
// replayed.
func (h *History) Events(ctx context.Context, domain string) ([]Event, error) {
	entries, err := h.Store.Log(ctx, 0, -1)
	if err != nil {
		return nil, err
	}
	if domain = domainKey(domain); domain != "" {
		entries = slices.DeleteFunc(entries, func(e Entry) bool { return e.Event.Domain != domain })
	}
	return Replay(entries), nil
}

// Derive folds the reports of a domain again, from nothing but what is stored
// of its sources and reporters. Unless rows were pruned it equals Events.
func (h *History) Derive(ctx context.Context, domain string) ([]Event, error) {
	domain = domainKey(domain)
	r := h.Rules.resolve()
	var events []Event
	err := h.view(ctx, domain, func(rd Reader, dt *domainTrack) error {
		events = dt.events(r, domain)
		u := &update{Reader: rd, rules: r, domain: domain}
		for stored, err := range rd.AllTracks(ctx) {
			if err != nil {
				return err
			}
			t, err := u.load(ctx, stored, true)
			if err != nil {
				return err
			}
			found, _ := t.events(r, domain, dt.horizon)
			events = append(events, found...)
		}
		return nil
	})
	slices.SortFunc(events, Event.Compare)
	return events, err
}

func (h *History) view(ctx context.Context, domain string, read func(Reader, *domainTrack) error) error {
	domain = domainKey(domain)
	err := h.Store.View(ctx, domain, func(r Reader) error {
		data, err := r.Domain(ctx)
		if err != nil {
			return err
		}
		dt, err := decodeDomain(data)
		if err != nil {
			return err
		}
		return read(r, dt)
	})
	if err != nil {
		return fmt.Errorf("history: %s: %w", domain, err)
	}
	return nil
}

func collect[T any](ctx context.Context, s Store, domain string, from func(Reader) iter.Seq2[T, error]) ([]T, error) {
	var all []T
	domain = domainKey(domain)
	err := s.View(ctx, domain, func(r Reader) error {
		for v, err := range from(r) {
			if err != nil {
				return err
			}
			all = append(all, v)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("history: %s: %w", domain, err)
	}
	return all, nil
}
