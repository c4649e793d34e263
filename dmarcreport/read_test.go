package dmarcreport_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/mailfault/mailfault/dmarcreport"
)

// sample is a report that breaks no rule of RFC 7489.
const sample = `<?xml version="1.0" encoding="UTF-8"?>
<feedback>
  <version>1.0</version>
  <report_metadata>
    <org_name>Receiver</org_name>
    <email>dmarc@receiver.example</email>
    <report_id>r-1@receiver.example</report_id>
    <date_range><begin>1774915200</begin><end>1775001599</end></date_range>
  </report_metadata>
  <policy_published>
    <domain>sender.example</domain><adkim>r</adkim><aspf>s</aspf><p>reject</p><sp>none</sp><pct>100</pct><fo>1</fo>
  </policy_published>
  <record>
    <row>
      <source_ip>192.0.2.1</source_ip><count>12</count>
      <policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>fail</spf></policy_evaluated>
    </row>
    <identifiers><envelope_from>bounce.esp.example</envelope_from><header_from>sender.example</header_from></identifiers>
    <auth_results>
      <dkim><domain>sender.example</domain><selector>s1</selector><result>pass</result></dkim>
      <spf><domain>bounce.esp.example</domain><scope>mfrom</scope><result>pass</result></spf>
    </auth_results>
  </record>
</feedback>
`

