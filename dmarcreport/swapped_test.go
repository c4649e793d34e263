package dmarcreport_test

import (
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport"
)

// TestSwappedRangeWhereverItEnds swaps a period that ends before it begins
// whether the element is closed, closed by another, or cut.
func TestSwappedRangeWhereverItEnds(t *testing.T) {
	const head = "<feedback><report_metadata><report_id>1</report_id><date_range><begin>1776915200</begin><end>1775001599</end>"
	for _, rest := range []string{"", "<", "</date_range>", "</report_metadata>", "</feedback>", "<a>", "<email>a@b.example", "<policy_published>"} {
		r := read(t, head+rest)
		dates := r.Metadata.DateRange
		if dates.Begin.Unix() != 1775001599 || dates.End.Unix() != 1776915200 {
			t.Errorf("%q: %v to %v", rest, dates.Begin, dates.End)
		}
		n := 0
		for _, f := range r.Findings {
			if f.ID == "swapped-range" {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%q: %d findings of it", rest, n)
		}
		again(t, r, dmarcreport.RFC7489)
		again(t, r, dmarcreport.RFC9990)
	}
}

// TestCutValuesAreNotRead takes of a report that ends in a date or in the
// policy no part of one: of "17" nobody knows the rest.
func TestCutValuesAreNotRead(t *testing.T) {
	for _, cut := range []string{"1775001", "<domain>sender.exam", "<p>rej", "<pct>1"} {
		at := strings.Index(sample, cut) + len(cut)
		r := read(t, sample[:at])
		if end := r.Metadata.DateRange.End; cut == "1775001" && !end.IsZero() {
			t.Errorf("%s: end %v", cut, end)
		}
		p := r.Policy
		p.ADKIM, p.ASPF, p.Raw.ADKIM, p.Raw.ASPF, p.SP, p.Raw.SP = 0, 0, "", "", 0, ""
		switch cut {
		case "1775001", "<domain>sender.exam":
			if p != (dmarcreport.PolicyPublished{}) {
				t.Errorf("%s: policy %+v", cut, p)
			}
		case "<p>rej":
			if p.P != dmarcreport.DispositionAbsent || p.Raw.P != "" {
				t.Errorf("%s: policy %+v", cut, p)
			}
		default:
			if p.Pct != "" {
				t.Errorf("%s: pct %q", cut, p.Pct)
			}
		}
	}
}
