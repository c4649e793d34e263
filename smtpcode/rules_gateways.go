package smtpcode

// gatewayRules are replies of filtering services that say less of themselves:
// Barracuda, Trend Micro, Symantec (MessageLabs), Trellix, Hornetsecurity,
// Cloudflare.
var gatewayRules = []Rule{
	{ID: "barracuda-blocked-using-barracuda-reputation", Condition: "ip-blocked", Text: "blocked using barracuda reputation", Source: "https://www.barracudacentral.org/lookups/lookup-reputation"},
	{ID: "trendmicro-block-permanently-sender-filtering-authentication", Condition: "policy-refusal", Text: "block permanently (sender filtering/authentication)", Source: "https://docs.trendmicro.com/en-us/documentation/article/deep-discovery-email-inspector-51-online-help-smtp-error-codes"},
	{ID: "trendmicro-permanent-denial-of-connection-550-for-rbl-matches", Condition: "ip-blocked", Text: "permanent denial of connection (550) for rbl+ matches", Source: "https://docs.trendmicro.com/en-us/documentation/article/deep-discovery-email-inspector-51-online-help-smtp-error-codes"},
	{ID: "trendmicro-temporary-denial-of-connection-450-for-zombie-matches", Condition: "ip-throttled", Text: "temporary denial of connection (450) for zombie matches", Source: "https://docs.trendmicro.com/en-us/documentation/article/deep-discovery-email-inspector-51-online-help-smtp-error-codes"},
	{ID: "ironport-your-access-to-submit-messages-to-this-e-mail-system-has-bee", Condition: "ip-blocked", Text: "your access to submit messages to this e-mail system has been rejected", Source: "https://pastebin.com/jhdNMiyp"},
	{ID: "barracuda-nsu", Condition: "recipient-not-found", Code: 550, Text: "cuda_nsu", Vague: true, Source: fieldManual + "/spamfilter/barracuda"},
	{ID: "barracuda-spoofed", Condition: "sender-impersonation", Text: "rejecting spoofed message", Source: fieldManual + "/spamfilter/barracuda"},
	{ID: "barracuda-blocked", Condition: "policy-refusal", Text: "permanent failure for one or more recipients (", Source: fieldManual + "/spamfilter/barracuda"},
	{ID: "barracuda-spam-url", Condition: "url-blocked", Text: "rejected due to spam url in content", Source: fieldManual + "/spamfilter/barracuda"},
	{ID: "barracuda-banned-content", Condition: "spam-content", Text: "rejecting banned content", Source: fieldManual + "/spamfilter/barracuda"},
	{ID: "barracuda-license", Condition: "system-misconfigured", Text: "license expired", Operator: Barracuda, Source: fieldManual + "/spamfilter/barracuda"},
	{ID: "barracuda-temporary", Condition: "service-unavailable", Text: "temporary failure, please try again later", Source: fieldManual + "/spamfilter/barracuda"},

	{ID: "trendmicro-ers", Condition: "customer-block-list", Text: "recipient address rejected: ers-customized-block", Source: fieldManual + "/spamfilter/trendmicro"},
	{ID: "trendmicro-block-sender", Condition: "customer-block-list", Text: "recipient address rejected: block-send-er", Source: fieldManual + "/spamfilter/trendmicro"},
	{ID: "trendmicro-block-rcpt", Condition: "recipient-refused", Text: "recipient address rejected: block-rcpt", Source: fieldManual + "/spamfilter/trendmicro"},
	{ID: "trendmicro-recipient", Condition: "recipient-not-found", Text: "recipient address rejected: invalid-recipient", Source: fieldManual + "/spamfilter/trendmicro"},
	{ID: "trendmicro-domain", Condition: "domain-not-accepted", Text: "recipient address rejected: no-domain", Source: fieldManual + "/spamfilter/trendmicro"},
	{ID: "trendmicro-zombie", Condition: "ip-throttled", Text: "temporary denial of connection (450) for zombie", Source: "docs.trendmicro.com: Deep Discovery Email Inspector 5.1, SMTP error codes"},
	{ID: "trendmicro-rbl", Condition: "ip-blocked", Text: "permanent denial of connection (550) for rbl+", Source: "docs.trendmicro.com: Deep Discovery Email Inspector 5.1, SMTP error codes"},

	{ID: "messagelabs-unavailable", Condition: "service-unavailable", Text: "service temporarily unavailable", Source: fieldManual + "/spamfilter/emailsecuritycloud"},

	{ID: "trellix-etp100", Condition: "domain-not-accepted", Text: "etp100", Token: true, Source: "docs.trellix.com/data-and-email/docs/error-codes"},
	{ID: "trellix-etp101", Condition: "recipient-not-found", Text: "etp101", Token: true, Source: "docs.trellix.com/data-and-email/docs/error-codes"},
	{ID: "trellix-etp102", Condition: "recipient-not-found", Text: "etp102", Token: true, Source: "docs.trellix.com/data-and-email/docs/error-codes"},
	{ID: "trellix-etp103", Condition: "deferred", Text: "etp103", Token: true, Source: "docs.trellix.com/data-and-email/docs/error-codes"},
	{ID: "trellix-etp104", Condition: "mail-loop", Text: "etp104", Token: true, Source: "docs.trellix.com/data-and-email/docs/error-codes"},
	{ID: "trellix-etp205", Condition: "dmarc-reject", Text: "etp205", Token: true, Source: fieldManual + "/spamfilter/fireeye"},

	{ID: "zerospam-recipient-list", Condition: "recipient-not-found", Text: "not in recipient list", Source: fieldManual + "/spamfilter/zerospam"},
	{ID: "cloudflare-rbl", Condition: "ip-blocked", Text: "found on one or more rbls", Source: "developers.cloudflare.com/email-service/reference/postmaster"},
}
