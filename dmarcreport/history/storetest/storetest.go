// Package storetest checks a history.Store: whoever writes one calls [Run] in
// a test of its own.
package storetest

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/internal/dmarcyear"
)

// Run checks the stores that open returns. Each call of open must return an
// empty one, which open arranges to close.
func Run(t *testing.T, open func(t *testing.T) history.Store) {
	tests := []struct {
		name string
		run  func(t *testing.T, s history.Store)
	}{
		{"AnEmptyStoreHasNothing", empty},
		{"WhatIsWrittenIsRead", roundTrip},
		{"AChangeIsAllOrNothing", atomic},
		{"RowsAddUpAndVanish", rows},
		{"ATrackKeepsItsPast", past},
		{"PruneDropsRowsAndReports", prune},
		{"HostileTextIsOnlyText", hostile},
		{"TheLogGrows", log},
		{"AConsumerGetsEachEntryOnce", consume},
		{"OneConsumerAtATime", consumeBusy},
		{"NotesAreComparedAndSet", notes},
		{"UpdatesOfADomainWaitForOneAnother", exclusive},
		{"GoroutinesTellEachEventOnce", concurrent},
		{"AYearAsItArrives", yearStraight},
		{"AYearInAnyOrder", yearShuffled},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, open(t)) })
	}
}

const domain = "a.example"

func update(t *testing.T, s history.Store, d *history.Delta) {
	t.Helper()
	err := s.Update(t.Context(), domain, func(history.Reader) (*history.Delta, error) { return d, nil })
	if err != nil {
		t.Fatal(err)
	}
}

func view(t *testing.T, s history.Store, read func(ctx context.Context, r history.Reader)) {
	t.Helper()
	err := s.View(t.Context(), domain, func(r history.Reader) error { read(t.Context(), r); return nil })
	if err != nil {
		t.Fatal(err)
	}
}

func all[T any](t *testing.T, seq iter.Seq2[T, error]) []T {
	t.Helper()
	var vs []T
	for v, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		vs = append(vs, v)
	}
	return vs
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func report(id string, digest byte) history.ReportInfo {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return history.ReportInfo{
		Key:    history.ReportKey{Domain: domain, Reporter: "r.example", ID: id, Begin: begin, End: begin.Add(86399 * time.Second)},
		Digest: history.Digest{digest}, Days: history.Period{First: 20454, Last: 20454}, Authentic: true,
		Learnt: begin.Add(30*time.Hour + 5*time.Microsecond), Copies: 1, Email: "x@r.example", Policy: "p=none", Sources: 2,
		Totals: history.Totals{Pass: 3, Fail: 2, Muted: 1}, Unattributed: 1,
	}
}

func row(source string, day history.Day, pass int64) history.Row {
	return history.Row{Source: source, Day: day, Last: day, Reporter: "r.example", Authentic: true, Totals: history.Totals{Pass: pass}, Refused: 1}
}

func track(source string, due history.Day) history.Track {
	return history.Track{Source: source, Due: due, Recent: []byte("recent " + source)}
}

func empty(t *testing.T, s history.Store) {
	if domains := must[[]string](t)(s.Domains(t.Context())); len(domains) != 0 {
		t.Errorf("domains: %q", domains)
	}
	view(t, s, func(ctx context.Context, r history.Reader) {
		if record := must[[]byte](t)(r.Domain(ctx)); record != nil {
			t.Errorf("record: %q", record)
		}
		if tracks := must[[]history.Track](t)(r.Tracks(ctx, []string{"a", "b"})); len(tracks) != 0 {
			t.Errorf("tracks: %v", tracks)
		}
		if past := must[[]byte](t)(r.Past(ctx, "a")); past != nil {
			t.Errorf("past: %q", past)
		}
		if n := len(all(t, r.Reports(ctx, history.Period{}))) + len(all(t, r.Rows(ctx, "", history.Period{}))); n != 0 {
			t.Errorf("%d reports and rows", n)
		}
	})
	if entries := must[[]history.Entry](t)(s.Log(t.Context(), 0, -1)); len(entries) != 0 {
		t.Errorf("log: %v", entries)
	}
}

