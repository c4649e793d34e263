package ndr

import (
	"strconv"
	"strings"
	"time"

	"github.com/mailfault/mailfault/internal/localdate"
)

// isHopsHeading reports whether a line heads the hops table: six columns, by
// their English names or, in HTML, followed by nothing but numbered rows.
func isHopsHeading(l *line) bool {
	if l.kind == rowLine && len(l.cells) == 6 && strings.Contains(l.cells[1].text, "(UTC)") {
		return true
	}
	t := strings.ToUpper(l.text)
	return len(t) < 80 && strings.HasPrefix(t, "HOP") && strings.Contains(t, "FROM") && strings.Contains(t, "RELAY TIME")
}

// hops reads the rows under the heading.
func (r *reading) hops(p *page, heading int) {
	for i := heading + 1; i < len(p.lines); i++ {
		l := &p.lines[i]
		switch {
		case l.kind == blankLine:
			continue
		case l.kind == ruleLine, l.kind == preLine, matchSection(l.text) != 0:
			return
		}
		if len(r.n.Hops) >= r.lim.hops {
			r.finding(findingTooMany, "more than %d hops: the rest is left out", r.lim.hops)
			return
		}
		if p.html {
			if h, ok := htmlHop(l); ok {
				r.n.Hops = append(r.n.Hops, h)
			}
			continue
		}
		h, used, ok := r.textHop(p, i)
		if !ok {
			continue
		}
		r.n.Hops = append(r.n.Hops, h)
		i += used - 1
	}
}

func htmlHop(l *line) (Hop, bool) {
	if l.kind != rowLine || len(l.cells) < 6 {
		return Hop{}, false
	}
	n, err := strconv.Atoi(l.cells[0].text)
	if err != nil {
		return Hop{}, false
	}
	return newHop(n, l.cells[1].text, l.cells[2].text, l.cells[3].text, l.cells[4].text, l.cells[5].text), true
}

func newHop(n int, date, from, to, with, relay string) Hop {
	return Hop{Number: n, Date: date, From: from, To: to, With: with, Relay: relay, RelayTime: relayTime(relay)}
}

// textHop reads a hop of the text form. It is split inside its date over two
// lines; wrapping may make it more.
func (r *reading) textHop(p *page, i int) (h Hop, used int, ok bool) {
	n, rest, glued, ok := cutHopNumber(p.lines[i].text, len(r.n.Hops)+1)
	if !ok {
		return Hop{}, 0, false
	}
	joined, raw := rest, p.lines[i].raw
	used = 1
	for i+used < len(p.lines) && used < 6 {
		l := &p.lines[i+used]
		if l.kind == blankLine || matchSection(l.text) != 0 {
			break
		}
		if _, _, _, next := cutHopNumber(l.text, n+1); next {
			break
		}
		joined += " " + l.text
		raw = l.raw // the host columns follow the last part of the date
		if used > 1 {
			raw = ""
		}
		used++
	}
	_, after, ok := localdate.Parse(joined)
	if !ok {
		return Hop{}, 0, false
	}
	date := strings.TrimSpace(joined[:len(joined)-len(after)])
	var cols [4]string
	sure := false
	if glued {
		cols[2], cols[3] = cutGluedRelay(after)
	} else {
		cols, sure = hopColumns(raw, after)
	}
	if !sure {
		r.finding(findingHopColumns, "hop %d: the text does not show which host is FROM and which TO", n)
	}
	return newHop(n, date, cols[0], cols[1], cols[2], cols[3]), used, true
}

// cutHopNumber splits "<number> <date> ...". Where the blanks have gone the
// number runs into the date ("112/1/2021"): then only the expected number
// tells them apart.
func cutHopNumber(s string, want int) (n int, rest string, glued, ok bool) {
	num, rest := cutToken(s)
	if n, err := strconv.Atoi(num); err == nil && looksLikeDate(rest) {
		return n, rest, false, true
	}
	rest, ok = strings.CutPrefix(s, strconv.Itoa(want))
	return want, rest, true, ok && looksLikeDate(rest)
}

// looksLikeDate reports whether s begins with three numbers that could be a
// date; the time may follow on the next line.
func looksLikeDate(s string) bool {
	_, _, ok := localdate.Parse(firstToken(s) + " 0:00")
	return ok
}

