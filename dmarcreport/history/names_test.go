package history_test

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mailfault/mailfault/dmarcreport/history"
)

// TestNamesOfOneDomain: a domain is one, in whatever case and form reports and
// callers write it.
func TestNamesOfOneDomain(t *testing.T) {
	h := &history.History{Store: new(history.Memory)}
	names := []string{"Bücher.example", "xn--bcher-kva.example", "XN--BCHER-KVA.example.", "BÜCHER.EXAMPLE."}
	for i, name := range names {
		s := report("r.example", i, pass("192.0.2.1", 1))
		if i == len(names)-1 {
			s = report("r.example", i, fail("192.0.2.1", 1))
		}
		s.Policy.Domain = name
		add(t, h, s)
	}
	want := []history.Event{{Kind: history.StartedFailing, Domain: "xn--bcher-kva.example", Source: "192.0.2.1", Day: day(3), Since: day(2)}}
	for _, name := range names {
		got, err := h.Events(t.Context(), name)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
		derived, _ := h.Derive(t.Context(), name)
		sources, _ := h.Sources(t.Context(), name, history.Period{})
		reports, _ := h.Reports(t.Context(), name, history.Period{})
		days, _ := h.Days(t.Context(), name, history.Period{})
		rows, _ := h.Rows(t.Context(), name, "", history.Period{})
		reporters, _ := h.Reporters(t.Context(), name)
		_, _, known, _ := h.Source(t.Context(), name, "192.0.2.1")
		if len(derived) != 1 || len(sources) != 1 || len(reports) != 4 || len(days) != 4 || len(rows) != 4 || len(reporters) != 1 || !known {
			t.Errorf("%s: %d events derived, %d sources, %d reports, %d days, %d rows, %d reporters, known %v",
				name, len(derived), len(sources), len(reports), len(days), len(rows), len(reporters), known)
		}
		m, err := h.Find(t.Context(), history.Refusal{AuthorDomain: "news." + name, IP: netip.MustParseAddr("192.0.2.1"), Day: day(3)})
		if err != nil || m.Grade != history.GradeStrong || m.Domain != "xn--bcher-kva.example" {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}
