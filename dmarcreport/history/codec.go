package history

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrCorrupt says that a store returned bytes that this package did not write.
var ErrCorrupt = errors.New("history: corrupt record in the store")

// encoder appends variable-length integers and strings.
type encoder struct{ buf []byte }

func (e *encoder) int(v int64)     { e.buf = binary.AppendVarint(e.buf, v) }
func (e *encoder) uint(v uint64)   { e.buf = binary.AppendUvarint(e.buf, v) }
func (e *encoder) string(s string) { e.uint(uint64(len(s))); e.buf = append(e.buf, s...) }

// decoder reads what encoder wrote. After the first error all values are zero.
type decoder struct {
	buf []byte
	bad bool
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.buf)
	if n <= 0 {
		d.bad, d.buf = true, nil
		return 0
	}
	d.buf = d.buf[n:]
	return v
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.buf)
	if n <= 0 {
		d.bad, d.buf = true, nil
		return 0
	}
	d.buf = d.buf[n:]
	return v
}

func (d *decoder) string() string {
	n := d.uint()
	if n > uint64(len(d.buf)) {
		d.bad, d.buf = true, nil
		return ""
	}
	s := string(d.buf[:n])
	d.buf = d.buf[n:]
	return s
}

// count reads a length of items of at least one byte each.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.buf)) {
		d.bad, d.buf = true, nil
		return 0
	}
	return int(n)
}

// version reads the number that each record starts with.
func (d *decoder) version(want uint64) {
	if v := d.uint(); v != want {
		d.bad, d.buf = true, nil
	}
}

func (d *decoder) err(what string) error {
	if d.bad {
		return fmt.Errorf("%w: %s", ErrCorrupt, what)
	}
	return nil
}

func (e *encoder) marks(m Marks) {
	for _, d := range []Day{m.FirstSeen, m.LastSeen, m.FirstFail, m.LastFail, m.LastPass, m.FailingSince, m.PassingSince} {
		e.int(int64(d))
	}
	e.int(int64(m.Seen))
}

func (d *decoder) marks() (m Marks) {
	for _, day := range []*Day{&m.FirstSeen, &m.LastSeen, &m.FirstFail, &m.LastFail, &m.LastPass, &m.FailingSince, &m.PassingSince} {
		*day = Day(d.int())
	}
	m.Seen = int(d.int())
	return m
}

func (e *encoder) totals(t Totals) {
	e.int(t.Pass)
	e.int(t.Fail)
	e.int(t.Muted)
}

func (d *decoder) totals() Totals { return Totals{d.int(), d.int(), d.int()} }

// days writes days in order. A day of one kind of messages only, which most
// are, takes a step and a number.
func (e *encoder) days(days []DayTotals) {
	e.uint(uint64(len(days)))
	var last Day
	for _, d := range days {
		kind := uint64(3)
		var n int64
		switch d.Totals {
		case Totals{Pass: d.Pass}:
			kind, n = 0, d.Pass
		case Totals{Fail: d.Fail}:
			kind, n = 1, d.Fail
		case Totals{Muted: d.Muted}:
			kind, n = 2, d.Muted
		}
		e.uint(uint64(d.Day-last)<<2 | kind)
		last = d.Day
		if kind == 3 {
			e.totals(d.Totals)
		} else {
			e.int(n)
		}
	}
}

func (d *decoder) days() []DayTotals {
	n := d.count()
	// Room for one more: the usual reason to decode is to add a day.
	days := make([]DayTotals, 0, n+1)
	var last Day
	for range n {
		step := d.uint()
		last += Day(step >> 2)
		t := DayTotals{Day: last}
		switch step & 3 {
		case 0:
			t.Pass = d.int()
		case 1:
			t.Fail = d.int()
		case 2:
			t.Muted = d.int()
		default:
			t.Totals = d.totals()
		}
		days = append(days, t)
	}
	return days
}
