package smtpcode

import "github.com/mailfault/mailfault/internal/enum"

// Party is somebody who can clear a refusal.
// As text: unknown, sender, sender-admin, sender-dns, recipient,
// recipient-admin, group-owner, filter, platform, nobody.
type Party uint8

const (
	Unknown        Party = iota // the evidence does not say
	Sender                      // the person who sent the message
	SenderAdmin                 // runs the sending organization's mail
	SenderDNS                   // owns the DNS of the sending domain
	Recipient                   // the person the message was for
	RecipientAdmin              // runs the receiving organization's mail
	GroupOwner                  // owns the group or list the message was for
	Filter                      // a filtering service in front of the recipient
	Platform                    // the operator of the shared service itself
	Nobody                      // time clears it: wait
)

var partyNames = enum.Names{"unknown", "sender", "sender-admin", "sender-dns", "recipient",
	"recipient-admin", "group-owner", "filter", "platform", "nobody"}

// String returns the party's name in kebab-case.
func (p Party) String() string { return partyNames.String("Party", uint8(p)) }

// MarshalText returns the party's name in kebab-case.
func (p Party) MarshalText() ([]byte, error) { return partyNames.MarshalText("Party", uint8(p)) }

// UnmarshalText reads a party's name; an unknown name is an error.
func (p *Party) UnmarshalText(text []byte) error {
	v, err := partyNames.Parse("Party", text)
	*p = Party(v)
	return err
}
