package dnscheck

import (
	"context"
	"net/netip"
	"strings"
	"testing"
)

// A limit below zero is none, a small one cuts the audit short and says so.
func TestLimitsOfAnAudit(t *testing.T) {
	const record = "v=spf1 include:four.example.net mx:mail.example.net -all"
	z := auditZone(t, record)
	whole := AuditSPF(t.Context(), z, "example.org", SPFAuditOptions{})
	for name, tt := range map[string]struct {
		o   SPFAuditOptions
		cut bool
	}{
		"no limits":   {SPFAuditOptions{MaxRecords: -1, MaxTerms: -1, MaxQueries: -1, MaxDepth: -1}, false},
		"two records": {SPFAuditOptions{MaxRecords: 2}, true},
		"three terms": {SPFAuditOptions{MaxTerms: 3}, true},
		"two queries": {SPFAuditOptions{MaxQueries: 2}, true},
		"one include": {SPFAuditOptions{MaxDepth: 1}, true},
		"just enough": {SPFAuditOptions{MaxRecords: 4, MaxDepth: 3}, false},
	} {
		a := AuditSPF(t.Context(), z, "example.org", tt.o)
		if a.Truncated != tt.cut || a.Err != nil {
			t.Errorf("%s: truncated %v, %v", name, a.Truncated, a.Err)
		}
		if (a.Lookups < whole.Lookups) != tt.cut && name != "two queries" {
			t.Errorf("%s: %d look-ups of %d", name, a.Lookups, whole.Lookups)
		}
	}
}

// What the record says of one sender is nothing that it says of the others: the
// client that no term names is still the one whom nobody's mail lets in.
func TestAnAuditOfASender(t *testing.T) {
	z := auditZone(t, "v=spf1 include:%{l}._spf.example.org exists:%{ir}.%{v}.example.net -all")
	z.AddTXT("ann._spf.example.org", "v=spf1 +all")
	z.AddAddr("1.2.0.192.in-addr.example.net", netip.MustParseAddr("127.0.0.2"))
	sender := SPFQuery{IP: netip.MustParseAddr("::ffff:192.0.2.1"), MailFrom: "ann@example.org"}
	a := AuditSPF(t.Context(), z, "example.org", SPFAuditOptions{Sender: sender})
	if a.Sender == nil || a.Sender.Result != SPFPass || a.Default != SPFFail || len(a.Senders) != 0 {
		t.Errorf("sender %+v, default %v, senders %v", a.Sender, a.Default, a.Senders)
	}
	if a.IPv4.Result != SPFFail || a.IPv6.Result != SPFFail {
		t.Errorf("others get %v and %v", a.IPv4.Result, a.IPv6.Result)
	}
	if exists := a.Record.Terms[1]; exists.Outcome != Found {
		t.Errorf("the sender's address is asked for as %q: %v", exists.Target, exists.Outcome)
	}
}

// A name that always is lets everybody pass, before the terms behind it and not
// before those above.
func TestExistsThatAlwaysIsListsEverybody(t *testing.T) {
	for record, want := range map[string]string{
		"v=spf1 exists:h1.example.net -all":                 "0.0.0.0/0 pass ::/0 pass",
		"v=spf1 -ip4:0.0.0.0/1 ~exists:h1.example.net -all": "128.0.0.0/1 softfail ::/0 softfail",
		"v=spf1 exists:gone.example.net ip4:192.0.2.1 -all": "192.0.2.1/32 pass",
	} {
		a := AuditSPF(context.Background(), auditZone(t, record), "example.org", SPFAuditOptions{})
		var got []string
		for _, s := range a.Senders {
			got = append(got, s.Prefix.String()+" "+s.Result.String())
		}
		if s := strings.Join(got, " "); s != want || a.Default != SPFFail {
			t.Errorf("%s: %s, default %v, want %s", record, s, a.Default, want)
		}
	}
}

// The finding names the host that DNS does not answer for, not the domain whose
// exchanger it is.
func TestAFailedExchangerIsNamed(t *testing.T) {
	for record, want := range map[string]string{
		"v=spf1 mx:ill2.example.net -all": "no answer for slow.example.net",
		"v=spf1 a:late.example.net -all":  "no answer for late.example.net",
		"v=spf1 mx:sick.example.net -all": "no answer for sick.example.net",
	} {
		z := auditZone(t, record)
		z.SetOutcome("sick.example.net", TypeMX, ServFail)
		a := AuditSPF(t.Context(), z, "example.org", SPFAuditOptions{})
		if len(a.Findings) != 1 || !strings.Contains(a.Findings[0].Message, want) {
			t.Errorf("%s: %v", record, a.Findings)
		}
	}
}
