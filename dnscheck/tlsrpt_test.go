package dnscheck

import (
	"strings"
	"testing"
)

func TestTLSRPTRecord(t *testing.T) {
	tests := []struct {
		record, reports, findings string
		err                       error
	}{
		{"v=TLSRPTv1; rua=mailto:tls@example.org", "mailto:tls@example.org", "", nil},
		{"v=TLSRPTv1; rua=ftp://example.org/, mailto:tls@example.org", "mailto:tls@example.org", "tls-rpt-uri-scheme", nil},
		{"v=TLSRPTv1; rua=tls@example.org,,mailto:tls@example.org", "mailto:tls@example.org", "tls-rpt-uri-invalid tls-rpt-uri-invalid", nil},
		{"v=TLSRPTv1; rua=ftp://example.org/,tls@example.org", "", "tls-rpt-uri-scheme tls-rpt-uri-invalid tls-rpt-rua-useless", ErrBadRecord},
		{"v=TLSRPTv1;rua=mailto:tls@example.org,https://example.net/v1/report;", "mailto:tls@example.org https://example.net/v1/report", "", nil},
		{"v=TLSRPTv1; rua=mailto:tls@example.org; ext=1", "mailto:tls@example.org", "tls-rpt-field-unknown", nil},
		{"v=TLSRPTv1;", "", "tls-rpt-rua-missing", ErrBadRecord},
		{"v=TLSRPTv1; rua=", "", "tls-rpt-uri-invalid tls-rpt-rua-useless", ErrBadRecord},
		{"v=TLSRPTv1; rua=tls@example.org", "", "tls-rpt-uri-invalid tls-rpt-rua-useless", ErrBadRecord},
		{"v=TLSRPTv1; rua=mailto:tls@example.org!10m", "", "tls-rpt-uri-invalid tls-rpt-rua-useless", ErrBadRecord},
		{"v=TLSRPTv1; rua=http://example.org/report", "", "tls-rpt-uri-scheme tls-rpt-rua-useless", ErrBadRecord},
		{"v=TLSRPTv1; rua=https:report", "", "tls-rpt-uri-invalid tls-rpt-rua-useless", ErrBadRecord},
		{"v=TLSRPTv1; rua=mailto:a@example.org; rua=mailto:b@example.org", "mailto:a@example.org", "tls-rpt-field-repeated", nil},
		{"v=tlsrptv1; rua=mailto:a@example.org", "", "tls-rpt-near", ErrBadRecord},
	}
	for _, tt := range tests {
		got, err := ParseTLSRPT(tt.record)
		var reports []string
		for _, uri := range got.Reports {
			reports = append(reports, uri.Text)
			if at := tt.record[uri.Start:uri.End]; at != uri.Text {
				t.Errorf("%s: stands at %q", tt.record, at)
			}
		}
		if strings.Join(reports, " ") != tt.reports || findingIDs(got.Findings) != tt.findings || err != tt.err {
			t.Errorf("%s: %q, %q, %v; want %q, %q, %v", tt.record, reports, findingIDs(got.Findings), err, tt.reports, tt.findings, tt.err)
		}
	}
}

func TestTLSRPTDiscovery(t *testing.T) {
	const record = `_smtp._tls.example.org TXT "v=TLSRPTv1; rua=mailto:a@example.org"` + "\n"
	for zone, want := range map[string]string{
		record:                    "",
		record + record:           "tls-rpt-several",
		`example.org A 192.0.2.1`: "tls-rpt-missing",
		`_smtp._tls.example.org TXT "v=TLSRPTv1 rua=mailto:a@example.org"`: "tls-rpt-near",
	} {
		if got := CheckTLSRPT(t.Context(), readZone(t, zone), "example.org"); findingIDs(got.Findings) != want {
			t.Errorf("%s: %q, want %q", zone, findingIDs(got.Findings), want)
		}
	}
}

func FuzzParseTLSRPT(f *testing.F) {
	f.Add("v=TLSRPTv1; rua=mailto:tls@example.org,https://example.net/v1/report;")
	f.Add("v=TLSRPTv1;rua=,,mailto:@, https://%zz;rua")
	f.Fuzz(func(t *testing.T, record string) {
		got, err := ParseTLSRPT(record)
		if err == nil && len(got.Reports) == 0 {
			t.Error("usable without a destination")
		}
		for _, uri := range got.Reports {
			if record[uri.Start:uri.End] != uri.Text {
				t.Errorf("%q stands at %q", uri.Text, record[uri.Start:uri.End])
			}
		}
		checkPositions(t, got.Findings)
	})
}
