package dnscheck

// ipRules is the table of findings about a sending address and the name it
// announces.
var ipRules = rules{
	"ip-not-public":     {Error, OwnerDomain, "RFC 6890 section 2.2", "%s is not an address of the public Internet (%s): no receiver saw it", "look for the address that the receiver names"},
	"ip-no-ptr":         {Error, OwnerNetwork, "RFC 1912 section 2.1", "%s has no reverse name: large receivers refuse its mail", "ask whoever assigned the address to enter the host's name"},
	"ip-dns-failed":     {Warning, OwnerResolver, "RFC 1912 section 2.1", "DNS gave no answer for %s: receivers cannot tell the name of the host", "make the name servers of the reverse zone answer"},
	"ip-unconfirmed":    {Error, OwnerDomain, "RFC 8601 section 3", "the reverse name %s does not resolve back to %s: the name counts for nothing", "give the name that address, or have another name entered in the reverse zone"},
	"ip-forward-failed": {Warning, OwnerResolver, "RFC 8601 section 3", "DNS gave no answer for the reverse name %s, so that it is not confirmed", "make the name servers of its zone answer"},
	"ip-generic":        {Warning, OwnerNetwork, "", "the reverse name %s looks made from the address, as access networks do: many receivers refuse mail from such hosts", "have the name of the mail host entered in the reverse zone"},
	"ip-several-ptr":    {Info, OwnerNetwork, "RFC 1912 section 2.1", "the address has %d reverse names; receivers take any of them", "leave one"},
	"ip-many-ptr":       {Warning, OwnerNetwork, "RFC 7208 section 4.6.4", "the address has %d reverse names; SPF looks at the first %d only", "leave one"},

	"helo-address":     {Warning, OwnerDomain, "RFC 5321 section 4.1.1.1", "the host announces an address, not a name: many receivers refuse that", "announce the name that the reverse zone gives"},
	"helo-invalid":     {Error, OwnerDomain, "RFC 5321 section 2.3.5", "the host announces %q, which is no full domain name", "announce the name that the reverse zone gives"},
	"helo-unresolved":  {Warning, OwnerDomain, "RFC 5321 section 4.1.4", "the announced name %s has no such address (%s)", "give the name the address of the host, or announce another"},
	"helo-dns-failed":  {Warning, OwnerResolver, "RFC 5321 section 4.1.4", "DNS gave no answer for the announced name %s", "make the name servers of its zone answer"},
	"helo-other-host":  {Warning, OwnerDomain, "RFC 5321 section 4.1.4", "the announced name %s does not resolve to %s", "give the name that address, or announce another"},
	"helo-not-reverse": {Info, OwnerDomain, "RFC 5321 section 4.1.4", "the announced name %s is the host's, but not the reverse name (%s)", "announce the reverse name"},
}
