package dsn

import (
	"strings"

	"github.com/mailfault/mailfault/internal/mime"
)

// Classify decides from the header alone, for a gateway before the body
// arrives or a ticket system before it answers. It takes a step a field.
//
// A gateway that knows the envelope sender puts it in front as a Return-Path
// field. An empty return path alone makes no report: auto-replies have one too,
// and some reports have none.
func Classify(h Header) Class {
	c := Class{Author: Person}
	for _, judge := range [...]func(Header) (Class, bool){
		classifyMarks(Challenger, challengeMarks, challengeSubjects),
		classifyReport,
		classifyMarks(AutoReplier, replyMarks, replySubjects),
		classifyMarks(List, listMarks, nil),
		classifyMarks(Program, programMarks, nil),
	} {
		if found, ok := judge(h); ok {
			c = found
			break
		}
	}
	c.Against = against(h)
	switch {
	case c.Against != (Ground{}):
	case c.Author != Person:
		c.Against = c.Because
	default:
		c.Answer = true
	}
	return c
}

// classifyReport goes by the type of the mail, by fields of reports, and by the
// name mail systems write under.
func classifyReport(h Header) (Class, bool) {
	c := Class{Author: Reporter}
	if f, ok := h.field("Content-Type"); ok {
		mediaType, params := mime.ParseType(f.Value())
		kind, known := reportTypes[mediaType]
		if mediaType == "multipart/report" {
			kind, known = reportTypes["message/"+strings.ToLower(params.Get("report-type"))], true
		}
		if known {
			c.Report, c.Because = kind, ground(f, "RFC 6522 section 3")
			return c, true
		}
	}
	for _, m := range reportMarks {
		if f, ok := m.find(h); ok {
			c.Report, c.Because = DeliveryStatus, ground(f, m.source)
			return c, true
		}
	}
	if f, ok := complaintMark.find(h); ok {
		c.Report, c.Because = FeedbackReport, ground(f, complaintMark.source)
		return c, true
	}
	// A postmaster may be a person: more must speak for a report than the name.
	f, ok := h.field("From")
	if !ok || !fromDaemon(h.fields) {
		return c, false
	}
	if strings.Contains(strings.ToLower(f.Value()), "mailer-daemon") || h.nullReturnPath() ||
		containsAny(strings.ToLower(h.Get("Subject")), subjectWords) {
		c.Report, c.Because = DeliveryStatus, ground(f, "RFC 5321 section 4.5.5; names mail systems write under")
		return c, true
	}
	return c, false
}

// classifyMarks goes by fields, and by how subjects begin. A subject with no
// name of its own for such mail counts only where another field says that no
// person wrote it.
func classifyMarks(a Author, marks []mark, subjects []subjectMark) func(Header) (Class, bool) {
	return func(h Header) (Class, bool) {
		for _, m := range marks {
			if f, ok := m.find(h); ok {
				return Class{Author: a, Because: ground(f, m.source)}, true
			}
		}
		f, ok := h.field("Subject")
		if !ok || len(subjects) == 0 {
			return Class{}, false
		}
		subject := strings.ToLower(strings.TrimSpace(mime.DecodeWords(f.Value())))
		for _, s := range subjects {
			if s.fits(subject) && (s.sure || h.automatic()) {
				return Class{Author: a, Because: ground(f, s.source)}, true
			}
		}
		return Class{}, false
	}
}

// against returns what forbids an automatic answer to anybody.
func against(h Header) Ground {
	for _, m := range noAnswerMarks {
		if f, ok := m.find(h); ok {
			return ground(f, m.source)
		}
	}
	// The answer would go to the return path; before delivery, to the author.
	f, ok := h.field("Return-Path")
	if !ok {
		f, ok = h.field("From")
	}
	if !ok {
		return Ground{Field: "From", Source: "RFC 3834 section 4"} // nobody to answer to
	}
	local, domain := splitAddress(strings.ToLower(bareAddress(f.Value())))
	if domain == "" || noAnswerLocals[local] || daemons[local] || strings.HasPrefix(local, "owner-") || strings.HasSuffix(local, "-request") || strings.HasSuffix(local, "-owner") {
		return ground(f, "RFC 3834 section 2")
	}
	return Ground{}
}

// mark is a field that means something: by being there, or by a value.
type mark struct {
	name   string   // of the field
	values []string // in lower case, one of which the value begins with; none: any value
	not    []string // values that mean nothing
	within bool     // the values may stand anywhere
	source string
}

// find returns the first field that has the mark.
func (m *mark) find(h Header) (mime.Field, bool) {
	for i := range h.fields {
		if strings.EqualFold(h.fields[i].Name, m.name) && m.fits(h.fields[i].Value()) {
			return h.fields[i], true
		}
	}
	return mime.Field{}, false
}

func (m *mark) fits(value string) bool {
	value = strings.ToLower(value)
	for _, not := range m.not {
		if strings.HasPrefix(value, not) {
			return false
		}
	}
	for _, v := range m.values {
		if strings.HasPrefix(value, v) || m.within && strings.Contains(value, v) {
			return true
		}
	}
	return len(m.values) == 0
}

// fromDaemon reports whether a mail system seems to have written a mail, by its
// From alone.
func fromDaemon(h mime.Header) bool {
	if !h.Has("From") {
		return false
	}
	from := strings.ToLower(h.Get("From"))
	address := bareAddress(from)
	local, _ := splitAddress(address)
	return strings.TrimSpace(address) == "" || daemons[local] || containsAny(from, daemonNames)
}

func ground(f mime.Field, source string) Ground { return Ground{f.Name, f.Value(), source} }

func (h Header) field(name string) (mime.Field, bool) {
	for i := range h.fields {
		if strings.EqualFold(h.fields[i].Name, name) {
			return h.fields[i], true
		}
	}
	return mime.Field{}, false
}

// nullReturnPath reports whether the envelope sender is known to be empty, or
// is what some write for an empty one.
func (h Header) nullReturnPath() bool {
	f, ok := h.field("Return-Path")
	if !ok {
		return false
	}
	local, _ := splitAddress(bareAddress(f.Value()))
	return local == "" || strings.EqualFold(local, "mailer-daemon")
}

// automatic reports whether some field says that no person wrote the mail,
// whatever else it may be.
func (h Header) automatic() bool {
	if h.nullReturnPath() || h.Has("X-Auto-Response-Suppress") {
		return true
	}
	f, ok := h.field("Auto-Submitted")
	return ok && !strings.HasPrefix(strings.ToLower(f.Value()), "no")
}

// splitAddress parts an address at its last at sign.
func splitAddress(address string) (local, domain string) {
	if i := strings.LastIndexByte(address, '@'); i >= 0 {
		return address[:i], address[i+1:]
	}
	return address, ""
}
