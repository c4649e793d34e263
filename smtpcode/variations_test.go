package smtpcode

import "testing"

// TestVariations judges sentences that no server was seen to say: a family of
// wordings has to know them as well, and to leave alone what only resembles it.
func TestVariations(t *testing.T) {
	for _, cells := range tableOf(t, "testdata/variations.tsv", 2) {
		d := Diagnose(replyFailure("", cells[0]))
		if d.Condition != Condition(cells[1]) {
			t.Errorf("%q is %s, want %s (evidence %v)", cells[0], d.Condition, cells[1], d.Evidence)
		}
	}
}
