package history_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
)

const domain = "a.example"

var day0 = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func day(n int) history.Day { return history.DayOf(day0.AddDate(0, 0, n)) }

// seen is a line of a report: a source, how many messages, and how they fared.
type seen struct {
	ip    string
	count int64
	as    history.Verdict
}

// report returns an authentic report of one day, learnt the day after.
func report(reporter string, n int, lines ...seen) history.Submission {
	begin := day0.AddDate(0, 0, n)
	r := &dmarcreport.Report{
		Metadata: dmarcreport.Metadata{
			OrgName: reporter, Email: "dmarc@" + reporter, ReportID: fmt.Sprintf("%s-%d", reporter, n),
			DateRange: dmarcreport.DateRange{Begin: begin, End: begin.Add(24*time.Hour - time.Second)},
		},
		Policy: dmarcreport.PolicyPublished{Domain: domain, P: dmarcreport.DispositionReject},
	}
	for _, l := range lines {
		rec := dmarcreport.Record{SourceIP: netip.MustParseAddr(l.ip), Count: l.count, HeaderFrom: domain}
		rec.Evaluated.DKIM, rec.Evaluated.SPF = dmarcreport.ResultFail, dmarcreport.ResultFail
		rec.Evaluated.Disposition = dmarcreport.DispositionReject
		switch l.as {
		case history.VerdictPass:
			rec.Evaluated.DKIM, rec.Evaluated.Disposition = dmarcreport.ResultPass, dmarcreport.DispositionNone
		case history.VerdictMuted:
			rec.Evaluated.Disposition = dmarcreport.DispositionNone
			rec.Evaluated.Reasons = []dmarcreport.Reason{{Type: dmarcreport.OverrideMailingList}}
		}
		r.Records = append(r.Records, rec)
	}
	s := history.Of(r)
	s.Authentic, s.Learnt = true, begin.AddDate(0, 0, 1).Add(6*time.Hour)
	return s
}

func pass(ip string, n int64) seen  { return seen{ip, n, history.VerdictPass} }
func fail(ip string, n int64) seen  { return seen{ip, n, history.VerdictFail} }
func muted(ip string, n int64) seen { return seen{ip, n, history.VerdictMuted} }

func add(t *testing.T, h *history.History, subs ...history.Submission) []history.Outcome {
	t.Helper()
	outcomes, err := h.Add(t.Context(), subs...)
	if err != nil {
		t.Fatal(err)
	}
	return outcomes
}

