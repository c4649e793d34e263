package smtpcode

// reputationConditions are refusals for what the sender, the links or earlier
// traffic are known for, and for sending too fast.
var reputationConditions = []meaning{
	{id: "phishing", summary: "A filter on the receiving side took the message for phishing.", owners: []Party{Sender, Filter}, steps: []Step{{Sender, "Check whether the account was misused; if the message is genuine, send it without links and without names of other companies."}, {Filter, "Release the message and correct the verdict."}}, resend: unchanged, address: Keep, source: "strato.nl/faq/mail/waarom-krijg-ik-foutmeldingen-bij-het-werken-met-e-mail; knowledge.broadcom.com/external/article/169925"},
	{id: "sender-impersonation", summary: "The mail came from outside with an address of the receiving organization, or one that resembles it.", owners: []Party{RecipientAdmin, SenderAdmin}, steps: []Step{tellTheirs, {RecipientAdmin, "Add an exception to the anti-spoofing policy for the service that sends in the organization's name."}, {SenderAdmin, "Send with an address of your own domain."}}, resend: afterFix, address: Keep, checks: []CheckKind{CheckSPF, CheckDKIM}, source: mimecastSMTP},
	{id: "bounce-refused", summary: "The server does not take this report or automatic reply (empty sender).", owners: []Party{SenderAdmin}, steps: []Step{{SenderAdmin, "Find the message the report is about: forged senders draw such reports. Nothing has to be delivered."}}, resend: unchanged, address: Keep, source: mimecastSMTP},
}