// cutGluedRelay takes a relay time off the end of columns that have run
// together: "...P384)42 sec".
func cutGluedRelay(s string) (rest, relay string) {
	if rest, ok := strings.CutSuffix(s, "*"); ok {
		return rest, "*"
	}
	i := strings.LastIndexByte(s, ' ')
	if i <= 0 || relayUnit(s[i+1:]) == 0 {
		return s, ""
	}
	j := i
	for j > 0 && isDigit(s[j-1]) {
		j--
	}
	if j == i {
		return s, ""
	}
	return s[:j], s[j:]
}

// hopColumns splits FROM, TO, WITH and RELAY TIME. Wide gaps in the text as
// written separate them; otherwise the relay time is known by its form and
// hosts by having no blanks. With one host, FROM is taken to be the empty one:
// a message's first hop has no sender to name.
func hopColumns(raw, after string) (cols [4]string, sure bool) {
	if cells, ok := tabColumns(raw); ok {
		return cells, true
	}
	var tail []string
	for _, c := range gapCells(raw) {
		if c.text == "" {
			continue
		}
		if _, rest, ok := localdate.Parse("1/1/2000 " + c.text); ok && tail == nil {
			if rest != "" {
				tail = append(tail, rest) // one blank between time and FROM
			} else {
				tail = []string{}
			}
			continue
		}
		tail = append(tail, c.text)
	}
	if len(tail) == 4 && strings.Join(tail, " ") == after {
		return [4]string(tail), true
	}
	rest, relay := cutRelay(after)
	cols[3] = relay
	first, rest1 := cutToken(rest)
	second, rest2 := cutToken(rest1)
	if isHostName(first) && isFullHost(second) {
		return [4]string{first, second, rest2, relay}, true
	}
	return [4]string{"", first, rest1, relay}, false
}

// tabColumns reads the columns after the time where tabs separate them: two
// tabs have an empty column between them.
func tabColumns(raw string) (cols [4]string, ok bool) {
	cells := strings.Split(raw, "\t")
	if len(cells) > maxCells {
		return cols, false
	}
	for i, c := range cells {
		if _, rest, isTime := localdate.Parse("1/1/2000 " + lastDate(squeeze(c))); isTime && rest == "" && len(cells)-i-1 == 4 {
			for k := range cols {
				cols[k] = squeeze(cells[i+1+k])
			}
			return cols, true
		}
	}
	return cols, false
}

// lastDate drops a date before the time in a cell that has both.
func lastDate(s string) string {
	if looksLikeDate(s) {
		_, s = cutToken(s)
	}
	return s
}

// relayUnits are the units of RELAY TIME. Only "sec" is in a public sample.
var relayUnits = []struct {
	text string
	unit time.Duration
}{
	{"sec", time.Second}, {"second", time.Second}, {"s", time.Second},
	{"min", time.Minute}, {"minute", time.Minute}, {"m", time.Minute},
	{"hr", time.Hour}, {"hour", time.Hour}, {"h", time.Hour},
	{"day", 24 * time.Hour}, {"d", 24 * time.Hour},
}

func relayUnit(s string) time.Duration {
	s = strings.ToLower(strings.TrimRight(s, ".,"))
	for _, u := range relayUnits {
		if s == u.text || s == u.text+"s" {
			return u.unit
		}
	}
	return 0
}

// relayTime reads "2 sec", "1 min 5 sec"; -1 for "*" or anything else.
func relayTime(s string) time.Duration {
	words := strings.Fields(s)
	if len(words) == 0 || len(words)%2 != 0 {
		return -1
	}
	var sum time.Duration
	for i := 0; i < len(words); i += 2 {
		n, err := strconv.ParseUint(words[i], 10, 24)
		unit := relayUnit(words[i+1])
		if err != nil || unit == 0 {
			return -1
		}
		sum += time.Duration(n) * unit
	}
	return sum
}

// cutRelay takes a relay time off the end of s.
func cutRelay(s string) (rest, relay string) {
	words := strings.Fields(s)
	end := len(words)
	if end > 0 && words[end-1] == "*" {
		return strings.Join(words[:end-1], " "), "*"
	}
	for end >= 2 && relayUnit(words[end-1]) != 0 && strings.Trim(words[end-2], "0123456789") == "" {
		end -= 2
	}
	return strings.Join(words[:end], " "), strings.Join(words[end:], " ")
}
