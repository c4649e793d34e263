package dsn

import (
	"net/netip"
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// Failures hands the evidence about each recipient to [smtpcode.Diagnose], in
// order, delivered recipients among them.
func (r *Report) Failures() []smtpcode.Failure {
	failures := make([]smtpcode.Failure, len(r.Recipients))
	for i := range r.Recipients {
		failures[i] = r.failure(&r.Recipients[i])
	}
	return failures
}

func (r *Report) failure(rcpt *Recipient) smtpcode.Failure {
	f := smtpcode.Failure{
		Recipient:        rcpt.FinalRecipient.Address,
		Action:           rcpt.Action,
		Status:           rcpt.Status,
		Replies:          smtpcode.ParseReplies(rcpt.Diagnostic.Text),
		GeneratingServer: r.ReportingMTA.Host,
		RemoteServer:     rcpt.RemoteMTA.Host,
		Date:             rcpt.LastAttemptDate.Time,
	}
	switch {
	case rcpt.Diagnostic.Raw != "" || rcpt.Said.Raw == "":
	case rcpt.Said.Type == "smtp":
		f.Replies = smtpcode.ParseReplies(rcpt.Said.Text)
	default:
		f.Reason = rcpt.Said.Text
	}
	if original := rcpt.OriginalRecipient.Address; !strings.EqualFold(original, f.Recipient) {
		f.OriginalRecipient = original
	}
	if f.Recipient == "" {
		f.Recipient, f.OriginalRecipient = f.OriginalRecipient, ""
	}
	if f.Date.IsZero() {
		f.Date = r.ArrivalDate.Time
	}
	if r.Returned != nil {
		h := r.Returned.Header
		f.EnvelopeFrom = bareAddress(h.Get("Return-Path"))
		from := bareAddress(h.Get("From"))
		f.AuthorDomain = from[strings.LastIndexByte(from, '@')+1:]
		if !strings.Contains(from, "@") {
			f.AuthorDomain = ""
		}
	}
	if ip, err := netip.ParseAddr(r.ReceivedFromMTA.Host); err == nil {
		f.SendingIP = ip.Unmap()
	}
	return f
}
