package smtpcode

const sophosSMTP = "docs.sophos.com/central/customer/help/en-us/ManageYourProducts/EmailSecurity/SMTPErrorCodes"

// sophosRules are the codes that Sophos Email ends its replies with.
var sophosRules = []Rule{
	{ID: "sophos-0001", Condition: "dkim-fail", Text: "xgemail_0001", Token: true, Source: sophosSMTP},
	{ID: "sophos-0002", Condition: "spf-fail", Text: "xgemail_0002", Token: true, Source: sophosSMTP},
	{ID: "sophos-0003", Condition: "dmarc-reject", Text: "xgemail_0003", Token: true, Source: sophosSMTP},
	{ID: "sophos-0004", Condition: "ip-blocked", Text: "xgemail_0004", Token: true, Source: sophosSMTP},
	{ID: "sophos-0005", Condition: "sender-domain-blocked", Text: "xgemail_0005", Token: true, Source: sophosSMTP},
	{ID: "sophos-0006", Condition: "tls-required", Text: "xgemail_0006", Token: true, Source: sophosSMTP},
	{ID: "sophos-0007", Condition: "system-misconfigured", Text: "xgemail_0007", Token: true, Source: sophosSMTP},
	{ID: "sophos-0008", Condition: "customer-block-list", Text: "xgemail_0008", Token: true, Source: sophosSMTP},
	{ID: "sophos-0009", Condition: "sender-blocked-by-recipient", Text: "xgemail_0009", Token: true, Source: sophosSMTP},
	{ID: "sophos-0010", Condition: "domain-not-accepted", Text: "xgemail_0010", Token: true, Source: sophosSMTP},
	{ID: "sophos-0011", Condition: "recipient-not-found", Text: "xgemail_0011", Token: true, Source: sophosSMTP},
	{ID: "sophos-0012", Condition: "message-too-large", Text: "xgemail_0012", Token: true, Source: sophosSMTP},
	{ID: "sophos-0013", Condition: "too-many-recipients", Text: "xgemail_0013", Token: true, Source: sophosSMTP},
	{ID: "sophos-0014", Condition: "recipient-rate-limit", Text: "xgemail_0014", Token: true, Source: sophosSMTP},
	{ID: "sophos-0015", Condition: "mailbox-receive-limit", Text: "xgemail_0015", Token: true, Source: sophosSMTP},
	{ID: "sophos-flood", Condition: "submission-quota", Text: "mail flood detected", Source: "community.sophos.com/sophos-email/f/recommended-reads/136256"},
}
