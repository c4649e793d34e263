package smtpcode

import (
	"strings"

	"github.com/mailfault/mailfault/internal/enum"
)

// RefuserKind says which of the servers in a report refused the message.
// As text: unknown, remote-server, generating-server, same-server,
// after-accepting.
type RefuserKind uint8

const (
	RefuserUnknown   RefuserKind = iota // the report names no server, or leaves two readings open
	RemoteServer                        // the remote server refused; its administrators act
	GeneratingServer                    // the server that wrote the report refused
	SameServer                          // one server refused and wrote the report
	AfterAccepting                      // the far side took the message, refused it later and wrote the report
)

var refuserNames = enum.Names{"unknown", "remote-server", "generating-server", "same-server", "after-accepting"}

// String returns the kind in kebab-case.
func (k RefuserKind) String() string { return refuserNames.String("RefuserKind", uint8(k)) }

// MarshalText returns the form of [RefuserKind.String].
func (k RefuserKind) MarshalText() ([]byte, error) {
	return refuserNames.MarshalText("RefuserKind", uint8(k))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (k *RefuserKind) UnmarshalText(text []byte) error {
	v, err := refuserNames.Parse("RefuserKind", text)
	*k = RefuserKind(v)
	return err
}

// Side says whose server it is.
// As text: unknown, sender, recipient, third.
type Side uint8

const (
	SideUnknown   Side = iota // the evidence does not show it
	SideSender                // the sender's own organization
	SideRecipient             // the recipient's organization
	SideThird                 // somebody between them: a filter, a relay
)

var sideNames = enum.Names{"unknown", "sender", "recipient", "third"}

// String returns the side in lower case.
func (s Side) String() string { return sideNames.String("Side", uint8(s)) }

// MarshalText returns the form of [Side.String].
func (s Side) MarshalText() ([]byte, error) { return sideNames.MarshalText("Side", uint8(s)) }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (s *Side) UnmarshalText(text []byte) error {
	v, err := sideNames.Parse("Side", text)
	*s = Side(v)
	return err
}

// Refuser is the server that refused the message.
type Refuser struct {
	By   RefuserKind `json:"by"`
	Host string      `json:"host"` // "" when unknown
	Side Side        `json:"side"`
	Why  string      `json:"why"` // the grounds, one sentence
}

// Refuser says which server refused the message: the remote one where the
// report names another than the one that wrote it. Where it names none, one
// server did both, or the far side accepted the message and refused it later;
// the two look alike unless the generating server's domain tells them apart.
func (f Failure) Refuser() Refuser { return f.refuser() }

func (f *Failure) refuser() Refuser {
	generating, remote := hostName(f.GeneratingServer), hostName(f.RemoteServer)
	if remote != "" && generating != "" && !strings.EqualFold(remote, generating) {
		return Refuser{RemoteServer, remote, f.side(remote), "the report names a remote server other than the one that wrote it"}
	}
	if remote != "" && generating == "" {
		return Refuser{RemoteServer, remote, f.side(remote), "the report names a remote server"}
	}
	if generating == "" {
		return Refuser{Why: "no server is named"}
	}
	side := f.side(generating)
	switch {
	case remote != "":
		return Refuser{SameServer, generating, side, "the server that refused is the one that wrote the report"}
	case side == SideSender:
		return Refuser{SameServer, generating, side, "no remote server is named and the generating server is the sender's own"}
	case side == SideRecipient:
		return Refuser{AfterAccepting, generating, side, "no remote server is named and the generating server is the recipient's: it took the message and refused it later"}
	}
	return Refuser{SameServer, generating, side, "no remote server is named: one server did both, or the far side accepted the message and refused it later"}
}

// side says whose server host is: the caller's own domains first, then the
// sender's domain, then the recipient's.
func (f *Failure) side(host string) Side {
	for _, own := range f.OwnDomains {
		if within(host, own) {
			return SideSender
		}
	}
	sender, recipient := domainOf(f.EnvelopeFrom), domainOf(f.Recipient)
	bySender := within(host, sender) || within(host, f.AuthorDomain)
	byRecipient := within(host, recipient) || within(host, domainOf(f.OriginalRecipient))
	switch {
	case bySender && !byRecipient:
		return SideSender
	case byRecipient && !bySender:
		return SideRecipient
	}
	return SideUnknown
}
