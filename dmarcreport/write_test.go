package dmarcreport_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/internal/corpora"
)

// facts prints what must survive writing and reading again in a form: all but
// positions, findings, dialect, and what the form has no element for.
func facts(r *dmarcreport.Report, form dmarcreport.Standard) string {
	c := *r
	c.Findings, c.Dropped, c.Dialect = nil, 0, dmarcreport.Dialect{}
	c.Metadata.Extensions = nil
	if c.Metadata.Version == "" {
		c.Metadata.Version = "1.0"
	}
	if form == dmarcreport.RFC9990 {
		c.Policy.Pct = ""
		if len(c.Metadata.Errors) > 1 {
			c.Metadata.Errors = c.Metadata.Errors[:1]
		}
	} else {
		c.Policy.NP, c.Policy.Testing, c.Policy.Discovery, c.Policy.Raw.NP, c.Metadata.Generator = 0, "", "", "", ""
	}
	c.Records = nil
	for _, rec := range r.Records {
		rec.Offset, rec.Partial, rec.Extensions = 0, false, nil
		c.Records = append(c.Records, rec)
	}
	return fmt.Sprintf("%+v", c)
}

func again(t *testing.T, r *dmarcreport.Report, form dmarcreport.Standard) {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteXML(&b, form); err != nil {
		t.Fatal(err)
	}
	rd := dmarcreport.Reader{Limits: dmarcreport.Limits{Input: -1}}
	got, err := rd.Read(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatalf("%v\n%s", err, b.Bytes())
	}
	if a, b := facts(r, form), facts(got, form); a != b {
		t.Fatalf("%v:\nwrote %s\nread  %s", form, a, b)
	}
}

func TestReadWriteRead(t *testing.T) {
	again(t, read(t, sample), dmarcreport.RFC7489)
	again(t, read(t, sample), dmarcreport.RFC9990)
}

// TestTextIsWrittenExactly writes texts that hold what looks like entities. They
// must come back as they were, from here and from encoding/xml.
func TestTextIsWrittenExactly(t *testing.T) {
	for _, tt := range []struct{ written, want string }{
		{"<![CDATA[AT&amp;T]]>", "AT&amp;T"},
		{"AT<![CDATA[&]]>amp;T", "AT&amp;T"},
		{"<![CDATA[&lt;b&gt; ]]]]><![CDATA[> & &#65;]]>", "&lt;b&gt; ]]> & &#65;"},
		{"AT&amp;amp;T", "AT&T"}, // escaped twice
		{"<![CDATA[&copy]]>", "&copy"},
	} {
		r := read(t, strings.Replace(sample, "Receiver", tt.written, 1))
		if r.Metadata.OrgName != tt.want {
			t.Errorf("%s: %q, want %q", tt.written, r.Metadata.OrgName, tt.want)
		}
		again(t, r, dmarcreport.RFC7489)
		again(t, r, dmarcreport.RFC9990)
		var b bytes.Buffer
		if err := r.WriteXML(&b, dmarcreport.RFC7489); err != nil {
			t.Fatal(err)
		}
		var other struct {
			OrgName string `xml:"report_metadata>org_name"`
		}
		if err := xml.Unmarshal(b.Bytes(), &other); err != nil || other.OrgName != tt.want {
			t.Errorf("%s: encoding/xml reads %q, %v", tt.written, other.OrgName, err)
		}
	}
}

// TestLanguageIsWrittenExactly decodes an attribute once.
func TestLanguageIsWrittenExactly(t *testing.T) {
	r := read(t, strings.Replace(sample, "</policy_evaluated>", `<reason><type>other</type><comment lang="a&amp;&quot;b">c</comment></reason></policy_evaluated>`, 1))
	if got := r.Records[0].Evaluated.Reasons[0].Lang; got != `a&"b` {
		t.Errorf("%q", got)
	}
	again(t, r, dmarcreport.RFC9990)
}

func TestReadWriteReadCorpus(t *testing.T) {
	n := 0
	for _, folder := range []string{"aggregate", "dmarcrua"} {
		files, _ := filepath.Glob(filepath.Join(corpora.Dir(t, "dmarc", folder), "*"))
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			r, err := dmarcreport.Read(bytes.NewReader(data))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			again(t, r, dmarcreport.RFC7489)
			again(t, r, dmarcreport.RFC9990)
			n++
		}
	}
	t.Logf("%d reports", n)
}

// TestWrittenBreaksNoRule writes a report that was never read and reads it
// with the rules of both standards.
func TestWrittenBreaksNoRule(t *testing.T) {
	r := read(t, sample)
	r.Policy.Raw, r.Metadata.DateRange.BeginRaw = dmarcreport.PolicyWords{}, ""
	r.Records[0].SPF[0].ResultRaw = ""
	for _, form := range []dmarcreport.Standard{dmarcreport.RFC7489, dmarcreport.RFC9990} {
		var b bytes.Buffer
		if err := r.WriteGzip(&b, form); err != nil {
			t.Fatal(err)
		}
		got, err := dmarcreport.Read(&b)
		if err != nil || len(got.Findings) != 0 {
			t.Errorf("%v: %v, %v", form, err, got.Findings)
		}
		if want := map[dmarcreport.Standard]string{dmarcreport.RFC7489: "RFC 7489", dmarcreport.RFC9990: "RFC 9990"}[form]; got.Dialect.Likely() != want {
			t.Errorf("dialect %+v, want %s", got.Dialect, want)
		}
	}
}

func TestNames(t *testing.T) {
	r := read(t, sample)
	if got, want := r.FileName("receiver.example").String(), "receiver.example!sender.example!1774915200!1775001599"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := r.Subject("receiver.example").String(), "Report Domain: sender.example Submitter: receiver.example Report-ID: r-1@receiver.example"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, name := range []string{"receiver.example!sender.example!1774915200!1775001599", "r!sender.example!1774915200!1775001599!u1.xml.gz", "!sender.example!1774915200!1775001599.zip"} {
		f, ok := dmarcreport.ParseFileName(name)
		if !ok || f.Domain != "sender.example" || !f.Begin.Equal(time.Unix(1774915200, 0)) || !strings.HasPrefix(name, f.String()) {
			t.Errorf("%q: %+v %v", name, f, ok)
		}
	}
	for _, name := range []string{"", "report.xml", "a!b!c!d.xml", "a!!1!2.xml"} {
		if f, ok := dmarcreport.ParseFileName(name); ok {
			t.Errorf("%q: %+v", name, f)
		}
	}
	s, ok := dmarcreport.ParseSubject("report domain: a.example submitter: b.example")
	if !ok || s != (dmarcreport.Subject{Domain: "a.example", Submitter: "b.example"}) {
		t.Errorf("%+v %v", s, ok)
	}
	if s, ok := dmarcreport.ParseSubject("Re: hello"); ok {
		t.Errorf("%+v", s)
	}
}
