package page

import (
	"slices"
	"testing"

	"github.com/mailfault/mailfault/smtpcode"
)

// The label of a column never contradicts the first move beside it: who makes
// it and who can clear it may be two parties, or one, or none of the three.
func TestTheRolesOfTheParties(t *testing.T) {
	tests := []struct {
		name   string
		first  smtpcode.Party
		owners []smtpcode.Party
		roles  []string
	}{
		{"the sender alone", smtpcode.Sender, []smtpcode.Party{smtpcode.Sender}, []string{"acts first", "", ""}},
		{"the sender asks a filter", smtpcode.Sender, []smtpcode.Party{smtpcode.Filter}, []string{"moves first", "can clear it", ""}},
		{"the sender asks, the recipient's side clears it", smtpcode.Sender, []smtpcode.Party{smtpcode.RecipientAdmin}, []string{"moves first", "", "can clear it"}},
		{"one side, then the other", smtpcode.Sender, []smtpcode.Party{smtpcode.Sender, smtpcode.RecipientAdmin}, []string{"acts first", "", "acts then"}},
		{"first and last", smtpcode.SenderAdmin, []smtpcode.Party{smtpcode.Filter, smtpcode.SenderAdmin}, []string{"moves first", "can clear it", ""}},
		{"time heals it", smtpcode.Nobody, []smtpcode.Party{smtpcode.Nobody}, []string{"", "", ""}},
		{"nobody knows whose it is", smtpcode.Sender, []smtpcode.Party{smtpcode.Unknown}, []string{"moves first", "", ""}},
	}
	for _, test := range tests {
		var roles []string
		for _, c := range Columns(&smtpcode.Diagnosis{Owners: test.owners, Steps: []smtpcode.Step{{Party: test.first, Text: "do"}}}) {
			roles = append(roles, c.Role())
		}
		if !slices.Equal(roles, test.roles) {
			t.Errorf("%s: %q, want %q", test.name, roles, test.roles)
		}
	}
}
