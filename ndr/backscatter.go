package ndr

import (
	"context"
	"fmt"
	"time"

	"github.com/mailfault/mailfault/dsn"
)

// SentItems is what the caller knows of the mail that was really sent.
type SentItems struct {
	// Lookup says whether the user sent this message: Yes, No, or NotKnown.
	// Nil means not known.
	Lookup func(ctx context.Context, m SentMessage) (Answer, error)

	// Strange says whether Sent Items holds messages the user does not know.
	Strange Answer

	// Proof is what the report itself proves: (*dsn.Report).Backscatter's answer.
	// The zero Origin proves nothing.
	Proof dsn.Origin

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

// Backscatter says whether the report is backscatter, from Sent Items and from
// what the report proves. A yes of either is enough for mail that was sent. The
// error is Lookup's.
func (n *Notice) Backscatter(ctx context.Context, sent SentItems) (Backscatter, error) {
	b := Backscatter{Why: []string{}, Steps: []string{}}
	found := NotKnown
	if sent.Lookup != nil {
		var err error
		if found, err = sent.Lookup(ctx, n.sentMessage()); err != nil {
			return b, fmt.Errorf("ndr: looking up the sent message: %w", err)
		}
	}
	for _, g := range sent.Proof.Grounds {
		b.Why = append(b.Why, g.Verdict.String()+" by "+g.Check.String()+": "+g.Reason+".")
	}
	switch found {
	case Yes:
		b.Backscatter = No
		b.Why = append(b.Why, "Sent Items holds the message: the report is about mail that was sent.")
		if sent.Proof.Verdict == dsn.NotOurs {
			b.Why = append(b.Why, "The report's own marks say otherwise; its message id may have been copied from that message.")
		}
	case No:
		if sent.Proof.Verdict == dsn.Ours {
			b.Backscatter = No
			b.Why = append(b.Why, "Sent Items holds no such message, but it was sent from here.")
			b.Steps = append(b.Steps, "Find out what sent it in the user's name: a service of your own, or somebody with the account.")
			break
		}
		b.Backscatter = Yes
		b.Why = append(b.Why, "Sent Items holds no such message: the report is backscatter.",
			"Backscatter alone does not mean that the account is compromised.")
	case NotKnown:
		switch sent.Proof.Verdict {
		case dsn.Ours:
			b.Backscatter = No
		case dsn.NotOurs:
			b.Backscatter = Yes
			b.Why = append(b.Why, "Backscatter alone does not mean that the account is compromised.")
		}
		if sent.Proof.Verdict != dsn.CannotTell {
			break
		}
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
