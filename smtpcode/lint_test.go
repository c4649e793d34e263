package smtpcode

import (
	"os"
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

// withoutExample is how many rules of words no line of the table of replies
// shows yet. It may only shrink: whoever adds a rule adds its reply.
const withoutExample = 225

// Every rule of words has an example among the documented replies, or is one
// of those that are counted.
func TestRulesHaveExamples(t *testing.T) {
	data, err := os.ReadFile("testdata/replies.tsv")
	if err != nil {
		t.Fatal(err)
	}
	b := Default()
	shown := make(map[string]bool)
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") || len(cells) < 5 {
			continue
		}
		f := replyFailure(cells[0], cells[1])
		for _, m := range b.Explain(f).Matches {
			shown[exampleOf(m.Rule.ID)] = true
		}
	}
	missing := 0
	for i := range b.rules {
		if r := &b.rules[i]; r.Text != "" && !r.Reason && !shown[exampleOf(r.ID)] {
			shown[exampleOf(r.ID)] = true
			missing++
			t.Logf("no example: %s: %q", r.ID, r.Text)
		}
	}
	if missing > withoutExample {
		t.Errorf("%d rules without an example among the replies, %d were known", missing, withoutExample)
	}
}

// exampleOf returns what has to have an example: the rule, or its family. A
// rule "-mail" is another edition's spelling of one that says "email".
func exampleOf(id string) string {
	family, _, _ := strings.Cut(id, "/")
	return strings.TrimSuffix(family, "-mail")
}
