package dnscheck

// mtastsRules is the table of findings about MTA-STS (RFC 8461).
var mtastsRules = rules{
	// the record
	"mta-sts-missing":         {Info, OwnerDomain, "RFC 8461 section 3.1", "the domain publishes no MTA-STS record: senders do not insist on a verified connection", "publish the record and a policy in testing mode"},
	"mta-sts-several":         {Error, OwnerDomain, "RFC 8461 section 3.1", "%d MTA-STS records stand at this name: senders act as if there were none", "leave one record"},
	"mta-sts-near":            {Error, OwnerDomain, "RFC 8461 section 3.1", "the text record means to be an MTA-STS record and is none: it has to begin with exactly v=STSv1;", "begin the record with v=STSv1;"},
	"mta-sts-dns-failed":      {Warning, OwnerResolver, "RFC 8461 section 3.1", "DNS gave no answer for %s", "make the name servers of the zone answer"},
	"mta-sts-alias":           {Info, OwnerInclude, "RFC 8461 section 3.1", "the record stands behind an alias to %s: its operator decides the policy", ""},
	"mta-sts-id-missing":      {Error, OwnerDomain, "RFC 8461 section 3.1", "the record has no id: it is no valid record", "add id= and a value that changes with the policy"},
	"mta-sts-id-invalid":      {Error, OwnerDomain, "RFC 8461 section 3.1", "the id %q is not made of 1 to 32 letters and digits: it is no valid record", "write letters and digits only: the time of the last change does"},
	"mta-sts-field-malformed": {Error, OwnerDomain, "RFC 8461 section 3.1", "%q is no field: it is no valid record", "write name=value, with semicolons between the fields"},
	"mta-sts-field-repeated":  {Warning, OwnerDomain, "RFC 8461 section 3.1", "the field %s is repeated", "leave one"},
	"mta-sts-field-unknown":   {Info, OwnerDomain, "RFC 8461 section 3.1", "there is no field %q; senders ignore it", "remove it, or mend its name"},

	// the policy
	"mta-sts-policy-unread":   {Error, OwnerDomain, "RFC 8461 section 3.3", "the policy at %s could not be fetched: %s", "serve it over HTTPS with a valid certificate, with status 200 and without redirects"},
	"mta-sts-policy-late":     {Warning, OwnerDomain, "RFC 8461 section 3.3", "the policy at %s had not come when the check ended; senders wait a minute at most", "see whether the web server answers"},
	"mta-sts-policy-long":     {Error, OwnerDomain, "RFC 8461 section 3.3", "the policy is longer than 64 KiB: senders may not read it", "serve the policy alone"},
	"mta-sts-line-malformed":  {Error, OwnerDomain, "RFC 8461 section 3.2", "%q is no line of a policy", "write name: value, one a line"},
	"mta-sts-line-unknown":    {Info, OwnerDomain, "RFC 8461 section 3.2", "there is no policy field %q; senders ignore it", "remove it, or mend its name"},
	"mta-sts-line-repeated":   {Warning, OwnerDomain, "RFC 8461 section 3.2", "the policy field %s is repeated: only the first counts", "leave one"},
	"mta-sts-version-invalid": {Error, OwnerDomain, "RFC 8461 section 3.2", "the policy does not say version: STSv1", "write version: STSv1"},
	"mta-sts-mode-invalid":    {Error, OwnerDomain, "RFC 8461 section 3.2", "the mode %q is not enforce, testing or none", "write mode: testing, and enforce once the reports are clean"},
	"mta-sts-age-invalid":     {Error, OwnerDomain, "RFC 8461 section 3.2", "max_age %q is not a number of seconds up to 31557600", "write max_age: 604800 or more"},
	"mta-sts-age-short":       {Warning, OwnerDomain, "RFC 8461 section 3.2", "max_age is %d seconds: weeks or more are meant, as a shorter policy is easily suppressed", "write max_age: 604800 or more"},
	"mta-sts-mx-missing":      {Error, OwnerDomain, "RFC 8461 section 3.2", "the policy names no mx", "name every mail exchanger, one a line"},
	"mta-sts-mx-invalid":      {Error, OwnerDomain, "RFC 8461 section 3.2", "%q is neither a host name nor one with *. in front", "name the mail exchanger as the MX record does"},
	"mta-sts-mx-uncovered":    {Error, OwnerDomain, "RFC 8461 section 4.1", "the mail exchanger %s is not named in the policy, whose mode is enforce: senders do not deliver to it", "add mx: %[1]s to the policy, and a new id to the record"},
	"mta-sts-mx-untested":     {Warning, OwnerDomain, "RFC 8461 section 4.1", "the mail exchanger %s is not named in the policy: senders would not deliver to it if the mode were enforce", "add mx: %[1]s to the policy before enforcing, and a new id to the record"},
	"mta-sts-mx-unused":       {Info, OwnerDomain, "RFC 8461 section 4.1", "no mail exchanger is called %s", "remove the line once it is not needed"},
	"mta-sts-testing":         {Info, OwnerDomain, "RFC 8461 section 5", "mode testing: senders report failures and deliver all the same", ""},
	"mta-sts-off":             {Info, OwnerDomain, "RFC 8461 section 8.3", "mode none: the domain has taken its policy back", ""},
}