func read(t *testing.T, text string) *dmarcreport.Report {
	t.Helper()
	r, err := dmarcreport.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func ids(findings []dmarcreport.Finding) []string {
	var out []string
	for _, f := range findings {
		if !slices.Contains(out, f.ID) {
			out = append(out, f.ID)
		}
	}
	slices.Sort(out)
	return out
}

func TestSampleBreaksNoRule(t *testing.T) {
	r := read(t, sample)
	if len(r.Findings) != 0 {
		t.Errorf("findings: %v", r.Findings)
	}
	rec := r.Records[0]
	if len(r.Records) != 1 || rec.SourceIP.String() != "192.0.2.1" || rec.Count != 12 || rec.Evaluated.DKIM != dmarcreport.ResultPass ||
		rec.HeaderFrom != "sender.example" || rec.DKIM[0].Selector != "s1" || rec.SPF[0].Scope != dmarcreport.ScopeMailFrom ||
		r.Policy.ASPF != dmarcreport.AlignmentStrict || r.Metadata.ReportID != "r-1@receiver.example" {
		t.Errorf("%+v", r)
	}
}

// TestRepairs breaks the sample in one way at a time. Everything else in it
// must read as before, and the finding must say what was broken.
func TestRepairs(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string
		finding        string
		want           func(r *dmarcreport.Report) bool
	}{
		{"fail in capitals is fail", "<spf>fail</spf>", "<spf>FAIL</spf>", "word-case",
			func(r *dmarcreport.Report) bool { return r.Records[0].Evaluated.SPF == dmarcreport.ResultFail }},
		{"hardfail is fail", "<result>pass</result></spf>", "<result>hardfail</result></spf>", "word-alias",
			func(r *dmarcreport.Report) bool {
				return r.Records[0].SPF[0].Result == dmarcreport.ResultFail && r.Records[0].SPF[0].ResultRaw == "hardfail"
			}},
		{"spf unknown is temperror by the comment of RFC 7489", "<result>pass</result></spf>", "<result>unknown</result></spf>", "word-alias",
			func(r *dmarcreport.Report) bool { return r.Records[0].SPF[0].Result == dmarcreport.ResultTempError }},
		{"dkim unknown stays unknown", "<result>pass</result></dkim>", "<result>unknown</result></dkim>", "unknown-word",
			func(r *dmarcreport.Report) bool { return r.Records[0].DKIM[0].Result == dmarcreport.ResultUnknown }},
		{"an unknown word is no pass", "<dkim>pass</dkim>", "<dkim>passed</dkim>", "unknown-word",
			func(r *dmarcreport.Report) bool {
				return !r.Records[0].Evaluated.Pass() && r.Records[0].Evaluated.DKIMRaw == "passed"
			}},
		{"an empty word is absent", "<dkim>pass</dkim>", "<dkim/>", "empty-element",
			func(r *dmarcreport.Report) bool { return r.Records[0].Evaluated.DKIM == dmarcreport.ResultAbsent }},
		{"milliseconds are seconds", "1774915200", "1774915200000", "milliseconds",
			func(r *dmarcreport.Report) bool { return r.Metadata.DateRange.Begin.Unix() == 1774915200 }},
		{"a date in words is read", "1774915200", "2026-03-31T00:00:00Z", "date-text",
			func(r *dmarcreport.Report) bool { return r.Metadata.DateRange.Begin.Unix() == 1774915200 }},
		{"a fraction of a second is dropped", "1774915200", "1774915200.0", "number-form",
			func(r *dmarcreport.Report) bool {
				return r.Metadata.DateRange.Begin.Unix() == 1774915200 && r.Metadata.DateRange.BeginRaw == "1774915200.0"
			}},
		{"a period backwards is turned", "<begin>1774915200</begin><end>1775001599</end>", "<begin>1775001599</begin><end>1774915200</end>", "swapped-range",
			func(r *dmarcreport.Report) bool { return r.Metadata.DateRange.Begin.Unix() == 1774915200 }},
		{"a period without length", "1775001599", "1774915200", "zero-range", nil},
		{"a period of weeks stays as it is", "1775001599", "1776211200", "long-range",
			func(r *dmarcreport.Report) bool { return r.Metadata.DateRange.End.Unix() == 1776211200 }},
		{"a negative count is none", ">12<", ">-12<", "negative-count",
			func(r *dmarcreport.Report) bool { return r.Records[0].Count == 0 && r.Records[0].CountRaw == "-12" }},
		{"a huge count is none", ">12<", ">99999999999999999999<", "huge-count",
			func(r *dmarcreport.Report) bool { return r.Records[0].Count == 0 && r.Records[0].CountRaw != "" }},
		{"a fractional count is whole", ">12<", ">12.0<", "number-form", func(r *dmarcreport.Report) bool { return r.Records[0].Count == 12 }},
		{"a count in words is none", ">12<", ">twelve<", "not-a-number",
			func(r *dmarcreport.Report) bool { return r.Records[0].Count == 0 && r.Records[0].CountRaw == "twelve" }},
		{"an IPv4-mapped address is IPv4", "192.0.2.1", "::ffff:192.0.2.1", "mapped-address",
			func(r *dmarcreport.Report) bool { return r.Records[0].SourceIP.String() == "192.0.2.1" }},
		{"a bracketed address", "192.0.2.1", "[2001:db8::1]", "address-form",
			func(r *dmarcreport.Report) bool { return r.Records[0].SourceIP.String() == "2001:db8::1" }},
		{"an address as a prefix of one", "192.0.2.1", "192.0.2.1/32", "address-form",
			func(r *dmarcreport.Report) bool {
				return r.Records[0].SourceIP.String() == "192.0.2.1" && r.Records[0].SourceIPRaw == "192.0.2.1/32"
			}},
		{"an IPv6 address as a prefix of one", "192.0.2.1", "2001:db8::1/128", "address-form",
			func(r *dmarcreport.Report) bool { return r.Records[0].SourceIP.String() == "2001:db8::1" }},
		{"a prefix of many is no address", "192.0.2.1", "192.0.2.0/24", "bad-address",
			func(r *dmarcreport.Report) bool {
				return !r.Records[0].SourceIP.IsValid() && r.Records[0].SourceIPRaw == "192.0.2.0/24"
			}},
		{"a zone is dropped", "192.0.2.1", "fe80::1%eth0", "address-zone",
			func(r *dmarcreport.Report) bool { return r.Records[0].SourceIP.String() == "fe80::1" }},
		{"an address that is none keeps its count", "192.0.2.1", "192.0.2.x", "bad-address",
			func(r *dmarcreport.Report) bool {
				return !r.Records[0].SourceIP.IsValid() && r.Records[0].SourceIPRaw == "192.0.2.x" && r.Records[0].Count == 12
			}},
		{"a leading zero is no decimal", "192.0.2.1", "192.0.02.1", "bad-address",
			func(r *dmarcreport.Report) bool { return !r.Records[0].SourceIP.IsValid() }},
		{"no address", "<source_ip>192.0.2.1</source_ip>", "<source_ip></source_ip>", "no-address", nil},
		{"an element in capitals", "<count>12</count>", "<Count>12</Count>", "element-case",
			func(r *dmarcreport.Report) bool { return r.Records[0].Count == 12 }},
		{"an end tag in another case", "<count>12</count>", "<count>12</COUNT>", "end-tag-case",
			func(r *dmarcreport.Report) bool { return r.Records[0].Count == 12 }},
		{"identities for identifiers", "identifiers>", "identities>", "element-alias",
			func(r *dmarcreport.Report) bool { return r.Records[0].HeaderFrom == "sender.example" }},
		{"an element twice", "<count>12</count>", "<count>12</count><count>13</count>", "repeated-element",
			func(r *dmarcreport.Report) bool { return r.Records[0].Count == 12 }},
		{"the second where the first is empty", "<count>12</count>", "<count/><count>13</count>", "empty-element",
			func(r *dmarcreport.Report) bool { return r.Records[0].Count == 13 }},
		{"an element of nobody's", "<count>12</count>", "<count>12</count><colour>red</colour>", "unknown-element", nil},
		{"an element in the wrong place", "<count>12</count>", "<count>12</count><selector>x</selector>", "misplaced-element",
			func(r *dmarcreport.Report) bool { return r.Records[0].DKIM[0].Selector == "s1" }},
		{"a missing element", "<header_from>sender.example</header_from>", "", "missing-element",
			func(r *dmarcreport.Report) bool { return r.Records[0].HeaderFrom == "" }},
		{"a missing end tag of a leaf", "<count>12</count>", "<count>12", "missing-end-tag", func(r *dmarcreport.Report) bool { return r.Records[0].Count == 12 }},
		{"a missing end tag of a container", "</row>", "", "missing-end-tag",
			func(r *dmarcreport.Report) bool {
				return r.Records[0].HeaderFrom == "sender.example" && len(r.Records[0].SPF) == 1
			}},
		{"an end tag too many", "</row>", "</row></row>", "stray-end-tag", nil},
		{"a bare less-than", "Receiver", "Rec < eiver", "bare-less-than", func(r *dmarcreport.Report) bool { return r.Metadata.OrgName == "Rec < eiver" }},
		{"an address in angle brackets", "dmarc@receiver.example", "Joe <joe@receiver.example>", "bare-less-than",
			func(r *dmarcreport.Report) bool { return r.Metadata.Email == "Joe <joe@receiver.example>" }},
		{"a tag in a text", "Receiver", "<b>Receiver", "bare-less-than", func(r *dmarcreport.Report) bool { return r.Metadata.OrgName == "<b>Receiver" }},
		{"a bare ampersand", "Receiver", "R&D", "bare-ampersand", func(r *dmarcreport.Report) bool { return r.Metadata.OrgName == "R&D" }},
		{"an entity of HTML", "Receiver", "Caf&eacute;", "undefined-entity", func(r *dmarcreport.Report) bool { return r.Metadata.OrgName == "Café" }},
		{"a text escaped twice", "Receiver", "R&amp;amp;D", "escaped-twice", func(r *dmarcreport.Report) bool { return r.Metadata.OrgName == "R&D" }},
		{"a control character", "Receiver", "Rec\aeiver", "control-character", func(r *dmarcreport.Report) bool { return r.Metadata.OrgName == "Receiver" }},
		{"bytes that are no UTF-8", "Receiver", "Caf\xe9", "bad-utf8", func(r *dmarcreport.Report) bool { return r.Metadata.OrgName == "Café" }},
		{"blanks around a value", "<domain>sender.example</domain><adkim>", "<domain>\n sender.example\n</domain><adkim>", "blanks",
			func(r *dmarcreport.Report) bool { return r.Policy.Domain == "sender.example" }},
		{"text between elements", "<row>", "hello<row>", "stray-text", nil},
		{"an unclosed element before the root", "<feedback>", "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"><feedback>", "missing-end-tag", nil},
		{"a stray quote in a tag", "<feedback>", "<feedback a=\"b>", "stray-quote", nil},
		{"a reason as bare text", "<spf>fail</spf>", "<spf>fail</spf><reason>local_policy</reason>", "reason-text",
			func(r *dmarcreport.Report) bool {
				return r.Records[0].Evaluated.Reasons[0].Type == dmarcreport.OverrideLocalPolicy
			}},
		{"two domains in one", "<header_from>sender.example", "<header_from>a.example, sender.example", "domain-list",
			func(r *dmarcreport.Report) bool { return r.Records[0].HeaderFrom == "a.example, sender.example" }},
		{"np in an RFC 7489 report", "<sp>none</sp>", "<sp>none</sp><np>reject</np>", "element-of-other-standard",
			func(r *dmarcreport.Report) bool { return r.Policy.NP == dmarcreport.DispositionReject }},
		{"elements out of order", "<version>1.0</version>", "", "", nil},
		{"a charset nobody knows", `encoding="UTF-8"`, `encoding="klingon"`, "unknown-charset", nil},
		{"UTF-16 declared and not so", `encoding="UTF-8"`, `encoding="UTF-16"`, "encoding", nil},
		{"something behind the root", "</feedback>\n", "</feedback>\nbye", "trailing-data", nil},
		{"a second root", "</feedback>\n", "</feedback>\n<feedback></feedback>", "more-elements", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.ReplaceAll(sample, tt.old, tt.new)
			if text == sample {
				t.Fatal("the sample is not changed")
			}
			r := read(t, text)
			if tt.finding != "" && !slices.Contains(ids(r.Findings), tt.finding) {
				t.Errorf("findings %v, want %s", ids(r.Findings), tt.finding)
			}
			if tt.want != nil && !tt.want(r) {
				t.Errorf("%+v", r)
			}
			for _, f := range r.Findings {
				if f.ID == tt.finding && f.Where.Line == 0 {
					t.Errorf("no line in %v", f)
				}
			}
			if len(r.Records) != 1 || len(r.Records[0].SPF) != 1 {
				t.Errorf("the rest was lost: %+v", r.Records)
			}
			// Strict takes the same path: an error where something was repaired.
			_, err := (&dmarcreport.Reader{Strict: true}).Read(strings.NewReader(text))
			repaired := slices.ContainsFunc(r.Findings, func(f dmarcreport.Finding) bool { return f.Severity > dmarcreport.Info })
			var repair *dmarcreport.RepairError
			if errors.As(err, &repair) != repaired {
				t.Errorf("strict: %v, findings %v", err, r.Findings)
			}
		})
	}
}

