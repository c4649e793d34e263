package dsn

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxFieldLine is where a line of a field is folded (RFC 5322 section 2.1.1).
const maxFieldLine = 76

// partFields are the fields of a disposition notification or a feedback report
// as they were read; none of one that came without its part.
func (r *Report) partFields() []Field {
	switch {
	case r.Kind == DispositionNotification && r.Disposition != nil:
		return r.Disposition.Fields
	case r.Kind == FeedbackReport && r.Feedback != nil:
		return r.Feedback.Fields
	}
	return nil
}

// statusBody writes the groups of a delivery-status part, or the fields of a
// disposition notification or a feedback report. What was read goes out
// verbatim; what is only typed gets the standard's form.
func statusBody(r *Report, global bool) []byte {
	f := fieldWriter{global: global, typed: r.Format == Prose}
	if fields := r.partFields(); fields != nil {
		f.extensions(fields)
		return f.Bytes()
	}
	f.text("Original-Envelope-Id", encodeXtext(r.OriginalEnvelopeID))
	f.mta("Reporting-MTA", r.ReportingMTA)
	f.mta("DSN-Gateway", r.DSNGateway)
	f.mta("Received-From-MTA", r.ReceivedFromMTA)
	f.date("Arrival-Date", r.ArrivalDate)
	f.extensions(r.Extensions)
	for i := range r.Recipients {
		f.WriteString("\r\n")
		// An address behind a group that has none would be read as that group's.
		actionFirst := i > 0 && r.Recipients[i-1].FinalRecipient.Raw == "" && r.Recipients[i-1].OriginalRecipient.Raw == ""
		f.recipient(&r.Recipients[i], actionFirst)
	}
	return f.Bytes()
}

func (f *fieldWriter) recipient(r *Recipient, actionFirst bool) {
	if actionFirst {
		f.outcome(r)
	}
	f.address("Original-Recipient", r.OriginalRecipient)
	f.address("Final-Recipient", r.FinalRecipient)
	if !actionFirst {
		f.outcome(r)
	}
	f.mta("Remote-MTA", r.RemoteMTA)
	f.diagnostic("Diagnostic-Code", r.Diagnostic)
	f.date("Last-Attempt-Date", r.LastAttemptDate)
	f.text("Final-Log-ID", r.FinalLogID)
	f.date("Will-Retry-Until", r.WillRetryUntil)
	f.extensions(r.Extensions)
}

func (f *fieldWriter) outcome(r *Recipient) {
	action := r.ActionRaw
	if action == "" && r.Action != 0 {
		action = r.Action.String()
	}
	f.text("Action", action)
	status := r.StatusRaw
	if status == "" && !r.Status.IsZero() {
		status = r.Status.String()
	}
	f.text("Status", status)
}

// fieldWriter writes fields, folded at blanks.
type fieldWriter struct {
	bytes.Buffer
	global bool // addresses go out in UTF-8
	typed  bool // what was read has no types: they are put in
}

func (f *fieldWriter) address(name string, a Address) {
	switch {
	case a.Raw != "" && !(f.typed && a.Type == ""):
		f.text(name, a.Raw)
	case a.Address == "":
	case isASCII(a.Address):
		f.text(name, firstOf(a.Type, "rfc822")+"; "+a.Address)
	case f.global:
		f.text(name, "utf-8; "+a.Address)
	default:
		f.text(name, "utf-8; "+encodeUnitext(a.Address))
	}
}

func (f *fieldWriter) mta(name string, m MTA) {
	switch {
	case m.Raw != "" && !(f.typed && m.Type == ""):
		f.text(name, m.Raw)
	case m.Host != "":
		f.text(name, firstOf(m.Type, "dns")+"; "+hostName(m))
	}
}

func (f *fieldWriter) diagnostic(name string, d Diagnostic) {
	switch {
	case d.Raw != "" && !f.typed:
		f.text(name, d.Raw)
	case d.Text != "":
		f.text(name, firstOf(d.Type, "x-text")+"; "+d.Text)
	}
}

func (f *fieldWriter) date(name string, d Date) {
	f.text(name, firstOf(d.Raw, formatDate(d.Time)))
}

// text writes a field, unless it has no value.
func (f *fieldWriter) text(name, value string) {
	if value != "" {
		f.field(name, value)
	}
}

func (f *fieldWriter) extensions(list []Field) {
	for _, e := range list {
		if isFieldName(e.Name) {
			f.field(e.Name, e.Value)
		}
	}
}

func (f *fieldWriter) field(name, value string) {
	f.WriteString(name + ":")
	column := len(name) + 1
	for word := range strings.SplitSeq(oneLine(value), " ") {
		if word == "" {
			continue
		}
		if column+1+len(word) > maxFieldLine && column > len(name)+1 {
			f.WriteString("\r\n")
			column = 0
		}
		f.WriteString(" " + word)
		column += 1 + len(word)
	}
	f.WriteString("\r\n")
}

// isFieldName reports whether a name can stand before a colon: what is in
// RFC 5322 section 3.6.8, and bytes beyond ASCII that a report was read with.
func isFieldName(name string) bool {
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c == ':' || c == 0x7f {
			return false
		}
	}
	return name != ""
}

// encodeXtext writes an envelope id as RFC 3461 section 4 has it.
func encodeXtext(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c > ' ' && c < 0x7f && c != '+' && c != '=' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "+%02X", c)
		}
	}
	return b.String()
}

// encodeUnitext writes an address in ASCII as RFC 6533 section 3 has it.
func encodeUnitext(s string) string {
	var b strings.Builder
	for _, c := range s {
		if c < utf8.RuneSelf && c > ' ' && c != '\\' && c != '+' && c != '=' {
			b.WriteRune(c)
		} else {
			fmt.Fprintf(&b, `\x{%X}`, c)
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
