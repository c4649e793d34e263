package smtpcode

// observedRules are wordings that public bounces show and that no page of
// their operator explains: the words themselves say what happened.
var observedRules = []Rule{
	{ID: "seen-ironport-full", Condition: "mailbox-full", Text: "unknown address error 550-'5.2.2", Source: seen + "; RFC 3463 section 3.3"},
	{ID: "seen-temporary-locked", Condition: "mailbox-suspended", Text: "temporary locked. please try again later", Source: seen},
	{ID: "seen-disabled-recipient", Condition: "mailbox-disabled", Text: "disabled recipient address", Source: seen},
	{ID: "seen-no-pra", Condition: "from-header-invalid", Text: "purported responsible address", Source: "RFC 4407 section 2"},
	{ID: "seen-no-relaying", Condition: "relay-denied", Text: "no relaying", Source: seen},
	{ID: "seen-not-configured-to-relay", Condition: "relay-denied", Text: "not configured to relay mail", Source: seen},
	{ID: "exim-mailbox-full-retry", Condition: "mailbox-full", Text: "mailbox is full: retry timeout exceeded", Source: "exim.org/exim-html-current/doc/html/spec_html/ch-retry_configuration.html"},
	{ID: "cpanel-no-dns", Condition: "recipient-domain-not-found", Text: "the account or domain may not exist, they may be blacklisted", Source: "cPanel's Exim router fail_remote_domains"},
	{ID: "exim-sender-route", Condition: "sender-address-rejected", Text: "unroutable sender address", Source: seen},
	{ID: "seen-unverifyable-ips", Condition: "missing-reverse-dns", Text: "unverifyable sending ips", Source: seen},
	{ID: "seen-invalid-rdns", Condition: "missing-reverse-dns", Text: "invalid rdns record", Source: seen},
	{ID: "sendmail-denied-name-lookup", Condition: "missing-reverse-dns", Text: "access denied. ip name lookup failed", Source: "www.sendmail.org/~ca/email/doc8.12/cf/README"},
	{ID: "godaddy-from-domain", Condition: "sender-address-rejected", Text: "from: domain is invalid", Source: seen + ", GoDaddy IB506"},
	{ID: "godaddy-recipients-hour", Condition: "ip-throttled", Text: "has sent to too many recipients this hour", Source: seen + ", GoDaddy IB607"},
	{ID: "seen-sender-domain-unknown", Condition: "sender-address-rejected", Text: "no such domain", From: Status{5, 1, 7}, Source: "RFC 3463 section 3.2"},
	{ID: "seen-sender-missing", Condition: "sender-address-rejected", Text: "does not exist e2110", Source: seen},
	{ID: "smtp-line-too-long", Condition: "line-too-long", Text: "line too long", Source: "RFC 5321 section 4.5.3.1.9"},
	{ID: "imail-attempts", Condition: "message-expired", Text: "delivery failed 20 attempts", Source: seen + ", Ipswitch IMail Server"},
	{ID: "notes-not-listed", Condition: "recipient-not-found", Text: "not listed in public name & address book", Source: "HCL Domino message; " + seen},
	{ID: "notes-not-listed-ja", Condition: "recipient-not-found", Text: "ディレクトリのリストにありません", Source: "HCL Domino message; " + seen},
	{ID: "domino-not-found-ja", Condition: "recipient-not-found", Text: "ディレクトリには見つかりません", Source: "HCL Domino message; " + seen},
	{ID: "postfix-dns-malformed", Condition: "dns-failed", Text: "malformed or unexpected name server reply", Source: "github.com/vdukhovni/postfix, src/dns/dns_strerror.c"},
	{ID: "google-multiple-from", Condition: "from-header-invalid", Operator: Google, Text: "messages with multiple", Source: googleCodes},
	{ID: "google-dmarc-first-line", Condition: "dmarc-reject", Operator: Google, Text: "unauthenticated email from", Source: googleCodes},
	{ID: "google-no-authentication", Condition: "authentication-required", Operator: Google, Text: "does not have authentication information", Source: googleCodes},
	{ID: "google-group-spam", Condition: "spam-content", Text: "rejected due to spam classification", Source: "observed: Google Groups"},
	{ID: "google-no-answers", Condition: "routing-failed", Text: "had no relevant answers", Source: "observed: Google's report of a domain without MX and address records"},
	{ID: "google-reason-not-found", Condition: "recipient-not-found", Reason: true, Text: "because the address couldn't be found", Source: "observed: Google's report, heading Address not found"},
	{ID: "exchange-2003-reason-not-found", Condition: "recipient-not-found", Reason: true, Text: "recipient not found", Source: "observed: Internet Mail Connector"},
	{ID: "seen-scored-as-spam", Condition: "spam-content", Text: "scored as spam", Source: seen},
	{ID: "seen-virus-content", Condition: "malware", Text: "virus detected; content rejected", Source: seen},
	{ID: "postfix-recipient-rejected", Condition: "recipient-refused", Text: "recipient address rejected.", Vague: true, Source: seen},
	{ID: "procmail-write", Condition: "mailbox-store-fault", Text: "procmail: error while writing to", Source: "procmail(1), its log messages"},
	{ID: "sendmail-helo-invalid", Condition: "bad-helo", Code: 501, Text: "invalid domain name", Source: "sendmail, srvrsmtp.c: the answer to HELO"},
	{ID: "seen-no-mail-exchanger", Condition: "dynamic-ip", Text: "may not be mail exchanger", Source: seen},
	{ID: "seen-header-error", Condition: "header-invalid", Code: 554, Text: "header error", Source: seen},
	{ID: "postfix-client-rejected", Condition: "policy-refusal", Text: "client host rejected:", Vague: true, Source: "www.postfix.org/access.5.html"},
	{ID: "mimecast-network", Condition: "policy-refusal", Text: "host network not allowed", Source: "mimecast: SMTP error codes, 554 Host network not allowed"},
	{ID: "mimecast-spam-signature", Condition: "spam-content", Operator: Mimecast, Text: "email rejected due to security policies - mcspamsignature", Source: "mimecast: SMTP error codes"},
	{ID: "seen-domain-mismatch", Condition: "bad-helo", Text: "mismatches client ip", Source: seen},
	{ID: "broadcom-macros", Condition: "attachment-refused", Text: "containing vba macros", Source: broadcomBounces},
	{ID: "broadcom-sender-denied", Condition: "sender-address-rejected", Operator: Broadcom, From: Status{5, 1, 0}, Text: "sender denied", Source: broadcomBounces},
	{ID: "broadcom-spf", Condition: "spf-fail", Text: "spf unauthorized mail is prohibited", Source: broadcomBounces},
	{ID: "momentum-resources", Condition: "insufficient-resources", Text: "resource limitations, please try later", Source: momentumResponses},
	{ID: "momentum-certificate-host", Condition: "tls-untrusted", Text: "certificate subject does not match host", Source: momentumResponses},
	{ID: "momentum-certificate-ca", Condition: "tls-untrusted", Text: "certificate not signed by a valid ca", Source: momentumResponses},
	{ID: "sendgrid-from", Condition: "sender-domain-unregistered", Text: "not authorized to send from that email address", Source: sendgridErrors},
	{ID: "sendgrid-connects", Condition: "ip-throttled", Text: "too frequent connects from", Source: sendgridErrors},
	{ID: "oci-auth-failures", Condition: "login-failed", Text: "too many auth failures", Source: "docs.oracle.com/en-us/iaas/Content/Email/Concepts/troubleshooting"},
	{ID: "emailit-second", Condition: "submission-quota", Text: "messages per second limit exceeded", Source: "emailit.com/docs/smtp/troubleshooting"},
	{ID: "emailit-day", Condition: "submission-quota", Text: "daily message limit exceeded", Source: "emailit.com/docs/smtp/troubleshooting"},
	{ID: "cpanel-rbl", Condition: "ip-blocked", Text: "is in an rbl", Source: "github.com/getconversio/email-deep-validator/issues/9, cPanel"},
	{ID: "zoho-destination", Condition: "policy-refusal", Text: "mail rejected by destination domain", Source: seen + ", Zoho"},
}

// Where the wordings were seen.
const (
	seen              = "observed: public bounces"
	broadcomBounces   = "knowledge.broadcom.com/external/article/162445"
	momentumResponses = "support.sparkpost.com/momentum/4/message-responses"
	sendgridErrors    = "sendgrid.com/docs/for-developers/sending-email/smtp-errors-and-troubleshooting"
)
