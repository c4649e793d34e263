package dnscheck

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"
)

// What is no domain is refused with the reason, by every check that takes one,
// and nothing is asked.
func TestWhatIsNoDomainIsRefused(t *testing.T) {
	tests := []struct{ text, why string }{
		{"", "empty"}, {" \t", "empty"},
		{"192.0.2.1", "CheckIP"}, {"192.0.2.1.", "CheckIP"}, {"[192.0.2.1]", "CheckIP"}, {"2001:db8::1", "CheckIP"}, {"[IPv6:2001:db8::1]", "CheckIP"},
		{"a@example.org", "behind the @"}, {"@example.org", "behind the @"},
		{"exa mple.org", "blank"}, {"example.org\n", "blank"},
		{"https://example.org/", "web page"},
		{"example.org:25", `':'`}, {"example.org/24", `'/'`}, {"*.example.org", `'*'`}, {"exa\"mple.org", `'"'`},
		{".example.org", "empty label"}, {"example..org", "empty label"}, {strings.Repeat("a", 64) + ".example", "63 bytes"}, {".", "empty label"},
		{"\u00ad.example", "A-labels"}, {"\xff.example", "A-labels"}, {"\ufffd.example", "A-labels"},
	}
	for _, tt := range tests {
		asked := resolverFunc(func(_ context.Context, name string, typ Type) Answer {
			t.Errorf("%q: %s %v is asked", tt.text, name, typ)
			return Answer{Outcome: NXDomain}
		})
		dmarc := DiscoverDMARC(t.Context(), asked, tt.text)
		for check, err := range map[string]error{
			"CheckDomain":   CheckDomain(t.Context(), asked, tt.text, DomainOptions{}).Err,
			"CheckMX":       CheckMX(t.Context(), asked, tt.text).Err,
			"CheckDKIM":     CheckDKIM(t.Context(), asked, tt.text, "sel").Err,
			"DiscoverDKIM":  DiscoverDKIM(t.Context(), asked, tt.text, []string{"sel"}).Err,
			"CheckMTASTS":   CheckMTASTS(t.Context(), asked, tt.text, nil, nil).Err,
			"CheckTLSRPT":   CheckTLSRPT(t.Context(), asked, tt.text).Err,
			"CheckBIMI":     CheckBIMI(t.Context(), asked, tt.text, dmarc).Err,
			"WalkDMARC":     WalkDMARC(t.Context(), asked, tt.text).Err,
			"DiscoverDMARC": dmarc.Newer.Err,
		} {
			if domain := new(DomainError); !errors.As(err, &domain) || !errors.Is(err, ErrBadDomain) || !strings.Contains(domain.Why, tt.why) {
				t.Errorf("%s of %q: %v, want %q", check, tt.text, err, tt.why)
			}
		}
	}
	for _, text := range []string{"example.org", "Example.ORG.", "_dmarc.example.org", "b\u00fccher.example", "xn--bcher-kva.example", "org", "1.2.3.example", "192.0.2.256.example"} {
		if name, err := domainName(text); err != nil || name == "" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A domain that does not exist is told as one, whatever its characters.
func TestMissingDomainIsNoFailureOfDNS(t *testing.T) {
	for _, domain := range []string{"gone.example", "-odd-.example", "a_b.example"} {
		if got := CheckMX(t.Context(), &Zone{}, domain); got.Err != ErrNoRecord || findingIDs(got.Findings) != "mx-no-domain" {
			t.Errorf("%s: %v, %s", domain, got.Err, findingIDs(got.Findings))
		}
	}
}

// Without somebody to ask, and after the caller has left, no check speaks of a
// fault of DNS, and none crashes.
func TestChecksWithoutAResolver(t *testing.T) {
	ctx := t.Context()
	dmarc := DiscoverDMARC(ctx, nil, "example.org")
	for check, err := range map[string]error{
		"CheckDomain":   CheckDomain(ctx, nil, "example.org", DomainOptions{Senders: goodOptions.Senders}).Err,
		"CheckMX":       CheckMX(ctx, nil, "example.org").Err,
		"CheckDKIM":     CheckDKIM(ctx, nil, "example.org", "sel").Err,
		"DiscoverDKIM":  DiscoverDKIM(ctx, nil, "example.org", nil).Err,
		"CheckMTASTS":   CheckMTASTS(ctx, nil, "example.org", goodOptions.FetchPolicy, nil).Err,
		"CheckTLSRPT":   CheckTLSRPT(ctx, nil, "example.org").Err,
		"CheckBIMI":     CheckBIMI(ctx, nil, "example.org", dmarc).Err,
		"CheckIP":       CheckIP(ctx, nil, netip.MustParseAddr("203.0.113.1"), "a.example").Err,
		"DiscoverDMARC": dmarc.Newer.Err,
		"older":         dmarc.Older.Err,
	} {
		if !errors.Is(err, ErrNoResolver) {
			t.Errorf("%s: %v", check, err)
		}
	}
	if got := EvaluateDMARC(ctx, nil, DMARCQuery{AuthorDomain: "example.org"}); got.Result != DMARCTempError {
		t.Errorf("%+v", got)
	}
	if got := CheckReports(ctx, nil, nil); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	new(MTASTSCheck).CompareMX(nil)
	var absent context.Context
	if err := CheckDomain(absent, &Zone{}, "example.org", DomainOptions{}).Err; err != ErrNoContext {
		t.Errorf("%v", err)
	}
}
