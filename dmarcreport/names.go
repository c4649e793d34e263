package dmarcreport

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Subject is the subject of a mail that carries a report, in the form of RFC
// 7489 section 7.2.1.1.
type Subject struct {
	Domain    string // the policy domain
	Submitter string // the reporter's domain
	ReportID  string // "" where it is left out, as RFC 9990 allows
}

// String returns the subject in the form of RFC 7489 and RFC 9990.
func (s Subject) String() string {
	out := "Report Domain: " + s.Domain + " Submitter: " + s.Submitter
	if s.ReportID != "" {
		out += " Report-ID: " + s.ReportID
	}
	return out
}

// ParseSubject reads the subject of a report mail; keywords count in any case.
// ok is false for another subject.
func ParseSubject(text string) (s Subject, ok bool) {
	keys := [...]struct {
		name string
		to   *string
	}{{"report domain:", &s.Domain}, {"submitter:", &s.Submitter}, {"report-id:", &s.ReportID}}
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		return s, false
	}
	for i, k := range keys {
		at := strings.Index(lower, k.name)
		if at < 0 {
			continue
		}
		from, to := at+len(k.name), len(text)
		for _, next := range keys[i+1:] {
			if j := strings.Index(lower[from:], next.name); j >= 0 {
				to = min(to, from+j)
			}
		}
		*k.to = strings.Trim(text[from:to], " \t<>")
	}
	return s, s.Domain != "" && s.Submitter != ""
}

// FileName is the name of a report file in the form of RFC 7489 section
// 7.2.1.1: receiver!policy-domain!begin!end[!unique-id].xml[.gz]
type FileName struct {
	Receiver string
	Domain   string
	Begin    time.Time
	End      time.Time
	UniqueID string
}

// String returns the name without an extension.
func (f FileName) String() string {
	s := fmt.Sprintf("%s!%s!%d!%d", f.Receiver, f.Domain, f.Begin.Unix(), f.End.Unix())
	if f.UniqueID != "" {
		s += "!" + f.UniqueID
	}
	return s
}

// ParseFileName reads the name of a report file; ok is false for another
// name. An empty receiver occurs and is no fault of the form.
func ParseFileName(name string) (f FileName, ok bool) {
	fields := strings.Split(name, "!")
	if len(fields) < 4 || len(fields) > 5 {
		return f, false
	}
	last := &fields[len(fields)-1]
	for _, ext := range []string{".gz", ".zip", ".xml"} {
		*last = strings.TrimSuffix(*last, ext)
	}
	begin, err1 := strconv.ParseInt(fields[2], 10, 64)
	end, err2 := strconv.ParseInt(fields[3], 10, 64)
	if err1 != nil || err2 != nil || fields[1] == "" {
		return f, false
	}
	f = FileName{Receiver: fields[0], Domain: fields[1], Begin: time.Unix(begin, 0).UTC(), End: time.Unix(end, 0).UTC()}
	if len(fields) == 5 {
		f.UniqueID = fields[4]
	}
	return f, true
}

// FileName returns the name the standard gives a report's file, without an
// extension; receiver is the reporter's own domain.
func (r *Report) FileName(receiver string) FileName {
	return FileName{Receiver: receiver, Domain: r.Policy.Domain, Begin: r.Metadata.DateRange.Begin, End: r.Metadata.DateRange.End}
}

// Subject returns the subject of the mail that carries a report.
func (r *Report) Subject(submitter string) Subject {
	return Subject{Domain: r.Policy.Domain, Submitter: submitter, ReportID: r.Metadata.ReportID}
}
