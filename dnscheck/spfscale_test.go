package dnscheck

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// wideRecords are records of n terms that give every part of an audit work.
var wideRecords = map[string]func(n int) *Zone{
	"addresses with changing qualifiers": func(n int) *Zone {
		var z Zone
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " %sip4:10.%d.%d.%d", []string{"", "-", "~"}[i%3], i>>15&255, i>>7&255, i<<1&255)
		}
		z.AddTXT("example.org", "v=spf1"+b.String()+" -all")
		return &z
	},
	"addresses of one qualifier": func(n int) *Zone {
		var z Zone
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " ip4:10.%d.%d.%d", i>>15&255, i>>7&255, i<<1&255)
		}
		z.AddTXT("example.org", "v=spf1"+b.String()+" -all")
		return &z
	},
	"blocks within each other": func(n int) *Zone {
		var z Zone
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " %sip6:2001:db8:%x:%x::/%d", []string{"", "?"}[i%2], i>>5, i>>16, 128-i%97)
		}
		z.AddTXT("example.org", "v=spf1"+b.String()+" -all")
		return &z
	},
	"terms with errors": func(n int) *Zone {
		var z Zone
		z.AddTXT("example.org", "v=spf1"+strings.Repeat(" ipv4:192.0.2.1 inclde:example.net", n/2)+" -all")
		return &z
	},
	"included addresses": func(n int) *Zone {
		var z Zone
		var main strings.Builder
		for i := range 8 {
			var b strings.Builder
			for j := range n / 8 {
				fmt.Fprintf(&b, " ip4:10.%d.%d.%d/%d", j>>7&255, j<<1&255, i, 32-i)
			}
			name := fmt.Sprintf("i%d.example.net", i)
			z.AddTXT(name, "v=spf1"+b.String()+" -all")
			main.WriteString(" include:" + name)
		}
		z.AddTXT("example.org", "v=spf1"+main.String()+" -all")
		return &z
	},
}

// The work of an audit grows with the record, not with its square: memory is
// measured, which a busy machine does not change.
func TestAuditGrowsWithTheRecord(t *testing.T) {
	for name, zone := range wideRecords {
		t.Run(name, func(t *testing.T) {
			small, large := auditedBytes(zone(1000)), auditedBytes(zone(16000))
			if large > 32*small { // 16 times the terms; a square would be 256 times
				t.Errorf("16 times the terms take %d times the memory (%d bytes, %d bytes)", large/small, small, large)
			}
		})
	}
}

func auditedBytes(z *Zone) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	AuditSPF(context.Background(), z, "example.org", SPFAuditOptions{Flatten: true, MaxTerms: -1, Timeout: -1})
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func BenchmarkWideAudit(b *testing.B) {
	for name, zone := range wideRecords {
		for _, n := range []int{1 << 10, 1 << 12, 1 << 14, 1 << 16} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				z := zone(n)
				for b.Loop() {
					AuditSPF(context.Background(), z, "example.org", SPFAuditOptions{Flatten: true, MaxTerms: -1, Timeout: -1})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/term")
			})
		}
	}
}
