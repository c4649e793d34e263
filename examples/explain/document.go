package main

import (
	"strings"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/examples/internal/maillog"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

// What explain says about an input: what -json prints, and what the text and
// the page are drawn from.
type (
	document  = explained.Document
	recipient = explained.Recipient
)

// read explains one input that holds no log.
func read(file string, index int, data []byte) document {
	switch sniff(data) {
	case shapeMail:
		return explained.Mail(file, index, data)
	case shapeHTML:
		return readNotice(file, index, func() (*ndr.Notice, error) { return ndr.ParseHTML(string(data)) }, data)
	case shapeReply:
		return readReply(file, index, string(data))
	}
	return readNotice(file, index, func() (*ndr.Notice, error) { return ndr.ParseText(string(data)) }, data)
}

// readNotice explains a report's text or HTML without its mail. Text in no
// known layout may still hold replies.
func readNotice(file string, index int, parse func() (*ndr.Notice, error), data []byte) document {
	notice, err := parse()
	if err == nil {
		d := explained.New(file, index, dsn.DeliveryStatus.String())
		d.Format = "pasted"
		d.AddNotice(notice)
		d.Judge(notice.Failures(), notice.StatedOwner)
		return d
	}
	var failures []smtpcode.Failure
	for line := range strings.Lines(string(data)) {
		var log maillog.Reader
		if entry, failed, _ := log.Line(line); failed {
			failures = append(failures, entry.Failure)
		}
	}
	if len(failures) == 0 {
		d := explained.New(file, index, explained.NotAReport)
		d.Error = explained.ErrNotReport.Error()
		return d
	}
	d := explained.New(file, index, "reply")
	d.Format = "text"
	d.Judge(failures, smtpcode.Unknown)
	return d
}

// readReply explains one SMTP reply.
func readReply(file string, index int, text string) document {
	d := explained.New(file, index, "reply")
	f := smtpcode.Failure{Action: smtpcode.Failed, Replies: smtpcode.ParseReplies(text)}
	if n := len(f.Replies); n == 0 {
		d.Kind, d.Error = explained.NotAReport, explained.ErrNotReport.Error()
		return d
	} else if f.Replies[n-1].Code/100 == 4 {
		f.Action = smtpcode.ActionUnknown
	}
	d.Judge([]smtpcode.Failure{f}, smtpcode.Unknown)
	return d
}

// readEntry explains one line of a log.
func readEntry(file string, index int, entry maillog.Entry) document {
	d := explained.New(file, index, "reply")
	d.Format = entry.Format
	d.Judge([]smtpcode.Failure{entry.Failure}, smtpcode.Unknown)
	return d
}
