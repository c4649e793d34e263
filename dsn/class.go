package dsn

import "github.com/mailfault/mailfault/internal/enum"

// Class is what a mail's header alone says about who wrote it, and whether an
// automatic answer to it is allowed.
type Class struct {
	Author Author `json:"author"`
	// Report is what a report is about, where the header says it; else unknown.
	Report Kind `json:"report"`
	// Because is the field that said so; empty for a person, of whom no field speaks.
	Because Ground `json:"because"`
	// Answer says whether a program may answer by itself (RFC 3834 section 2). The
	// answer goes to the return path, with an empty one of its own and Auto-Submitted.
	Answer bool `json:"answer"`
	// Against is the first field that forbids an answer; empty when allowed.
	Against Ground `json:"against"`
}

// Ground is a field that something was concluded from.
type Ground struct {
	Field  string `json:"field"`  // name as the mail has it
	Value  string `json:"value"`  // unfolded
	Source string `json:"source"` // standard or program that gives the field its meaning
}

// Author is who or what wrote a mail.
// As text: unknown, person, report, auto-reply, challenge, list, program.
type Author uint8

const (
	AuthorUnknown Author = iota
	Person               // nothing speaks for a program
	Reporter             // a mail system or filter, about another mail
	AutoReplier          // a program, in answer to a mail: out of office, ticket received
	Challenger           // a filter that wants the sender to prove himself before it delivers
	List                 // a mailing list or a mass mailing; a person may have written the text
	Program              // a program of its own accord: an alert, a receipt, cron
)

var authorNames = enum.Names{"unknown", "person", "report", "auto-reply", "challenge", "list", "program"}

// String returns the writer in kebab-case, as the kind of mail: "auto-reply".
func (a Author) String() string { return authorNames.String("Author", uint8(a)) }

// MarshalText returns the writer as String does.
func (a Author) MarshalText() ([]byte, error) { return authorNames.MarshalText("Author", uint8(a)) }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (a *Author) UnmarshalText(text []byte) error {
	v, err := authorNames.Parse("Author", text)
	*a = Author(v)
	return err
}
