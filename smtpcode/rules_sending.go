package smtpcode

const (
	sparkPostSMTP = "support.sparkpost.com/docs/faq/error-messages-smtp"
	mailgunDocs   = "help.kyriossystems.com/en/articles/13613564; help.mailgun.com/hc/en-us/articles/202051664"
	postmarkDocs  = "postmarkapp.com/developer/webhooks/smtp-api-error; pastebin.com/04peBCvB"
)

// sendingRules are replies of services that send for others: SendGrid, Mailgun,
// Postmark and SparkPost. They refuse their own customers, so the sending side acts.
var sendingRules = []Rule{
	{ID: "sendgrid-credits", Condition: "submission-quota", Text: "maximum credits exceeded", Source: "pastebin.com/gjwkzPWn"},
	{ID: "sendgrid-hour", Condition: "mailbox-receive-limit", Text: "too many recipients received this hour", Source: "twilio.com/docs/sendgrid/for-developers/sending-email/smtp-errors-and-troubleshooting"},
	{ID: "sendgrid-permission", Condition: "send-as-denied", Text: "authenticated user is not authorized to send mail", Source: "twilio.com/docs/api/errors/60604"},

	{ID: "mailgun-domain", Condition: "sender-domain-unregistered", Text: "domain is not allowed to send", Source: mailgunDocs},
	{ID: "mailgun-terminated", Condition: "sender-account-blocked", Text: "domain is not allowed to send: account terminated", Source: mailgunDocs},
	{ID: "mailgun-bounced-before", Condition: "recipient-refused", Text: "not delivering to a previously bounced address", Source: "help.loxo.co/en/articles/4779250"},
	{ID: "mailgun-unsubscribed", Condition: "recipient-refused", Text: "not delivering to unsubscribed address", Source: "help.mailgun.com/hc/en-us/articles/360012171713"},

	{ID: "postmark-inactive", Condition: "recipient-refused", Text: "recipient that has been marked as inactive", Source: postmarkDocs},
	{ID: "postmark-all-inactive", Condition: "recipient-refused", Text: "recipients that have all been marked as inactive", Source: "postmarkapp.com/developer/webhooks/smtp-api-error; pastebin.com/EZE1w9rf"},
	{ID: "postmark-signature", Condition: "sender-domain-unregistered", Text: "sender signature not found", Source: "postmarkapp.com/developer/api/overview#error-codes"},
	{ID: "postmark-unconfirmed", Condition: "sender-domain-unregistered", Text: "sender signature not confirmed", Source: "postmarkapp.com/developer/api/overview#error-codes"},
	{ID: "postmark-attachment", Condition: "attachment-refused", Text: "forbidden attachment type", Source: "postmarkapp.com/developer/api/overview#error-codes"},
	{ID: "postmark-may-not-send", Condition: "sender-account-blocked", Text: "account may not send", Source: "postmarkapp.com/developer/api/overview#error-codes"},

	{ID: "sparkpost-domain", Condition: "sender-domain-unregistered", Text: "unconfigured sending domain", Source: sparkPostSMTP},
	{ID: "sparkpost-header", Condition: "header-invalid", Text: "json parsing error in x-msys-api", Source: sparkPostSMTP},
	{ID: "sparkpost-suppressed", Condition: "recipient-refused", Text: "recipient address was suppressed due to customer policy", Source: "help.infoodle.com/docs/email-error-messages"},
	{ID: "sparkpost-paused", Condition: "ip-throttled", Text: "sending ip temporarily suspended", Source: "help.infoodle.com/docs/email-error-messages"},
	{ID: "sparkpost-login", Condition: "login-failed", Text: "no authentication type succeeded", Source: sparkPostSMTP},
}
