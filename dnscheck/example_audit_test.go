package dnscheck_test

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"github.com/mailfault/mailfault/dnscheck"
)

// exampleZone stands for live DNS.
func exampleZone() *dnscheck.Zone {
	zone, err := dnscheck.ReadZone(strings.NewReader(`
example.org       TXT "v=spf1 include:_spf.example.net mx ip4:192.0.2.0/24 -all"
_spf.example.net  TXT "v=spf1 a:out.example.net ip4:198.51.100.0/24 -all"
out.example.net   A   198.51.100.9
out.example.net   AAAA 2001:db8::9
example.org       MX  10 mail.example.org
mail.example.org  A   192.0.2.1
mail.example.org  AAAA 2001:db8::1
`))
	if err != nil {
		panic(err) // the text stands above
	}
	return zone
}

func ExampleAuditSPF() {
	audit := dnscheck.AuditSPF(context.Background(), exampleZone(), "example.org", dnscheck.SPFAuditOptions{Flatten: true})
	fmt.Println(audit.Lookups, "of 10 look-ups;", audit.Addresses.IPv4, "IPv4 addresses pass, others get", audit.Default)
	for _, term := range audit.Record.Terms {
		fmt.Println(term.Text, "costs", term.Total)
	}
	for _, finding := range audit.Findings {
		fmt.Println(finding.ID, "at", finding.Where.Text())
	}
	fmt.Println(audit.Flattened.Publish[0].Text)
	// Output:
	// 3 of 10 look-ups; 512 IPv4 addresses pass, others get fail
	// include:_spf.example.net costs 2
	// mx costs 1
	// ip4:192.0.2.0/24 costs 0
	// -all costs 0
	// spf-range-overlap at mx
	// v=spf1 ip4:192.0.2.0/24 ip4:198.51.100.0/24 ip6:2001:db8::1 ip6:2001:db8::9 -all
}

// Check a record before it is published: lay it over what DNS says now.
func ExampleOverlay() {
	ctx, live := context.Background(), exampleZone()
	planned := &dnscheck.Overlay{Base: live, SPF: map[string]string{
		"example.org": "v=spf1 include:_spf.example.net ip4:192.0.2.0/25 ~all",
	}}
	before := dnscheck.AuditSPF(ctx, live, "example.org", dnscheck.SPFAuditOptions{})
	after := dnscheck.AuditSPF(ctx, planned, "example.org", dnscheck.SPFAuditOptions{})
	diff := before.Diff(after)
	for _, lost := range diff.Lost {
		fmt.Println("lost", lost.Prefix, "now", lost.After)
	}
	fmt.Println("others:", diff.Default.Before, "becomes", diff.Default.After)
	fmt.Println("look-ups:", diff.Lookups.Before, "becomes", diff.Lookups.After)
	// Output:
	// lost 192.0.2.128/25 now softfail
	// lost 2001:db8::1/128 now softfail
	// others: fail becomes softfail
	// look-ups: 3 becomes 2
}

func ExampleSPFCheck_ReceivedSPF() {
	query := dnscheck.SPFQuery{IP: netip.MustParseAddr("192.0.2.1"), MailFrom: "anna@example.org", HELO: "mail.example.org", Receiver: "mx.example.com"}
	check := dnscheck.CheckSPF(context.Background(), exampleZone(), query)
	fmt.Println("Received-SPF:", check.ReceivedSPF(query))
	fmt.Println("Authentication-Results: mx.example.com;", check.AuthResult(query))
	// Output:
	// Received-SPF: pass (mx.example.com: domain of example.org designates 192.0.2.1 as permitted sender) client-ip=192.0.2.1; envelope-from="anna@example.org"; helo=mail.example.org; receiver=mx.example.com; identity=mailfrom; mechanism=mx
	// Authentication-Results: mx.example.com; spf=pass smtp.mailfrom=anna@example.org
}

func ExampleParseReceivedSPF() {
	field, err := dnscheck.ParseReceivedSPF(`fail (mx.example.com: not permitted) client-ip=203.0.113.9; envelope-from="anna@example.org"`)
	fmt.Println(field.Result, field.ClientIP, field.EnvelopeFrom, err)
	// Output: fail 203.0.113.9 anna@example.org <nil>
}

// A nightly job: one Cache for all domains, so that what they include is asked
// once, and a Limit for each, so that none of them takes the others' budget. Here
// a zone in memory stands in for the Client.
func ExampleAuditSPF_nightly() {
	zone := exampleZone()
	zone.AddTXT("example.com", "v=spf1 include:_spf.example.net ~all")
	zone.SetOutcome("down.example", dnscheck.TypeTXT, dnscheck.ServFail)

	cache := &dnscheck.Cache{Resolver: zone} // new(dnscheck.Client)
	for _, domain := range []string{"example.org", "example.com", "down.example", "new.example"} {
		limit := &dnscheck.Limit{Resolver: cache, Queries: 100}
		audit := dnscheck.AuditSPF(context.Background(), limit, domain, dnscheck.SPFAuditOptions{})
		if audit.Err != nil {
			fmt.Println(domain, "was not read whole:", audit.Err)
			continue
		}
		fmt.Println(domain, audit.Lookups, "of 10 look-ups, strangers get", audit.IPv4.Result)
	}
	// Output:
	// example.org 3 of 10 look-ups, strangers get fail
	// example.com 2 of 10 look-ups, strangers get softfail
	// down.example 0 of 10 look-ups, strangers get temperror
	// new.example 0 of 10 look-ups, strangers get none
}
