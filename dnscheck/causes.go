package dnscheck

// cause is one line of the table of what Explain can answer.
type cause struct {
	agreement Agreement
	owner     Owner
	spec      string
	summary   string // for fmt
	change    string // for fmt with the same arguments
}

// causes is that table, by Explanation.Cause.
var causes = map[string]cause{
	"refusal-empty": {AgreementUnknown, OwnerUnknown, "", "the refusal does not name what the claim is about: a domain, an announced name or a signature", ""},

	"not-asked": {NoAnswer, OwnerUnknown, "", "DNS was not asked, or not to the end: %[1]s", ""},

	// SPF: arguments are the envelope domain and the address
	"spf-no-domain":      {AgreementUnknown, OwnerUnknown, "RFC 7208 section 4.3", "%[1]q is no domain that SPF can be checked for", ""},
	"spf-no-address":     {AgreementUnknown, OwnerUnknown, "RFC 7208 section 2.3", "the refusal does not name the sending address, and the record of %[1]s is without fault: whether it lists the host cannot be told", "compare the addresses of the hosts that send with the record"},
	"spf-private":        {Disagrees, OwnerUnknown, "RFC 7208 section 2.3", "no receiver sees %[2]s, which is not public: it judged another address", "look for the address of the last host before the receiver"},
	"spf-passes-now":     {Disagrees, OwnerUnknown, "RFC 7208 section 2.6.3", "SPF passes for %[2]s and %[1]s now: it was fixed since, or the receiver saw another address, as behind a forwarder", ""},
	"spf-not-listed":     {Agrees, OwnerDomain, "RFC 7208 section 2.6.4", "the SPF record of %[1]s does not list %[2]s, and says that others may not send", "add %[3]s to the record of %[4]s, or the include of whoever runs that host"},
	"spf-softfail":       {Agrees, OwnerDomain, "RFC 7208 section 2.6.5", "the SPF record of %[1]s does not list %[2]s: softfail, which alone is no reason to refuse, but is no pass either", "add %[3]s to the record of %[4]s, or the include of whoever runs that host"},
	"spf-neutral":        {Agrees, OwnerDomain, "RFC 7208 section 2.6.2", "the SPF record of %[1]s says nothing about %[2]s: neutral, which is no pass", "add %[3]s to the record of %[4]s, or the include of whoever runs that host"},
	"spf-excluded":       {Agrees, OwnerDomain, "RFC 7208 section 4.6.2", "a term of the SPF record of %[1]s excludes %[2]s by name", "remove or move that term, if the host may send"},
	"spf-almost-record":  {Agrees, OwnerDomain, "RFC 7208 section 4.5", "%[1]s publishes a text record that is meant to be SPF and is none: %[3]s", "publish it so that it begins with exactly v=spf1 and a space"},
	"spf-behind-all":     {Agrees, OwnerDomain, "RFC 7208 section 5.1", "the SPF record of %[3]s lets %[2]s send, but by what is not read: %[4]s ends the record before", "%[5]s"},
	"spf-mx-limit":       {Agrees, OwnerDomain, "RFC 7208 section 4.6.4", "%[4]s in the SPF record of %[3]s leads to more than ten mail exchangers: permerror", "list the addresses of the hosts that send in the place of %[4]s"},
	"spf-no-record":      {Agrees, OwnerDomain, "RFC 7208 section 2.6.1", "%[1]s publishes no SPF record: there can be no pass", "publish one that lists the hosts that send for the domain"},
	"spf-nxdomain":       {Agrees, OwnerDomain, "RFC 7208 section 4.3", "%[1]s does not exist: there can be no pass, and no answer to the mail", "send with an envelope sender of a domain that exists"},
	"spf-sends-no-mail":  {Agrees, OwnerDomain, "RFC 7208 section 2.6.4", "the SPF record of %[4]s lists nobody: it says that no mail is sent in the name of %[1]s", "send in the name of a domain that sends mail; only if %[1]s itself is to send, publish a record that lists its hosts"},
	"spf-loop":           {Agrees, OwnerDomain, "RFC 7208 section 4.6.4", "the SPF record of %[3]s leads back to itself: %[4]s in the record of %[5]s closes the circle, so that a check has no end but the eleventh look-up, a permerror", "remove %[4]s from the record of %[5]s"},
	"spf-lookup-limit":   {Agrees, OwnerDomain, "RFC 7208 section 4.6.4", "the SPF record of %[1]s needs more than ten look-ups, %[3]s in the worst case: the eleventh is a permerror", "remove or flatten %[4]s, which costs %[5]s of them"},
	"spf-void-limit":     {Agrees, OwnerDomain, "RFC 7208 section 4.6.4", "more than two look-ups of the SPF record of %[1]s have no answer: permerror", "remove the terms whose names have no such records: %[3]s"},
	"spf-many-records":   {Agrees, OwnerDomain, "RFC 7208 section 4.5", "%[3]s publishes several SPF records: permerror", "merge them into one record, and remove the others"},
	"spf-syntax":         {Agrees, OwnerDomain, "RFC 7208 section 4.6", "the SPF record of %[3]s is broken at %[4]s: %[5]s", "mend the term"},
	"spf-include-broken": {Agrees, OwnerDomain, "RFC 7208 section 5.2", "%[4]s in the SPF record of %[3]s leads to %[5]s, which publishes no SPF record: permerror", "remove %[4]s, or correct the name in it"},
	"spf-permerror":      {Agrees, OwnerDomain, "RFC 7208 section 2.6.7", "the SPF record of %[1]s cannot be evaluated: %[4]s", "mend the term"},
	"spf-dns-failed":     {NoAnswer, OwnerResolver, "RFC 7208 section 2.6.6", "DNS gives no answer for %[3]s now, which checking SPF for %[1]s needs: receivers get temperror, and may refuse for the moment", "make the name servers of %[3]s answer; send again later"},

	// DKIM: arguments are the signing domain and the selector
	"dkim-unsigned":          {Agrees, OwnerDomain, "RFC 6376 section 5", "the message has no DKIM signature: nothing in DNS can make one pass", "let the host that sends sign for %[1]s, and publish its key"},
	"dkim-no-selector":       {AgreementUnknown, OwnerUnknown, "RFC 6376 section 3.1", "the refusal does not name the selector: DNS cannot list the keys of %[1]s", "read s= in the DKIM-Signature field of the message"},
	"dkim-no-keys":           {Agrees, OwnerDomain, "RFC 6376 section 3.6.2.1", "%[1]s publishes no DKIM key at all", "let the hosts that send sign for the domain, and publish their keys"},
	"dkim-signature-broken":  {Agrees, OwnerDomain, "RFC 6376 section 6.1.1", "the signature itself cannot be verified: %[3]s", "mend the signer"},
	"dkim-signature-expired": {Agrees, OwnerDomain, "RFC 6376 section 3.5", "the signature expired on %[3]s, before the refusal", "let signatures hold for longer than mail may wait in a queue, a week or more"},
	"dkim-key-missing":       {Agrees, OwnerDomain, "RFC 6376 section 6.1.2", "there is no key at the selector %[2]s of %[1]s", "publish the key, or sign with a selector that has one"},
	"dkim-key-revoked":       {Agrees, OwnerDomain, "RFC 6376 section 3.6.1", "the key of the selector %[2]s of %[1]s is revoked: p is empty", "sign with a selector that is in use"},
	"dkim-several-keys":      {Agrees, OwnerDomain, "RFC 6376 section 3.6.2.2", "several text records stand at the selector %[2]s of %[1]s: receivers cannot tell the key", "leave one record"},
	"dkim-key-unusable":      {Agrees, OwnerDomain, "RFC 6376 section 6.1.2", "the key of the selector %[2]s of %[1]s is not usable: %[3]s", "mend the record"},
	"dkim-key-mismatch":      {Agrees, OwnerDomain, "RFC 6376 section 6.1.2", "the message is signed with %[3]s, the key of the selector %[2]s of %[1]s is %[4]s", "publish the key that the host signs with"},
	"dkim-key-strict":        {Agrees, OwnerDomain, "RFC 6376 section 3.6.1", "the key of the selector %[2]s of %[1]s has the flag t=s: the signature's identity has to be of %[1]s itself, and it is %[3]s", "sign without i= or with i=@%[1]s, or remove s from t"},
	"dkim-key-fine":          {Disagrees, OwnerUnknown, "RFC 6376 section 6.1.3", "the key of the selector %[2]s of %[1]s is usable now: it was published since, it is another key than the one signed with, or the message was changed on the way, as mailing lists and forwarders do", "verify the message as it left the sender: if it passes, something on the way changed it"},
	"dkim-dns-failed":        {NoAnswer, OwnerResolver, "RFC 6376 section 6.1.2", "DNS gives no answer for the selector %[2]s of %[1]s now: receivers cannot verify the signature", "make the name servers answer; send again later"},

	// DMARC: arguments are the author domain, the envelope domain, the signing domain
	"dmarc-no-domain":         {AgreementUnknown, OwnerUnknown, "RFC 9989 section 4.10", "%[1]q is no author domain that DMARC can be checked for", ""},
	"dmarc-no-record":         {Disagrees, OwnerDomain, spec9989Policy, "no DMARC record applies to %[1]s now: no policy asks for a refusal; large receivers refuse bulk mail of domains without a record all the same", "publish v=DMARC1; p=none; rua=mailto:..."},
	"dmarc-several-records":   {Disagrees, OwnerDomain, spec9989Walk, "several DMARC records stand at %[1]s, so that none applies; receivers that insist on a record find none", "leave one record"},
	"dmarc-dns-failed":        {NoAnswer, OwnerResolver, spec9989Policy, "DNS gives no answer about the DMARC record of %[1]s now", "make the name servers answer; send again later"},
	"dmarc-passes-now":        {Disagrees, OwnerUnknown, spec9989Alignment, "SPF passes for %[2]s, aligned with %[1]s: DMARC passes now; it was fixed since, or the receiver saw another address, as behind a forwarder", ""},
	"dmarc-signature-decides": {Disagrees, OwnerUnknown, spec9989Alignment, "the signature of %[3]s is aligned with %[1]s and its key is usable now: DMARC passes unless the message was changed on the way, as mailing lists do, or the key was published since", "verify the message as it left the sender: if it passes, something on the way changed it"},
	"dmarc-no-address":        {AgreementUnknown, OwnerUnknown, spec9989Alignment, "the refusal names neither the sending address nor a signature: whether the message passes DMARC cannot be told", "read the DKIM-Signature field and the Received fields of the message"},
	"dmarc-spf-strict":        {Agrees, OwnerDomain, spec9989Alignment, "SPF passes for %[2]s, which belongs to %[1]s but is not the same name: aspf=s does not let it count", "remove aspf=s, or send with an envelope sender of %[1]s"},
	"dmarc-spf-unaligned":     {Agrees, OwnerDomain, spec9989Alignment, "SPF passes for %[2]s, which is not aligned with %[1]s: for DMARC that counts for nothing", "sign with DKIM for %[1]s, or send with an envelope sender of that domain"},
	"dmarc-dkim-strict":       {Agrees, OwnerDomain, spec9989Alignment, "the signature is of %[3]s, which belongs to %[1]s but is not the same name: adkim=s does not let it count", "remove adkim=s, or sign for %[1]s"},
	"dmarc-dkim-unaligned":    {Agrees, OwnerDomain, spec9989Alignment, "the signature is of %[3]s, which is not aligned with %[1]s: for DMARC it counts for nothing", "sign with DKIM for %[1]s"},
	"dmarc-unauthenticated":   {Agrees, OwnerDomain, spec9989Alignment, "neither SPF nor DKIM passes for %[1]s: %[4]s", "%[5]s"},
}
