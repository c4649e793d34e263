package history

import (
	"fmt"
	"time"
)

// Day is a day in UTC, counted from 1970-01-01. Zero means no day.
type Day int32

// DayOf returns the day of t in UTC, zero for the zero time.
func DayOf(t time.Time) Day {
	if t.IsZero() {
		return 0
	}
	s := t.Unix()
	d := s / 86400
	if s%86400 < 0 {
		d--
	}
	return Day(d)
}

// Time returns the day's first instant, the zero time for no day.
func (d Day) Time() time.Time {
	if d == 0 {
		return time.Time{}
	}
	return time.Unix(int64(d)*86400, 0).UTC()
}

// String returns the day as 2006-01-02, "" for no day.
func (d Day) String() string {
	if d == 0 {
		return ""
	}
	return d.Time().Format(time.DateOnly)
}

// MarshalText returns the day as 2006-01-02, "" for no day.
func (d Day) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (d *Day) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = 0
		return nil
	}
	t, err := time.Parse(time.DateOnly, string(text))
	if err != nil {
		return fmt.Errorf("history: day: %w", err)
	}
	*d = DayOf(t)
	return nil
}

// Period is the days from First to Last, both included. A zero end is open.
type Period struct {
	First Day `json:"first,omitzero"`
	Last  Day `json:"last,omitzero"`
}

// Contains reports whether d lies in the period.
func (p Period) Contains(d Day) bool {
	return (p.First == 0 || d >= p.First) && (p.Last == 0 || d <= p.Last)
}

// longDay is the longest range that still counts as one day: reporters'
// ranges overlap by seconds, and a day can have 25 hours.
const longDay = 26 * time.Hour

// reportDays returns the days that a report of begin to end stands for. A
// range of about a day is the day that holds most of it; a longer one keeps
// its ends, so that no count is spread over days nobody counted.
func reportDays(begin, end time.Time) Period {
	length := end.Sub(begin)
	if length <= longDay {
		d := DayOf(begin.Add(length / 2))
		return Period{d, d}
	}
	// An end on the stroke of midnight belongs to the day before.
	return Period{DayOf(begin), DayOf(end.Add(-time.Second))}
}
