package dnscheck_test

import (
	"bytes"
	"context"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dnscheck"
)

// One cache serves all checks of a program; each check has a limit of its own.
func ExampleClient() {
	cache := &dnscheck.Cache{Resolver: &dnscheck.Client{
		Servers: []string{"127.0.0.1"}, // without: the system's
		Timeout: 2 * time.Second,
	}}
	check := &dnscheck.Limit{Resolver: cache, Queries: 100, Timeout: 10 * time.Second}
	answer := check.Lookup(context.Background(), "example.org", dnscheck.TypeMX)
	switch {
	case answer.Outcome.Failed():
		fmt.Println("no answer, try later:", answer.Outcome, answer.Err)
	case answer.Outcome == dnscheck.NXDomain:
		fmt.Println("there is no such domain; asked", answer.Server)
	default:
		fmt.Println(answer.MX, "for", answer.TTL, "verified:", answer.Authentic)
	}
}

func ExampleCache() {
	zone := &dnscheck.Zone{}
	zone.AddTXT("example.org", "v=spf1 -all")
	counted := &dnscheck.Limit{Resolver: zone}
	cache := &dnscheck.Cache{Resolver: counted, MinTTL: time.Minute} // records of a Zone have no TTL
	for range 3 {
		fmt.Println(cache.Lookup(context.Background(), "example.org", dnscheck.TypeTXT).TXT[0].Text)
	}
	fmt.Println("asked", counted.Used().Queries)
	// Output:
	// v=spf1 -all
	// v=spf1 -all
	// v=spf1 -all
	// asked 1
}

func ExampleLimit() {
	limit := &dnscheck.Limit{Resolver: &dnscheck.Zone{}, Queries: 1}
	for range 2 {
		answer := limit.Lookup(context.Background(), "example.org", dnscheck.TypeA)
		fmt.Println(answer.Outcome, answer.Err)
	}
	fmt.Printf("%+v\n", limit.Used())
	// Output:
	// nxdomain <nil>
	// unknown dnscheck: the check's budget of DNS questions or time is spent
	// {Queries:1 Refused:1}
}

func ExampleRecorder() {
	zone, err := dnscheck.ReadZone(strings.NewReader(`example.org TXT "v=spf1 ip4:192.0.2.0/24 -all"`))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, query := context.Background(), dnscheck.SPFQuery{IP: netip.MustParseAddr("192.0.2.1"), MailFrom: "anna@example.org"}
	var file bytes.Buffer
	recorder := &dnscheck.Recorder{Resolver: zone, Writer: &file, Time: time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)}
	fmt.Println(dnscheck.CheckSPF(ctx, recorder, query).Result, recorder.Err())
	fmt.Print(file.String())

	recording, err := dnscheck.ReadRecording(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dnscheck.CheckSPF(ctx, recording.Replay(), query).Result)
	// Output:
	// pass <nil>
	// {"format":"dnscheck-recording","version":1,"time":"2026-01-02T15:04:05Z"}
	// {"name":"example.org","type":"TXT","answer":{"outcome":"found","txt":[{"text":"v=spf1 ip4:192.0.2.0/24 -all","strings":1}],"ttl_seconds":0}}
	// pass
}

func ExampleSystemResolver() {
	// A literal is no name in DNS, though net.Resolver would answer it.
	answer := dnscheck.SystemResolver{}.Lookup(context.Background(), "192.0.2.1", dnscheck.TypeA)
	fmt.Println(answer.Outcome, "but cannot know:", answer.Gaps)
	// Output: no-data but cannot know: existence,ttl,aliases,authentic,strings
}
