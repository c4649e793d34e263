package history_test

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mailfault/mailfault/dmarcreport/history"
)

func TestFindTheSourceOfARefusal(t *testing.T) {
	h := &history.History{Store: new(history.Memory)}
	add(t, h, days("good.example", 0, 30, pass("192.0.2.1", 9))...)
	add(t, h, report("big.example", 20, fail("192.0.2.66", 3)), report("big.example", 5, fail("2001:db8::1", 1)))
	tests := []struct {
		name      string
		domain    string
		ip        string
		day       int
		grade     history.Grade
		known     bool
		open      bool
		reporters []string
	}{
		{"reports of the day", "a.example", "192.0.2.66", 20, history.GradeStrong, true, false, []string{"big.example"}},
		{"the author domain is below the policy's", "News.A.example.", "192.0.2.66", 20, history.GradeStrong, true, false, []string{"big.example"}},
		{"an IPv4 address within IPv6", "a.example", "::ffff:192.0.2.66", 21, history.GradeStrong, true, false, []string{"big.example"}},
		{"within the week", "a.example", "192.0.2.66", 24, history.GradeLikely, true, false, []string{"big.example"}},
		{"the episode is still open", "a.example", "192.0.2.66", 29, history.GradeLikely, true, true, nil},
		{"a source that passes, with a failing neighbour", "a.example", "192.0.2.1", 20, history.GradePossible, true, false, []string{"big.example"}},
		{"a neighbour failed", "a.example", "192.0.2.70", 20, history.GradePossible, false, false, []string{"big.example"}},
		{"a neighbour failed long ago", "a.example", "2001:db8::2", 20, history.GradeNone, false, false, nil},
		{"another domain", "b.example", "192.0.2.66", 20, history.GradeNone, false, true, nil},
		{"a suffix that is no parent", "xa.example", "192.0.2.66", 20, history.GradeNone, false, true, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := h.Find(t.Context(), history.Refusal{AuthorDomain: tt.domain, IP: netip.MustParseAddr(tt.ip), Day: day(tt.day)})
			if err != nil {
				t.Fatal(err)
			}
			if m.Grade != tt.grade || m.Known != tt.known || m.Open != tt.open {
				t.Errorf("grade %s, known %t, open %t; want %s, %t, %t", m.Grade, m.Known, m.Open, tt.grade, tt.known, tt.open)
			}
			if diff := cmp.Diff(tt.reporters, m.Reporters()); diff != "" {
				t.Errorf("reporters (-want +got):\n%s", diff)
			}
		})
	}
}

func TestABounceBeforeTheReportIsAskedAgain(t *testing.T) {
	h := &history.History{Store: new(history.Memory)}
	refusal := history.Refusal{AuthorDomain: domain, IP: netip.MustParseAddr("192.0.2.66"), Day: day(3)}
	add(t, h, days("good.example", 0, 3, pass("192.0.2.1", 9))...)
	before, err := h.Find(t.Context(), refusal)
	if err != nil || before.Grade > history.GradePossible || !before.Open {
		t.Errorf("before the report: %+v, %v", before, err)
	}
	add(t, h, report("big.example", 3, fail("192.0.2.66", 1)), report("good.example", 5))
	after, err := h.Find(t.Context(), refusal)
	if err != nil || after.Grade != history.GradeStrong || after.Open || after.Since != day(3) {
		t.Errorf("after the report: %+v, %v", after, err)
	}
}