// TestVerdictTwice gives a verdict two values. Whichever comes first, it is no
// pass: doubt never becomes one.
func TestVerdictTwice(t *testing.T) {
	for _, tt := range []struct{ old, new string }{
		{"<dkim>pass</dkim>", "<dkim>pass</dkim><dkim>fail</dkim>"},
		{"<dkim>pass</dkim>", "<dkim>fail</dkim><dkim>pass</dkim>"},
		{"<result>pass</result></dkim>", "<result>pass</result><result>fail</result></dkim>"},
		{"<result>pass</result></dkim>", "<result>fail</result><result>pass</result></dkim>"},
	} {
		r := read(t, strings.Replace(sample, tt.old, tt.new, 1))
		rec := r.Records[0]
		if strings.Contains(tt.old, "<dkim>") && rec.Evaluated.Pass() || dmarcreport.Evaluate(&r.Policy, &rec, nil).DKIM == dmarcreport.VerdictPass && strings.Contains(tt.old, "result") {
			t.Errorf("%s is a pass: %+v", tt.new, rec)
		}
		if !slices.Contains(ids(r.Findings), "repeated-element") {
			t.Errorf("findings %v", ids(r.Findings))
		}
	}
	same := read(t, strings.Replace(sample, "<dkim>pass</dkim>", "<dkim>pass</dkim><dkim>pass</dkim>", 1))
	if !same.Records[0].Evaluated.Pass() {
		t.Error("twice the same is the same")
	}
}

