package dnscheck_test

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"github.com/mailfault/mailfault/dnscheck"
)

func ExampleCheckSPF() {
	zone, err := dnscheck.ReadZone(strings.NewReader(`
example.org       TXT "v=spf1 include:_spf.example.net mx -all"
_spf.example.net  TXT "v=spf1 ip4:198.51.100.0/24 -all"
example.org       MX  10 mail.example.org
mail.example.org  A   192.0.2.1
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	result := dnscheck.CheckSPF(context.Background(), zone, dnscheck.SPFQuery{
		IP: netip.MustParseAddr("192.0.2.1"), MailFrom: "anna@example.org", HELO: "mail.example.org", Trace: true,
	})
	fmt.Println(result.Result, "after", result.Lookups, "look-ups, decided by", result.Record[result.Term.Start:result.Term.End])
	for _, step := range result.Steps {
		fmt.Println(strings.Repeat("  ", step.Depth)+step.Term.Mechanism.String(), step.Asked, step.Lookups, step.Matched)
	}
	// Output:
	// pass after 2 look-ups, decided by mx
	// include _spf.example.net 1 false
	//   ip4  1 false
	//   all  1 true
	// mx example.org 2 true
}

func ExampleParseSPF() {
	_, err := dnscheck.ParseSPF("v=spf1 ipv4:192.0.2.1 -all")
	fmt.Println(err)
	// Output: dnscheck: SPF term "ipv4:192.0.2.1" at byte 7: there is no such mechanism; did you mean ip4:192.0.2.1?
}
