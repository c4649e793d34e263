package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport/history"
)

func entry(n int) history.Entry {
	return history.Entry{Change: history.Amended, Learnt: time.Date(2026, 2, 1, 0, 0, n, 1000, time.UTC), Messages: 7, Quiet: n%2 == 1,
		Event: history.Event{Kind: history.StartedFailing, Domain: domain, Source: "a", Day: history.Day(20454 + n), Since: 20400},
		Was:   history.Event{Kind: history.PolicyChange, Domain: domain, Day: 20001, Detail: "p none -> reject"}, Report: report("1", 1).Key}
}

func log(t *testing.T, s history.Store) {
	update(t, s, &history.Delta{Domain: []byte("x"), Log: []history.Entry{entry(0), entry(1)}})
	update(t, s, &history.Delta{Domain: []byte("x"), Log: []history.Entry{entry(2)}})
	got := must[[]history.Entry](t)(s.Log(t.Context(), 0, -1))
	if len(got) != 3 {
		t.Fatalf("%d entries", len(got))
	}
	second := got[1].Seq
	for i := range got {
		if got[i].Seq <= 0 || i > 0 && got[i].Seq <= got[i-1].Seq {
			t.Errorf("entry %d has the number %d", i, got[i].Seq)
		}
	}
	same(t, "limit", must[[]history.Entry](t)(s.Log(t.Context(), 0, 2)), got[:2])
	same(t, "after", must[[]history.Entry](t)(s.Log(t.Context(), second, -1)), got[2:])
	for i := range got {
		got[i].Seq = 0
	}
	same(t, "log", got, []history.Entry{entry(0), entry(1), entry(2)})
}

func consume(t *testing.T, s history.Store) {
	update(t, s, &history.Delta{Domain: []byte("x"), Log: []history.Entry{entry(0), entry(1), entry(2)}})
	now := time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	var got []history.Day
	failure := errors.New("mail server is down")
	take := func(failAt history.Day) error {
		return s.Consume(t.Context(), "mail", clock, time.Minute, func(e history.Entry) error {
			if e.Event.Day == failAt {
				return failure
			}
			got = append(got, e.Event.Day)
			return nil
		})
	}
	if err := take(20455); !errors.Is(err, failure) {
		t.Errorf("Consume returned %v", err)
	}
	// The holder gave up: nobody waits for its lease to end.
	for range 2 {
		if err := take(0); err != nil {
			t.Error(err)
		}
	}
	same(t, "delivered", got, []history.Day{20454, 20455, 20456})
	update(t, s, &history.Delta{Domain: []byte("x"), Log: []history.Entry{entry(9)}})
	if err := take(0); err != nil {
		t.Error(err)
	}
	same(t, "delivered later", got, []history.Day{20454, 20455, 20456, 20463})
	n := 0
	if err := s.Consume(t.Context(), "other", clock, time.Minute, func(history.Entry) error { n++; return nil }); err != nil {
		t.Error(err)
	}
	same(t, "delivered to another", n, 4)
}

func consumeBusy(t *testing.T, s history.Store) {
	update(t, s, &history.Delta{Domain: []byte("x"), Log: []history.Entry{entry(0), entry(1)}})
	now := time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	calls := 0
	err := s.Consume(t.Context(), "mail", clock, time.Minute, func(history.Entry) error {
		calls++
		err := s.Consume(t.Context(), "mail", clock, time.Minute, func(history.Entry) error { calls += 100; return nil })
		if !errors.Is(err, history.ErrBusy) {
			t.Errorf("a second holder got %v", err)
		}
		return nil
	})
	if err != nil || calls != 2 {
		t.Errorf("Consume returned %v after %d calls", err, calls)
	}
	// A holder that takes longer than its lease has lost it.
	update(t, s, &history.Delta{Domain: []byte("x"), Log: []history.Entry{entry(2)}})
	err = s.Consume(t.Context(), "mail", clock, time.Minute, func(history.Entry) error {
		now = now.Add(2 * time.Minute)
		return s.Consume(t.Context(), "mail", clock, time.Minute, func(history.Entry) error { return nil })
	})
	if !errors.Is(err, history.ErrBusy) {
		t.Errorf("a holder past its lease got %v", err)
	}
}

func notes(t *testing.T, s history.Store) {
	note := func(topic, key, was, value string, want bool) {
		t.Helper()
		got, err := s.Note(t.Context(), topic, key, was, value)
		if err != nil || got != want {
			t.Errorf("Note(%q, %q, %q, %q) = %t, %v; want %t", topic, key, was, value, got, err, want)
		}
	}
	same(t, "no notes", must[map[string]string](t)(s.Notes(t.Context(), "digest")), map[string]string{})
	note("digest", "a", "claimed", "sent", false)
	note("digest", "a", "", "claimed", true)
	note("digest", "a", "", "claimed", false)
	note("digest", "a", "claimed", "sent", true)
	note("digest", "b", "", "claimed", true)
	note("other", "a", "", "x", true)
	same(t, "notes", must[map[string]string](t)(s.Notes(t.Context(), "digest")), map[string]string{"a": "sent", "b": "claimed"})
	note("digest", "b", "claimed", "", true)
	same(t, "one removed", must[map[string]string](t)(s.Notes(t.Context(), "digest")), map[string]string{"a": "sent"})
	note("digest", "b", "", "again", true)
}
