package smtpcode

// serverRules are wordings of server programs, whoever runs them: Postfix,
// Exim, sendmail, qmail, OpenSMTPD and others.
var serverRules = []Rule{
	{ID: "postfix-cannot-find-your-hostname", Condition: "missing-reverse-dns", Text: "cannot find your hostname", Source: "https://support.onesystems.ch/722126-%C3%9Cbersicht-h%C3%A4ufig-vorkommender-Fehlermeldungen"},
	{ID: "postfix-cannot-find-your-reverse-hostname", Condition: "missing-reverse-dns", Text: "cannot find your reverse hostname", Source: "https://www.bytecamp.net/de/faq/email/zustellen.html"},
	{ID: "postfix-recipient-address-rejected-greylisted", Condition: "greylisted", Text: "recipient address rejected: greylisted", Source: "https://www.bytecamp.net/de/faq/email/zustellen.html"},
	{ID: "postfix-relay-access-denied", Condition: "relay-denied", Text: "relay access denied", Source: "https://support.onesystems.ch/722126-%C3%9Cbersicht-h%C3%A4ufig-vorkommender-Fehlermeldungen"},
	{ID: "postfix-sender-address-rejected-domain-not-found", Condition: "sender-address-rejected", Text: "sender address rejected: domain not found", Source: "https://support.onesystems.ch/722126-%C3%9Cbersicht-h%C3%A4ufig-vorkommender-Fehlermeldungen"},
	{ID: "postfix-error-too-many-connections", Condition: "too-many-connections", Text: "error: too many connections", Source: "https://www.bytecamp.net/de/faq/email/zustellen.html"},
	{ID: "postfix-recipient-address-rejected-user-unknown", Condition: "recipient-not-found", Text: "recipient address rejected: user unknown", Source: "https://support.onesystems.ch/722126-%C3%9Cbersicht-h%C3%A4ufig-vorkommender-Fehlermeldungen"},
	{ID: "qmail-isn-t-in-my-list-of-allowed-rcpthosts", Condition: "relay-denied", Text: "isn't in my list of allowed rcpthosts", Source: "https://pastebin.com/V22msPMs"},
}
