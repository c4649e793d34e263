package smtpcode

// Condition names what happened, with a stable identifier in kebab-case such
// as "recipient-not-found". The zero value is the unknown condition. The built-in
// conditions are listed by [Rulebook.Conditions]; a [Rulebook] may bring more.
type Condition string

// UnknownCondition is the condition of a failure whose evidence is silent.
const UnknownCondition Condition = ""

// String returns the identifier, or "unknown".
func (c Condition) String() string {
	if c == UnknownCondition {
		return "unknown"
	}
	return string(c)
}

// MarshalText returns the form of [Condition.String].
func (c Condition) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads any identifier; "unknown" and "" are the zero value.
func (c *Condition) UnmarshalText(text []byte) error {
	*c = Condition(text)
	if *c == "unknown" {
		*c = UnknownCondition
	}
	return nil
}
