package ndr

import (
	"time"

	"github.com/mailfault/mailfault/internal/enum"
)

// RetryState says whether some server is still trying to deliver.
// As text: unknown, over, going.
type RetryState uint8

const (
	RetryUnknown RetryState = iota // the report does not show it
	RetryOver                      // it has given up: nothing more will happen by itself
	RetryGoing                     // it is still trying: wait, do not resend
)

var retryNames = enum.Names{"unknown", "over", "going"}

// String returns the state in kebab-case.
func (s RetryState) String() string { return retryNames.String("RetryState", uint8(s)) }

// MarshalText returns the state in kebab-case.
func (s RetryState) MarshalText() ([]byte, error) {
	return retryNames.MarshalText("RetryState", uint8(s))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (s *RetryState) UnmarshalText(text []byte) error {
	v, err := retryNames.Parse("RetryState", text)
	*s = RetryState(v)
	return err
}

// OnlineRetryWindow is how long Exchange Online tries before it reports. A
// page of 2021 also said two days; its revision of 2025 says 24 hours.
const OnlineRetryWindow = 24 * time.Hour

// Retry is who is trying, and until when.
type Retry struct {
	State RetryState `json:"state"`
	By    string     `json:"by"`             // the server that tries or tried
	Until time.Time  `json:"until,omitzero"` // where the report gives it
	Why   string     `json:"why"`
}

// Retry says whether delivery is still being tried. Exchange Online retries
// inside the service and sends no notice until it gives up, so a delay notice
// comes from Exchange Server or another host.
func (n *Notice) Retry() Retry {
	r := Retry{By: n.Servers.Generating}
	switch {
	case n.Delayed && n.Product == ExchangeOnline:
		r.State = RetryGoing
		r.Why = "A delay notice: the server is still trying, although Exchange Online is not known to send such notices."
	case n.Delayed:
		r.State = RetryGoing
		r.Why = "A delay notice: Exchange Server or another host is still trying."
	case n.Product == ExchangeOnline:
		r.State = RetryOver
		r.Why = "Exchange Online retries inside the service and reports once it stops."
	case n.Layout != LayoutUnknown:
		r.State = RetryOver
		r.Why = "A failure report: the server has given up."
	}
	r.Until = n.until
	return r
}
