package messagetrace

import (
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/mailfault/mailfault/internal/localdate"
)

// table turns records into rows.
type table struct {
	names  []string
	fields []field
	order  localdate.Order
}

func (rd *Reader) table() *table {
	t := &table{}
	switch {
	case rd.DayFirst:
		t.order = localdate.DayFirst
	case rd.MonthFirst:
		t.order = localdate.MonthFirst
	}
	return t
}

func (t *table) head(names []string) bool {
	fields, ok := header(names)
	if ok {
		t.names, t.fields = names, fields
	}
	return ok
}

func (t *table) rows(s *scanner, yield func(Row, error) bool) {
	for {
		line, ok := s.next()
		if !ok {
			break
		}
		row := Row{Line: line}
		values := s.fields()
		t.fill(&row, values)
		switch {
		case s.unclosed:
			row.found(findingUnclosed, "a quote is never closed: the record is taken to end with its line")
		case len(values) != len(t.names):
			row.found(findingFields, "%d fields, the header has %d", len(values), len(t.names))
		}
		if s.long {
			row.found(findingLong, "over %d bytes: the rest is left out", s.max)
		}
		if s.charset {
			row.found(findingCharset, "not UTF-8: read as Windows-1252")
		}
		if s.nul {
			row.found(findingNUL, "NUL bytes were dropped")
		}
		if !yield(row, nil) {
			return
		}
	}
	if s.err != nil {
		yield(Row{}, &Error{Line: s.line, Err: s.err})
	}
}

// fill sets the row's fields from the values of a record.
func (t *table) fill(row *Row, values []string) {
	var recipients, statuses, status string
	for i, v := range values {
		if v == "" {
			continue
		}
		f := field(0)
		if i < len(t.fields) {
			f = t.fields[i]
		}
		switch f {
		case 0:
			name := ""
			if i < len(t.names) {
				name = t.names[i]
			}
			row.Extra = append(row.Extra, Column{Name: name, Value: v})
		case fieldRecipient:
			recipients = v
		case fieldRecipients:
			statuses = v
		case fieldStatus:
			status = v
		case fieldTime:
			if row.TimeRaw == "" {
				t.setTime(row, v)
			}
		default:
			row.set(f, v)
		}
	}
	row.settle(recipients, statuses, status)
}

func (r *Row) set(f field, v string) {
	switch f {
	case fieldSender:
		r.Sender = strings.Trim(v, "<>")
	case fieldSubject:
		r.Subject = v
	case fieldMessageID:
		r.MessageID = strings.Trim(strings.TrimSpace(v), "<>")
	case fieldNetworkID:
		r.NetworkID = strings.ToLower(strings.TrimSpace(v))
	case fieldSize:
		r.Bytes, _ = strconv.ParseInt(strings.TrimSpace(v), 10, 64)
	case fieldOriginalClientIP:
		r.OriginalIP = address(v)
	case fieldClientIP:
		r.ClientIP = address(v)
	case fieldClientHost:
		r.ClientHostname = v
	case fieldServerIP:
		r.ServerIP = address(v)
	case fieldServerHost:
		r.ServerHostname = v
	case fieldDirection:
		r.Direction = parseDirection(v)
	case fieldConnector:
		r.Connector = v
	case fieldSource:
		r.Source = v
	case fieldEvent:
		r.Event = v
	case fieldReturnPath:
		r.ReturnPath = strings.Trim(v, "<>")
	case fieldRelated:
		r.Related = v
	case fieldContext, fieldDetail, fieldReference, fieldInfo, fieldCustom:
		r.Texts = append(r.Texts, v)
	}
}

func address(s string) netip.Addr {
	a, err := netip.ParseAddr(strings.Trim(strings.TrimSpace(s), "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return a.WithZone("")
}

// settle joins the columns that speak of recipients.
func (r *Row) settle(recipients, statuses, status string) {
	switch {
	case strings.Contains(statuses, "##"):
		r.recipientStatuses(statuses)
	case statuses != "":
		r.Texts = append(r.Texts, statuses)
		fallthrough
	default:
		r.addRecipients(recipients)
	}
	if status == "" && (len(r.Recipients) == 0 || r.Recipients[0].Raw == "") {
		status = r.Event
	}
	if status == "" {
		return
	}
	st := ParseStatus(status)
	if st == StatusUnknown && r.Event == "" && !strings.EqualFold(status, "unknown") {
		r.found(findingStatus, "unknown status %q", status)
	}
	for i := range r.Recipients {
		if rc := &r.Recipients[i]; rc.Raw == "" {
			rc.Status, rc.Raw = st, status
		}
	}
	if len(r.Recipients) == 0 && st != StatusUnknown {
		r.Recipients = []RecipientStatus{{Status: st, Raw: status}}
	}
}

// isoLayouts are the forms of timestamps that have one reading.
var isoLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.9999999", "2006-01-02 15:04:05.9999999Z07:00"}

// setTime reads a time. Exports are in UTC. The order of day and month, once
// one date of the file has shown it, holds for those after it.
func (t *table) setTime(row *Row, v string) {
	v = strings.TrimSpace(v)
	row.TimeRaw = v
	for _, layout := range isoLayouts {
		if at, err := time.Parse(layout, v); err == nil {
			row.Time = at.UTC()
			return
		}
	}
	if at, ok := jsonDate(v); ok {
		row.Time = at
		return
	}
	d, _, ok := localdate.Parse(v)
	if !ok {
		row.found(findingTime, "not a time: %.40q", v)
		return
	}
	order := d.Order
	switch order {
	case localdate.Open:
		order = t.order
	case localdate.DayFirst, localdate.MonthFirst:
		if t.order == localdate.Open && d.Certain() {
			t.order = order
		}
	}
	if order == localdate.Open {
		row.TimeOr = []time.Time{d.At(localdate.MonthFirst), d.At(localdate.DayFirst)}
		row.found(findingTimeOpen, "%q may be month or day first", v)
		return
	}
	row.Time = d.At(order)
}
