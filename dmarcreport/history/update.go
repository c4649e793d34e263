package history

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// update is one change to one domain, in the making.
type update struct {
	Reader
	rules
	domain string
	quiet  bool

	dt      *domainTrack
	reports []ReportInfo // to store
	counted []*prepared  // to count: authentic and new
	rows    []Row
	expired []*prepared
	learnt  time.Time // the latest of the reports
}

// sort tells new reports from known ones and fills in u. It returns the
// status of each of the batch.
func (u *update) sort(ctx context.Context, batch []*prepared) ([]Status, error) {
	data, err := u.Domain(ctx)
	if err != nil {
		return nil, err
	}
	if u.dt, err = decodeDomain(data); err != nil {
		return nil, err
	}
	known, err := u.known(ctx, batch)
	if err != nil {
		return nil, err
	}
	statuses := make([]Status, len(batch))
	for i, p := range batch {
		u.learnt = later(u.learnt, p.info.Learnt)
		statuses[i] = u.take(p, known)
	}
	for _, r := range known.touched {
		u.reports = append(u.reports, *r)
	}
	return statuses, nil
}

// take fills in u with what a report changes, and returns its status.
func (u *update) take(p *prepared, known *knownReports) Status {
	if p.days.Last < u.dt.prunedTo {
		if p.info.Authentic {
			u.expired = append(u.expired, p)
		}
		return Expired
	}
	status := known.place(p.info)
	switch status {
	case Duplicate:
		return status
	case Promoted:
		for _, row := range p.rows {
			row.Authentic = false
			u.rows = append(u.rows, row.negative())
		}
	}
	u.rows = append(u.rows, p.rows...)
	if p.info.Authentic {
		u.counted = append(u.counted, p)
	}
	return status
}

// knownReports are the reports that those of a batch may repeat.
type knownReports struct {
	byKey   map[ReportKey][]*ReportInfo
	touched []*ReportInfo // new or changed, in order
}

// known asks the store for reports with the keys of the batch.
func (u *update) known(ctx context.Context, batch []*prepared) (*knownReports, error) {
	keys := make([]ReportKey, len(batch))
	for i, p := range batch {
		keys[i] = p.info.Key
	}
	stored, err := u.SameKey(ctx, keys)
	if err != nil {
		return nil, err
	}
	k := &knownReports{byKey: make(map[ReportKey][]*ReportInfo)}
	for i := range stored {
		k.byKey[stored[i].Key] = append(k.byKey[stored[i].Key], &stored[i])
	}
	return k, nil
}

func (k *knownReports) touch(r *ReportInfo) {
	if !slices.Contains(k.touched, r) {
		k.touched = append(k.touched, r)
	}
}

// place puts a report among the known ones, and returns its status.
func (k *knownReports) place(info ReportInfo) Status {
	same := k.byKey[info.Key]
	for _, r := range same {
		if r.Digest != info.Digest {
			continue
		}
		r.Copies++
		k.touch(r)
		if info.Authentic && !r.Authentic {
			r.Authentic = true
			return Promoted
		}
		return Duplicate
	}
	for _, r := range same {
		r.Conflict = true
		k.touch(r)
	}
	info.Conflict = len(same) > 0
	k.byKey[info.Key] = append(same, &info)
	k.touch(&info)
	switch {
	case info.Conflict:
		return Conflict
	case !info.Authentic:
		return Untrusted
	}
	return Accepted
}

