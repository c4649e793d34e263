package dnscheck

import (
	"context"
	"encoding/json"
	"net/netip"
	"os"
	"slices"
	"testing"
)

// probe is one case of testdata/probes.json, the limit suite.
type probe struct {
	Name, Helo, Host, MailFrom string
	Results                    []string
	Zone                       map[string][]struct {
		Type string
		Val  []string
	}
}

func TestProbes(t *testing.T) {
	data, err := os.ReadFile("testdata/probes.json")
	if err != nil {
		t.Fatal(err)
	}
	var probes []probe
	if err := json.Unmarshal(data, &probes); err != nil {
		t.Fatal(err)
	}
	if len(probes) != 36 {
		t.Errorf("%d probes", len(probes))
	}
	for _, p := range probes {
		t.Run(p.Name, func(t *testing.T) {
			got := CheckSPF(context.Background(), p.zone(t), SPFQuery{IP: netip.MustParseAddr(p.Host), MailFrom: p.MailFrom, HELO: p.Helo})
			if !slices.Contains(p.Results, got.Result.String()) {
				t.Errorf("%v (%v, %d look-ups, %d voids), want %v", got.Result, got.Err, got.Lookups, got.Voids, p.Results)
			}
		})
	}
}

// zone returns the probe's DNS.
func (p probe) zone(t *testing.T) *Zone {
	t.Helper()
	var z Zone
	for name, records := range p.Zone {
		for _, r := range records {
			switch r.Type {
			case "TXT":
				z.AddTXT(name, r.Val...)
			case "A", "AAAA":
				z.AddAddr(name, netip.MustParseAddr(r.Val[0]))
			case "MX":
				z.AddMX(name, uint16(r.Val[0][0]-'0'), r.Val[1])
			case "PTR":
				z.AddPTR(name, r.Val[0])
			case "TIMEOUT":
				z.SetOutcome(name, TypeTXT, Timeout)
			default:
				t.Fatalf("record type %q", r.Type)
			}
		}
	}
	return &z
}
