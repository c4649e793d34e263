package smtpcode

import (
	"slices"
	"testing"
)

// Every rule must be reachable, sourced and point at a condition of the table.
func TestRulesAreSound(t *testing.T) {
	b := Default()
	ids := make(map[string]bool)
	for i, r := range b.rules {
		if r.ID == "" || ids[r.ID] {
			t.Errorf("rule %d: no ID of its own: %q", i, r.ID)
		}
		ids[r.ID] = true
		if r.Source == "" {
			t.Errorf("%s: no source", r.ID)
		}
		if r.Condition != UnknownCondition && b.meanings[r.Condition] == nil {
			t.Errorf("%s: condition %q is not in the table", r.ID, r.Condition)
		}
		if r.Text == "" && r.From.IsZero() && r.Code == 0 {
			t.Errorf("%s: fits everything", r.ID)
		}
		if !r.Also && !reaches(b, &r) {
			t.Errorf("%s: never decides, not even on its own evidence", r.ID)
		}
	}
	for _, m := range slices.Concat(conditionTables...) {
		if m.source == "" || m.summary == "" || len(m.owners) == 0 || len(m.steps) == 0 {
			t.Errorf("condition %s is incomplete", m.id)
		}
		for _, owner := range m.owners {
			told := func(s Step) bool { return s.Party == owner }
			if owner != Unknown && owner != Nobody && !slices.ContainsFunc(m.steps, told) {
				t.Errorf("condition %s: no step for %s", m.id, owner)
			}
		}
		// Whichever side refused, somebody must be told what to do.
		for _, side := range []Side{SideUnknown, SideSender, SideRecipient, SideThird} {
			if parties, steps := owners(&m, side); len(parties) == 0 || len(steps) == 0 || m.byRule && side != SideUnknown && steps[len(steps)-1].Party != parties[0] {
				t.Errorf("condition %s, side %s: owners %v, steps %v", m.id, side, parties, steps)
			}
		}
	}
}

// reaches reports whether evidence made of nothing but the rule is decided as
// the rule says.
func reaches(b *Rulebook, r *Rule) bool {
	f := Failure{Action: Failed, RemoteServer: "mx.example.com"}
	for _, h := range operatorHosts {
		if h.operator == r.Operator {
			f.RemoteServer = "mx." + h.domain
		}
	}
	status, code := r.From, r.Code
	if !r.To.IsZero() {
		status[2] = (r.From[2] + r.To[2]) / 2 // within the range, where no code of its own stands
	}
	if code < 0 {
		status, code = Status{-code, 9, 9}, 0
	}
	if r.Reason {
		f.Reason = r.Text
	} else {
		f.Replies = []Reply{{Code: code, Status: status, Text: r.Text, Raw: r.Text}}
	}
	return b.Diagnose(f).Condition == r.Condition
}
