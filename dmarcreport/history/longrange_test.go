package history_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mailfault/mailfault/dmarcreport/history"
)

// ranged returns a report of n days, learnt the day after the last.
func ranged(reporter string, first, n int, lines ...seen) history.Submission {
	s := report(reporter, first, lines...)
	s.Metadata.ReportID = fmt.Sprintf("%s-%d+%d", reporter, first, n)
	s.Metadata.DateRange.End = s.Metadata.DateRange.End.AddDate(0, 0, n-1)
	s.Learnt = s.Learnt.AddDate(0, 0, n-1)
	return s
}

// TestAReportOfManyDaysIsNoSilence: a source is counted on the first day of such
// a report and was seen up to the last.
func TestAReportOfManyDaysIsNoSilence(t *testing.T) {
	const ip = "192.0.2.1"
	other := days("other.example", 0, 200, pass("192.0.2.99", 1))
	tests := []struct {
		name          string
		length, quiet int
		reports       int
		want          string // events of the source
	}{
		{"weeks, with less than a week of silence allowed", 7, 5, 28, ""},
		{"months", 33, 0, 6, ""},
		{"weeks, and then no more", 7, 5, 8, day(60).String() + " gone-quiet since " + day(55).String() + "\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := &history.History{Store: new(history.Memory), Rules: history.Rules{VanishDays: -1, QuietDays: tt.quiet, Regular: 3}}
			for i := range tt.reports {
				add(t, h, ranged("r.example", i*tt.length, tt.length, pass(ip, 5)))
			}
			add(t, h, other...)
			var got strings.Builder
			for _, e := range events(t, h) {
				if e.Source == ip {
					fmt.Fprintf(&got, "%s %s since %s\n", e.Day, e.Kind, e.Since)
				}
			}
			if got.String() != tt.want {
				t.Errorf("got %q, want %q", got.String(), tt.want)
			}
			s, listed, ok, err := h.Source(t.Context(), domain, ip)
			if last := day(tt.reports*tt.length - 1); err != nil || !ok || s.FirstSeen != day(0) || s.LastSeen != last || len(listed) != tt.reports {
				t.Errorf("seen from %s to %s on %d days, %v", s.FirstSeen, s.LastSeen, len(listed), err)
			}
		})
	}
}

// TestTheNewsOfAMonthIsNews: how old an event is when it is learnt counts from
// the end of the report that shows it.
func TestTheNewsOfAMonthIsNews(t *testing.T) {
	const ip = "192.0.2.1"
	tests := []struct {
		name         string
		length, late int // days; late after the usual day
		quiet        bool
	}{
		{"a day", 1, 0, false},
		{"a day that comes a month late", 1, 31, true},
		{"a month", 31, 0, false},
		{"a month that comes two days late", 31, 2, false},
		{"a quarter", 92, 0, false},
		{"a month that comes a month late", 31, 31, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := &history.History{Store: new(history.Memory)}
			s := ranged("r.example", 0, tt.length, fail(ip, 1))
			s.Learnt = s.Learnt.AddDate(0, 0, tt.late)
			add(t, h, s)
			log, err := h.Store.Log(t.Context(), 0, -1)
			if err != nil || len(log) != 1 {
				t.Fatalf("%d entries, %v", len(log), err)
			}
			want := history.Event{Kind: history.NewFailingSource, Domain: domain, Source: ip, Day: day(0)}
			if log[0].Event != want || log[0].Quiet != tt.quiet {
				t.Errorf("%v, quiet %v; want %v, quiet %v", log[0].Event, log[0].Quiet, want, tt.quiet)
			}
		})
	}
}

// TestAnyOrderOfLongReportsGivesTheSameEvents: ranges of many days that overlap
// each other and the days of other reporters.
func TestAnyOrderOfLongReportsGivesTheSameEvents(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 31))
		subs := randomPast(rng, 120)
		for i := range 30 {
			line := seen{fmt.Sprintf("192.0.2.%d", 1+rng.IntN(3)), 1 + rng.Int64N(9), history.Verdict(rng.IntN(3))}
			subs = append(subs, ranged(fmt.Sprintf("long%d.example", i%2), rng.IntN(100), 2+rng.IntN(60), line))
		}
		rules := history.Rules{QuietDays: 4, Regular: 3}
		straight := &history.History{Store: new(history.Memory), Rules: rules}
		add(t, straight, subs...)
		want := events(t, straight)
		shuffled := slices.Clone(subs)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		h := &history.History{Store: new(history.Memory), Rules: rules}
		for batch := range slices.Chunk(shuffled, 1+rng.IntN(9)) {
			add(t, h, batch...)
		}
		if diff := cmp.Diff(want, events(t, h)); diff != "" {
			t.Fatalf("seed %d: another order gives other events (-straight +shuffled):\n%s", seed, diff)
		}
	}
}
