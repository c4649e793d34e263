package dnscheck

import (
	"encoding/json"
	"net/netip"
	"strings"
	"testing"
	"time"
)

const ed25519Key = `"v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="`

// explained is a domain with records, and what each kind of refusal should be
// told about it.
var explained = []struct {
	name, zone string
	refusal    Refusal
	ip         string

	cause     string
	agreement Agreement
	fault     string // text of the term or tag
	owner     Owner
	add       string
	publish   string
	change    string // a part of it
}{
	// SPF
	{name: "an address that no term lists", zone: `example.org TXT "v=spf1 ip4:198.51.100.0/24 -all"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "anna@example.org"},
		cause:   "spf-not-listed", agreement: Agrees, fault: "-all", owner: OwnerDomain,
		add: "ip4:203.0.113.9", publish: "v=spf1 ip4:198.51.100.0/24 ip4:203.0.113.9 -all", change: "add ip4:203.0.113.9 to the record of example.org"},
	{name: "an IPv6 address", zone: `example.org TXT "v=spf1 mx -all"`, ip: "2001:db8::9",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "<anna@example.org>"},
		cause:   "spf-not-listed", agreement: Agrees, fault: "-all", owner: OwnerDomain, add: "ip6:2001:db8::9", publish: "v=spf1 mx ip6:2001:db8::9 -all"},
	{name: "softfail", zone: `example.org TXT "v=spf1 mx ~all"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"},
		cause:   "spf-softfail", agreement: Agrees, fault: "~all", owner: OwnerDomain, add: "ip4:203.0.113.9", publish: "v=spf1 mx ip4:203.0.113.9 ~all"},
	{name: "a record without all", zone: `example.org TXT "v=spf1 mx"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"},
		cause:   "spf-neutral", agreement: Agrees, fault: "v=spf1 mx", owner: OwnerDomain, add: "ip4:203.0.113.9", publish: "v=spf1 mx ip4:203.0.113.9"},
	{name: "the record of another domain behind a redirect", zone: "example.org TXT \"v=spf1 redirect=spf.example.net\"\nspf.example.net TXT \"v=spf1 mx -all\"",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"},
		cause:   "spf-not-listed", agreement: Agrees, fault: "-all", owner: OwnerInclude, add: "ip4:203.0.113.9", publish: "v=spf1 mx ip4:203.0.113.9 -all", change: "spf.example.net"},
	{name: "a term that excludes the address", zone: `example.org TXT "v=spf1 -ip4:203.0.113.0/24 +all"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"},
		cause:   "spf-excluded", agreement: Agrees, fault: "-ip4:203.0.113.0/24", owner: OwnerDomain},
	{name: "no record", zone: `example.org A 203.0.113.1`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-no-record", agreement: Agrees, owner: OwnerDomain},
	{name: "no domain", zone: `example.net A 203.0.113.1`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-nxdomain", agreement: Agrees, owner: OwnerDomain},
	{name: "SPF passes now", zone: `example.org TXT "v=spf1 ip4:203.0.113.9 -all"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-passes-now", agreement: Disagrees, fault: "ip4:203.0.113.9"},
	{name: "a private address", zone: `example.org TXT "v=spf1 mx -all"`, ip: "10.0.0.9",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-private", agreement: Disagrees},
	{name: "two records", zone: "example.org TXT \"v=spf1 -all\"\nexample.org TXT \"v=spf1 mx -all\"",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-many-records", agreement: Agrees, owner: OwnerDomain},
	{name: "a term that is misspelt", zone: `example.org TXT "v=spf1 ipv4:203.0.113.9 -all"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-syntax", agreement: Agrees, fault: "ipv4:203.0.113.9", owner: OwnerDomain},
	{name: "a misspelt term of an include", zone: "example.org TXT \"v=spf1 include:spf.example.net -all\"\nspf.example.net TXT \"v=spf1 ipv4:203.0.113.9 -all\"",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-syntax", agreement: Agrees, fault: "ipv4:203.0.113.9", owner: OwnerInclude},
	{name: "an include of nothing", zone: `example.org TXT "v=spf1 include:gone.example.net -all"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-include-broken", agreement: Agrees, fault: "include:gone.example.net", owner: OwnerDomain},
	{name: "void look-ups", zone: `example.org TXT "v=spf1 a:a.example a:b.example a:c.example -all"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-void-limit", agreement: Agrees, fault: "a:c.example", owner: OwnerDomain, change: "a a.example, a b.example, a c.example"},
	{name: "the eleventh look-up", zone: "example.org TXT \"v=spf1 mx include:big.example.net -all\"\nexample.org MX 10 a.example.org\na.example.org A 203.0.113.1\n" +
		"big.example.net TXT \"v=spf1 a:a.example.org a:a.example.org a:a.example.org a:a.example.org a:a.example.org a:a.example.org a:a.example.org a:a.example.org mx:example.org -all\"",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-lookup-limit", agreement: Agrees, fault: "mx:example.org", owner: OwnerDomain,
		change: "remove or flatten include:big.example.net, which costs 10 of them"},
	{name: "a null sender is checked by HELO", zone: `mail.example.org TXT "v=spf1 a -all"`,
		refusal: Refusal{Claim: ClaimSPF, HELO: "mail.example.org"}, cause: "spf-not-listed", agreement: Agrees, fault: "-all", owner: OwnerDomain, add: "ip4:203.0.113.9", publish: "v=spf1 a ip4:203.0.113.9 -all"},
	{name: "a null sender in brackets", zone: `mail.example.org TXT "v=spf1 a -all"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "<>", HELO: "mail.example.org"}, cause: "spf-not-listed", agreement: Agrees, fault: "-all", owner: OwnerDomain, add: "ip4:203.0.113.9", publish: "v=spf1 a ip4:203.0.113.9 -all"},
	{name: "a domain that sends no mail", zone: `example.org TXT "v=spf1 -all"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-sends-no-mail", agreement: Agrees, fault: "-all", owner: OwnerDomain, change: "only if example.org itself is to send"},
	{name: "a domain that sends no mail, from wherever", zone: `example.org TXT "v=spf1 -all"`, ip: "-",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-sends-no-mail", agreement: Agrees, fault: "-all", owner: OwnerDomain},
	{name: "a domain that sends no mail by another's record", zone: "example.org TXT \"v=spf1 redirect=parked.example.net\"\nparked.example.net TXT \"v=spf1 -all\"",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-sends-no-mail", agreement: Agrees, fault: "-all", owner: OwnerDomain},
	{name: "a record that includes itself", zone: `example.org TXT "v=spf1 mx include:example.org -all"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-loop", agreement: Agrees, fault: "include:example.org", owner: OwnerDomain, change: "remove include:example.org from the record of example.org"},
	{name: "a redirect to itself", zone: `example.org TXT "v=spf1 redirect=%{d}"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-loop", agreement: Agrees, fault: "redirect=%{d}", owner: OwnerDomain, change: "remove redirect=%{d} from the record of example.org"},
	{name: "redirects in a circle", zone: "example.org TXT \"v=spf1 redirect=b.example.org\"\nb.example.org TXT \"v=spf1 redirect=example.org\"",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-loop", agreement: Agrees, fault: "redirect=example.org", owner: OwnerDomain, change: "from the record of b.example.org"},
	{name: "a circle of others", zone: "example.org TXT \"v=spf1 include:a.example.net -all\"\na.example.net TXT \"v=spf1 include:b.example.net -all\"\nb.example.net TXT \"v=spf1 include:A.example.net -all\"",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-loop", agreement: Agrees, fault: "include:A.example.net", owner: OwnerInclude, change: "from the record of b.example.net"},
	{name: "a circle that depends on the sender", zone: "example.org TXT \"v=spf1 include:%{l}.example.net -all\"\nanna.example.net TXT \"v=spf1 include:example.org -all\"",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "anna@example.org"}, cause: "spf-loop", agreement: Agrees, fault: "include:example.org", owner: OwnerInclude, change: "from the record of anna.example.net"},
	{name: "a circle of which the eleventh look-up is the last", zone: "example.org TXT \"v=spf1 " + strings.Repeat("a:h.example.net ", 9) + "include:a.example.org -all\"\na.example.org TXT \"v=spf1 include:a.example.org -all\"\nh.example.net A 192.0.2.1",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-loop", agreement: Agrees, fault: "include:a.example.org", owner: OwnerDomain, change: "from the record of a.example.org"},
	{name: "an include of two records, one of which includes itself", zone: "example.org TXT \"v=spf1 include:b.example.org -all\"\nb.example.org TXT \"v=spf1 include:b.example.org -all\"\nb.example.org TXT \"v=spf1 -all\"",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-many-records", agreement: Agrees, owner: OwnerDomain, change: "merge"},
	{name: "a redirect to no record", zone: `example.org TXT "v=spf1 redirect=gone.example.net"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-include-broken", agreement: Agrees, fault: "redirect=gone.example.net", owner: OwnerDomain, change: "redirect=gone.example.net"},
	{name: "an address with two at signs", refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "a@@q.example"}, cause: "spf-no-domain"},
	{name: "an author domain given as an address", zone: "_dmarc.example.org TXT \"v=DMARC1; p=reject\"\nexample.org TXT \"v=spf1 ip4:203.0.113.9 -all\"",
		refusal: Refusal{AuthorDomain: "<anna@example.org>", EnvelopeFrom: "x@example.org"}, cause: "dmarc-passes-now", agreement: Disagrees, fault: "p=reject"},
	{name: "an author domain with two at signs", refusal: Refusal{AuthorDomain: "a@@q.example"}, cause: "dmarc-no-domain"},
	{name: "an SPF claim about nothing", refusal: Refusal{Claim: ClaimSPF, AuthorDomain: "example.org"}, cause: "refusal-empty"},
	{name: "a DMARC claim about nothing", refusal: Refusal{Claim: ClaimDMARC, EnvelopeFrom: "example.org"}, cause: "refusal-empty"},
	{name: "an unsigned message with a signature", zone: "sel._domainkey.example.org TXT " + ed25519Key,
		refusal: Refusal{Claim: ClaimDKIM, SigningDomain: "example.org", Selector: "sel", Unsigned: true}, cause: "dkim-key-fine", agreement: Disagrees, fault: strings.Trim(ed25519Key, `"`)},
	{name: "a signature of which only the domain is known", zone: `_dmarc.example.org TXT "v=DMARC1; p=reject"`,
		refusal: Refusal{AuthorDomain: "example.org", SigningDomain: "example.net"}, cause: "dmarc-dkim-unaligned", agreement: Agrees, fault: "p=reject", owner: OwnerDomain},
	{name: "no address given and the record is broken", zone: `example.org TXT "v=spf1 ip4 -all"`, ip: "-",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-syntax", agreement: Agrees, fault: "ip4", owner: OwnerDomain},
	{name: "no address given and the record is sound", zone: `example.org TXT "v=spf1 ip4:203.0.113.9 -all"`, ip: "-",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-no-address"},
	{name: "eleven mail exchangers", zone: "example.org TXT \"v=spf1 mx -all\"\n" + strings.Repeat("example.org MX 10 a.example.org\n", 11),
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-mx-limit", agreement: Agrees, fault: "mx", owner: OwnerDomain, change: "in the place of mx"},
	{name: "a name that a macro makes none", zone: `example.org TXT "v=spf1 include:%{l} -all"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "anna@example.org"}, cause: "spf-permerror", agreement: Agrees, fault: "include:%{l}", owner: OwnerDomain},
	{name: "a record in quotes", zone: `example.org TXT "\"v=spf1 ip4:203.0.113.9 -all\""`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-almost-record", agreement: Agrees, fault: `"v=spf1 ip4:203.0.113.9 -all"`, owner: OwnerDomain, change: "begins with exactly v=spf1"},
	{name: "a term behind all", zone: `example.org TXT "v=spf1 ~all ip4:203.0.113.9"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-behind-all", agreement: Agrees, fault: "~all", owner: OwnerDomain, publish: "v=spf1 ip4:203.0.113.9 ~all", change: "move ~all to the end"},
	{name: "a redirect beside all", zone: "example.org TXT \"v=spf1 redirect=spf.example.net -all\"\nspf.example.net TXT \"v=spf1 ip4:203.0.113.9 -all\"",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-behind-all", agreement: Agrees, fault: "-all", owner: OwnerDomain, publish: "v=spf1 redirect=spf.example.net", change: "remove -all"},
	{name: "a redirect beside all that would not help", zone: "example.org TXT \"v=spf1 redirect=spf.example.net -all\"\nspf.example.net TXT \"v=spf1 mx -all\"",
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-not-listed", agreement: Agrees, fault: "-all", owner: OwnerDomain, add: "ip4:203.0.113.9", publish: "v=spf1 redirect=spf.example.net ip4:203.0.113.9 -all"},
	{name: "a misspelt mechanism", zone: `example.org TXT "v=spf1 inclued:spf.example.net -all"`,
		refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org"}, cause: "spf-syntax", agreement: Agrees, fault: "inclued:spf.example.net", owner: OwnerDomain, change: "write include:spf.example.net instead"},
	{name: "an envelope sender of no domain", refusal: Refusal{Claim: ClaimSPF, EnvelopeFrom: "root@localhost"}, cause: "spf-no-domain"},

	// DKIM
	{name: "two keys at a selector", zone: "sel._domainkey.example.org TXT " + ed25519Key + "\nsel._domainkey.example.org TXT " + ed25519Key,
		refusal: Refusal{Claim: ClaimDKIM, SigningDomain: "example.org", Selector: "sel"}, cause: "dkim-several-keys", agreement: Agrees, owner: OwnerDomain},
	{name: "no signature", refusal: Refusal{Claim: ClaimDKIM, AuthorDomain: "example.org", Unsigned: true}, cause: "dkim-unsigned", agreement: Agrees, owner: OwnerDomain},
	{name: "no key at all", zone: "example.org A 203.0.113.1", refusal: Refusal{Claim: ClaimDKIM, AuthorDomain: "example.org"}, cause: "dkim-no-keys", agreement: Agrees, owner: OwnerDomain},
	{name: "a key and no selector named", zone: "sel._domainkey.example.org TXT " + ed25519Key,
		refusal: Refusal{Claim: ClaimDKIM, AuthorDomain: "example.org"}, cause: "dkim-no-selector"},
	{name: "no key at the selector", zone: "sel._domainkey.example.org TXT " + ed25519Key,
		refusal: Refusal{Claim: ClaimDKIM, AuthorDomain: "example.org", Selector: "old"}, cause: "dkim-key-missing", agreement: Agrees, owner: OwnerDomain},
	{name: "a revoked key", zone: `sel._domainkey.example.org TXT "v=DKIM1; p="`,
		refusal: Refusal{Claim: ClaimDKIM, SigningDomain: "example.org", Selector: "sel"}, cause: "dkim-key-revoked", agreement: Agrees, fault: "p=", owner: OwnerDomain},
	{name: "a key that was cut", zone: `sel._domainkey.example.org TXT "v=DKIM1; p=MIGfMA0G"`,
		refusal: Refusal{Claim: ClaimDKIM, SigningDomain: "example.org", Selector: "sel"}, cause: "dkim-key-unusable", agreement: Agrees, fault: "p=MIGfMA0G", owner: OwnerDomain},
	{name: "a usable key", zone: "sel._domainkey.example.org TXT " + ed25519Key,
		refusal: Refusal{Claim: ClaimDKIM, SigningDomain: "example.org", Selector: "sel"}, cause: "dkim-key-fine", agreement: Disagrees, fault: strings.Trim(ed25519Key, `"`)},
	{name: "a signature of another kind of key", zone: "sel._domainkey.example.org TXT " + ed25519Key,
		refusal: Refusal{Claim: ClaimDKIM, Signature: signature}, cause: "dkim-key-mismatch", agreement: Agrees, fault: strings.Trim(ed25519Key, `"`), owner: OwnerDomain},
	{name: "a signature that had expired", zone: "sel._domainkey.example.org TXT " + ed25519Key,
		refusal: Refusal{Claim: ClaimDKIM, Signature: signature + "; x=1767225600", Time: time.Unix(1767225601, 0)}, cause: "dkim-signature-expired", agreement: Agrees, owner: OwnerDomain},
	{name: "a signature that had not expired then", zone: "sel._domainkey.example.org TXT " + ed25519Key,
		refusal: Refusal{Claim: ClaimDKIM, Signature: strings.Replace(signature, "rsa", "ed25519", 1) + "; x=1767225600", Time: time.Unix(1767225599, 0)}, cause: "dkim-key-fine", agreement: Disagrees, fault: strings.Trim(ed25519Key, `"`)},
	{name: "a signature with SHA-1", refusal: Refusal{Claim: ClaimDKIM, Signature: strings.Replace(signature, "sha256", "sha1", 1)},
		cause: "dkim-signature-broken", agreement: Agrees, fault: "a=rsa-sha1", owner: OwnerDomain},

	// DMARC
	{name: "SPF passes and is not aligned", zone: "_dmarc.example.org TXT \"v=DMARC1; p=reject\"\nbounce.example.net TXT \"v=spf1 ip4:203.0.113.9 -all\"",
		refusal: Refusal{AuthorDomain: "example.org", EnvelopeFrom: "x@bounce.example.net", Unsigned: true},
		cause:   "dmarc-spf-unaligned", agreement: Agrees, fault: "p=reject", owner: OwnerDomain, change: "sign with DKIM for example.org"},
	{name: "SPF passes and strict alignment stops it", zone: "_dmarc.example.org TXT \"v=DMARC1; p=reject; aspf=s\"\nnews.example.org TXT \"v=spf1 ip4:203.0.113.9 -all\"",
		refusal: Refusal{Claim: ClaimDMARC, AuthorDomain: "example.org", EnvelopeFrom: "x@news.example.org"},
		cause:   "dmarc-spf-strict", agreement: Agrees, fault: "aspf=s", owner: OwnerDomain},
	{name: "SPF fails for an aligned domain", zone: "_dmarc.example.org TXT \"v=DMARC1; p=reject\"\nexample.org TXT \"v=spf1 mx -all\"",
		refusal: Refusal{AuthorDomain: "example.org", EnvelopeFrom: "x@example.org"},
		cause:   "dmarc-unauthenticated", agreement: Agrees, fault: "-all", owner: OwnerDomain, add: "ip4:203.0.113.9", publish: "v=spf1 mx ip4:203.0.113.9 -all"},
	{name: "SPF fails for an unaligned domain", zone: "_dmarc.example.org TXT \"v=DMARC1; p=reject\"\nexample.net TXT \"v=spf1 mx -all\"",
		refusal: Refusal{AuthorDomain: "example.org", EnvelopeFrom: "x@example.net"},
		cause:   "dmarc-unauthenticated", agreement: Agrees, fault: "p=reject", owner: OwnerDomain, change: "sign with DKIM for example.org"},
	{name: "DMARC passes now", zone: "_dmarc.example.org TXT \"v=DMARC1; p=reject\"\nexample.org TXT \"v=spf1 ip4:203.0.113.9 -all\"",
		refusal: Refusal{AuthorDomain: "example.org", EnvelopeFrom: "x@example.org"}, cause: "dmarc-passes-now", agreement: Disagrees, fault: "p=reject"},
	{name: "a signature of another domain", zone: `_dmarc.example.org TXT "v=DMARC1; p=reject"`,
		refusal: Refusal{AuthorDomain: "example.org", SigningDomain: "example.net", Selector: "sel"}, cause: "dmarc-dkim-unaligned", agreement: Agrees, fault: "p=reject", owner: OwnerDomain},
	{name: "strict alignment of the signature", zone: `_dmarc.example.org TXT "v=DMARC1; p=reject; adkim=s"`,
		refusal: Refusal{AuthorDomain: "example.org", SigningDomain: "news.example.org", Selector: "sel"}, cause: "dmarc-dkim-strict", agreement: Agrees, fault: "adkim=s", owner: OwnerDomain},
	{name: "an aligned signature without key", zone: `_dmarc.example.org TXT "v=DMARC1; p=reject"`,
		refusal: Refusal{AuthorDomain: "example.org", Selector: "sel"}, cause: "dkim-key-missing", agreement: Agrees, owner: OwnerDomain},
	{name: "an aligned signature with a key", zone: "_dmarc.example.org TXT \"v=DMARC1; p=reject\"\nsel._domainkey.example.org TXT " + ed25519Key,
		refusal: Refusal{AuthorDomain: "example.org", Selector: "sel"}, cause: "dmarc-signature-decides", agreement: Disagrees, fault: "p=reject"},
	{name: "a key that allows no names below", zone: "sel._domainkey.example.org TXT " + strings.Replace(ed25519Key, "k=", "t=s; k=", 1),
		refusal: Refusal{Claim: ClaimDKIM, Signature: strings.NewReplacer("rsa-", "ed25519-", "d=", "i=@news.example.org; d=").Replace(signature)}, cause: "dkim-key-strict", agreement: Agrees, owner: OwnerDomain, fault: strings.Trim(strings.Replace(ed25519Key, "k=", "t=s; k=", 1), "\"")},
	{name: "no DMARC record", zone: "example.org TXT \"v=spf1 -all\"",
		refusal: Refusal{AuthorDomain: "example.org", EnvelopeFrom: "x@example.org"}, cause: "dmarc-no-record", agreement: Disagrees, owner: OwnerDomain},
	{name: "two DMARC records", zone: "_dmarc.example.org TXT \"v=DMARC1; p=reject\"\n_dmarc.example.org TXT \"v=DMARC1; p=none\"",
		refusal: Refusal{AuthorDomain: "example.org"}, cause: "dmarc-several-records", agreement: Disagrees, owner: OwnerDomain},
	{name: "nothing but an author domain", zone: `_dmarc.example.org TXT "v=DMARC1; p=reject"`, ip: "-",
		refusal: Refusal{AuthorDomain: "example.org"}, cause: "dmarc-no-address", fault: "p=reject"},
	{name: "an empty refusal", cause: "refusal-empty", ip: "-"},
	{name: "an author domain that is none", refusal: Refusal{AuthorDomain: "[192.0.2.1]"}, cause: "dmarc-no-domain"},
}

func TestExplain(t *testing.T) {
	for _, tt := range explained {
		t.Run(tt.name, func(t *testing.T) {
			if tt.ip != "-" {
				tt.refusal.SendingIP = netip.MustParseAddr("203.0.113.9")
				if tt.ip != "" {
					tt.refusal.SendingIP = netip.MustParseAddr(tt.ip)
				}
			}
			got := Explain(t.Context(), readZone(t, tt.zone), tt.refusal)
			if got.Cause != tt.cause || got.Agreement != tt.agreement || got.Owner != tt.owner {
				t.Errorf("%s, %v, %v; want %s, %v, %v", got.Cause, got.Agreement, got.Owner, tt.cause, tt.agreement, tt.owner)
			}
			if got.Fault.Text() != tt.fault || got.Add != tt.add || got.Publish != tt.publish || !strings.Contains(got.Change, tt.change) {
				t.Errorf("fault %q, add %q, publish %q, change %q; want %q, %q, %q, %q", got.Fault.Text(), got.Add, got.Publish, got.Change, tt.fault, tt.add, tt.publish, tt.change)
			}
			if got.Agreement == Agrees && got.Change == "" {
				t.Error("it does not say what to change")
			}
			if strings.Contains(got.Summary+got.Change, "%!") {
				t.Errorf("%s; %s", got.Summary, got.Change)
			}
			document, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			var back struct {
				Cause, Agreement string
			}
			if err := json.Unmarshal(document, &back); err != nil || back.Cause != tt.cause || back.Agreement != tt.agreement.String() {
				t.Errorf("%s, %v", document, err)
			}
		})
	}
}

// What Explain says to publish makes the same mail pass.
func TestWhatExplainSaysToPublishHelps(t *testing.T) {
	for _, tt := range explained {
		if tt.publish == "" || tt.owner != OwnerDomain {
			continue
		}
		refusal := tt.refusal
		refusal.SendingIP = netip.MustParseAddr("203.0.113.9")
		if tt.ip != "" {
			refusal.SendingIP = netip.MustParseAddr(tt.ip)
		}
		before := Explain(t.Context(), readZone(t, tt.zone), refusal)
		after := Explain(t.Context(), &Overlay{Base: readZone(t, tt.zone), SPF: map[string]string{before.Fault.Name: before.Publish}}, refusal)
		if after.Agreement != Disagrees {
			t.Errorf("%s: %s still gives %s", tt.name, before.Publish, after.Cause)
		}
	}
}

func TestExplainWhereDNSFails(t *testing.T) {
	ip := netip.MustParseAddr("203.0.113.9")
	for name, refusal := range map[string]Refusal{
		"example.org":                {Claim: ClaimSPF, EnvelopeFrom: "example.org", SendingIP: ip},
		"_dmarc.example.org":         {AuthorDomain: "example.org", EnvelopeFrom: "example.net", SendingIP: ip},
		"sel._domainkey.example.org": {Claim: ClaimDKIM, SigningDomain: "example.org", Selector: "sel"},
	} {
		for _, outcome := range []Outcome{ServFail, Timeout} {
			var zone Zone
			zone.SetOutcome(name, TypeTXT, outcome)
			if got := Explain(t.Context(), &zone, refusal); got.Agreement != NoAnswer || got.Owner != OwnerResolver {
				t.Errorf("%s %v: %s, %v", name, outcome, got.Cause, got.Agreement)
			}
		}
	}
}

// p=none asks nobody to refuse: the explanation says so beside the cause.
func TestExplainSaysWhenThePolicyIsNone(t *testing.T) {
	zone := readZone(t, "_dmarc.example.org TXT \"v=DMARC1; p=none\"\nexample.net TXT \"v=spf1 ip4:203.0.113.9 -all\"")
	got := Explain(t.Context(), zone, Refusal{AuthorDomain: "example.org", EnvelopeFrom: "example.net", SendingIP: netip.MustParseAddr("203.0.113.9"), Unsigned: true})
	if got.Cause != "dmarc-spf-unaligned" || !strings.Contains(strings.Join(got.Caveats, " "), "does not ask receivers to refuse") {
		t.Errorf("%s, %q", got.Cause, got.Caveats)
	}
}

// A record that does not ask for a refusal, or not everybody, is no reason for one:
// RFC 9989 section 4.7 (p, t) and RFC 7489 section 6.3 (pct).
func TestExplainSaysWhereThePolicyIsNoReject(t *testing.T) {
	tests := []struct {
		record string
		want   []string // parts of the caveats about the policy
	}{
		{"p=reject", nil},
		{"p=none", []string{"applies is none"}},
		{"p=quarantine", []string{"applies is quarantine: the record asks receivers to set such mail aside"}},
		{"p=reject; t=y", []string{"t=y lowers p=reject to quarantine", "applies is quarantine", "this one is older, or"}},
		{"p=quarantine; t=y", []string{"t=y lowers p=quarantine to none", "applies is none"}},
		{"p=reject; pct=20", []string{"pct=20"}},
	}
	for _, tt := range tests {
		zone := readZone(t, "_dmarc.example.org TXT \"v=DMARC1; "+tt.record+"\"\nexample.net TXT \"v=spf1 ip4:203.0.113.9 -all\"")
		got := Explain(t.Context(), zone, Refusal{AuthorDomain: "example.org", EnvelopeFrom: "example.net", SendingIP: netip.MustParseAddr("203.0.113.9"), Unsigned: true})
		all := strings.Join(got.Caveats, "; ")
		for _, part := range tt.want {
			if !strings.Contains(all, part) {
				t.Errorf("%s: no %q in %q", tt.record, part, all)
			}
		}
		if len(tt.want) == 0 && len(got.Caveats) > 0 {
			t.Errorf("%s: %q", tt.record, all)
		}
	}
}

// RFC 1035 section 3.3.14: a string has at most 255 bytes; RFC 7208 section 3.3
// joins them with nothing between.
func TestALongRecordToPublishComesInStrings(t *testing.T) {
	record := "v=spf1" + strings.Repeat(" ip4:198.51.100.0/24", 22) + " -all"
	zone := readZone(t, `example.org TXT "`+record[:250]+`" "`+record[250:]+`"`)
	got := Explain(t.Context(), zone, Refusal{Claim: ClaimSPF, EnvelopeFrom: "example.org", SendingIP: netip.MustParseAddr("203.0.113.9")})
	if len(got.Strings) != 2 || strings.Join(got.Strings, "") != got.Publish || len(got.Strings[0]) > 255 || len(got.Strings[1]) > 255 {
		t.Errorf("%q for %q", got.Strings, got.Publish)
	}
	if !strings.Contains(strings.Join(got.Caveats, " "), "needs TCP") {
		t.Errorf("%q", got.Caveats)
	}
}

func TestEveryCauseIsTested(t *testing.T) {
	tested := map[string]bool{"not-asked": true, "spf-dns-failed": true, "dkim-dns-failed": true, "dmarc-dns-failed": true}
	for _, tt := range explained {
		tested[tt.cause] = true
	}
	for id := range causes {
		if !tested[id] {
			t.Errorf("%s is not tested", id)
		}
	}
}

func FuzzExplain(f *testing.F) {
	for _, tt := range explained {
		if tt.refusal.Claim == ClaimSPF {
			f.Add(`v=spf1 ~all include:two.example.net`, "v=spf1 redirect=example.org", tt.refusal.EnvelopeFrom, tt.refusal.HELO)
		}
	}
	f.Add("v=spf1 mx include:%{l}.example.net -all", "v=spf1 -all", "<@a.example:two@example.org>", "mail.example.org")
	f.Fuzz(func(t *testing.T, record, other, from, helo string) {
		var z Zone
		z.AddTXT("example.org", record)
		z.AddTXT("two.example.net", other)
		for _, claim := range []Claim{ClaimSPF, ClaimDMARC} {
			got := Explain(t.Context(), &z, Refusal{Claim: claim, AuthorDomain: from, EnvelopeFrom: from, HELO: helo, SendingIP: netip.MustParseAddr("203.0.113.9")})
			if w := got.Fault; got.Summary == "" || w.Start < 0 || w.Start > w.End || w.End > len(w.Record) {
				t.Errorf("%q at %+v", got.Summary, w)
			}
			if strings.Join(got.Strings, "") != got.Publish {
				t.Errorf("%q for %q", got.Strings, got.Publish)
			}
			if _, err := json.Marshal(got); err != nil {
				t.Error(err)
			}
		}
	})
}
