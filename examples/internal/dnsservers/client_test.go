package dnsservers

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dnscheck"
)

// expectation is what a server's answer must be. The addresses and names are
// the zones' own; TTLs are checked where the server gives them whole.
type expectation struct {
	name    string
	t       dnscheck.Type
	outcome dnscheck.Outcome
	aliases []string
	tcp     bool
	err     error
	check   func(dnscheck.Answer) bool
}

func TestAuthoritativeServer(t *testing.T) {
	knot, _, _ := startKnot(t)
	minimum := func(a dnscheck.Answer) bool { return a.TTL == 90*time.Second } // of the SOA record
	expect(t, knot, []expectation{
		{name: "signed.example", t: dnscheck.TypeTXT, outcome: dnscheck.Found, check: func(a dnscheck.Answer) bool {
			return a.TTL == 300*time.Second && len(a.TXT) == 1 && a.TXT[0] == dnscheck.TXT{Text: "v=spf1 include:spf.plain.example -all", Strings: 2}
		}},
		{name: "signed.example", t: dnscheck.TypeMX, outcome: dnscheck.Found, check: func(a dnscheck.Answer) bool {
			return slices.Equal(a.MX, []dnscheck.MX{{Preference: 10, Host: "mail.signed.example"}, {Preference: 20, Host: "backup.signed.example"}})
		}},
		{name: "mail.signed.example", t: dnscheck.TypeAAAA, outcome: dnscheck.Found, check: has("2001:db8::1")},
		{name: "mail.signed.example", t: dnscheck.TypeTXT, outcome: dnscheck.NoData, check: minimum},
		{name: "between.signed.example", t: dnscheck.TypeTXT, outcome: dnscheck.NoData}, // an empty non-terminal exists (RFC 8020)
		{name: "none.signed.example", t: dnscheck.TypeTXT, outcome: dnscheck.NXDomain, check: minimum},
		{name: "a.signed.example", t: dnscheck.TypeA, outcome: dnscheck.Found, aliases: []string{"b.signed.example", "c.signed.example", "mail.signed.example"},
			check: func(a dnscheck.Answer) bool { return has("192.0.2.1")(a) && a.TTL == time.Minute }},
		{name: "a.signed.example", t: dnscheck.TypeTXT, outcome: dnscheck.NoData, aliases: []string{"b.signed.example", "c.signed.example", "mail.signed.example"}},
		{name: "a.signed.example", t: dnscheck.TypeCNAME, outcome: dnscheck.Found, check: func(a dnscheck.Answer) bool {
			return slices.Equal(a.Names, []string{"b.signed.example"})
		}},
		{name: "dead.signed.example", t: dnscheck.TypeA, outcome: dnscheck.NXDomain, aliases: []string{"nowhere.signed.example"}},
		{name: "loop.signed.example", t: dnscheck.TypeA, outcome: dnscheck.ServFail, aliases: []string{"loop2.signed.example", "loop.signed.example"}, err: dnscheck.ErrAliasLoop},
		{name: "across.signed.example", t: dnscheck.TypeA, outcome: dnscheck.Found, aliases: []string{"mail.plain.example"}, check: has("198.51.100.25")},
		{name: "away.signed.example", t: dnscheck.TypeA, outcome: dnscheck.Refused, aliases: []string{"mail.elsewhere.example"}},
		{name: "elsewhere.example", t: dnscheck.TypeA, outcome: dnscheck.Refused},
		{name: "broken.example", t: dnscheck.TypeA, outcome: dnscheck.ServFail},
		{name: "big.signed.example", t: dnscheck.TypeTXT, outcome: dnscheck.Found, tcp: true, check: func(a dnscheck.Answer) bool {
			return len(a.TXT) == 1 && a.TXT[0] == dnscheck.TXT{Text: strings.Repeat("x", 51_000), Strings: 200} && a.Size > 51_000
		}},
		{name: "many.signed.example", t: dnscheck.TypeMX, outcome: dnscheck.Found, tcp: true, check: func(a dnscheck.Answer) bool {
			return len(a.MX) == 1000 && a.MX[0].Host == "mail.signed.example" && a.MX[999].Host == "mx998.signed.example"
		}},
	})
}

