package page

import (
	"slices"

	"github.com/mailfault/mailfault/smtpcode"
)

// parties are the three columns of a report, and who stands in each. Nobody and
// an unknown party stand in none: none of the three is marked for them.
var parties = []struct {
	name    string
	members []smtpcode.Party
}{
	{"Sender", []smtpcode.Party{smtpcode.Sender, smtpcode.SenderAdmin, smtpcode.SenderDNS}},
	{"Service between", []smtpcode.Party{smtpcode.Filter, smtpcode.Platform}},
	{"Recipient", []smtpcode.Party{smtpcode.Recipient, smtpcode.RecipientAdmin, smtpcode.GroupOwner}},
}

// Column is one of the three parties.
type Column struct {
	Name   string
	Clears bool             // has the owner who can clear it
	Moves  bool             // has the first move, which may be another's
	Then   bool             // acts later
	Who    []smtpcode.Party // of those who act, in order
}

// Role is what a column is marked with.
func (c Column) Role() string {
	switch {
	case c.Clears && c.Moves:
		return "acts first"
	case c.Clears:
		return "can clear it"
	case c.Moves:
		return "moves first"
	case c.Then:
		return "acts then"
	}
	return ""
}

// Columns are the three parties, with those marked that have to act.
func Columns(d *smtpcode.Diagnosis) []Column {
	out := make([]Column, len(parties))
	for i, party := range parties {
		c := &out[i]
		c.Name = party.name
		if len(d.Steps) > 0 && slices.Contains(party.members, d.Steps[0].Party) {
			c.Moves, c.Who = true, append(c.Who, d.Steps[0].Party)
		}
		for j, owner := range d.Owners {
			if !slices.Contains(party.members, owner) {
				continue
			}
			c.Clears = c.Clears || j == 0
			c.Then = c.Then || j > 0
			if !slices.Contains(c.Who, owner) {
				c.Who = append(c.Who, owner)
			}
		}
	}
	return out
}
