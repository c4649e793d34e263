package history

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"
)

// Memory is a store without a disk, for tests and short runs. The zero value
// is ready. It can be used by several goroutines at once.
type Memory struct {
	mu        sync.RWMutex
	domains   map[string]*memoryDomain
	log       []Entry
	consumers map[string]*memoryConsumer
	notes     map[string]map[string]string // by topic
}

type memoryDomain struct {
	record  []byte
	reports map[reportIdentity]ReportInfo
	byKey   map[[16]byte][]Digest
	rows    map[string][]Row // by source, in order
	tracks  map[string]Track
}

type reportIdentity struct {
	key    [16]byte
	digest Digest
}

type memoryConsumer struct {
	seq   int64
	until time.Time // of the lease; zero: nobody is at work
}

var _ Store = (*Memory)(nil)

// Update implements Store.
func (m *Memory) Update(ctx context.Context, domain string, read func(Reader) (*Delta, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	d := m.domains[domain]
	if d == nil {
		d = new(memoryDomain)
	}
	delta, err := read(d)
	if err != nil || delta == nil {
		return err
	}
	if m.domains == nil {
		m.domains = make(map[string]*memoryDomain)
	}
	m.domains[domain] = d
	d.apply(delta)
	for _, e := range delta.Log {
		e.Seq = int64(len(m.log)) + 1
		m.log = append(m.log, e)
	}
	return nil
}

func (d *memoryDomain) apply(delta *Delta) {
	if d.tracks == nil {
		d.reports = make(map[reportIdentity]ReportInfo)
		d.byKey = make(map[[16]byte][]Digest)
		d.rows = make(map[string][]Row)
		d.tracks = make(map[string]Track)
	}
	d.record = delta.Domain
	for _, r := range delta.Reports {
		id := reportIdentity{r.Key.Hash(), r.Digest}
		if _, known := d.reports[id]; !known {
			d.byKey[id.key] = append(d.byKey[id.key], r.Digest)
		}
		d.reports[id] = r
	}
	for _, row := range delta.Rows {
		d.addRow(row)
	}
	for _, t := range delta.Tracks {
		if t.Past == nil {
			t.Past = d.tracks[t.Source].Past
		}
		d.tracks[t.Source] = t
	}
	if delta.Prune != 0 {
		d.prune(delta.Prune)
	}
}

func (d *memoryDomain) addRow(row Row) {
	rows := d.rows[row.Source]
	i, found := slices.BinarySearchFunc(rows, row, Row.compare)
	if !found {
		d.rows[row.Source] = slices.Insert(rows, i, row)
		return
	}
	rows[i].Totals.Add(row.Totals)
	rows[i].Refused += row.Refused
	if rows[i].Totals == (Totals{}) {
		d.rows[row.Source] = slices.Delete(rows, i, i+1)
	}
}

func (d *memoryDomain) prune(day Day) {
	for source, rows := range d.rows {
		rows = slices.DeleteFunc(rows, func(r Row) bool { return r.Last < day })
		if d.rows[source] = rows; len(rows) == 0 {
			delete(d.rows, source)
		}
	}
	for id, r := range d.reports {
		if r.Days.Last >= day {
			continue
		}
		delete(d.reports, id)
		d.byKey[id.key] = slices.DeleteFunc(d.byKey[id.key], func(g Digest) bool { return g == id.digest })
		if len(d.byKey[id.key]) == 0 {
			delete(d.byKey, id.key)
		}
	}
}

// View implements Store.
func (m *Memory) View(ctx context.Context, domain string, read func(Reader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	d := m.domains[domain]
	if d == nil {
		d = new(memoryDomain)
	}
	return read(d)
}

// Domains implements Store.
func (m *Memory) Domains(ctx context.Context) ([]string, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.Sorted(maps.Keys(m.domains)), ctx.Err()
}

// Log implements Store.
func (m *Memory) Log(ctx context.Context, after int64, limit int) ([]Entry, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	entries := m.log[min(max(after, 0), int64(len(m.log))):]
	if limit >= 0 && len(entries) > limit {
		entries = entries[:limit]
	}
	return slices.Clone(entries), ctx.Err()
}

// Consume implements Store.
func (m *Memory) Consume(ctx context.Context, consumer string, now func() time.Time, lease time.Duration, deliver func(Entry) error) error {
	seq, until, err := m.hold(consumer, now, lease)
	if err != nil {
		return err
	}
	defer func() { m.release(consumer, until) }()
	for {
		entries, err := m.Log(ctx, seq, 1)
		if err != nil || len(entries) == 0 {
			return err
		}
		if err := deliver(entries[0]); err != nil {
			return err
		}
		seq = entries[0].Seq
		if until, err = m.note(consumer, until, seq, now().Add(lease)); err != nil {
			return err
		}
	}
}

func (m *Memory) hold(consumer string, now func() time.Time, lease time.Duration) (int64, time.Time, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.consumers == nil {
		m.consumers = make(map[string]*memoryConsumer)
	}
	c := m.consumers[consumer]
	if c == nil {
		c = new(memoryConsumer)
		m.consumers[consumer] = c
	}
	t := now()
	if c.until.After(t) {
		return 0, time.Time{}, ErrBusy
	}
	c.until = t.Add(lease)
	return c.seq, c.until, nil
}

// note moves the consumer on and the lease with it, unless another took it.
func (m *Memory) note(consumer string, held time.Time, seq int64, until time.Time) (time.Time, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.consumers[consumer]
	if !c.until.Equal(held) {
		return held, ErrBusy
	}
	c.seq, c.until = seq, until
	return until, nil
}

func (m *Memory) release(consumer string, held time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.consumers[consumer]; c.until.Equal(held) {
		c.until = time.Time{}
	}
}

// Note implements Store.
func (m *Memory) Note(ctx context.Context, topic, key, was, value string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.notes == nil {
		m.notes = make(map[string]map[string]string)
	}
	notes := m.notes[topic]
	if notes[key] != was || ctx.Err() != nil {
		return false, ctx.Err()
	}
	if notes == nil {
		notes = make(map[string]string)
		m.notes[topic] = notes
	}
	if notes[key] = value; value == "" {
		delete(notes, key)
	}
	return true, nil
}

// Notes implements Store.
func (m *Memory) Notes(ctx context.Context, topic string) (map[string]string, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	notes := maps.Clone(m.notes[topic])
	if notes == nil {
		notes = make(map[string]string)
	}
	return notes, ctx.Err()
}

// Domain implements Reader.
func (d *memoryDomain) Domain(context.Context) ([]byte, error) { return d.record, nil }

// SameKey implements Reader.
func (d *memoryDomain) SameKey(_ context.Context, keys []ReportKey) ([]ReportInfo, error) {
	var found []ReportInfo
	seen := make(map[[16]byte]bool)
	for _, k := range keys {
		hash := k.Hash()
		if seen[hash] {
			continue
		}
		seen[hash] = true
		for _, digest := range d.byKey[hash] {
			found = append(found, d.reports[reportIdentity{hash, digest}])
		}
	}
	return found, nil
}

// Tracks implements Reader.
func (d *memoryDomain) Tracks(_ context.Context, sources []string) ([]Track, error) {
	var found []Track
	for _, source := range sources {
		if t, ok := d.tracks[source]; ok {
			t.Past = nil
			found = append(found, t)
		}
	}
	return found, nil
}

// Due implements Reader.
func (d *memoryDomain) Due(_ context.Context, day Day) ([]Track, error) {
	var due []Track
	for _, t := range d.tracks {
		if t.Due != 0 && t.Due <= day {
			t.Past = nil
			due = append(due, t)
		}
	}
	return due, nil
}

// AllTracks implements Reader.
func (d *memoryDomain) AllTracks(context.Context) iter.Seq2[Track, error] {
	return func(yield func(Track, error) bool) {
		for _, source := range slices.Sorted(maps.Keys(d.tracks)) {
			t := d.tracks[source]
			t.Past = nil
			if !yield(t, nil) {
				return
			}
		}
	}
}

// Past implements Reader.
func (d *memoryDomain) Past(_ context.Context, source string) ([]byte, error) {
	return d.tracks[source].Past, nil
}

// Rows implements Reader.
func (d *memoryDomain) Rows(_ context.Context, source string, p Period) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		sources := []string{source}
		if source == "" {
			sources = slices.Sorted(maps.Keys(d.rows))
		}
		for _, source := range sources {
			for _, row := range d.rows[source] {
				if p.Contains(row.Day) && !yield(row, nil) {
					return
				}
			}
		}
	}
}

// Reports implements Reader.
func (d *memoryDomain) Reports(_ context.Context, p Period) iter.Seq2[ReportInfo, error] {
	return func(yield func(ReportInfo, error) bool) {
		reports := slices.SortedFunc(maps.Values(d.reports), ReportInfo.compare)
		for _, r := range reports {
			if p.Contains(r.Days.First) && !yield(r, nil) {
				return
			}
		}
	}
}

func (r ReportInfo) compare(o ReportInfo) int {
	return cmp.Or(r.Key.Begin.Compare(o.Key.Begin), cmp.Compare(r.Key.Reporter, o.Key.Reporter),
		cmp.Compare(r.Key.ID, o.Key.ID), cmp.Compare(r.Digest.String(), o.Digest.String()))
}
