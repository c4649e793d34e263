package dmarcreport_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/mailfault/mailfault/dmarcreport"
)

// Two lines read a report in any wrapping.
func ExampleRead() {
	report, err := dmarcreport.Read(strings.NewReader(sample)) // a file, an attachment, a whole mail
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range report.Records {
		fmt.Println(r.SourceIP, r.Count, r.HeaderFrom, "dkim:", r.Evaluated.DKIM, "spf:", r.Evaluated.SPF)
	}
	// Output: 192.0.2.1 12 sender.example dkim: pass spf: fail
}

// Large reports are streamed in memory that does not grow.
func ExampleReader_Open() {
	stream, err := new(dmarcreport.Reader).Open(strings.NewReader(sample))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stream.Metadata().OrgName, stream.Policy().P)
	messages := int64(0)
	for record, err := range stream.Records() {
		if err != nil {
			log.Fatal(err)
		}
		messages += record.Count
	}
	fmt.Println(messages, "messages")
	// Output:
	// Receiver reject
	// 12 messages
}

// What a reporter got wrong is said, with its place and the rule it breaks.
func ExampleFinding() {
	broken := strings.Replace(sample, "<spf>fail</spf>", "<spf>FAIL</spf>", 1)
	report, err := dmarcreport.Read(strings.NewReader(broken))
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range report.Findings {
		fmt.Println(f.ID, "at", f.Where.Path)
	}
	// Output: word-case at feedback/record/row/policy_evaluated/spf
}

// Sources says who sends under a domain, and what each most likely is.
func ExampleSources() {
	report, err := dmarcreport.Read(strings.NewReader(sample))
	if err != nil {
		log.Fatal(err)
	}
	var sources dmarcreport.Sources
	sources.AddReport(report)
	for _, s := range sources.List() {
		fmt.Println(s.Key, s.Class, s.Pass(), "of", s.Messages, "pass")
	}
	// Output: 192.0.2.1 own 12 of 12 pass
}

// An input may hold several reports, of several kinds.
func ExampleReader_Documents() {
	mail := mailed("application/zip", zipped([]byte(sample), []byte(tlsSample)))
	for doc, err := range new(dmarcreport.Reader).Documents(strings.NewReader(string(mail))) {
		if err != nil {
			log.Print(err)
			continue
		}
		fmt.Println(doc.Kind, "in", doc.Part)
	}
	// Output:
	// aggregate in mail 2 > zip > member 1
	// tls in mail 2 > zip > member 2
}
