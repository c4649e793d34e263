package smtpcode

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestExplainNamesEveryRuleThatMatched(t *testing.T) {
	book := Default()
	f := Failure{Action: Failed, RemoteServer: "gmail-smtp-in.l.google.com",
		Replies: ParseReplies("550 5.7.26 Unauthenticated email from example.com is not accepted due to domain's DMARC policy. - gsmtp")}
	x := book.Explain(f)
	if x.Diagnosis.Condition != "dmarc-reject" {
		t.Fatalf("condition %v", x.Diagnosis.Condition)
	}
	if len(x.Matches) < 3 {
		t.Fatalf("%d matches", len(x.Matches))
	}
	won, codes := 0, 0
	for i, m := range x.Matches {
		if i > 0 && m.Strength > x.Matches[i-1].Strength {
			t.Errorf("%s is out of order", m.Rule.ID)
		}
		if m.Why == "" {
			t.Errorf("%s: no reason", m.Rule.ID)
		}
		if m.Won {
			won++
			if m.Rule.Condition != x.Diagnosis.Condition {
				t.Errorf("%s won, but the condition is %v", m.Rule.ID, x.Diagnosis.Condition)
			}
		}
		if m.Rule.ID == "google-5-7-26" {
			codes++
			if !strings.Contains(m.Why, "ranks below") {
				t.Errorf("why: %s", m.Why)
			}
		}
	}
	if won != 1 || codes != 1 {
		t.Errorf("%d rules won, the code's rule stands %d times", won, codes)
	}
}

func TestExplainOfSilence(t *testing.T) {
	x := Default().Explain(Failure{})
	if len(x.Matches) != 0 || x.Diagnosis.Condition != UnknownCondition {
		t.Errorf("%+v", x)
	}
}

func TestAbsentListsAreEmptyInJSON(t *testing.T) {
	for _, v := range []any{Diagnosis{}, Explanation{}, Pattern{}} {
		data, err := json.Marshal(v)
		if err != nil || strings.Contains(string(data), "null") {
			t.Errorf("%T: %s, %v", v, data, err)
		}
	}
}
