package smtpcode

// mailboxRules are replies of Yandex, Mail.ru, Zoho, Amazon SES and smaller
// mailbox hosts.
var mailboxRules = []Rule{
	{ID: "godaddy-5-1-0-address-rejected", Condition: "recipient-not-found", Text: "#5.1.0 address rejected", Source: "https://pastebin.com/TuTFHMDq"},
	{ID: "godaddy-ib212", Condition: "spam-content", Text: "ib212", Token: true, Source: "support.tigertech.net/godaddy-ib212"},
	{ID: "godaddy-ib508", Condition: "spf-fail", Text: "ib508", Token: true, Source: "blog.mailchannels.com/top-smtp-error-messages-june-2016"},
	{ID: "godaddy-content", Condition: "spam-content", Text: "rejected for spam or virus content", Source: "godaddy.com/help/fix-rejected-email-with-a-bounce-error-40685"},
	{ID: "godaddy-ib113", Condition: "namespace-mining", Text: "ib113", Token: true, Source: "godaddy.com/help/what-does-my-email-bounceback-mean-3568"},
	{ID: "godaddy-ib401", Condition: "login-failed", Text: "ib401", Token: true, Source: "godaddy.com/help/fix-rejected-email-with-a-bounce-error-40685"},
	{ID: "godaddy-ib501", Condition: "sender-address-rejected", Text: "ib501", Token: true, Source: "godaddy.com/help/fix-rejected-email-with-a-bounce-error-40685"},
	{ID: "godaddy-ib502", Condition: "sender-address-rejected", Text: "ib502", Token: true, Source: "godaddy.com/help/fix-rejected-email-with-a-bounce-error-40685"},
	{ID: "godaddy-ib506", Condition: "sender-address-rejected", Text: "ib506", Token: true, Source: "godaddy.com/help/fix-rejected-email-with-a-bounce-error-40685"},
	{ID: "yandex-policy", Condition: "mailbox-suspended", Text: "policy rejection on the target address", Source: yandexSMTP},
	{ID: "yandex-suspicion", Condition: "spam-content", Text: "message rejected under suspicion of spam", Source: yandexSMTP},
	{ID: "yandex-statistics", Condition: "ip-blocked", Text: "blocked by spam statistics", Source: yandexSMTP},
	{ID: "yandex-full", Condition: "mailbox-full", Text: "mailbox size exceeded", Source: yandexSMTP},
	{ID: "yandex-syntax", Condition: "recipient-address-invalid", Text: "bad recipient address syntax", Source: yandexSMTP},
	{ID: "yandex-mailbox-syntax", Condition: "recipient-address-invalid", Text: "bad address mailbox syntax", Source: yandexSMTP},
	{ID: "yandex-timeout", Condition: "connection-dropped", Text: "error: timeout exceeded", Source: fieldManual + "/provider/yandex"},
	{ID: "fqdn-recipient", Condition: "recipient-address-invalid", Text: "recipient address rejected: need fully-qualified address", Source: yandexSMTP},

	{ID: "mailru-disabled", Condition: "mailbox-disabled", Text: "message was not accepted -- invalid mailbox. local mailbox", Source: fieldManual + "/provider/mailru"},
	{ID: "mailru-sending-disabled", Condition: "sender-account-blocked", Text: "message sending for this account is disabled", Source: "mailout.ru/2015/09"},
	{ID: "mailru-dmarc", Condition: "dmarc-reject", Text: "not accepted due to domain owner dmarc policy", Source: "help.mail.ru/mail-help/postmaster/dmarc"},

	{ID: "zoho-policy", Condition: "policy-refusal", Text: "mailpolicy violation error delivering to mailboxes", Source: fieldManual + "/provider/zoho"},
	{ID: "zoho-spam", Condition: "spam-content", Text: "email flagged as spam", Source: fieldManual + "/provider/zoho"},
	{ID: "zoho-restricted", Condition: "policy-refusal", Text: "mailbox delivery restricted by policy error", Source: "smtp.codes/zoho"},
	{ID: "zoho-delivery-policy", Condition: "policy-refusal", Text: "mailbox delivery failure policy error", Source: "smtp.codes/zoho"},
	{ID: "zoho-unusual", Condition: "sender-account-blocked", Text: "unusual sending activity detected", Source: "zoho.com/mail/help/usage-policy.html, which the reply names"},
	{ID: "zoho-unblock", Condition: "sender-account-blocked", Text: "mail.zoho.com/unblockme", Token: true, Source: "zoho.com/mail/help/usage-policy.html, beside which the reply names it"},
	{ID: "zoho-virus", Condition: "malware", Text: "detected by zoho mail", Source: "zoho.com/zeptomail/help/api/smtp-error-codes"},
	{ID: "zoho-from", Condition: "send-as-denied", Text: "relaying disallowed as", Source: "zoho.com/zeptomail/help/api/smtp-error-codes"},
	{ID: "zoho-subject", Condition: "header-invalid", Text: "subject is mandatory", Source: "zoho.com/zeptomail/help/api/smtp-error-codes"},

	{ID: "ses-rate", Condition: "submission-quota", Text: "throttling failure: maximum sending rate exceeded", Source: sesQuota},
	{ID: "ses-quota", Condition: "submission-quota", Text: "throttling failure: daily message quota exceeded", Source: sesQuota},
	{ID: "ses-connections", Condition: "too-many-connections", Text: "too many concurrent smtp connections", Source: sesSMTP},
	{ID: "ses-temporary", Condition: "service-unavailable", Text: "temporary service failure", Source: sesSMTP},
	{ID: "ses-timeout", Condition: "connection-dropped", Text: "timeout waiting for data from client", Source: sesSMTP},

	{ID: "proton-filter", Condition: "spam-content", Text: "rejected by spam filter", Source: fieldManual + "/provider/protonmail"},
	{ID: "proton-bridge", Condition: "sender-address-rejected", Text: "transaction failed: unknown sender address", Source: "github.com/emersion/hydroxide/issues/173"},
	{ID: "rackspace-misspelled", Condition: "recipient-not-found", Text: "email address could not be found, or was misspelled", Source: fieldManual + "/provider/rackspace"},
	{ID: "improvmx-590", Condition: "mail-loop", Text: "id-5.9.0", Token: true, Source: improvmxCodes},
	{ID: "improvmx-591", Condition: "bounce-refused", Text: "id-5.9.1", Token: true, Source: improvmxCodes},
	{ID: "improvmx-592", Condition: "recipient-domain-not-found", Text: "id-5.9.2", Token: true, Source: improvmxCodes},
	{ID: "improvmx-593", Condition: "system-misconfigured", Text: "id-5.9.3", Token: true, Source: improvmxCodes},
	{ID: "improvmx-594", Condition: "spam-content", Text: "id-5.9.4", Token: true, Source: improvmxCodes},
	{ID: "improvmx-595", Condition: "system-misconfigured", Text: "id-5.9.5", Token: true, Source: improvmxCodes},
	{ID: "improvmx-spam", Condition: "spam-content", Text: "message considered as spam", Source: fieldManual + "/provider/improvmx"},
	{ID: "spf-check-failed", Condition: "spf-fail", Text: "spf-check failed", Source: fieldManual + "/provider/hostpoint"},
	{ID: "gandi-policy", Condition: "policy-refusal", Text: "reject for policy reason", Source: "postmaster.gandi.net; github.com/Scille/parsec-cloud/issues/1751"},
	{ID: "dmarc-rejected-by", Condition: "dmarc-reject", Text: "rejected by dmarc policy", Source: fieldManual + "/provider/infomaniak"},
}

// improvmxCodes is the forwarder's own page of the codes that its server returns.
const improvmxCodes = "improvmx.com/guides/improvmx-error-codes"
