package dnscheck

import (
	"fmt"

	"github.com/mailfault/mailfault/internal/enum"
)

// Severity says how much a finding matters.
// As text: info, warning, error.
type Severity uint8

const (
	Info    Severity = iota // worth knowing; mail passes as it is
	Warning                 // doubtful, or breaks for some receivers
	Error                   // mail is refused, or the record does nothing
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

// Owner says whose record has to change for a finding to go away.
// As text: unknown, domain, include, receiver, network, resolver.
type Owner uint8

const (
	OwnerUnknown  Owner = iota
	OwnerDomain         // whoever runs the DNS of the domain that is checked
	OwnerInclude        // the operator of a record that an include, a redirect, an alias or an MX leads to
	OwnerReceiver       // the receiver that takes reports, or that refused the mail
	OwnerNetwork        // whoever runs the reverse zone of the sending address
	OwnerResolver       // nobody's record: DNS gave no answer, try again or ask another resolver
)

var ownerNames = enum.Names{"unknown", "domain", "include", "receiver", "network", "resolver"}

// String returns the owner in lower case.
func (o Owner) String() string { return ownerNames.String("Owner", uint8(o)) }

// MarshalText returns the owner in lower case.
func (o Owner) MarshalText() ([]byte, error) { return ownerNames.MarshalText("Owner", uint8(o)) }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (o *Owner) UnmarshalText(text []byte) error {
	v, err := ownerNames.Parse("Owner", text)
	*o = Owner(v)
	return err
}

// Position is where in DNS a finding lies: the name and type that were asked,
// the record's text, and the part of it that is meant.
type Position struct {
	Name   string `json:"name,omitempty"` // that publishes the record, or should
	Type   Type   `json:"type,omitempty"`
	Record string `json:"record,omitempty"` // its strings joined; "" where there is none
	Start  int    `json:"start,omitempty"`  // byte offsets in Record; both 0: all of it
	End    int    `json:"end,omitempty"`
}

// Text returns the part of the record that is meant, or all of it.
func (p Position) Text() string {
	if 0 <= p.Start && p.Start < p.End && p.End <= len(p.Record) {
		return p.Record[p.Start:p.End]
	}
	return p.Record
}

// Finding is something about a record that breaks mail, may break it, or is
// worth knowing.
type Finding struct {
	ID       string   `json:"id"` // stable, kebab-case
	Severity Severity `json:"severity"`
	Where    Position `json:"where,omitzero"`
	Spec     string   `json:"spec"` // the rule: "RFC 7208 section 4.6.4"
	Message  string   `json:"message"`
	Fix      string   `json:"fix,omitempty"` // what the owner changes; "" where nothing has to change
	Owner    Owner    `json:"owner"`
}

// String returns the finding in one line.
func (f Finding) String() string {
	at := f.Where.Name
	if at != "" {
		at += ": "
	}
	return fmt.Sprintf("%s %s: %s%s", f.Severity, f.ID, at, f.Message)
}
