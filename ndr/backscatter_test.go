package ndr

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dsn"
)

func TestB9BackscatterBySentItems(t *testing.T) {
	n := fixtureNotice(t, "current-2017-sender.eml")
	answer := func(a Answer) func(context.Context, SentMessage) (Answer, error) {
		return func(_ context.Context, m SentMessage) (Answer, error) {
			if m.MessageID != "offer-2@fabrikam.example" || m.Sender != "alice@fabrikam.example" || len(m.Recipients) != 1 {
				t.Errorf("asked for %+v", m)
			}
			return a, nil
		}
	}
	tests := []struct {
		name                string
		sent                SentItems
		backscatter, broken Answer
		says                string
	}{
		{"not sent is backscatter, which alone is no compromise", SentItems{Lookup: answer(No)}, Yes, NotKnown, "alone does not mean"},
		{"a run of them says to read Sent Items first", SentItems{Lookup: answer(No), Recent: 5}, Yes, NotKnown, "Read Sent Items first"},
		{"a run after Sent Items were read", SentItems{Lookup: answer(No), Recent: 5, Strange: No}, Yes, NotKnown, "alone does not mean"},
		{"unknown messages in Sent Items mean compromised", SentItems{Lookup: answer(No), Strange: Yes}, Yes, Yes, "Reset the password first"},
		{"unknown messages count without a look-up too", SentItems{Strange: Yes}, NotKnown, Yes, "treat the account as compromised"},
		{"sent", SentItems{Lookup: answer(Yes)}, No, NotKnown, "mail that was sent"},
		{"not known", SentItems{Lookup: answer(NotKnown)}, NotKnown, NotKnown, "Look for the message"},
		{"not in Sent Items, but proved ours", SentItems{Lookup: answer(No), Proof: proof(dsn.Ours)}, No, NotKnown, "was sent from here"},
		{"proved ours, no look-up", SentItems{Proof: proof(dsn.Ours)}, No, NotKnown, "ours by dkim: because"},
		{"proved not ours, no look-up", SentItems{Proof: proof(dsn.NotOurs)}, Yes, NotKnown, "alone does not mean"},
		{"in Sent Items, but proved not ours", SentItems{Lookup: answer(Yes), Proof: proof(dsn.NotOurs)}, No, NotKnown, "may have been copied"},
		{"a proof that cannot tell", SentItems{Proof: proof(dsn.CannotTell)}, NotKnown, NotKnown, "Look for the message"},
		{"no look-up", SentItems{}, NotKnown, NotKnown, "Look for the message"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := n.Backscatter(context.Background(), tt.sent)
			if err != nil || b.Backscatter != tt.backscatter || b.Compromised != tt.broken || !strings.Contains(strings.Join(append(b.Why, b.Steps...), " "), tt.says) {
				t.Errorf("%+v, %v", b, err)
			}
		})
	}
	broken := errors.New("mailbox offline")
	if _, err := n.Backscatter(context.Background(), SentItems{Lookup: func(context.Context, SentMessage) (Answer, error) { return Yes, broken }}); !errors.Is(err, broken) {
		t.Errorf("look-up's error: %v", err)
	}
}

func proof(v dsn.Verdict) dsn.Origin {
	return dsn.Origin{Verdict: v, Grounds: []dsn.OriginGround{{Check: dsn.CheckDKIM, Verdict: v, Reason: "because"}}}
}
