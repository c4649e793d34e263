package dmarcreport

import (
	"fmt"

	"github.com/mailfault/mailfault/internal/enum"
)

// Severity says how much a finding matters.
// As text: info, warning, error.
type Severity uint8

const (
	Info    Severity = iota // a rule is broken and nothing had to be repaired
	Warning                 // something was repaired, or is doubtful
	Error                   // part of the input could not be read
)

var severityNames = enum.Names{"info", "warning", "error"}

// String returns the severity in lower case.
func (s Severity) String() string { return severityNames.String("Severity", uint8(s)) }

// MarshalText returns the severity in lower case.
func (s Severity) MarshalText() ([]byte, error) {
	return severityNames.MarshalText("Severity", uint8(s))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (s *Severity) UnmarshalText(text []byte) error {
	v, err := severityNames.Parse("Severity", text)
	*s = Severity(v)
	return err
}

// Position is where in a report a finding lies.
type Position struct {
	Part   string `json:"part,omitempty"`   // how the report was wrapped: "mail 1.2 > gzip"
	Path   string `json:"path,omitempty"`   // of elements: "feedback/record/row/count"
	Offset int64  `json:"offset"`           // in the unpacked document in UTF-8, in bytes
	Line   int    `json:"line,omitempty"`   // from 1
	Column int    `json:"column,omitempty"` // in bytes, from 1
}

// Finding is a rule that a report breaks, and what was made of it.
type Finding struct {
	ID       string   `json:"id"` // stable, kebab-case
	Severity Severity `json:"severity"`
	Where    Position `json:"where,omitzero"`
	Spec     string   `json:"spec"` // the rule: "RFC 7489 appendix C"
	Message  string   `json:"message"`
	Before   string   `json:"before,omitempty"` // as written, cut at 200 bytes
	After    string   `json:"after,omitempty"`  // as read
	More     int      `json:"more,omitempty"`   // further findings like it about the same element, not kept
}

// String returns the finding in one line, fit for a mail to the reporter.
func (f Finding) String() string {
	s := fmt.Sprintf("line %d, %s: %s", f.Where.Line, f.Where.Path, f.Message)
	if f.Before != "" || f.After != "" {
		s += fmt.Sprintf(" (%q read as %q)", f.Before, f.After)
	}
	if f.Spec != "" {
		s += " [" + f.Spec + "]"
	}
	return s
}
