package smtpcode

// topicRules are words that name what a refusal is about, wherever they stand in
// it. A server coins its sentence, but hardly one refuses for a HELO name
// without saying HELO. Words that say why stand above them, and so do codes.
var topicRules = []Rule{
	{ID: "topic-helo", Condition: "bad-helo", Text: "helo", Topic: true, Source: "RFC 5321 section 4.1.1.1, its name"},
	{ID: "topic-ehlo", Condition: "bad-helo", Text: "ehlo", Topic: true, Source: "RFC 5321 section 4.1.1.1, its name"},
	{ID: "topic-rdns", Condition: "missing-reverse-dns", Text: "rdns", Topic: true, Source: "RFC 8499 section 2, reverse DNS"},
	{ID: "topic-fcrdns", Condition: "missing-reverse-dns", Text: "fcrdns", Topic: true, Source: "RFC 8499 section 2, reverse DNS, forward-confirmed"},
	{ID: "topic-reverse-dns", Condition: "missing-reverse-dns", Text: "reverse dns", Topic: true, Source: "RFC 8499 section 2, reverse DNS"},
	{ID: "topic-ptr", Condition: "missing-reverse-dns", Text: "ptr", Topic: true, Source: "RFC 1035 section 3.3.12, its name"},
	{ID: "topic-spam", Condition: "spam-content", Text: "spam", Topic: true, Source: "RFC 2505 section 1, its name"},
	{ID: "topic-spammed", Condition: "spam-content", Text: "spamed", Topic: true, Source: "bestwisewords.com/document_detail/36612.html"},
	{ID: "topic-virus", Condition: "malware", Text: "virus", Topic: true, Source: eximSpec + ", content scanning at ACL time"},
	{ID: "topic-malware", Condition: "malware", Text: "malware", Topic: true, Source: eximSpec + ", content scanning at ACL time"},
	{ID: "topic-phishing", Condition: "phishing", Text: "phishing", Topic: true, Source: yahooSMTP},
	{ID: "topic-relaying", Condition: "relay-denied", Text: "relaying", Topic: true, Source: "RFC 5321 section 3.6.2, its name"},
	{ID: "topic-attachment", Condition: "attachment-refused", Text: "attachment", Topic: true, Source: googleCodes},
	{ID: "topic-rbl", Condition: "ip-blocked", Text: "rbl", Topic: true, Source: "RFC 5782 section 1, its former name"},
	{ID: "topic-loop", Condition: "mail-loop", Text: "loop", Topic: true, Source: "RFC 5321 section 6.3, its name"},
}
