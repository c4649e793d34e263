package dnscheck_test

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"github.com/mailfault/mailfault/dnscheck"
)

func ExampleParseDMARC() {
	record, err := dnscheck.ParseDMARC("v=DMARC1; p=quarantine; sp=none; rua=mailto:dmarc@example.org; pct=20")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(record.Policy, record.Subdomains, record.Aggregate[0].Address)
	for _, f := range record.Findings {
		fmt.Println(f.Severity, f.ID)
	}
	// Output:
	// quarantine none dmarc@example.org
	// warning dmarc-pct-partial
}

// New receivers walk up the tree of DNS, older ones ask the public suffix list.
func ExampleDiscoverDMARC() {
	zone := zoneOf(`
_dmarc.example.org TXT "v=DMARC1; p=reject; sp=quarantine; rua=mailto:dmarc@example.org"
news.example.org   A   192.0.2.1
`)
	d := dnscheck.DiscoverDMARC(context.Background(), zone, "news.example.org")
	fmt.Println(d.Newer.Domain, d.Newer.Tag, d.Newer.Policy)
	fmt.Println(d.Differ())
	// Output:
	// example.org sp quarantine
	// false
}

// A pass of SPF counts for the domain it was made for: here for a forwarder's.
func ExampleEvaluateDMARC() {
	zone := zoneOf(`_dmarc.example.org TXT "v=DMARC1; p=reject"`)
	check := dnscheck.EvaluateDMARC(context.Background(), zone, dnscheck.DMARCQuery{
		AuthorDomain: "example.org",
		SPF:          dnscheck.SPFPass,
		SPFDomain:    "forwarder.example",
		DKIM:         []dnscheck.SignatureResult{{Domain: "example.org"}},
	})
	fmt.Println(check.Result, check.Policy, check.SPF.Aligned, check.DKIM[0].Aligned)
	// Output:
	// fail reject false true
}

func ExampleCheckMX() {
	zone := zoneOf(`
example.org        MX    10 mail.example.org
example.org        MX    20 backup.example.org
mail.example.org   A     203.0.113.25
backup.example.org CNAME mail.example.org
`)
	check := dnscheck.CheckMX(context.Background(), zone, "example.org")
	for _, host := range check.Hosts {
		fmt.Println(host.Preference, host.Host, host.Addrs)
	}
	for _, f := range check.Findings {
		fmt.Println(f.Severity, f.ID)
	}
	// Output:
	// 10 mail.example.org [203.0.113.25]
	// 20 backup.example.org [203.0.113.25]
	// error mx-alias
}

func ExampleParseDKIMKey() {
	key, err := dnscheck.ParseDKIMKey("v=DKIM1; t=y; p=")
	fmt.Println(err)
	fmt.Println(key.Revoked, key.Testing)
	// Output:
	// dnscheck: the DKIM key record is not usable
	// true true
}

// What a change of the record does to senders, before it is published.
func ExampleSPFAudit_Diff() {
	ctx := context.Background()
	zone := zoneOf(`example.org TXT "v=spf1 ip4:192.0.2.0/24 ip4:198.51.100.7 -all"`)
	before := dnscheck.AuditSPF(ctx, zone, "example.org", dnscheck.SPFAuditOptions{})
	after := dnscheck.AuditSPF(ctx, &dnscheck.Overlay{Base: zone, SPF: map[string]string{
		"example.org": "v=spf1 ip4:192.0.2.0/25 ip4:203.0.113.9 -all",
	}}, "example.org", dnscheck.SPFAuditOptions{})
	diff := before.Diff(after)
	for _, c := range diff.Gained {
		fmt.Println("gained", c.Prefix)
	}
	for _, c := range diff.Lost {
		fmt.Println("lost", c.Prefix)
	}
	// Output:
	// gained 203.0.113.9/32
	// lost 192.0.2.128/25
	// lost 198.51.100.7/32
}

func ExampleParseMTASTSPolicy() {
	policy, err := dnscheck.ParseMTASTSPolicy("version: STSv1\nmode: enforce\nmx: *.example.org\nmax_age: 604800\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(policy.Mode, policy.MaxAge)
	fmt.Println(policy.Covers("mx1.example.org"), policy.Covers("a.mx1.example.org"))
	// Output:
	// enforce 168h0m0s
	// true false
}

// A zone stands in for DNS in tests, trouble included.
func ExampleReadZone() {
	zone, err := dnscheck.ReadZone(strings.NewReader(`
$ORIGIN example.org.
@      TXT "v=spf1 include:spf.example.net -all"
spf.example.net. TXT SERVFAIL
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	check := dnscheck.CheckSPF(context.Background(), zone, dnscheck.SPFQuery{
		IP: netip.MustParseAddr("192.0.2.1"), MailFrom: "anna@example.org", HELO: "mail.example.org",
	})
	fmt.Println(check.Result)
	fmt.Println(zone.Lookup(context.Background(), "gone.example.org", dnscheck.TypeA).Outcome)
	// Output:
	// temperror
	// nxdomain
}

func ExampleReadRecording() {
	recording, err := dnscheck.ReadRecording(strings.NewReader(`{"format":"dnscheck-recording","version":1,"time":"2026-01-02T15:04:05Z"}
{"name":"example.org","type":"TXT","answer":{"outcome":"found","txt":[{"text":"v=spf1 ip4:192.0.2.0/24 -all","strings":1}],"ttl_seconds":300}}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	check := dnscheck.CheckSPF(context.Background(), recording.Replay(), dnscheck.SPFQuery{
		IP: netip.MustParseAddr("192.0.2.1"), MailFrom: "anna@example.org", HELO: "mail.example.org", Time: recording.Time,
	})
	fmt.Println(check.Result)
	// Output:
	// pass
}

func ExampleParseSPFAuthResults() {
	results, err := dnscheck.ParseSPFAuthResults("mx.example.net; dkim=pass header.d=example.org; spf=softfail (not listed) smtp.mailfrom=anna@example.org")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(results[0].Result, results[0].MailFrom)
	// Output:
	// softfail anna@example.org
}
