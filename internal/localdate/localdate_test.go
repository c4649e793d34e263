package localdate

import (
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	tests := []struct {
		in    string
		order Order
		month string // read month first, "" when no date
		day   string
		rest  string
	}{
		{"5/25/2018 8:21:10 AM - Server", MonthFirst, "2018-05-25 08:21:10", "", "- Server"},
		{"3/09/2016 8:05:56 PM - Remote", Open, "2016-03-09 20:05:56", "2016-09-03 20:05:56", "- Remote"},
		{"25.05.2018 08:21:10 - x", DayFirst, "", "2018-05-25 08:21:10", "- x"},
		{"03.09.2016 20:05 x", DayFirst, "2016-03-09 20:05:00", "2016-09-03 20:05:00", "x"},
		{"3-9-2016 20:05:56", Open, "2016-03-09 20:05:56", "2016-09-03 20:05:56", ""},
		{"2016-09-03 20:05:56", YearFirst, "2016-09-03 20:05:56", "", ""},
		{"2016/9/3 午後 8:05:56", YearFirst, "2016-09-03 20:05:56", "", ""},
		{"9/9/2016 12:05:56 AM", DayFirst, "2016-09-09 00:05:56", "2016-09-09 00:05:56", ""},
		{"4/29/01 11:34:45 PM", MonthFirst, "2001-04-29 23:34:45", "", ""},
		{"9/9/2016 12:05:56 p.m.", DayFirst, "2016-09-09 12:05:56", "2016-09-09 12:05:56", ""},
	}
	for _, tt := range tests {
		d, rest, ok := Parse(tt.in)
		if !ok || rest != tt.rest || d.Order != tt.order {
			t.Errorf("%q: ok %v, order %v, rest %q", tt.in, ok, d.Order, rest)
			continue
		}
		check := func(o Order, want string) {
			if got := d.At(o); want != "" && got.Format(time.DateTime) != want || want == "" && o == DayFirst && tt.order == MonthFirst && !got.IsZero() {
				t.Errorf("%q %v: %v, want %q", tt.in, o, got, want)
			}
		}
		check(MonthFirst, tt.month)
		check(DayFirst, tt.day)
	}
	for _, in := range []string{"", "550 5.1.1", "1.2.3.4:25", "13/13/2016 8:00:00 AM", "3/9/2016", "3/9-2016 8:00", "3/9/2016 25:00:00", "10.1.1.3:25", "192.0.2.1 - x", "9999/99/99 1:00", "3/9/16000 8:00"} {
		if d, _, ok := Parse(in); ok {
			t.Errorf("%q read as a date: %+v", in, d)
		}
	}
}

func TestOrderIsDecidedByEvidence(t *testing.T) {
	parse := func(list ...string) (dates []Date) {
		for _, s := range list {
			d, _, ok := Parse(s)
			if !ok {
				t.Fatal(s)
			}
			dates = append(dates, d)
		}
		return dates
	}
	day := func(s string) time.Time { d, _ := time.Parse(time.DateOnly, s); return d }
	open := parse("3/09/2016 8:05:56 PM", "3/09/2016 7:58:27 PM")
	tests := []struct {
		name  string
		w     Window
		dates []Date
		want  Order
		by    string
	}{
		{"a sibling with no other reading", Window{}, parse("3/9/2016 1:00:00 AM", "3/25/2016 1:00:00 AM"), MonthFirst, "itself"},
		{"the message's arrival", Window{From: day("2016-09-01")}, open, DayFirst, "window"},
		{"the message's arrival, against the language", Window{From: day("2016-03-08"), Language: "en-AU"}, open, MonthFirst, "window"},
		{"the report's date", Window{To: day("2016-03-10")}, open, MonthFirst, "window"},
		{"the language's region", Window{Language: "en-AU"}, open, DayFirst, "language"},
		{"English of no region leaves it open", Window{Language: "en"}, open, Open, ""},
		{"a window both readings fit leaves it open", Window{From: day("2016-04-04"), To: day("2016-05-05")}, parse("4/5/2016 1:00:00 AM"), Open, ""},
		{"nothing known leaves it open", Window{}, open, Open, ""},
		{"year first is never open", Window{}, parse("2016-09-03 1:00"), Open, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, by := tt.w.Order(tt.dates); got != tt.want || by != tt.by {
				t.Errorf("got %v by %q, want %v by %q", got, by, tt.want, tt.by)
			}
		})
	}
}
