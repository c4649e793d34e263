package dsn

import (
	"net/mail"
	"strings"
	"time"
)

// dateLayouts are forms in use beside RFC 5322's.
var dateLayouts = []string{
	"Mon Jan _2 15:04:05 2006", "Mon Jan _2 15:04:05 MST 2006", "2006-01-02 15:04:05 -0700", time.RFC3339,
	"Mon, 2 Jan 2006 15:04:05", "2 Jan 2006 15:04:05", "Mon, 2 Jan 06 15:04:05 -0700",
}

func parseDate(raw string) Date {
	d := Date{Raw: raw}
	text := raw
	if i := strings.IndexByte(text, '('); i > 0 {
		text = strings.TrimSpace(text[:i])
	}
	if t, ok := usualDate(text); ok {
		d.Time = t
		return d
	}
	if t, err := mail.ParseDate(text); err == nil {
		d.Time = inZone(t)
		return d
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			d.Time = inZone(t)
			return d
		}
	}
	return d
}

// obsoleteZones are the zone names with a meaning (RFC 5322 section 4.3), in
// hours from UTC. Package time knows the names of its own zone alone.
var obsoleteZones = map[string]int{"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}

// inZone gives a time whose zone was only named the offset of that name.
func inZone(t time.Time) time.Time {
	name, offset := t.Zone()
	hours, ok := obsoleteZones[name]
	if !ok || offset != 0 {
		return t
	}
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.FixedZone(name, hours*3600))
}

// usualDate reads the form nearly every date has, "Tue, 31 Mar 2026 10:00:00
// +0200". The packages for any form try one after the other, which costs more
// than the rest of a report.
func usualDate(s string) (time.Time, bool) {
	const form = "Mon, 2 Jan 2006 15:04:05 -0700"
	if len(s) < len(form) || len(s) > len(form)+1 || s[3] != ',' || s[4] != ' ' || s[len(s)-6] != ' ' {
		return time.Time{}, false
	}
	t, err := time.Parse(form, s)
	return t, err == nil
}
