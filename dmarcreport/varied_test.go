package dmarcreport_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"github.com/mailfault/mailfault/dmarcreport"
)

// TestDatesInOtherForms: what stands for one instant is read as that instant;
// what may stand for several is no date.
func TestDatesInOtherForms(t *testing.T) {
	const want = 1774915200 // 2026-03-31T00:00:00Z
	for _, tt := range []struct {
		written string
		id      string
	}{
		{"2026-03-31T00:00:00Z", "date-text"},
		{"2026-03-31t00:00:00z", "date-text"},
		{"2026-03-31T02:00:00+0200", "date-text"},
		{"2026-03-31T02:00:00.000+02:00", "date-text"},
		{"2026-03-30T17:00-07", "date-text"},
		{"2026-03-31 00:00:00 UTC", "date-text"},
		{"2026-03-31 00:00:00 +0000 UTC", "date-text"},
		{"2026-03-31 00:00", "date-text"},
		{"2026/03/31 00:00:00", "date-text"},
		{"2026-03-31", "date-text"},
		{"20260331", "date-text"},
		{"20260331000000", "date-text"},
		{"20260331T000000Z", "date-text"},
		{"Tue, 31 Mar 2026 00:00:00 +0000 (UTC)", "date-text"},
		{"Tue, 31 Mar 2026 02:00:00 +0200", "date-text"},
		{"31 Mar 2026 00:00:00 GMT", "date-text"},
		{"Mon, 30 Mar 2026 19:00:00 EST", "date-text"}, // RFC 5322 section 4.3
		{"Tue Mar 31 00:00:00 2026", "date-text"},
		{"Tue Mar 31 00:00:00 UTC 2026", "date-text"},
		{"1774915200000000", "milliseconds"},
		{"1774915200000000000", "milliseconds"},
		{"Tue, 31 Mar 2026 00:00:00 IST", "no-date"}, // of India, Israel or Ireland
		{"03/31/2026", "no-date"},
		{"31.03.2026", "no-date"},
		{"12345678901234567", "no-date"},
		{"yesterday", "no-date"},
	} {
		r := read(t, strings.Replace(sample, "<begin>1774915200<", "<begin>"+tt.written+"<", 1))
		begin := r.Metadata.DateRange.Begin
		if ok := tt.id == "no-date" && begin.IsZero() || tt.id != "no-date" && begin.Unix() == want; !ok {
			t.Errorf("%q is read as %v", tt.written, begin)
		}
		if got := ids(r.Findings); !slices.Equal(got, []string{tt.id}) {
			t.Errorf("%q: findings %v, want %s", tt.written, got, tt.id)
		}
	}
}

func TestAddressesInOtherForms(t *testing.T) {
	for written, want := range map[string]string{
		"192.0.2.1:25":              "192.0.2.1 address-form",
		"[2001:db8::1]:25":          "2001:db8::1 address-form",
		"IPv6:2001:db8::1":          "2001:db8::1 address-form",
		"[ipv6:2001:db8::1]":        "2001:db8::1 address-form",
		"192.000.002.001":           "192.0.2.1 address-form", // three digits each: no octal number is meant
		"192.0.2.01":                "invalid IP bad-address",
		"192.0.02.1":                "invalid IP bad-address",
		"192.000.002.256":           "invalid IP bad-address",
		"192.0.2.0/24":              "invalid IP bad-address",
		"192.0.2.1:smtp":            "invalid IP bad-address",
		"[::ffff:192.0.2.1]:25":     "192.0.2.1 mapped-address",
		"mail.sender.example":       "invalid IP bad-address",
		"192.0.2.1, 198.51.100.200": "invalid IP bad-address",
	} {
		r := read(t, strings.Replace(sample, "<source_ip>192.0.2.1<", "<source_ip>"+written+"<", 1))
		if got := r.Records[0].SourceIP.String() + " " + strings.Join(ids(r.Findings), " "); got != want || r.Records[0].SourceIPRaw != written {
			t.Errorf("%q: %s, raw %q; want %s", written, got, r.Records[0].SourceIPRaw, want)
		}
	}
}

