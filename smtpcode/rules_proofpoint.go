package smtpcode

// proofpointRules are replies of Proofpoint's gateways, hosted and on premises.
var proofpointRules = []Rule{
	{ID: "proofpoint-blocked-using-proofpoint-dynamic-reputation", Condition: "ip-blocked", Text: "blocked using proofpoint dynamic reputation", Source: "https://ipcheck.proofpoint.com"},
	{ID: "proofpoint-p4-message-blocked-due-to-spam-content", Condition: "spam-content", Text: "[p4] message blocked due to spam content", Token: true, Source: "https://help.proofpoint.com/Proofpoint_Essentials/Email_Security/Administrator_Topics/110_logs/Bounces_and_Deferrals"},
	{ID: "proofpoint-prs", Condition: "ip-blocked", Text: "blocked using prs.proofpoint.com", Source: fieldManual + "/spamfilter/proofpoint"},
	{ID: "proofpoint-ipcheck", Condition: "ip-blocked", Text: "ipcheck.proofpoint.com", Token: true, Source: "ipcheck.proofpoint.com"},
	{ID: "proofpoint-csi", Condition: "ip-blocked", Text: "blocked using cloudmark sender intelligence", Source: fieldManual + "/spamfilter/proofpoint"},
	{ID: "proofpoint-marked-invalid", Condition: "recipient-not-found", Text: "user email address is marked as invalid", Source: "spambrella.com/faq/email-delivery-error-codes"},
	{ID: "proofpoint-verification-running", Condition: "deferred", Text: "unverified address: address verification in progress", Source: fieldManual + "/spamfilter/proofpoint"},
	{ID: "proofpoint-unverified", Condition: "service-unavailable", Text: "recipient address rejected: unverified address: lost connection with", Source: fieldManual + "/spamfilter/proofpoint"},
	{ID: "proofpoint-not-valid", Condition: "recipient-not-found", Text: "this is not a valid email address", Source: fieldManual + "/spamfilter/proofpoint"},
	{ID: "proofpoint-dmarc", Condition: "dmarc-reject", Text: "rejected per sender's dmarc policy", Source: fieldManual + "/spamfilter/proofpoint"},
	{ID: "proofpoint-fully-qualified", Condition: "sender-address-rejected", Text: "sender address rejected: need fully-qualified address", Source: fieldManual + "/spamfilter/proofpoint"},
	{ID: "proofpoint-sender-ip", Condition: "ip-blocked", Operator: Proofpoint, From: Status{5, 1, 0}, Text: "sender rejected", Source: "spambrella.com/faq/email-delivery-error-codes"},
}
