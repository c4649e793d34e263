package history_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
)

// TestCutRecordsRaiseNothing: the last record of a report that was cut counts
// where it passed; that it failed, or why, may have stood behind the cut.
func TestCutRecordsRaiseNothing(t *testing.T) {
	h := &history.History{Store: new(history.Memory)}
	for i, line := range []seen{fail("192.0.2.1", 4), pass("192.0.2.2", 5)} {
		s := report("r.example", i, pass("192.0.2.9", 1), line)
		records := s.Records
		s.Records = func(yield func(*dmarcreport.Record, error) bool) {
			n := 0
			for rec, err := range records {
				if n++; n == 2 {
					rec.Partial = true
				}
				if !yield(rec, err) {
					return
				}
			}
		}
		add(t, h, s)
	}
	if got := events(t, h); len(got) != 0 {
		t.Errorf("%v", got)
	}
	got, err := h.Days(t.Context(), domain, history.Period{})
	want := []history.DayTotals{{Day: day(0), Totals: history.Totals{Pass: 1}}, {Day: day(1), Totals: history.Totals{Pass: 6}}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
