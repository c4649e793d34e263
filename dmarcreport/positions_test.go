package dmarcreport_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mailfault/mailfault/dmarcreport"
)

// TestFindingsAreTheSameHoweverRead breaks a report in thousands of ways. Read
// a byte at a time it must give the same, and each finding the line and
// column of its offset.
func TestFindingsAreTheSameHoweverRead(t *testing.T) {
	pieces := []string{"<", ">", "</", "&", ";", "\"", "\n", " ", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>",
		"<record>", "</record>", "</row>", "<result>", "</auth_results>", "</feedback>", "<np>", "&amp;lt;", "<a:b c='d'>", "\xff", "\x00"}
	text := "\n" + strings.Replace(sample, "Receiver", " Rec\neiver ", 1)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		doc := text
		for range 1 + rng.IntN(4) {
			i, piece := rng.IntN(len(doc)), pieces[rng.IntN(len(pieces))]
			switch rng.IntN(3) {
			case 0:
				doc = doc[:i] + piece + doc[i:]
			case 1:
				doc = doc[:i] + doc[min(len(doc), i+rng.IntN(30)):]
			case 2:
				doc = doc[:i] + doc[rng.IntN(i+1):]
			}
			if doc == "" {
				doc = text
			}
		}
		whole, err := dmarcreport.Read(strings.NewReader(doc))
		split, errSplit := dmarcreport.Read(iotest.OneByteReader(strings.NewReader(doc)))
		if fmt.Sprint(err) != fmt.Sprint(errSplit) || fmt.Sprintf("%+v", whole) != fmt.Sprintf("%+v", split) {
			t.Fatalf("%q\nwhole: %+v, %v\nsplit: %+v, %v", doc, whole, err, split, errSplit)
		}
		if whole == nil {
			continue
		}
		for _, f := range whole.Findings {
			before := doc[:f.Where.Offset]
			line, column := 1+strings.Count(before, "\n"), len(before)-strings.LastIndexByte(before, '\n')
			if f.Where.Line != line || f.Where.Column != column {
				t.Fatalf("%q\n%+v, at line %d, column %d", doc, f, line, column)
			}
		}
	}
}

// TestPositionsCountTheByteOrderMark counts offsets from the first byte of the
// document, and those of records at the "<" they begin with.
func TestPositionsCountTheByteOrderMark(t *testing.T) {
	text := strings.Replace(sample, "<count>12</count>", "<count>-1</count>", 1)
	for _, mark := range []string{"", "\ufeff", "\n\n"} {
		doc := mark + text
		r := read(t, doc)
		if got, want := r.Records[0].Offset, int64(strings.Index(doc, "<record>")); got != want {
			t.Errorf("%q: the record is at %d, want %d", mark, got, want)
		}
		f := r.Findings[0]
		at := strings.Index(doc, "<count>")
		if f.ID != "negative-count" || f.Where.Offset != int64(at) || f.Where.Line != 1+strings.Count(doc[:at], "\n") ||
			f.Where.Column != at-strings.LastIndexByte(doc[:at], '\n') {
			t.Errorf("%q: %+v, want it at %d", mark, f, at)
		}
	}
}

func TestRecordWithoutStartTagBeginsAtItsRow(t *testing.T) {
	doc := strings.Replace(sample, "<record>", "", 1)
	if got, want := read(t, doc).Records[0].Offset, int64(strings.Index(doc, "<row>")); got != want {
		t.Errorf("the record is at %d, want %d", got, want)
	}
}
