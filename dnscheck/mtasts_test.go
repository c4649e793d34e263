package dnscheck

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestMTASTSRecord(t *testing.T) {
	tests := []struct {
		record, id, findings string
		err                  error
	}{
		{"v=STSv1; id=20260101T000000;", "20260101T000000", "", nil},
		{"v=STSv1;id=1", "1", "", nil},
		{"v=STSv1 ; id=1 ; more=x", "1", "mta-sts-field-unknown", nil},
		{"v=STSv1;", "", "mta-sts-id-missing", ErrBadRecord},
		{"v=STSv1; id=", "", "mta-sts-id-invalid", ErrBadRecord},
		{"v=STSv1; id=2026-01-01", "2026-01-01", "mta-sts-id-invalid", ErrBadRecord},
		{"v=STSv1; id=" + strings.Repeat("1", 33), strings.Repeat("1", 33), "mta-sts-id-invalid", ErrBadRecord},
		{"v=STSv1; id=1; id=2", "1", "mta-sts-field-repeated", nil},
		{"v=STSv1; 1", "", "mta-sts-field-malformed mta-sts-id-missing", ErrBadRecord},
		{"v=stsv1; id=1", "", "mta-sts-near", ErrBadRecord},
		{"id=1; v=STSv1;", "", "mta-sts-near", ErrBadRecord},
	}
	for _, tt := range tests {
		got, err := ParseMTASTS(tt.record)
		if got.ID != tt.id || findingIDs(got.Findings) != tt.findings || err != tt.err {
			t.Errorf("%s: id %q, %q, %v; want %q, %q, %v", tt.record, got.ID, findingIDs(got.Findings), err, tt.id, tt.findings, tt.err)
		}
	}
}

func TestMTASTSPolicy(t *testing.T) {
	tests := []struct {
		name, text, findings string
		mode                 STSMode
		err                  error
	}{
		{"enforced", "version: STSv1\r\nmode: enforce\r\nmx: mail.example.com\r\nmx: *.example.net\r\nmax_age: 604800\r\n", "", STSEnforce, nil},
		{"bare line feeds and no last one", "version: STSv1\nmode: testing\nmx: a.example\nmax_age: 604800", "mta-sts-testing", STSTesting, nil},
		{"taken back", "version: STSv1\nmode: none\nmax_age: 0", "mta-sts-off", STSNone, nil},
		{"no version", "mode: none\nmax_age: 86400", "mta-sts-version-invalid mta-sts-off", STSNone, ErrBadRecord},
		{"another mode", "version: STSv1\nmode: unknown\nmx: a.example\nmax_age: 86400", "mta-sts-mode-invalid", STSUnknown, ErrBadRecord},
		{"no exchanger", "version: STSv1\nmode: enforce\nmax_age: 86400", "mta-sts-mx-missing", STSEnforce, ErrBadRecord},
		{"a day too short", "version: STSv1\nmode: enforce\nmx: a.example\nmax_age: 86399", "mta-sts-age-short", STSEnforce, nil},
		{"a year and a second", "version: STSv1\nmode: enforce\nmx: a.example\nmax_age: 31557601", "mta-sts-age-invalid", STSEnforce, ErrBadRecord},
		{"a signed age", "version: STSv1\nmode: enforce\nmx: a.example\nmax_age: +86400", "mta-sts-age-invalid", STSEnforce, ErrBadRecord},
		{"a wildcard in the middle", "version: STSv1\nmode: enforce\nmx: a.*.example\nmx: b.example\nmax_age: 86400", "mta-sts-mx-invalid", STSEnforce, ErrBadRecord},
		{"the first of two modes counts", "version: STSv1\nmode: enforce\nmode: none\nmx: b.example\nmax_age: 86400", "mta-sts-line-repeated", STSEnforce, nil},
		{"an extension", "version: STSv1\nmode: enforce\nmx: b.example\nmax_age: 86400\nfoo: bar", "mta-sts-line-unknown", STSEnforce, nil},
		{"a page of HTML", "<html>", "mta-sts-line-malformed mta-sts-version-invalid mta-sts-mode-invalid mta-sts-age-invalid mta-sts-mx-missing", STSUnknown, ErrBadRecord},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseMTASTSPolicy(tt.text)
			if got.Mode != tt.mode || findingIDs(got.Findings) != tt.findings || err != tt.err {
				t.Errorf("%v, %q, %v; want %v, %q, %v", got.Mode, findingIDs(got.Findings), err, tt.mode, tt.findings, tt.err)
			}
		})
	}
}

// Section 4.1: a wildcard stands for exactly one whole label.
func TestMTASTSPolicyCovers(t *testing.T) {
	policy := &MTASTSPolicy{MX: []string{"mail.example.com", "*.example.net"}}
	for host, want := range map[string]bool{
		"mail.example.com": true, "MAIL.Example.com.": true, "a.mail.example.com": false,
		"a.example.net": true, "example.net": false, "a.b.example.net": false, "": false,
		".example.net": false, "a.example.net..": false, ".": false, "..example.net": false,
	} {
		if policy.Covers(host) != want {
			t.Errorf("%q: %v", host, !want)
		}
	}
}

