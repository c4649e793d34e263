package dnscheck

// mxRules is the table of findings about where a domain takes mail.
var mxRules = rules{
	"mx-bad-domain":  {Error, OwnerUnknown, "RFC 5321 section 4.1.2", "%q is no domain name, and nothing was asked: %s", "name the domain alone, as in example.org"},
	"mx-no-domain":   {Error, OwnerDomain, "RFC 5321 section 5.1", "the domain does not exist: nobody can write to it, and receivers refuse mail from it", "see whether the registration has run out; otherwise publish the zone"},
	"mx-none":        {Error, OwnerDomain, "RFC 5321 section 5.1", "there is neither an MX record nor an address: mail to the domain cannot be delivered, and many receivers refuse mail from it", "publish an MX record, or a null MX if the domain takes no mail"},
	"mx-implicit":    {Info, OwnerDomain, "RFC 5321 section 5.1", "there is no MX record: mail goes to the addresses of the domain itself", "publish an MX record, or a null MX if that host takes no mail"},
	"mx-null":        {Info, OwnerDomain, "RFC 7505 section 3", "null MX: the domain declares that it takes no mail", ""},
	"mx-null-beside": {Error, OwnerDomain, "RFC 7505 section 3", "a null MX stands beside other MX records: it has to be the only one", "remove the null MX or the others"},
	"mx-null-number": {Info, OwnerDomain, "RFC 7505 section 3", "the null MX has preference %d; it should be 0", "write 0 ."},
	"mx-null-sends":  {Warning, OwnerDomain, "RFC 7505 section 4.2", "the domain takes no mail, yet its SPF record lets hosts send for it: receivers may refuse such mail, as nobody can answer it", "publish v=spf1 -all, or take mail"},
	"mx-dns-failed":  {Error, OwnerResolver, "RFC 5321 section 5.1", "DNS gave no answer for the MX records of %s: mail waits in the queues of the senders", "make the name servers of the zone answer"},
	"mx-alias":       {Error, OwnerDomain, "RFC 5321 section 5.1, RFC 2181 section 10.3", "the mail exchanger %s is an alias of %s, which some senders refuse", "name the host itself in the MX record"},
	"mx-address":     {Error, OwnerDomain, "RFC 1035 section 3.3.9", "the mail exchanger %s is an address: an MX record names a host", "give the address a name and put that into the MX record"},
	"mx-bad-host":    {Error, OwnerDomain, "RFC 5321 section 2.3.5", "the mail exchanger %q cannot be a host name", "name a host of letters, digits and hyphens"},
	"mx-unresolved":  {Error, OwnerDomain, "RFC 5321 section 5.1", "the mail exchanger %s has no address (%s)", "publish its address, or remove the MX record"},
	"mx-host-failed": {Warning, OwnerResolver, "RFC 5321 section 5.1", "DNS gave no answer for the addresses of the mail exchanger %s", "make the name servers of its zone answer"},
	"mx-not-public":  {Error, OwnerDomain, "RFC 6890 section 2.2", "the mail exchanger %s has the address %s (%s), which nobody outside reaches", "publish public addresses only"},
	"mx-repeated":    {Info, OwnerDomain, "RFC 5321 section 5.1", "the mail exchanger %s stands in several MX records", "leave one"},
	"mx-many":        {Info, OwnerDomain, "RFC 7208 section 4.6.4", "there are %d MX records; only the first %d hosts were looked at, and SPF terms with more than ten are errors", "leave ten at most"},
	"mx-ipv6-only":   {Warning, OwnerDomain, "", "no mail exchanger has an IPv4 address: senders without IPv6 cannot deliver", "give one an IPv4 address"},
}
