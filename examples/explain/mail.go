package main

import (
	"bytes"
	"errors"
	"strings"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

// readMail explains a mail: the report's declared fields, joined with what a
// Microsoft layout adds.
func readMail(file string, index int, data []byte) document {
	report, err := dsn.Read(bytes.NewReader(data))
	if report == nil {
		d := newDocument(file, index, notAReport)
		d.Error = err.Error()
		return d
	}
	notice, noticeErr := ndr.Parse(report)
	if errors.Is(err, dsn.ErrNotReport) && noticeErr != nil {
		d := newDocument(file, index, notAReport)
		d.Findings = append(d.Findings, report.Findings...)
		d.Error = errNotReport.Error()
		return d
	}
	d := newDocument(file, index, report.Kind.String())
	if report.Kind == dsn.KindUnknown {
		d.Kind = dsn.DeliveryStatus.String()
	}
	d.Format = report.Format.String()
	d.Findings = append(d.Findings, report.Findings...)
	failures, stated := report.Failures(), smtpcode.Unknown
	if noticeErr == nil {
		d.addNotice(notice)
		failures, stated = notice.Failures(), notice.StatedOwner
	}
	for i := range failures {
		failures[i].OwnDomains = ownDomains(report)
	}
	d.judge(failures, stated)
	return d
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
