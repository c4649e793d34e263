package smtpcode

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mailfault/mailfault/internal/lists"
)

// Explanation is a diagnosis with every rule that matched, strongest first.
type Explanation struct {
	Diagnosis Diagnosis     `json:"diagnosis"`
	Matches   []MatchedRule `json:"matches"`
}

// MarshalJSON writes absent lists as [], never null.
func (e Explanation) MarshalJSON() ([]byte, error) {
	type plain Explanation
	e.Matches = lists.Filled(e.Matches)
	return json.Marshal(plain(e))
}

// MatchedRule is a rule that fits some of the evidence.
type MatchedRule struct {
	Rule     Rule     `json:"rule"`
	Evidence Evidence `json:"evidence"` // where it matched
	Strength int      `json:"strength"` // how specific it is there; the greatest decides
	Won      bool     `json:"won"`      // it decides the condition
	Why      string   `json:"why"`      // why it won or did not, one sentence
}

// Explain judges a failure as [Rulebook.Diagnose] does and says of every rule
// that matched why it won or why not. It is for people who write rules: it
// takes memory for each match, where Diagnose keeps the strongest only.
func (b *Rulebook) Explain(f Failure) Explanation {
	x := Explanation{Diagnosis: b.Diagnose(f)}
	refuser := f.refuser()
	var all []match
	ms := matches{all: &all}
	b.gather(&ms, &f, &refuser, operatorOf(refuser.Host))
	best := b.winner(&ms, &f)
	slices.SortStableFunc(all, func(a, c match) int { return cmp.Compare(c.strength, a.strength) })
	seen := make(map[int32]bool, len(all))
	for i := range all {
		m := &all[i]
		if seen[m.rule] {
			continue
		}
		seen[m.rule] = true
		matched := MatchedRule{Rule: b.rules[m.rule], Strength: m.strength, Evidence: b.evidence(m, &f)}
		matched.Won = best >= 0 && ms.list[best].rule == m.rule
		matched.Why = b.why(m, &ms, best)
		matched.Evidence.Overruled = !matched.Won
		x.Matches = append(x.Matches, matched)
	}
	return x
}

// why says in one sentence why a match decides or does not.
func (b *Rulebook) why(m *match, ms *matches, best int) string {
	rule := &b.rules[m.rule]
	switch {
	case best < 0:
		return "Nothing decides: this leaves its condition open."
	case ms.list[best].rule == m.rule && best > 0 && !b.rules[ms.list[0].rule].Also:
		return "Decides: the server gave up after temporary errors, so expiry stands above the last error."
	case ms.list[best].rule == m.rule:
		return fmt.Sprintf("Decides: %s is the most specific evidence.", rule.kind())
	case rule.Also:
		return "Never decides: it keeps its condition open beside another."
	case m.strength <= strengthOpen:
		return fmt.Sprintf("Does not decide: the code means this at %s, and it is not known that its server spoke.", rule.Operator)
	}
	won := &b.rules[ms.list[best].rule]
	if rule.kind() == won.kind() {
		return fmt.Sprintf("Does not decide: %s fits more exactly (%d against %d).", won.ID, ms.list[best].strength, m.strength)
	}
	return fmt.Sprintf("Does not decide: %s ranks below %s, as %s has.", rule.kind(), won.kind(), won.ID)
}

// kind names the kind of evidence a rule asks for.
func (r *Rule) kind() string {
	switch {
	case r.Text != "" && r.Reason:
		return "the report's sentence"
	case r.Text != "" && r.Token:
		return "a program's mark"
	case strings.Contains(r.Text, gapMark):
		return "a family of wordings"
	case r.Text != "" && r.Vague:
		return "a wording that does not say why"
	case r.Text != "" && r.Topic:
		return "a word for what the refusal is about"
	case r.Text != "":
		return "a wording"
	case r.Operator != "" && r.To.IsZero():
		return "an operator's code"
	case r.Operator != "":
		return "an operator's range of codes"
	case !r.To.IsZero():
		return "a range of codes"
	case !r.From.IsZero():
		return "a code"
	case r.Code < 0:
		return "a class"
	}
	return "a reply code"
}
