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
	num, rest := cutToken(p.lines[i].text)
	n, err := strconv.Atoi(num)
	if err != nil || rest == "" || !isDigit(rest[0]) {
		return Hop{}, 0, false
	}
	joined, raw := rest, p.lines[i].raw
	used = 1
	for i+used < len(p.lines) && used < 6 {
		l := &p.lines[i+used]
		if l.kind == blankLine || matchSection(l.text) != 0 || startsHop(l.text) {
			break
		}
		joined += " " + l.text
		raw += "\t" + l.raw
		used++
	}
	_, after, ok := localdate.Parse(joined)
	if !ok {
		return Hop{}, 0, false
	}
	date := strings.TrimSpace(joined[:len(joined)-len(after)])
	cols, sure := hopColumns(raw, after)
	if !sure {
		r.finding(findingHopColumns, "hop %d: the text does not show whether FROM or TO is empty", n)
	}
	return newHop(n, date, cols[0], cols[1], cols[2], cols[3]), used, true
}

// startsHop reports whether a line is "<number> <date>".
func startsHop(s string) bool {
	num, rest := cutToken(s)
	_, err := strconv.Atoi(num)
	if err != nil || rest == "" || !isDigit(rest[0]) {
		return false
	}
	n := 0
	for _, c := range rest {
		if c == '/' || c == '.' || c == '-' {
			n++
		}
	}
	return n >= 2 && len(rest) < 200
}

// hopColumns splits FROM, TO, WITH and RELAY TIME. Wide gaps in the text as
// written separate them; otherwise the relay time is known by its form and
// hosts by having no blanks. With one host, FROM is taken to be the empty one:
// a message's first hop has no sender to name.
func hopColumns(raw, after string) (cols [4]string, sure bool) {
	var cells []string
	for _, c := range gapCells(raw) {
		if c.text != "" {
			cells = append(cells, c.text)
		}
	}
	// The cells after the date: those that make up the end of the line.
	var tail []string
	for i := len(cells) - 1; i >= 0; i-- {
		joined := strings.Join(append([]string{cells[i]}, tail...), " ")
		if len(tail) == 4 || !strings.HasSuffix(after, joined) {
			break
		}
		tail = append([]string{cells[i]}, tail...)
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
