package smtpcode

// Where the programs of this table keep their wording, or what explains it.
const (
	harakaSource      = "github.com/haraka/Haraka"
	hMailServerSource = "github.com/hmailserver/hmailserver/hmailserver/source/Server/SMTP"
	courierSource     = "Courier 1.0.16"
	zimbraSource      = "github.com/Zimbra/zm-mailbox/store/src/java/com/zimbra/cs/lmtpserver/LmtpReply.java"
	dominoControls    = "ibm.com/support swg21385199: Domino R8.x Router Restrictions and Controls Explained"
	dominoSenders     = "ibm.com/support swg21212690: 554 Mail from sender rejected for policy reasons"
)

// programRules are wordings of server programs that fewer hosts run:
// OpenSMTPD, Haraka, hMailServer, Courier, Zimbra and Domino.
var programRules = []Rule{
	{ID: "opensmtpd-no-mx", Condition: "recipient-domain-not-found", Text: "no mx found for domain", Source: openSMTPDSource + "/usr.sbin/smtpd/mta.c, mta_on_mx"},
	{ID: "opensmtpd-network", Condition: "connection-timed-out", Text: "network error on destination mxs", Source: openSMTPDSource + "/usr.sbin/smtpd/mta.c, mta_connect"},
	{ID: "opensmtpd-auth", Condition: "client-not-authenticated", Text: "must issue an auth command first", Source: openSMTPDSource + "/usr.sbin/smtpd/smtp_session.c, smtp_check_mail_from: 530 5.5.1"},
	{ID: "opensmtpd-sender", Condition: "sender-address-rejected", Text: "sender address syntax error", Source: openSMTPDSource + "/usr.sbin/smtpd/smtp_session.c, smtp_check_mail_from: 553 5.1.0"},

	{ID: "haraka-relay", Condition: "relay-denied", Text: "i cannot deliver mail for", Source: harakaSource + "/connection.js, rcpt_respond: 550"},
	{ID: "haraka-not-welcome", Condition: "policy-refusal", Text: "your mail is not welcome here", Source: harakaSource + "/connection.js, connect_respond: 554"},
	{ID: "haraka-8-bit", Condition: "protocol-error", Text: "syntax error (8-bit characters not allowed)", Source: harakaSource + "/connection.js, process_line: 501"},
	{ID: "haraka-mime-parts", Condition: "content-invalid", Text: "transaction failed due to too many mime parts", Source: harakaSource + "/connection.js, data_done: 554"},
	{ID: "haraka-bare-line-feed", Condition: "bare-line-feeds", Token: true, Text: "haraka.github.io/barelf", Source: harakaSource + "/connection.js, accumulate_data: 451"},
	{ID: "haraka-signature", Condition: "spam-content", Text: "mail matches a known spam signature", Source: harakaSource + "/plugins/data.signatures.js"},
	{ID: "haraka-spoofed", Condition: "sender-impersonation", Text: "spoofed mail from", Source: harakaSource + "/plugins/queue/smtp_forward.js"},
	{ID: "haraka-auth-domain", Condition: "send-as-denied", Text: "doesn't match auth domain", Source: harakaSource + "/plugins/auth/auth_base.js"},
	{ID: "haraka-own-domain", Condition: "sender-impersonation", Text: "mail from domain ' * is not allowed from your host", Source: harakaSource + "/plugins/rcpt_to.host_list_base.js"},
	{ID: "haraka-one-header", Condition: "header-invalid", Text: "header allowed. see rfc 5322", Source: harakaSource + "-plugin-headers/index.js: duplicate_singular"},
	{ID: "haraka-return-path", Condition: "header-invalid", Text: "must not have a return-path header", Source: harakaSource + "-plugin-headers/index.js: invalid_return_path"},
	{ID: "haraka-date-old", Condition: "header-invalid", Text: "the date header is too old", Source: harakaSource + "-plugin-headers/index.js: invalid_date"},
	{ID: "haraka-date-future", Condition: "header-invalid", Text: "the date header is too far in the future", Source: harakaSource + "-plugin-headers/index.js: invalid_date"},
	{ID: "haraka-date", Condition: "header-invalid", Text: "the date header could not be parsed", Source: harakaSource + "-plugin-headers/index.js: invalid_date"},
	{ID: "haraka-delivered-to", Condition: "header-invalid", Text: "invalid delivered-to header content", Source: harakaSource + "-plugin-headers/index.js: delivered_to"},
	{ID: "haraka-phish", Condition: "phishing", Text: "phishing message appears to impersonate", Source: harakaSource + "-plugin-headers/index.js: from_phish"},
	{ID: "haraka-helo-fqdn", Condition: "bad-helo", Text: "helo host must be a fqdn", Source: harakaSource + "-plugin-helo.checks/index.js: valid_hostname"},
	{ID: "haraka-helo-not-allowed", Condition: "bad-helo", Text: "that helo not allowed here", Source: harakaSource + "-plugin-helo.checks/index.js: match_re"},
	{ID: "haraka-helo-dynamic", Condition: "bad-helo", Text: "helo is dynamic", Source: harakaSource + "-plugin-helo.checks/index.js: dynamic"},
	{ID: "haraka-helo-company", Condition: "bad-helo", Text: "big company w/o rdns", Source: harakaSource + "-plugin-helo.checks/index.js: big_company"},
	{ID: "haraka-helo-forward", Condition: "bad-helo", Text: "helo host has no forward dns match", Source: harakaSource + "-plugin-helo.checks/index.js: forward_dns"},
	{ID: "haraka-helo-timeout", Condition: "bad-helo", Text: "dns timeout resolving your helo hostname", Source: harakaSource + "-plugin-helo.checks/index.js: forward_dns"},
	{ID: "haraka-null-mx", Condition: "sender-address-rejected", Text: "does not send mail", Source: harakaSource + "-plugin-mail_from.is_resolvable/index.js"},
	{ID: "haraka-no-mx", Condition: "sender-address-rejected", Text: "no mx for your from address", Source: harakaSource + "-plugin-mail_from.is_resolvable/index.js"},
	{ID: "haraka-resolver", Condition: "sender-address-rejected", Text: "temp. resolver error", Source: harakaSource + "-plugin-mail_from.is_resolvable/index.js"},
	{ID: "haraka-spamd", Condition: "service-unavailable", Text: "spamd scan error", Source: harakaSource + "-plugin-spamassassin/index.js"},
	{ID: "haraka-spamd-connect", Condition: "service-unavailable", Text: "spamd connect timeout", Source: harakaSource + "-plugin-spamassassin/index.js"},
	{ID: "haraka-concurrent", Condition: "too-many-connections", Text: "too many concurrent connections", Source: harakaSource + "-plugin-limit/index.js: check_concurrency"},
	{ID: "haraka-connection-rate", Condition: "too-many-connections", Text: "connection rate limit exceeded", Source: harakaSource + "-plugin-limit/index.js: rate_conn_enforce"},
	{ID: "haraka-recipient-attempts", Condition: "namespace-mining", Text: "too many recipient attempts", Source: harakaSource + "-plugin-limit/index.js: max_recipients"},

	{ID: "hmailserver-not-allowed", Condition: "relay-denied", Text: "delivery is not allowed to this address", Source: hMailServerSource + "/SMTPConnection.cpp, _ProtocolRCPT: 550"},
	{ID: "hmailserver-inactive", Condition: "mailbox-disabled", Text: "account is not active", Source: hMailServerSource + "/RecipientParser.cpp, CheckDeliveryPossibility: 550"},
	{ID: "hmailserver-domain", Condition: "domain-not-accepted", Text: "domain has been disabled", Source: hMailServerSource + "/RecipientParser.cpp, CheckDeliveryPossibility: 550"},
	{ID: "hmailserver-owner", Condition: "group-restricted", Text: "not authorized owner", Source: hMailServerSource + "/RecipientParser.cpp, UserCanSendToList_: 550"},
	{ID: "hmailserver-alias", Condition: "mailbox-disabled", Text: "alias is not active", Source: hMailServerSource + "/RecipientParser.cpp, CheckDeliveryPossibility: 550"},
	{ID: "hmailserver-list", Condition: "mailbox-disabled", Text: "distribution list is not active", Source: hMailServerSource + "/RecipientParser.cpp, CheckDeliveryPossibility: 550"},
	{ID: "hmailserver-route", Condition: "recipient-not-found", Text: "recipient not in route list", Source: hMailServerSource + "/RecipientParser.cpp, CheckDeliveryPossibility: 550"},
	{ID: "hmailserver-list-sender", Condition: "group-restricted", Text: "not authorized sender", Source: hMailServerSource + "/RecipientParser.cpp, UserCanSendToList_: 550"},
	{ID: "hmailserver-forwards", Condition: "mail-loop", Text: "configuration error. too many recursive forwards", Source: hMailServerSource + "/RecipientParser.cpp, CheckDeliveryPossibility: 550"},
	{ID: "hmailserver-null-sender", Condition: "bounce-refused", Text: "sender address must be specified", Source: hMailServerSource + "/SMTPConnection.cpp, CheckIfValidSenderAddress: 550"},
	{ID: "hmailserver-recipient", Condition: "recipient-address-invalid", Text: "a valid address is required", Source: hMailServerSource + "/SMTPConnection.cpp, _ProtocolRCPT: 550"},
	{ID: "hmailserver-login", Condition: "login-failed", Text: "login credentials no longer valid", Source: hMailServerSource + "/SMTPConnection.cpp, ReAuthenticateUser: 550"},
	{ID: "hmailserver-save", Condition: "mailbox-store-fault", Text: "received but it could not be saved", Source: hMailServerSource + "/SMTPConnection.cpp, _HandleSMTPFinalizationTaskCompleted: 554"},
	{ID: "hmailserver-mail-syntax", Condition: "protocol-error", Text: "syntax should be mail from:", Source: hMailServerSource + "/SMTPConnection.cpp, _ProtocolMAIL: 550"},
	{ID: "hmailserver-rcpt-syntax", Condition: "protocol-error", Text: "syntax should be rcpt to:", Source: hMailServerSource + "/SMTPConnection.cpp, _ProtocolRCPT: 550"},

	{ID: "exim-pipe-missing", Condition: "system-misconfigured", Text: "could mean unable to exec or command does not exist", Source: eximSource + "/src/src/transports/pipe.c"},
	{ID: "sendmail-smrsh", Condition: "system-misconfigured", Text: "not available for sendmail programs", Source: sendmailSource + ": smrsh/smrsh.c"},
	{ID: "plesk-no-address", Condition: "recipient-not-found", Text: "this address no longer accepts mail", Source: "hosting.mixcat.com/plesk/SettingSite-widePreferences.php: the notice for mail to nonexistent users"},
	{ID: "hmailserver-dns", Condition: "dns-failed", Text: "unable to find the recipient's email server", Source: hMailServerSource + "/ExternalDelivery.cpp"},
	{ID: "hmailserver-no-mx", Condition: "recipient-domain-not-found", Text: "no mail servers appear to exists", Source: hMailServerSource + "/ExternalDelivery.cpp"},

	{ID: "courier-over-quota", Condition: "mailbox-full", Text: "maildir over quota", Source: "Courier 1.0.16: courierdeliver; public report gist nisanthchunduru/90e5460a"},
	{ID: "courier-sender-domain", Condition: "sender-address-rejected", Code: 517, Text: "domain does not exist", Source: courierSource + ": courier/submit"},
	{ID: "courier-sender-cname", Condition: "sender-address-rejected", Text: "rfc 1035 violation: recursive cname", Source: courierSource + ": courier/submit, 517"},
	{ID: "courier-sender-lookup", Condition: "sender-address-rejected", Code: 417, Text: "dns lookup failure", Source: courierSource + ": courier/submit"},
	{ID: "courier-sender-mx", Condition: "sender-address-rejected", Code: 517, Text: "mail server at", Source: courierSource + ": courier/submit"},
	{ID: "courier-mime", Condition: "content-invalid", Text: "mime complexity exceeds the policy maximum", Source: courierSource + ": courier/submit, 550"},
	{ID: "courier-header", Condition: "header-limits", Text: "message header size exceeds policy limit", Source: courierSource + ": courier/submit, 534"},
	{ID: "courier-unavailable", Condition: "mailbox-unavailable", Code: 556, Text: "address unavailable", Source: courierSource + ": courier/submit"},
	{ID: "courier-spf", Condition: "spf-fail", Text: "rejected by the sender policy framework", Source: courierSource + ": courier/submit, 517"},
	{ID: "courier-rate", Condition: "ip-throttled", Text: "number of messages exceeded administrative limit", Source: courierSource + ": filters/ratefilter, 500"},
	{ID: "courier-duplicate", Condition: "policy-refusal", Text: "duplicate message rejected", Source: courierSource + ": filters/dupfilter, 500"},
	{ID: "courier-unicode", Condition: "smtputf8-unsupported", Text: "unicode e-mail to a non-unicode mail server", Source: courierSource + ": modules/esmtp/courieresmtp, 553"},
	{ID: "courier-helo", Condition: "protocol-error", Text: "polite people say helo first", Source: courierSource + ": modules/esmtp/courieresmtpd, 502"},
	{ID: "courier-rfc821", Condition: "protocol-error", Text: "your mail software violates rfc 821", Source: courierSource + ": modules/esmtp/courieresmtpd, 554"},
	{ID: "courier-security", Condition: "starttls-missing", Text: "/security set, but tls is not available", Source: courierSource + ": modules/esmtp/courieresmtp"},

	{ID: "zimbra-moved", Condition: "system-misconfigured", Text: "mailbox is not on this server", Source: zimbraSource},
	{ID: "zimbra-tls", Condition: "tls-required", Text: "accepts messages only on tls connection", Source: zimbraSource},
	{ID: "zimbra-temporary", Condition: "mailbox-store-fault", Text: "temporary message delivery failure", Source: zimbraSource},
	{ID: "zimbra-line", Condition: "line-too-long", Text: "maximum line length exceeded", Source: zimbraSource},

	{ID: "domino-directory", Condition: "recipient-not-found", Text: "not listed in domino directory", Source: germanTypical},
	{ID: "domino-relay", Condition: "relay-denied", Text: "relay rejected for policy reasons", Source: dominoControls},
	{ID: "domino-sender", Condition: "sender-blocked-by-recipient", Text: "mail from * rejected for policy reasons", Source: dominoSenders},

	// Others.
	{ID: "chkuser-recipient-syntax", Condition: "recipient-address-invalid", From: Status{5, 1, 3}, Text: "mailbox syntax not allowed", Source: chkuserSource},
	{ID: "chkuser-sender-syntax", Condition: "sender-address-rejected", From: Status{5, 1, 7}, Text: "mailbox syntax not allowed", Source: chkuserSource},
	{ID: "qpsmtpd-badhelo", Condition: "bad-helo", Text: "i do not believe you are", Source: qpsmtpdHELO},
	{ID: "qpsmtpd-localhost", Condition: "bad-helo", Text: "you are not localhost", Source: qpsmtpdHELO},
	{ID: "qpsmtpd-literal", Condition: "bad-helo", Text: "rfc 2821 allows an address literal", Source: qpsmtpdHELO},
	{ID: "qpsmtpd-forged", Condition: "bad-helo", Text: "forged ips not accepted", Source: qpsmtpdHELO},
	{ID: "qmail-tls-gateway", Condition: "relay-denied", Text: "no valid cert for gatewaying", Source: "inoa.net/qmail-tls: the TLS patch of qmail"},
	{ID: "apache-domain", Condition: "sender-domain-blocked", Text: "domain blocked - spam", Source: "github.com/apache/infrastructure-website: content/pages/mail-rejection.md"},
	{ID: "aliyun-behaviour", Condition: "ip-throttled", Text: "antispam_bat", Token: true, Source: "www.qcnsw.com/jcxq1944_142.html"},
	{ID: "ehlo-first", Condition: "protocol-error", Text: "ehlo first", Bare: true, Source: hMailServerSource + "/SMTPConnection.cpp"},
	{ID: "helo-first", Condition: "protocol-error", Text: "helo first", Bare: true, Source: courierSource + ": modules/esmtp"},
	{ID: "ehlo-before-mail", Condition: "protocol-error", Text: "ehlo before mail", Bare: true, Source: "RFC 5321 section 4.1.4"},
	{ID: "helo-before-mail", Condition: "protocol-error", Text: "helo before mail", Bare: true, Source: "RFC 5321 section 4.1.4"},
	{ID: "spamdyke-timeout", Condition: "connection-dropped", Text: "talk faster", Source: spamdykeSource},
	{ID: "sendmail-output", Condition: "mailbox-store-fault", Text: "can't create output", Source: sendmailSource + ": sendmail/deliver.c"},
	{ID: "qmail-controls", Condition: "system-misconfigured", Text: "unable to read controls", Source: indimailSource},
	{ID: "hmailserver-data", Condition: "protocol-error", Text: "excessive amounts of data", Source: "nitindupare.blogspot.com/2012/09/smtp-error-messages.html"},
	{ID: "message-is-too-long", Condition: "message-too-large", Text: "message is too long", Bare: true, Source: "docs.icewarp.com: Interpretation of 5xx Errors in Icewarp SMTP"},
	{ID: "mail-is-too-long", Condition: "message-too-large", Text: "mail is too long", Bare: true, Source: "docs.icewarp.com: Interpretation of 5xx Errors in Icewarp SMTP"},
	{ID: "postfix-tempfail", Condition: "deferred", Text: "temporary failure", Vague: true, Source: postfixSource + "/postfix/src/global/sys_exits.c, what a delivery agent's exit 75 is called"},
	{ID: "permission-denied", Condition: "policy-refusal", Text: "permission denied", Vague: true, Source: "docs.icewarp.com: Interpretation of 5xx Errors in Icewarp SMTP"},
}

const qpsmtpdHELO = "github.com/smtpd/qpsmtpd: plugins/helo"
