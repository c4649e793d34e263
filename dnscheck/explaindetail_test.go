package dnscheck

import (
	"net/netip"
	"strings"
	"testing"
)

// What a refusal names says what is asked about, and what stands beside the cause
// is said as a caveat.
func TestExplainDetails(t *testing.T) {
	const dmarc = "_dmarc.example.org TXT \"v=DMARC1; p=reject\"\n"
	key := "sel._domainkey.example.org TXT " + ed25519Key + "\n"
	for name, tt := range map[string]struct {
		zone, ip  string
		refusal   Refusal
		cause     string
		agreement Agreement
		owner     Owner
		caveat    string
	}{
		"a HELO name alone is about SPF":         {`mail.example.org TXT "v=spf1 a -all"`, "203.0.113.9", Refusal{HELO: "mail.example.org"}, "spf-not-listed", Agrees, OwnerDomain, ""},
		"an envelope sender alone is about SPF":  {`example.org TXT "v=spf1 a -all"`, "203.0.113.9", Refusal{EnvelopeFrom: "x@example.org"}, "spf-not-listed", Agrees, OwnerDomain, ""},
		"a signature alone is about DKIM":        {key, "", Refusal{Signature: signature}, "dkim-key-mismatch", Agrees, OwnerDomain, ""},
		"a selector without a domain is nothing": {key, "", Refusal{Claim: ClaimDKIM, Selector: "sel"}, "refusal-empty", AgreementUnknown, OwnerUnknown, ""},
		"a selector that is no name of DNS's":    {key, "", Refusal{Claim: ClaimDKIM, SigningDomain: "example.org", Selector: strings.Repeat("s", 64)}, "refusal-empty", AgreementUnknown, OwnerUnknown, ""},
		"a key that is being tested":             {strings.Replace(key, "k=", "t=y; k=", 1), "", Refusal{Claim: ClaimDKIM, SigningDomain: "example.org", Selector: "sel"}, "dkim-key-fine", Disagrees, OwnerUnknown, "t=y"},
		"another's key, revoked":                 {"sel._domainkey.example.org CNAME sel.esp.example\nsel.esp.example TXT \"v=DKIM1; p=\"", "", Refusal{Claim: ClaimDKIM, SigningDomain: "example.org", Selector: "sel"}, "dkim-key-revoked", Agrees, OwnerInclude, ""},
		"a term of another's record excludes it": {"example.org TXT \"v=spf1 redirect=spf.example.net\"\nspf.example.net TXT \"v=spf1 -ip4:203.0.113.0/24 +all\"", "203.0.113.9", Refusal{EnvelopeFrom: "x@example.org"}, "spf-excluded", Agrees, OwnerInclude, ""},

		"unsigned, and nothing of SPF":      {dmarc, "", Refusal{AuthorDomain: "example.org", Unsigned: true}, "dkim-unsigned", Agrees, OwnerDomain, "SPF was not looked at"},
		"a private address":                 {dmarc + `example.org TXT "v=spf1 mx -all"`, "10.0.0.9", Refusal{AuthorDomain: "example.org", EnvelopeFrom: "x@example.org"}, "spf-private", Disagrees, OwnerUnknown, ""},
		"no key, and no pass by SPF either": {dmarc + `example.org TXT "v=spf1 mx -all"`, "203.0.113.9", Refusal{AuthorDomain: "example.org", EnvelopeFrom: "x@example.org", Selector: "sel"}, "dkim-key-missing", Agrees, OwnerDomain, "SPF does not pass either"},
		"no key, and no SPF to look at":     {dmarc, "", Refusal{AuthorDomain: "example.org", Selector: "sel"}, "dkim-key-missing", Agrees, OwnerDomain, ""},
		"DNS fails for SPF":                 {dmarc + "example.org TXT SERVFAIL", "203.0.113.9", Refusal{AuthorDomain: "example.org", EnvelopeFrom: "x@example.org"}, "dmarc-dns-failed", NoAnswer, OwnerResolver, ""},
		"DNS fails for the signer's domain": {dmarc + "_dmarc.net TXT SERVFAIL", "", Refusal{AuthorDomain: "example.org", SigningDomain: "example.net", Selector: "sel"}, "dmarc-dns-failed", NoAnswer, OwnerResolver, ""},
		"a policy of none":                  {strings.Replace(dmarc, "reject", "none", 1), "", Refusal{AuthorDomain: "example.org", Unsigned: true}, "dkim-unsigned", Agrees, OwnerDomain, "does not ask receivers to refuse"},
		"a policy of quarantine":            {strings.Replace(dmarc, "reject", "quarantine", 1), "", Refusal{AuthorDomain: "example.org", Unsigned: true}, "dkim-unsigned", Agrees, OwnerDomain, "set such mail aside"},
		"a share of the mail":               {strings.Replace(dmarc, "reject", "reject; pct=20", 1), "", Refusal{AuthorDomain: "example.org", Unsigned: true}, "dkim-unsigned", Agrees, OwnerDomain, "pct=20"},
		"a policy that is being tested":     {strings.Replace(dmarc, "reject", "reject; t=y", 1), "", Refusal{AuthorDomain: "example.org", Unsigned: true}, "dkim-unsigned", Agrees, OwnerDomain, "t=y lowers p=reject to quarantine"},
	} {
		if tt.ip != "" {
			tt.refusal.SendingIP = netip.MustParseAddr(tt.ip)
		}
		got := Explain(t.Context(), readZone(t, tt.zone), tt.refusal)
		if got.Cause != tt.cause || got.Agreement != tt.agreement || got.Owner != tt.owner {
			t.Errorf("%s: %s, %v, %v; want %s, %v, %v", name, got.Cause, got.Agreement, got.Owner, tt.cause, tt.agreement, tt.owner)
		}
		caveats := strings.Join(got.Caveats, "\n")
		if tt.caveat != "" && !strings.Contains(caveats, tt.caveat) || tt.caveat == "" && strings.Contains(caveats, "either") {
			t.Errorf("%s: caveats %q, want %q", name, caveats, tt.caveat)
		}
	}
}

