package ndr

import "github.com/mailfault/mailfault/internal/enum"

// Answer is yes, no, or not known.
// As text: not-known, yes, no.
type Answer uint8

const (
	NotKnown Answer = iota // nothing shows it
	Yes
	No
)

var answerNames = enum.Names{"not-known", "yes", "no"}

// String returns the answer in kebab-case.
func (a Answer) String() string { return answerNames.String("Answer", uint8(a)) }

// MarshalText returns the answer in kebab-case.
func (a Answer) MarshalText() ([]byte, error) { return answerNames.MarshalText("Answer", uint8(a)) }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (a *Answer) UnmarshalText(text []byte) error {
	v, err := answerNames.Parse("Answer", text)
	*a = Answer(v)
	return err
}
