package dmarcreport

import (
	"strconv"
	"strings"
	"time"
)

// dateForms are the forms of dates without zone and weekday that are written
// in place of seconds. None of them has its day and month the other way round
// elsewhere. Fractions of seconds are read with each.
var dateForms = [...]string{
	"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02", "2006/01/02 15:04:05",
	"20060102 150405", "20060102150405", "20060102",
	"2 Jan 2006 15:04:05", "2 Jan 2006 15:04", "2-Jan-2006 15:04:05", "Jan 2 15:04:05 2006",
}

// zoneNames are names with one meaning, in hours from UTC (RFC 5322 section
// 4.3). All others belong to several zones.
var zoneNames = map[string]int{"Z": 0, "UT": 0, "UTC": 0, "GMT": 0,
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}

// dateText reads a time that is written as a date; without a zone it is UTC.
func dateText(s string) (time.Time, bool) {
	const longest = 64
	if len(s) > longest {
		return time.Time{}, false
	}
	if i := strings.IndexByte(s, '('); i > 0 && strings.HasSuffix(s, ")") {
		s = s[:i] // the zone's name as a comment
	}
	fields := strings.Fields(s)
	if len(fields) > 1 && weekday(fields[0]) {
		fields = fields[1:]
	}
	s = strings.Join(fields, " ")
	for _, i := range [...]int{len("20060102"), len("2006-01-02")} {
		if len(s) > i && s[i]|0x20 == 't' && s[i-1] >= '0' && s[i-1] <= '9' {
			s = s[:i] + " " + s[i+1:] // ISO 8601, RFC 3339
		}
	}
	s, offset, ok := cutZone(s)
	if !ok {
		return time.Time{}, false
	}
	for _, form := range dateForms {
		if t, err := time.Parse(form, s); err == nil {
			return t.Add(-offset), true
		}
	}
	return time.Time{}, false
}

func weekday(s string) bool {
	s = strings.TrimSuffix(s, ",")
	for d := time.Sunday; d <= time.Saturday; d++ {
		if strings.EqualFold(s, d.String()) || strings.EqualFold(s, d.String()[:3]) {
			return true
		}
	}
	return false
}

// cutZone takes the zones off a date: the name at its end, or before the year;
// the offset before that. ok is false for a zone that is not known.
func cutZone(s string) (rest string, offset time.Duration, ok bool) {
	if n := len(s); n > 0 && s[n-1]|0x20 == 'z' && s[max(n-2, 0)] >= '0' && s[max(n-2, 0)] <= '9' {
		return s[:n-1], 0, true
	}
	fields := strings.Fields(s)
	for i := len(fields) - 1; i > 0 && i >= len(fields)-2; i-- {
		if strings.Trim(fields[i], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || i < 2 && len(fields) > 2 {
			continue
		}
		hours, known := zoneNames[fields[i]]
		if !known {
			return "", 0, false
		}
		offset = time.Duration(hours) * time.Hour
		s = strings.Join(append(fields[:i:i], fields[i+1:]...), " ")
		break
	}
	i := strings.LastIndexAny(s, "+-")
	if i < 0 || !strings.Contains(s[:i], ":") && !strings.Contains(s[:i], " ") {
		return s, offset, true
	}
	digits := strings.Replace(s[i+1:], ":", "", 1)
	if len(digits) == 2 {
		digits += "00"
	}
	t, err := time.Parse("1504", digits)
	if err != nil {
		return "", 0, false
	}
	numeric := time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute
	if s[i] == '-' {
		numeric = -numeric
	}
	return strings.TrimSpace(s[:i]), numeric, true
}

// compactDate reads a date of 8 or 14 digits. As seconds the former would lie
// in 1970; as milliseconds the latter in the 25th century.
func compactDate(s string) (time.Time, bool) {
	if len(s) != 8 && len(s) != 14 || s[0] != '2' || s[1] != '0' {
		return time.Time{}, false
	}
	return dateText(s)
}

// Times of reports lie between these, whatever unit they are in.
const (
	farFuture = 1 << 36 // the year 4147; in milliseconds 1972
	noReports = 1 << 30 // January 2004, before DMARC
	century   = 1 << 32 // February 2106
)

// inSeconds takes a number in smaller units for what it is in seconds.
func inSeconds(n int64) (s int64, ok bool) {
	if n < farFuture {
		return n, n > 0
	}
	if s = n / 1000; s < farFuture {
		return s, true
	}
	for s >= farFuture {
		s /= 1000
	}
	return s, s >= noReports && s < century
}

// wholePart takes the fraction off a number of digits alone.
func wholePart(s string) string {
	whole, fraction, ok := strings.Cut(s, ".")
	if ok && whole != "" && strings.Trim(whole+fraction, "0123456789") == "" {
		return whole
	}
	return s
}

// date reads a time in seconds since 1970.
func (d *decoder) date(id elementID, b []byte, at int64) time.Time {
	s := string(b)
	if s == "" {
		d.add(note{id: findEmpty, el: id, at: at})
		return time.Time{}
	}
	t, isDate := compactDate(s)
	n, err := strconv.ParseInt(s, 10, 64)
	kind := findNone
	if err != nil && !isDate {
		if n, kind = wholeNumber(wholePart(s)); kind == findNumber {
			t, isDate = dateText(s)
		}
	}
	if isDate {
		d.add(note{id: findDateText, el: id, at: at, before: cut(b), after: strconv.FormatInt(t.Unix(), 10)})
		return t.UTC()
	}
	if n >= farFuture {
		kind = max(kind, findMilliseconds)
	}
	sec, ok := inSeconds(n)
	if kind == findNumber || !ok {
		d.add(note{id: findNoDate, el: id, at: at, before: cut(b)})
		return time.Time{}
	}
	if kind != findNone {
		d.add(note{id: kind, el: id, at: at, before: cut(b), after: strconv.FormatInt(sec, 10)})
	}
	return time.Unix(sec, 0).UTC()
}
