package main

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/examples/internal/maillog"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

// document is what explain says about one message: the object that -json
// prints, and what the text and the page are drawn from.
type document struct {
	SchemaVersion int           `json:"schema_version"`
	File          string        `json:"file"`
	Index         int           `json:"index"`
	Kind          string        `json:"kind"`
	Format        string        `json:"format,omitempty"`
	Layout        string        `json:"layout,omitempty"`
	Product       string        `json:"product,omitempty"`
	Recipients    []recipient   `json:"recipients"`
	Findings      []dsn.Finding `json:"findings"`
	Error         string        `json:"error,omitempty"`

	notice *ndr.Notice // nil where the report is in no layout of Microsoft's
}

// recipient is one recipient's facts and their judgement.
type recipient struct {
	FinalRecipient    string             `json:"final_recipient"`
	OriginalRecipient string             `json:"original_recipient"`
	Action            smtpcode.Action    `json:"action"`
	Status            smtpcode.Status    `json:"status"`
	Reply             smtpcode.Reply     `json:"reply"` // the one judged
	GeneratingServer  string             `json:"generating_server"`
	RemoteServer      string             `json:"remote_server"`
	Refuser           smtpcode.Refuser   `json:"refuser"`
	StatedOwner       smtpcode.Party     `json:"stated_owner"`
	Diagnosis         smtpcode.Diagnosis `json:"diagnosis"`

	failure smtpcode.Failure
}

const schemaVersion = 1

// notAReport is the kind of an input that is no report about mail.
const notAReport = "not-a-report"

// errNotReport is what explain says of such an input.
var errNotReport = errors.New("no report about mail: neither a bounce nor an SMTP reply")

func newDocument(file string, index int, kind string) document {
	return document{SchemaVersion: schemaVersion, File: file, Index: index, Kind: kind, Recipients: []recipient{}, Findings: []dsn.Finding{}}
}

// judge fills in the recipients: evidence in, diagnosis out.
func (d *document) judge(failures []smtpcode.Failure, stated smtpcode.Party) {
	for _, f := range failures {
		diagnosis := smtpcode.Diagnose(f)
		r := recipient{
			FinalRecipient: f.Recipient, OriginalRecipient: f.OriginalRecipient, Action: f.Action, Status: f.Status,
			GeneratingServer: f.GeneratingServer, RemoteServer: f.RemoteServer,
			Refuser: diagnosis.Refuser, StatedOwner: stated, Diagnosis: diagnosis, failure: f,
		}
		if n := len(f.Replies); n > 0 {
			r.Reply = f.Replies[n-1]
		}
		d.Recipients = append(d.Recipients, r)
	}
}

// read explains one input that holds no log.
func read(file string, index int, data []byte) document {
	switch sniff(data) {
	case shapeMail:
		return readMail(file, index, data)
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
		d := newDocument(file, index, dsn.DeliveryStatus.String())
		d.Format = "pasted"
		d.addNotice(notice)
		d.judge(notice.Failures(), notice.StatedOwner)
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
		d := newDocument(file, index, notAReport)
		d.Error = errNotReport.Error()
		return d
	}
	d := newDocument(file, index, "reply")
	d.Format = "text"
	d.judge(failures, smtpcode.Unknown)
	return d
}

func (d *document) addNotice(n *ndr.Notice) {
	d.notice = n
	d.Layout, d.Product = n.Layout.String(), n.Product.String()
	d.Findings = append(d.Findings, n.Findings...)
}

// readReply explains one SMTP reply.
func readReply(file string, index int, text string) document {
	d := newDocument(file, index, "reply")
	f := smtpcode.Failure{Action: smtpcode.Failed, Replies: smtpcode.ParseReplies(text)}
	if n := len(f.Replies); n == 0 {
		d.Kind, d.Error = notAReport, errNotReport.Error()
		return d
	} else if f.Replies[n-1].Code/100 == 4 {
		f.Action = smtpcode.ActionUnknown
	}
	d.judge([]smtpcode.Failure{f}, smtpcode.Unknown)
	return d
}

// readEntry explains one line of a log.
func readEntry(file string, index int, entry maillog.Entry) document {
	d := newDocument(file, index, "reply")
	d.Format = entry.Format
	d.judge([]smtpcode.Failure{entry.Failure}, smtpcode.Unknown)
	return d
}

// writeJSON writes the document on one line.
func (d *document) writeJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(d)
}
