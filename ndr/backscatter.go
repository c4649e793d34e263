package ndr

import (
	"context"
	"fmt"
	"time"
)

// SentItems is what the caller knows of the mail that was really sent.
type SentItems struct {
	// Lookup says whether the user sent this message: Yes, No, or NotKnown.
	// Nil means not known.
	Lookup func(ctx context.Context, m SentMessage) (Answer, error)

	// Strange says whether Sent Items holds messages the user does not know.
	Strange Answer

	// Recent is how many reports about unknown messages came lately, this one
	// included; 0 when not counted.
	Recent int
}

// SentMessage identifies the message a report is about, as far as the report
// gives it.
type SentMessage struct {
	MessageID  string // without angle brackets
	NetworkID  string
	Sender     string
	Recipients []string
	Subject    string
	Created    time.Time
}

// Backscatter is whether a report is about a message that was never sent from
// here, and what that means.
type Backscatter struct {
	Backscatter Answer   `json:"backscatter"` // Yes: the message was not sent from here; somebody forged the address
	Compromised Answer   `json:"compromised"` // Yes: treat the account as compromised; never No, for nothing here can show that
	Why         []string `json:"why"`         // the grounds, one a sentence
	Steps       []string `json:"steps"`       // what to do, in order
}

// runOfReports is from how many reports on one speaks of a run.
const runOfReports = 2

// Backscatter says whether the report is backscatter. The error is Lookup's.
func (n *Notice) Backscatter(ctx context.Context, sent SentItems) (Backscatter, error) {
	b := Backscatter{Why: []string{}, Steps: []string{}}
	found := NotKnown
	if sent.Lookup != nil {
		var err error
		if found, err = sent.Lookup(ctx, n.sentMessage()); err != nil {
			return b, fmt.Errorf("ndr: looking up the sent message: %w", err)
		}
	}
	switch found {
	case Yes:
		b.Backscatter = No
		b.Why = append(b.Why, "Sent Items holds the message: the report is about mail that was sent.")
	case No:
		b.Backscatter = Yes
		b.Why = append(b.Why, "Sent Items holds no such message: the report is backscatter.",
			"Backscatter alone does not mean that the account is compromised.")
	default:
		b.Why = append(b.Why, "Whether the message was sent is not known.")
		b.Steps = append(b.Steps, "Look for the message in Sent Items.")
	}
	if sent.Strange == Yes {
		b.Compromised = Yes
		b.Why = append(b.Why, "Sent Items holds messages the user does not know: treat the account as compromised.")
		b.Steps = append(b.Steps, "Reset the password first, then look for forwarding and inbox rules nobody set.")
		return b, nil
	}
	if b.Backscatter == Yes && sent.Recent >= runOfReports && sent.Strange == NotKnown {
		b.Steps = append(b.Steps, "Read Sent Items first: messages there that the user does not know mean a compromise.")
	}
	return b, nil
}

func (n *Notice) sentMessage() SentMessage {
	m := SentMessage{
		MessageID: n.Original.MessageID,
		NetworkID: n.Original.NetworkID,
		Sender:    n.Original.From,
		Subject:   n.Original.Subject,
		Created:   n.Details.CreatedAt,
	}
	if m.Sender == "" {
		m.Sender = n.Details.Sender
	}
	if m.Subject == "" {
		m.Subject = n.Details.Subject
	}
	for i := range n.Recipients {
		if a := n.Recipients[i].Address; a != "" {
			m.Recipients = append(m.Recipients, a)
		}
	}
	return m
}
