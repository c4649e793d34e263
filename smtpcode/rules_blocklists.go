package smtpcode

// blocklistRules name the block lists that replies cite. The rule that decides
// stands in the evidence, so the list is known; where to ask for removal is in
// the reply itself.
var blocklistRules = []Rule{
	{ID: "spamhaus-blocked-using-spamhaus", Condition: "ip-blocked", Text: "blocked using spamhaus", Source: "https://simplefastwebsites.com/errors/security/spamhaus-sbl-ip-blocklisted/"},
	{ID: "spamhaus-spamhaus-org-sbl-query", Condition: "ip-blocked", Text: "spamhaus.org/sbl/query", Source: "https://pastebin.com/u5F33F2Q"},
	{ID: "list-spamhaus-dbl", Condition: "sender-domain-blocked", Text: "dbl.spamhaus.org", Token: true, Source: "postfix.org/SMTPD_ACCESS_README; spamhaus.org/dbl"},
	{ID: "list-spamhaus-zen", Condition: "ip-blocked", Text: "zen.spamhaus.org", Token: true, Source: "postfix.org/STRESS_README; raw.githubusercontent.com/jawsome/node-dnsbl/master/list.json"},
	{ID: "list-spamhaus-sbl", Condition: "ip-blocked", Text: "sbl.spamhaus.org", Token: true, Source: "Exim 4.96: doc/spec.txt; spamassassin.apache.org: Mail_SpamAssassin_Plugin_URIDNSBL"},
	{ID: "list-spamhaus-xbl", Condition: "ip-blocked", Text: "xbl.spamhaus.org", Token: true, Source: "policyd-weight 0.1.15: README.Debian"},
	{ID: "list-spamhaus-pbl", Condition: "dynamic-ip", Text: "pbl.spamhaus.org", Token: true, Source: "policyd-weight 0.1.15: README.Debian; spamhaus.org/pbl"},
	{ID: "list-spamhaus-pbl-page", Condition: "dynamic-ip", Text: "spamhaus.org/pbl", Token: true, Source: "spamhaus.org/pbl"},
	{ID: "list-abuseat", Condition: "ip-blocked", Text: "cbl.abuseat.org", Token: true, Source: "raw.githubusercontent.com/jawsome/node-dnsbl/master/list.json"},
	{ID: "list-spamcop", Condition: "ip-blocked", Text: "bl.spamcop.net", Token: true, Source: "raw.githubusercontent.com/jawsome/node-dnsbl/master/list.json; spamcop.net/bl.shtml"},
	{ID: "list-sorbs", Condition: "ip-blocked", Text: "dnsbl.sorbs.net", Token: true, Source: "Exim 4.96: doc/spec.txt"},
	{ID: "list-sorbs-dul", Condition: "dynamic-ip", Text: "dul.dnsbl.sorbs.net", Token: true, Source: "Exim 4.96: doc/spec.txt"},
	{ID: "list-uceprotect-1", Condition: "ip-blocked", Text: "dnsbl-1.uceprotect.net", Token: true, Source: "postfwd 1.35: tools/rblcheck.pl"},
	{ID: "list-uceprotect-2", Condition: "ip-blocked", Text: "dnsbl-2.uceprotect.net", Token: true, Source: "postfwd 1.35: tools/rblcheck.pl"},
	{ID: "list-uceprotect-3", Condition: "ip-blocked", Text: "dnsbl-3.uceprotect.net", Token: true, Source: "postfwd 1.35: tools/rblcheck.pl"},
	{ID: "list-uceprotect-level", Condition: "ip-blocked", Text: "uceprotect-level", Token: true, Source: "uceprotect.net/rblcheck.php: the text records of its lists"},
	{ID: "list-spamcop-page", Condition: "ip-blocked", Text: "spamcop.net/bl.shtml", Token: true, Source: "spamcop.net/fom-serve/cache/291.html"},
	{ID: "list-sorbs-page", Condition: "ip-blocked", Text: "sorbs.net/lookup", Token: true, Source: "sorbs.net/general/using.shtml: the text records of its lists"},
	{ID: "list-sorbs-names", Condition: "sender-domain-blocked", Text: "rhsbl.sorbs.net", Token: true, Source: "sorbs.net/general/using.shtml"},
	{ID: "list-barracuda", Condition: "ip-blocked", Text: "b.barracudacentral.org", Token: true, Source: "postfix.org/POSTSCREEN_README; barracudacentral.org/rbl"},
	{ID: "list-psbl", Condition: "ip-blocked", Text: "psbl.surriel.com", Token: true, Source: "SpamAssassin 4.0.1: 72_active.cf"},
	{ID: "list-manitu", Condition: "ip-blocked", Text: "ix.dnsbl.manitu.net", Token: true, Source: "policyd-weight 0.1.15: README.Debian"},
	{ID: "list-surbl", Condition: "url-blocked", Text: "multi.surbl.org", Token: true, Source: "raw.githubusercontent.com/jawsome/node-dnsbl/master/list.json"},
	{ID: "list-uribl", Condition: "url-blocked", Text: "multi.uribl.com", Token: true, Source: "SpamAssassin 4.0.1: 25_uribl.cf"},
	{ID: "list-cloudmark", Condition: "ip-blocked", Text: "csi.cloudmark.com", Token: true, Source: "zone-mta 3.10.3: config/bounces.txt, the replies it quotes"},
	{ID: "list-abusix", Condition: "ip-blocked", Text: "combined.mail.abusix.zone", Token: true, Source: "abusix.com/mail-intelligence"},
	{ID: "list-helo-spamhaus", Condition: "sender-domain-blocked", Text: "helo domain is listed in spamhaus", Source: fieldManual + "/spamfilter/exchangeonline"},
}
