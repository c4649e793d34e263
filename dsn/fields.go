package dsn

import (
	"strings"

	"github.com/mailfault/mailfault/internal/mime"
	"github.com/mailfault/mailfault/smtpcode"
)

// messageFields are the fields of RFC 3464 section 2.2.
var messageFields = map[string]setter[Report]{
	"original-envelope-id": once(func(r *Report) *string { return &r.OriginalEnvelopeID }, decodeXtext),
	"reporting-mta":        once(func(r *Report) *MTA { return &r.ReportingMTA }, parseMTA),
	"dsn-gateway":          once(func(r *Report) *MTA { return &r.DSNGateway }, parseMTA),
	"received-from-mta":    once(func(r *Report) *MTA { return &r.ReceivedFromMTA }, parseMTA),
	"arrival-date":         once(func(r *Report) *Date { return &r.ArrivalDate }, parseDate),
}

// recipientFields are the fields of RFC 3464 section 2.3.
var recipientFields = map[string]setter[Recipient]{
	"original-recipient": once(func(r *Recipient) *Address { return &r.OriginalRecipient }, parseAddress),
	"final-recipient":    once(func(r *Recipient) *Address { return &r.FinalRecipient }, parseAddress),
	"action":             setAction,
	"status":             setStatus,
	"remote-mta":         once(func(r *Recipient) *MTA { return &r.RemoteMTA }, parseMTA),
	"diagnostic-code":    once(func(r *Recipient) *Diagnostic { return &r.Diagnostic }, parseDiagnostic),
	"last-attempt-date":  once(func(r *Recipient) *Date { return &r.LastAttemptDate }, parseDate),
	"final-log-id":       once(func(r *Recipient) *string { return &r.FinalLogID }, verbatim),
	"will-retry-until":   once(func(r *Recipient) *Date { return &r.WillRetryUntil }, parseDate),
}

func setAction(r *Recipient, text string) bool {
	fresh := r.ActionRaw == ""
	r.ActionRaw, r.Action = text, parseAction(text)
	return fresh
}

func setStatus(r *Recipient, text string) bool {
	fresh := r.StatusRaw == ""
	r.StatusRaw = text
	r.Status, _, _ = smtpcode.CutStatus(strings.TrimLeft(text, "#( \"'"))
	return fresh
}

// parseAction reads the action word, also one with a comment behind it, and
// "expired", which some write for a failure after retries.
func parseAction(v string) smtpcode.Action {
	word, _, _ := strings.Cut(v, " ")
	if strings.EqualFold(word, "expired") {
		return smtpcode.Failed
	}
	return smtpcode.ParseAction(strings.Trim(word, ";,()"))
}

// statusReader reads the groups of a delivery-status part. A blank line begins
// a group only where the fields after it belong to another recipient: blank
// lines are often missing or doubled.
type statusReader struct {
	report  *Report
	limit   int
	found   func(id string, offset int)
	current *Recipient
	blank   bool
	spare   Recipient // beyond the limit
	extra   int       // extension fields kept
	pending []Field   // after a blank line, before it is clear whose they are
}

// usualGroup is how many fields a group seldom exceeds.
const usualGroup = 16

// read reads the fields of body, which begins at offset of the mail.
func (s *statusReader) read(body string, offset int) {
	fields := make(mime.Header, 0, usualGroup)
	for at := 0; at < len(body); {
		var next int
		var ended bool
		fields, next, ended = mime.ReadGroup(fields, body, at)
		for i, f := range fields {
			s.field(f, i == 0, offset)
		}
		s.blank = s.blank || ended
		at = next
	}
	s.settle()
}

func (s *statusReader) field(f mime.Field, first bool, offset int) {
	name, value := f.Name, f.Value()
	if set := setterOf(messageFields, name); set != nil {
		if s.current != nil {
			s.found(findingMerged, offset+f.Offset)
		}
		set(s.report, value)
		return
	}
	set := setterOf(recipientFields, name)
	if set == nil {
		s.extension(Field{f.Name, value}, first)
		return
	}
	if s.current != nil && s.startsGroup(name) {
		if !s.blank {
			s.found(findingMerged, offset+f.Offset)
		}
		s.begin()
	} else if s.current == nil {
		s.begin()
		if !s.blank && s.report.ReportingMTA.Raw != "" {
			s.found(findingMerged, offset+f.Offset)
		}
	} else if s.blank {
		s.found(findingSplit, offset+f.Offset)
		s.settle()
	}
	s.blank = false
	if !set(s.current, value) {
		s.found(findingRepeated, offset+f.Offset)
	}
}

// startsGroup reports whether a recipient field begins another group: it is set
// already and a blank line or another recipient's name stands here.
func (s *statusReader) startsGroup(name string) bool {
	c := s.current
	switch {
	case strings.EqualFold(name, "Final-Recipient"):
		return c.FinalRecipient.Raw != ""
	case strings.EqualFold(name, "Original-Recipient"):
		return c.OriginalRecipient.Raw != "" || s.blank && c.FinalRecipient.Raw != ""
	case strings.EqualFold(name, "Action"):
		return s.blank && c.ActionRaw != ""
	case strings.EqualFold(name, "Status"):
		return s.blank && c.StatusRaw != ""
	}
	return false
}

func (s *statusReader) begin() {
	if len(s.report.Recipients) >= s.limit {
		if s.current != nil {
			s.found(findingTooManyRecipients, 0)
		}
		s.spare = Recipient{} // read and thrown away
		s.current = &s.spare
		return
	}
	s.report.Recipients = append(s.report.Recipients, Recipient{Extensions: s.pending})
	s.pending = nil
	s.current = &s.report.Recipients[len(s.report.Recipients)-1]
}

func (s *statusReader) extension(e Field, first bool) {
	if s.extra++; s.extra > maxReportFields {
		if s.extra == maxReportFields+1 {
			s.found(findingTooManyFields, 0)
		}
		return
	}
	switch {
	case s.blank && (first || s.pending != nil):
		s.pending = append(s.pending, e)
	case s.current != nil:
		s.current.Extensions = append(s.current.Extensions, e)
	default:
		s.report.Extensions = append(s.report.Extensions, e)
	}
}

// settle gives pending fields to the group before them.
func (s *statusReader) settle() {
	if len(s.pending) == 0 {
		return
	}
	if s.current != nil {
		s.current.Extensions = append(s.current.Extensions, s.pending...)
	} else {
		s.report.Extensions = append(s.report.Extensions, s.pending...)
	}
	s.pending = nil
}
