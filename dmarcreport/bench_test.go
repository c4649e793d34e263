package dmarcreport_test

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport"
)

// largeReport writes a report of n records with the elements and the variety
// that a large receiver's reports have.
func largeReport(w io.Writer, n int) {
	io.WriteString(w, `<?xml version="1.0" encoding="UTF-8" ?>
<feedback>
  <version>1.0</version>
  <report_metadata>
    <org_name>receiver.example</org_name>
    <email>noreply-dmarc-support@receiver.example</email>
    <extra_contact_info>https://receiver.example/dmarc</extra_contact_info>
    <report_id>13949348866075514174</report_id>
    <date_range>
      <begin>1774915200</begin>
      <end>1775001599</end>
    </date_range>
  </report_metadata>
  <policy_published>
    <domain>sender.example</domain>
    <adkim>r</adkim>
    <aspf>r</aspf>
    <p>none</p>
    <sp>none</sp>
    <pct>100</pct>
    <fo>0</fo>
  </policy_published>
`)
	for i := range n {
		dkim, spf := "pass", "pass"
		if i%7 == 0 {
			dkim = "fail"
		}
		if i%5 == 0 {
			spf = "fail"
		}
		ip := fmt.Sprintf("198.%d.%d.%d", 18+i>>16&1, i>>8&255, i&255)
		if i%10 == 9 {
			ip = fmt.Sprintf("2001:db8::%x:%x", i>>16+1, i&0xffff+1)
		}
		fmt.Fprintf(w, `  <record>
    <row>
      <source_ip>%s</source_ip>
      <count>%d</count>
      <policy_evaluated>
        <disposition>none</disposition>
        <dkim>%s</dkim>
        <spf>%s</spf>
      </policy_evaluated>
    </row>
    <identifiers>
      <envelope_from>bounce%d.sender.example</envelope_from>
      <header_from>sender.example</header_from>
    </identifiers>
    <auth_results>
      <dkim>
        <domain>sender.example</domain>
        <selector>s%d</selector>
        <result>%s</result>
      </dkim>
      <spf>
        <domain>bounce%d.sender.example</domain>
        <scope>mfrom</scope>
        <result>%s</result>
      </spf>
    </auth_results>
  </record>
`, ip, i%40+1, dkim, spf, i%20, i%4, dkim, i%20, spf)
	}
	io.WriteString(w, "</feedback>\n")
}

// stdRecord is what encoding/xml decodes a record into, with the same facts.
type stdRecord struct {
	SourceIP string `xml:"row>source_ip"`
	Count    int64  `xml:"row>count"`
	Policy   struct {
		Disposition string `xml:"disposition"`
		DKIM        string `xml:"dkim"`
		SPF         string `xml:"spf"`
		Reasons     []struct {
			Type    string `xml:"type"`
			Comment string `xml:"comment"`
		} `xml:"reason"`
	} `xml:"row>policy_evaluated"`
	EnvelopeFrom string `xml:"identifiers>envelope_from"`
	EnvelopeTo   string `xml:"identifiers>envelope_to"`
	HeaderFrom   string `xml:"identifiers>header_from"`
	DKIM         []struct {
		Domain      string `xml:"domain"`
		Selector    string `xml:"selector"`
		Result      string `xml:"result"`
		HumanResult string `xml:"human_result"`
	} `xml:"auth_results>dkim"`
	SPF []struct {
		Domain string `xml:"domain"`
		Scope  string `xml:"scope"`
		Result string `xml:"result"`
	} `xml:"auth_results>spf"`
}

// BenchmarkRecords compares records a second with all checks on, an evaluation
// of each record included, with plain decoding by encoding/xml of the same
// bytes in the same run.
func BenchmarkRecords(b *testing.B) {
	const records = 20_000
	var buf bytes.Buffer
	largeReport(&buf, records)
	data := buf.Bytes()
	rate := func(b *testing.B, n int) {
		b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	}
	b.Run("mailfault", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			s, err := new(dmarcreport.Reader).Open(bytes.NewReader(data))
			if err != nil {
				b.Fatal(err)
			}
			var rec dmarcreport.Record
			var e dmarcreport.Evaluator
			policy := s.Policy()
			for n = 0; s.Next(&rec) == nil; n++ {
				e.Evaluate(&policy, &rec)
			}
		}
		if n != records {
			b.Fatalf("%d records", n)
		}
		rate(b, n)
	})
	b.Run("encoding-xml", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			n = 0
			dec := xml.NewDecoder(bytes.NewReader(data))
			for {
				tok, err := dec.Token()
				if err != nil {
					break
				}
				if start, ok := tok.(xml.StartElement); ok && start.Name.Local == "record" {
					var rec stdRecord
					if err := dec.DecodeElement(&rec, &start); err != nil {
						b.Fatal(err)
					}
					n++
				}
			}
		}
		if n != records {
			b.Fatalf("%d records", n)
		}
		rate(b, n)
	})
}

// BenchmarkMillion streams a compressed report of a million records and states
// the memory in use while it does.
func BenchmarkMillion(b *testing.B) {
	const records = 1_000_000
	var packed bytes.Buffer
	zw := gzip.NewWriter(&packed)
	largeReport(zw, records)
	if err := zw.Close(); err != nil {
		b.Fatal(err)
	}
	b.Logf("%d MB packed", packed.Len()>>20)
	var base, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&base)
	for b.Loop() {
		rd := dmarcreport.Reader{Limits: dmarcreport.Limits{Input: -1, Output: -1}}
		s, err := rd.Open(bytes.NewReader(packed.Bytes()))
		if err != nil {
			b.Fatal(err)
		}
		var rec dmarcreport.Record
		n, peak := 0, uint64(0)
		for {
			if err := s.Next(&rec); err != nil {
				if err != io.EOF {
					b.Fatal(err)
				}
				break
			}
			if n++; n%100_000 == 0 {
				runtime.ReadMemStats(&now)
				peak = max(peak, now.HeapInuse-min(base.HeapInuse, now.HeapInuse))
			}
		}
		if n != records {
			b.Fatalf("%d records", n)
		}
		b.ReportMetric(float64(peak)/(1<<20), "MiB-heap")
	}
}
