package smtpcode

import "testing"

// TestOperatorsWithTablesOfTheirOwn judges replies as the pages that the rules
// cite show them.
func TestOperatorsWithTablesOfTheirOwn(t *testing.T) {
	for _, tt := range []struct {
		reply     string
		condition Condition
		owner     Party
	}{
		{"550 XGEMAIL_0003", "dmarc-reject", SenderDNS},
		{"550 XGEMAIL_0011", "recipient-not-found", Sender},
		{"554 5.7.28 Mail flood detected", "submission-quota", Sender},
		{"450 4.1.8 Emetteur invalide LPN007_405", "sender-address-rejected", SenderAdmin},
		{"450 4.7.1 Client host rejected: Service refuse LPN027_503", "ip-throttled", SenderAdmin},
		{"550 Email from your Email Service Provider is currently blocked by Verizon Online's anti-spam system.", "ip-blocked", SenderAdmin},
		{"550 Relay Disabled", "relay-denied", SenderAdmin},
		{"552 5.2.0 This message has been rejected due to content judged to be spam by the internet community IB212", "spam-content", Filter},
		{"550 5.1.0 192.0.2.1 is not allowed to send from <example.com> per it's SPF Record. Please inspect your SPF settings, and try again. IB508", "spf-fail", SenderDNS},
		{"The domain is not allowed to send: Account Terminated", "sender-account-blocked", Sender},
		{"You are not authorized to send from that email address", "sender-domain-unregistered", SenderAdmin},
		{"550 5.7.1 Unconfigured Sending Domain <example.com>", "sender-domain-unregistered", SenderAdmin},
		{"552 Too much mail data a@docomo.ne.jp", "mailbox-full", Recipient},
		{"421 4.3.2 Your IP(192.0.2.1) is filtered and this connection will be closed. You must register your IP to http://realip.naver.com", "ip-blocked", SenderAdmin},
		{"You tried to send to a recipient that has been marked as inactive.", "recipient-refused", Sender},
	} {
		d := Diagnose(Failure{Action: Failed, RemoteServer: "mx.recipient.example", GeneratingServer: "out.sender.example", Replies: ParseReplies(tt.reply)})
		if d.Condition != tt.condition || d.Owners[0] != tt.owner {
			t.Errorf("%s: %s, %v (%v)", tt.reply, d.Condition, d.Owners, d.Evidence)
		}
	}
}
