package dnscheck

import (
	"context"
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// Hostile records cost bounded questions and time, and say that they were cut.
func TestAuditsOfHostileRecordsAreBounded(t *testing.T) {
	var bomb Zone
	for i := range 50 {
		var terms []string
		for j := range 50 {
			terms = append(terms, fmt.Sprintf("include:d%d.example.org", (i*7+j)%50))
		}
		bomb.AddTXT(fmt.Sprintf("d%d.example.org", i), "v=spf1 "+strings.Join(terms, " ")+" -all")
	}
	var deep Zone
	for i := range 2000 {
		deep.AddTXT(fmt.Sprintf("d%d.example.org", i), fmt.Sprintf("v=spf1 include:d%d.example.org -all", i+1))
	}
	var wide, alternating, many Zone
	wide.AddTXT("d0.example.org", "v=spf1 "+strings.Repeat("a:%{d} ", 9000)+"-all")
	var b strings.Builder
	for i := range 4600 {
		fmt.Fprintf(&b, " %sip4:10.%d.%d.0", []string{"", "-", "~"}[i%3], i/256, i%256)
	}
	alternating.AddTXT("d0.example.org", "v=spf1"+b.String())
	b.Reset()
	for i := range 3000 {
		fmt.Fprintf(&b, " a:n%d.example.org", i)
	}
	many.AddTXT("d0.example.org", "v=spf1"+b.String()+" -all")
	for i := range 1000 {
		many.AddMX("d0.example.org", 1, fmt.Sprintf("m%d.example.org", i))
		many.AddAddr("n0.example.org", netip.AddrFrom4([4]byte{192, 0, byte(i >> 8), byte(i)}))
	}
	var crowded Zone
	b.Reset()
	for i := range 900 {
		fmt.Fprintf(&b, " %sa:n%d.example.org", []string{"", "-", "~"}[i%3], i)
		for j := range 99 {
			crowded.AddAddr(fmt.Sprintf("n%d.example.org", i), netip.AddrFrom4([4]byte{192, byte(i >> 8), byte(i), byte(2 * j)}))
		}
	}
	crowded.AddTXT("d0.example.org", "v=spf1"+b.String()+" -all")
	tests := []struct {
		name      string
		zone      *Zone
		truncated bool
		lookups   int // at least
	}{
		{"an include bomb", &bomb, true, 500},
		{"a chain of 2000", &deep, true, 30},
		{"64 KiB of the same a", &wide, true, 4000},
		{"4600 addresses with changing qualifiers", &alternating, false, 0},
		{"names with many addresses each", &crowded, true, 400},
		{"3000 names", &many, true, 900},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			counted := &counter{r: test.zone}
			start := time.Now()
			a := AuditSPF(context.Background(), counted, "d0.example.org", SPFAuditOptions{Flatten: true, Sender: SPFQuery{IP: netip.MustParseAddr("192.0.2.1")}})
			if counted.n > 1000 || time.Since(start) > 2*time.Minute {
				t.Errorf("%d questions in %v", counted.n, time.Since(start))
			}
			if a.Truncated != test.truncated || a.Lookups < test.lookups || len(a.Findings) > maxFindings {
				t.Errorf("truncated %v, %d look-ups, %d findings", a.Truncated, a.Lookups, len(a.Findings))
			}
			if test.truncated != strings.Contains(ids(a.Findings), "spf-audit-limit") {
				t.Errorf("findings %s", ids(a.Findings))
			}
			if test.lookups > MaxLookups && a.Eleventh == nil {
				t.Error("no eleventh term")
			}
			if data, err := json.Marshal(a); err != nil || len(data) > 64<<20 {
				t.Errorf("%d bytes, %v", len(data), err)
			}
		})
	}
}

func TestAuditEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a := AuditSPF(ctx, zone(t, `example.org TXT "v=spf1 a -all"`), "example.org", SPFAuditOptions{})
	if !a.Truncated || a.IPv4.Result != SPFTempError {
		t.Errorf("%v, truncated %v", a.IPv4.Result, a.Truncated)
	}
}

func FuzzAuditSPF(f *testing.F) {
	for _, test := range auditTests {
		f.Add(test.record, "v=spf1 include:example.org a:%{p}.x.example.org ~all")
	}
	f.Fuzz(func(t *testing.T, record, other string) {
		var z Zone
		z.AddTXT("example.org", record)
		z.AddTXT("two.example.net", other)
		z.AddAddr("h1.example.net", netip.MustParseAddr("192.0.2.1"))
		counted := &counter{r: &z}
		a := AuditSPF(context.Background(), counted, "example.org", SPFAuditOptions{Flatten: true, MaxQueries: 200})
		if counted.n > 200 || (a.Eleventh != nil) != (a.Lookups > MaxLookups) {
			t.Errorf("%d questions, %d look-ups, eleventh %v", counted.n, a.Lookups, a.Eleventh)
		}
		for _, finding := range a.Findings {
			if w := finding.Where; w.Start < 0 || w.End > len(w.Record) || w.Start > w.End || spfRules[finding.ID].message == "" {
				t.Errorf("%+v", finding)
			}
		}
		if !a.Diff(a).Empty() {
			t.Errorf("differs from itself: %+v", a.Diff(a))
		}
		for _, p := range a.Flattened.Publish {
			if _, err := ParseSPF(p.Text); err != nil {
				t.Errorf("flattened to %q: %v", p.Text, err)
			}
		}
		if _, err := json.Marshal(a); err != nil {
			t.Error(err)
		}
	})
}

func BenchmarkAuditOfTenIncludes(b *testing.B) {
	var z Zone
	var record strings.Builder
	record.WriteString("v=spf1")
	for i := range 10 {
		name := fmt.Sprintf("_spf%d.example.net", i)
		record.WriteString(" include:" + name)
		z.AddTXT(name, fmt.Sprintf("v=spf1 ip4:192.0.%d.0/24 ip4:198.51.%d.0/25 ip6:2001:db8:%d::/48 ~all", i, i, i))
	}
	z.AddTXT("example.org", record.String()+" -all")
	b.ReportAllocs()
	for b.Loop() {
		if a := AuditSPF(context.Background(), &z, "example.org", SPFAuditOptions{}); a.Lookups != 10 {
			b.Fatal(a.Lookups)
		}
	}
}
