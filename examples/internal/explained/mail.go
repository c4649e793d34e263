package explained

import (
	"bytes"
	"errors"
	"strings"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

// Mail explains a mail: the report's declared fields, joined with what a
// Microsoft layout adds.
func Mail(file string, index int, data []byte) Document {
	report, err := dsn.Read(bytes.NewReader(data))
	if report == nil {
		d := New(file, index, NotAReport)
		d.Error = err.Error()
		return d
	}
	d, isNotice := ofReport(file, index, report)
	if errors.Is(err, dsn.ErrNotReport) && !isNotice {
		d = New(file, index, NotAReport)
		d.Findings = append(d.Findings, report.Findings...)
		d.Error = ErrNotReport.Error()
	}
	return d
}

// ofReport explains a report, and says whether it is one of Microsoft's.
func ofReport(file string, index int, report *dsn.Report) (d Document, isNotice bool) {
	d = New(file, index, report.Kind.String())
	if report.Kind == dsn.KindUnknown {
		d.Kind = dsn.DeliveryStatus.String()
	}
	d.Format, d.Report = report.Format.String(), report
	d.Findings = append(d.Findings, report.Findings...)
	failures, stated := report.Failures(), smtpcode.Unknown
	notice, err := ndr.Parse(report)
	if err == nil {
		d.AddNotice(notice)
		stated = notice.StatedOwner
		if merged := notice.Failures(); len(merged) > 0 {
			failures = merged
		}
	}
	for i := range failures {
		failures[i].OwnDomains = ownDomains(report)
	}
	d.Judge(failures, stated)
	return d, err == nil
}

// ownDomains are the sender's own as the returned message shows them: the
// author's and the envelope sender's.
func ownDomains(report *dsn.Report) []string {
	if report.Returned == nil {
		return nil
	}
	var domains []string
	for _, name := range []string{"Return-Path", "Sender"} {
		address := strings.Trim(report.Returned.Header.Get(name), "<> ")
		if _, domain, ok := strings.Cut(address, "@"); ok {
			domains = append(domains, domain)
		}
	}
	return domains
}
