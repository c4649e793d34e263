package history_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
)

func statuses(outcomes []history.Outcome) string {
	var words []string
	for _, o := range outcomes {
		words = append(words, o.Status.String())
	}
	return strings.Join(words, " ")
}

func TestIdentityOfAReport(t *testing.T) {
	a := report("r.example", 0, pass("192.0.2.1", 1), fail("192.0.2.2", 1))
	turned := report("R.Example ", 0, fail("192.0.2.2", 1), pass("192.0.2.1", 1))
	turned.Metadata.Email, turned.Metadata.ReportID = a.Metadata.Email, a.Metadata.ReportID
	other := report("r.example", 0, pass("192.0.2.1", 2))
	sameID := report("s.example", 0, pass("192.0.2.1", 1))
	sameID.Metadata.ReportID = a.Metadata.ReportID
	forged := report("f.example", 0, fail("192.0.2.3", 1))
	forged.Authentic = false
	proven := report("f.example", 0, fail("192.0.2.3", 1))
	for _, batch := range []bool{true, false} {
		h := &history.History{Store: new(history.Memory)}
		subs := []history.Submission{a, turned, other, sameID, forged, forged, proven, proven}
		var got []history.Outcome
		if batch {
			got = add(t, h, subs...)
		} else {
			for _, s := range subs {
				got = append(got, add(t, h, s)...)
			}
		}
		const want = "accepted duplicate conflict accepted untrusted duplicate promoted duplicate"
		if s := statuses(got); s != want {
			t.Errorf("in one batch %t: %s, want %s", batch, s, want)
		}
		events(t, h)
		rows, err := h.Rows(t.Context(), domain, "192.0.2.3", history.Period{})
		if err != nil || len(rows) != 1 || !rows[0].Authentic || rows[0].Fail != 1 {
			t.Errorf("rows of the promoted report: %+v, %v", rows, err)
		}
	}
}

func TestUntrustedReportsAreListedOnly(t *testing.T) {
	h := &history.History{Store: new(history.Memory)}
	forged := report("r.example", 0, fail("192.0.2.3", 1))
	forged.Authentic = false
	add(t, h, forged)
	if got := events(t, h); len(got) != 0 {
		t.Errorf("events: %v", got)
	}
	rows, err := h.Rows(t.Context(), domain, "", history.Period{})
	if err != nil || len(rows) != 1 || rows[0].Authentic {
		t.Errorf("rows: %+v, %v", rows, err)
	}
	if sources, err := h.Sources(t.Context(), domain, history.Period{}); err != nil || len(sources) != 0 {
		t.Errorf("sources: %+v, %v", sources, err)
	}
}

func TestInvalidSubmissionsStopNothing(t *testing.T) {
	broken := errors.New("broken")
	edit := func(f func(*history.Submission)) history.Submission {
		s := report("r.example", 0, pass("192.0.2.1", 1))
		f(&s)
		return s
	}
	tests := []struct {
		name string
		sub  history.Submission
		want error
	}{
		{"no domain", edit(func(s *history.Submission) { s.Policy.Domain = " " }), history.ErrDomain},
		{"no dates", edit(func(s *history.Submission) { s.Metadata.DateRange = dmarcreport.DateRange{} }), history.ErrPeriod},
		{"end before begin", edit(func(s *history.Submission) { s.Metadata.DateRange.End = day0.Add(-time.Hour) }), history.ErrPeriod},
		{"two years", edit(func(s *history.Submission) { s.Metadata.DateRange.Begin = day0.AddDate(-2, 0, 0) }), history.ErrPeriod},
		{"from the future", edit(func(s *history.Submission) { s.Learnt = day0.AddDate(0, 0, -3) }), history.ErrFuture},
		{"not learnt", edit(func(s *history.Submission) { s.Learnt = time.Time{} }), history.ErrLearnt},
		{"a name of a thousand bytes", edit(func(s *history.Submission) { s.Metadata.OrgName = strings.Repeat("x", 1000) }), history.ErrTooLong},
		{"records that break off", edit(func(s *history.Submission) {
			s.Records = func(yield func(*dmarcreport.Record, error) bool) { yield(nil, broken) }
		}), broken},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := &history.History{Store: new(history.Memory)}
			got := add(t, h, tt.sub, report("r.example", 1, pass("192.0.2.1", 1)))
			if statuses(got) != "invalid accepted" || !errors.Is(got[0].Err, tt.want) {
				t.Errorf("%s: %v, want %v", statuses(got), got[0].Err, tt.want)
			}
		})
	}
}

func TestAnOldSenderNeverBecomesNewAgain(t *testing.T) {
	h := &history.History{Store: new(history.Memory), Rules: history.Rules{KeepDays: 100, VanishDays: -1, QuietDays: -1}}
	const old, failed = "192.0.2.1", "192.0.2.2"
	add(t, h, days("r.example", 0, 10, pass(old, 1), fail(failed, 1))...)
	add(t, h, days("r.example", 10, 290, pass("192.0.2.9", 1))...)
	before, err := h.Events(t.Context(), domain)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := h.Prune(t.Context(), day(300).Time()); err != nil {
			t.Fatal(err)
		}
	}
	if rows, err := h.Rows(t.Context(), domain, old, history.Period{}); err != nil || len(rows) != 0 {
		t.Errorf("rows after pruning: %v, %v", rows, err)
	}
	add(t, h, report("r.example", 300, fail(old, 1), fail(failed, 1), fail("192.0.2.3", 1)))
	after, err := h.Events(t.Context(), domain)
	if err != nil {
		t.Fatal(err)
	}
	want := append(before,
		history.Event{Kind: history.StartedFailing, Domain: domain, Source: old, Day: day(300), Since: day(9)},
		history.Event{Kind: history.NewFailingSource, Domain: domain, Source: "192.0.2.3", Day: day(300)})
	if len(after) != len(want) || after[len(after)-2] != want[len(want)-2] || after[len(after)-1] != want[len(want)-1] {
		t.Errorf("events: %v\nwant %v", after, want)
	}
	// A report older than what is kept says that 192.0.2.3 passed once: it
	// was no new source. It is amended, not told again.
	got := add(t, h, report("late.example", 20, pass("192.0.2.3", 1)))
	log, err := h.Store.Log(t.Context(), 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	last := log[len(log)-1]
	amended := history.Event{Kind: history.StartedFailing, Domain: domain, Source: "192.0.2.3", Day: day(300), Since: day(20)}
	if statuses(got) != "expired" || last.Change != history.Amended || last.Event != amended {
		t.Errorf("%s: %s %v, want %v", statuses(got), last.Change, last.Event, amended)
	}
}

func TestBaselineAndOldNewsAreNotDelivered(t *testing.T) {
	h := &history.History{Store: new(history.Memory)}
	past := report("r.example", 0, fail("192.0.2.1", 1))
	past.Baseline = true
	stale := report("r.example", 1, fail("192.0.2.2", 1))
	stale.Learnt = day(33).Time()
	fresh := report("r.example", 2, fail("192.0.2.3", 1))
	add(t, h, past, stale, fresh)
	if got := events(t, h); len(got) != 3 {
		t.Errorf("events: %v", got)
	}
	var told []string
	now := func() time.Time { return day(40).Time() }
	for range 2 {
		err := h.Deliver(t.Context(), "mail", time.Minute, now, func(e history.Entry) error {
			told = append(told, e.Event.Source)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(told) != 1 || told[0] != "192.0.2.3" {
		t.Errorf("told: %q", told)
	}
}
