package history

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Event is something that happened to a domain. It is a plain comparable
// value: two events are the same if they are equal.
type Event struct {
	Kind     Kind   `json:"kind"`
	Domain   string `json:"domain"`
	Source   string `json:"source,omitempty"`   // of the events about a source
	Reporter string `json:"reporter,omitempty"` // of ReporterVanished
	Day      Day    `json:"day"`                // when it happened, by the reports' own clock
	// Since is the day before it all changed: the last pass before
	// StartedFailing, the start of the failure before Recovered, the day last
	// seen before GoneQuiet and ReporterVanished. Zero for the others.
	Since  Day    `json:"since,omitzero"`
	Detail string `json:"detail,omitempty"` // of PolicyChange: "p none -> reject"
}

// ID returns a name of the event, the same wherever the same event is derived:
// 32 hexadecimal digits.
func (e Event) ID() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00%s\x00%s\x00%d\x00%d\x00%s", e.Kind, e.Domain, e.Source, e.Reporter, e.Day, e.Since, e.Detail)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// String returns the event in one line.
func (e Event) String() string {
	var s strings.Builder
	s.WriteString(fmt.Sprintf("%s %s %s", e.Day, e.Domain, e.Kind))
	for _, part := range []string{e.Source, e.Reporter, e.Detail} {
		if part != "" {
			s.WriteString(" " + part)
		}
	}
	if e.Since != 0 {
		s.WriteString(" (since " + e.Since.String() + ")")
	}
	return s.String()
}

// Compare orders events by day, domain, source, reporter, kind and detail.
func (e Event) Compare(o Event) int {
	return cmp.Or(
		cmp.Compare(e.Day, o.Day),
		cmp.Compare(e.Domain, o.Domain),
		cmp.Compare(e.Source, o.Source),
		cmp.Compare(e.Reporter, o.Reporter),
		cmp.Compare(e.Kind, o.Kind),
		cmp.Compare(e.Since, o.Since),
		cmp.Compare(e.Detail, o.Detail),
	)
}

// Entry is one line of the log.
type Entry struct {
	Seq    int64     `json:"seq"` // from 1, given by the store; grows, may have gaps
	Change Change    `json:"change"`
	Event  Event     `json:"event"`        // what stands now; for Retracted, what no longer does
	Was    Event     `json:"was,omitzero"` // for Amended: what it replaces
	Learnt time.Time `json:"learnt"`       // when the report that showed it arrived
	// Quiet entries are not to be delivered: they come from a baseline import
	// or tell of a day too long ago (Rules.AlertDays).
	Quiet bool `json:"quiet,omitempty"`
	// Report is the report that led to the entry, as far as one did: silence
	// is shown by the reports of others. Messages is what it counted failing
	// for the source.
	Report   ReportKey `json:"report,omitzero"`
	Messages int64     `json:"messages,omitempty"`
}

// Replay returns the events that stand after all entries, in order. It reads
// the log as a whole; entries must be in the order of Seq.
func Replay(entries []Entry) []Event {
	standing := make(map[Event]int)
	for _, e := range entries {
		switch e.Change {
		case Told:
			standing[e.Event]++
		case Amended:
			remove(standing, e.Was)
			standing[e.Event]++
		case Retracted:
			remove(standing, e.Event)
		}
	}
	var events []Event
	for e, n := range standing {
		for range n {
			events = append(events, e)
		}
	}
	slices.SortFunc(events, Event.Compare)
	return events
}

func remove(standing map[Event]int, e Event) {
	if standing[e]--; standing[e] <= 0 {
		delete(standing, e)
	}
}

// family groups the kinds that can turn into one another when a late report
// changes the past.
func (k Kind) family() Kind {
	if k == StartedFailing {
		return NewFailingSource
	}
	return k
}

// movedFrom reports whether a late report can have moved g to e. It can show
// that a failure began earlier. One that begins later is another failure, and
// to be told.
func (e Event) movedFrom(g Event) bool {
	return g.Kind.family() == e.Kind.family() && g.Source == e.Source && g.Reporter == e.Reporter &&
		(!e.Kind.Onset() || e.Day <= g.Day)
}

// changes returns the entries that lead from the events before to those
// after, both in order. An event that only moved, or turned from new to
// started, is amended: it is not told a second time.
func changes(before, after []Event) []Entry {
	gone, come := without(before, after), without(after, before)
	var entries []Entry
	for _, e := range come {
		i := slices.IndexFunc(gone, e.movedFrom)
		if i < 0 {
			entries = append(entries, Entry{Change: Told, Event: e})
			continue
		}
		entries = append(entries, Entry{Change: Amended, Event: e, Was: gone[i]})
		gone = slices.Delete(gone, i, i+1)
	}
	for _, e := range gone {
		entries = append(entries, Entry{Change: Retracted, Event: e})
	}
	return entries
}

// without returns those of events that are not among others; both are in
// order.
func without(events, others []Event) []Event {
	var left []Event
	for _, e := range events {
		for len(others) > 0 && others[0].Compare(e) < 0 {
			others = others[1:]
		}
		if len(others) == 0 || others[0] != e {
			left = append(left, e)
		}
	}
	return left
}