// A key behind an alias is another's: what is wrong with it is theirs to mend.
func TestKeyBehindAnAlias(t *testing.T) {
	for zone, want := range map[string]struct {
		ids   string
		owner Owner
	}{
		"sel._domainkey.example.org CNAME sel.esp.example\nsel.esp.example TXT \"v=DKIM1; p=\"": {"dkim-key-revoked dkim-alias", OwnerInclude},
		"sel._domainkey.example.org TXT \"v=DKIM1; p=\"":                                        {"dkim-key-revoked", OwnerDomain},
	} {
		c := CheckDKIM(t.Context(), readZone(t, zone), "example.org", "sel")
		if findingIDs(c.Findings) != want.ids || c.Findings[0].Owner != want.owner {
			t.Errorf("%s: %v, of %v", zone, findingIDs(c.Findings), c.Findings[0].Owner)
		}
		for _, f := range c.Findings {
			if f.ID == "dkim-alias" && !strings.Contains(f.Message, "sel.esp.example") {
				t.Errorf("%s", f.Message)
			}
		}
	}
	if c := CheckDKIM(t.Context(), readZone(t, ""), "example.org", strings.Repeat("s", 64)); c.Err == nil || c.Outcome != OutcomeUnknown {
		t.Errorf("%v, %v", c.Err, c.Outcome)
	}
}

// A zone's faults say where they are (RFC 1035 section 5.1, RFC 2308 section 4).
func TestZoneFilesThatAreFaulty(t *testing.T) {
	for text, want := range map[string]string{
		"$ORIGIN a.example b.example\n":    "line 1",
		"a.example A 192.0.2.1\n$ORIGIN\n": "line 2",
		"$TTL\n":                           "line 1",
		"$TTL 1h 2h\n":                     "line 1",
		"$TTL 99999999999\n":               "line 1",
		"$TTL 3000000000\n":                "line 1",
		"$TTL soon\n":                      "line 1",
		"\"a.example\" A 192.0.2.1\n":      "line 1",
		"$ORIGIN \"a.example\"\n":          "line 1",
		"a.example TXT \"open\\":           "line 1",
		"a.example MX 10 \"mx.example\"\n": "line 1",
	} {
		_, err := ReadZone(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	z := readZone(t, "$ORIGIN example.org.\n$TTL 1h\n@ A 192.0.2.1\nwww A 192.0.2.2\n$TTL 2d\nlong A 192.0.2.3\n")
	for name, ttl := range map[string]float64{"example.org": 3600, "www.example.org": 3600, "long.example.org": 172800} {
		if a := z.Lookup(t.Context(), name, TypeA); a.Outcome != Found || a.TTL.Seconds() != ttl {
			t.Errorf("%s: %v for %v", name, a.Outcome, a.TTL)
		}
	}
}
