package smtpcode

const (
	rackspaceSMTP  = "smtp.codes/rackspace; postmaster.emailsrvr.com/system-info/response-codes"
	titanSMTP      = "smtp.codes/titan; support.titan.email/hc/en-us/articles/35175377981977"
	goDaddySMTP    = "smtp.codes/godaddy; secureserver.net/help/fix-rejected-email-with-a-bounce-error-40685"
	trendMicroList = "success.trendmicro.com/solution/1097055"
	openResolver   = "spamhaus.org: using our public mirrors, check your return codes; github.com/springcomp/self-hosted-simplelogin/issues/37"
)

// serviceRules are replies of hosting and sending services, and of block lists
// about those who ask them, that no family of wordings covers.
var serviceRules = []Rule{
	{ID: "rackspace-virus", Condition: "malware", Text: "header_contenttype_1", Token: true, Source: rackspaceSMTP},
	{ID: "rackspace-partial", Condition: "content-invalid", Text: "header_contenttype_2", Token: true, Source: rackspaceSMTP},
	{ID: "rackspace-file", Condition: "attachment-refused", Text: "mime_banned_file", Token: true, Source: rackspaceSMTP},
	{ID: "blocked-by-this-recipient", Condition: "sender-blocked-by-recipient", Text: "blocked by this recipient", Source: rackspaceSMTP},
	{ID: "blocked-by-the-recipient", Condition: "sender-blocked-by-recipient", Text: "blocked by the recipient", Source: rackspaceSMTP},
	{ID: "blocked-by-recipient", Condition: "sender-blocked-by-recipient", Text: "blocked by recipient", Source: rackspaceSMTP},
	{ID: "charter-1010", Condition: "ip-blocked", Text: "aup#i-1010", Token: true, Source: "suped.com: how to troubleshoot email delivery issues with Charter"},
	{ID: "aol-dynamic-throttle", Condition: "ip-throttled", Text: "dyn:t1", Token: true, Source: "postmaster.aol.com/error-codes, as pastebin.com/MuB2sCDr quotes it"},
	{ID: "aol-no-delivery", Condition: "policy-refusal", Text: "will not accept delivery of this message", Source: "pastebin.com/MuB2sCDr"},
	{ID: "mimecast-spf", Condition: "spf-fail", Text: "spf sender invalid", Source: mimecastSMTP},
	{ID: "mimecast-dkim", Condition: "dkim-fail", Text: "dkim sender invalid", Source: mimecastSMTP},
	{ID: "mimecast-open-relay", Condition: "relay-denied", Text: "open relay not allowed", Source: mimecastSMTP},
	{ID: "ms-no-secondary", Condition: "service-unavailable", Text: "no healthy secondary server", Source: "smtp.codes/outlook"},
	{ID: "ms-authentication-level", Condition: "authentication-required", Text: "meet the required authentication level", Source: "techcommunity.microsoft.com: strengthening email ecosystem; github.com/sisimai/go-sisimai/issues/150"},
	{ID: "mailgun-sandbox", Condition: "sender-domain-unregistered", Text: "sandbox subdomains are for test purposes", Source: "github.com/swapmyvote/swapmyvote/issues/182"},
	{ID: "mailgun-named-domain", Condition: "sender-domain-unregistered", Text: "domain * is not allowed to send:", Source: "github.com/swapmyvote/swapmyvote/issues/891"},
	{ID: "ses-policy", Condition: "send-as-denied", Text: "not authorized to perform", Source: sesSMTP},
	{ID: "temporary-authentication-failure", Condition: "service-unavailable", Text: "temporary authentication failure", Source: "RFC 4954 section 4.7, reply 454"},
	{ID: "temporarily-blacklisted", Condition: "ip-blocked", Text: "temporarily blacklisted", Source: "help.socketlabs.com/docs/421-451-too-many-errors-you-have-been-temporarily-blacklisted"},
	{ID: "insufficient-reputation", Condition: "ip-throttled", Text: "insufficient reputation", Source: titanSMTP},
	{ID: "insufficient-storage", Condition: "insufficient-resources", Code: 452, Text: "insufficient storage", Bare: true, Source: "RFC 5321 section 4.2.3"},
	{ID: "godaddy-ip-hour", Condition: "ip-throttled", Text: "ip has sent too many", Source: goDaddySMTP},
	{ID: "ratelimit", Condition: "ip-throttled", Text: "ratelimit", Bare: true, Source: "github.com/mailcow/mailcow-dockerized/issues/1497, Rspamd"},
	{ID: "too-many-emails", Condition: "ip-throttled", Text: "too many emails", Bare: true, Source: "github.com/aschroder/Magento-SMTP-Pro-Email-Extension/issues/94"},
	{ID: "too-many-mails", Condition: "ip-throttled", Text: "too many mails", Bare: true, Source: "github.com/aschroder/Magento-SMTP-Pro-Email-Extension/issues/94"},
	{ID: "list-mail-abuse", Condition: "ip-blocked", Text: "rbl-plus.mail-abuse.org", Token: true, Source: trendMicroList},
	{ID: "list-mail-abuse-page", Condition: "ip-blocked", Text: "mail-abuse.com/cgi-bin/lookup", Token: true, Source: trendMicroList},
	{ID: "cox-dns-check", Condition: "missing-reverse-dns", Operator: Cox, Text: "dns check failure", Source: "blog.susanfinch.com/2010/03/wondering-what-your-undeliverable-email-codes-mean, Cox's table"},
	{ID: "ms-send-as-denied", Condition: "send-as-denied", Text: "sendasdeniedexception", Token: true, Source: "github.com/TYPO3-directmail/direct_mail/issues/267; 5.2.252"},
	{ID: "has-blacklisted", Condition: "sender-blocked-by-recipient", Text: "has blacklisted", Bare: true, Source: "open-mail.org/3strikes"},
	{ID: "not-valid-address", Condition: "recipient-address-invalid", Text: "not a valid address", Vague: true, Source: "open-mail.org/3strikes"},
	{ID: "tls-required-behind", Condition: "tls-required", Text: "bad sequence of commands (tls required)", Source: "github.com/PHPMailer/PHPMailer/issues/767"},
	{ID: "blocked", Condition: "policy-refusal", Text: "blocked", Vague: true, Source: "campus.barracuda.com/product/emailsecuritygateway/doc/39815000/smtp-error-codes"},

	// The list did not answer the receiver, which took the error for a listing.
	{ID: "list-open-resolver", Condition: "system-misconfigured", Text: "error: open resolver", Token: true, Source: openResolver},
	{ID: "list-return-code", Condition: "system-misconfigured", Text: "spamhaus.org/returnc", Token: true, Source: openResolver},
}
