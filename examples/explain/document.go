package main

import (
	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/examples/internal/maillog"
	"github.com/mailfault/mailfault/smtpcode"
)

// What explain says about an input: what -json prints, and what the text and
// the page are drawn from.
type (
	document  = explained.Document
	recipient = explained.Recipient
)

// readEntry explains one line of a log.
func readEntry(file string, index int, entry maillog.Entry) document {
	d := explained.New(file, index, "reply")
	d.Format = entry.Format
	d.Source = []byte(entry.Text)
	d.Judge([]smtpcode.Failure{entry.Failure}, smtpcode.Unknown)
	return d
}
