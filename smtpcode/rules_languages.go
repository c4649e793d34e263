package smtpcode

// languageRules are wordings in other languages than English. Servers write
// them without accents as a rule.
var languageRules = []Rule{
	{ID: "de-user-unknown", Condition: "recipient-not-found", Text: "benutzer nicht bekannt", Source: germanTypical},
	{ID: "de-storage", Condition: "mailbox-full", Text: "hat das speichervolumen ueberschritten", Source: germanTypical},
	{ID: "de-too-many-mails", Condition: "mailbox-item-limit", Text: "hat zuviele mails auf dem server", Source: germanTypical},
	{ID: "de-account-storage", Condition: "mailbox-full", Text: "speicherplatz des kontos ueberschritten", Source: "bytecamp.net/de/faq/email/zustellen"},
	{ID: "de-spam", Condition: "spam-content", Text: "nachricht als spam eingestuft", Source: "bytecamp.net/de/faq/email/zustellen"},
	{ID: "fr-recipient", Condition: "recipient-not-found", Text: "adresse d au moins un destinataire invalide", Source: fieldManual + "/provider/orange"},
	{ID: "fr-ip-blocked", Condition: "ip-blocked", Text: "adresse ip source bloquee pour incident de spam", Source: fieldManual + "/provider/orange"},
	{ID: "fr-connections", Condition: "too-many-connections", Text: "trop de connexions", Source: orangeSMTP},
	{ID: "fr-refused", Condition: "ip-throttled", Text: "service refuse. veuillez essayer plus tard", Source: orangeSMTP},
	{ID: "zh-user", Condition: "recipient-not-found", Text: "该用户不存在", Source: "qqmailbox.com/transceivers/169"},
	{ID: "zh-user-qq", Condition: "recipient-not-found", Text: "该用户未开通qq邮箱", Source: "qqmailbox.com/transceivers/169"},
	{ID: "zh-storage", Condition: "mailbox-full", Text: "收件人空间不足", Source: "qqmailbox.com/transceivers/169"},
}
