package page

import (
	"slices"

	"github.com/mailfault/mailfault/smtpcode"
)

// parties are the three columns of a report, and who stands in each.
var parties = []struct {
	name    string
	members []smtpcode.Party
}{
	{"Sender", []smtpcode.Party{smtpcode.Sender, smtpcode.SenderAdmin, smtpcode.SenderDNS}},
	{"Service between", []smtpcode.Party{smtpcode.Filter, smtpcode.Platform, smtpcode.Nobody, smtpcode.Unknown}},
	{"Recipient", []smtpcode.Party{smtpcode.Recipient, smtpcode.RecipientAdmin, smtpcode.GroupOwner}},
}

// Column is one of the three parties.
type Column struct {
	Name string
	Acts bool             // acts first
	Then bool             // acts later
	Who  []smtpcode.Party // of the owners
}

// Columns are the three parties, with those marked that have to act.
func Columns(owners []smtpcode.Party) []Column {
	out := make([]Column, len(parties))
	for i, party := range parties {
		out[i].Name = party.name
		for j, owner := range owners {
			if slices.Contains(party.members, owner) {
				out[i].Acts = out[i].Acts || j == 0
				out[i].Then = out[i].Then || j > 0
				out[i].Who = append(out[i].Who, owner)
			}
		}
	}
	return out
}
