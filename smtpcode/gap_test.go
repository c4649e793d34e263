package smtpcode

import "testing"

// A rule of two parts wants the second behind the first, as whole words, in
// one sentence and not far off.
func TestWordsWithAGap(t *testing.T) {
	book := Default().With(Rule{ID: "gap", Condition: "mailbox-store-fault", Text: "pigeon * on strike", Source: "test"})
	for _, tt := range []struct {
		text string
		want string // the words found, "" for none
	}{
		{"550 pigeon on strike", "pigeon on strike"},
		{"550 The Pigeon of a@b.example is ON strike today", "Pigeon of a@b.example is ON strike"},
		{"550 <a@b.example>... pigeon <x@y.example>... on strike", "pigeon <x@y.example>... on strike"},
		{"550 pigeon and pigeon on strike.", "pigeon on strike"},
		{"550 on strike: pigeon", ""},
		{"550 pigeon is fine. Mail is on strike", ""},
		{"550 pigeon is fine; mail is on strike", ""},
		{"550 pigeon is fine 553 Mail is on strike", ""},
		{"451 pigeon is fine 450 4.2.0 mail is on strike", ""},
		{"550 pigeon number 553 is on strike", "pigeon number 553 is on strike"},
		{"550 pigeon of 500 MB is on strike", "pigeon of 500 MB is on strike"},
		{"550 pigeon@b.example is on strike", ""},
		{"550 pigeons on strike", ""},
		{"550 pigeon's server is on strike", ""},
		{"550 pigeon's wings are on strike", "pigeon's wings are on strike"},
		{"550 pigeon on strikes", ""},
		{"550 pigeon, to say it in far more words than anybody would ever need to read or write, on strike", ""},
		{"550 on strike", ""},
	} {
		d := book.Diagnose(Failure{Action: Failed, Replies: []Reply{ParseReply(tt.text)}})
		got := ""
		if d.Condition == "mailbox-store-fault" {
			got = d.Evidence[0].Text
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// What a rule knows exactly is stronger than a family, however long that is; a
// family is stronger than what the code alone says.
func TestFamiliesYieldToExactWords(t *testing.T) {
	for _, tt := range []struct {
		reply string
		want  Condition
	}{
		{"550 5.7.1 the account of <someone@recipient.example> is at present suspended", "mailbox-suspended"},
		{"550 5.7.1 account suspended: mailbox full", "mailbox-full"},
		{"550 5.1.1 rejected by our local mail policies", "policy-refusal"},
	} {
		if d := Diagnose(replyFailure("", tt.reply)); d.Condition != tt.want {
			t.Errorf("%s: %s, want %s", tt.reply, d.Condition, tt.want)
		}
	}
}
