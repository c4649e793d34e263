package dsn

import (
	"net/netip"
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// Failures hands the evidence about each recipient to [smtpcode.Diagnose], in
// order, delivered recipients among them.
func (r *Report) Failures() []smtpcode.Failure {
	envelopeFrom, authorDomain := r.senders()
	failures := make([]smtpcode.Failure, len(r.Recipients))
	for i := range r.Recipients {
		failures[i] = r.failure(&r.Recipients[i])
		failures[i].EnvelopeFrom, failures[i].AuthorDomain = envelopeFrom, authorDomain
	}
	return failures
}

// senders returns the returned message's envelope sender, and the domain of its
// author.
func (r *Report) senders() (envelopeFrom, authorDomain string) {
	if r.Returned == nil {
		return "", ""
	}
	h := r.Returned.Header
	from := bareAddress(h.Get("From"))
	if i := strings.LastIndexByte(from, '@'); i >= 0 {
		authorDomain = from[i+1:]
	}
	return bareAddress(h.Get("Return-Path")), authorDomain
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
	if rcpt.Diagnostic.Raw == "" && rcpt.Said.Raw != "" {
		f.Replies = smtpcode.ParseReplies(rcpt.Said.Text)
		if rcpt.Said.Type != "smtp" { // the reporting system's own words
			f.Reason = rcpt.Said.Text
		}
		if f.RemoteServer == "" {
			f.RemoteServer = remoteHost(rcpt.Said.Raw)
		}
	}
	for _, d := range [...]*Diagnostic{&rcpt.Diagnostic, &rcpt.Said} {
		if reply, ok := programReply(d); ok {
			f.Replies = append(f.Replies, reply)
		}
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
	if ip, err := netip.ParseAddr(r.ReceivedFromMTA.Host); err == nil {
		f.SendingIP = ip.Unmap()
	}
	return f
}
