package smtpcode

// sendingFamilies are wordings about what the sending side sends and how much
// of it, and about what its server and its addresses lack.
var sendingFamilies = []family{
	{id: "spam-reasons", condition: "spam-content", subjects: []string{"rejected", "refused", "denied", "blocked", "not accepted", "undeliverable", "not delivered"}, source: bytecampReplies,
		states: []string{"for spam reasons", "spam reasons", "due to spam", "because of spam", "as spam", "for being spam"}},
	{id: "holds-spam", condition: "spam-content", subjects: append([]string{"it"}, messageWords...), source: "SpamAssassin 4.0: spamassassin-run(1)",
		states: []string{"contains spam", "contain spam", "containing spam", "spam content"}},
	{id: "client-spam", condition: "ip-blocked", subjects: clientWords, either: true, source: "RFC 5782 section 2.3",
		states: []string{"blocked due to spam", "blocked for spam", "blocked because of spam", "banned for spam", "rejected for spam", "refused for spam", "rejected due to spam", "refused due to spam"}},
	{id: "client-spamming", condition: "ip-blocked", subjects: []string{"blocked", "banned", "listed", "rejected", "refused"}, source: "RFC 5782 section 2.3",
		states: []string{"for spamming", "for sending spam", "for sending out spam"}},
	{id: "sending-quota", condition: "submission-quota", subjects: []string{"sending quota", "sending limit", "outgoing quota", "outgoing limit", "outgoing mail quota", "outbound quota", "outbound limit"}, source: cpanelReplies,
		states: []string{"exceeded", "exhausted", "reached", "used up"}},
	{id: "unusual-rate", condition: "ip-throttled", subjects: []string{"unusual", "excessive", "abnormal", "too high"}, source: "IANA registry, X.7.28",
		states: []string{"sending rate", "message rate", "rate of mail", "rate of email", "rate of messages"}},
	{id: "connection-limit", condition: "too-many-connections", subjects: []string{"connection limit", "connections limit", "connection count"}, source: postfixSource + "/postfix/src/smtpd/smtpd.c",
		states: []string{"exceeded", "reached", "exceeds"}},
	{id: "invalid-many", condition: "namespace-mining", subjects: []string{"too many"}, source: sendmailSource + ": sendmail/srvrsmtp.c, BadRcptShutdown",
		states: []string{"invalid addresses", "unknown addresses", "invalid users", "bad addresses", "nonexistent users", "non-existent users", "unknown mailboxes", "invalid rcpts"}},
	{id: "helo-lacks", condition: "bad-helo", subjects: []string{"helo", "ehlo"}, source: "RFC 5321 section 4.1.1.1",
		states: []string{"requires a", "must contain", "must be", "must have", "qualified", "valid hostname", "valid host name", "not a hostname"}},
	{id: "sender-without-domain", condition: "sender-address-rejected", subjects: []string{"sender", "sender address", "from address", "envelope sender"}, source: sendmailSource + ": cf/m4/proto.m4, check_mail: 553 5.5.4",
		states: []string{"must have a domain", "must contain a domain", "without a domain", "has no domain", "lacks a domain", "domain missing"}},
	{id: "in-sender", condition: "sender-address-rejected", source: sendmailSource + ": cf/m4/proto.m4, check_mail: 553 5.1.8",
		subjects: []string{"unknown domain", "not exist", "doesn't exist", "not found", "not resolve", "unknown"},
		states:   []string{"in sender", "in the sender", "in sender's", "of sender", "of the sender", "in mail from", "in return path", "in the from address", "in from address"}},
	{id: "sender-no-mx-first", condition: "sender-address-rejected", subjects: []string{"no mx", "no mx or a", "no mx record", "no a or mx"}, source: "RFC 5321 section 5.1",
		states: []string{"sender domain", "sender's domain", "your domain", "from domain", "sender", "sender address"}},
	{id: "no-mx-first", condition: "recipient-domain-not-found", subjects: []string{"no mx", "no mx or a", "no a or mx", "no mail exchanger", "no mail server", "no valid mx", "has no mx"}, source: "RFC 5321 section 5.1",
		states: []string{"domain", "host", "address record", "address records", "record for", "records for"}},
}
