package smtpcode

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Two rules of the same specificity that the same evidence fits must not point
// at different conditions: which one wins would hang on their order.
func TestNoRulesContradictEachOther(t *testing.T) {
	b := Default()
	for i := range b.rules {
		for j := range i {
			p, q := &b.rules[i], &b.rules[j]
			if p.Also || q.Also || p.Condition == q.Condition || b.strength[i] != b.strength[j] || !overlap(p, q) {
				continue
			}
			t.Errorf("%s says %s, %s says %s, of the same evidence", p.ID, p.Condition, q.ID, q.Condition)
		}
	}
}

// overlap reports whether some evidence fits both rules in the same place.
func overlap(p, q *Rule) bool {
	switch {
	case p.Reason != q.Reason || !strings.EqualFold(p.Text, q.Text),
		p.Operator != "" && q.Operator != "" && p.Operator != q.Operator,
		p.Code > 0 && q.Code > 0 && p.Code != q.Code,
		p.Code < 0 && q.Code < 0 && p.Code != q.Code,
		p.Code < 0 && q.Code > 0 && q.Code/100 != -p.Code,
		q.Code < 0 && p.Code > 0 && p.Code/100 != -q.Code:
		return false
	case p.From.IsZero() || q.From.IsZero():
		return p.From.IsZero() == q.From.IsZero() || p.Text != ""
	}
	return p.From.Compare(last(q)) <= 0 && q.From.Compare(last(p)) <= 0
}

// last returns the end of a rule's range of statuses.
func last(r *Rule) Status {
	if r.To.IsZero() {
		return r.From
	}
	return r.To
}

// Every rule is reached: of the evidence that it asks for and no more, it
// decides. A rule that others always outdo is dead. Pairs of a
// family and bare words may overlap, but they must mean the same.
func TestRulesAreReached(t *testing.T) {
	b := Default()
	for i := range b.rules {
		r := &b.rules[i]
		by := "nothing"
		for status := r.From; ; status[2]++ {
			x := b.Explain(barest(r, status))
			matched := slices.ContainsFunc(x.Matches, func(m MatchedRule) bool { return m.Rule.ID == r.ID })
			won := slices.IndexFunc(x.Matches, func(m MatchedRule) bool { return m.Won })
			if won >= 0 {
				by = x.Matches[won].Rule.ID
			}
			if matched && (r.Also || by == r.ID || (r.Bare || r.Topic || strings.HasPrefix(r.ID, "family-")) && x.Diagnosis.Condition == r.Condition) {
				break
			}
			if status == last(r) {
				t.Errorf("%s (%s) never decides, the last time %s did", r.ID, r.Condition, by)
				break
			}
		}
	}
}

// barest is a failure with the evidence that a rule asks for and no other.
func barest(r *Rule, status Status) Failure {
	text := strings.ReplaceAll(r.Text, gapMark, " <a@b.example> ")
	if r.Reason {
		return Failure{Action: Failed, Reason: text}
	}
	reply := Reply{Code: r.Code, Status: status, Text: text, Raw: text}
	if r.Code < 0 {
		reply.Code = -r.Code*100 + 99 // no code of its own
	}
	f := Failure{Action: Failed, RemoteServer: "mx.example.net", Replies: []Reply{reply}}
	for _, host := range operatorHosts {
		if host.operator == r.Operator {
			f.RemoteServer = "mx." + host.domain
			break
		}
	}
	return f
}

// Every rule of words has an example: a reply that replies.tsv documents, or
// one of rule-examples.tsv. Every pair of a family is shown by its own words:
// see TestRulesAreReached.
func TestRulesHaveExamples(t *testing.T) {
	shown := make(map[string]bool)
	for _, cells := range tableOf(t, "testdata/replies.tsv", 5) {
		show(shown, replyFailure(cells[0], cells[1]))
	}
	for _, cells := range tableOf(t, "testdata/rule-examples.tsv", 6) {
		show(shown, exampleFailure(cells[1], cells[2]))
	}
	for _, r := range Default().rules {
		if r.Text != "" && !shown[r.ID] && !strings.HasPrefix(r.ID, "family-") {
			t.Errorf("no example of %s: %q", r.ID, r.Text)
		}
	}
}

// Every line of the table of examples is matched by its rule and means what
// the rule says; where another rule decides, the line names it.
func TestRuleExamples(t *testing.T) {
	for _, cells := range tableOf(t, "testdata/rule-examples.tsv", 6) {
		id, winner, condition := cells[0], cells[3], Condition(cells[4])
		x := Default().Explain(exampleFailure(cells[1], cells[2]))
		matched, won := false, ""
		for _, m := range x.Matches {
			matched = matched || m.Rule.ID == id
			if m.Won {
				won = m.Rule.ID
			}
		}
		if !matched || winner != "=" && won != winner || x.Diagnosis.Condition != condition {
			t.Errorf("%s: %q: matched: %v; it is %v by %s, want %v", id, cells[2], matched, x.Diagnosis.Condition, won, condition)
		}
	}
}

// exampleFailure is the failure of a line of rule-examples.tsv.
func exampleFailure(server, text string) Failure {
	if server == "reason" {
		return Failure{Action: Failed, GeneratingServer: "out.sender.example", Reason: text}
	}
	return replyFailure(server, text)
}

// show marks the rules that match a failure.
func show(shown map[string]bool, f Failure) {
	for _, m := range Default().Explain(f).Matches {
		shown[m.Rule.ID] = true
	}
}

// tableOf reads a table of cells between tabs: comments and the line of names
// are left out, and no cell is empty.
func tableOf(t *testing.T, name string, cells int) [][]string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var table [][]string
	names := true
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if names {
			names = false
			continue
		}
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(row) != cells || slices.Contains(row, "") {
			t.Fatalf("%s: a line of %d cells, want %d: %q", name, len(row), cells, line)
		}
		table = append(table, row)
	}
	return table
}
