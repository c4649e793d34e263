package history_test

import (
	"context"
	"errors"
	"iter"
	"net/netip"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport/history"
)

var errBroken = errors.New("the store is broken")

// brokenStore fails at one of the questions that it is asked, the first being 0.
type brokenStore struct {
	*history.Memory
	at, asked int
}

func (s *brokenStore) fails() bool {
	s.asked++
	return s.asked-1 == s.at
}

func (s *brokenStore) Update(ctx context.Context, domain string, read func(history.Reader) (*history.Delta, error)) error {
	if s.fails() {
		return errBroken
	}
	return s.Memory.Update(ctx, domain, func(r history.Reader) (*history.Delta, error) { return read(&brokenReader{r, s}) })
}

func (s *brokenStore) View(ctx context.Context, domain string, read func(history.Reader) error) error {
	if s.fails() {
		return errBroken
	}
	return s.Memory.View(ctx, domain, func(r history.Reader) error { return read(&brokenReader{r, s}) })
}

func (s *brokenStore) Domains(ctx context.Context) ([]string, error) {
	if s.fails() {
		return nil, errBroken
	}
	return s.Memory.Domains(ctx)
}

func (s *brokenStore) Log(ctx context.Context, after int64, limit int) ([]history.Entry, error) {
	if s.fails() {
		return nil, errBroken
	}
	return s.Memory.Log(ctx, after, limit)
}

type brokenReader struct {
	history.Reader
	store *brokenStore
}

func (r *brokenReader) Domain(ctx context.Context) ([]byte, error) {
	if r.store.fails() {
		return nil, errBroken
	}
	return r.Reader.Domain(ctx)
}

func (r *brokenReader) SameKey(ctx context.Context, keys []history.ReportKey) ([]history.ReportInfo, error) {
	if r.store.fails() {
		return nil, errBroken
	}
	return r.Reader.SameKey(ctx, keys)
}

func (r *brokenReader) Tracks(ctx context.Context, sources []string) ([]history.Track, error) {
	if r.store.fails() {
		return nil, errBroken
	}
	return r.Reader.Tracks(ctx, sources)
}

func (r *brokenReader) Due(ctx context.Context, day history.Day) ([]history.Track, error) {
	if r.store.fails() {
		return nil, errBroken
	}
	return r.Reader.Due(ctx, day)
}

func (r *brokenReader) Past(ctx context.Context, source string) ([]byte, error) {
	if r.store.fails() {
		return nil, errBroken
	}
	return r.Reader.Past(ctx, source)
}

func (r *brokenReader) AllTracks(ctx context.Context) iter.Seq2[history.Track, error] {
	return broken(r.store, r.Reader.AllTracks(ctx))
}

func (r *brokenReader) Rows(ctx context.Context, source string, p history.Period) iter.Seq2[history.Row, error] {
	return broken(r.store, r.Reader.Rows(ctx, source, p))
}

func (r *brokenReader) Reports(ctx context.Context, p history.Period) iter.Seq2[history.ReportInfo, error] {
	return broken(r.store, r.Reader.Reports(ctx, p))
}

func broken[T any](s *brokenStore, all iter.Seq2[T, error]) iter.Seq2[T, error] {
	if s.fails() {
		return func(yield func(T, error) bool) {
			var none T
			yield(none, errBroken)
		}
	}
	return all
}

