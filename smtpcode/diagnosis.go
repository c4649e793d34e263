package smtpcode

import (
	"encoding/json"
	"net/netip"
	"time"

	"github.com/mailfault/mailfault/internal/enum"
	"github.com/mailfault/mailfault/internal/lists"
)

// Diagnosis is the judgement about one [Failure]: what happened, who can clear
// it and what they do first, with the evidence. Slices may be shared with the
// tables they come from: treat them as read-only.
type Diagnosis struct {
	Condition  Condition     `json:"condition"`
	Summary    string        `json:"summary"` // one sentence
	Refuser    Refuser       `json:"refuser"`
	Owners     []Party       `json:"owners"`     // who clears it, in the order they should act; empty where nothing failed
	Steps      []Step        `json:"steps"`      // Steps[0], which is always there, is what the sending side does first; then a step per owner
	Permanence Permanence    `json:"permanence"` // of the refusal, not of the address
	Resend     Resend        `json:"resend"`
	Address    AddressAdvice `json:"address"`  // what a list does with the address; advice, never done silently
	Checks     []Check       `json:"checks"`   // what to look at to settle it
	Caveats    []Caveat      `json:"caveats"`  // where the report's own words can mislead
	Evidence   []Evidence    `json:"evidence"` // what decided; overruled evidence is marked
	Others     []Condition   `json:"others"`   // meanings that the evidence does not exclude
}

// MarshalJSON writes absent lists as [], never null.
func (d Diagnosis) MarshalJSON() ([]byte, error) {
	type plain Diagnosis
	p := plain(d)
	p.Owners, p.Steps, p.Checks = lists.Filled(p.Owners), lists.Filled(p.Steps), lists.Filled(p.Checks)
	p.Caveats, p.Evidence, p.Others = lists.Filled(p.Caveats), lists.Filled(p.Evidence), lists.Filled(p.Others)
	return json.Marshal(p)
}

// Step is one thing to do, and who does it.
type Step struct {
	Party Party  `json:"party"`
	Text  string `json:"text"`
}

// Permanence says what an unchanged attempt will meet.
// As text: unknown, permanent, transient, expired.
type Permanence uint8

const (
	PermanenceUnknown Permanence = iota // the evidence does not say
	Permanent                           // the same message will be refused again
	Transient                           // a later attempt may succeed
	Expired                             // each refusal was temporary, but the delivery has been given up
)

var permanenceNames = enum.Names{"unknown", "permanent", "transient", "expired"}

// String returns the permanence in lower case.
func (p Permanence) String() string { return permanenceNames.String("Permanence", uint8(p)) }

