// Package localdate reads dates written the way of some locale, such as
// 3/09/2016 8:05:56 PM, and decides from evidence which number is the day.
package localdate

import (
	"strings"
	"time"

	"github.com/mailfault/mailfault/internal/enum"
)

// Order is how a date such as 3/09/2016 was read.
type Order uint8

const (
	Open       Order = iota // not read, or day and month may be either way round
	MonthFirst              // 9/3/2016
	DayFirst                // 3/9/2016
	YearFirst               // 2016-09-03
)

var orderNames = enum.Names{"open", "month-first", "day-first", "year-first"}

// String returns the order's name in kebab-case.
func (o Order) String() string { return orderNames.String("Order", uint8(o)) }

// A Date is a date and time written the way of some locale, before it is
// known which of a and b is the day.
type Date struct {
	year, a, b     int
	hour, min, sec int
	Order          Order // Open when both readings are dates
}

// Parse reads the date and time s starts with and returns what
// follows. It knows three numbers with "/", "." or "-" between them and a time
// of day in 12 or 24 hours.
func Parse(s string) (d Date, rest string, ok bool) {
	n := [3]int{}
	width := [3]int{}
	sep := byte(0)
	t := strings.TrimLeft(s, " ")
	for i := range n {
		n[i], width[i], t = leadingNumber(t)
		if width[i] == 0 {
			return d, s, false
		}
		if i == 2 {
			break
		}
		if t == "" || t[0] != '/' && t[0] != '.' && t[0] != '-' || i == 1 && t[0] != sep {
			return d, s, false
		}
		sep = t[0]
		t = strings.TrimLeft(t[1:], " ")
	}
	if !d.setDate(n, width, sep) {
		return d, s, false
	}
	t = strings.TrimLeft(t, "., ")
	clock, ok := d.setTime(t)
	if !ok {
		return d, s, false
	}
	return d, clock, true
}

func (d *Date) setDate(n, width [3]int, sep byte) bool {
	switch {
	case width[0] == 4:
		d.year, d.a, d.b, d.Order = n[0], n[1], n[2], YearFirst
		return d.At(YearFirst) != time.Time{}
	case width[2] == 4:
		d.year = n[2]
	case width[2] == 2:
		d.year = 2000 + n[2]
		if n[2] >= 70 {
			d.year = 1900 + n[2]
		}
	default:
		return false
	}
	d.a, d.b = n[0], n[1]
	month, day := d.At(MonthFirst) != time.Time{}, d.At(DayFirst) != time.Time{}
	switch {
	case day && (!month || sep == '.' || d.a == d.b): // dots: no locale puts the month first
		d.Order = DayFirst
	case month && !day:
		d.Order = MonthFirst
	}
	return month || day
}

// dayHalves are the words for morning and afternoon that follow or precede
// a 12-hour time.
var dayHalves = []struct {
	word string
	pm   bool
}{
	{"am", false}, {"pm", true}, {"a.m.", false}, {"p.m.", true},
	{"午前", false}, {"午後", true}, {"上午", false}, {"下午", true}, {"오전", false}, {"오후", true},
}

func (d *Date) setTime(t string) (rest string, ok bool) {
	half, pm, t := cutDayHalf(t)
	hour, w1, t := leadingNumber(t)
	if w1 == 0 || w1 > 2 || !strings.HasPrefix(t, ":") {
		return t, false
	}
	minute, w2, t := leadingNumber(t[1:])
	if w2 != 2 {
		return t, false
	}
	second := 0
	if strings.HasPrefix(t, ":") {
		second, _, t = leadingNumber(t[1:])
	}
	if !half {
		half, pm, t = cutDayHalf(strings.TrimLeft(t, " "))
	}
	if half {
		if hour %= 12; pm {
			hour += 12
		}
	}
	if hour > 23 || minute > 59 || second > 60 {
		return t, false
	}
	d.hour, d.min, d.sec = hour, minute, second
	return strings.TrimLeft(t, " "), true
}

func cutDayHalf(t string) (found, pm bool, rest string) {
	for _, h := range dayHalves {
		if len(t) >= len(h.word) && strings.EqualFold(t[:len(h.word)], h.word) {
			return true, h.pm, strings.TrimLeft(t[len(h.word):], " ")
		}
	}
	return false, false, t
}

// At returns the date read in that order, in UTC; zero when it is no date.
func (d Date) At(order Order) time.Time {
	month, day := d.a, d.b
	if order == DayFirst {
		month, day = d.b, d.a
	}
	t := time.Date(d.year, time.Month(month), day, d.hour, d.min, d.sec, 0, time.UTC)
	if month < 1 || month > 12 || t.Day() != day {
		return time.Time{}
	}
	return t
}

func leadingNumber(s string) (n, width int, rest string) {
	for width < len(s) && width < 5 && '0' <= s[width] && s[width] <= '9' {
		n = n*10 + int(s[width]-'0')
		width++
	}
	return n, width, s[width:]
}

// Window is what is known about when things happened: the message arrived
// not before From, the report was written not after To. Zero times are not
// known.
type Window struct {
	From, To time.Time
	Language string
}

// How far clocks and unstated time zones may be out, and how long a server
// retries at most before it reports.
const (
	zoneSlack = 26 * time.Hour
	maxRetry  = 8 * 24 * time.Hour
)

// Order decides how the dates of one report, all of one locale, are written,
// and says by what: "itself" (one of them has no other reading), "window" or
// "language".
func (w Window) Order(dates []Date) (Order, string) {
	open := false
	for _, d := range dates {
		switch d.Order {
		case MonthFirst:
			return MonthFirst, "itself"
		case DayFirst:
			if d.a != d.b {
				return DayFirst, "itself"
			}
		case Open:
			open = true
		}
	}
	if !open {
		return Open, ""
	}
	month, day := w.fits(dates, MonthFirst), w.fits(dates, DayFirst)
	switch {
	case month && !day:
		return MonthFirst, "window"
	case day && !month:
		return DayFirst, "window"
	}
	if o := byLanguage(w.Language); o != Open {
		return o, "language"
	}
	return Open, ""
}

// fits reports whether all open dates, read in that order, lie in the window.
// With no window known, everything fits.
func (w Window) fits(dates []Date, order Order) bool {
	from, to := w.From, w.To
	switch {
	case from.IsZero() && to.IsZero():
		return true
	case from.IsZero():
		from = to.Add(-maxRetry)
	case to.IsZero():
		to = from.Add(maxRetry)
	}
	from, to = from.Add(-zoneSlack), to.Add(zoneSlack)
	for _, d := range dates {
		if d.Order == Open {
			if t := d.At(order); t.Before(from) || t.After(to) {
				return false
			}
		}
	}
	return true
}

// byLanguage is the order a language tag's region writes: the United States
// put the month first, Exchange writes en-AU day first (both seen in real
// reports). A tag without a region leaves it open.
func byLanguage(tag string) Order {
	lang, region, _ := strings.Cut(strings.ToLower(tag), "-")
	switch {
	case lang == "en" && region == "us":
		return MonthFirst
	case lang == "en" && region == "", lang == "":
		return Open
	case lang == "ja" || lang == "zh" || lang == "ko" || lang == "hu" || lang == "sv":
		return Open // year first: such dates are never open
	}
	return DayFirst
}

// Certain reports whether the date has one reading by its numbers alone, so
// that it shows how its neighbours are written.
func (d Date) Certain() bool { return d.Order != Open && d.Order != YearFirst && d.a != d.b }
