package smtpcode

import "testing"

// TestEvidenceAcrossLines: words that a reply breaks over its lines are shown
// as they stand there, with their offsets.
func TestEvidenceAcrossLines(t *testing.T) {
	for _, tt := range []struct{ raw, text string }{
		{"554-5.7.1 The message was\r\n554-5.7.1 refused as User\r\n554 5.7.1 unknown here", "User\r\n554 5.7.1 unknown"},
		{"550-no such\n550 user", "no such\n550 user"},
		{"550 5.1.1 no such\n5.1.1 user", "no such\n5.1.1 user"},
		{"550 5.1.1 no such  user", "no such  user"},
		{"550 5.1.1 no such user", "no such user"},
	} {
		d := Diagnose(Failure{Action: Failed, Replies: []Reply{ParseReply(tt.raw)}})
		e := d.Evidence[0]
		if d.Condition != "recipient-not-found" || e.Text != tt.text {
			t.Errorf("%q: %s by %q", tt.raw, d.Condition, e.Text)
		}
		if got := ParseReply(tt.raw).Raw[e.Start:e.End]; got != tt.text {
			t.Errorf("%q: bytes %d-%d are %q", tt.raw, e.Start, e.End, got)
		}
	}
}

// TestWordsThatDecideNarrowly: words that once blamed the wrong side, or
// decided too much, and conditions that only a code or few words name.
func TestWordsThatDecideNarrowly(t *testing.T) {
	for _, tt := range []struct {
		reply     string
		condition Condition
		owner     Party
	}{
		{"530 5.7.0 Must issue a STARTTLS command first", "tls-required", SenderAdmin},
		{"550 User a@example.net not listed in Domino Directory", "recipient-not-found", Sender},
		{"550 5.7.1 your name is not listed in the directory", "delivery-not-authorized", RecipientAdmin},
		{"451 4.7.24 try again", "spf-temperror", SenderDNS},
		{"450 SPF Temporary Error: DNS Timeout", "spf-temperror", SenderDNS},
		{"550 5.7.24 no", "spf-permerror", SenderDNS},
		{"550 5.7.29 ARC validation failure", "arc-fail", SenderAdmin},
		{"550 Message contained unsafe content (Heuristics.Phishing.Email.SpoofedDomain)", "phishing", Sender},
	} {
		d := Diagnose(Failure{Action: Failed, RemoteServer: "mx.example.net", GeneratingServer: "out.sender.example", Recipient: "a@example.net", Replies: ParseReplies(tt.reply)})
		if d.Condition != tt.condition || d.Owners[0] != tt.owner {
			t.Errorf("%s: %s, %v", tt.reply, d.Condition, d.Owners)
		}
	}
}
