package dnscheck

import (
	"strings"
	"testing"
)

func TestBIMIRecord(t *testing.T) {
	const logo = "https://example.org/logo.svg"
	tests := []struct {
		record, findings string
		err              error
	}{
		{"v=BIMI1; l=" + logo + "; a=https://example.org/vmc.pem", "", nil},
		{"v=BIMI1; l=" + logo, "bimi-no-evidence", nil},
		{"v=BIMI1; l=; a=;", "bimi-declined", nil},
		{"v=BIMI1; l=;", "bimi-declined", nil},
		{"v=BIMI1; l=http://example.org/logo.svg", "bimi-uri-invalid", ErrBadRecord},
		{"v=BIMI1; l=" + logo + "; a=self", "bimi-uri-invalid", ErrBadRecord},
		{"v=BIMI1; a=https://example.org/vmc.pem", "bimi-logo-missing", ErrBadRecord},
		{"v=bimi1; l=" + logo, "bimi-near", ErrBadRecord},
		{"l=" + logo + "; v=BIMI1", "bimi-near", ErrBadRecord},
	}
	for _, tt := range tests {
		got, err := ParseBIMI(tt.record)
		if findingIDs(got.Findings) != tt.findings || err != tt.err {
			t.Errorf("%s: %q, %v; want %q, %v", tt.record, findingIDs(got.Findings), err, tt.findings, tt.err)
		}
	}
}

// The indicator is shown only where the DMARC policy is enforced for all mail.
func TestBIMINeedsDMARC(t *testing.T) {
	const record = `default._bimi.example.org TXT "v=BIMI1; l=https://example.org/l.svg; a=https://example.org/l.pem"` + "\n"
	for dmarc, want := range map[string]string{
		"v=DMARC1; p=reject":                         "",
		"v=DMARC1; p=quarantine":                     "",
		"v=DMARC1; p=none":                           "bimi-not-enforced",
		"v=DMARC1; p=quarantine; pct=50":             "bimi-not-enforced",
		"v=DMARC1; p=quarantine; t=y":                "bimi-not-enforced",
		"v=DMARC1; p=reject; sp=none; np=quarantine": "bimi-subdomains", // section 7.1, item 8
	} {
		zone := readZone(t, record+`_dmarc.example.org TXT "`+dmarc+`"`)
		got := CheckBIMI(t.Context(), zone, "example.org", DiscoverDMARC(t.Context(), zone, "example.org"))
		if findingIDs(got.Findings) != want {
			t.Errorf("%s: %q, want %q", dmarc, findingIDs(got.Findings), want)
		}
	}
	partial := readZone(t, record+`_dmarc.example.org TXT "v=DMARC1; p=quarantine; pct=50"`)
	if got := CheckBIMI(t.Context(), partial, "example.org", DiscoverDMARC(t.Context(), partial, "example.org")); !strings.Contains(got.Findings[0].Message, "50%") {
		t.Errorf("what is too weak is not said: %v", got.Findings)
	}
	zone := readZone(t, record+`_dmarc.example.org TXT "v=DMARC1; p=reject"`)
	got := CheckBIMI(t.Context(), zone, "news.example.org", DiscoverDMARC(t.Context(), zone, "news.example.org"))
	if got.Domain != "example.org" || got.Err != nil {
		t.Errorf("the organizational domain's record is not used: %+v", got)
	}
	if got := CheckBIMI(t.Context(), zone, "example.net", nil); findingIDs(got.Findings) != "bimi-missing" {
		t.Errorf("%v", got.Findings)
	}
}

func FuzzParseBIMI(f *testing.F) {
	f.Add("v=BIMI1; l=https://example.org/logo.svg; a=https://example.org/vmc.pem")
	f.Add("v=BIMI1; l=; a=;;l=x;=")
	f.Fuzz(func(t *testing.T, record string) {
		got, _ := ParseBIMI(record)
		checkPositions(t, got.Findings)
	})
}