// TestRecordsRunTogether loses the tags between two records, in three ways: no
// message may be lost, and none counted twice.
func TestRecordsRunTogether(t *testing.T) {
	from, to := strings.Index(sample, "<record>"), strings.Index(sample, "</feedback>")
	one := sample[from:to]
	two := strings.NewReplacer("192.0.2.1", "192.0.2.2", ">12<", ">5<").Replace(one)
	for name, text := range map[string]string{
		"no end tag":        strings.Replace(one, "</record>", "", 1) + two,
		"no start tag":      one + strings.Replace(two, "<record>", "", 1),
		"no tag":            strings.Replace(one, "</record>", "", 1) + strings.Replace(two, "<record>", "", 1),
		"no tag at the end": one + strings.Replace(two, "</record>", "", 1),
	} {
		r := read(t, sample[:from]+text+sample[to:])
		var got []string
		for _, rec := range r.Records {
			got = append(got, fmt.Sprintf("%v %d %d %s", rec.SourceIP, rec.Count, len(rec.SPF), rec.HeaderFrom))
		}
		if want := []string{"192.0.2.1 12 1 sender.example", "192.0.2.2 5 1 sender.example"}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q; findings %v", name, got, want, ids(r.Findings))
		}
	}
}

func TestPositions(t *testing.T) {
	text := strings.Replace(sample, "<count>12</count>", "<count>-1</count>", 1)
	for _, f := range read(t, text).Findings {
		if f.ID != "negative-count" {
			continue
		}
		at := strings.Index(text, "<count>")
		if f.Where.Offset != int64(at) || f.Where.Line != strings.Count(text[:at], "\n")+1 || f.Where.Path != "feedback/record/row/count" || f.Before != "-1" || f.After != "0" {
			t.Errorf("%+v; want offset %d", f, at)
		}
		return
	}
	t.Error("no finding")
}

