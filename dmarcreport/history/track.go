package history

import "slices"

// Track is what a store keeps of one source of one domain beside its rows: the
// days with all reporters added up, in two records that only this package
// reads. Recent is small and rewritten with each report; Past holds the days
// before and is touched rarely.
type Track struct {
	Source string
	// Due is the latest day that a domain's reports must reach for something
	// to be derived from the source's silence; zero: nothing is.
	Due    Day
	Recent []byte
	Past   []byte // nil in a change: leave what is stored
}

// The days of a track are split at a day that leaves at least hotMin days to
// the recent record, once that spans more than hotMax.
const (
	hotMin = 2*jumpWindow + 4
	hotMax = hotMin + 36
)

// track is a Track, decoded.
type track struct {
	source string
	// root are the marks before all days kept; prunedTo the first day kept,
	// zero where nothing was pruned.
	root     Marks
	prunedTo Day
	past     []DayTotals // before split; only after loadPast
	hasPast  bool        // whether past is loaded, or there is none
	split    Day         // first day of recent; zero where there is no past
	base     Marks       // the marks before split
	before   Totals      // of all days in past
	recent   []DayTotals
}

const trackVersion = 1

func decodeTrack(t Track) (*track, error) {
	d := decoder{buf: t.Recent}
	d.version(trackVersion)
	tr := &track{source: t.Source, split: Day(d.int()), base: d.marks(), before: d.totals(), recent: d.days()}
	tr.hasPast = tr.split == 0
	return tr, d.err("source " + t.Source)
}

func (t *track) loadPast(data []byte) error {
	d := decoder{buf: data}
	d.version(trackVersion)
	t.prunedTo, t.root, t.past = Day(d.int()), d.marks(), d.days()
	t.hasPast = true
	return d.err("source " + t.source)
}

// encode returns the records. due is for the store's index.
func (t *track) encode(due Day) Track {
	e := encoder{buf: make([]byte, 0, 64+5*len(t.recent))}
	e.uint(trackVersion)
	e.int(int64(t.split))
	e.marks(t.base)
	e.totals(t.before)
	e.days(t.recent)
	out := Track{Source: t.source, Due: due, Recent: e.buf}
	if t.hasPast && t.split != 0 {
		p := encoder{buf: make([]byte, 0, 64+5*len(t.past))}
		p.uint(trackVersion)
		p.int(int64(t.prunedTo))
		p.marks(t.root)
		p.days(t.past)
		out.Past = p.buf
	}
	return out
}

// late reports whether a day can only be added with the past at hand: its
// volume, or that of the day before it, is judged by days before the split.
func (t *track) late(day Day) bool { return t.split != 0 && day <= t.split+jumpWindow }

// fold returns the fold over all days if the past is loaded, else over the
// recent ones.
func (t *track) fold(r rules, domain string) (*sourceFold, []DayTotals) {
	f := &sourceFold{rules: r, domain: domain, source: t.source}
	if t.split == 0 {
		return f, t.recent
	}
	if !t.hasPast {
		f.Marks, f.jumpFrom = t.base, t.split+jumpWindow
		return f, t.recent
	}
	f.Marks = t.root
	if t.prunedTo != 0 {
		f.jumpFrom = t.prunedTo + jumpWindow
	}
	return f, slices.Concat(t.past, t.recent)
}

// events returns what can be derived under a horizon, and the day on which
// more can be.
func (t *track) events(r rules, domain string, horizon Day) ([]Event, Day) {
	f, days := t.fold(r, domain)
	events := f.run(days, horizon)
	return events, f.due()
}

// state returns the marks under a horizon.
func (t *track) state(r rules, horizon Day) Marks {
	f, days := t.fold(r, "")
	f.run(days, horizon)
	return f.Marks
}

// add counts messages of a day. Those of a late day need the past loaded.
func (t *track) add(day Day, n Totals) {
	if t.split != 0 && day < t.split {
		t.past = addDay(t.past, day, n)
		return
	}
	t.recent = addDay(t.recent, day, n)
}

// wantsSplit reports whether so many days are in the recent record that some
// should move to the past.
func (t *track) wantsSplit() bool {
	n := len(t.recent)
	return n > 0 && t.recent[n-1].Day-t.recent[0].Day > hotMax
}

// resplit moves days to the past and sets the base again. The past must be
// loaded.
func (t *track) resplit(r rules) {
	if t.wantsSplit() {
		t.split = t.recent[len(t.recent)-1].Day - hotMin
	}
	if t.split == 0 {
		return
	}
	all := slices.Concat(t.past, t.recent)
	i := cutDays(all, t.split)
	t.past, t.recent = all[:i:i], slices.Clone(all[i:])
	f := sourceFold{rules: r, source: t.source, Marks: t.root}
	f.days(t.past)
	t.base = f.Marks
	t.before = Totals{}
	for _, d := range t.past {
		t.before.Add(d.Totals)
	}
}

// prune drops the days before day and keeps their marks. The past must be
// loaded.
func (t *track) prune(r rules, day Day) {
	if t.split == 0 {
		// Rows to drop make a past, were it an empty one.
		t.split = day
	}
	t.split = max(t.split, day)
	all := slices.Concat(t.past, t.recent)
	i := cutDays(all, day)
	f := sourceFold{rules: r, source: t.source, Marks: t.root}
	f.days(all[:i])
	t.root, t.prunedTo = f.Marks, day
	j := cutDays(all, t.split)
	t.past, t.recent = slices.Clone(all[i:j]), slices.Clone(all[j:])
	t.resplit(r)
}

// expire notes a day before all days kept: it only moves the marks. The past
// must be loaded.
func (t *track) expire(day Day, n Totals, r rules, kept Day) {
	if t.split == 0 {
		t.split, t.prunedTo = kept, kept
	}
	m := &t.root
	if m.FirstSeen == 0 || day < m.FirstSeen {
		m.FirstSeen = day
	}
	m.LastSeen = max(m.LastSeen, day)
	if n.Pass > 0 {
		m.LastPass = max(m.LastPass, day)
	}
	if n.Fail >= r.fail {
		if m.FirstFail == 0 || day < m.FirstFail {
			m.FirstFail = day
		}
		m.LastFail = max(m.LastFail, day)
	}
}
