package ndr

import "github.com/mailfault/mailfault/internal/enum"

// DateOrder is how a date such as 3/09/2016 was read.
// As text: open, month-first, day-first, year-first.
type DateOrder uint8

const (
	OrderOpen  DateOrder = iota // not read, or day and month may be either way round
	MonthFirst                  // 9/3/2016
	DayFirst                    // 3/9/2016
	YearFirst                   // 2016-09-03
)

var dateOrderNames = enum.Names{"open", "month-first", "day-first", "year-first"}

// String returns the order in kebab-case.
func (o DateOrder) String() string { return dateOrderNames.String("DateOrder", uint8(o)) }

// MarshalText returns the order in kebab-case.
func (o DateOrder) MarshalText() ([]byte, error) {
	return dateOrderNames.MarshalText("DateOrder", uint8(o))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (o *DateOrder) UnmarshalText(text []byte) error {
	v, err := dateOrderNames.Parse("DateOrder", text)
	*o = DateOrder(v)
	return err
}
