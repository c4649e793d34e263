package messagetrace

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

// TestDeletedBounces reads ten failures out of a trace and judges them as the
// reports themselves are judged: when the sender deleted the bounce, the trace
// answers the same question, unless the report's own sentence decides, which a
// trace does not have. Each row's message_info names the report.
func TestDeletedBounces(t *testing.T) {
	cases := 0
	for row, err := range Read(bytes.NewReader(fixture(t, "deleted-bounces.csv"))) {
		if err != nil {
			t.Fatal(err)
		}
		var file string
		for _, c := range row.Extra {
			if c.Name == "message_info" {
				file = c.Value
			}
		}
		for _, text := range row.Texts {
			if _, err := os.Stat("../testdata/" + text); err == nil {
				file = text
			}
		}
		data, err := os.ReadFile("../testdata/" + file)
		if err != nil {
			t.Fatalf("line %d: %v", row.Line, err)
		}
		report, err := dsn.Read(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		notice, err := ndr.Parse(report)
		if err != nil {
			t.Fatal(err)
		}
		if m := KeyOf(notice).Match(&row); m != ByNetworkID {
			t.Errorf("%s: the row joins the report by %v", file, m)
		}
		failures := row.Failures()
		if len(failures) != 1 {
			t.Fatalf("%s: %d failures in the trace", file, len(failures))
		}
		for _, f := range notice.Failures() {
			if f.Recipient != failures[0].Recipient {
				continue
			}
			cases++
			want, got := smtpcode.Diagnose(f), smtpcode.Diagnose(failures[0])
			if got.Condition != want.Condition || !slices.Equal(got.Owners, want.Owners) || got.Steps[0] != want.Steps[0] {
				t.Errorf("%s: the trace gives %s %v %q, the report %s %v %q", file, got.Condition, got.Owners, got.Steps[0].Text, want.Condition, want.Owners, want.Steps[0].Text)
			}
		}
	}
	if cases != 10 {
		t.Errorf("%d cases", cases)
	}
}
