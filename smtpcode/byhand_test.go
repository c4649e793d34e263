package smtpcode

import "testing"

// SMTP libraries hand over code, status and text apart, and no Raw: a Reply made
// of them is judged as one that was read.
func TestAReplyWithoutRawIsJudgedTheSame(t *testing.T) {
	for _, raw := range []string{
		"550 5.1.1 User unknown", "452 4.2.2 Mailbox full", "550 5.7.509 Access denied, sending domain example.org does not pass DMARC verification",
		"421 4.7.0 Try again later", "556 5.1.10 nullMX", "550", "554 5.2.2", "450 4.2.0 Greylisted, try again in 300 seconds",
	} {
		f := Failure{Recipient: "bob@example.com", RemoteServer: "example-com.mail.protection.outlook.com", Replies: ParseReplies(raw)}
		want := Diagnose(f)
		f.Replies[0].Raw = ""
		got := Diagnose(f)
		if got.Condition != want.Condition || got.Resend != want.Resend || got.Address != want.Address || got.Permanence != want.Permanence {
			t.Errorf("%q: %s, %v, %s; with Raw %s, %v, %s", raw, got.Condition, got.Resend, got.Address, want.Condition, want.Resend, want.Address)
		}
		for _, e := range got.Evidence {
			if e.Field == FieldReply && (e.Start != 0 || e.End != 0) {
				t.Errorf("%q: offsets %d to %d of an empty Raw", raw, e.Start, e.End)
			}
		}
	}
}
