package dmarcreport_test

import (
	"fmt"
	"log"
	"net/netip"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
)

// A reporter's word is held against the results it rests on.
func ExampleEvaluate() {
	policy := &dmarcreport.PolicyPublished{Domain: "example.org", P: dmarcreport.DispositionReject}
	record := &dmarcreport.Record{
		HeaderFrom: "example.org",
		Evaluated:  dmarcreport.Evaluated{DKIM: dmarcreport.ResultPass, SPF: dmarcreport.ResultFail},
		DKIM:       []dmarcreport.DKIMResult{{Domain: "mailer.example", Result: dmarcreport.ResultPass}},
		SPF:        []dmarcreport.SPFResult{{Domain: "mailer.example", Scope: dmarcreport.ScopeMailFrom, Result: dmarcreport.ResultPass}},
	}
	j := dmarcreport.Evaluate(policy, record, nil)
	fmt.Println(j.DKIM, j.SPF, j.Pass())
	fmt.Println(j.Doubts)
	// Output:
	// fail fail false
	// dkim-pass-unsupported
}

func ExampleParseTLS() {
	report, err := dmarcreport.ParseTLS([]byte(`{
  "organization-name": "Sender", "report-id": "1", "contact-info": "tls@sender.example",
  "date-range": {"start-datetime": "2026-01-05T00:00:00Z", "end-datetime": "2026-01-05T23:59:59Z"},
  "policies": [{
    "policy": {"policy-type": "sts", "policy-domain": "example.org"},
    "summary": {"total-successful-session-count": 90, "total-failure-session-count": 3},
    "failure-details": [{"result-type": "certificate-expired", "failed-session-count": 3}]
  }]
}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range report.Policies {
		fmt.Println(p.Domain, p.Type, p.Successful, p.Failed, p.Failures[0].ResultType)
	}
	// Output: example.org sts 90 3 certificate-expired
}

func ExampleParseFileName() {
	name, ok := dmarcreport.ParseFileName("receiver.example!example.org!1767571200!1767657599!77.xml.gz")
	fmt.Println(name.Receiver, name.Domain, name.Begin.UTC().Format(time.DateOnly), name.UniqueID, ok)
	// Output: receiver.example example.org 2026-01-05 77 true
}

func ExampleParseSubject() {
	subject, ok := dmarcreport.ParseSubject("Report Domain: example.org Submitter: receiver.example Report-ID: <77@receiver.example>")
	fmt.Println(subject.Domain, subject.Submitter, subject.ReportID, ok)
	// Output: example.org receiver.example 77@receiver.example true
}

// A gateway that receives mail reports what it saw.
func ExampleReport_WriteXML() {
	report := &dmarcreport.Report{
		Metadata: dmarcreport.Metadata{OrgName: "Receiver", Email: "dmarc@receiver.example", ReportID: "77",
			DateRange: dmarcreport.DateRange{Begin: time.Unix(1767571200, 0), End: time.Unix(1767657599, 0)}},
		Policy: dmarcreport.PolicyPublished{Domain: "example.org", P: dmarcreport.DispositionReject},
		Records: []dmarcreport.Record{{
			SourceIP: netip.MustParseAddr("192.0.2.1"), Count: 12, HeaderFrom: "example.org",
			Evaluated: dmarcreport.Evaluated{Disposition: dmarcreport.DispositionNone, DKIM: dmarcreport.ResultPass, SPF: dmarcreport.ResultFail},
			DKIM:      []dmarcreport.DKIMResult{{Domain: "example.org", Selector: "s1", Result: dmarcreport.ResultPass}},
		}},
	}
	var xml strings.Builder
	if err := report.WriteXML(&xml, dmarcreport.RFC7489); err != nil {
		log.Fatal(err)
	}
	back, err := dmarcreport.Read(strings.NewReader(xml.String()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.FileName("receiver.example"))
	fmt.Println(back.Records[0].SourceIP, back.Records[0].Count, back.Records[0].DKIM[0].Result)
	// Output:
	// receiver.example!example.org!1767571200!1767657599
	// 192.0.2.1 12 pass
}
