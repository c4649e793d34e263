package dnscheck

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"
)

// Whoever forgot the resolver or the context is told so, by an answer and not by a
// panic, and nobody is blamed for it.
func TestWithoutResolverOrContextNothingIsAsked(t *testing.T) {
	var none context.Context
	here := t.Context()
	zone := readZone(t, `example.org TXT "v=spf1 -all"`)
	tests := []struct {
		name string
		ctx  context.Context
		r    Resolver
		want error
	}{
		{"no resolver", here, nil, ErrNoResolver},
		{"no context", none, zone, ErrNoContext},
		{"neither", none, nil, ErrNoContext},
		{"a cache of nothing", here, &Cache{}, ErrNoResolver},
		{"a limit of nothing", here, &Limit{}, ErrNoResolver},
		{"a recorder of nothing", here, &Recorder{}, ErrNoResolver},
		{"a cache of a limit of nothing", here, &Cache{Resolver: &Limit{}}, ErrNoResolver},
		{"no cache", here, (*Cache)(nil), ErrNoResolver},
		{"no limit", here, (*Limit)(nil), ErrNoResolver},
		{"no recorder", here, (*Recorder)(nil), ErrNoResolver},
		{"no overlay", here, (*Overlay)(nil), ErrNoResolver},
		{"no client", here, (*Client)(nil), ErrNoResolver},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			query := SPFQuery{IP: netip.MustParseAddr("203.0.113.9"), MailFrom: "anna@example.org"}
			check := CheckSPF(tt.ctx, tt.r, query)
			if check.Result != SPFTempError || !errors.Is(check.Err, tt.want) {
				t.Errorf("SPF: %v, %v", check.Result, check.Err)
			}
			audit := AuditSPF(tt.ctx, tt.r, "example.org", SPFAuditOptions{Sender: query, Flatten: true})
			if !errors.Is(audit.Err, tt.want) || !audit.Truncated || ids(audit.Findings) != "spf-audit-ended" || audit.IPv4.Result != SPFTempError || audit.Flattened.Refused == "" {
				t.Errorf("audit: %v, %v, %s", audit.Err, audit.Truncated, ids(audit.Findings))
			}
			for _, claim := range []Claim{ClaimSPF, ClaimDKIM, ClaimDMARC} {
				refusal := Refusal{Claim: claim, AuthorDomain: "example.org", EnvelopeFrom: "example.org", SendingIP: query.IP, Selector: "sel"}
				explained := Explain(tt.ctx, tt.r, refusal)
				if !errors.Is(explained.Err, tt.want) || explained.Agreement != NoAnswer || explained.Cause != "not-asked" || explained.Owner != OwnerUnknown {
					t.Errorf("%v: %s, %v", claim, explained.Cause, explained.Err)
				}
			}
			if ip := CheckIP(tt.ctx, tt.r, query.IP, "mail.example.org"); ip.Err == nil {
				t.Errorf("IP: no error")
			}
		})
	}
}

func TestResolversWithoutAContextDoNotAsk(t *testing.T) {
	var none context.Context
	zone := readZone(t, `example.org TXT "v=spf1 -all"`)
	for name, r := range map[string]Resolver{
		"cache": &Cache{Resolver: zone}, "limit": &Limit{Resolver: zone}, "recorder": &Recorder{Resolver: zone, Writer: &strings.Builder{}},
		"overlay": &Overlay{Base: zone}, "client": &Client{Servers: []string{"127.0.0.1:1"}}, "system": SystemResolver{},
	} {
		if a := r.Lookup(none, "example.org", TypeTXT); !errors.Is(a.Err, ErrNoContext) || !a.Outcome.Failed() {
			t.Errorf("%s: %v, %v", name, a.Outcome, a.Err)
		}
	}
}

// A check that its caller gave up says nothing about DNS.
func TestACancelledCheckIsNoFaultOfDNS(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	zone := readZone(t, `example.org TXT "v=spf1 -all"`)
	ip := netip.MustParseAddr("203.0.113.9")
	if got := CheckSPF(ended, zone, SPFQuery{IP: ip, MailFrom: "anna@example.org"}); got.Result != SPFTempError || !errors.Is(got.Err, context.Canceled) {
		t.Errorf("SPF: %v, %v", got.Result, got.Err)
	}
	if got := AuditSPF(ended, zone, "example.org", SPFAuditOptions{}); !errors.Is(got.Err, context.Canceled) || ids(got.Findings) != "spf-audit-ended" {
		t.Errorf("audit: %v, %s", got.Err, ids(got.Findings))
	}
	for _, claim := range []Claim{ClaimSPF, ClaimDKIM, ClaimDMARC} {
		got := Explain(ended, zone, Refusal{Claim: claim, AuthorDomain: "example.org", EnvelopeFrom: "example.org", SendingIP: ip, Selector: "sel"})
		if !errors.Is(got.Err, context.Canceled) || got.Cause != "not-asked" || got.Owner != OwnerUnknown || got.Publish != "" {
			t.Errorf("%v: %s, %v", claim, got.Cause, got.Err)
		}
	}
}

// A limit of the audit's own options is no silence of the name servers.
func TestAnAuditThatStopsBlamesNoNameServer(t *testing.T) {
	zone := readZone(t, "example.org TXT \"v=spf1 a:h.example.org include:x.example.org -all\"\nx.example.org TXT \"v=spf1 -all\"\nh.example.org A 192.0.2.1")
	for _, most := range []int{1, 2, 3, 4} {
		a := AuditSPF(t.Context(), zone, "example.org", SPFAuditOptions{MaxQueries: most})
		if !a.Truncated || a.Err != nil || strings.Contains(ids(a.Findings), "spf-dns-failed") || !strings.Contains(ids(a.Findings), "spf-audit-limit") {
			t.Errorf("%d: %v, %v, %s", most, a.Truncated, a.Err, ids(a.Findings))
		}
	}
}

func TestNothingToReadFromIsAnError(t *testing.T) {
	if z, err := ReadZone(nil); z != nil || !errors.As(err, new(*ZoneError)) {
		t.Errorf("zone: %v", err)
	}
	if rec, err := ReadRecording(nil); rec != nil || !errors.As(err, new(*RecordingError)) {
		t.Errorf("recording: %v", err)
	}
	recorder := &Recorder{Resolver: &Zone{}}
	if a := recorder.Lookup(t.Context(), "example.org", TypeTXT); a.Outcome != NXDomain || recorder.Err() == nil {
		t.Errorf("%v, %v: a recorder without a writer answers and says that it wrote nothing", a.Outcome, recorder.Err())
	}
	if (*Limit)(nil).Used() != (Usage{}) || (*Recorder)(nil).Err() != nil {
		t.Error("what is nil has cost and written nothing")
	}
}
