package smtpcode

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// documentedReplies returns the replies of the table, one in step.
func documentedReplies(t *testing.T, first, step int) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/replies.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var replies []string
	for line := range strings.Lines(string(data)) {
		if cells := strings.Split(line, "\t"); !strings.HasPrefix(line, "#") && len(cells) == 5 && cells[0] != "operator" {
			replies = append(replies, cells[1])
		}
	}
	var sample []string
	for i := first; i < len(replies); i += step {
		sample = append(sample, replies[i])
	}
	return sample
}

// Two replies in one text mean what one of them means, whichever words are the
// stronger, and the explanation names the rule that the diagnosis rests on. There
// is one exception: the text has one status and one writer. Words that need
// another status, or that are of another operator than the one whose mark stands
// there, are read as anybody's, so a weaker rule that fits either reply may decide.
func TestJoinedRepliesMeanOneOfThem(t *testing.T) {
	judge := func(reply string) Explanation {
		return Default().Explain(Failure{Action: Failed, Replies: ParseReplies(reply)})
	}
	fits := func(x Explanation, c Condition) bool {
		return slices.ContainsFunc(x.Matches, func(m MatchedRule) bool { return m.Rule.Condition == c && m.Rule.Operator == "" })
	}
	pairs, weaker := 0, 0
	seconds := documentedReplies(t, 2, 9)
	for _, first := range documentedReplies(t, 0, 13) {
		one := judge(first)
		for _, second := range seconds {
			two := judge(second)
			both := judge(first + " " + second)
			pairs++
			got := both.Diagnosis.Condition
			if got != one.Diagnosis.Condition && got != two.Diagnosis.Condition {
				if weaker++; !fits(one, got) && !fits(two, got) {
					t.Errorf("%q and %q: %s, want %s or %s", first, second, got, one.Diagnosis.Condition, two.Diagnosis.Condition)
				}
			}
			if got == UnknownCondition {
				continue
			}
			won := slices.IndexFunc(both.Matches, func(m MatchedRule) bool { return m.Won })
			if won < 0 || both.Matches[won].Rule.ID != both.Diagnosis.Evidence[0].Rule {
				t.Errorf("%q and %q: the explanation does not name %s", first, second, both.Diagnosis.Evidence[0].Rule)
			}
		}
	}
	if weaker*200 > pairs {
		t.Errorf("%d of %d pairs mean neither", weaker, pairs)
	}
}

// A reply means the same twice, in any case, with blanks around it, folded and
// with any line ends.
func TestFormOfAReplyChangesNothing(t *testing.T) {
	for _, reply := range documentedReplies(t, 0, 1) {
		want := Diagnose(Failure{Action: Failed, Replies: ParseReplies(reply)}).Condition
		for name, form := range map[string]string{
			"twice": reply + " " + reply, "upper case": strings.ToUpper(reply), "lower case": strings.ToLower(reply),
			"blanks around it": " \t" + reply + "  \r\n", "double blanks": strings.ReplaceAll(reply, " ", "  "),
			"folded": strings.ReplaceAll(reply, " ", "\r\n "), "tabs": strings.ReplaceAll(reply, " ", "\t"), "a bare CR": reply + "\r",
		} {
			if got := Diagnose(Failure{Action: Failed, Replies: ParseReplies(form)}).Condition; got != want {
				t.Errorf("%s: %q is %s, want %s", name, form, got, want)
			}
		}
	}
}

// A sentence that bears its status behind its words keeps them.
func TestStatusBehindTheWords(t *testing.T) {
	for _, tt := range []struct {
		text   string
		status Status
		want   Condition
	}{
		{"mailbox full (5.2.2)", Status{5, 2, 2}, "mailbox-full"},
		{"Sorry, no mailbox here by that name. (#5.1.1)", Status{5, 1, 1}, "recipient-not-found"},
		{"Temporary error on maildir delivery. (#4.3.0)", Status{4, 3, 0}, "mailbox-store-fault"},
		{"Mail rejected (#5.7.1) since it looks like spam", Status{5, 7, 1}, "spam-content"},
		{"said: (#5.1.1) mailbox full", Status{5, 1, 1}, "mailbox-full"},
	} {
		r := ParseReply(tt.text)
		if d := Diagnose(Failure{Action: Failed, Replies: []Reply{r}}); r.Status != tt.status || r.Raw != tt.text || d.Condition != tt.want {
			t.Errorf("%q: status %s, raw %q, %s, want %s", tt.text, r.Status, r.Raw, d.Condition, tt.want)
		}
	}
}