func TestMTASTSIsFetchedAndComparedWithMX(t *testing.T) {
	zone := readZone(t, `
_mta-sts.example.org TXT "v=STSv1; id=1"
example.org MX 10 a.example.org
example.org MX 20 b.example.net
a.example.org A 203.0.113.1
b.example.net A 203.0.113.2`)
	mx := CheckMX(t.Context(), zone, "example.org")
	serve := func(mode string) PolicyFetcher {
		return func(_ context.Context, url string) ([]byte, error) {
			if url != "https://mta-sts.example.org/.well-known/mta-sts.txt" {
				t.Errorf("fetched %s", url)
			}
			return []byte("version: STSv1\nmode: " + mode + "\nmx: *.example.org\nmx: c.example.org\nmax_age: 604800\n"), nil
		}
	}
	got := CheckMTASTS(t.Context(), zone, "Example.org", serve("enforce"), mx)
	if findingIDs(got.Findings) != "mta-sts-mx-uncovered mta-sts-mx-unused" || got.Err != nil {
		t.Errorf("%q, %v", findingIDs(got.Findings), got.Err)
	}
	if want := "add mx: b.example.net to the policy, and a new id to the record"; got.Findings[0].Fix != want {
		t.Errorf("fix %q, want %q", got.Findings[0].Fix, want)
	}
	got = CheckMTASTS(t.Context(), zone, "example.org", serve("testing"), mx)
	if findingIDs(got.Findings) != "mta-sts-testing mta-sts-mx-untested mta-sts-mx-unused" {
		t.Errorf("%q", findingIDs(got.Findings))
	}
	got = CheckMTASTS(t.Context(), zone, "example.org", nil, mx)
	if got.Policy != nil || len(got.Findings) != 0 || got.PolicyURL == "" {
		t.Errorf("%+v", got)
	}
	broken := errors.New("certificate has expired")
	got = CheckMTASTS(t.Context(), zone, "example.org", func(context.Context, string) ([]byte, error) { return nil, broken }, mx)
	if findingIDs(got.Findings) != "mta-sts-policy-unread" || !errors.Is(got.Err, broken) {
		t.Errorf("%q, %v", findingIDs(got.Findings), got.Err)
	}
}

func TestMTASTSDiscovery(t *testing.T) {
	tests := []struct {
		zone, findings string
		err            error
	}{
		{`example.org A 192.0.2.1`, "mta-sts-missing", ErrNoRecord},
		{`_mta-sts.example.org TXT "something else"`, "mta-sts-missing", ErrNoRecord},
		{`_mta-sts.example.org TXT "v=STSv1 id=1"`, "mta-sts-near", ErrNoRecord},
		{"_mta-sts.example.org TXT \"v=STSv1; id=1\"\n_mta-sts.example.org TXT \"v=STSv1; id=2\"", "mta-sts-several", ErrManyRecords},
		{"_mta-sts.example.org TXT \"v=STSv1; id=1\"\n_mta-sts.example.org TXT \"other\"", "", nil},
		{"_mta-sts.example.org CNAME _mta-sts.example.net\n_mta-sts.example.net TXT \"v=STSv1; id=1\"", "mta-sts-alias", nil},
	}
	for _, tt := range tests {
		got := CheckMTASTS(t.Context(), readZone(t, tt.zone), "example.org", nil, nil)
		if findingIDs(got.Findings) != tt.findings || got.Err != tt.err {
			t.Errorf("%s: %q, %v; want %q, %v", tt.zone, findingIDs(got.Findings), got.Err, tt.findings, tt.err)
		}
	}
}

func FuzzParseMTASTS(f *testing.F) {
	f.Add("v=STSv1; id=20260101T000000;")
	f.Add("v=STSv1;;id==1;id=2;=;x")
	f.Fuzz(func(t *testing.T, record string) {
		got, err := ParseMTASTS(record)
		if err == nil && !isPolicyID(got.ID) {
			t.Errorf("usable with id %q", got.ID)
		}
		checkPositions(t, got.Findings)
	})
}

// checkPositions wants every position inside its record.
func checkPositions(t *testing.T, findings []Finding) {
	if len(findings) > maxRecordFindings {
		t.Errorf("%d findings", len(findings))
	}
	for _, f := range findings {
		if w := f.Where; w.Start < 0 || w.Start > w.End || w.End > len(w.Record) {
			t.Errorf("%s at %d to %d of %d bytes", f.ID, w.Start, w.End, len(w.Record))
		}
		if f.Message == "" {
			t.Errorf("%s says %q", f.ID, f.Message)
		}
	}
}

func FuzzParseMTASTSPolicy(f *testing.F) {
	f.Add("version: STSv1\r\nmode: enforce\r\nmx: mail.example.com\r\nmx: *.example.net\r\nmax_age: 604800\r\n")
	f.Add("version:STSv1\nmode:none\nmx:\nmax_age: 99999999999\n:\n<html>")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseMTASTSPolicy(text)
		if err == nil && (got.Mode == STSUnknown || got.Mode != STSNone && len(got.MX) == 0) {
			t.Errorf("usable: %+v", got)
		}
		if len(got.Findings) > maxRecordFindings || len(got.MX) > maxPolicyMX {
			t.Errorf("%d findings, %d hosts", len(got.Findings), len(got.MX))
		}
	})
}