// negative returns the row that takes r back.
func (r Row) negative() Row {
	r.Pass, r.Fail, r.Muted, r.Refused = -r.Pass, -r.Fail, -r.Muted, -r.Refused
	return r
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// apply counts the reports and derives the entries of the log.
func (u *update) apply(ctx context.Context) (*Delta, error) {
	horizon := u.dt.horizon
	before := u.dt.events(u.rules, u.domain)
	for _, p := range u.counted {
		u.dt.add(p.info.Key, p.days.Last, p.info.Policy)
		u.dt.days = addDay(u.dt.days, p.days.First, p.info.Totals)
	}
	var entries []Entry
	if len(u.counted) > 0 {
		entries = u.caused(changes(before, u.dt.events(u.rules, u.domain)), nil)
	}
	tracks, more, err := u.sources(ctx, horizon)
	if err != nil {
		return nil, err
	}
	entries = append(entries, more...)
	slices.SortStableFunc(entries, func(a, b Entry) int { return a.Event.Compare(b.Event) })
	return &Delta{Domain: u.dt.encode(), Reports: u.reports, Rows: mergeRows(u.rows), Tracks: tracks, Log: entries}, nil
}

// shown is what one report of the batch says of one source.
type shown struct {
	report *prepared
	row    Row
}

// sources counts the rows of the batch with their sources, and looks after
// those that only the horizon touches.
func (u *update) sources(ctx context.Context, horizon Day) (tracks []Track, entries []Entry, err error) {
	bySource := make(map[string][]shown)
	for _, p := range u.counted {
		for _, row := range p.rows {
			bySource[row.Source] = append(bySource[row.Source], shown{p, row})
		}
	}
	gone := make(map[string][]shown)
	for _, p := range u.expired {
		for _, row := range p.rows {
			gone[row.Source] = append(gone[row.Source], shown{p, row})
		}
	}
	names := make(map[string]bool) // of all rows: an untrusted source is stored too
	for _, row := range u.rows {
		names[row.Source] = true
	}
	for name := range gone {
		names[name] = true
	}
	stored, err := u.Tracks(ctx, sorted(names))
	if err != nil {
		return nil, nil, err
	}
	if u.dt.horizon > horizon {
		due, err := u.Due(ctx, u.dt.horizon)
		if err != nil {
			return nil, nil, err
		}
		for _, t := range due {
			if !names[t.Source] {
				stored = append(stored, t)
			}
		}
	}
	for _, t := range stored {
		delete(names, t.Source)
	}
	for name := range names {
		stored = append(stored, Track{Source: name})
	}
	slices.SortFunc(stored, func(a, b Track) int { return cmp.Compare(a.Source, b.Source) })
	for _, s := range stored {
		track, found, err := u.source(ctx, s, bySource[s.Source], gone[s.Source], horizon)
		if err != nil {
			return nil, nil, err
		}
		tracks = append(tracks, track)
		entries = append(entries, found...)
	}
	return tracks, entries, nil
}

// source counts what the batch says of one source and derives its entries.
func (u *update) source(ctx context.Context, stored Track, seen, gone []shown, horizon Day) (Track, []Entry, error) {
	whole := len(gone) > 0
	t, err := u.load(ctx, stored, whole)
	if err != nil {
		return Track{}, nil, err
	}
	if !t.hasPast && slices.ContainsFunc(seen, func(s shown) bool { return t.late(s.row.Day) }) {
		if t, err = u.load(ctx, stored, true); err != nil {
			return Track{}, nil, err
		}
	}
	before, _ := t.events(u.rules, u.domain, horizon)
	for _, s := range seen {
		t.add(s.row.Day, s.row.Totals)
		t.add(s.row.Last, Totals{})
	}
	for _, s := range gone {
		t.expire(s.row.Day, s.row.Totals, u.rules, u.dt.prunedTo)
	}
	after, due := t.events(u.rules, u.domain, u.dt.horizon)
	entries := u.caused(changes(before, after), seen)
	if t.wantsSplit() && !t.hasPast {
		past, err := u.Past(ctx, t.source)
		if err == nil {
			err = t.loadPast(past)
		}
		if err != nil {
			return Track{}, nil, err
		}
	}
	if t.hasPast {
		t.resplit(u.rules)
	}
	// Looking too early finds nothing and does no harm; an index that changes
	// with each report does.
	if stored.Due > u.dt.horizon && stored.Due <= due {
		due = stored.Due
	}
	return t.encode(due), entries, nil
}

// load decodes a track, with its past if whole.
func (u *update) load(ctx context.Context, stored Track, whole bool) (*track, error) {
	if stored.Recent == nil {
		return &track{source: stored.Source, hasPast: true}, nil
	}
	t, err := decodeTrack(stored)
	if err != nil || t.hasPast || !whole {
		return t, err
	}
	past, err := u.Past(ctx, stored.Source)
	if err != nil {
		return nil, err
	}
	return t, t.loadPast(past)
}

// caused adds to entries when they were learnt, from which report, and whether
// they are too old to be news.
func (u *update) caused(entries []Entry, seen []shown) []Entry {
	for i := range entries {
		e := &entries[i]
		e.Learnt = u.learnt
		told := e.Event.Day // up to when the report tells of it: one of a month is news when the month is over
		for _, s := range seen {
			if s.row.Day == e.Event.Day && (e.Report.Domain == "" || e.Messages == 0) {
				e.Report, e.Messages, e.Learnt, told = s.report.info.Key, s.row.Fail, s.report.info.Learnt, s.row.Last
			}
		}
		e.Quiet = u.quiet || u.alert != 0 && DayOf(e.Learnt)-told > u.alert
	}
	return entries
}

// mergeRows adds up rows of the same source, days, reporter and standing.
func mergeRows(rows []Row) []Row {
	slices.SortStableFunc(rows, Row.compare)
	merged := rows[:0]
	for _, row := range rows {
		if n := len(merged); n > 0 && merged[n-1].compare(row) == 0 {
			merged[n-1].Totals.Add(row.Totals)
			merged[n-1].Refused += row.Refused
			continue
		}
		merged = append(merged, row)
	}
	// What was added and taken back within one batch leaves nothing.
	return slices.DeleteFunc(merged, func(r Row) bool { return r.Totals == (Totals{}) && r.Refused == 0 })
}

func (r Row) compare(o Row) int {
	if c := cmp.Or(cmp.Compare(r.Source, o.Source), cmp.Compare(r.Day, o.Day), cmp.Compare(r.Reporter, o.Reporter), cmp.Compare(r.Last, o.Last)); c != 0 {
		return c
	}
	switch {
	case r.Authentic == o.Authentic:
		return 0
	case r.Authentic:
		return -1
	}
	return 1
}

func sorted(set map[string]bool) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
