package dnscheck_test

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"github.com/mailfault/mailfault/dnscheck"
)

func zoneOf(text string) *dnscheck.Zone {
	zone, err := dnscheck.ReadZone(strings.NewReader(text))
	if err != nil {
		panic(err) // the text stands in the example
	}
	return zone
}

func ExampleCheckDomain() {
	zone := zoneOf(`
example.org        MX   10 mail.example.org
mail.example.org   A    203.0.113.25
example.org        TXT  "v=spf1 include:_spf.example.net -all"
_dmarc.example.org TXT  "v=DMARC1; p=none"
`)
	check := dnscheck.CheckDomain(context.Background(), zone, "example.org", dnscheck.DomainOptions{Selectors: []string{"sel"}})
	for _, f := range check.Findings {
		if f.Severity >= dnscheck.Warning {
			fmt.Println(f.Severity, f.ID, f.Owner)
		}
	}
	// Output:
	// error spf-include-nxdomain domain
	// error dkim-key-missing domain
	// warning dkim-no-keys domain
	// warning dmarc-rua-missing domain
}

func ExampleExplain() {
	zone := zoneOf(`
example.org        TXT "v=spf1 ip4:198.51.100.0/24 -all"
_dmarc.example.org TXT "v=DMARC1; p=reject; rua=mailto:dmarc@example.org"
`)
	e := dnscheck.Explain(context.Background(), zone, dnscheck.Refusal{
		AuthorDomain: "example.org", EnvelopeFrom: "anna@example.org", SendingIP: netip.MustParseAddr("203.0.113.9"), Unsigned: true,
	})
	fmt.Println(e.Agreement, e.Cause, "at", e.Fault.Text())
	fmt.Println(e.Change)
	fmt.Println(e.Publish)
	// Output:
	// agrees dmarc-unauthenticated at -all
	// add ip4:203.0.113.9 to the record of example.org, or the include of whoever runs that host
	// v=spf1 ip4:198.51.100.0/24 ip4:203.0.113.9 -all
}

func ExampleCheckIP() {
	zone := zoneOf(`
25.113.0.203.in-addr.arpa PTR mail.example.org
mail.example.org          A   203.0.113.25
`)
	check := dnscheck.CheckIP(context.Background(), zone, netip.MustParseAddr("203.0.113.25"), "mail.example.org")
	fmt.Println(check.PTR[0].Name, check.Confirmed(), check.HELOIs)
	// Output: mail.example.org true reverse
}

func ExampleCheckMTASTS() {
	zone := zoneOf(`
example.org          MX  10 mail.example.net
mail.example.net     A   203.0.113.25
_mta-sts.example.org TXT "v=STSv1; id=20260101"
`)
	fetch := func(context.Context, string) ([]byte, error) { // a program would fetch it over HTTPS
		return []byte("version: STSv1\nmode: enforce\nmx: *.example.org\nmax_age: 604800\n"), nil
	}
	ctx := context.Background()
	check := dnscheck.CheckMTASTS(ctx, zone, "example.org", fetch, dnscheck.CheckMX(ctx, zone, "example.org"))
	fmt.Println(check.Policy.Mode, check.Policy.Covers("mail.example.net"))
	fmt.Println(check.Findings[0].Fix)
	// Output:
	// enforce false
	// add mx: mail.example.net to the policy, and a new id to the record
}

func ExampleVerifyDKIM() {
	message := "DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=sel; h=From; bh=aGVsbG8=; b=aGVsbG8=\r\nFrom: anna@example.org\r\n\r\nHello\r\n"
	checks, err := dnscheck.VerifyDKIM(context.Background(), zoneOf(""), dnscheck.DKIMQuery{Message: strings.NewReader(message)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range checks {
		fmt.Println(c.Signature.Domain, c.Signature.Selector, c.Result, c.Key.Findings[0].ID)
	}
	// Output: example.org sel permerror dkim-key-missing
}
