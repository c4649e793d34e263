package smtpcode

import "testing"

// What stands ahead of words, and what they stand in, decides whether they are
// the reason of a refusal. The wanted conditions are what a reader takes from
// the whole sentence; "refused", "deferred" and
// "mailbox-busy" are what codes alone say.
func TestWordsAreReadInTheirSetting(t *testing.T) {
	for kind, tests := range map[string][]struct {
		reply string
		want  Condition
	}{
		"denied": {
			{"550 Your IP is not listed in our block list", "refused"},
			{"550 Rejected. Your IP is not listed at list.example", "refused"},
			{"450 The mailbox is not full, but delivery failed", "deferred"},
			{"450 mailbox isn't full, but delivery failed", "deferred"},
			{"450 mailbox isn\u2019t full, but delivery failed", "deferred"},
			{"550 The message was not classified as spam; attachment type not allowed", "attachment-refused"},
			{"554 No spam detected; rejected: no PTR record for 192.0.2.1", "missing-reverse-dns"},
			{"550 No virus found, message too large", "message-too-large"},
			{"550 The account is not disabled, it is over quota", "mailbox-full"},
			{"550 The message does not contain a virus but is considered spam", "spam-content"},
			{"550 The sending IP has never been blacklisted; message content rejected", "spam-content"},
			{"550 Ihre IP steht nicht auf einer Blacklist", "refused"},
			{"550 Empfänger ist nicht unbekannt", "refused"},
			{"550 La boîte aux lettres n'est pas pleine", "refused"},
			{"550 El buzón no está lleno", "refused"},
			{"550 La casella di posta non è piena", "refused"},
			{"550 A caixa de correio não está cheia", "refused"},
			{"550 Skrzynka nie jest pełna", "refused"},
			{"550 Почтовый ящик не переполнен", "refused"},
			{"550 Ваш IP не находится в черном списке", "refused"},
			{"451 server is not overloaded", "deferred"},
			{"550 votre IP n'est pas blacklisted", "refused"},
		},
		// A negation that is part of the reason.
		"lacking": {
			{"550 no PTR record", "missing-reverse-dns"},
			{"550 there is no reverse DNS", "missing-reverse-dns"},
			{"550 no such user", "recipient-not-found"},
			{"451 not yet in the greylist", "greylisted"},
			{"550 not accepted: mailbox full", "mailbox-full"},
			{"550 We do not accept mail from blacklisted hosts", "ip-blocked"},
		},
		"of the sending side": {
			{"550 sender domain does not exist", "sender-address-rejected"},
			{"550 The sender's domain does not exist", "sender-address-rejected"},
			{"550 Your domain does not exist", "sender-address-rejected"},
			{"550 sender mailbox not found", "sender-address-rejected"},
			{"550 MAIL FROM <a@sender.example> domain does not exist", "sender-address-rejected"},
			{"550 The sender's mailbox is full", "refused"},
			{"550 5.1.0 <a@sender.example>: Sender address rejected: User unknown", "sender-address-rejected"},
			{"550 5.1.0 <a@sender.example>: Sender address rejected: mailbox full", "sender-address-rejected"},
			{"550 Sender verify failed: no such user", "sender-address-rejected"},
			{"550 Client host not found in DNS", "missing-reverse-dns"},
			{"550 HELO host not found", "bad-helo"},
			{"550 Das Postfach des Absenders ist voll", "refused"},
			{"550 The sender's account has been suspended", "sender-account-blocked"},
			{"550 5.4.5 Daily sending quota exceeded", "submission-quota"},
		},
		"of the recipient all the same": {
			{"550 5.1.1 The domain does not exist", "recipient-domain-not-found"},
			{"550 Message from <a@sender.example> to <b@recipient.example>: user unknown", "recipient-not-found"},
			{"550 Sender was accepted, user unknown", "recipient-not-found"},
			{"550 <b@recipient.example>: Recipient address rejected: User unknown", "recipient-not-found"},
			{"552 the recipient's mailbox is full", "mailbox-full"},
		},
		"of the sending side, said behind": {
			{"550 domain not found in sender address", "sender-address-rejected"},
			{"550 user unknown in sender address <a@sender.example>", "sender-address-rejected"},
			{"550 host not found in MAIL FROM", "sender-address-rejected"},
			{"550 Mailbox of the sender is full", "refused"},
			{"550 mailbox not found for your message", "recipient-not-found"},
			{"550 No MX record for your domain", "sender-address-rejected"},
			{"550 No MX record for the domain", "recipient-domain-not-found"},
		},
		// The nearer of two subjects, where a comma parts them, is what is meant.
		"two subjects": {
			{"550 PTR record found, HELO invalid", "bad-helo"},
			{"550 SPF pass, DKIM failed", "dkim-fail"},
			{"550 PTR record, 192.0.2.1, invalid", "missing-reverse-dns"},
		},
		"greylisting": {
			{"450 your host is not greylisted, but busy", "deferred"},
			{"550 not greylisted, user unknown", "recipient-not-found"},
		},
		// What Postfix puts behind a reply is none of its words.
		"behind the reply": {
			{"554 5.7.1 <unknown[192.0.2.1]>: Client host rejected: Access denied (in reply to RCPT TO command)", "policy-refusal"},
			{"553 Invalid sender (in reply to MAIL FROM command)", "sender-address-rejected"},
			{"500 unknown command", "protocol-error"},
		},
		"of the receiving side": {
			{"550 The alias bob is not defined on this host", "recipient-not-found"},
			{"550 5.7.1 External mail is not permitted for this recipient", "outside-senders-refused"},
			{"451 4.3.0 Recipient database temporarily unavailable", "service-unavailable"},
			{"550 5.7.1 Mail from 192.0.2.1 refused by university block list", "ip-blocked"},
			{"550 mail from your country is not accepted here", "policy-refusal"},
			{"550 Sending from this mailbox is locked because of a suspected compromise", "sender-account-blocked"},
			{"550 The domain recipient.example has expired", "recipient-domain-not-found"},
			{"552 Attachment exceeds 10 MB", "message-too-large"},
			{"554 5.7.1 Sandbox analysis found malicious attachment", "malware"},
		},
		"supposed": {
			{"550 5.1.1 user unknown. If your mailbox is full see https://help.example.com/", "recipient-not-found"},
			{"550 no such user; if you were blacklisted write to us", "recipient-not-found"},
		},
		"of the message": {
			{"554 Message rejected: Subject: Your mailbox is full", "refused"},
			{`550 considered spam, subject "user unknown"`, "spam-content"},
			{"552 5.3.4 Your message has a Subject: header that exceeds Google's message header size limits.", "header-limits"},
		},
		"names": {
			{"550 5.1.1 <overquota@example.org>: No such account", "recipient-not-found"},
			{"550 5.1.1 <greylist@example.org>: No such account", "recipient-not-found"},
			{"550 5.1.1 <spamhaus@example.org>: invalid", "recipient-not-found"},
			{"451 host greylisted.example.com said: no such user", "recipient-not-found"},
			{"550 5.1.1 Recipient rejected; see http://www.example.com/greylisting.html", "recipient-not-found"},
			{"450 4.7.1 Try again, see http://www.example.com/greylisting.html", "greylisted"},
			{"550 blocked, see https://www.spamhaus.org/query/ip/192.0.2.1", "ip-blocked"},
		},
		"longer words": {
			{"550 unlisted at our place", "refused"},
			{"550 mailbox is fully provisioned", "refused"},
			{"550 user unknownable", "refused"},
			{"550 unthrottled connection", "refused"},
			{"550 anti-spam detected nothing", "refused"},
			{"550 the ghost is down", "refused"},
			{"550 leftover quota", "refused"},
			{"550 mail loopback interface", "refused"},
			{"550 too many rate limits", "ip-throttled"},
		},
		"taken": {
			{"250 2.6.0 Message accepted, mailbox full at 99 %", UnknownCondition},
			{"250 2.1.5 Recipient ok; user unknown to the directory", UnknownCondition},
			{"220 spam is not welcome here", UnknownCondition},
			{"354 End data with <CR><LF>.<CR><LF>", UnknownCondition},
		},
		"HTML": {
			{"550 the user doesn&#39;t exist", "recipient-not-found"},
		},
	} {
		for _, tt := range tests {
			d := Diagnose(Failure{Action: Failed, RemoteServer: "mx.recipient.example", Replies: ParseReplies(tt.reply)})
			if d.Condition != tt.want {
				t.Errorf("%s: %q is %s, want %s (evidence %v)", kind, tt.reply, d.Condition, tt.want, d.Evidence)
			}
		}
	}
}

// What is read ahead of words is bounded, however long the sentence is.
func TestSettingIsBounded(t *testing.T) {
	if in := Default().settingOf("if "+string(make([]byte, 1<<10))+"mailbox full", 0, 1<<10+3); in != 0 {
		t.Errorf("setting %b", in)
	}
}
