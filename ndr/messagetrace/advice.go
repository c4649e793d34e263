package messagetrace

import (
	"strings"
	"time"

	"github.com/mailfault/mailfault/internal/enum"
)

// Kind is the kind of trace to ask for.
// As text: unknown, summary, historical, too-old.
type Kind uint8

const (
	KindUnknown Kind = iota // when the message was sent is not known: ask that first
	Summary                 // on screen, almost at once
	Historical              // a CSV built from archived data: can take several hours
	TooOld                  // over 90 days: there is nothing to ask for
)

var kindNames = enum.Names{"unknown", "summary", "historical", "too-old"}

// String returns the kind in kebab-case.
func (k Kind) String() string { return kindNames.String("Kind", uint8(k)) }

// MarshalText returns the kind in kebab-case.
func (k Kind) MarshalText() ([]byte, error) { return kindNames.MarshalText("Kind", uint8(k)) }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (k *Kind) UnmarshalText(text []byte) error {
	v, err := kindNames.Parse("Kind", text)
	*k = Kind(v)
	return err
}

// How far back traces go. The range starts at the message, so its age decides.
//
// Exactly ten days counts as Summary: Microsoft's page says "10 days or less"
// in one place and "less than 10 days" in two others.
const (
	DefaultRange = 2 * 24 * time.Hour  // what the admin center shows unasked
	SummaryRange = 10 * 24 * time.Hour // longest range answered at once; also of one Get-MessageTraceV2 call
	MaxRange     = 90 * 24 * time.Hour // how long data is kept
	archiveLag   = 4 * time.Hour       // historical searches may miss what is newer
)

// Query is what is known of the message to trace.
type Query struct {
	Sent      time.Time // when it was sent, or the report's date
	Now       time.Time
	Sender    string // any of these may be empty; at least one narrows a historical search
	Recipient string
	MessageID string
}

// Advice says which trace to ask for.
type Advice struct {
	Kind     Kind      `json:"kind"`
	Default  bool      `json:"default_range"` // the admin center's default range covers it
	From     time.Time `json:"from,omitzero"` // range to ask for, UTC
	To       time.Time `json:"to,omitzero"`
	Filter   Status    `json:"filter"`   // delivery status to set: Failed lists what was not delivered
	Where    string    `json:"where"`    // click path
	Commands []Command `json:"commands"` // the same in PowerShell
	Caveats  []string  `json:"caveats"`
}

// Command is a call to make in Exchange Online PowerShell.
type Command struct {
	Name string `json:"name"` // the cmdlet
	Line string `json:"line"` // the whole call; values quoted so that none can do anything else
}

// Advise says which trace answers for a message, by its age: up to 10 days a
// Summary at once (within 2 days it is in the default range), up to 90 days a
// CSV that can take hours, later nothing.
func Advise(q Query) Advice {
	a := Advice{Filter: Failed, Where: "Exchange admin center > Mail flow > Message trace", Commands: []Command{}, Caveats: []string{}}
	if q.Sent.IsZero() || q.Now.IsZero() || q.Sent.After(q.Now) {
		a.Caveats = append(a.Caveats, "When the message was sent is not known; the range to ask for depends on it.")
		return a
	}
	age := q.Now.Sub(q.Sent)
	if age > MaxRange {
		a.Kind = TooOld
		a.Caveats = append(a.Caveats, "Message trace keeps 90 days; this message is older.")
		return a
	}
	sent := q.Sent.UTC()
	a.From, a.To = sent.Add(-time.Hour), q.Now.UTC()
	if limit := q.Now.UTC().Add(-MaxRange); a.From.Before(limit) {
		a.From = limit
	}
	if age <= SummaryRange {
		a.Kind = Summary
		a.Default = age <= DefaultRange
		if limit := q.Now.UTC().Add(-SummaryRange); a.From.Before(limit) {
			a.From = limit
		}
		if age == SummaryRange {
			a.Caveats = append(a.Caveats, "Exactly 10 days: Microsoft's page counts it as Summary in one place and not in two others.")
		}
	} else {
		a.Kind = Historical
		a.Caveats = append(a.Caveats, "The CSV is built from archived data and can take several hours to appear.")
		if q.Sender == "" && q.Recipient == "" && q.MessageID == "" {
			a.Caveats = append(a.Caveats, "Enhanced summary and Extended reports need a sender, a recipient or a message ID.")
		}
	}
	a.Commands = append(a.Commands, traceV2(q, a.From))
	if a.Kind == Historical {
		a.Commands = append(a.Commands, historicalSearch(q, a.From, a.To))
	} else if age < archiveLag {
		a.Caveats = append(a.Caveats, "Historical searches may not have a message this new.")
	}
	return a
}

// traceV2 asks for ten days from the message on: a failure is decided within
// one or two. It goes back 90 days.
func traceV2(q Query, from time.Time) Command {
	to := from.Add(SummaryRange)
	if to.After(q.Now) {
		to = q.Now.UTC()
	}
	line := "Get-MessageTraceV2" + arg("StartDate", stamp(from)) + arg("EndDate", stamp(to)) + who(q) + " -Status Failed"
	return Command{Name: "Get-MessageTraceV2", Line: line}
}

func historicalSearch(q Query, from, to time.Time) Command {
	line := "Start-HistoricalSearch" + arg("ReportTitle", "Undelivered message") + " -ReportType MessageTraceDetail" +
		arg("StartDate", stamp(from)) + arg("EndDate", stamp(to)) + who(q) + " -DeliveryStatus Failed"
	return Command{Name: "Start-HistoricalSearch", Line: line}
}

func who(q Query) string {
	return arg("SenderAddress", q.Sender) + arg("RecipientAddress", q.Recipient) + arg("MessageId", q.MessageID)
}

// stamp writes a time the way PowerShell reads it in every culture.
func stamp(t time.Time) string { return t.UTC().Format("01/02/2006 15:04") }

// arg writes a parameter with its value in single quotes; nothing for an empty
// value. PowerShell takes typographic quotes for quotes too.
func arg(name, value string) string {
	if value == "" {
		return ""
	}
	var b strings.Builder
	for _, r := range value {
		switch r {
		case '\'', '‘', '’', '‚', '‛':
			b.WriteRune(r)
		}
		if r >= ' ' && r != 0x7f && r != '\u0085' && r != '\u2028' && r != '\u2029' {
			b.WriteRune(r)
		}
	}
	return " -" + name + " '" + b.String() + "'"
}
