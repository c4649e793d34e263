package history

import "slices"

// Totals counts messages.
type Totals struct {
	Pass  int64 `json:"pass"`
	Fail  int64 `json:"fail"`  // no aligned pass
	Muted int64 `json:"muted"` // no aligned pass, by way of a forwarder or a list
}

// Messages returns the number of all messages.
func (t Totals) Messages() int64 { return t.Pass + t.Fail + t.Muted }

// Add adds o to t.
func (t *Totals) Add(o Totals) {
	t.Pass += o.Pass
	t.Fail += o.Fail
	t.Muted += o.Muted
}

// PassRate returns the share of messages that passed, forwarders and lists
// left out, from 0 to 1; ok is false where there is nothing to divide.
func (t Totals) PassRate() (rate float64, ok bool) {
	if t.Pass+t.Fail == 0 {
		return 0, false
	}
	return float64(t.Pass) / float64(t.Pass+t.Fail), true
}

// DayTotals counts the messages of a day.
type DayTotals struct {
	Day Day `json:"day"`
	Totals
}

// addDay adds t to the day's totals in days, which are in order.
func addDay(days []DayTotals, day Day, t Totals) []DayTotals {
	if n := len(days); n == 0 || days[n-1].Day < day {
		return append(days, DayTotals{day, t})
	}
	i, found := slices.BinarySearchFunc(days, day, func(d DayTotals, day Day) int { return int(d.Day) - int(day) })
	if found {
		days[i].Add(t)
		return days
	}
	return slices.Insert(days, i, DayTotals{day, t})
}

// cutDays returns the index of the first of days that is not before day.
func cutDays(days []DayTotals, day Day) int {
	i, _ := slices.BinarySearchFunc(days, day, func(d DayTotals, day Day) int { return int(d.Day) - int(day) })
	return i
}
