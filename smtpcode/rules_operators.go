package smtpcode

// operatorRules are wordings of operators, filters, block lists and servers
// beside Microsoft and Google, each with the page that shows it.
var operatorRules = []Rule{
	// yahoo
	{ID: "yahoo-temporarily-deferred-due-to-unexpected-volume-or-user-compla", Condition: "ip-throttled", Text: "temporarily deferred due to unexpected volume or user complaints", Source: "https://smtpfieldmanual.com/provider/yahoo/421/4.7.0"},
	{ID: "yahoo-ts01", Condition: "ip-throttled", Text: "[ts01]", Token: true, Source: "https://senders.yahooinc.com/smtp-error-codes"},
	{ID: "yahoo-ts02", Condition: "ip-throttled", Text: "[ts02]", Token: true, Source: "http://www.smtp-error-codes.info/bounce/yahoo/bounce_421_4.7.0_TS02.php"},
	{ID: "yahoo-ts03", Condition: "ip-blocked", Text: "[ts03]", Token: true, Source: "https://senders.yahooinc.com/smtp-error-codes"},
	{ID: "yahoo-will-be-permanently-deferred", Condition: "ip-blocked", Text: "will be permanently deferred", Source: "https://senders.yahooinc.com/smtp-error-codes"},
	{ID: "yahoo-because-the-ip-is-in-spamhaus-s-list", Condition: "ip-blocked", Text: "because the ip is in spamhaus's list", Source: "https://smtpfieldmanual.com/provider/yahoo"},
	{ID: "yahoo-not-accepted-from-ip-addresses-on-spamhaus", Condition: "ip-blocked", Text: "not accepted from ip addresses on spamhaus", Source: "https://smtpfieldmanual.com/provider/yahoo"},
	{ID: "yahoo-this-user-doesn-t-have-a", Condition: "recipient-not-found", Text: "this user doesn't have a", Source: "https://senders.yahooinc.com/smtp-error-codes"},
	{ID: "yahoo-ph01", Condition: "spam-content", Text: "[ph01]", Token: true, Source: "https://help.returnpath.com/hc/en-us/articles/220565487-Block-bounce-code-examples"},
	{ID: "yahoo-message-not-accepted-for-policy-reasons", Condition: "dmarc-reject", Text: "message not accepted for policy reasons", Source: "https://senders.yahooinc.com/smtp-error-codes"},
	{ID: "yahoo-yahoo-requires-all-senders-to-authenticate", Condition: "authentication-required", Text: "yahoo requires all senders to authenticate", Source: "https://senders.yahooinc.com/smtp-error-codes"},
	{ID: "yahoo-excessive-unknown-recipients", Condition: "namespace-mining", Text: "excessive unknown recipients", Source: "https://senders.yahooinc.com/smtp-error-codes"},
	{ID: "yahoo-resources-temporarily-not-available", Condition: "service-unavailable", Text: "resources temporarily not available", Source: "https://senders.yahooinc.com/smtp-error-codes"},
	// apple
	{ID: "apple-error-too-many-errors", Condition: "namespace-mining", Operator: Apple, Text: "error: too many errors", Source: "https://smtp.codes/icloud"},
	{ID: "apple-deferred-due-to-excessive-volume", Condition: "mailbox-receive-limit", Operator: Apple, Text: "deferred due to excessive volume", Source: "https://smtp.codes/icloud"},
	{ID: "apple-service-unavailable-try-again-later", Condition: "service-unavailable", Operator: Apple, Text: "service unavailable - try again later", Source: "https://smtp.codes/icloud"},
	{ID: "apple-user-does-not-exist", Condition: "recipient-not-found", Operator: Apple, Text: "user does not exist", Source: "https://smtp.codes/icloud"},
	{ID: "apple-inactive-email-address", Condition: "mailbox-disabled", Operator: Apple, Text: "inactive email address", Source: "https://bentonow.com/smtp-errors/apple"},
	{ID: "apple-cs01-message-rejected-due-to-local-policy", Condition: "spam-content", Text: "[cs01] message rejected due to local policy", Token: true, Source: "https://smtp.codes/icloud"},
	{ID: "apple-cs02-message-rejected-due-to-local-policy", Condition: "spam-content", Text: "[cs02] message rejected due to local policy", Token: true, Source: "https://www.suped.com/knowledge/email-deliverability/troubleshooting/what-causes-apple-email-bounces-and-how-can-i-fix-them"},
	{ID: "apple-hm08-message-rejected-due-to-local-policy", Condition: "spam-content", Text: "[hm08] message rejected due to local policy", Token: true, Source: "https://www.suped.com/knowledge/email-deliverability/troubleshooting/what-causes-apple-email-bounces-and-how-can-i-fix-them"},
	{ID: "apple-your-message-was-rejected-due-to", Condition: "dmarc-reject", Operator: Apple, Text: "your message was rejected due to", Source: "https://smtp.codes/icloud"},
	{ID: "apple-having-a-domain-present-in-the-spamhaus-dbl", Condition: "url-blocked", Text: "having a domain present in the spamhaus dbl", Source: "https://smtp.codes/icloud"},
	// proofpoint
	{ID: "proofpoint-blocked-see-https-ipcheck-proofpoint-com", Condition: "ip-blocked", Text: "blocked - see https://ipcheck.proofpoint.com", Source: "https://ipcheck.proofpoint.com"},
	{ID: "proofpoint-blocked-using-proofpoint-dynamic-reputation", Condition: "ip-blocked", Text: "blocked using proofpoint dynamic reputation", Source: "https://ipcheck.proofpoint.com"},
	{ID: "proofpoint-p4-message-blocked-due-to-spam-content", Condition: "spam-content", Text: "[p4] message blocked due to spam content", Token: true, Source: "https://help.proofpoint.com/Proofpoint_Essentials/Email_Security/Administrator_Topics/110_logs/Bounces_and_Deferrals"},
	// mimecast
	{ID: "mimecast-sender-address-blocked", Condition: "sender-blocked-by-recipient", Operator: Mimecast, Text: "sender address blocked", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691-Policies-Mimecast-SMTP-Error-Codes"},
	{ID: "mimecast-unable-to-process-connection-at-this-time", Condition: "service-unavailable", Operator: Mimecast, Text: "unable to process connection at this time", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691-Policies-Mimecast-SMTP-Error-Codes"},
	{ID: "mimecast-internal-resource-temporarily-unavailable", Condition: "greylisted", Text: "internal resource temporarily unavailable", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691-Policies-Mimecast-SMTP-Error-Codes"},
	{ID: "mimecast-internal-resource-is-temporarily-unavailable", Condition: "greylisted", Text: "internal resource is temporarily unavailable", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691-Policies-Mimecast-SMTP-Error-Codes"},
	{ID: "mimecast-rejected-by-header-based-anti-spoofing-policy", Condition: "sender-blocked-by-recipient", Text: "rejected by header based anti-spoofing policy", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691-Policies-Mimecast-SMTP-Error-Codes"},
	{ID: "mimecast-rejected-by-header-based-manually-blocked-senders", Condition: "sender-blocked-by-recipient", Text: "rejected by header based manually blocked senders", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/42979092709907-Policies-Managing-Blocked-Senders-and-Email-Rejections"},
	{ID: "mimecast-rejected-by-header-based-blocked-senders", Condition: "sender-blocked-by-recipient", Text: "rejected by header based blocked senders", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/42979092709907-Policies-Managing-Blocked-Senders-and-Email-Rejections"},
	{ID: "mimecast-email-rejected-due-to-security-policies", Condition: "policy-refusal", Operator: Mimecast, Text: "email rejected due to security policies", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691-Policies-Mimecast-SMTP-Error-Codes"},
	{ID: "mimecast-csi-mimecast-org-poor-reputation-sender", Condition: "ip-blocked", Text: "csi.mimecast.org poor reputation sender", Source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691-Policies-Mimecast-SMTP-Error-Codes"},
	// gmx
	{ID: "gmx-ip-address-is-block-listed", Condition: "ip-blocked", Text: "ip address is block listed", Source: "https://postmaster.gmx.com/en/error-messages"},
	{ID: "gmx-ip-address-is-black-listed", Condition: "ip-blocked", Text: "ip address is black listed", Source: "http://marmaro.de/lue/txt/2013-10-24.txt"},
	{ID: "gmx-reject-due-to-spf-policy", Condition: "spf-fail", Text: "reject due to spf policy", Source: "https://smtp.codes/unitedinternet/"},
	{ID: "gmx-requested-action-not-taken-mailbox-unavailable", Condition: "mailbox-unavailable", Text: "requested action not taken: mailbox unavailable", Source: "https://smtp.codes/unitedinternet/"},
	// outlook
	{ID: "outlook-part-of-their-network-is-on-our-block-list", Condition: "ip-blocked", Text: "part of their network is on our block list", Source: "https://sendersupport.olc.protection.outlook.com/pm/troubleshooting.aspx"},
	{ID: "outlook-sc-001", Condition: "ip-blocked", Text: "sc-001", Source: "https://help.returnpath.com/hc/en-us/articles/220565487-Block-bounce-code-examples"},
	{ID: "outlook-exceeded-their-limit-for-the-number-of-messages-they-can-rec", Condition: "mailbox-receive-limit", Text: "exceeded their limit for the number of messages they can receive per hour", Source: "https://learn.microsoft.com/en-us/exchange/mail-flow-best-practices/non-delivery-reports-in-exchange-online/non-delivery-reports-in-exchange-online"},
	// spamhaus
	{ID: "spamhaus-blocked-using-zen-spamhaus-org", Condition: "ip-blocked", Text: "blocked using zen.spamhaus.org", Source: "https://www.simplefastwebsites.com/errors/email/smtp-554-5-7-1-client-host-blocked-spamhaus/"},
	{ID: "spamhaus-blocked-using-spamhaus", Condition: "ip-blocked", Text: "blocked using spamhaus", Source: "https://simplefastwebsites.com/errors/security/spamhaus-sbl-ip-blocklisted/"},
	{ID: "spamhaus-spamhaus-org-sbl-query", Condition: "ip-blocked", Text: "spamhaus.org/sbl/query", Source: "https://pastebin.com/u5F33F2Q"},
	// sorbs
	{ID: "sorbs-blocked-using-dnsbl-sorbs-net", Condition: "ip-blocked", Text: "blocked using dnsbl.sorbs.net", Source: "https://help.kreativmedia.ch/fr/erreur-554-blocked"},
	// manitu
	{ID: "manitu-blocked-using-ix-dnsbl-manitu-net", Condition: "ip-blocked", Text: "blocked using ix.dnsbl.manitu.net", Source: "https://support.onesystems.ch/722126-%C3%9Cbersicht-h%C3%A4ufig-vorkommender-Fehlermeldungen"},
	// barracuda
	{ID: "barracuda-blocked-using-barracuda-reputation", Condition: "ip-blocked", Text: "blocked using barracuda reputation", Source: "https://www.barracudacentral.org/lookups/lookup-reputation"},
	// trendmicro
	{ID: "trendmicro-block-permanently-sender-filtering-authentication", Condition: "policy-refusal", Text: "block permanently (sender filtering/authentication)", Source: "https://docs.trendmicro.com/en-us/documentation/article/deep-discovery-email-inspector-51-online-help-smtp-error-codes"},
	{ID: "trendmicro-permanent-denial-of-connection-550-for-rbl-matches", Condition: "ip-blocked", Text: "permanent denial of connection (550) for rbl+ matches", Source: "https://docs.trendmicro.com/en-us/documentation/article/deep-discovery-email-inspector-51-online-help-smtp-error-codes"},
	{ID: "trendmicro-temporary-denial-of-connection-450-for-zombie-matches", Condition: "ip-throttled", Text: "temporary denial of connection (450) for zombie matches", Source: "https://docs.trendmicro.com/en-us/documentation/article/deep-discovery-email-inspector-51-online-help-smtp-error-codes"},
	// postfix
	{ID: "postfix-cannot-find-your-hostname", Condition: "missing-reverse-dns", Text: "cannot find your hostname", Source: "https://support.onesystems.ch/722126-%C3%9Cbersicht-h%C3%A4ufig-vorkommender-Fehlermeldungen"},
	{ID: "postfix-cannot-find-your-reverse-hostname", Condition: "missing-reverse-dns", Text: "cannot find your reverse hostname", Source: "https://www.bytecamp.net/de/faq/email/zustellen.html"},
	{ID: "postfix-recipient-address-rejected-greylisted", Condition: "greylisted", Text: "recipient address rejected: greylisted", Source: "https://www.bytecamp.net/de/faq/email/zustellen.html"},
	{ID: "postfix-relay-access-denied", Condition: "relay-denied", Text: "relay access denied", Source: "https://support.onesystems.ch/722126-%C3%9Cbersicht-h%C3%A4ufig-vorkommender-Fehlermeldungen"},
	{ID: "postfix-sender-address-rejected-domain-not-found", Condition: "sender-address-rejected", Text: "sender address rejected: domain not found", Source: "https://support.onesystems.ch/722126-%C3%9Cbersicht-h%C3%A4ufig-vorkommender-Fehlermeldungen"},
	{ID: "postfix-error-too-many-connections", Condition: "too-many-connections", Text: "error: too many connections", Source: "https://www.bytecamp.net/de/faq/email/zustellen.html"},
	{ID: "postfix-recipient-address-rejected-user-unknown", Condition: "recipient-not-found", Text: "recipient address rejected: user unknown", Source: "https://support.onesystems.ch/722126-%C3%9Cbersicht-h%C3%A4ufig-vorkommender-Fehlermeldungen"},
	// qmail
	{ID: "qmail-isn-t-in-my-list-of-allowed-rcpthosts", Condition: "relay-denied", Text: "isn't in my list of allowed rcpthosts", Source: "https://pastebin.com/V22msPMs"},
	// godaddy
	{ID: "godaddy-5-1-0-address-rejected", Condition: "recipient-not-found", Text: "#5.1.0 address rejected", Source: "https://pastebin.com/TuTFHMDq"},
	// ironport
	{ID: "ironport-your-access-to-submit-messages-to-this-e-mail-system-has-bee", Condition: "ip-blocked", Text: "your access to submit messages to this e-mail system has been rejected", Source: "https://pastebin.com/jhdNMiyp"},
	// free
	{ID: "free-too-many-spams-from-your-ip", Condition: "ip-throttled", Text: "too many spams from your ip", Source: "http://postmaster.free.fr/"},
	// trellix
	{ID: "trellix-invalid-recipient", Condition: "recipient-not-found", Text: "invalid recipient", Source: "https://docs.trellix.com/data-and-email/docs/error-codes.md"},
}