func TestValidatingServer(t *testing.T) {
	_, port, anchors := startKnot(t)
	unbound := startUnbound(t, port, anchors)
	authentic := func(a dnscheck.Answer) bool { return a.Authentic }
	doubtful := func(a dnscheck.Answer) bool { return !a.Authentic }
	expect(t, unbound, []expectation{
		{name: "signed.example", t: dnscheck.TypeTXT, outcome: dnscheck.Found, check: authentic},
		{name: "mail.signed.example", t: dnscheck.TypeTXT, outcome: dnscheck.NoData, check: authentic},
		{name: "none.signed.example", t: dnscheck.TypeTXT, outcome: dnscheck.NXDomain, check: authentic},
		{name: "a.signed.example", t: dnscheck.TypeA, outcome: dnscheck.Found, aliases: []string{"b.signed.example", "c.signed.example", "mail.signed.example"}, check: authentic},
		{name: "across.signed.example", t: dnscheck.TypeA, outcome: dnscheck.Found, aliases: []string{"mail.plain.example"}, check: doubtful}, // leads to an unsigned zone
		{name: "plain.example", t: dnscheck.TypeTXT, outcome: dnscheck.Found, check: doubtful},
		{name: "none.plain.example", t: dnscheck.TypeTXT, outcome: dnscheck.NXDomain, check: doubtful},
		{name: "bogus.example", t: dnscheck.TypeTXT, outcome: dnscheck.ServFail, err: dnscheck.ErrBogus, check: doubtful}, // unsigned where a signature is due
		{name: "broken.example", t: dnscheck.TypeTXT, outcome: dnscheck.ServFail},
		{name: "loop.signed.example", t: dnscheck.TypeA, outcome: dnscheck.ServFail},
		{name: "big.signed.example", t: dnscheck.TypeTXT, outcome: dnscheck.Found, tcp: true, check: func(a dnscheck.Answer) bool {
			return authentic(a) && len(a.TXT) == 1 && len(a.TXT[0].Text) == 51_000
		}},
	})
}

// TestCheckOverServersReplaysOffline runs SPF over the servers with every
// wrapper between, then again from the recording alone.
func TestCheckOverServersReplaysOffline(t *testing.T) {
	_, port, anchors := startKnot(t)
	var file bytes.Buffer
	limit := &dnscheck.Limit{Resolver: &dnscheck.Cache{Resolver: startUnbound(t, port, anchors)}}
	recorder := &dnscheck.Recorder{Resolver: limit, Writer: &file}
	check := func(r dnscheck.Resolver) string {
		result := dnscheck.CheckSPF(t.Context(), r, dnscheck.SPFQuery{
			IP: netip.MustParseAddr("198.51.100.25"), MailFrom: "anna@signed.example", HELO: "mail.plain.example", Trace: true,
		})
		if result.Result != dnscheck.SPFPass || result.Lookups != 1 {
			t.Errorf("%v after %d look-ups (%v)", result.Result, result.Lookups, result.Err)
		}
		text, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	live := check(recorder)
	recording, err := dnscheck.ReadRecording(&file)
	if err != nil || limit.Used().Queries != 2 { // the domain's record and the include's
		t.Fatalf("%v, %+v", err, limit.Used())
	}
	if again := check(recording.Replay()); again != live {
		t.Errorf("live:\n%s\nreplayed:\n%s", live, again)
	}
}

func has(addr string) func(dnscheck.Answer) bool {
	return func(a dnscheck.Answer) bool { return len(a.Addrs) == 1 && a.Addrs[0] == netip.MustParseAddr(addr) }
}

func expect(t *testing.T, client *dnscheck.Client, all []expectation) {
	t.Helper()
	for _, e := range all {
		got := client.Lookup(t.Context(), e.name, e.t)
		if got.Outcome != e.outcome || !slices.Equal(got.CNAME, e.aliases) || got.TCP != e.tcp || !errors.Is(got.Err, e.err) && e.err != nil ||
			e.check != nil && !e.check(got) || got.Server != client.Servers[0] || got.Size == 0 {
			if len(got.TXT) > 0 {
				got.TXT[0].Text = got.TXT[0].Text[:min(80, len(got.TXT[0].Text))]
			}
			t.Errorf("%s %v: %+v, want %v by way of %q", e.name, e.t, got, e.outcome, e.aliases)
		}
	}
}
