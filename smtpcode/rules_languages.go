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
	{ID: "es-user-unknown", Condition: "recipient-not-found", Text: "usuario desconocido", Source: "inboxally.com/es/blog/el-codigo-de-error-550-5-1-1-usuario-desconocido-que-es-y-como-evitarlo"},
	{ID: "es-mailbox-unavailable", Condition: "mailbox-unavailable", Text: "buzón de correo no disponible", Source: "ionos.es/digitalguide/correo-electronico/cuestiones-tecnicas/error-550-causas-y-soluciones"},
	{ID: "it-mailbox-unavailable", Condition: "mailbox-unavailable", Text: "casella di posta non disponibile", Source: "ionos.it/digitalguide/e-mail/tecnica-e-mail/errore-smtp-550"},
	{ID: "it-address-wrong", Condition: "recipient-not-found", Text: "indirizzo di posta del destinatario errato", Source: "uniroma3.it: guida ai messaggi di errore"},
	{ID: "it-attachment", Condition: "attachment-refused", Text: "tipo di allegato vietato", Source: "uniroma3.it: guida ai messaggi di errore"},
	{ID: "it-busy", Condition: "service-unavailable", Text: "server occupato", Source: "newsletterstudio.it/errori-smtp"},
	{ID: "pt-user-unknown", Condition: "recipient-not-found", Text: "usuário desconhecido", Source: "bs2internet.com/mensagens-de-erro-ao-enviar-e-mails"},
	{ID: "pt-br-relay", Condition: "relay-denied", Text: "retransmissão negada", Source: "office.microsoft.com/pt-br/outlook-help: erro 550, 553 ou de retransmissão proibida"},
	{ID: "pt-pt-relay", Condition: "relay-denied", Text: "reencaminhamento negado", Source: "office.microsoft.com/pt-pt/outlook-help: erros 550, 553 e de proibição de reencaminhamento"},
	{ID: "pt-rcpthosts", Condition: "relay-denied", Text: "não consta na minha lista de rcpthosts", Source: "office.microsoft.com/pt-br/outlook-help: erro 550, 553 ou de retransmissão proibida"},
	{ID: "pt-storage", Condition: "mailbox-full", Text: "sem espaço de armazenamento", Source: "knowledge.workspace.google.com/admin/support/troubleshooting/gmail-smtp-errors-and-codes?hl=pt-br"},
	{ID: "pt-receive-limit", Condition: "mailbox-receive-limit", Text: "recebendo e-mails muito rápido", Source: "knowledge.workspace.google.com/admin/support/troubleshooting/gmail-smtp-errors-and-codes?hl=pt-br"},
	{ID: "pt-mailbox-unavailable", Condition: "mailbox-unavailable", Text: "caixa de correio indisponível", Source: "crm.maila.net.br/knowledge-base/article/codigos-de-erros-smtp-dos-servidores-de-email-e-codigos-de-resposta"},
}
