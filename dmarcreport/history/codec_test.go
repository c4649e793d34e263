package history

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzRecords throws bytes at the readers of what stores hold: a damaged
// database is an error, never a panic or a bottomless allocation.
func FuzzRecords(f *testing.F) {
	t := &track{source: "a", hasPast: true, split: 20000, prunedTo: 19000, root: Marks{LastPass: 18000, Seen: 3},
		past: []DayTotals{{19500, Totals{Pass: 1}}}, recent: []DayTotals{{20001, Totals{Fail: 2}}, {20002, Totals{1, 2, 3}}}}
	stored := t.encode(0)
	f.Add(stored.Recent)
	f.Add(stored.Past)
	var d domainTrack
	d.add(ReportKey{Reporter: "r", Begin: Day(20000).Time()}, 20000, "p=none")
	f.Add(d.encode())
	f.Add([]byte{1, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := decodeTrack(Track{Source: "a", Recent: data})
		if err == nil {
			err = tr.loadPast(data)
		}
		_, domainErr := decodeDomain(data)
		for _, err := range []error{err, domainErr} {
			if err != nil && !errors.Is(err, ErrCorrupt) {
				t.Error(err)
			}
		}
	})
}

func TestRecordsReadAsWritten(t *testing.T) {
	want := &track{source: "a", hasPast: true, split: 20000, prunedTo: 19000, root: Marks{LastPass: 18000, Seen: 3}, base: Marks{FirstSeen: 7},
		before: Totals{Pass: 1}, past: []DayTotals{{19500, Totals{Pass: 1}}},
		recent: []DayTotals{{20001, Totals{Fail: 2}}, {20002, Totals{Muted: 5}}, {20009, Totals{1, 2, 3}}}}
	stored := want.encode(0)
	got, err := decodeTrack(stored)
	if err != nil {
		t.Fatal(err)
	}
	if err := got.loadPast(stored.Past); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(track{})); diff != "" {
		t.Errorf("a track (-want +got):\n%s", diff)
	}
}
