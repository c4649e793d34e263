package smtpcode

import "testing"

// A word for what a refusal is about decides where nothing says why, and only
// there; words that merely refuse stand below it.
func TestTopicsDecideWhereNothingElseDoes(t *testing.T) {
	for _, tt := range []struct {
		reply string
		want  Condition
	}{
		{"550 We dislike your HELO", "bad-helo"},
		{"550 5.7.1 Access denied: HELO", "bad-helo"},
		{"550 5.7.1 Recipient address rejected: spam", "spam-content"},
		{"550 5.1.1 HELO", "recipient-not-found"},
		{"550 HELO aside, the mailbox is full", "mailbox-full"},
		{"550 5.7.1 this is not spam", "delivery-not-authorized"},
		{"550 write to spam@recipient.example", "refused"},
	} {
		if d := Diagnose(replyFailure("", tt.reply)); d.Condition != tt.want {
			t.Errorf("%q is %s, want %s (%v)", tt.reply, d.Condition, tt.want, d.Evidence)
		}
	}
}

// A rule of a class of codes and of words asks for both.
func TestClassOfCodesHoldsForWords(t *testing.T) {
	book := Default().With(Rule{ID: "strike", Condition: "strike", Code: -4, Text: "on strike", Source: "an example"})
	for _, tt := range []struct {
		reply string
		want  Condition
	}{
		{"450 the postman is on strike", "strike"},
		{"4.3.0 the postman is on strike", "strike"},
		{"550 the postman is on strike", "refused"},
		{"the postman is on strike", UnknownCondition},
	} {
		if d := book.Diagnose(Failure{Action: Failed, Replies: ParseReplies(tt.reply)}); d.Condition != tt.want {
			t.Errorf("%q is %s, want %s", tt.reply, d.Condition, tt.want)
		}
	}
}

// The status behind the words of a reply counts if it fits the reply code.
func TestStatusBehindACodesWords(t *testing.T) {
	for _, tt := range []struct {
		reply string
		want  Status
	}{
		{"553 sorry, go away (#5.7.1)", Status{5, 7, 1}},
		{"550 no such thing here (#5.1.1 - chkuser)", Status{5, 1, 1}},
		{"451 later (#4.3.0)", Status{4, 3, 0}},
		{"550 5.7.1 refused (#5.1.1)", Status{5, 7, 1}},
		{"452 see there (#5.1.1)", Status{}},
		{"550 see http://example.net/(#5.1.1x)", Status{}},
		{"550 item (#5.1", Status{}},
	} {
		if got := ParseReply(tt.reply).Status; got != tt.want {
			t.Errorf("%q has status %v, want %v", tt.reply, got, tt.want)
		}
	}
}