// An error of the store, at whichever of its answers, reaches the caller: nothing is
// told from half of what is stored, and what was asked again is whole.
func TestAnErrorOfTheStoreReachesTheCaller(t *testing.T) {
	var past []history.Submission
	past = append(past, days("r.example", 0, 60, pass("192.0.2.1", 9), fail("192.0.2.66", 2))...)
	period := history.Period{First: day(0), Last: day(500)}
	for name, do := range map[string]func(*history.History) error{
		"Add": func(h *history.History) error {
			_, err := h.Add(t.Context(), report("r.example", 61, fail("192.0.2.1", 1)))
			return err
		},
		"a late Add": func(h *history.History) error {
			_, err := h.Add(t.Context(), report("s.example", 3, fail("192.0.2.1", 1)))
			return err
		},
		"Deliver": func(h *history.History) error {
			return h.Deliver(t.Context(), "mail", time.Minute, time.Now, func(history.Entry) error { return nil })
		},
		"Prune":     func(h *history.History) error { return h.Prune(t.Context(), day0.AddDate(3, 0, 0)) },
		"Sources":   func(h *history.History) error { _, err := h.Sources(t.Context(), domain, period); return err },
		"Source":    func(h *history.History) error { _, _, _, err := h.Source(t.Context(), domain, "192.0.2.1"); return err },
		"Days":      func(h *history.History) error { _, err := h.Days(t.Context(), domain, period); return err },
		"Rows":      func(h *history.History) error { _, err := h.Rows(t.Context(), domain, "", period); return err },
		"Reports":   func(h *history.History) error { _, err := h.Reports(t.Context(), domain, period); return err },
		"Reporters": func(h *history.History) error { _, err := h.Reporters(t.Context(), domain); return err },
		"Events":    func(h *history.History) error { _, err := h.Events(t.Context(), ""); return err },
		"Derive":    func(h *history.History) error { _, err := h.Derive(t.Context(), domain); return err },
		"Find": func(h *history.History) error {
			_, err := h.Find(t.Context(), history.Refusal{AuthorDomain: domain, IP: netip.MustParseAddr("192.0.2.70"), Day: day(20)})
			return err
		},
		"Find, of a source that is known": func(h *history.History) error {
			_, err := h.Find(t.Context(), history.Refusal{AuthorDomain: domain, IP: netip.MustParseAddr("192.0.2.66"), Day: day(20)})
			return err
		},
	} {
		asked := 1
		for at := 0; at < asked; at++ {
			s := &brokenStore{Memory: new(history.Memory), at: -1}
			h := &history.History{Store: s}
			add(t, h, past...)
			other := report("r.example", 0, pass("192.0.2.9", 1))
			other.Policy.Domain = "b.example"
			add(t, h, other)
			s.at, s.asked = at, 0
			err := do(h)
			if at == 0 {
				s.at, s.asked = -1, 0
				if err := do(h); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				asked = s.asked
				if name == "Deliver" {
					asked = 0 // the store's own Consume, which storetest checks
					continue
				}
			}
			if !errors.Is(err, errBroken) {
				t.Errorf("%s, at question %d of %d: %v", name, at, asked, err)
			}
		}
	}
}

// Whose name a source sends in beside the one that was asked about.
func TestFindNamesTheOtherDomainsOfASource(t *testing.T) {
	h := &history.History{Store: new(history.Memory)}
	add(t, h, report("r.example", 0, fail("192.0.2.66", 1)))
	for _, d := range []string{"c.example", "b.example"} {
		s := report("r.example", 0, pass("192.0.2.66", 1))
		s.Policy.Domain = d
		add(t, h, s)
	}
	other := report("r.example", 0, pass("192.0.2.1", 1))
	other.Policy.Domain = "d.example"
	add(t, h, other)
	m, err := h.Find(t.Context(), history.Refusal{AuthorDomain: domain, IP: netip.MustParseAddr("192.0.2.66"), Day: day(0)})
	if err != nil || len(m.Elsewhere) != 2 || m.Elsewhere[0] != "b.example" || m.Elsewhere[1] != "c.example" {
		t.Errorf("%v, %v", m.Elsewhere, err)
	}
}

// An event's name is its own and stays the same: consumers tell by it what they have
// told already.
func TestEventsHaveNamesOfTheirOwn(t *testing.T) {
	e := history.Event{Kind: history.StartedFailing, Domain: domain, Source: "192.0.2.1", Day: day(3), Since: day(1)}
	seen := map[string]history.Event{}
	for _, change := range []func(*history.Event){
		func(*history.Event) {},
		func(e *history.Event) { e.Kind = history.Recovered },
		func(e *history.Event) { e.Domain = "b.example" },
		func(e *history.Event) { e.Source = "192.0.2.2" },
		func(e *history.Event) { e.Source, e.Reporter = "", e.Source },
		func(e *history.Event) { e.Day++ },
		func(e *history.Event) { e.Since++ },
		func(e *history.Event) { e.Detail = "p none -> reject" },
	} {
		other := e
		change(&other)
		id := other.ID()
		if before, ok := seen[id]; ok || len(id) != 32 || id != other.ID() {
			t.Errorf("%v and %v are both %q", before, other, id)
		}
		seen[id] = other
	}
}
