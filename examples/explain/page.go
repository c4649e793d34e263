package main

import (
	"bytes"
	_ "embed"
	"html/template"
	"os"
	"unicode/utf8"

	webpage "github.com/mailfault/mailfault/examples/internal/page"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

// page collects documents for one self-contained HTML file. Every text of a
// report is data to the template: markup in it is shown, never run.
type page struct{ Documents []document }

func newPage() *page { return &page{} }

func (p *page) add(d document) { p.Documents = append(p.Documents, d) }

//go:embed page.html
var pageSource string

// marked is a piece of the judged reply: plain, or the words that decided.
type marked struct {
	Text string
	Mark bool
}

// markReply cuts a recipient's judged reply at the words that decided.
func markReply(r recipient) []marked {
	raw := replyText(&r)
	if len(r.Failure.Replies) == 1 && len(r.Diagnosis.Evidence) > 0 {
		e := r.Diagnosis.Evidence[0]
		if e.Field == smtpcode.FieldReply && 0 <= e.Start && e.Start < e.End && e.End <= len(raw) {
			return []marked{{raw[:e.Start], false}, {raw[e.Start:e.End], true}, {raw[e.End:], false}}
		}
	}
	return []marked{{raw, false}}
}

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"columns": webpage.Columns, "markReply": markReply, "described": func(d document) string { return described(&d) },
	"refuser": func(r recipient) string { return refuser(&r) }, "resend": func(d smtpcode.Diagnosis) string { return resend(&d) },
	"hops": hopsOf, "address": addressAdvice, "check": checkText, "evidence": evidenceText, "delay": delay,
}).Parse(pageSource))

func (p *page) write(file string) error {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return err
	}
	// Controls of a report are not markup, but turn text round, or drive the
	// terminal of whoever looks at the file.
	clean := bytes.Map(func(r rune) rune {
		if drives(r) && r != '\n' && r != '\t' && r != '\r' {
			return utf8.RuneError
		}
		return r
	}, b.Bytes())
	return os.WriteFile(file, clean, 0o644)
}

// hopsOf returns the message hops that the report lists.
func hopsOf(d document) []ndr.Hop {
	if d.Notice == nil {
		return nil
	}
	return d.Notice.Hops
}