// MarshalText returns the form of [Permanence.String].
func (p Permanence) MarshalText() ([]byte, error) {
	return permanenceNames.MarshalText("Permanence", uint8(p))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (p *Permanence) UnmarshalText(text []byte) error {
	v, err := permanenceNames.Parse("Permanence", text)
	*p = Permanence(v)
	return err
}

// ResendAdvice says whether sending the message again helps.
// As text: unknown, never-unchanged, after-fix, later.
type ResendAdvice uint8

const (
	ResendUnknown  ResendAdvice = iota // the evidence does not say: it has no class
	NeverUnchanged                     // a copy draws the same reply: change the message or the address
	AfterFix                           // once somebody has cleared the cause
	Later                              // unchanged, after the wait; of a [Delayed] message, by the server that has it: send no copy
)

var resendNames = enum.Names{"unknown", "never-unchanged", "after-fix", "later"}

// String returns the advice in kebab-case.
func (r ResendAdvice) String() string { return resendNames.String("ResendAdvice", uint8(r)) }

// MarshalText returns the form of [ResendAdvice.String].
func (r ResendAdvice) MarshalText() ([]byte, error) {
	return resendNames.MarshalText("ResendAdvice", uint8(r))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (r *ResendAdvice) UnmarshalText(text []byte) error {
	v, err := resendNames.Parse("ResendAdvice", text)
	*r = ResendAdvice(v)
	return err
}

// Resend says whether and when to send again.
type Resend struct {
	Advice ResendAdvice
	Wait   time.Duration // before the next attempt; 0 when it does not matter or is not known
}

type resendJSON struct {
	Advice ResendAdvice `json:"advice"`
	Wait   int64        `json:"wait_seconds"`
}

// MarshalJSON writes the wait in whole seconds.
func (r Resend) MarshalJSON() ([]byte, error) {
	return json.Marshal(resendJSON{r.Advice, int64(r.Wait / time.Second)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Resend) UnmarshalJSON(data []byte) error {
	var v resendJSON
	err := json.Unmarshal(data, &v)
	*r = Resend{v.Advice, time.Duration(v.Wait) * time.Second}
	return err
}

// AddressAdvice says what list tooling should do with the address.
// As text: unknown, keep, suspend, remove.
type AddressAdvice uint8

const (
	AddressUnknown AddressAdvice = iota // the evidence does not say: decide by your own policy
	Keep                                // the address is not at fault
	Suspend                             // stop mailing until somebody has confirmed it
	Remove                              // the address is gone
)

var addressNames = enum.Names{"unknown", "keep", "suspend", "remove"}

// String returns the advice in lower case.
func (a AddressAdvice) String() string { return addressNames.String("AddressAdvice", uint8(a)) }

// MarshalText returns the form of [AddressAdvice.String].
func (a AddressAdvice) MarshalText() ([]byte, error) {
	return addressNames.MarshalText("AddressAdvice", uint8(a))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (a *AddressAdvice) UnmarshalText(text []byte) error {
	v, err := addressNames.Parse("AddressAdvice", text)
	*a = AddressAdvice(v)
	return err
}

// CheckKind is something to look up that settles a diagnosis.
// As text: unknown, dmarc, spf, dkim, mx, rdns, blocklist, aggregate-reports.
type CheckKind uint8

const (
	CheckUnknown          CheckKind = iota
	CheckDMARC                      // DMARC record and alignment of Domain, the author domain
	CheckSPF                        // SPF record of Domain for IP
	CheckDKIM                       // DKIM signature of Domain
	CheckMX                         // MX records of Domain
	CheckRDNS                       // reverse DNS of IP
	CheckBlocklist                  // block lists for IP or Domain
	CheckAggregateReports           // DMARC aggregate reports for Domain, IP and Date
)

var checkNames = enum.Names{"unknown", "dmarc", "spf", "dkim", "mx", "rdns", "blocklist", "aggregate-reports"}

// String returns the kind in kebab-case.
func (k CheckKind) String() string { return checkNames.String("CheckKind", uint8(k)) }

// MarshalText returns the form of [CheckKind.String].
func (k CheckKind) MarshalText() ([]byte, error) {
	return checkNames.MarshalText("CheckKind", uint8(k))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (k *CheckKind) UnmarshalText(text []byte) error {
	v, err := checkNames.Parse("CheckKind", text)
	*k = CheckKind(v)
	return err
}

// Check names one look-up; fields the failure does not give stay zero.
type Check struct {
	Kind   CheckKind  `json:"kind"`
	Domain string     `json:"domain"`
	IP     netip.Addr `json:"ip,omitzero"`
	Date   time.Time  `json:"date,omitzero"`
}

// String returns the kind and what there is of the rest, parted by blanks.
func (c Check) String() string {
	s := c.Kind.String()
	if c.Domain != "" {
		s += " " + c.Domain
	}
	if c.IP.IsValid() {
		s += " " + c.IP.String()
	}
	if !c.Date.IsZero() {
		s += " " + c.Date.Format(time.RFC3339)
	}
	return s
}

// Caveat says where the report's own words can point at the wrong person.
type Caveat struct {
	ID   string `json:"id"` // stable, kebab-case
	Text string `json:"text"`
}

// Field names the part of a [Failure] that evidence stands in: reply, status,
// reason, action.
type Field string

const (
	FieldReply  Field = "reply"  // Replies[Evidence.Index].Raw
	FieldStatus Field = "status" // Failure.Status
	FieldReason Field = "reason" // Failure.Reason
	FieldAction Field = "action" // Failure.Action
)

// Evidence is one observation that a diagnosis rests on.
type Evidence struct {
	Rule      string `json:"rule"`      // the rule that matched, "" where none is needed
	Field     Field  `json:"field"`     // where it stands
	Index     int    `json:"index"`     // which of Replies, for FieldReply
	Start     int    `json:"start"`     // byte offsets of Text in that field; both 0 in a Reply without Raw
	End       int    `json:"end"`       //
	Text      string `json:"text"`      // verbatim
	Overruled bool   `json:"overruled"` // stronger evidence won
	Means     string `json:"means"`     // what overruled evidence would have meant
	Source    string `json:"source"`    // of the rule
}
