package smtpcode

import (
	"slices"
	"testing"
)

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

// Microsoft begins the reply to most of its codes of subject 7 with the same
// two words: the code says more than they do. A code that is given for any
// refusal does not, and neither does an operator's code from another's server.
func TestOperatorsCodeSaysMoreThanVagueWords(t *testing.T) {
	tests := []struct {
		host, reply string
		want        Condition
	}{
		{exchangeOnline, "550 5.7.515 Access denied", "authentication-required"},
		{exchangeOnline, "550 5.7.509 Access denied, sending domain", "dmarc-reject"},
		{exchangeOnline, "550 5.7.606 Access denied", "ip-blocked"},
		{exchangeOnline, "550 5.7.133 Recipient address rejected", "group-outside-senders-refused"},
		{exchangeOnline, "550 5.7.1 Access denied", "policy-refusal"},
		{exchangeOnline, "550 5.7.77 Access denied", "policy-refusal"},
		{"mx.example.net", "550 5.7.515 Access denied", "policy-refusal"},
		{"", "550 5.7.1 Access denied, sending domain example.org does not pass DMARC verification", "dmarc-reject"},
		{"mx.example.net", "550 5.7.25 Client host rejected: Access denied", "missing-reverse-dns"},
	}
	for _, test := range tests {
		if d := Diagnose(Failure{Action: Failed, RemoteServer: test.host, Replies: ParseReplies(test.reply)}); d.Condition != test.want {
			t.Errorf("%s: %q is %s, want %s (%v)", test.host, test.reply, d.Condition, test.want, d.Evidence)
		}
	}
}

// What a code means at an operator stays open beside words that do not say why.
func TestVagueWordsLeaveTheOperatorsMeaningOpen(t *testing.T) {
	d := Diagnose(Failure{Action: Failed, Replies: ParseReplies("550 5.7.515 Access denied")})
	if d.Condition != "policy-refusal" || !slices.Contains(d.Others, "authentication-required") {
		t.Errorf("%s, others %v", d.Condition, d.Others)
	}
}

// A range of an operator's codes is weaker than the exact code in the registry.
func TestAnExactCodeBeatsARange(t *testing.T) {
	tests := []struct {
		reply string
		want  Condition
	}{
		{"550 5.7.20 x", "dkim-fail"},
		{"550 5.7.26 x", "authentication-required"},
		{"550 5.7.77 x", "policy-refusal"},
		{"550 5.7.620 x", "ip-blocked"},
		{"550 5.1.15 x", "recipient-not-found"},
		{"550 5.4.16 x", "mail-loop"},
	}
	for _, test := range tests {
		if d := Diagnose(online(test.reply)); d.Condition != test.want {
			t.Errorf("%q is %s, want %s (%v)", test.reply, d.Condition, test.want, d.Evidence)
		}
	}
}

// What failed stands before or behind the word that says so.
func TestAuthenticationThatFailed(t *testing.T) {
	for reply, want := range map[string]Condition{
		"550 5.7.1 message failed SPF check":                      "spf-fail",
		"550 5.7.1 SPF check failed":                              "spf-fail",
		"550 5.7.1 your mail does not pass SPF":                   "spf-fail",
		"550 5.7.1 message failed SPF and DMARC":                  "dmarc-reject",
		"550 5.7.1 domain does not pass DMARC":                    "dmarc-reject",
		"451 4.7.1 DNS lookup failed for the SPF record":          "spf-temperror",
		"550 5.7.1 mail must pass SPF; delivery to user@x failed": "delivery-not-authorized",
	} {
		if d := Diagnose(Failure{Action: Failed, RemoteServer: "mx.example.net", Replies: ParseReplies(reply)}); d.Condition != want {
			t.Errorf("%q is %s, want %s (%v)", reply, d.Condition, want, d.Evidence)
		}
	}
}
