package history_test

import (
	"errors"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
)

func TestReportsThatCannotBeKept(t *testing.T) {
	begin := day0
	period := func(begin, end time.Time) func(*history.Submission) {
		return func(s *history.Submission) { s.Metadata.DateRange.Begin, s.Metadata.DateRange.End = begin, end }
	}
	tests := []struct {
		name   string
		change func(*history.Submission)
		want   error // nil: it is kept
	}{
		{"a period of no length is an instant of its day", period(begin, begin), nil},
		{"a period of a year", period(begin.AddDate(-1, 0, 0), begin), nil},
		{"a period of two years", period(begin.AddDate(-2, 0, 0), begin), history.ErrPeriod},
		{"an end before the begin", period(begin, begin.Add(-time.Second)), history.ErrPeriod},
		{"a begin in the future", period(begin.AddDate(0, 1, 0), begin.AddDate(0, 1, 1)), history.ErrFuture},
		{"the year 1", period(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC)), history.ErrPeriod},
		{"the year 9999", period(time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 2, 0, 0, 0, 0, time.UTC)), history.ErrFuture},
		{"from the year 1 to 9999", period(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 2, 0, 0, 0, 0, time.UTC)), history.ErrPeriod},
		{"Unix time 0", period(time.Unix(0, 0), time.Unix(86399, 0)), history.ErrPeriod},
		{"no policy domain", func(s *history.Submission) { s.Policy.Domain = " . " }, history.ErrDomain},
		{"more messages than there are in the world", func(s *history.Submission) {
			*s = report("r.example", 0, fail("192.0.2.1", math.MaxInt64))
		}, history.ErrCount},
		{"as many from several sources", func(s *history.Submission) {
			*s = report("r.example", 0, fail("192.0.2.1", history.MaxMessages), pass("192.0.2.2", 1))
		}, history.ErrCount},
		{"the most that is believed", func(s *history.Submission) { *s = report("r.example", 0, fail("192.0.2.1", history.MaxMessages)) }, nil},
		{"a count below zero counts nothing", func(s *history.Submission) { *s = report("r.example", 0, fail("192.0.2.1", -5)) }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := &history.History{Store: new(history.Memory)}
			s := report("r.example", 0, fail("192.0.2.1", 1))
			tt.change(&s)
			outcome := add(t, h, s)[0]
			want := history.Accepted
			if tt.want != nil {
				want = history.Invalid
			}
			if outcome.Status != want || !errors.Is(outcome.Err, tt.want) {
				t.Errorf("%s, %v", outcome.Status, outcome.Err)
			}
		})
	}
}

// TestTheSameInstantIsTheSameReport: programs that fill in the times
// themselves have fractions of seconds, clocks and zones in them.
func TestTheSameInstantIsTheSameReport(t *testing.T) {
	now := time.Now()
	begin := now.Add(-24 * time.Hour)
	var subs []history.Submission
	for _, at := range []time.Time{begin, begin.Round(0), begin.Truncate(time.Second), begin.In(time.FixedZone("", 5*3600+1800))} {
		s := report("r.example", 0, fail("192.0.2.1", 1))
		s.Metadata.DateRange.Begin, s.Metadata.DateRange.End, s.Learnt = at, at, now
		subs = append(subs, s)
	}
	h := &history.History{Store: new(history.Memory)}
	var outcomes []history.Outcome
	for _, s := range subs {
		outcomes = append(outcomes, add(t, h, s)...)
	}
	outcomes = append(outcomes, add(t, h, subs...)...)
	if got := statuses(outcomes); got != "accepted duplicate duplicate duplicate duplicate duplicate duplicate duplicate" {
		t.Errorf("statuses: %s", got)
	}
}

// TestANewFailureIsToldThoughTheSameBatchMergesOldOnes: what a late report
// takes back must not swallow the word of a source that fails today.
func TestANewFailureIsToldThoughTheSameBatchMergesOldOnes(t *testing.T) {
	const ip = "192.0.2.1"
	past := slices.Concat(days("r", 0, 1, pass(ip, 5)), days("r", 5, 1, fail(ip, 5)), days("r", 6, 14, pass(ip, 5)), days("r", 20, 2, fail(ip, 5)),
		days("r", 22, 10, pass(ip, 5)))
	// The late reports leave no week without a failure before the 20th.
	late := slices.Concat(days("s", 10, 1, fail(ip, 1)), days("s", 15, 1, fail(ip, 1)), days("r", 40, 1, fail(ip, 5)))
	want := history.Event{Kind: history.StartedFailing, Domain: domain, Source: ip, Day: day(40), Since: day(31)}
	for _, size := range []int{1, 3} {
		h := &history.History{Store: new(history.Memory), Rules: history.Rules{VanishDays: -1}}
		add(t, h, past...)
		delivered(t, h)
		var told []string
		for batch := range slices.Chunk(late, size) {
			add(t, h, batch...)
			told = append(told, delivered(t, h)...)
		}
		if !slices.Contains(told, "told "+want.String()) {
			t.Errorf("in batches of %d: %q was not told: %q", size, want, told)
		}
		events(t, h)
	}
}

// TestManyReporters: each report is another reporter's, and each
// vanishes.
func TestManyReporters(t *testing.T) {
	h := &history.History{Store: new(history.Memory), Rules: history.Rules{VanishDays: 1, Regular: 1}}
	var subs []history.Submission
	for i := range 3000 {
		subs = append(subs, report(fmt.Sprintf("r%d.example", i), i%300, pass("192.0.2.1", 1)))
	}
	for batch := range slices.Chunk(subs, 100) {
		add(t, h, batch...)
	}
	got, err := h.Events(t.Context(), domain)
	if err != nil {
		t.Fatal(err)
	}
	want, err := h.Derive(t.Context(), domain)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) < 2000 {
		t.Errorf("%d events (-fold +log):\n%.500s", len(got), diff)
	}
}

func TestABounceOnADayOfAYearlongReport(t *testing.T) {
	h := &history.History{Store: new(history.Memory)}
	s := report("r.example", 300, fail("192.0.2.1", 1))
	s.Metadata.DateRange.Begin = day0
	add(t, h, s)
	m, err := h.Find(t.Context(), history.Refusal{AuthorDomain: domain, Source: "192.0.2.1", Day: day(3)})
	if err != nil || m.Grade != history.GradeLikely {
		t.Errorf("%s, %v: nobody counted that day by itself", m.Grade, err)
	}
}

func TestSourcesWithoutEnd(t *testing.T) {
	for _, tt := range []struct {
		most, sources int
		want          error
	}{{0, 1000, nil}, {2, 2, nil}, {2, 3, history.ErrSources}, {-1, 3, nil}, {0, 100_001, history.ErrSources}} {
		h := &history.History{Store: new(history.Memory), Rules: history.Rules{MaxSources: tt.most}}
		s := report("r.example", 0, pass("192.0.2.1", 1))
		s.Records = func(yield func(*dmarcreport.Record, error) bool) {
			rec := dmarcreport.Record{Count: 1}
			rec.Evaluated.DKIM = dmarcreport.ResultPass
			for i := range tt.sources {
				rec.SourceIP = netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
				if !yield(&rec, nil) {
					return
				}
			}
		}
		if o := add(t, h, s)[0]; !errors.Is(o.Err, tt.want) {
			t.Errorf("%d sources of at most %d: %s, %v", tt.sources, tt.most, o.Status, o.Err)
		}
	}
}