// TestCutAnywhere cuts the sample after every byte: no more than the cut may
// be lost, and what is lost is said.
func TestCutAnywhere(t *testing.T) {
	complete := strings.Index(sample, "</policy_evaluated>")
	for i := range len(sample) {
		r, err := dmarcreport.Read(strings.NewReader(sample[:i]))
		if i <= strings.Index(sample, "<feedback>")+len("<feedback>")-1 {
			if err == nil {
				t.Fatalf("cut at %d: no error", i)
			}
			continue
		}
		if err != nil {
			t.Fatalf("cut at %d: %v", i, err)
		}
		if i < len(sample)-2 && !slices.Contains(ids(r.Findings), "truncated") {
			t.Fatalf("cut at %d: findings %v", i, ids(r.Findings))
		}
		if i > complete && (len(r.Records) != 1 || r.Records[0].Count != 12) {
			t.Fatalf("cut at %d: records %+v", i, r.Records)
		}
	}
}

func TestOneByteAtATime(t *testing.T) {
	for _, text := range []string{sample, strings.Replace(sample, "Receiver", "<![CDATA[A & B]]><!-- c -->R&amp;D <x@y>", 1),
		strings.Repeat(" ", 70_000) + sample} {
		want := read(t, text)
		got, err := dmarcreport.Read(iotest.OneByteReader(strings.NewReader(text)))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, cmp.Comparer(func(a, b dmarcreport.Record) bool { return fmt.Sprint(a) == fmt.Sprint(b) })); d != "" {
			t.Error(d)
		}
	}
}

