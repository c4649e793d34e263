package smtpcode

const (
	fastmailHelp = "fastmail.help/hc/en-us/articles/7010500320655"
	interiaHelp  = "pomoc.poczta.interia.pl/news-dlaczego-wiadomosc-nie-zostala-dostarczona,nId,6589600"
	stratoHelp   = "strato.nl/faq/mail/waarom-krijg-ik-foutmeldingen-bij-het-werken-met-e-mail"
)

// hostRules are replies of Fastmail, Interia and Strato.
var hostRules = []Rule{
	{ID: "fastmail-unknown", Condition: "recipient-not-found", Text: "user address unknown", Source: fastmailHelp},
	{ID: "fastmail-send-as", Condition: "send-as-denied", Text: "not authorised to send from this header address", Source: fastmailHelp},

	{ID: "interia-account", Condition: "recipient-not-found", Text: "account not found", Source: interiaHelp},
	{ID: "interia-unwanted", Condition: "sender-blocked-by-recipient", Text: "recipient doesn't want your mail", Source: interiaHelp},
	{ID: "interia-spf", Condition: "spf-fail", Text: "is not allowed to send mail from", Source: interiaHelp},

	{ID: "strato-attachment", Condition: "attachment-refused", Text: "(b-attach)", Token: true, Source: "strato.de/faq/mail/fehlermeldungen-bei-e-mails"},
	{ID: "strato-spam", Condition: "spam-content", Text: "no spam please", Source: stratoHelp},
	{ID: "strato-phishing", Condition: "phishing", Text: "suspected phishing attempt", Source: stratoHelp},
	{ID: "strato-storage", Condition: "mailbox-full", Text: "has exhausted allowed storage space", Source: stratoHelp + "; " + germanTypical},

	{ID: "no-such-recipient", Condition: "recipient-not-found", Text: "no such recipient", Source: "support.yourhosting.nl/support/solutions/articles/80001083637"},
	{ID: "probability-of-spam", Condition: "spam-content", Text: "probability of spam", Source: "nl.help.carerix.com/nl/articles/2245905-e-mail-bounce"},
	{ID: "mailbox-limit", Condition: "mailbox-full", Text: "exceeded their mailbox limit", Source: "exedo.nl/mailmeldingen"},
	{ID: "due-to-spam-content", Condition: "spam-content", Text: "due to spam content", Source: "exedo.nl/mailmeldingen"},
}