func roundTrip(t *testing.T, s history.Store) {
	one, two := report("1", 1), report("2", 1)
	conflict := report("1", 2)
	update(t, s, &history.Delta{
		Domain:  []byte("record"),
		Reports: []history.ReportInfo{two, one, conflict},
		Rows:    []history.Row{row("b", 20455, 1), row("a", 20454, 2)},
		Tracks:  []history.Track{track("b", 0), track("a", 20460), track("c", 20470)},
	})
	same(t, "domains", must[[]string](t)(s.Domains(t.Context())), []string{domain})
	view(t, s, func(ctx context.Context, r history.Reader) {
		same(t, "record", must[[]byte](t)(r.Domain(ctx)), []byte("record"))
		found := must[[]history.ReportInfo](t)(r.SameKey(ctx, []history.ReportKey{one.Key, one.Key}))
		slices.SortFunc(found, func(a, b history.ReportInfo) int { return int(a.Digest[0]) - int(b.Digest[0]) })
		same(t, "reports of a key", found, []history.ReportInfo{one, conflict})
		same(t, "reports", all(t, r.Reports(ctx, history.Period{})), []history.ReportInfo{one, conflict, two})
		same(t, "reports of another day", len(all(t, r.Reports(ctx, history.Period{First: 20455}))), 0)
		same(t, "rows", all(t, r.Rows(ctx, "", history.Period{})), []history.Row{row("a", 20454, 2), row("b", 20455, 1)})
		same(t, "rows of b", all(t, r.Rows(ctx, "b", history.Period{Last: 20455})), []history.Row{row("b", 20455, 1)})
		same(t, "rows of a day", all(t, r.Rows(ctx, "", history.Period{First: 20454, Last: 20454})), []history.Row{row("a", 20454, 2)})
		same(t, "all tracks", all(t, r.AllTracks(ctx)), []history.Track{track("a", 20460), track("b", 0), track("c", 20470)})
		same(t, "due", must[[]history.Track](t)(r.Due(ctx, 20460)), []history.Track{track("a", 20460)})
		same(t, "a track", must[[]history.Track](t)(r.Tracks(ctx, []string{"b", "x"})), []history.Track{track("b", 0)})
	})
	one.Copies, one.Conflict, one.Authentic = 2, true, false
	update(t, s, &history.Delta{Domain: []byte("other"), Reports: []history.ReportInfo{one}, Tracks: []history.Track{track("a", 0)}})
	view(t, s, func(ctx context.Context, r history.Reader) {
		same(t, "record replaced", must[[]byte](t)(r.Domain(ctx)), []byte("other"))
		same(t, "report replaced", all(t, r.Reports(ctx, history.Period{})), []history.ReportInfo{one, conflict, two})
		same(t, "due no more", len(must[[]history.Track](t)(r.Due(ctx, 20460))), 0)
	})
	err := s.View(t.Context(), "other.example", func(r history.Reader) error {
		same(t, "tracks of another domain", len(all(t, r.AllTracks(t.Context()))), 0)
		same(t, "keys of another domain", len(must[[]history.ReportInfo](t)(r.SameKey(t.Context(), []history.ReportKey{one.Key}))), 0)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func atomic(t *testing.T, s history.Store) {
	failure := errors.New("failure")
	err := s.Update(t.Context(), domain, func(history.Reader) (*history.Delta, error) {
		return &history.Delta{Domain: []byte("x"), Log: []history.Entry{{Change: history.Told}}}, failure
	})
	if !errors.Is(err, failure) {
		t.Errorf("Update returned %v", err)
	}
	if err := s.Update(t.Context(), domain, func(history.Reader) (*history.Delta, error) { return nil, nil }); err != nil {
		t.Error(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	err = s.Update(cancelled, domain, func(history.Reader) (*history.Delta, error) { return &history.Delta{Domain: []byte("x")}, nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Update with a cancelled context returned %v", err)
	}
	empty(t, s)
}

func rows(t *testing.T, s history.Store) {
	other := row("a", 20454, 5)
	other.Authentic = false
	update(t, s, &history.Delta{Domain: []byte("x"), Tracks: []history.Track{track("a", 0)}, Rows: []history.Row{row("a", 20454, 2), other}})
	update(t, s, &history.Delta{Domain: []byte("x"), Tracks: []history.Track{track("a", 0)}, Rows: []history.Row{row("a", 20454, 40)}})
	sum := row("a", 20454, 42)
	sum.Refused = 2
	view(t, s, func(ctx context.Context, r history.Reader) {
		same(t, "rows", all(t, r.Rows(ctx, "a", history.Period{})), []history.Row{sum, other})
	})
	other.Pass, other.Refused = -5, -1
	update(t, s, &history.Delta{Domain: []byte("x"), Tracks: []history.Track{track("a", 0)}, Rows: []history.Row{other}})
	view(t, s, func(ctx context.Context, r history.Reader) {
		same(t, "rows after one was taken back", all(t, r.Rows(ctx, "a", history.Period{})), []history.Row{sum})
	})
}

func past(t *testing.T, s history.Store) {
	a := track("a", 0)
	a.Past = []byte("past")
	update(t, s, &history.Delta{Domain: []byte("x"), Tracks: []history.Track{a, track("b", 0)}})
	update(t, s, &history.Delta{Domain: []byte("x"), Tracks: []history.Track{track("a", 0)}})
	view(t, s, func(ctx context.Context, r history.Reader) {
		same(t, "past of a", must[[]byte](t)(r.Past(ctx, "a")), []byte("past"))
		same(t, "past of b", must[[]byte](t)(r.Past(ctx, "b")), []byte(nil))
		same(t, "tracks come without it", all(t, r.AllTracks(ctx)), []history.Track{track("a", 0), track("b", 0)})
		// A loop over all sources asks for the past of some.
		for tr, err := range r.AllTracks(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			must[[]byte](t)(r.Past(ctx, tr.Source))
		}
	})
}

func prune(t *testing.T, s history.Store) {
	long := row("a", 20450, 1)
	long.Last = 20456
	update(t, s, &history.Delta{Domain: []byte("x"), Reports: []history.ReportInfo{report("1", 1)}, Tracks: []history.Track{track("a", 0)},
		Rows: []history.Row{row("a", 20454, 2), row("a", 20455, 3), long}})
	update(t, s, &history.Delta{Domain: []byte("x"), Prune: 20455})
	view(t, s, func(ctx context.Context, r history.Reader) {
		same(t, "rows", all(t, r.Rows(ctx, "a", history.Period{})), []history.Row{long, row("a", 20455, 3)})
		same(t, "reports", len(all(t, r.Reports(ctx, history.Period{}))), 0)
		same(t, "reports of the key", len(must[[]history.ReportInfo](t)(r.SameKey(ctx, []history.ReportKey{report("1", 1).Key}))), 0)
		same(t, "tracks stay", len(all(t, r.AllTracks(ctx))), 1)
	})
}

func hostile(t *testing.T, s history.Store) {
	names := []string{"'; DROP TABLE dmarc_rows; --", "\"", "?", "$1", "\\", "\u202e", "\U0001f4e7", "%_", "<script>"}
	delta := &history.Delta{Domain: []byte{0, 0xff, '\''}}
	for i, name := range names {
		r := report(name, byte(i))
		r.Key.Reporter, r.Email, r.Policy = name, name, name
		delta.Reports = append(delta.Reports, r)
		delta.Tracks = append(delta.Tracks, track(name, 0))
		rr := row(name, 20454, 1)
		rr.Reporter = name
		delta.Rows = append(delta.Rows, rr)
	}
	update(t, s, delta)
	view(t, s, func(ctx context.Context, r history.Reader) {
		same(t, "record", must[[]byte](t)(r.Domain(ctx)), delta.Domain)
		for i, name := range names {
			same(t, "rows", all(t, r.Rows(ctx, name, history.Period{})), delta.Rows[i:i+1])
			same(t, "reports", must[[]history.ReportInfo](t)(r.SameKey(ctx, []history.ReportKey{delta.Reports[i].Key})), delta.Reports[i:i+1])
		}
	})
}

func exclusive(t *testing.T, s history.Store) {
	const workers, times = 4, 10
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range times {
				err := s.Update(t.Context(), domain, func(r history.Reader) (*history.Delta, error) {
					record, err := r.Domain(t.Context())
					return &history.Delta{Domain: append(slices.Clone(record), 'x')}, err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	view(t, s, func(ctx context.Context, r history.Reader) {
		same(t, "updates counted", len(must[[]byte](t)(r.Domain(ctx))), workers*times)
	})
}

func concurrent(t *testing.T, s history.Store) {
	subs := dmarcyear.Submissions()[:600]
	h := &history.History{Store: s}
	var wg sync.WaitGroup
	for worker := range 3 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(worker)))
			mine := slices.Clone(subs)
			rng.Shuffle(len(mine), func(i, j int) { mine[i], mine[j] = mine[j], mine[i] })
			for part := range slices.Chunk(mine, 25) {
				if _, err := h.Add(t.Context(), part...); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	alone := &history.History{Store: new(history.Memory)}
	if _, err := alone.Add(t.Context(), subs...); err != nil {
		t.Fatal(err)
	}
	compare(t, h, alone)
}