// TestNamesInOtherStyles: names that differ from the standard's only in the way
// words are joined are its names.
func TestNamesInOtherStyles(t *testing.T) {
	names := []string{"report_metadata", "org_name", "report_id", "date_range", "policy_published", "source_ip", "policy_evaluated", "header_from", "envelope_from", "auth_results"}
	for style, join := range map[string]func(name string) string{
		"hyphens":    func(s string) string { return strings.ReplaceAll(s, "_", "-") },
		"joined":     func(s string) string { return strings.ReplaceAll(s, "_", "") },
		"camel case": func(s string) string { a, b, _ := strings.Cut(s, "_"); return a + strings.ToUpper(b[:1]) + b[1:] },
		"Pascal case": func(s string) string {
			a, b, _ := strings.Cut(s, "_")
			return strings.ToUpper(a[:1]) + a[1:] + strings.ToUpper(b[:1]) + b[1:]
		},
	} {
		text := sample
		for _, name := range names {
			text = strings.ReplaceAll(text, name, join(name))
		}
		r := read(t, text)
		rec := r.Records[0]
		if r.Metadata.ReportID == "" || r.Metadata.DateRange.Begin.IsZero() || r.Policy.Domain != "sender.example" || !rec.SourceIP.IsValid() || rec.HeaderFrom != "sender.example" || len(rec.DKIM) != 1 {
			t.Errorf("%s: %+v", style, r)
		}
		if got := slices.Compact(ids(r.Findings)); !slices.Equal(got, []string{"element-alias"}) {
			t.Errorf("%s: findings %v", style, got)
		}
	}
}

func TestEncodingsThatDisagree(t *testing.T) {
	wide, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String(sample)
	if err != nil {
		t.Fatal(err)
	}
	ascii := strings.Replace(sample, "UTF-8", "US-ASCII", 1)
	for _, tt := range []struct{ name, text, org, want string }{
		{"UTF-16 that says UTF-8", wide, "Receiver", "encoding"},
		{"ASCII", ascii, "Receiver", ""},
		{"UTF-8 that says ASCII", strings.Replace(ascii, "Receiver", "Empfänger", 1), "Empfänger", "encoding"},
		{"Latin-1 that says ASCII", strings.Replace(ascii, "Receiver", "Empf\xe4nger", 1), "Empfänger", "bad-utf8 encoding"},
	} {
		r := read(t, tt.text)
		found := ids(r.Findings)
		slices.Sort(found)
		if got := strings.Join(found, " "); got != tt.want || r.Metadata.OrgName != tt.org || len(r.Records) != 1 {
			t.Errorf("%s: %q, findings %q; want %q, %q", tt.name, r.Metadata.OrgName, got, tt.org, tt.want)
		}
	}
}

// TestUndeclaredBase64: an attachment is in base64 and its header does not say
// so, or it was encoded twice, or the text was saved to a file.
func TestUndeclaredBase64(t *testing.T) {
	for name, data := range map[string][]byte{"XML": []byte(sample), "gzip": gz([]byte(sample)), "zip": zipped([]byte(sample))} {
		text := base64.StdEncoding.EncodeToString(data)
		lines := text[:76] + "\r\n" + text[76:] + "\r\n"
		for form, in := range map[string]string{
			"a file": lines,
			"7bit":   "From: a@receiver.example\r\nMIME-Version: 1.0\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: 7bit\r\n\r\n" + lines,
			"a text": "From: a@receiver.example\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n" + lines,
			"twice":  string(mailed("application/gzip", []byte(lines))),
		} {
			r := read(t, in)
			if len(r.Records) != 1 || !slices.Contains(ids(r.Findings), "undeclared-base64") {
				t.Errorf("%s, %s: %+v", name, form, r)
			}
		}
	}
}

// TestWordsBesideReports: a note beside reports in an archive is no placeholder.
func TestWordsBesideReports(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, body := range map[string]string{"read.me": "Thank you.", "one.xml": sample, "two.xml": sample} {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(body))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range new(dmarcreport.Reader).Documents(&b) {
		if n++; err != nil {
			t.Error(err)
		}
	}
	if n != 2 {
		t.Errorf("%d documents", n)
	}
	if _, err := dmarcreport.Read(bytes.NewReader(zipped([]byte("unused")))); !errors.Is(err, dmarcreport.ErrPlaceholder) {
		t.Errorf("a word alone: %v", err)
	}
}

