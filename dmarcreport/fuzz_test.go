package dmarcreport_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mailfault/mailfault/dmarcreport"
)

// small keeps the fuzzer's inputs from costing more than they tell.
var small = dmarcreport.Limits{Input: 1 << 20, Output: 4 << 20, Text: 8 << 10, Records: 10_000}

// FuzzDocuments reads anything. Nothing may panic, and a strict reader finds a
// repair where and only where a tolerant one does.
func FuzzDocuments(f *testing.F) {
	f.Add([]byte(sample))
	f.Add(gz([]byte(sample)))
	f.Add(zipped([]byte(sample), gz([]byte(sample))))
	f.Add(mailed("application/gzip", gz([]byte(sample))))
	f.Add([]byte(tlsSample))
	f.Add([]byte(failureMail))
	f.Add([]byte("unused"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for doc, err := range (&dmarcreport.Reader{Limits: small}).Documents(bytes.NewReader(data)) {
			if err != nil {
				if doc != nil {
					t.Fatal("a document and an error")
				}
				continue
			}
			if doc.Kind == dmarcreport.KindAggregate {
				_, _ = doc.Aggregate.Report()
			}
		}
		for _, err := range (&dmarcreport.Reader{Limits: small, Strict: true}).Documents(bytes.NewReader(data)) {
			_ = err
		}
	})
}

// FuzzSplitReads feeds the same text whole and a byte at a time: the result
// must be the same.
func FuzzSplitReads(f *testing.F) {
	f.Add(sample)
	f.Add(strings.Replace(sample, "Receiver", "<![CDATA[A]]><!-- c -->R&amp;D <x@y>", 1))
	f.Add("<feedback><record><row><count>1</record></feedback>")
	f.Add("<feedback>\n<report_metadata>\n<org_name> a\nb </org_name>\n<email\n>&bad;\n<!--\n\n")
	f.Add("<feedback>\n<version>\n2 <policy_published>\n<np>\nnone\n<testing>n</testing>\n<![CDATA[\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		rd := dmarcreport.Reader{Limits: small}
		a, errA := rd.Read(strings.NewReader(text))
		b, errB := rd.Read(iotest.OneByteReader(strings.NewReader(text)))
		if fmt.Sprint(errA) != fmt.Sprint(errB) || fmt.Sprintf("%+v", a) != fmt.Sprintf("%+v", b) {
			t.Fatalf("whole: %+v, %v\nsplit: %+v, %v", a, errA, b, errB)
		}
	})
}

// FuzzAgainstEncodingXML compares with the standard library on what it takes
// for well-formed: counts, domains and words must be those of a plain decoder.
func FuzzAgainstEncodingXML(f *testing.F) {
	f.Add(sample)
	f.Add(strings.Replace(sample, "Receiver", "R&amp;D &#65; <![CDATA[<x>]]>", 1))
	f.Add(strings.Replace(sample, "<record>", "<!-- <record> --><record>", 1))
	f.Fuzz(func(t *testing.T, text string) {
		want, ok := wellFormed(text)
		if !ok {
			return
		}
		r, err := (&dmarcreport.Reader{Limits: dmarcreport.Limits{Depth: -1, Text: -1}}).Read(strings.NewReader(text))
		if err != nil {
			t.Fatalf("well-formed and refused: %v", err)
		}
		var got []string
		for _, rec := range r.Records {
			got = append(got, rec.HeaderFrom)
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Fatalf("header_from %q, encoding/xml has %q", got, want)
		}
		for _, f := range r.Findings {
			switch f.ID {
			case "truncated", "missing-end-tag", "stray-end-tag", "unclosed-markup", "bare-less-than", "bare-ampersand":
				t.Fatalf("well-formed and mended: %v", f)
			}
		}
	})
}

// wellFormed returns the header_from of each record of a report as
// encoding/xml reads it; ok only for documents in which every element stands
// where the standard has it, so that both must agree.
func wellFormed(text string) (froms []string, ok bool) {
	parents := map[string]string{"feedback": "", "version": "feedback", "report_metadata": "feedback", "policy_published": "feedback",
		"record": "feedback", "row": "record", "identifiers": "record", "auth_results": "record", "header_from": "identifiers",
		"envelope_from": "identifiers", "source_ip": "row", "count": "row", "policy_evaluated": "row", "org_name": "report_metadata",
		"email": "report_metadata", "report_id": "report_metadata", "date_range": "report_metadata", "begin": "date_range", "end": "date_range"}
	dec := xml.NewDecoder(strings.NewReader(text))
	var stack []string
	seen := []map[string]bool{{}}
	leafText := ""
	roots := 0
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return froms, len(stack) == 0 && roots == 1
		}
		if err != nil {
			return nil, false
		}
		switch x := tok.(type) {
		case xml.StartElement:
			parent := ""
			if len(stack) > 0 {
				parent = stack[len(stack)-1]
			}
			want, known := parents[x.Name.Local]
			if !known || want != parent || x.Name.Space != "" || len(x.Attr) > 0 || seen[len(seen)-1][x.Name.Local] && x.Name.Local != "record" {
				return nil, false
			}
			if parent == "" {
				roots++
			}
			seen[len(seen)-1][x.Name.Local] = true
			seen = append(seen, map[string]bool{})
			stack = append(stack, x.Name.Local)
			if x.Name.Local == "record" {
				froms = append(froms, "")
			}
			leafText = ""
		case xml.EndElement:
			if stack[len(stack)-1] == "header_from" {
				for _, c := range leafText {
					if c > 0x7e || c < ' ' && c != '\n' && c != '\t' {
						return nil, false
					}
				}
				if strings.Contains(leafText, "&") {
					return nil, false // may be escaped twice
				}
				froms[len(froms)-1] = strings.TrimSpace(leafText)
			}
			stack, seen = stack[:len(stack)-1], seen[:len(seen)-1]
		case xml.CharData:
			leafText += string(x)
			if len(stack) == 0 && strings.TrimSpace(string(x)) != "" {
				return nil, false
			}
		case xml.Directive:
			return nil, false
		case xml.ProcInst:
			if x.Target != "xml" || strings.Contains(string(x.Inst), "encoding") && !strings.Contains(string(x.Inst), "UTF-8") {
				return nil, false
			}
		}
	}
}

// FuzzTLS reads any JSON.
func FuzzTLS(f *testing.F) {
	f.Add([]byte(tlsSample))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := dmarcreport.ParseTLS(data)
		if (r == nil) == (err == nil) {
			t.Fatalf("%v, %v", r, err)
		}
	})
}

// FuzzWrite writes what was read and reads it again: the facts must be the same.
func FuzzWrite(f *testing.F) {
	f.Add(sample)
	f.Add(strings.Replace(sample, "Receiver", "R&amp;D &lt;x&gt; \x01", 1))
	f.Add(strings.Replace(sample, ">12<", ">-12<", 1))
	f.Fuzz(func(t *testing.T, text string) {
		r, err := (&dmarcreport.Reader{Limits: small}).Read(strings.NewReader(text))
		if err != nil {
			return
		}
		again(t, r, dmarcreport.RFC7489)
		again(t, r, dmarcreport.RFC9990)
	})
}
