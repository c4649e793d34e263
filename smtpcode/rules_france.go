package smtpcode

const (
	orangePostmaster = "postmaster.orange.fr/index.html"
	sfrSMTP          = "bentonow.com/smtp-errors/sfr; postmastery.com/all-about-isp-sfr-and-smtp-error-codes-sfr_in_xxx"
)

// frenchRules are replies of Orange, Free, SFR and La Poste. SFR's marks each
// stand for a block of two hours, Free's of a day at most.
var frenchRules = []Rule{
	{ID: "orange-104", Condition: "too-many-connections", Text: "ofr004_104", Token: true, Source: orangeSMTP},
	{ID: "orange-105", Condition: "ip-throttled", Text: "ofr004_105", Token: true, Source: orangeSMTP},
	{ID: "orange-999", Condition: "ip-throttled", Text: "ofr_999", Token: true, Source: "suped.com: what causes OFR_999 errors at orange.fr"},
	{ID: "orange-108", Condition: "ip-throttled", Text: "ofr_108", Token: true, Source: "suped.com: what to do when orange.fr has delivery issues"},
	{ID: "orange-102", Condition: "ip-blocked", Text: "ofr006_102", Token: true, Source: fieldManual + "/provider/orange"},
	{ID: "orange-416", Condition: "recipient-not-found", Text: "ofr_416", Token: true, Source: fieldManual + "/provider/orange"},
	{ID: "orange-417", Condition: "mailbox-full", Text: "ofr_417", Token: true, Source: seen + ", Orange: Recipient overquota"},
	{ID: "orange-405", Condition: "sender-address-rejected", Text: "ofr004_405", Token: true, Source: seen + ", Orange: Invalid Sender"},
	{ID: "orange-506", Condition: "spam-content", Text: "ofr_506", Token: true, Source: orangeSMTP},
	{ID: "orange-104-plain", Condition: "too-many-connections", Text: "ofr_104", Token: true, Source: orangePostmaster},
	{ID: "orange-107", Condition: "missing-reverse-dns", Text: "ofr_107", Token: true, Source: orangePostmaster},
	{ID: "orange-109", Condition: "ip-throttled", Text: "ofr_109", Token: true, Source: orangePostmaster},
	{ID: "orange-397", Condition: "spf-fail", Text: "ofr_397", Token: true, Source: orangePostmaster},
	{ID: "orange-398", Condition: "spf-fail", Text: "ofr_398", Token: true, Source: orangePostmaster},
	{ID: "orange-415", Condition: "sender-address-rejected", Text: "ofr_415", Token: true, Source: "pastebin.com/2m8NY2fW"},
	{ID: "orange-515", Condition: "dmarc-reject", Text: "ofr_515", Token: true, Source: orangePostmaster},
	{ID: "orange-535", Condition: "dkim-fail", Text: "ofr_535", Token: true, Source: orangePostmaster},
	{ID: "orange-536", Condition: "spam-content", Text: "ofr_536", Token: true, Source: orangePostmaster},
	{ID: "orange-988", Condition: "ip-throttled", Text: "ofr_988", Token: true, Source: orangePostmaster},
	{ID: "orange-989", Condition: "ip-throttled", Text: "ofr_989", Token: true, Source: orangePostmaster},
	{ID: "orange-990", Condition: "ip-throttled", Text: "ofr_990", Token: true, Source: orangePostmaster},

	{ID: "free-too-many-spams-from-your-ip", Condition: "ip-throttled", Text: "too many spams from your ip", Source: "http://postmaster.free.fr/"},
	{ID: "free-quota", Condition: "mailbox-full", Text: "user quota exceeded", Source: fieldManual + "/provider/free"},
	{ID: "free-inactive", Condition: "mailbox-inactive", Text: "blocked due to inactivity", Source: fieldManual + "/provider/free"},

	{ID: "sfr-spam", Condition: "ip-throttled", Text: "sfr_in_101", Token: true, Source: sfrSMTP},
	{ID: "sfr-virus", Condition: "ip-throttled", Text: "sfr_in_102", Token: true, Source: sfrSMTP},
	{ID: "sfr-errors", Condition: "ip-throttled", Text: "sfr_in_103", Token: true, Source: sfrSMTP},
	{ID: "sfr-unknown-users", Condition: "namespace-mining", Text: "sfr_in_104", Token: true, Source: sfrSMTP},
	{ID: "sfr-volume", Condition: "ip-throttled", Text: "sfr_in_105", Token: true, Source: sfrSMTP},
	{ID: "sfr-eib-02", Condition: "namespace-mining", Text: "gu_eib_02", Token: true, Source: "postmastery.com/sfr-deliverability-explaining-error-codes-gu_eib-and-the-ongoing-error-threshold"},
	{ID: "sfr-eib-04", Condition: "ip-blocked", Text: "gu_eib_04", Token: true, Source: "postmastery.com/sfr-deliverability-explaining-error-codes-gu_eib-and-the-ongoing-error-threshold"},
	{ID: "sfr-content", Condition: "spam-content", Operator: SFR, Text: "message content rejected", Source: "doc.gadz.org: filtrages possibles"},

	{ID: "laposte-503", Condition: "ip-throttled", Text: "lpn027_503", Token: true, Source: laposteSMTP},
	{ID: "laposte-405", Condition: "sender-address-rejected", Text: "lpn007_405", Token: true, Source: laposteSMTP},
	{ID: "laposte-416", Condition: "recipient-not-found", Text: "lpn007_416", Token: true, Source: laposteSMTP},
	{ID: "laposte-510", Condition: "policy-refusal", Text: "lpn007_510", Token: true, Source: laposteSMTP},
	{ID: "laposte-517", Condition: "dmarc-reject", Text: "lpn007_517", Token: true, Source: laposteSMTP},
}
