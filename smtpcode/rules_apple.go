package smtpcode

// appleRules are what iCloud Mail replies. Apple documents its requirements and
// asks to read the replies; the replies are collected at smtp.codes.
var appleRules = []Rule{
	{ID: "apple-error-too-many-errors", Condition: "namespace-mining", Operator: Apple, Text: "error: too many errors", Source: "https://smtp.codes/icloud"},
	{ID: "apple-deferred-due-to-excessive-volume", Condition: "mailbox-receive-limit", Operator: Apple, Text: "deferred due to excessive volume", Source: "https://smtp.codes/icloud"},
	{ID: "apple-service-unavailable-try-again-later", Condition: "service-unavailable", Operator: Apple, Text: "service unavailable - try again later", Source: "https://smtp.codes/icloud"},
	{ID: "apple-user-does-not-exist", Condition: "recipient-not-found", Operator: Apple, Text: "user does not exist", Source: "https://smtp.codes/icloud"},
	{ID: "apple-inactive-email-address", Condition: "mailbox-inactive", Operator: Apple, Text: "inactive email address", Source: "https://bentonow.com/smtp-errors/apple"},
	{ID: "apple-cs01-message-rejected-due-to-local-policy", Condition: "spam-content", Text: "[cs01] message rejected due to local policy", Token: true, Source: "https://smtp.codes/icloud"},
	{ID: "apple-cs02-message-rejected-due-to-local-policy", Condition: "spam-content", Text: "[cs02] message rejected due to local policy", Token: true, Source: "https://www.suped.com/knowledge/email-deliverability/troubleshooting/what-causes-apple-email-bounces-and-how-can-i-fix-them"},
	{ID: "apple-hm08-message-rejected-due-to-local-policy", Condition: "spam-content", Text: "[hm08] message rejected due to local policy", Token: true, Source: "https://www.suped.com/knowledge/email-deliverability/troubleshooting/what-causes-apple-email-bounces-and-how-can-i-fix-them"},
	{ID: "apple-your-message-was-rejected-due-to", Condition: "dmarc-reject", Operator: Apple, Text: "your message was rejected due to", Source: "https://smtp.codes/icloud"},
	{ID: "apple-having-a-domain-present-in-the-spamhaus-dbl", Condition: "url-blocked", Text: "having a domain present in the spamhaus dbl", Source: "https://smtp.codes/icloud"},
	{ID: "apple-cs01", Condition: "spam-content", Text: "[cs01]", Token: true, Source: appleSMTP},
	{ID: "apple-cs02", Condition: "spam-content", Text: "[cs02]", Token: true, Source: "suped.com: what causes Apple email bounces"},
	{ID: "apple-hm08", Condition: "spam-content", Text: "[hm08]", Token: true, Source: "suped.com: what causes Apple email bounces"},
	{ID: "apple-spamhaus-dbl", Condition: "url-blocked", Text: "due to having a domain present in the spamhaus dbl", Source: appleSMTP},
	{ID: "apple-no-user-record", Condition: "recipient-not-found", Text: "user lookup success but no user record found", Source: "status.socketlabs.com/incident/306"},
	{ID: "apple-local-policy", Condition: "spam-content", Operator: Apple, Text: "message rejected due to local policy", Source: "pastebin.com/S23nPZKu"},
}
