package messagetrace

import (
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/internal/enum"
	"github.com/mailfault/mailfault/ndr"
)

// Match is how surely a row is about the message of a report.
// As text: none, time, message-id, network-message-id.
type Match uint8

const (
	NoMatch     Match = iota // nothing says so, or something says it is not
	ByTime                   // recipient, and sender where known, within the time window: likely
	ByMessageID              // the sender's Message-ID: one message, maybe several copies of it
	ByNetworkID              // the service's own ID: this very copy
)

var matchNames = enum.Names{"none", "time", "message-id", "network-message-id"}

// String returns the match in kebab-case.
func (m Match) String() string { return matchNames.String("Match", uint8(m)) }

// MarshalText returns the match in kebab-case.
func (m Match) MarshalText() ([]byte, error) { return matchNames.MarshalText("Match", uint8(m)) }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (m *Match) UnmarshalText(text []byte) error {
	v, err := matchNames.Parse("Match", text)
	*m = Match(v)
	return err
}

// Key is what joins rows to a report. Empty fields do not count.
type Key struct {
	MessageID  string // with or without angle brackets
	NetworkID  string
	Sender     string
	Recipients []string  // any of them
	Sent       time.Time // when the message was sent
	Window     time.Duration
}

// DefaultWindow is how far a row's time may be from the message's: clocks
// differ, and a failure comes after up to a day of retries.
const DefaultWindow = 26 * time.Hour

// KeyOf returns the key of a notice: identifiers and times of its quoted
// header, else of its details.
func KeyOf(n *ndr.Notice) Key {
	k := Key{MessageID: n.Original.MessageID, NetworkID: n.Original.NetworkID, Sender: n.Original.ReturnPath, Sent: n.Details.CreatedAt}
	if k.Sender == "" {
		k.Sender = n.Details.Sender
	}
	for _, r := range n.Recipients {
		for _, a := range []string{r.Address, r.OriginalAddress} {
			if a != "" && !slices.Contains(k.Recipients, a) {
				k.Recipients = append(k.Recipients, a)
			}
		}
	}
	if received := n.Original.Received; k.Sent.IsZero() && len(received) > 0 {
		k.Sent = received[len(received)-1].Date
	}
	return k
}

// KeyOfReport returns the key of any report, Microsoft's or not: the ids of the
// message it is about, its recipients, and when it arrived where it failed.
func KeyOfReport(r *dsn.Report) Key {
	k := Key{MessageID: r.Thread().MessageID, Sent: r.ArrivalDate.Time}
	if ret := r.Returned; ret != nil {
		k.NetworkID = ret.Header.Get("X-MS-Exchange-Organization-Network-Message-Id")
		k.Sender = strings.Trim(ret.Header.Get("Return-Path"), "<> ")
		if sent, err := mail.ParseDate(ret.Header.Get("Date")); err == nil {
			k.Sent = sent
		}
	}
	for i := range r.Recipients {
		for _, a := range []string{r.Recipients[i].FinalRecipient.Address, r.Recipients[i].OriginalRecipient.Address} {
			if a != "" && !slices.Contains(k.Recipients, a) {
				k.Recipients = append(k.Recipients, a)
			}
		}
	}
	return k
}

// Match says whether a row is about the key's message. An identifier both
// sides have decides alone: where they differ there is no match. Time needs a
// recipient too.
func (k Key) Match(r *Row) Match {
	if k.NetworkID != "" && r.NetworkID != "" {
		if strings.EqualFold(k.NetworkID, r.NetworkID) {
			return ByNetworkID
		}
		if k.MessageID == "" || r.MessageID == "" {
			return NoMatch
		}
		// Copies of one message have network IDs of their own.
	}
	if k.MessageID != "" && r.MessageID != "" {
		if strings.Trim(k.MessageID, "<> ") == r.MessageID {
			return ByMessageID
		}
		return NoMatch
	}
	if !k.matchesTime(r) || !k.matchesRecipient(r) {
		return NoMatch
	}
	if k.Sender != "" && r.Sender != "" && !strings.EqualFold(k.Sender, r.Sender) && !strings.EqualFold(k.Sender, r.ReturnPath) {
		return NoMatch
	}
	return ByTime
}

func (k Key) matchesTime(r *Row) bool {
	window := k.Window
	if window == 0 {
		window = DefaultWindow
	}
	if k.Sent.IsZero() {
		return false
	}
	times := r.TimeOr
	if !r.Time.IsZero() {
		times = []time.Time{r.Time}
	}
	for _, t := range times {
		if d := t.Sub(k.Sent); d >= -window && d <= window {
			return true
		}
	}
	return false
}

func (k Key) matchesRecipient(r *Row) bool {
	for _, rc := range r.Recipients {
		for _, a := range k.Recipients {
			if strings.EqualFold(a, rc.Address) || r.Related != "" && strings.EqualFold(a, r.Related) {
				return true
			}
		}
	}
	return false
}
