package main

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/mailfault/mailfault/dsn"
	webpage "github.com/mailfault/mailfault/examples/internal/page"
	"github.com/mailfault/mailfault/smtpcode"
)

// page collects reports for one self-contained HTML file. Every text of a
// report is data to the template: markup in it is shown, never run.
type page struct {
	Reports []*webpage.Report
	More    int // reports that are not shown
}

// maxReports bounds a page that a person may still look at; more are for
// -summary.
const maxReports = 500

func newPage() *page { return &page{} }

func (p *page) add(d document, o origin) {
	if len(p.Reports) == maxReports {
		p.More++
		return
	}
	r := webpage.NewReport(d, d.Source)
	r.Forged, r.Ours = o.forged, strings.Join(o.why, " ")
	r.Doc.Source, r.Doc.Report, r.Doc.Notice = nil, nil, nil // a page of many reports does not hold the mails
	p.Reports = append(p.Reports, r)
}

//go:embed page.html
var pageSource string

//go:embed summary.html
var summarySource string

var pageTemplate = template.Must(template.New("").Funcs(webpage.Funcs).Funcs(template.FuncMap{
	"described": func(d document) string { return described(&d) },
	"refuser":   func(r recipient) string { return refuser(&r) },
	"noReply":   func(r recipient) string { return replyText(&r) },
	"resend":    func(d smtpcode.Diagnosis) string { return resend(&d) },
	"advice":    addressAdvice,
	"check":     checkText,
	"dns":       dnsLines,
	"evidence":  evidenceText,
	"repair":    func(f dsn.Finding) string { return f.ID + ": " + f.Message },
	"shown":     func(rows []row) []row { return rows[:min(len(rows), maxRows)] },
	"more":      func(rows []row) int { return len(rows) - min(len(rows), maxRows) },
	"some":      func(list []string) string { return strings.Join(list[:min(len(list), 5)], ", ") },
}).Parse(webpage.Parts + pageSource + summarySource))

// writeTo writes the page.
func (p *page) writeTo(w io.Writer) error { return webpage.Write(w, pageTemplate, "reports", p) }
