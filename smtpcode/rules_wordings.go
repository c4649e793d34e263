package smtpcode

const (
	zoneMTA    = "zone-mta 3.10.3: config/bounces.txt, the replies it quotes"
	amavis     = "amavisd-new 2.13.0: Amavis.pm"
	glibc      = "glibc: the text of the resolver's or the system's error, as mail programs quote it"
	openSSL    = "OpenSSL: the text of the certificate check's error, as mail programs quote it"
	goErrors   = "Go: the text of the net package's error, as mail programs quote it"
	nodeErrors = "nodejs.org/api/errors: common system errors, as mail programs quote them"
	eximSpec   = "Exim 4.96: doc/spec.txt"
	rfc3463In2 = "RFC 3463 section 3.2, the name of "
	rfc3463In3 = "RFC 3463 section 3.3, the name of "
	rfc3463In4 = "RFC 3463 section 3.4, the name of "
	rfc3463In5 = "RFC 3463 section 3.5, the name of "
)

// wordingRules are short wordings that replies share whoever wrote them: names of statuses, errors of a system's libraries and the words
// that server programs build their replies from. Longer wordings of an operator
// or a program stand above them.
var wordingRules = []Rule{
	// The recipient.
	{ID: "bad-destination-mailbox", Condition: "recipient-not-found", Text: "bad destination mailbox address", Source: rfc3463In2 + "X.1.1"},
	{ID: "bad-destination-syntax", Condition: "recipient-address-invalid", Text: "bad destination mailbox address syntax", Source: rfc3463In2 + "X.1.3"},
	{ID: "destination-ambiguous", Condition: "recipient-ambiguous", Text: "destination mailbox address ambiguous", Source: rfc3463In2 + "X.1.4"},
	{ID: "bad-destination-system", Condition: "recipient-domain-not-found", Text: "bad destination system address", Source: rfc3463In2 + "X.1.2"},
	{ID: "mailbox-has-moved", Condition: "recipient-moved", Text: "mailbox has moved", Source: rfc3463In2 + "X.1.6"},
	{ID: "user-not-local", Condition: "recipient-moved", Text: "user not local; please try", Source: "RFC 5321 section 4.2.3, reply 551"},
	{ID: "no-longer-on-server", Condition: "recipient-moved", Text: "no longer on server", Source: seen},
	{ID: "unknown-or-illegal", Condition: "recipient-not-found", Text: "unknown or illegal", Source: seen + ", Sun and Oracle Messaging Server"},
	{ID: "invalid-mailbox", Condition: "recipient-not-found", Text: "invalid mailbox", Source: zoneMTA},
	{ID: "user-doesnt-exist", Condition: "recipient-not-found", Text: "user doesn't exist", Source: "Dovecot 2.3.19: usr/lib/dovecot/lmtp"},
	{ID: "user-not-known", Condition: "recipient-not-found", Text: "user not known", Source: "sympa 6.2.70: Sympa/Spindle/ProcessBounce.pm, the wordings it knows"},
	{ID: "address-unknown", Condition: "recipient-not-found", Text: "address unknown", Source: amavis},
	{ID: "mailbox-unknown", Condition: "recipient-not-found", Text: "mailbox unknown", Source: "Cyrus IMAP 3.6: usr/lib/cyrus/bin/lmtpd"},
	{ID: "no-mailbox-by-that-name", Condition: "recipient-not-found", Text: "no mailbox by that name", Source: "qpsmtpd 0.94: plugins/qmail_deliverable"},
	{ID: "unknown-local-user", Condition: "recipient-not-found", Text: "unknown local user", Source: eximSpec + ", generic options for routers"},
	{ID: "too-many-invalid-recipients", Condition: "namespace-mining", Text: "too many invalid recipients", Source: zoneMTA},
	{ID: "too-many-unknown-users", Condition: "namespace-mining", Text: "too many unknown users", Source: sendmailSource + ": sendmail/srvrsmtp.c, BadRcptShutdown"},
	{ID: "invalid-user", Condition: "recipient-not-found", Text: "invalid user", Bare: true, Source: seen},
	{ID: "user-is-invalid", Condition: "recipient-not-found", Text: "user is invalid", Source: seen},
	{ID: "recipient-rejected", Condition: "recipient-refused", Text: "recipient rejected", Vague: true, Source: zoneMTA},
	{ID: "recipient-address-rejected", Condition: "recipient-refused", Text: "recipient address rejected", Vague: true, Source: postfixSource + "/postfix/src/smtpd/smtpd_check.c"},
	{ID: "no-valid-recipients", Condition: "recipient-refused", Text: "no valid recipients", Source: postfixSource + "/postfix/src/smtpd/smtpd.c"},
	{ID: "illegal-address-syntax", Condition: "recipient-address-invalid", Text: "illegal address syntax", Source: postfixSource + "/postfix/src/smtpd/smtpd.c"},
	{ID: "malformed-address", Condition: "recipient-address-invalid", Text: "malformed address", Source: eximSpec},

	// The mailbox.
	{ID: "inactive-user", Condition: "mailbox-inactive", Text: "inactive user", Source: zoneMTA},
	{ID: "expired-account", Condition: "mailbox-disabled", Text: "is expired account", Source: zoneMTA},
	{ID: "tried-to-reach-is-disabled", Condition: "mailbox-disabled", Text: "account that you tried to reach is disabled", Source: googleCodes},
	{ID: "recipient-overquota", Condition: "mailbox-full", Text: "overquota", Bare: true, Source: zoneMTA},
	{ID: "over-disk-quota", Condition: "mailbox-full", Text: "over disk quota", Source: "virtual(8) of Postfix 3.7"},
	{ID: "exceeds-administrative-limit", Condition: "message-too-large", Text: "exceeds administrative limit", Source: rfc3463In3 + "X.2.3"},
	{ID: "maximum-message-size", Condition: "message-too-large", Text: "maximum message size", Source: sendmailSource + ": sendmail/srvrsmtp.c"},

	// The sender.
	{ID: "bad-senders-mailbox", Condition: "sender-address-rejected", Text: "bad sender's mailbox address syntax", Source: rfc3463In2 + "X.1.7"},
	{ID: "bad-senders-system", Condition: "sender-address-rejected", Text: "bad sender's system address", Source: rfc3463In2 + "X.1.8"},
	{ID: "sender-unlisted-virtual-mailbox", Condition: "sender-address-rejected", Text: "sender address rejected: user unknown in virtual mailbox table", Source: postfixSource + "/postfix/src/smtpd/smtpd_check.c, check_sender_rcpt_maps: 550 5.1.0"},
	{ID: "sender-unlisted-virtual-alias", Condition: "sender-address-rejected", Text: "sender address rejected: user unknown in virtual alias table", Source: postfixSource + "/postfix/src/smtpd/smtpd_check.c, check_sender_rcpt_maps: 550 5.1.0"},
	{ID: "sender-unlisted-local", Condition: "sender-address-rejected", Text: "sender address rejected: user unknown in local recipient table", Source: postfixSource + "/postfix/src/smtpd/smtpd_check.c, check_sender_rcpt_maps: 550 5.1.0"},
	{ID: "sender-unlisted-relay", Condition: "sender-address-rejected", Text: "sender address rejected: user unknown in relay recipient table", Source: postfixSource + "/postfix/src/smtpd/smtpd_check.c, check_sender_rcpt_maps: 550 5.1.0"},
	{ID: "envelope-sender-rejected", Condition: "sender-address-rejected", Text: "envelope sender rejected", Source: broadcomBounces},

	// Authentication.
	{ID: "spf-failed", Condition: "spf-fail", Text: "spf failed", Source: "SpamAssassin 4.0: Mail/SpamAssassin/Plugin/SPF.pm"},
	{ID: "permitted-sender", Condition: "spf-fail", Text: "as permitted sender", Source: "RFC 7208 section 9.1, the comment of Received-SPF"},
	{ID: "openspf-net-why", Condition: "spf-fail", Text: "openspf.net/why", Token: true, Source: "Mail::SPF 2.9.0: Mail/SPF/Server.pm"},
	{ID: "openspf-org-why", Condition: "spf-fail", Text: "openspf.org/why", Token: true, Source: "Mail::SPF 2.9.0: Mail/SPF/Server.pm, its former address"},
	{ID: "rejected-by-dmarc", Condition: "dmarc-reject", Text: "rejected by dmarc", Source: "OpenDMARC 1.4.2: opendmarc.conf(5), RejectString"},
	{ID: "multiple-checks-failed", Condition: "authentication-required", Text: "multiple authentication checks failed", Source: "RFC 7372 section 3.4, the name of X.7.26"},
	{ID: "encryption-is-required", Condition: "tls-required", Text: "encryption is required", Source: postfixSource + "/postfix/src/smtpd/smtpd_check.c"},
	{ID: "encryption-required", Condition: "tls-required", Text: "encryption required", Source: postfixSource + "/postfix/src/smtpd/smtpd_check.c"},
	{ID: "encryption-needed", Condition: "tls-required", Text: "encryption needed", Source: "RFC 5248 section 2.4, the name of X.7.10"},

	// What the sender is known for, and what the message holds.
	{ID: "not-a-group-member", Condition: "group-restricted", Text: "not a group member", Source: msMain},
	{ID: "not-a-list-member", Condition: "group-restricted", Text: "not a list member", Source: seen},
	{ID: "not-allowed-to-send-to-list", Condition: "group-restricted", Text: "not allowed to send to this mailing list", Source: seen},
	{ID: "not-allowed-to-send-to-the-list", Condition: "group-restricted", Text: "not allowed to send to this list", Source: seen},
	{ID: "exim-verification-failed-for", Condition: "sender-address-rejected", Text: "verification failed for", Bare: true, Source: eximSource + "/src/src/acl.c, sender verify"},
	{ID: "sendmail-relay-authentication", Condition: "relay-denied", Text: "relaying denied. proper authentication required", Source: sendmailSource + ": cf/m4/proto.m4, check_rcpt: 550 5.7.1"},
	{ID: "listed-at", Condition: "ip-blocked", Text: "listed at", Bare: true, Source: zoneMTA},
	{ID: "block-list", Condition: "ip-blocked", Text: "block list", Bare: true, Source: zoneMTA},
	{ID: "black-list", Condition: "ip-blocked", Text: "black list", Bare: true, Source: zoneMTA},
	{ID: "dns-blacklist", Condition: "ip-blocked", Text: "found in dns blacklist", Source: zoneMTA},
	{ID: "bad-reputation", Condition: "ip-blocked", Text: "bad reputation", Bare: true, Source: zoneMTA},
	{ID: "smtp-server-of-your-isp", Condition: "dynamic-ip", Text: "use the smtp server of your isp", Source: seen},
	{ID: "spam-detected", Condition: "spam-content", Text: "spam detected", Source: zoneMTA},
	{ID: "contains-spam", Condition: "spam-content", Text: "message contains spam", Source: "SpamAssassin 4.0: spamassassin-run(1)"},
	{ID: "considered-spam", Condition: "spam-content", Text: "considered spam", Source: "SpamAssassin 4.0: local.cf"},
	{ID: "considered-unsolicited", Condition: "spam-content", Text: "considered unsolicited", Source: amavis},
	{ID: "spam-points", Condition: "spam-content", Text: "spam points", Source: eximSpec + ", content scanning at ACL time"},
	{ID: "spam-score", Condition: "spam-content", Text: "spam score", Source: eximSpec + ", content scanning at ACL time"},
	{ID: "contains-virus", Condition: "malware", Text: "contains virus", Source: amavis},
	{ID: "contains-malware", Condition: "malware", Text: "contains malware", Source: eximSpec + ", content scanning at ACL time"},
	{ID: "unacceptable-attachment", Condition: "attachment-refused", Text: "unacceptable attachment", Source: "haraka-plugin-attachment 1.2.1: index.js"},
	{ID: "banned-content", Condition: "attachment-refused", Text: "banned content", Source: "amavisd-new 2.13.0: etc/amavis/en_US/template-dsn.txt"},
	{ID: "banned-file", Condition: "attachment-refused", Text: "banned file", Source: "amavisd-new 2.13.0: README.lookups"},
	{ID: "greylist", Condition: "greylisted", Text: "greylist", Source: eximSpec},
	{ID: "too-much-mail", Condition: "ip-throttled", Text: "too much mail from", Source: postfixSource + "/postfix/src/smtpd/smtpd.c"},
	{ID: "rate-limit", Condition: "ip-throttled", Text: "rate limit", Bare: true, Source: eximSpec},

	// Rules of a side that do not say which.
	{ID: "administratively-prohibited", Condition: "policy-refusal", Text: "administratively prohibited", Vague: true, Source: eximSource + "/src/src/acl.c, its usual words are administrative prohibition"},
	{ID: "policy-violation", Condition: "policy-refusal", Text: "policy violation", Vague: true, Source: zoneMTA},

	// The way to the server.
	{ID: "host-takes-no-mail", Condition: "null-mx", Text: "host does not accept mail", Source: sendmailSource + ": sendmail/deliver.c, 5.1.10 of a null MX; 5.7.27 in its earlier releases"},
	{ID: "host-not-found", Condition: "recipient-domain-not-found", Text: "host not found", Bare: true, Source: postfixSource + "/postfix/src/dns/dns_lookup.c"},
	{ID: "unknown-host", Condition: "recipient-domain-not-found", Text: "unknown host", Bare: true, Source: glibc},
	{ID: "name-not-known", Condition: "recipient-domain-not-found", Text: "name or service not known", Source: glibc},
	{ID: "no-address-associated", Condition: "recipient-domain-not-found", Text: "no address associated with", Source: glibc},
	{ID: "nodename-nor-servname", Condition: "recipient-domain-not-found", Text: "nodename nor servname provided", Source: "FreeBSD: lib/libc/net/gai_strerror.c, as mail programs quote it"},
	{ID: "temporary-resolution", Condition: "dns-failed", Text: "temporary failure in name resolution", Source: glibc},
	{ID: "name-lookup-failure", Condition: "dns-failed", Text: "host name lookup failure", Source: glibc},
	{ID: "unrouteable-mail-domain", Condition: "recipient-domain-not-found", Text: "unrouteable mail domain", Bare: true, Source: eximSource + "/src/src/verify.c"},
	{ID: "go-timeout", Condition: "connection-timed-out", Text: "i/o timeout", Source: goErrors},
	{ID: "no-such-host", Condition: "recipient-domain-not-found", Text: "no such host", Source: goErrors},
	{ID: "econnrefused", Condition: "connection-refused", Text: "econnrefused", Source: nodeErrors},
	{ID: "etimedout", Condition: "connection-timed-out", Text: "etimedout", Source: nodeErrors},
	{ID: "econnreset", Condition: "connection-dropped", Text: "econnreset", Source: nodeErrors},
	{ID: "enotfound", Condition: "recipient-domain-not-found", Text: "enotfound", Source: nodeErrors},
	{ID: "servfail", Condition: "dns-failed", Text: "servfail", Token: true, Source: "RFC 2136 section 2.2, the name of RCODE 2"},
	{ID: "directory-server-failure", Condition: "dns-failed", Text: "directory server failure", Source: rfc3463In5 + "X.4.3"},
	{ID: "no-answer-from-host", Condition: "connection-timed-out", Text: "no answer from host", Source: rfc3463In5 + "X.4.1"},
	{ID: "host-is-down", Condition: "connection-timed-out", Text: "host is down", Source: glibc},
	{ID: "requests-to-connect", Condition: "connection-timed-out", Text: "did not accept our requests to connect", Source: "google: support.google.com/mail/answer/7720"},
	{ID: "closed-unexpectedly", Condition: "connection-dropped", Text: "closed unexpectedly", Source: "zone-mta 3.10.3: lib/sender.js"},
	{ID: "broken-pipe", Condition: "connection-dropped", Text: "broken pipe", Source: glibc},
	{ID: "network-unreachable", Condition: "routing-failed", Text: "network unreachable", Source: eximSource + "/src/src/ip.c"},
	{ID: "unable-to-route", Condition: "routing-failed", Text: "unable to route", Source: rfc3463In5 + "X.4.4"},
	{ID: "message-timeout", Condition: "message-expired", Text: "message timeout", Source: momentumResponses},
	{ID: "delivery-time-expired", Condition: "message-expired", Text: "delivery time expired", Source: rfc3463In5 + "X.4.7"},
	{ID: "loop-detected", Condition: "mail-loop", Text: "loop detected", Bare: true, Source: eximSource + "/src/src/smtp_in.c"},
	{ID: "mail-loop", Condition: "mail-loop", Text: "mail loop", Source: eximSpec},
	{ID: "too-many-received", Condition: "mail-loop", Text: "too many received", Source: "Haraka 3.3.4: connection.js"},
	{ID: "handshake-failed", Condition: "tls-handshake-failed", Text: "handshake failed", Source: "msmtp 1.8.23: usr/bin/msmtp"},
	{ID: "certificate-verify", Condition: "tls-untrusted", Text: "certificate verify failed", Source: openSSL},
	{ID: "certificate-expired", Condition: "tls-untrusted", Text: "certificate has expired", Source: openSSL},
	{ID: "certificate-self-signed", Condition: "tls-untrusted", Text: "self-signed certificate", Source: openSSL},
	{ID: "certificate-self-signed-old", Condition: "tls-untrusted", Text: "self signed certificate", Source: openSSL + "; its releases before 3.0"},
	{ID: "starttls-not-supported", Condition: "starttls-missing", Text: "not support starttls", Source: "DragonFly Mail Agent 0.13: usr/sbin/dma"},
	{ID: "tls-not-available", Condition: "starttls-missing", Text: "tls not available", Source: "RFC 3207 section 4, reply 454"},

	// The server and the protocol.
	{ID: "mail-system-full", Condition: "insufficient-resources", Text: "mail system full", Source: rfc3463In4 + "X.3.1"},
	{ID: "out-of-memory", Condition: "insufficient-resources", Text: "out of memory", Source: sendmailSource + ": sendmail/sendmail"},
	{ID: "system-not-accepting", Condition: "service-unavailable", Text: "system not accepting network messages", Source: rfc3463In4 + "X.3.2"},
	{ID: "internal-server-error", Condition: "service-unavailable", Text: "internal server error", Source: "Haraka 3.3.4: connection.js"},
	{ID: "shutting-down", Condition: "service-unavailable", Text: "shutting down", Source: sendmailSource + ": sendmail/srvrsmtp.c"},
	{ID: "system-incorrectly-configured", Condition: "system-misconfigured", Text: "system incorrectly configured", Source: rfc3463In4 + "X.3.5"},
	{ID: "server-configuration-problem", Condition: "system-misconfigured", Text: "server configuration problem", Source: zoneMTA},
	{ID: "server-configuration-error", Condition: "system-misconfigured", Text: "server configuration error", Source: postfixSource + "/postfix/src/smtpd/smtpd_check.c"},
	{ID: "command-unrecognized", Condition: "protocol-error", Text: "command unrecognized", Source: "RFC 5321 section 4.2.3, reply 500"},
	{ID: "too-many-errors", Condition: "protocol-error", Text: "too many errors", Source: postfixSource + "/postfix/src/smtpd/smtpd.c"},
	{ID: "smtplf", Condition: "bare-line-feeds", Text: "djb/docs/smtplf.html", Token: true, Source: "cr.yp.to/docs/smtplf.html: what qmail-smtpd answers a bare line feed"},
	{ID: "error-in-parameters", Condition: "protocol-error", Text: "syntax error in parameters", Source: "RFC 5321 section 4.2.3, reply 501"},
	{ID: "error-in-parameters-or-arguments", Condition: "protocol-error", Text: "syntax error in parameters or arguments", Source: "RFC 5321 section 4.2.3, reply 501"},
	{ID: "command-not-implemented", Condition: "protocol-error", Text: "command not implemented", Source: "RFC 5321 section 4.2.3, reply 502"},
	{ID: "bad-sequence-of-any", Condition: "protocol-error", Text: "bad sequence", Source: "RFC 5321 section 4.2.3, reply 503"},
	{ID: "bad-sequence", Condition: "protocol-error", Text: "bad sequence of commands", Source: "RFC 5321 section 4.2.3, reply 503"},
}
