package smtpcode

import "testing"

// A line that explains a refusal, passed on with it, does not sway whoever judges
// it again; without words of a server before it there is nothing it explains.
func TestExplanationIsNoEvidence(t *testing.T) {
	const said = "550 the store of this account * is at rest"
	for _, added := range []string{"", " Explained: The address does not exist at the recipient's organization.", " 5.1.1 Explained: mailbox full, relay access denied"} {
		f := Failure{Action: Failed, Replies: []Reply{ParseReply(said + added)}}
		if got := Diagnose(f).Condition; got != Diagnose(Failure{Action: Failed, Replies: []Reply{ParseReply(said)}}).Condition {
			t.Errorf("%q: %s", added, got)
		}
		f = Failure{Action: Failed, Reason: "The store is at rest." + added}
		if got := Diagnose(f).Condition; got != UnknownCondition {
			t.Errorf("%q in the reason: %s", added, got)
		}
	}
	f := Failure{Action: Failed, Replies: []Reply{ParseReply("550 5.1.1 Explained: user unknown")}}
	if got := Diagnose(f).Condition; got != "recipient-not-found" {
		t.Errorf("the mark first: %s", got)
	}
}