// tlsrptRules is the table of findings about TLS reporting (RFC 8460).
var tlsrptRules = rules{
	"tls-rpt-missing":         {Info, OwnerDomain, "RFC 8460 section 3", "the domain asks for no TLS reports: nobody tells it when encrypted delivery fails", "publish v=TLSRPTv1; rua=mailto:..."},
	"tls-rpt-several":         {Error, OwnerDomain, "RFC 8460 section 3", "%d TLS-RPT records stand at this name: senders act as if there were none", "leave one record"},
	"tls-rpt-near":            {Error, OwnerDomain, "RFC 8460 section 3", "the text record means to be a TLS-RPT record and is none: it has to begin with exactly v=TLSRPTv1;", "begin the record with v=TLSRPTv1;"},
	"tls-rpt-dns-failed":      {Warning, OwnerResolver, "RFC 8460 section 3", "DNS gave no answer for %s", "make the name servers of the zone answer"},
	"tls-rpt-rua-missing":     {Error, OwnerDomain, "RFC 8460 section 3", "the record has no rua: reports have nowhere to go", "add rua=mailto:..."},
	"tls-rpt-rua-useless":     {Error, OwnerDomain, "RFC 8460 section 3", "no address in rua can take reports: they have nowhere to go", "add mailto: and an address, or an https: address"},
	"tls-rpt-uri-invalid":     {Warning, OwnerDomain, "RFC 8460 section 3", "the report address %q is ignored: %s", "write mailto: and an address, or an https: address, with commas between several"},
	"tls-rpt-uri-scheme":      {Warning, OwnerDomain, "RFC 8460 section 3", "reports go to mailto: or https: addresses: one with %s: is ignored", "name one of these"},
	"tls-rpt-field-malformed": {Error, OwnerDomain, "RFC 8460 section 3", "%q is no field: it is no valid record", "write name=value, with semicolons between the fields"},
	"tls-rpt-field-repeated":  {Warning, OwnerDomain, "RFC 8460 section 3", "the field %s is repeated", "leave one"},
	"tls-rpt-field-unknown":   {Info, OwnerDomain, "RFC 8460 section 3", "there is no field %q; senders ignore it", "remove it, or mend its name"},
}

// Where BIMI stands: it is no standard yet, and its sections move from draft to
// draft.
const (
	specBIMI         = "draft-brand-indicators-for-message-identification-10 "
	specBIMIRecord   = specBIMI + "section 4.3"
	specBIMIDecline  = specBIMI + "section 4.3.1"
	specBIMIPolicy   = specBIMI + "section 7.1"
	specBIMIFind     = specBIMI + "section 7.2"
	specBIMIEvidence = specBIMI + "section 7.5"
)

// bimiRules is the table of findings about brand indicators.
var bimiRules = rules{
	"bimi-missing":       {Info, OwnerDomain, specBIMIFind, "the domain publishes no brand indicator", ""},
	"bimi-several":       {Warning, OwnerDomain, specBIMIFind, "%d BIMI records stand at this name: none is used", "leave one record"},
	"bimi-near":          {Warning, OwnerDomain, specBIMIRecord, "the text record means to be a BIMI record and is none: v=BIMI1 has to stand first, in these letters", "begin the record with v=BIMI1;"},
	"bimi-dns-failed":    {Info, OwnerResolver, specBIMIFind, "DNS gave no answer for %s", "make the name servers of the zone answer"},
	"bimi-declined":      {Info, OwnerDomain, specBIMIDecline, "the record declines to show an indicator", ""},
	"bimi-logo-missing":  {Warning, OwnerDomain, specBIMIRecord, "the record has no l: the indicator is not shown", "add l= and the https: address of the image, or l=; to decline"},
	"bimi-uri-invalid":   {Warning, OwnerDomain, specBIMIRecord, "the tag %s is no https: address: %q", "name an https: address"},
	"bimi-no-evidence":   {Info, OwnerDomain, specBIMIEvidence, "the record names no certificate (a): large receivers show no indicator without one", "add a= and the address of a verified mark certificate"},
	"bimi-not-enforced":  {Warning, OwnerDomain, specBIMIPolicy, "the DMARC policy is %s, at least for some receivers: they show the indicator only for quarantine or reject, for all mail", "raise the DMARC policy once the reports show no failing mail of yours"},
	"bimi-subdomains":    {Warning, OwnerDomain, specBIMIPolicy, "the DMARC record of %s says sp=none: receivers show no indicator then", "raise sp, or remove it"},
	"bimi-tag-malformed": {Warning, OwnerDomain, specBIMIRecord, "%q is no tag", "write name=value, with semicolons between the tags"},
	"bimi-tag-repeated":  {Warning, OwnerDomain, specBIMIRecord, "the tag %s is repeated", "leave one"},
}
