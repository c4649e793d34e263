package history

import "github.com/mailfault/mailfault/internal/enum"

// Kind is what happened.
// As text: unknown, new-failing-source, started-failing, recovered, gone-quiet,
// volume-jump, policy-change, reporter-vanished.
type Kind uint8

// The kinds of events. The first two are the alerts that matter; the others
// say what became of them and of the reports themselves.
const (
	KindUnknown      Kind = iota
	NewFailingSource      // a source that never appeared before, and fails
	StartedFailing        // a source that passed before, and now fails
	Recovered             // a failing source passes again, and went on passing
	GoneQuiet             // a regular source is no longer seen
	VolumeJump            // a source sends far more than it used to
	PolicyChange          // the domain publishes another DMARC policy
	ReporterVanished      // a regular reporter no longer reports while others do
)

var kindNames = enum.Names{"unknown", "new-failing-source", "started-failing", "recovered", "gone-quiet", "volume-jump", "policy-change", "reporter-vanished"}

// String returns the kind in kebab-case.
func (k Kind) String() string { return kindNames.String("Kind", uint8(k)) }

// MarshalText returns the kind in kebab-case.
func (k Kind) MarshalText() ([]byte, error) { return kindNames.MarshalText("Kind", uint8(k)) }

// UnmarshalText reads what MarshalText writes; another word is an error.
func (k *Kind) UnmarshalText(text []byte) error {
	v, err := kindNames.Parse("Kind", text)
	*k = Kind(v)
	return err
}

// Onset reports whether the kind is one of the two alerts: a source fails.
func (k Kind) Onset() bool { return k == NewFailingSource || k == StartedFailing }

// Change is what a log entry does to the set of events.
// As text: unknown, told, amended, retracted.
type Change uint8

// The changes.
const (
	ChangeUnknown Change = iota
	Told                 // the event is new
	Amended              // the event stands in for Was: a late report moved or turned it
	Retracted            // the event never happened, as is known now
)

var changeNames = enum.Names{"unknown", "told", "amended", "retracted"}

// String returns the change in lower case.
func (c Change) String() string { return changeNames.String("Change", uint8(c)) }

// MarshalText returns the change in lower case.
func (c Change) MarshalText() ([]byte, error) { return changeNames.MarshalText("Change", uint8(c)) }

// UnmarshalText reads what MarshalText writes; another word is an error.
func (c *Change) UnmarshalText(text []byte) error {
	v, err := changeNames.Parse("Change", text)
	*c = Change(v)
	return err
}

// Status is what became of a report that was given to [History.Add].
// As text: unknown, accepted, untrusted, duplicate, promoted, conflict, expired,
// invalid.
type Status uint8

// The statuses.
const (
	StatusUnknown Status = iota
	Accepted             // counted, and may raise events
	Untrusted            // listed; neither raises nor clears an event
	Duplicate            // known already: nothing changed
	Promoted             // known as untrusted, now authentic: counted
	Conflict             // accepted, though a report of the same key says something else
	Expired              // older than what is kept: only marks were set
	Invalid              // not a report that can be kept; Outcome.Err says why
)

var statusNames = enum.Names{"unknown", "accepted", "untrusted", "duplicate", "promoted", "conflict", "expired", "invalid"}

// String returns the status in lower case.
func (s Status) String() string { return statusNames.String("Status", uint8(s)) }

// MarshalText returns the status in lower case.
func (s Status) MarshalText() ([]byte, error) { return statusNames.MarshalText("Status", uint8(s)) }

// UnmarshalText reads what MarshalText writes; another word is an error.
func (s *Status) UnmarshalText(text []byte) error {
	v, err := statusNames.Parse("Status", text)
	*s = Status(v)
	return err
}

// State is where a source stands.
// As text: unknown, passing, failing, muted.
type State uint8

// The states.
const (
	StateUnknown State = iota
	Passing            // its last mail passed
	Failing            // an episode of failure is open
	MutedOnly          // all its failing mail came through forwarders or lists
)

var stateNames = enum.Names{"unknown", "passing", "failing", "muted"}

// String returns the state in lower case.
func (s State) String() string { return stateNames.String("State", uint8(s)) }

// MarshalText returns the state in lower case.
func (s State) MarshalText() ([]byte, error) { return stateNames.MarshalText("State", uint8(s)) }

// UnmarshalText reads what MarshalText writes; another word is an error.
func (s *State) UnmarshalText(text []byte) error {
	v, err := stateNames.Parse("State", text)
	*s = State(v)
	return err
}
