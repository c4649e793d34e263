package dsn

import "github.com/mailfault/mailfault/internal/enum"

// Severity says how much a finding matters.
// As text: info, warning, error.
type Severity uint8

const (
	Info    Severity = iota // worth knowing; nothing is lost
	Warning                 // repaired or doubtful: check what it speaks of
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

// Position is where in the input a finding lies, as far as it fits.
type Position struct {
	Part   string `json:"part,omitempty"`   // path of the MIME part, "1.2"
	Offset int64  `json:"offset,omitempty"` // in bytes
	Line   int    `json:"line,omitempty"`   // from 1
	Column int    `json:"column,omitempty"` // in bytes, from 1
}

// Finding is a repair or a doubt: something the input has wrong, or that could
// be read in two ways.
type Finding struct {
	ID       string   `json:"id"` // stable, kebab-case
	Severity Severity `json:"severity"`
	Where    Position `json:"where,omitzero"`
	Spec     string   `json:"spec"` // section the input departs from: "RFC 3464 section 2.1"
	Message  string   `json:"message"`
}
