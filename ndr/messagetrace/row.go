package messagetrace

import (
	"net/netip"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/internal/enum"
)

// Row is one record of an export: a message for one recipient (Summary), a
// message for all of them (Enhanced summary) or one event of a message
// (Extended, detail). What an export does not have is zero.
type Row struct {
	Line int `json:"line"` // where the record begins, from 1; the record's number in JSON

	Time    time.Time   `json:"time,omitzero"`     // UTC; zero while the order of day and month is open
	TimeOr  []time.Time `json:"time_or,omitempty"` // both readings then
	TimeRaw string      `json:"time_raw"`

	Sender     string            `json:"sender"`
	Recipients []RecipientStatus `json:"recipients"`
	Related    string            `json:"related_recipient"` // the other address of an expansion or redirection
	ReturnPath string            `json:"return_path"`
	Subject    string            `json:"subject"` // Summary cuts it at 256 characters

	MessageID string `json:"message_id"`         // without angle brackets
	NetworkID string `json:"network_message_id"` // of the copy inside the service; Get-MessageTrace calls it MessageTraceId
	Bytes     int64  `json:"bytes"`

	Event          string     `json:"event"` // event_id as given: FAIL, DELIVER, ...
	Source         string     `json:"source"`
	Direction      Direction  `json:"direction"`
	OriginalIP     netip.Addr `json:"original_client_ip,omitzero"`
	ClientIP       netip.Addr `json:"client_ip,omitzero"`
	ClientHostname string     `json:"client_hostname"`
	ServerIP       netip.Addr `json:"server_ip,omitzero"`
	ServerHostname string     `json:"server_hostname"`
	Connector      string     `json:"connector"`

	Texts    []string      `json:"texts,omitempty"` // columns in which the service quotes replies, as given
	Extra    []Column      `json:"extra,omitempty"` // columns that are not known
	Findings []dsn.Finding `json:"findings,omitempty"`
}

// RecipientStatus is one recipient of a row.
type RecipientStatus struct {
	Address string   `json:"address"`
	Status  Status   `json:"status"`
	Raw     string   `json:"raw"`              // status as given
	Events  []string `json:"events,omitempty"` // of "addr##Receive, Send", in order
}

// Column is a column by the file's name for it.
type Column struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Direction is which way a message went.
// As text: "" where absent, inbound, outbound.
type Direction uint8

const (
	DirectionUnknown Direction = iota // not given
	Inbound                           // 1: to the organization
	Outbound                          // 2: from it
)

var directionNames = enum.Names{"", "inbound", "outbound"}

// String returns "inbound", "outbound" or "".
func (d Direction) String() string { return directionNames.String("Direction", uint8(d)) }

// MarshalText returns "inbound", "outbound" or "".
func (d Direction) MarshalText() ([]byte, error) {
	return directionNames.MarshalText("Direction", uint8(d))
}

// UnmarshalText reads what MarshalText writes; another word is an error.
func (d *Direction) UnmarshalText(text []byte) error {
	v, err := directionNames.Parse("Direction", text)
	*d = Direction(v)
	return err
}

// parseDirection reads the number or word of a column.
func parseDirection(s string) Direction {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "1", "inbound", "incoming", "originating-in":
		return Inbound
	case "2", "outbound", "outgoing", "originating":
		return Outbound
	}
	return DirectionUnknown
}

// Failed reports whether any recipient of the row failed.
func (r *Row) Failed() bool {
	for _, rc := range r.Recipients {
		if rc.Status == Failed {
			return true
		}
	}
	return false
}

// maxRecipients is how many recipients of a row are kept. The service allows
// 1,000 a message.
const maxRecipients = 5000

// addRecipients reads an address list with ";" between.
func (r *Row) addRecipients(s string) {
	for a := range strings.SplitSeq(s, ";") {
		if a = strings.TrimSpace(a); a != "" && len(r.Recipients) < maxRecipients {
			r.Recipients = append(r.Recipients, RecipientStatus{Address: strings.Trim(a, "<>")})
		}
	}
}

// recipientStatuses reads "addr##Receive, Send;addr##Receive, Fail". The last
// event that has a meaning decides.
func (r *Row) recipientStatuses(s string) {
	for item := range strings.SplitSeq(s, ";") {
		addr, events, ok := strings.Cut(strings.TrimSpace(item), "##")
		if !ok || len(r.Recipients) >= maxRecipients {
			continue
		}
		rc := RecipientStatus{Address: strings.TrimSpace(addr), Raw: strings.TrimSpace(events)}
		for e := range strings.SplitSeq(events, ",") {
			if e = strings.TrimSpace(e); e == "" || len(rc.Events) >= 100 {
				continue
			}
			rc.Events = append(rc.Events, e)
			if st := ParseStatus(e); st != StatusUnknown {
				rc.Status = st
			}
		}
		r.Recipients = append(r.Recipients, rc)
	}
}
