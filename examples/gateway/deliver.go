package main

import (
	"io"
	"strings"

	"github.com/emersion/go-smtp"

	"github.com/mailfault/mailfault/smtpcode"
)

// deliver hands the mail to the next hop and answers what it answers. The dot
// that ends a mail is sent only when all of it came and all of it went.
//
// Where recipients were refused and the sender is to get a report, the report is
// handed over but for its own dot before the mail gets its dot: when either
// fails, neither is there, and the client tries again.
func (s *session) deliver(next *smtp.Client, m *mail, trx transaction, r io.Reader, in *patientReader) error {
	if len(trx.accepted) == 0 {
		s.giveBack(next)
		if _, err := io.Copy(io.Discard, r); err != nil {
			return readError(err)
		}
		return s.reportInstead(m, trx, trx.refused)
	}
	var report *unfinished
	if len(trx.refused) > 0 {
		var err error
		if report, err = s.beginReport(m, trx, trx.refused); err != nil {
			next.Close()
			return s.refuse(err, m, "")
		}
		defer report.abandon()
	}
	w, err := next.Data()
	if err == nil {
		if _, err = io.Copy(w, r); err != nil {
			next.Close()
			if in.err != nil && in.err != io.EOF {
				return readError(in.err)
			}
			return s.refuse(err, m, "")
		}
		var response *smtp.DataResponse
		if response, err = w.CloseWithResponse(); err == nil {
			s.giveBack(next)
			if report != nil {
				s.finish(report, m, trx)
			}
			return accepted(response)
		}
	}
	if dead(err) {
		next.Close()
	} else {
		s.giveBack(next)
	}
	if all := s.refusedInData(err, m, trx); len(all) > 0 {
		return s.reportInstead(m, trx, all)
	}
	return s.refuse(err, m, "")
}

// accepted is the next hop's own acceptance: its queue id is what its operator
// is asked about. go-smtp takes it as an error whose code says that it is none.
func accepted(response *smtp.DataResponse) error {
	text := response.StatusText
	if _, rest, ok := smtpcode.CutStatus(text); ok {
		text = strings.TrimSpace(rest)
	}
	return &smtp.SMTPError{Code: 250, EnhancedCode: smtp.EnhancedCode{2, 0, 0}, Message: text}
}
