package dnscheck

// domainRules is the table of findings that come of several records together,
// and of the check as such.
var domainRules = rules{
	"sender-spf":        {Error, OwnerDomain, "RFC 7208 section 2.6", "SPF gives %s for %s", "add ip4:, ip6: or the include of the operator to the SPF record, or send from another host"},
	"sender-spf-weak":   {Warning, OwnerDomain, "RFC 7208 section 8.5", "SPF gives %s for %s: that is no pass, and no reason to refuse", "add ip4:, ip6: or the include of the operator to the SPF record, or send from another host"},
	"sender-spf-none":   {Warning, OwnerDomain, "RFC 7208 section 8.1", "SPF gives none for %s: no record lists it", "publish an SPF record that lists the hosts that send"},
	"sender-spf-error":  {Error, OwnerDomain, "RFC 7208 section 2.6.7", "SPF gives permerror for %s: %s", "mend the SPF record"},
	"sender-spf-failed": {Warning, OwnerResolver, "RFC 7208 section 2.6.6", "SPF gives temperror for %s", "make the name servers answer"},
	"check-ended":       {Warning, OwnerResolver, "", "the check was ended before it was done: %v", "check again, and let it run to its end"},
	"check-time":        {Warning, OwnerResolver, "", "the check's time ran out before it was done", "check again with more time"},
	"check-budget":      {Warning, OwnerResolver, "", "the check's budget was spent; questions that were not asked: %d", "check again with a larger budget"},
}

// gapRules is the table of checks that a resolver's gaps make impossible.
var gapRules = []struct {
	gap  Gaps
	rule rule
}{
	{GapExistence, rule{Info, OwnerResolver, "RFC 8020", "the resolver cannot tell a name that does not exist from one without such records: whether the domain, the target of an include or any DKIM key exists, and the DMARC policy for names that do not exist (np), was not checked", "ask a DNS server directly"}},
	{GapAliases, rule{Info, OwnerResolver, "RFC 2181 section 10.3", "the resolver does not show aliases: whether a mail exchanger is one, and who holds a record behind one, was not checked", "ask a DNS server directly"}},
	{GapTTL, rule{Info, OwnerResolver, "RFC 1035 section 3.2.1", "the resolver does not say how long answers hold", "ask a DNS server directly"}},
	{GapAuthentic, rule{Info, OwnerResolver, "RFC 4035 section 3.2.3", "the resolver does not say whether DNSSEC verified its answers", "ask a DNS server directly"}},
	{GapStrings, rule{Info, OwnerResolver, "RFC 7208 section 3.3", "the resolver joins the strings of text records: their lengths were not checked", "ask a DNS server directly"}},
}

// areas is the order of findings of one severity: what stops all mail stands
// before what stops some, and that before what only weakens it. An id begins with its area.
var areas = []string{"mx", "spf", "sender", "dkim", "dmarc", "ip", "helo", "mta-sts", "tls-rpt", "bimi", "check", "resolver"}
