package smtpcode

// mimecastRules are what Mimecast documents of its replies: a code, a sentence,
// and a link to its page of error codes. Its customers set most of the rules.
var mimecastRules = []Rule{
	{ID: "mimecast-sender-address-blocked", Condition: "sender-blocked-by-recipient", Operator: Mimecast, Text: "sender address blocked", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691-Policies-Mimecast-SMTP-Error-Codes"},
	{ID: "mimecast-unable-to-process-connection-at-this-time", Condition: "service-unavailable", Operator: Mimecast, Text: "unable to process connection at this time", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691-Policies-Mimecast-SMTP-Error-Codes"},
	{ID: "mimecast-internal-resource-temporarily-unavailable", Condition: "greylisted", Text: "internal resource temporarily unavailable", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691-Policies-Mimecast-SMTP-Error-Codes"},
	{ID: "mimecast-internal-resource-is-temporarily-unavailable", Condition: "greylisted", Text: "internal resource is temporarily unavailable", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691-Policies-Mimecast-SMTP-Error-Codes"},
	{ID: "mimecast-rejected-by-header-based-anti-spoofing-policy", Condition: "sender-blocked-by-recipient", Text: "rejected by header based anti-spoofing policy", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691-Policies-Mimecast-SMTP-Error-Codes"},
	{ID: "mimecast-rejected-by-header-based-manually-blocked-senders", Condition: "sender-blocked-by-recipient", Text: "rejected by header based manually blocked senders", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/42979092709907-Policies-Managing-Blocked-Senders-and-Email-Rejections"},
	{ID: "mimecast-rejected-by-header-based-blocked-senders", Condition: "sender-blocked-by-recipient", Text: "rejected by header based blocked senders", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/42979092709907-Policies-Managing-Blocked-Senders-and-Email-Rejections"},
	{ID: "mimecast-email-rejected-due-to-security-policies", Condition: "policy-refusal", Operator: Mimecast, Text: "email rejected due to security policies", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691-Policies-Mimecast-SMTP-Error-Codes"},
	{ID: "mimecast-csi-mimecast-org-poor-reputation-sender", Condition: "ip-blocked", Text: "csi.mimecast.org poor reputation sender", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691-Policies-Mimecast-SMTP-Error-Codes"},
	{ID: "mimecast-envelope-blocked", Condition: "sender-blocked-by-recipient", Text: "administrative prohibition - envelope blocked", Source: fieldManual + "/spamfilter/mimecast"},
	{ID: "mimecast-user-entry", Condition: "sender-blocked-by-recipient", Text: "envelope blocked - user entry", Source: fieldManual + "/spamfilter/mimecast"},
	{ID: "mimecast-manually-blocked", Condition: "sender-blocked-by-recipient", Text: "header based manually blocked senders", Source: fieldManual + "/spamfilter/mimecast"},
	{ID: "mimecast-anti-spoofing", Condition: "sender-impersonation", Text: "header based anti-spoofing policy", Source: fieldManual + "/spamfilter/mimecast"},
	{ID: "mimecast-dmarc", Condition: "dmarc-reject", Text: "dmarc sender invalid - envelope rejected", Source: fieldManual + "/spamfilter/mimecast"},
	{ID: "mimecast-recipient-unavailable", Condition: "service-unavailable", Operator: Mimecast, Code: 451, Text: "recipient temporarily unavailable", Source: mimecastSMTP},
}