func events(t *testing.T, h *history.History) []history.Event {
	t.Helper()
	replayed, err := h.Events(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	derived, err := h.Derive(t.Context(), domain)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(derived, replayed); diff != "" {
		t.Errorf("the log replayed is not the fold (-fold +log):\n%s", diff)
	}
	return replayed
}

// days returns reports of one reporter, one a day from first on.
func days(reporter string, first, n int, lines ...seen) []history.Submission {
	var subs []history.Submission
	for i := range n {
		subs = append(subs, report(reporter, first+i, lines...))
	}
	return subs
}

func TestEventsOfASource(t *testing.T) {
	const ip = "192.0.2.1"
	other := func(first, n int) []history.Submission { return days("other.example", first, n, pass("192.0.2.99", 1)) }
	on := func(kind history.Kind, at, since int) history.Event {
		e := history.Event{Kind: kind, Domain: domain, Source: ip, Day: day(at)}
		if since >= 0 {
			e.Since = day(since)
		}
		return e
	}
	tests := []struct {
		name string
		subs []history.Submission
		want []history.Event
	}{
		{"a source that only passes is no news", days("r", 0, 3, pass(ip, 5)), nil},
		{"one failing message of an unknown source", days("r", 0, 1, fail(ip, 1)),
			[]history.Event{on(history.NewFailingSource, 0, -1)}},
		{"an episode is told once", days("r", 0, 9, fail(ip, 1)),
			[]history.Event{on(history.NewFailingSource, 0, -1)}},
		{"passing, then failing", slices.Concat(days("r", 0, 5, pass(ip, 5)), days("r", 5, 3, fail(ip, 5))),
			[]history.Event{on(history.StartedFailing, 5, 4)}},
		{"a day with both is a failing day", slices.Concat(days("r", 0, 5, pass(ip, 5)), days("r", 5, 1, pass(ip, 5), fail(ip, 1))),
			[]history.Event{on(history.StartedFailing, 5, 4)}},
		{"six good days are no recovery yet", slices.Concat(days("r", 0, 2, fail(ip, 1)), days("r", 2, 7, pass(ip, 1))),
			[]history.Event{on(history.NewFailingSource, 0, -1)}},
		{"seven good days are", slices.Concat(days("r", 0, 2, fail(ip, 1)), days("r", 2, 8, pass(ip, 1))),
			[]history.Event{on(history.NewFailingSource, 0, -1), on(history.Recovered, 2, 0)}},
		{"other sources show that the days went by", slices.Concat(days("r", 0, 2, fail(ip, 1)), days("r", 2, 1, pass(ip, 1)), other(3, 7)),
			[]history.Event{on(history.NewFailingSource, 0, -1), on(history.Recovered, 2, 0)}},
		{"flapping is one episode", slices.Concat(days("r", 0, 2, fail(ip, 1)), days("r", 2, 5, pass(ip, 1)), days("r", 7, 2, fail(ip, 1))),
			[]history.Event{on(history.NewFailingSource, 0, -1)}},
		{"failing again after a recovery", slices.Concat(days("r", 0, 1, fail(ip, 1)), days("r", 1, 10, pass(ip, 1)), days("r", 11, 1, fail(ip, 1))),
			[]history.Event{on(history.NewFailingSource, 0, -1), on(history.Recovered, 1, 0), on(history.StartedFailing, 11, 10)}},
		{"a mailing list is shown and says nothing", days("r", 0, 5, muted(ip, 100)), nil},
		{"a forwarder that then fails by itself is new", slices.Concat(days("r", 0, 5, muted(ip, 1)), days("r", 5, 1, fail(ip, 1))),
			[]history.Event{on(history.NewFailingSource, 5, -1)}},
		{"a regular source goes quiet", slices.Concat(days("r", 0, 7, pass(ip, 1)), other(7, 31)),
			[]history.Event{on(history.GoneQuiet, 36, 6)}},
		{"a source seen on six days was never regular", slices.Concat(days("r", 0, 6, pass(ip, 1)), other(6, 32)), nil},
		{"thirty days of silence are not over yet", slices.Concat(days("r", 0, 7, pass(ip, 1)), other(7, 30)), nil},
		{"a jump of ten times over a thousand", slices.Concat(days("r", 0, 7, pass(ip, 100)), days("r", 7, 2, pass(ip, 1000))),
			[]history.Event{on(history.VolumeJump, 7, -1)}},
		{"a jump below a thousand is none", slices.Concat(days("r", 0, 7, pass(ip, 99)), days("r", 7, 2, pass(ip, 999))), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := &history.History{Store: new(history.Memory)}
			// The other reporter's silence is not what is asked here.
			h.Rules.VanishDays = -1
			add(t, h, tt.subs...)
			if diff := cmp.Diff(tt.want, events(t, h)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAnyOrderGivesTheSameEvents throws random pasts at a history, in order and
// shuffled, with duplicates, in batches of any size.
func TestAnyOrderGivesTheSameEvents(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 7))
		subs := randomPast(rng, 20+rng.IntN(180))
		straight := &history.History{Store: new(history.Memory)}
		for _, s := range subs {
			add(t, straight, s)
		}
		want := events(t, straight)
		for range 3 {
			shuffled := slices.Clone(subs)
			for range rng.IntN(20) {
				shuffled = append(shuffled, subs[rng.IntN(len(subs))])
			}
			rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			h := &history.History{Store: new(history.Memory)}
			for len(shuffled) > 0 {
				n := 1 + rng.IntN(min(len(shuffled), 40))
				add(t, h, shuffled[:n]...)
				shuffled = shuffled[n:]
			}
			if diff := cmp.Diff(want, events(t, h)); diff != "" {
				t.Fatalf("seed %d: another order gives other events (-straight +shuffled):\n%s", seed, diff)
			}
		}
		if seed == 0 && len(want) == 0 {
			t.Error("a past without events proves nothing")
		}
	}
}

func randomPast(rng *rand.Rand, length int) []history.Submission {
	ips := []string{"192.0.2.1", "192.0.2.2", "2001:db8::1", "198.51.100.7"}
	mood := make([]history.Verdict, len(ips))
	var subs []history.Submission
	for n := range length {
		for _, reporter := range []string{"google.example", "yahoo.example", "tiny.example"} {
			if rng.IntN(4) == 0 || reporter == "tiny.example" && n > length/2 {
				continue
			}
			var lines []seen
			for i, ip := range ips {
				if rng.IntN(15) == 0 {
					mood[i] = history.Verdict(rng.IntN(3))
				}
				if rng.IntN(3) > 0 && !(i == 3 && n > length/3) {
					volume := int64(1 + rng.IntN(50))
					if rng.IntN(30) == 0 {
						volume *= 100
					}
					lines = append(lines, seen{ip, volume, mood[i]})
				}
			}
			s := report(reporter, n, lines...)
			if n > length*2/3 {
				s.Policy.P = dmarcreport.DispositionNone
			}
			s.Authentic = rng.IntN(10) > 0
			subs = append(subs, s)
		}
	}
	return subs
}
