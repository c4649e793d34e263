package history_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mailfault/mailfault/dmarcreport/history"
)

// delivered returns what a consumer is told, as "change event".
func delivered(t *testing.T, h *history.History) []string {
	t.Helper()
	var told []string
	err := h.Deliver(t.Context(), "mail", time.Minute, func() time.Time { return day(60).Time() }, func(e history.Entry) error {
		told = append(told, e.Change.String()+" "+e.Event.String())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return told
}

func TestALateReportTakesBackWhatWasTold(t *testing.T) {
	const ip = "192.0.2.1"
	h := &history.History{Store: new(history.Memory), Rules: history.Rules{VanishDays: -1}}
	add(t, h, days("r.example", 0, 7, pass(ip, 1))...)
	add(t, h, days("other.example", 7, 31, pass("192.0.2.99", 1))...)
	quiet := history.Event{Kind: history.GoneQuiet, Domain: domain, Source: ip, Day: day(36), Since: day(6)}
	if diff := cmp.Diff([]string{"told " + quiet.String()}, delivered(t, h)); diff != "" {
		t.Errorf("first (-want +got):\n%s", diff)
	}
	// It was there all the while: a reporter that comes late saw it.
	late := report("late.example", 20, pass(ip, 1))
	late.Learnt = day(38).Time()
	add(t, h, late, late)
	if diff := cmp.Diff([]string{"retracted " + quiet.String()}, delivered(t, h)); diff != "" {
		t.Errorf("after the late report (-want +got):\n%s", diff)
	}
	if got := events(t, h); len(got) != 0 {
		t.Errorf("events: %v", got)
	}
	log, err := h.Store.Log(t.Context(), 1, -1)
	if err != nil || len(log) != 1 || !log[0].Learnt.Equal(late.Learnt) {
		t.Errorf("the log after the first entry: %+v, %v", log, err)
	}
}

func TestALateReportMovesAnEventAndTellsItOnce(t *testing.T) {
	h := &history.History{Store: new(history.Memory)}
	add(t, h, report("r.example", 5, fail("192.0.2.1", 1)))
	add(t, h, report("s.example", 3, fail("192.0.2.1", 1)))
	add(t, h, report("t.example", 4, fail("192.0.2.1", 1)))
	was := history.Event{Kind: history.NewFailingSource, Domain: domain, Source: "192.0.2.1", Day: day(5)}
	is := was
	is.Day = day(3)
	if diff := cmp.Diff([]string{"told " + was.String(), "amended " + is.String()}, delivered(t, h)); diff != "" {
		t.Errorf("delivered (-want +got):\n%s", diff)
	}
	if again := delivered(t, h); len(again) != 0 {
		t.Errorf("delivered again: %q", again)
	}
}

func TestAConflictIsKeptAndReported(t *testing.T) {
	h := &history.History{Store: new(history.Memory)}
	outcomes := add(t, h, report("r.example", 0, pass("192.0.2.1", 2)), report("r.example", 0, pass("192.0.2.1", 3)))
	if statuses(outcomes) != "accepted conflict" {
		t.Errorf("statuses: %s", statuses(outcomes))
	}
	reports, err := h.Reports(t.Context(), domain, history.Period{})
	if err != nil || len(reports) != 2 || !reports[0].Conflict || !reports[1].Conflict {
		t.Errorf("reports: %+v, %v", reports, err)
	}
	// Nobody knows which is right: both count.
	if d, err := h.Days(t.Context(), domain, history.Period{}); err != nil || len(d) != 1 || d[0].Pass != 5 {
		t.Errorf("days: %+v, %v", d, err)
	}
}

func TestUntrustedReportsClearNothing(t *testing.T) {
	untrusted := func(subs ...history.Submission) []history.Submission {
		for i := range subs {
			subs[i].Authentic = false
		}
		return subs
	}
	h := &history.History{Store: new(history.Memory), Rules: history.Rules{VanishDays: -1}}
	add(t, h, report("r.example", 0, fail("192.0.2.1", 1)))
	before := events(t, h)
	// Were they believed, the first would be a recovery, and the policy would
	// have changed.
	forged := untrusted(days("forged.example", 1, 20, pass("192.0.2.1", 1))...)
	for i := range forged {
		forged[i].Policy.P = 0
	}
	add(t, h, slices.Concat(forged, days("r.example", 1, 20, pass("192.0.2.9", 1)))...)
	if diff := cmp.Diff(before, events(t, h)); diff != "" || len(before) != 1 {
		t.Errorf("events (-before +after):\n%s", diff)
	}
	sources, err := h.Sources(t.Context(), domain, history.Period{})
	if err != nil || sources[0].Source != "192.0.2.1" || sources[0].State != history.Failing {
		t.Errorf("sources: %+v, %v", sources, err)
	}
}

func TestAYearIsKeptUnlessToldOtherwise(t *testing.T) {
	for _, tt := range []struct {
		name      string
		keep, now int
		want      int // rows left of the first day's and of the one a month later
	}{
		{"after a year all is there", 0, 366, 2},
		{"after another day one day is gone", 0, 367, 1},
		{"a month, because it was asked for", 30, 61, 0},
		{"for ever", -1, 5000, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := &history.History{Store: new(history.Memory), Rules: history.Rules{KeepDays: tt.keep}}
			add(t, h, report("r.example", 0, pass("192.0.2.1", 1)), report("r.example", 30, pass("192.0.2.1", 1)))
			if err := h.Prune(t.Context(), day(tt.now).Time()); err != nil {
				t.Fatal(err)
			}
			if rows, err := h.Rows(t.Context(), domain, "", history.Period{}); err != nil || len(rows) != tt.want {
				t.Errorf("%d rows, %v; want %d", len(rows), err, tt.want)
			}
			if sources, err := h.Sources(t.Context(), domain, history.Period{}); err != nil || len(sources) != 1 || sources[0].FirstSeen != day(0) {
				t.Errorf("sources: %+v, %v", sources, err)
			}
		})
	}
}

func TestAnOpenEpisodeOutlivesItsRows(t *testing.T) {
	const ip = "192.0.2.1"
	h := &history.History{Store: new(history.Memory), Rules: history.Rules{KeepDays: 100, VanishDays: -1, QuietDays: -1}}
	add(t, h, report("r.example", 0, pass(ip, 1)), report("r.example", 1, fail(ip, 1)))
	add(t, h, report("r.example", 300, pass("192.0.2.9", 1)))
	if err := h.Prune(t.Context(), day(300).Time()); err != nil {
		t.Fatal(err)
	}
	add(t, h, days("r.example", 301, 9, pass(ip, 1))...)
	on := func(kind history.Kind, at, since int) history.Event {
		return history.Event{Kind: kind, Domain: domain, Source: ip, Day: day(at), Since: day(since)}
	}
	got, err := h.Events(t.Context(), domain)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]history.Event{on(history.StartedFailing, 1, 0), on(history.Recovered, 301, 1)}, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
