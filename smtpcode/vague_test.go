package smtpcode

import "testing"

// Words that only say that a server refused decide where nothing else does:
// words that say why stand above them, however short, and so does a code that
// says why.
func TestWordsThatSayWhyBeatLongerOnes(t *testing.T) {
	tests := []struct {
		reply string
		want  Condition
	}{
		{"550 Access denied", "policy-refusal"},
		{"550 5.7.1 Access denied", "policy-refusal"},
		{"554 Recipient address rejected", "recipient-refused"},
		{"554 Recipient address rejected: over quota", "mailbox-full"},
		{"554 Recipient address rejected: greylisted", "greylisted"},
		{"554 Client host rejected: no PTR record", "missing-reverse-dns"},
		{"552 5.2.2 Recipient address rejected", "mailbox-full"},
		{"550 5.6.0 Recipient address rejected", "content-invalid"},
		{"450 4.2.2 Temporarily unavailable, try again later", "mailbox-full"},
		{"550 mailbox unavailable", "mailbox-unavailable"},
	}
	for _, test := range tests {
		if d := Diagnose(Failure{Action: Failed, RemoteServer: "mx.example.net", Replies: ParseReplies(test.reply)}); d.Condition != test.want {
			t.Errorf("%q is %s, want %s (%v)", test.reply, d.Condition, test.want, d.Evidence)
		}
	}
}
