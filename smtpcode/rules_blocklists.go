package smtpcode

// blocklistRules name the block lists that replies cite. The rule that decides
// stands in the evidence, so the list is known; where to ask for removal is in
// the reply itself.
var blocklistRules = []Rule{
	{ID: "spamhaus-blocked-using-zen-spamhaus-org", Condition: "ip-blocked", Text: "blocked using zen.spamhaus.org", Source: "https://www.simplefastwebsites.com/errors/email/smtp-554-5-7-1-client-host-blocked-spamhaus/"},
	{ID: "spamhaus-blocked-using-spamhaus", Condition: "ip-blocked", Text: "blocked using spamhaus", Source: "https://simplefastwebsites.com/errors/security/spamhaus-sbl-ip-blocklisted/"},
	{ID: "spamhaus-spamhaus-org-sbl-query", Condition: "ip-blocked", Text: "spamhaus.org/sbl/query", Source: "https://pastebin.com/u5F33F2Q"},
	{ID: "sorbs-blocked-using-dnsbl-sorbs-net", Condition: "ip-blocked", Text: "blocked using dnsbl.sorbs.net", Source: "https://help.kreativmedia.ch/fr/erreur-554-blocked"},
	{ID: "manitu-blocked-using-ix-dnsbl-manitu-net", Condition: "ip-blocked", Text: "blocked using ix.dnsbl.manitu.net", Source: "https://support.onesystems.ch/722126-%C3%9Cbersicht-h%C3%A4ufig-vorkommender-Fehlermeldungen"},
	{ID: "list-spamhaus-dbl", Condition: "sender-domain-blocked", Text: "dbl.spamhaus.org", Token: true, Source: "spamhaus.org/dbl"},
	{ID: "list-spamhaus-zen", Condition: "ip-blocked", Text: "zen.spamhaus.org", Token: true, Source: "spamhaus.org/zen"},
	{ID: "list-spamhaus-sbl", Condition: "ip-blocked", Text: "sbl.spamhaus.org", Token: true, Source: "spamhaus.org/sbl"},
	{ID: "list-spamhaus-xbl", Condition: "ip-blocked", Text: "xbl.spamhaus.org", Token: true, Source: "spamhaus.org/xbl"},
	{ID: "list-spamhaus-pbl", Condition: "dynamic-ip", Text: "pbl.spamhaus.org", Token: true, Source: "spamhaus.org/pbl"},
	{ID: "list-spamhaus-pbl-page", Condition: "dynamic-ip", Text: "spamhaus.org/pbl", Token: true, Source: "spamhaus.org/pbl"},
	{ID: "list-abuseat", Condition: "ip-blocked", Text: "cbl.abuseat.org", Token: true, Source: "cbl.abuseat.org"},
	{ID: "list-spamcop", Condition: "ip-blocked", Text: "bl.spamcop.net", Token: true, Source: "spamcop.net/bl.shtml"},
	{ID: "list-sorbs", Condition: "ip-blocked", Text: "dnsbl.sorbs.net", Token: true, Source: "sorbs.net"},
	{ID: "list-sorbs-dul", Condition: "dynamic-ip", Text: "dul.dnsbl.sorbs.net", Token: true, Source: "sorbs.net"},
	{ID: "list-uceprotect-1", Condition: "ip-blocked", Text: "dnsbl-1.uceprotect.net", Token: true, Source: "uceprotect.net"},
	{ID: "list-uceprotect-2", Condition: "ip-blocked", Text: "dnsbl-2.uceprotect.net", Token: true, Source: "uceprotect.net"},
	{ID: "list-uceprotect-3", Condition: "ip-blocked", Text: "dnsbl-3.uceprotect.net", Token: true, Source: "uceprotect.net"},
	{ID: "list-barracuda", Condition: "ip-blocked", Text: "b.barracudacentral.org", Token: true, Source: "barracudacentral.org/rbl"},
	{ID: "list-psbl", Condition: "ip-blocked", Text: "psbl.surriel.com", Token: true, Source: "psbl.org"},
	{ID: "list-manitu", Condition: "ip-blocked", Text: "ix.dnsbl.manitu.net", Token: true, Source: "dnsbl.manitu.net"},
	{ID: "list-surbl", Condition: "url-blocked", Text: "multi.surbl.org", Token: true, Source: "surbl.org"},
	{ID: "list-uribl", Condition: "url-blocked", Text: "multi.uribl.com", Token: true, Source: "uribl.com"},
	{ID: "list-cloudmark", Condition: "ip-blocked", Text: "csi.cloudmark.com", Token: true, Source: "csi.cloudmark.com/reset-request"},
	{ID: "list-abusix", Condition: "ip-blocked", Text: "combined.mail.abusix.zone", Token: true, Source: "abusix.com/mail-intelligence"},
	{ID: "list-helo-spamhaus", Condition: "sender-domain-blocked", Text: "helo domain is listed in spamhaus", Source: fieldManual + "/spamfilter/exchangeonline"},
}
