package smtpcode

// yahooRules are what Yahoo, AOL and Verizon mailboxes reply: tokens in
// brackets, and wording of their own.
var yahooRules = []Rule{
	{ID: "yahoo-temporarily-deferred-due-to-unexpected-volume-or-user-compla", Condition: "ip-throttled", Text: "temporarily deferred due to unexpected volume or user complaints", Source: "https://smtpfieldmanual.com/provider/yahoo/421/4.7.0"},
	{ID: "yahoo-ts01", Condition: "ip-throttled", Text: "[ts01]", Token: true, Source: "https://senders.yahooinc.com/smtp-error-codes"},
	{ID: "yahoo-ts02", Condition: "ip-throttled", Text: "[ts02]", Token: true, Source: "http://www.smtp-error-codes.info/bounce/yahoo/bounce_421_4.7.0_TS02.php"},
	{ID: "yahoo-ts03", Condition: "ip-blocked", Text: "[ts03]", Token: true, Source: "https://senders.yahooinc.com/smtp-error-codes"},
	{ID: "yahoo-will-be-permanently-deferred", Condition: "ip-blocked", Text: "will be permanently deferred", Source: "https://senders.yahooinc.com/smtp-error-codes"},
	{ID: "yahoo-because-the-ip-is-in-spamhaus-s-list", Condition: "ip-blocked", Text: "because the ip is in spamhaus's list", Source: "https://smtpfieldmanual.com/provider/yahoo"},
	{ID: "yahoo-not-accepted-from-ip-addresses-on-spamhaus", Condition: "ip-blocked", Text: "not accepted from ip addresses on spamhaus", Source: "https://smtpfieldmanual.com/provider/yahoo"},
	{ID: "yahoo-ph01", Condition: "spam-content", Text: "[ph01]", Token: true, Source: "https://help.returnpath.com/hc/en-us/articles/220565487-Block-bounce-code-examples"},
	{ID: "yahoo-message-not-accepted-for-policy-reasons", Condition: "dmarc-reject", Text: "message not accepted for policy reasons", Source: "https://senders.yahooinc.com/smtp-error-codes"},
	{ID: "yahoo-yahoo-requires-all-senders-to-authenticate", Condition: "authentication-required", Text: "yahoo requires all senders to authenticate", Source: "https://senders.yahooinc.com/smtp-error-codes"},
	{ID: "yahoo-excessive-unknown-recipients", Condition: "namespace-mining", Text: "excessive unknown recipients", Source: "https://senders.yahooinc.com/smtp-error-codes"},
	{ID: "yahoo-resources-temporarily-not-available", Condition: "service-unavailable", Text: "resources temporarily not available", Source: "https://senders.yahooinc.com/smtp-error-codes"},
	{ID: "yahoo-tss04", Condition: "ip-throttled", Text: "[tss04]", Token: true, Source: "smtp.codes/yahoo; " + yahooSMTP},
	{ID: "yahoo-user-complaints", Condition: "ip-throttled", Text: "temporarily deferred due to user complaints", Source: yahooSMTP},
	{ID: "yahoo-messages-per-connection", Condition: "too-many-connections", Text: "max message per connection reached", Source: "smtp.codes/yahoo"},
	{ID: "yahoo-receiving-too-quickly", Condition: "mailbox-receive-limit", Text: "user is receiving mail too quickly", Source: "smtp.codes/yahoo"},
	{ID: "yahoo-resources", Condition: "service-unavailable", Text: "resources temporarily unavailable. please try again later", Source: yahooSMTP},
	{ID: "yahoo-internal", Condition: "service-unavailable", Text: "internal server error", Operator: Yahoo, Source: "smtp.codes/yahoo"},
	{ID: "yahoo-temporary-domain", Condition: "service-unavailable", Text: "temporary domain failure", Source: "smtp.codes/yahoo"},
	{ID: "yahoo-no-account", Condition: "recipient-not-found", Text: "this user doesn't have a ", Source: yahooSMTP},
	{ID: "yahoo-mailbox-disabled", Condition: "mailbox-disabled", Text: "cannot be delivered. this mailbox is disabled", Source: fieldManual + "/provider/yahoo"},
	{ID: "yahoo-no-longer-valid", Condition: "recipient-not-found", Text: "is no longer valid. [-20]", Source: fieldManual + "/provider/yahoo"},
	{ID: "yahoo-headers", Condition: "header-invalid", Text: "headers are not rfc compliant", Source: yahooSMTP},
}
