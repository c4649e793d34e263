package smtpcode

// authenticationConditions are refusals over SPF, DKIM, DMARC, ARC and TLS
// beyond the plain failures: records that are missing, too wide or out of
// reach, and encryption that one side demands.
var authenticationConditions = []meaning{
	{id: "dmarc-unaligned", summary: "SPF and DKIM pass for a domain other than the one in the From address.", owners: []Party{SenderDNS, SenderAdmin}, steps: []Step{{SenderDNS, "Sign with DKIM as the domain in the From address, or let that domain's SPF cover the envelope sender."}, {SenderAdmin, "Use an envelope sender within the From domain."}}, resend: afterFix, address: Keep, checks: []CheckKind{CheckDMARC, CheckDKIM, CheckSPF}, caveat: []Caveat{fixInDNS}, source: googleCodes},
	{id: "spf-temperror", summary: "The sending domain's SPF record could not be looked up just now.", owners: []Party{SenderDNS}, steps: []Step{{SenderDNS, "Check that the domain's name servers answer for the SPF record and for every name it includes."}}, resend: later, address: Keep, checks: []CheckKind{CheckSPF}, source: "RFC 7208 section 8.6"},
	{id: "arc-fail", summary: "The message's ARC chain does not verify.", owners: []Party{SenderAdmin}, steps: []Step{{SenderAdmin, "Find the forwarder whose seal does not verify and have its sealing repaired, or send without it: a broken ARC chain is not mended further on."}}, resend: afterFix, address: Keep, source: "RFC 8617 sections 5.2.1 and 5.2.2; IANA code X.7.29"},
	{id: "tls-handshake-failed", summary: "The two servers could not agree on an encrypted connection.", owners: []Party{SenderAdmin, RecipientAdmin}, steps: []Step{{SenderAdmin, "Compare the TLS versions and ciphers of the two servers and enable one that both know."}, {RecipientAdmin, "Offer TLS 1.2 or later with a certificate that is valid for the server's name."}}, resend: afterFix, address: Keep, source: "RFC 3207 section 4.1"},
	{id: "login-failed", summary: "The server did not accept the login of the sending client.", owners: []Party{SenderAdmin, Sender}, steps: []Step{{SenderAdmin, "Correct user name, password or login method of the sending program; a service may demand an application password or OAuth."}, {Sender, "Check the password set in the mail program."}}, resend: afterFix, address: Keep, source: "RFC 4954 section 6"},
}
