package explained

import (
	"strings"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/examples/internal/maillog"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

// generic is a text in no format that package dsn has a name for: what may be
// lines of a log.
const generic = "generic"

// Any explains one input that holds no log: a mail, the HTML or text of a report,
// an SMTP reply.
func Any(file string, index int, data []byte) Document {
	d := anyShape(file, index, data)
	d.Source = data
	return d
}

func anyShape(file string, index int, data []byte) Document {
	switch Sniff(data) {
	case ShapeMail:
		return Mail(file, index, data)
	case ShapeHTML:
		return readNotice(file, index, func() (*ndr.Notice, error) { return ndr.ParseHTML(string(data)) }, data)
	case ShapeReply:
		return Reply(file, index, string(data))
	}
	return readNotice(file, index, func() (*ndr.Notice, error) { return ndr.ParseText(string(data)) }, data)
}

// readNotice explains a report's text or HTML without its mail: in a layout of
// Microsoft's, in another system's words, or replies alone.
func readNotice(file string, index int, parse func() (*ndr.Notice, error), data []byte) Document {
	notice, err := parse()
	if err == nil && len(notice.Failures()) > 0 {
		d := New(file, index, dsn.DeliveryStatus.String())
		d.Format = "pasted"
		d.AddNotice(notice)
		d.Judge(notice.Failures(), notice.StatedOwner)
		return d
	}
	report, err := dsn.ReadText(string(data))
	isReport := err == nil && len(report.Recipients) > 0
	if isReport && report.TextFormat != generic {
		d, _ := ofReport(file, index, report)
		return d
	}
	var failures []smtpcode.Failure
	named := false // the lines are a log's, which names recipients behind the time
	for line := range strings.Lines(string(data)) {
		var log maillog.Reader
		entries, _ := log.Line(line)
		for _, entry := range entries {
			failures = append(failures, entry.Failure)
			named = named || !beginsWith(line, entry.Failure.Recipient)
		}
	}
	if isReport && !named {
		d, _ := ofReport(file, index, report)
		return d
	}
	if len(failures) == 0 {
		d := New(file, index, NotAReport)
		d.Error = ErrNotReport.Error()
		return d
	}
	d := New(file, index, "reply")
	d.Format = "text"
	d.Judge(failures, smtpcode.Unknown)
	return d
}

// Reply explains one SMTP reply.
func Reply(file string, index int, text string) Document {
	d := New(file, index, "reply")
	f := smtpcode.Failure{Action: smtpcode.Failed, Replies: smtpcode.ParseReplies(text)}
	if n := len(f.Replies); n == 0 {
		d.Kind, d.Error = NotAReport, ErrNotReport.Error()
		return d
	} else if f.Replies[n-1].Code/100 == 4 {
		f.Action = smtpcode.ActionUnknown
	}
	d.Judge([]smtpcode.Failure{f}, smtpcode.Unknown)
	return d
}
