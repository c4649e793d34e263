package dnscheck

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestDiffSaysWhoGainsAndLoses(t *testing.T) {
	tests := []struct{ name, before, after, want string }{
		{"another order is no change", "v=spf1 ip4:192.0.2.0/24 a:both.example.net -all", "v=spf1 a:both.example.net ip4:192.0.2.0/25 ip4:192.0.2.128/25 -all", ""},
		{"an address more", "v=spf1 ip4:192.0.2.1 -all", "v=spf1 ip4:192.0.2.0/31 -all", "gained 192.0.2.0/32 fail->pass"},
		{"an address less", "v=spf1 ip4:192.0.2.0/31 ~all", "v=spf1 ip4:192.0.2.1 ~all", "lost 192.0.2.0/32 pass->softfail"},
		{"an exception", "v=spf1 ip4:192.0.2.0/30 ~all", "v=spf1 -ip4:192.0.2.2 ip4:192.0.2.0/30 ~all", "lost 192.0.2.2/32 pass->fail"},
		{"from softfail to fail", "v=spf1 ?ip4:192.0.2.1 ip4:192.0.2.2 ~all", "v=spf1 ~ip4:192.0.2.1 ip4:192.0.2.2 -all", "changed 192.0.2.1/32 neutral->softfail default softfail->fail"},
		{"an include written out", "v=spf1 include:ip.example.net -all", "v=spf1 ip4:198.51.100.0/24 ip6:2001:db8::/32 -all", ""},
		{"terms that cannot be listed", "v=spf1 exists:%{i}.a.example.org -all", "v=spf1 ptr -all", "unlisted -example.org: exists:%{i}.a.example.org +example.org: ptr"},
		{"a record that breaks", "v=spf1 ip4:192.0.2.1 -all", "v=spf1 ip4:192.0.2.1 -all;", "lost 192.0.2.1/32 pass->permerror default fail->neutral ipv4 fail->permerror"},
		{"a record that is mended", "v=spf1 ip4:192.0.2.1 ip4:192.0.2.2 -all;", "v=spf1 ip4:192.0.2.1 -all", "gained 192.0.2.1/32 permerror->pass default neutral->fail ipv4 permerror->fail"},
		{"a record that stays broken has no senders to lose", "v=spf1 ip4:192.0.2.1 exists:%{i}.a.example.org -all;", "v=spf1 ip4:192.0.2.2 ~all;", ""},
		{"senders before a loop pass today", "v=spf1 ip4:192.0.2.1 include:self.example.net ip4:192.0.2.2 -all", "v=spf1 ip4:192.0.2.2 -all", "gained 192.0.2.2/32 permerror->pass lost 192.0.2.1/32 pass->fail ipv4 permerror->fail"},
		{"terms behind an error find nobody", "v=spf1 exists:%{i}.a.example.org include:gone.example.net exists:%{i}.b.example.org -all", "v=spf1 -all", "unlisted -example.org: exists:%{i}.a.example.org + ipv4 permerror->fail"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			z := auditZone(t, test.before)
			after := &Overlay{Base: z, SPF: map[string]string{"example.org": test.after}}
			a := AuditSPF(context.Background(), z, "example.org", SPFAuditOptions{})
			b := AuditSPF(context.Background(), after, "example.org", SPFAuditOptions{})
			d := a.Diff(b)
			if got := diffText(d); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if d.Empty() != (test.want == "") {
				t.Errorf("empty: %v", d.Empty())
			}
			// An audit that was kept as JSON compares alike.
			data, err := json.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			var kept SPFAudit
			if err := json.Unmarshal(data, &kept); err != nil {
				t.Fatal(err)
			}
			if got := diffText(kept.Diff(b)); got != test.want {
				t.Errorf("from JSON %s", got)
			}
		})
	}
}

func diffText(d *SPFDiff) string {
	var out []string
	for _, l := range []struct {
		name    string
		changes []SPFChange
	}{{"gained", d.Gained}, {"lost", d.Lost}, {"changed", d.Changed}} {
		for _, c := range l.changes {
			out = append(out, fmt.Sprintf("%s %v %v->%v", l.name, c.Prefix, c.Before, c.After))
		}
	}
	if len(d.UnlistedLost)+len(d.UnlistedGained) > 0 {
		out = append(out, "unlisted -"+strings.Join(d.UnlistedLost, ",")+" +"+strings.Join(d.UnlistedGained, ","))
	}
	if d.Default.Before != d.Default.After {
		out = append(out, fmt.Sprintf("default %v->%v", d.Default.Before, d.Default.After))
	}
	if d.IPv4 != d.Default {
		if d.IPv4.Before != d.IPv4.After {
			out = append(out, fmt.Sprintf("ipv4 %v->%v", d.IPv4.Before, d.IPv4.After))
		}
	}
	return strings.Join(out, " ")
}

func TestADifferenceFromNothing(t *testing.T) {
	a := AuditSPF(t.Context(), auditZone(t, "v=spf1 ip4:192.0.2.1 -all"), "example.org", SPFAuditOptions{})
	var none *SPFAudit
	if got := diffText(none.Diff(a)); got != "gained 192.0.2.1/32 none->pass default none->fail" {
		t.Error(got)
	}
	if got := diffText(a.Diff(nil)); got != "lost 192.0.2.1/32 pass->none default fail->none" {
		t.Error(got)
	}
	if d := none.Diff(nil); !d.Empty() {
		t.Errorf("%+v", d)
	}
}