func TestOtherForms(t *testing.T) {
	tar := make([]byte, 1024)
	copy(tar, "report.xml")
	copy(tar[257:], "ustar\x0000")
	for name, tt := range map[string]struct {
		data []byte
		want error
	}{
		"a page with a document type":   {[]byte("<!DOCTYPE html>\n<html><body>busy</body></html>"), dmarcreport.ErrNotReport},
		"a page of an older kind":       {[]byte("<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">\n<html></html>"), dmarcreport.ErrNotReport},
		"winmail.dat":                   {[]byte("\x78\x9f\x3e\x22\x01\x00\x01\x06"), dmarcreport.ErrUnsupported},
		"tar":                           {tar, dmarcreport.ErrUnsupported},
		"tar in gzip":                   {gz(tar), dmarcreport.ErrUnsupported},
		"PGP":                           {[]byte("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n"), dmarcreport.ErrUnsupported},
		"a cabinet":                     {[]byte("MSCF\x00\x00\x00\x00"), dmarcreport.ErrUnsupported},
		"base64 of something else":      {[]byte(base64.StdEncoding.EncodeToString([]byte("just a text of some length that is no report at all, as one sees"))), dmarcreport.ErrNotReport},
		"the first letters of a report": {[]byte("PD94bWwg"), dmarcreport.ErrNotReport},
	} {
		if r, err := dmarcreport.Read(bytes.NewReader(tt.data)); !errors.Is(err, tt.want) || r != nil {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
}

func TestZeroBytesBehindTheReport(t *testing.T) {
	if got := ids(read(t, sample+strings.Repeat("\x00", 512)).Findings); !slices.Equal(got, []string{"trailing-data"}) {
		t.Errorf("findings %v", got)
	}
}

// TestWordsJoinedOtherwise: words are known however they are joined, but no
// word becomes a pass so.
func TestWordsJoinedOtherwise(t *testing.T) {
	reason := func(word string) string {
		return strings.Replace(sample, "<spf>fail</spf>", "<spf>fail</spf><reason><type>"+word+"</type></reason>", 1)
	}
	for word, want := range map[string]dmarcreport.Override{
		"mailing-list": dmarcreport.OverrideMailingList, "Mailing List": dmarcreport.OverrideMailingList, "mailinglist": dmarcreport.OverrideMailingList,
		"trustedForwarder": dmarcreport.OverrideTrustedForwarder, "local policy": dmarcreport.OverrideLocalPolicy, "SAMPLED-OUT": dmarcreport.OverrideSampledOut,
		"mailing list manager": dmarcreport.OverrideUnknown,
	} {
		r := read(t, reason(word))
		got := r.Records[0].Evaluated.Reasons[0]
		id := "word-alias"
		if want == dmarcreport.OverrideUnknown {
			id = "unknown-word"
		}
		if got.Type != want || got.TypeRaw != word || !slices.Equal(ids(r.Findings), []string{id}) {
			t.Errorf("%q: %+v, findings %v", word, got, ids(r.Findings))
		}
	}
	for word, want := range map[string]dmarcreport.Result{
		"soft-fail": dmarcreport.ResultSoftFail, "Temp Error": dmarcreport.ResultTempError, "perm_error": dmarcreport.ResultPermError,
		"p-ass": dmarcreport.ResultUnknown, "pa ss": dmarcreport.ResultUnknown, "pass.": dmarcreport.ResultUnknown, "pass/fail": dmarcreport.ResultUnknown,
	} {
		r := read(t, strings.Replace(sample, "<scope>mfrom</scope><result>pass<", "<scope>mfrom</scope><result>"+word+"<", 1))
		if got := r.Records[0].SPF[0].Result; got != want {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
	}
}

// TestFractions: half a message is no number of messages; a fraction of a
// second is a time.
func TestFractions(t *testing.T) {
	for _, tt := range []struct {
		count string
		want  int64
		id    string
	}{{"12.0", 12, "number-form"}, {"1.2e1", 12, "number-form"}, {"12.5", 0, "not-a-number"}, {"0.9", 0, "not-a-number"}, {"1e-3", 0, "not-a-number"}} {
		r := read(t, strings.Replace(sample, "<count>12<", "<count>"+tt.count+"<", 1))
		if rec := r.Records[0]; rec.Count != tt.want || rec.CountRaw != tt.count || !slices.Equal(ids(r.Findings), []string{tt.id}) {
			t.Errorf("%s: %d, findings %v", tt.count, rec.Count, ids(r.Findings))
		}
	}
	r := read(t, strings.Replace(sample, "<begin>1774915200<", "<begin>1774915200.25<", 1))
	if r.Metadata.DateRange.Begin.Unix() != 1774915200 || !slices.Equal(ids(r.Findings), []string{"number-form"}) {
		t.Errorf("%v, %v", r.Metadata.DateRange.Begin, ids(r.Findings))
	}
}

// TestResultsPassedOver: of a record with more results than are kept, what was
// passed over may have passed.
func TestResultsPassedOver(t *testing.T) {
	failed := strings.Repeat("<dkim><domain>x.example</domain><selector>s</selector><result>fail</result></dkim>", 1000)
	r := read(t, strings.Replace(sample, "<auth_results>", "<auth_results>"+failed, 1))
	j := dmarcreport.Evaluate(&r.Policy, &r.Records[0], nil)
	if j.DKIM != dmarcreport.VerdictUnknown || j.Doubts != 0 || !slices.Contains(ids(r.Findings), "too-many-results") {
		t.Errorf("%+v, findings %v", j, ids(r.Findings))
	}
	passed := strings.Repeat("<dkim><domain>sender.example</domain><selector>s</selector><result>pass</result></dkim>", 1001)
	r = read(t, strings.Replace(sample, "<auth_results>", "<auth_results>"+passed, 1))
	if j := dmarcreport.Evaluate(&r.Policy, &r.Records[0], nil); j.DKIM != dmarcreport.VerdictPass {
		t.Errorf("%+v", j)
	}
}
