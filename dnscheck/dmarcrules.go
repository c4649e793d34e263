package dnscheck

// dmarcRules is the table of findings about DMARC.
var dmarcRules = rules{
	// the record as such
	"dmarc-missing":         {Warning, OwnerDomain, spec9989Policy, "no DMARC record applies to %s; large receivers refuse bulk mail of such domains", "publish v=DMARC1; p=none; rua=mailto:... and read the reports before asking for more"},
	"dmarc-record-ignored":  {Error, OwnerDomain, spec9989Format, "the text record means to be a DMARC record and is none: v=DMARC1 has to stand first, in these letters, with a semicolon behind it", "begin the record with v=DMARC1;"},
	"dmarc-several-records": {Error, OwnerDomain, spec9989Walk, "%d DMARC records stand at this name; receivers ignore all of them", "leave one record"},
	"dmarc-wrong-place":     {Error, OwnerDomain, spec9989Walk, "a DMARC record stands at the domain itself, where nobody looks for it", "move it to the name _dmarc below the domain"},
	"dmarc-dns-failed":      {Error, OwnerResolver, spec9989Policy, "DNS gave no answer for %s, so that no receiver can tell the policy", "make the name servers of the zone answer; ask again later"},
	"dmarc-suffix-only":     {Warning, OwnerDomain, spec9989Policy, "the domain has no record of its own: that of its public suffix, %s, applies, and reports go where that says", "publish v=DMARC1; p=none; rua=mailto:... at the domain"},
	"dmarc-unusable":        {Error, OwnerDomain, spec9989Policy, "without a valid policy and without a report address the record is not applied at all", "publish a valid p tag"},
	"dmarc-inherited":       {Info, OwnerDomain, spec9989Policy, "the domain has no record of its own; that of %s applies by its tag %s", ""},
	"dmarc-alias":           {Info, OwnerInclude, spec9989Format, "the record stands behind an alias to %s: its operator decides the policy", ""},
	"dmarc-methods-differ":  {Warning, OwnerDomain, spec9989Policy, "receivers of RFC 7489 see %s, receivers of RFC 9989 see %s", "publish a record at the domain itself, or psd=n at the organizational domain, so that both agree"},
	"dmarc-sp-unreachable":  {Info, OwnerDomain, spec9989Format, "%s has no effect here: the organizational domain is %s and its record speaks for names below", "put it into the record of the organizational domain, or declare this one with psd=n"},

	// tags
	"dmarc-tag-malformed":  {Warning, OwnerDomain, spec9989Syntax, "%q is no tag: an equals sign or a name is missing", "write name=value, with semicolons between the tags"},
	"dmarc-tag-unknown":    {Info, OwnerDomain, spec9989Syntax, "there is no tag %q; receivers ignore it", "remove it, or mend its name"},
	"dmarc-tag-repeated":   {Warning, OwnerDomain, "RFC 6376 section 3.2", "the tag %s is repeated; the first one counts here, other receivers take the last or ignore the record", "leave one"},
	"dmarc-tag-case":       {Info, OwnerDomain, "RFC 6376 section 3.2", "the tag %s is written in capital letters; some receivers do not know it", "write it in lower case"},
	"dmarc-tag-removed":    {Info, OwnerDomain, spec9989Removed, "the tag %s is no longer part of DMARC; new receivers ignore it", "remove it"},
	"dmarc-value-invalid":  {Warning, OwnerDomain, spec9989Syntax, "the tag %s cannot have the value %q; its default counts", "mend the value or remove the tag"},
	"dmarc-policy-missing": {Warning, OwnerDomain, spec9989Policy, "the record has no policy; it counts as none if it has a report address, otherwise not at all", "add the tag p"},
	"dmarc-policy-invalid": {Error, OwnerDomain, spec9989Policy, "the tag %s is %q, not none, quarantine or reject: the whole record counts as none if it has a report address, otherwise not at all", "write none, quarantine or reject"},
	"dmarc-p-not-second":   {Info, OwnerDomain, "RFC 7489 section 6.3", "p is not the second tag; RFC 9989 allows it, older receivers may ignore the record", "put p right behind v"},
	"dmarc-pct-partial":    {Warning, OwnerDomain, spec9989Percent, "pct=%d now means all: receivers of RFC 9989 apply the policy to every failing mail, older ones to %d%%", "remove pct; use t=y while testing"},
	"dmarc-pct-zero":       {Warning, OwnerDomain, spec9989Percent, "pct=0 now means all: receivers of RFC 9989 apply the policy to every failing mail, older ones lower it by one level", "remove pct and write t=y"},
	"dmarc-policy-none":    {Info, OwnerDomain, spec9989Format, "p=none asks for reports only: mail that fails is treated as if there were no policy", ""},
	"dmarc-testing":        {Info, OwnerDomain, spec9989Format, "t=y: receivers of RFC 9989 apply the policy one level lower, older ones in full", "remove t when the reports show no mail of yours that fails"},
	"dmarc-reject-general": {Info, OwnerDomain, spec9989General, "p=reject refuses mail of people who write to mailing lists or are forwarded", "keep p=reject for domains without personal mailboxes, and sign everything with DKIM"},
	"dmarc-psd-yes":        {Warning, OwnerDomain, spec9989Suffix, "psd=y says that the names below belong to others: they do not align with this one", "remove psd unless this is a registry's domain"},
	"dmarc-fo-without-ruf": {Info, OwnerDomain, spec9989Format, "fo has no meaning without ruf", "add ruf or remove fo"},

	// reports
	"dmarc-rua-missing":         {Warning, OwnerDomain, spec9989Reports, "nobody gets aggregate reports, so that nobody sees which mail fails", "add rua=mailto:...; it brings reports and leaves the policy as it is"},
	"dmarc-uri-invalid":         {Warning, OwnerDomain, spec9989URI, "the report address %q is ignored: %s", "write mailto: and the address, with commas between several"},
	"dmarc-uri-scheme":          {Info, OwnerDomain, spec9989Format, "receivers have to know only mailto; reports to %s: may never come", "add a mailto: address"},
	"dmarc-size-removed":        {Info, OwnerDomain, spec9989URI, "the size limit !%s is no longer part of DMARC and is ignored", "remove it"},
	"dmarc-report-unauthorized": {Warning, OwnerReceiver, spec9990External, "%s does not say that it takes reports about %s: they are not sent", "its operator publishes v=DMARC1; at %s"},
	"dmarc-report-unknown":      {Info, OwnerResolver, spec9990External, "DNS gave no answer whether %s takes reports about %s", "ask again later"},
	"dmarc-report-no-mail":      {Warning, OwnerDomain, "RFC 5321 section 5.1", "%s takes no mail: reports cannot be delivered", "name an address of a domain that takes mail"},
}