func TestOutcomes(t *testing.T) {
	cut := gz([]byte(sample))
	encrypted := zipped([]byte(sample))
	for i := range encrypted { // set the bit in both headers
		if bytes.HasPrefix(encrypted[i:], []byte("PK\x03\x04")) {
			encrypted[i+6] |= 1
		}
		if bytes.HasPrefix(encrypted[i:], []byte("PK\x01\x02")) {
			encrypted[i+8] |= 1
		}
	}
	for _, tt := range []struct {
		name string
		data []byte
		want error
	}{
		{"nothing", nil, dmarcreport.ErrNotReport},
		{"blanks", []byte(" \n\n"), dmarcreport.ErrNotReport},
		{"a page", []byte("<html><body><p>Hello</body></html>"), dmarcreport.ErrNotReport},
		{"a picture", []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), dmarcreport.ErrNotReport},
		{"another mail", []byte("From: a@b.example\nSubject: hello\n\nWhen do we meet?\n"), dmarcreport.ErrNotReport},
		{"another mail with HTML", []byte("From: a@b.example\nMIME-Version: 1.0\nContent-Type: text/html\n\n<p>your feedback</p>\n"), dmarcreport.ErrNotReport},
		{"json", []byte(`{"hello": 1}`), dmarcreport.ErrNotReport},
		{"a word", []byte("unused"), dmarcreport.ErrPlaceholder},
		{"a word in gzip", gz([]byte("unused\n")), dmarcreport.ErrPlaceholder},
		{"a word in a mail", mailed("application/gzip", gz([]byte("unused"))), dmarcreport.ErrPlaceholder},
		{"an Outlook message", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00"), dmarcreport.ErrUnsupported},
		{"a signed mail of 100 KiB", []byte("0\x83\x01\x90\x00\x06\x09\x2a\x86\x48"), dmarcreport.ErrUnsupported},
		{"an encrypted archive", encrypted, dmarcreport.ErrUnsupported},
		{"a document type", []byte(`<!DOCTYPE feedback [<!ENTITY a "b">]><feedback>&a;</feedback>`), dmarcreport.ErrUnsupported},
		{"gzip cut in its header", cut[:8], dmarcreport.ErrCorrupt},
		{"gzip cut at once", cut[:12], dmarcreport.ErrNotReport},
		{"broken json", []byte(`{"organization-name": "x", "policies": [`), dmarcreport.ErrCorrupt},
		{"a report in a zip cut in its header", []byte("PK\x03\x04\x00"), dmarcreport.ErrCorrupt},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := dmarcreport.Read(bytes.NewReader(tt.data))
			if !errors.Is(err, tt.want) || r != nil {
				t.Errorf("%v, %+v; want %v", err, r, tt.want)
			}
		})
	}
}

func TestErrorOfTheReader(t *testing.T) {
	broken := errors.New("wire cut")
	for _, n := range []int{0, 100, 900} {
		_, err := dmarcreport.Read(io.MultiReader(strings.NewReader(sample[:n]), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

func TestNullReport(t *testing.T) {
	text := strings.NewReplacer("192.0.2.1", "", ">12<", ">0<", "<disposition>none</disposition><dkim>pass</dkim><spf>fail</spf>", "<disposition/><dkim/><spf/>").Replace(sample)
	r := read(t, text)
	if !r.NoTraffic() || len(r.Records) != 1 || !slices.Contains(ids(r.Findings), "null-record") {
		t.Errorf("%+v", r)
	}
	var s dmarcreport.Sources
	s.AddReport(r)
	if l := s.List(); len(l) != 1 || l[0].Class != dmarcreport.ClassNoTraffic || l[0].Neither != 0 {
		t.Errorf("%+v", l)
	}
	if read(t, sample).NoTraffic() {
		t.Error("a report with mail has traffic")
	}
}
