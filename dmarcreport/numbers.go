package dmarcreport

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// mostMessages is beyond what one source can send in a period.
const mostMessages = 1 << 40

// count reads the number of messages of a record.
func (d *decoder) count(b []byte, at int64) {
	r := d.rec
	n, ok := int64(0), len(b) > 0 && len(b) < 15 && (b[0] != '0' || len(b) == 1)
	for _, c := range b {
		if c < '0' || c > '9' {
			ok = false
			break
		}
		n = n*10 + int64(c-'0')
	}
	if ok && n <= mostMessages {
		r.Count = n
		return
	}
	r.CountRaw = cut(b)
	if len(b) == 0 {
		d.add(note{id: findEmpty, el: elCount, at: at})
		return
	}
	n, kind := wholeNumber(r.CountRaw)
	switch {
	case kind == findNumber:
	case n < 0:
		n, kind = 0, findNegative
	case n > mostMessages:
		n, kind = 0, findHugeCount
	}
	r.Count = n
	d.add(note{id: kind, el: elCount, at: at, before: r.CountRaw, after: strconv.FormatInt(n, 10)})
}

// wholeNumber reads a number in other than its usual form: "1.0", "+5", "1e3".
func wholeNumber(s string) (int64, findingID) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, findNumberForm
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && f == 0 || f != f || strings.ContainsAny(s, "xXpPnN_") {
		return 0, findNumber
	}
	if f != math.Trunc(f) {
		return 0, findNumber
	}
	if f > 1<<62 || f < -1<<62 {
		return int64(1<<62) * sign(f), findNumberForm
	}
	return int64(f), findNumberForm
}

func sign(f float64) int64 {
	if f < 0 {
		return -1
	}
	return 1
}

// rangeEnds looks at the period as a whole.
func (d *decoder) rangeEnds(at int64) {
	r := &d.meta.DateRange
	if r.Begin.IsZero() || r.End.IsZero() {
		return
	}
	if r.End.Before(r.Begin) {
		r.Begin, r.End = r.End, r.Begin
		d.add(note{id: findSwapped, el: elDateRange, at: at, before: r.BeginRaw + " " + r.EndRaw, after: r.EndRaw + " " + r.BeginRaw})
	}
	const slack = 5 * time.Minute // clocks of jobs that run daily drift by so much
	switch length := r.End.Sub(r.Begin); {
	case length == 0:
		d.add(note{id: findZeroRange, el: elDateRange, at: at, before: r.BeginRaw})
	case length > 24*time.Hour+slack:
		d.add(note{id: findLongRange, el: elDateRange, at: at, before: length.String()})
	}
}
