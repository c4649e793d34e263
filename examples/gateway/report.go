package main

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/smtpcode"
)

// unfinished is a report that the next hop has but for the dot at its end.
type unfinished struct {
	client *smtp.Client
	data   *smtp.DataCommand
}

// beginReport hands a report about refused recipients to the next hop, for the
// mail's sender, and stops before its end.
func (s *session) beginReport(m *mail, trx transaction, list []refusal) (u *unfinished, err error) {
	u = &unfinished{}
	if u.client, err = s.Next.dial(s.Hostname); err != nil {
		return nil, err
	}
	if err = u.client.Mail("", &smtp.MailOptions{UTF8: trx.options.UTF8}); err == nil {
		if err = u.client.Rcpt(m.From, nil); err == nil {
			if u.data, err = u.client.Data(); err == nil {
				_, err = s.writer(m, trx).Write(u.data, s.report(m, trx, list))
			}
		}
	}
	if err != nil {
		u.abandon()
		return nil, fmt.Errorf("report to %s: %w", m.From, err)
	}
	return u, nil
}

// abandon drops the report, unless it is finished.
func (u *unfinished) abandon() {
	if u.client != nil {
		u.client.Close()
		u.client = nil
	}
}

// end ends the report; the next hop has it then.
func (u *unfinished) end() error {
	defer u.abandon()
	if err := u.data.Close(); err != nil {
		return err
	}
	err := u.client.Quit()
	u.client = nil
	if err != nil {
		return nil // it has the report all the same
	}
	return nil
}

// finish ends the report about a mail that has gone on for its other
// recipients. The mail cannot be called back, so the report is tried a few times
// more.
func (s *session) finish(u *unfinished, m *mail, trx transaction) {
	err := u.end()
	for attempt := 1; err != nil && attempt < attempts; attempt++ {
		time.Sleep(time.Second)
		var again *unfinished
		if again, err = s.beginReport(m, trx, trx.refused); err == nil {
			err = again.end()
		}
	}
	if err != nil {
		for _, r := range trx.refused {
			s.Log.Error("no report could be sent", "from", m.From, "to", r.address, "reply", r.reply, "err", err)
		}
	}
}

// reportInstead sends a report about a mail that nobody took. Where that fails
// the client gets the refusal itself.
func (s *session) reportInstead(m *mail, trx transaction, list []refusal) error {
	u, err := s.beginReport(m, trx, list)
	if err == nil {
		err = u.end()
	}
	if err != nil {
		s.Log.Warn("the refusal is the reply: no report could be sent", "from", m.From, "err", err)
		return s.refuse(list[0].reply, m, list[0].address)
	}
	s.Log.Info("reported", "from", m.From, "recipients", len(list))
	return &smtp.SMTPError{Code: 250, EnhancedCode: smtp.EnhancedCode{2, 0, 0}, Message: "Refused for every recipient; a report was sent to <" + m.From + ">"}
}

// refusedInData returns the recipients of a mail that the next hop refused as a
// whole, where the sender is to get a report about them.
func (s *session) refusedInData(err error, m *mail, trx transaction) []refusal {
	list := trx.refused
	for _, r := range trx.accepted {
		if s.reportable(err, &m.envelope, r.options) {
			list = append(list, refusal{r, reply(err)})
		}
	}
	if len(list) == len(trx.refused) {
		return nil // a temporary refusal, or nobody wants a report
	}
	return list
}

// report is the report about refused recipients: the facts in its fields, the
// diagnosis in its explanation.
func (s *session) report(m *mail, trx transaction, list []refusal) *dsn.Report {
	now := dsn.Date{Time: time.Now()}
	host, _, _ := net.SplitHostPort(s.Next.Addr)
	r := &dsn.Report{
		Kind:            dsn.DeliveryStatus,
		ReportingMTA:    dsn.MTA{Type: "dns", Host: s.Hostname},
		ReceivedFromMTA: dsn.MTA{Type: "dns", Host: m.HELO},
		ArrivalDate:     now, OriginalEnvelopeID: trx.options.EnvelopeID,
	}
	var text strings.Builder
	fmt.Fprintf(&text, "This is the mail gateway at %s.\n\nYour message was not delivered to:\n", s.Hostname)
	for _, refused := range list {
		f := s.failure(refused.reply, m, refused.address)
		f.Action = smtpcode.Failed
		d := smtpcode.Diagnose(f)
		status := f.Replies[0].Status
		if status == (smtpcode.Status{}) {
			status = smtpcode.Status{5, 0, 0} // a report has to have one (RFC 3464 section 2.3.4)
		}
		to := dsn.Recipient{
			FinalRecipient: dsn.Address{Type: "rfc822", Address: refused.address},
			Action:         smtpcode.Failed, Status: status,
			RemoteMTA:       dsn.MTA{Type: "dns", Host: host},
			Diagnostic:      dsn.Diagnostic{Type: "smtp", Text: f.Replies[0].Raw},
			LastAttemptDate: now,
		}
		if o := refused.options; o != nil && o.OriginalRecipient != "" {
			to.OriginalRecipient = dsn.Address{Type: strings.ToLower(cmp.Or(string(o.OriginalRecipientType), "rfc822")), Address: o.OriginalRecipient}
		}
		r.Recipients = append(r.Recipients, to)
		fmt.Fprintf(&text, "\n  %s\n    %s\n", refused.address, d.Summary)
		for _, step := range d.Steps {
			fmt.Fprintf(&text, "    %s: %s\n", step.Party, step.Text)
		}
		fmt.Fprintf(&text, "    The next mail server said: %s\n", f.Replies[0].Raw)
	}
	r.Explanation.Text = text.String()
	r.Returned = dsn.NewReturned(m.data)
	return r
}

// writer writes reports as the sender wants them: with the whole message where
// he asked for it and the gateway read all of it, else with its header.
func (s *session) writer(m *mail, trx transaction) *dsn.Writer {
	return &dsn.Writer{
		To: "<" + m.From + ">", MessageID: rand.Text() + "@" + s.Hostname,
		MaxReturn: s.MaxReport, HeadersOnly: trx.options.Return != smtp.DSNReturnFull || !m.whole,
	}
}
