package smtpcode

import (
	"strings"

	"github.com/mailfault/mailfault/internal/enum"
)

// Action is what the reporting system did with the message for one recipient
// (RFC 3464 section 2.3.3).
// As text: unknown, failed, delayed, delivered, relayed, expanded.
type Action uint8

const (
	ActionUnknown Action = iota // not given, or a word RFC 3464 does not know
	Failed                      // the message was not delivered and will not be
	Delayed                     // still trying: no outcome yet, not a bounce
	Delivered                   // in the recipient's mailbox
	Relayed                     // handed to a system that sends no such reports
	Expanded                    // delivered to a list, sent on to its members
)

var actionNames = enum.Names{"unknown", "failed", "delayed", "delivered", "relayed", "expanded"}

// ParseAction reads an action word in any case, blanks around it allowed.
// A word RFC 3464 does not know is ActionUnknown.
func ParseAction(s string) Action {
	s = strings.TrimSpace(s)
	for i, name := range actionNames {
		if i > 0 && strings.EqualFold(s, name) {
			return Action(i)
		}
	}
	return ActionUnknown
}

// succeeded reports whether the message went through: there is no failure.
func (a Action) succeeded() bool { return a == Delivered || a == Relayed || a == Expanded }

// String returns the standard's word, or "unknown".
func (a Action) String() string { return actionNames.String("Action", uint8(a)) }

// MarshalText returns the standard's word, or "" when unknown.
func (a Action) MarshalText() ([]byte, error) {
	if a == ActionUnknown {
		return []byte{}, nil
	}
	return actionNames.MarshalText("Action", uint8(a))
}

// UnmarshalText reads what MarshalText writes.
func (a *Action) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*a = ActionUnknown
		return nil
	}
	v, err := actionNames.Parse("Action", text)
	*a = Action(v)
	return err
}
