package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/emersion/go-smtp"

	"github.com/mailfault/mailfault/smtpcode"
)

// recipient is one recipient of a mail.
type recipient struct {
	address string
	options *smtp.RcptOptions
}

// refusal is a recipient that the next hop would not take.
type refusal struct {
	recipient
	reply *smtp.SMTPError
}

// failure is the evidence that a refusal is.
func (s *session) failure(e *smtp.SMTPError, m *mail, to string) smtpcode.Failure {
	host, _, _ := net.SplitHostPort(s.Next.Addr)
	f := smtpcode.Failure{
		Recipient: to, Replies: []smtpcode.Reply{replyOf(e)},
		GeneratingServer: s.Hostname, RemoteServer: host,
		EnvelopeFrom: m.From, HELO: s.Hostname, AuthorDomain: authorDomain(m.header()),
	}
	if e.Code/100 == 5 {
		f.Action, f.Status = smtpcode.Failed, f.Replies[0].Status
	}
	if m.Trusted {
		f.OwnDomains = s.OwnDomains
	}
	return f
}

// statusOf returns the status of a reply, zero when it has none, and its lines
// without it. RFC 2034 section 4 wants it on every line; some servers write it
// on the last one only.
func statusOf(e *smtp.SMTPError) (status smtpcode.Status, lines []string) {
	if e.EnhancedCode[0] > 0 {
		status = smtpcode.Status(e.EnhancedCode)
	}
	for line := range strings.SplitSeq(e.Message, "\n") {
		if st, rest, ok := smtpcode.CutStatus(line); ok && st[0] == e.Code/100 && (status == st || status == smtpcode.Status{}) {
			status, line = st, strings.TrimSpace(rest)
		}
		lines = append(lines, line)
	}
	return status, lines
}

// replyOf returns the reply as one line.
func replyOf(e *smtp.SMTPError) smtpcode.Reply {
	status, lines := statusOf(e)
	raw := fmt.Sprint(e.Code, " ")
	if status[0] > 0 {
		raw += status.String() + " "
	}
	return smtpcode.ParseReply(raw + strings.Join(lines, " "))
}

// What the client hears of a next hop that said nothing, or nothing of use.
var (
	errNextHop = &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 4, 1}, Message: "The next mail server does not answer, try again later"}
	replyNoTLS = &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 4}, Message: "The next mail server does not offer STARTTLS, which is demanded here, try again later"}
	replyTLS   = &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 5}, Message: "The next mail server's TLS or certificate is not good, try again later"}
)

// unreached returns the reply for an error that is no reply of the next hop's.
func unreached(err error) error {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert *net.OpError // crypto/tls's name for an alert that was received or sent
	switch {
	case errors.Is(err, errNoTLS):
		return replyNoTLS
	case errors.As(err, &certificate), errors.As(err, &record), errors.As(err, &alert) && (alert.Op == "remote error" || alert.Op == "local error"):
		return replyTLS
	}
	return errNextHop
}

// dead reports whether the connection to the next hop is of no more use.
func dead(err error) bool {
	e := reply(err)
	return err != nil && (e == nil || e.Code == 421)
}

// refuse turns what the next hop said into the reply to the client: the same
// code and status, the same text, and one plain line below it. A next hop that
// said nothing is our own trouble, and temporary.
func (s *session) refuse(err error, m *mail, to string) error {
	e := reply(err)
	if e == nil {
		s.Log.Warn("next hop", "err", err, "client", m.Client)
		return unreached(err)
	}
	d := smtpcode.Diagnose(s.failure(e, m, to))
	s.Log.Info("refused", "to", to, "code", e.Code, "text", e.Message,
		"condition", known(string(d.Condition)), "owner", known(parties(d.Owners)))
	return explain(e, d)
}

// explain adds the plain line. go-smtp writes the status on the last line alone.
func explain(e *smtp.SMTPError, d smtpcode.Diagnosis) *smtp.SMTPError {
	status, lines := statusOf(e)
	enhanced, mark := smtp.NoEnhancedCode, "" // absent stays absent
	if status[0] > 0 {
		enhanced, mark = smtp.EnhancedCode(status), status.String()+" "
	}
	for i := range lines {
		lines[i] = mark + lines[i]
	}
	return &smtp.SMTPError{Code: e.Code, EnhancedCode: enhanced, Message: strings.Join(append(lines, plainLine(d)), "\n")}
}

// maxLine leaves room for code, status and line end in the 512 bytes of a reply
// line (RFC 5321 section 4.5.3.1.5).
const maxLine = 480

// plainLine says what a refusal means and what to do first.
func plainLine(d smtpcode.Diagnosis) string {
	line := smtpcode.ExplainedMark + d.Summary
	if len(d.Steps) > 0 {
		line += " First: " + d.Steps[0].Text
	}
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, line)
	return line[:min(len(line), maxLine)]
}

// reportable says whether a refusal may become a report: of mail of our own that
// somebody waits for, and only where trying again is no use.
func (p *proxy) reportable(err error, env *envelope, opts *smtp.RcptOptions) bool {
	e := reply(err)
	return p.Reports && env.Trusted && env.From != "" && e != nil && e.Code/100 == 5 &&
		(opts == nil || len(opts.Notify) == 0 || slices.Contains(opts.Notify, smtp.DSNNotifyFailure))
}
