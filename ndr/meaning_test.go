package ndr

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/smtpcode"
)

// The tests of this file show the rules B1, B2, B7, B9, B12, B16, B19 and B21:
// what a notice and smtpcode make of a report together. B20 stands with
// messagetrace.

func judged(t *testing.T, fixture string) smtpcode.Diagnosis {
	t.Helper()
	return smtpcode.Diagnose(fixtureNotice(t, fixture).Failures()[0])
}

func TestB1OneServerMeansItRefusedOrTheFarSideDidLater(t *testing.T) {
	// The recipient's own server wrote the report: it took the message first.
	if d := judged(t, "two-section-2007-two-recipients.eml"); d.Refuser.By != smtpcode.AfterAccepting || d.Refuser.Host != "mail1.contoso.example" {
		t.Errorf("%+v", d.Refuser)
	}
	// The service names itself as both.
	if d := judged(t, "current-2023-text-only.eml"); d.Refuser.By != smtpcode.SameServer {
		t.Errorf("%+v", d.Refuser)
	}
}

func TestB2AnotherRemoteHostRefusedAndItsAdministratorsAct(t *testing.T) {
	d := judged(t, "two-section-smtp-hash.eml")
	if d.Refuser.By != smtpcode.RemoteServer || d.Refuser.Host != "gate.contoso.example" || d.Refuser.Side != smtpcode.SideRecipient || !slices.Contains(d.Owners, smtpcode.RecipientAdmin) {
		t.Errorf("%+v %v", d.Refuser, d.Owners)
	}
}

func TestB7ExpiriesToOneDomainAreTheirs(t *testing.T) {
	expired := func(recipients ...string) []smtpcode.Failure {
		var out []smtpcode.Failure
		for _, r := range recipients {
			out = append(out, smtpcode.Failure{Recipient: r, Action: smtpcode.Failed, Status: smtpcode.Status{4, 4, 7}})
		}
		return out
	}
	for _, tt := range []struct {
		failures []smtpcode.Failure
		want     smtpcode.PatternKind
		owner    smtpcode.Party
	}{
		{expired("a@x.example"), smtpcode.PatternUndecided, smtpcode.Unknown},
		{expired("a@x.example", "b@x.example"), smtpcode.PatternOneDomain, smtpcode.RecipientAdmin},
		{expired("a@x.example", "b@y.example"), smtpcode.PatternSeveral, smtpcode.SenderAdmin},
	} {
		p := smtpcode.Correlate(slices.Values(tt.failures))
		if len(p) != 1 || p[0].Kind != tt.want || p[0].Owners[0] != tt.owner {
			t.Errorf("%d failures: %+v, want %s", len(tt.failures), p, tt.want)
		}
	}
}

func TestB9NotSentIsBackscatterAndAloneNoCompromise(t *testing.T) {
	n := fixtureNotice(t, "current-2017-sender.eml")
	sent := func(a Answer) SentItems {
		return SentItems{Lookup: func(context.Context, SentMessage) (Answer, error) { return a, nil }}
	}
	strange := sent(No)
	strange.Strange = Yes
	for _, tt := range []struct {
		name                     string
		sent                     SentItems
		backscatter, compromised Answer
	}{
		{"sent", sent(Yes), No, NotKnown},
		{"not sent", sent(No), Yes, NotKnown},
		{"not known", sent(NotKnown), NotKnown, NotKnown},
		{"unknown messages in Sent Items", strange, Yes, Yes},
	} {
		b, err := n.Backscatter(t.Context(), tt.sent)
		if err != nil || b.Backscatter != tt.backscatter || b.Compromised != tt.compromised {
			t.Errorf("%s: %+v, %v", tt.name, b, err)
		}
	}
}

func reply(text string) smtpcode.Diagnosis {
	return smtpcode.Diagnose(smtpcode.Failure{Action: smtpcode.Failed, Recipient: "list@contoso.example", GeneratingServer: "AM0PR02.eurprd02.prod.outlook.com", Replies: smtpcode.ParseReplies(text)})
}

func TestB12GroupOwnerOrAdministrator(t *testing.T) {
	for status, want := range map[string][]smtpcode.Party{
		"5.7.133": {smtpcode.GroupOwner, smtpcode.RecipientAdmin},
		"5.7.134": {smtpcode.RecipientAdmin},
		"5.7.136": {smtpcode.RecipientAdmin},
	} {
		if d := reply("550 " + status + " restricted"); !slices.Equal(d.Owners, want) {
			t.Errorf("%s: %s, owners %v, want %v", status, d.Condition, d.Owners, want)
		}
	}
}

func TestB16SubmissionQuotaWaitsADay(t *testing.T) {
	for _, text := range []string{"550 5.2.2 Submission quota exceeded", "554 5.2.2 mailbox full; Submission quota exceeded"} {
		d := reply(text)
		if d.Condition != "submission-quota" || d.Owners[0] != smtpcode.Sender || d.Resend.Advice != smtpcode.Later || d.Resend.Wait.Hours() != 24 ||
			!slices.ContainsFunc(d.Caveats, func(c smtpcode.Caveat) bool { return strings.Contains(c.Text, "password") }) {
			t.Errorf("%s: %+v", text, d)
		}
	}
}

func TestB19WhicheverSideSetTheRule(t *testing.T) {
	f := smtpcode.Failure{Action: smtpcode.Failed, Recipient: "bob@contoso.example", EnvelopeFrom: "alice@fabrikam.example", Replies: smtpcode.ParseReplies("550 5.7.1 Message refused by policy")}
	for host, want := range map[string][]smtpcode.Party{
		"out.fabrikam.example": {smtpcode.SenderAdmin},
		"mx.contoso.example":   {smtpcode.RecipientAdmin},
		"":                     {smtpcode.SenderAdmin, smtpcode.RecipientAdmin},
	} {
		f.RemoteServer = host
		if d := smtpcode.Diagnose(f); !slices.Equal(d.Owners, want) {
			t.Errorf("%q: %v, want %v", host, d.Owners, want)
		}
	}
}

func TestB21FullOrQuotaIsNotGuessed(t *testing.T) {
	d := reply("550 5.2.2 x")
	if d.Condition != smtpcode.UnknownCondition || d.Owners[0] != smtpcode.Unknown || !slices.Contains(d.Others, "mailbox-full") || !slices.Contains(d.Others, "submission-quota") {
		t.Errorf("%s %v %v", d.Condition, d.Owners, d.Others)
	}
}
