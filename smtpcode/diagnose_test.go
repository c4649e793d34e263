package smtpcode

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

const exchangeOnline = "DB5PR06MB1800.eurprd06.prod.outlook.com"

// The article's table of codes, row by row.
func TestArticleTable(t *testing.T) {
	tests := []struct {
		row   string
		f     Failure
		want  Condition
		owner []Party
		first string
	}{
		{"Recipient not found 5.1.10", online("550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient a@example.com not found by SMTP address lookup"),
			"recipient-not-found", []Party{Sender, RecipientAdmin}, "Check the spelling, delete the address from the Auto-Complete list, type it whole again and send."},
		{"Bad destination mailbox address 5.1.1", online("550 5.1.1 RESOLVER.ADR.RecipNotFound; not found"),
			"recipient-not-found", []Party{Sender, RecipientAdmin}, "Check the spelling, delete the address from the Auto-Complete list, type it whole again and send."},
		{"Sender was not authenticated for mailbox 5.7.134", online("550 5.7.134 RESOLVER.RST.SenderNotAuthenticatedForMailbox; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this mailbox"),
			"outside-senders-refused", []Party{RecipientAdmin}, "Reach the recipient another way and ask for mail from outside their organization to be accepted."},
		{"does not pass DMARC verification 5.7.509", online("550 5.7.509 Access denied, sending domain example.org does not pass DMARC verification and has a DMARC policy of reject."),
			"dmarc-reject", []Party{SenderDNS}, "Align SPF or DKIM with the domain in the From address before anyone resends."},
		{"Access denied ... does not pass DMARC verification 5.7.509, as the table prints it", online("550 5.7.509 Access denied ... does not pass DMARC verification"), "dmarc-reject", []Party{SenderDNS}, "Align SPF or DKIM with the domain in the From address before anyone resends."},
		{"Mailbox full 5.2.2", online("554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionQuotaExceeded"),
			"mailbox-full", []Party{Recipient}, "Call the recipient, then send later."},
		{"Submission quota exceeded 5.2.2", online("550 5.2.2 Submission quota exceeded"),
			"submission-quota", []Party{Sender}, "Wait one day; if you did not send that much, reset the password first."},
		{"QUEUE.Expired; message expired 4.4.7", online("#550 4.4.7 QUEUE.Expired; message expired ##"),
			"message-expired", []Party{SenderAdmin, RecipientAdmin}, "Check whether every failure went to one domain"},
	}
	for _, test := range tests {
		t.Run(test.row, func(t *testing.T) {
			d := Diagnose(test.f)
			if d.Condition != test.want || !slices.Equal(d.Owners, test.owner) {
				t.Errorf("got %v owned by %v, want %v by %v\nevidence %+v", d.Condition, d.Owners, test.want, test.owner, d.Evidence)
			}
			if len(d.Steps) == 0 || len(d.Steps[0].Text) < len(test.first) || d.Steps[0].Text[:len(test.first)] != test.first {
				t.Errorf("first step %+v, want %q", d.Steps, test.first)
			}
		})
	}
}

// online is a failure that Exchange Online refused and reported itself.
func online(reply string) Failure {
	return Failure{Recipient: "a@example.com", Action: Failed, Replies: ParseReplies(reply), GeneratingServer: exchangeOnline,
		EnvelopeFrom: "b@example.org", AuthorDomain: "example.org"}
}

// remote is a failure that another server refused and Exchange Online reported.
func remote(host, reply string) Failure {
	f := online(reply)
	f.RemoteServer = host
	return f
}

func TestTraps(t *testing.T) {
	accept := "Your message couldn't be delivered to the recipient because you don't have permission to send to it. Ask the recipient's email admin to add you to the accept list for the recipient."
	tests := []struct {
		name   string
		f      Failure
		want   Condition
		owners []Party
		others []Condition
		caveat string
	}{
		{name: "5.2.2 without words stays open", f: online("550 5.2.2"), want: UnknownCondition, owners: []Party{Unknown}, others: []Condition{"mailbox-full", "submission-quota"}},
		{name: "5.2.2 from nobody known stays open", f: Failure{Action: Failed, Status: Status{5, 2, 2}}, want: UnknownCondition, owners: []Party{Unknown}, others: []Condition{"mailbox-full", "submission-quota"}},
		{name: "5.2.2 of an aggregate mailbox is harmless", f: online("554 5.2.2 mailbox full; AggregateGroupMailbox"), want: "aggregate-mailbox-full", owners: []Party{Platform}},
		{name: "5.4.1 domain not accepted", f: online("550 5.4.1 Relay Access Denied"), want: "domain-not-accepted", owners: []Party{RecipientAdmin}},
		{name: "5.4.1 edge blocking", f: online("550 5.4.1 Recipient address rejected: Access denied. AS(201806281)"), want: "recipient-not-found", owners: []Party{Sender, RecipientAdmin}},
		{name: "5.4.1 without words stays open", f: online("550 5.4.1"), want: UnknownCondition, owners: []Party{Unknown}, others: []Condition{"domain-not-accepted", "recipient-not-found"}},
		{name: "5.1.1 stale cache entry", f: online("550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found"), want: "recipient-address-stale", owners: []Party{Sender, RecipientAdmin}},
		{name: "5.1.10 leaves the hybrid object and the restored group open", f: online("550 5.1.10 RESOLVER.ADR.RecipientNotFound; x"), want: "recipient-not-found", owners: []Party{Sender, RecipientAdmin}, others: []Condition{"hybrid-object-missing", "group-not-replicated"}},
		{name: "5.1.10 from Postfix is null MX", f: remote("mail.example.com", "550 5.1.10 <a@example.com>: refused"), want: "null-mx", owners: []Party{Sender}},
		{name: "5.1.8 from Microsoft is a blocked account", f: online("550 5.1.8 Access denied, bad outbound sender"), want: "sender-account-blocked", owners: []Party{Sender, SenderAdmin}, caveat: "check-compromise"},
		{name: "5.1.8 from a foreign host is the sender's domain", f: remote("mx.example.com", "501 5.1.8 Sender address rejected: Domain not found"), want: "sender-address-rejected", owners: []Party{SenderAdmin, SenderDNS}},
		{name: "5.7.23 with an inner DMARC refusal is DMARC", f: remote("aspmx.l.google.com", "550 5.7.23 The message was rejected because of Sender Policy Framework violation -> 550 5.7.26 Unauthenticated email from example.org is not accepted due to domain's DMARC policy."), want: "dmarc-reject", owners: []Party{SenderDNS}},
		{name: "5.0.350 with an inner unknown user", f: remote("mx.example.com", "550 5.0.350 Remote server returned an error -> 550 5.1.1 User unknown"), want: "recipient-not-found", owners: []Party{Sender, RecipientAdmin}},
		{name: "5.0.350 from Rich Text", f: online("550 5.0.350 x-dg-ref header is too long"), want: "header-too-long", owners: []Party{Sender}},
		{name: "5.7.129 warns of the disabled account", f: online("550 5.7.129 RESOLVER.RST.RestrictedToRecipientsPermission; not authorized to send to recipient"), want: "not-on-accept-list", owners: []Party{RecipientAdmin}, caveat: "disabled-account"},
		{name: "the accept-list sentence alone warns of it too", f: Failure{Action: Failed, Reason: accept, GeneratingServer: exchangeOnline}, want: "not-on-accept-list", owners: []Party{RecipientAdmin}, caveat: "disabled-account"},
		{name: "5.7.133 belongs to the group's owner", f: online("550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required"), want: "group-outside-senders-refused", owners: []Party{GroupOwner, RecipientAdmin}},
		{name: "5.7.133 in Microsoft's words is the group's too", f: online("550 5.7.133 Sender was not authenticated for group"), want: "group-outside-senders-refused", owners: []Party{GroupOwner, RecipientAdmin}},
		{name: "the long words of 5.7.133, whoever passed them on", f: Failure{Action: Failed, Replies: ParseReplies("550 5.7.133 Delivery restriction check failed because the sender was not authenticated when sending to this group")}, want: "group-outside-senders-refused", owners: []Party{GroupOwner, RecipientAdmin}},
		{name: "a submission quota without a code", f: Failure{Action: Failed, Reason: "The message can't be submitted because the sender's submission quota was exceeded"}, want: "submission-quota", owners: []Party{Sender}, caveat: "check-compromise"},
		{name: "a sentence picked from a foreign code is overruled", f: func() Failure {
			f := remote("mx.example.com", "550 5.2.2 submission quota exceeded")
			f.Reason = "The recipient's mailbox is full and can't accept messages now."
			return f
		}(), want: "submission-quota", owners: []Party{Sender}, caveat: "sentence-by-code"},
		{name: "5.7.515 of bulk senders", f: online("550 5.7.515 Access denied, sending domain example.org does not meet the required authentication level."), want: "authentication-required", owners: []Party{SenderDNS, SenderAdmin}},
		{name: "a code of the mail flow rule range", f: online("550 5.7.950 go away"), want: "mail-flow-rule", owners: []Party{SenderAdmin, RecipientAdmin}, caveat: "side-unknown"},
		{name: "attempts: expiry decides, the last error stays open", f: func() Failure {
			f := online("550 4.4.7 QUEUE.Expired; message expired")
			f.Replies = append(f.Replies, ParseReply("441 4.4.1 Failed to connect. Winsock error code: 10060"))
			return f
		}(), want: "message-expired", owners: []Party{SenderAdmin, RecipientAdmin}, others: []Condition{"connection-timed-out"}},
		{name: "nothing known", f: Failure{Action: Failed}, want: UnknownCondition, owners: []Party{Unknown}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := Diagnose(test.f)
			if d.Condition != test.want || !slices.Equal(d.Owners, test.owners) {
				t.Errorf("got %v owned by %v, want %v by %v\nevidence %+v", d.Condition, d.Owners, test.want, test.owners, d.Evidence)
			}
			for _, c := range test.others {
				if !slices.Contains(d.Others, c) {
					t.Errorf("others %v lack %v", d.Others, c)
				}
			}
			if test.caveat != "" && !slices.ContainsFunc(d.Caveats, func(c Caveat) bool { return c.ID == test.caveat }) {
				t.Errorf("caveats %v lack %v", d.Caveats, test.caveat)
			}
		})
	}
}

func TestThePolicyRefusalBelongsToTheSideThatRefused(t *testing.T) {
	tests := []struct {
		name, host string
		want       []Party
	}{
		{"the sender's own server", "gateway.example.org", []Party{SenderAdmin}},
		{"the recipient's server", "mx.example.com", []Party{RecipientAdmin}},
		{"nobody knows whose", "mx.example.net", []Party{SenderAdmin, RecipientAdmin}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := Diagnose(remote(test.host, "550 5.7.1 Delivery not authorized, refused by a rule"))
			if !slices.Equal(d.Owners, test.want) {
				t.Errorf("owners %v, want %v", d.Owners, test.want)
			}
		})
	}
}

func TestPermanenceAndAdvice(t *testing.T) {
	tests := []struct {
		name    string
		f       Failure
		want    Permanence
		resend  ResendAdvice
		address AddressAdvice
	}{
		{"failed on a temporary status has expired", Failure{Action: Failed, Status: Status{4, 4, 1}}, Expired, Later, Keep},
		{"delayed is no outcome yet", Failure{Action: Delayed, Status: Status{4, 4, 1}}, Transient, Later, Keep},
		{"delayed with an expiry sentence is still delayed", Failure{Action: Delayed, Status: Status{4, 4, 7}}, Transient, Later, Keep},
		{"a gateway's temporary refusal", Failure{Replies: ParseReplies("450 4.2.0 greylisted")}, Transient, Later, Keep},
		{"class 5 is never resent unchanged", Failure{Action: Failed, Replies: ParseReplies("554 no")}, Permanent, NeverUnchanged, AddressUnknown},
		{"a permanent connection error waits for a fix", Failure{Action: Failed, Replies: ParseReplies("550 5.4.1 connection refused")}, Permanent, AfterFix, Keep},
		{"an unknown address is suspended", Failure{Action: Failed, Replies: ParseReplies("550 5.1.1 user unknown")}, Permanent, AfterFix, Suspend},
		{"a quota waits a day", online("550 5.2.2 Submission quota exceeded"), Permanent, Later, Keep},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := Diagnose(test.f)
			if d.Permanence != test.want || d.Resend.Advice != test.resend || d.Address != test.address {
				t.Errorf("got %v, %v, %v (%v), want %v, %v, %v", d.Permanence, d.Resend.Advice, d.Address, d.Condition, test.want, test.resend, test.address)
			}
		})
	}
}

// Nobody is told to wait for retries that do not come.
func TestFirstMoveFitsWhetherAServerStillTries(t *testing.T) {
	given := "given up"
	for _, test := range []struct {
		name   string
		action Action
		reply  string
		want   string // in the first move
	}{
		{"a reply of class 4 alone", ActionUnknown, "451 4.7.1 Try again later", "tries again by itself"},
		{"given up without a reason", Failed, "451 4.7.1 Try again later", given},
		{"given up on a service that was down", Failed, "421 4.3.2 Service not available", given},
		{"given up on a full disk", Failed, "452 4.3.1 Insufficient system storage", given},
		{"given up on greylisting", Failed, "450 4.2.0 greylisted, try again later", given},
		{"refused for good", Failed, "554 5.3.2 System not accepting network messages", "hand their administrators"},
		{"delayed by a service that is down", Delayed, "421 4.3.2 Service not available", "do not send it again"},
		{"the connection broke", Failed, "421 4.4.2 connection dropped", "Once the retries have ended"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := Diagnose(Failure{Action: test.action, Replies: ParseReplies(test.reply)})
			if len(d.Steps) == 0 || !strings.Contains(d.Steps[0].Text, test.want) {
				t.Fatalf("%v begins with %q, want %q", d.Condition, d.Steps, test.want)
			}
			if test.want == given && slices.Contains(d.Owners, Nobody) {
				t.Errorf("%v is left to time, which brings no other attempt: %v", d.Condition, d.Owners)
			}
			if waits := slices.Contains(d.Steps, wait); waits != (test.action == ActionUnknown) {
				t.Errorf("%v tells somebody to wait: %v", d.Condition, d.Steps)
			}
		})
	}
}

// Whoever prints the first step need not ask whether there is one.
func TestThereIsAlwaysAFirstStep(t *testing.T) {
	own := Default().With(Rule{ID: "acme-lapsed", Condition: "acme-licence-lapsed", Text: "licence lapsed", Source: "acme.example/help"})
	for _, test := range []struct {
		name string
		f    Failure
	}{
		{"nothing is known", Failure{}},
		{"delivered", Failure{Action: Delivered, Replies: ParseReplies("250 2.0.0 Ok")}},
		{"relayed", Failure{Action: Relayed}},
		{"expanded", Failure{Action: Expanded}},
		{"a condition of the caller's own", Failure{Replies: ParseReplies("550 5.7.1 Licence lapsed")}},
		{"the same, still tried", Failure{Action: Delayed, Replies: ParseReplies("450 4.7.1 Licence lapsed")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := own.Diagnose(test.f)
			if len(d.Steps) == 0 || d.Steps[0].Text == "" || d.Summary == "" {
				t.Errorf("summary %q, steps %v", d.Summary, d.Steps)
			}
		})
	}
	for c := range Default().Conditions() {
		if len(own.meaningOf(c).steps) == 0 {
			t.Errorf("%v has no step", c)
		}
	}
}

func TestChecksPrintWhatTheyHave(t *testing.T) {
	for _, test := range []struct {
		c    Check
		want string
	}{
		{Check{}, "unknown"},
		{Check{Kind: CheckDMARC, Domain: "a.example"}, "dmarc a.example"},
		{Check{Kind: CheckBlocklist, IP: netip.MustParseAddr("192.0.2.1")}, "blocklist 192.0.2.1"},
		{Check{CheckAggregateReports, "a.example", netip.MustParseAddr("192.0.2.1"), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, "aggregate-reports a.example 192.0.2.1 2026-01-02T03:04:05Z"},
	} {
		if got := fmt.Sprint([]Check{test.c}); got != "["+test.want+"]" {
			t.Errorf("got %s, want [%s]", got, test.want)
		}
	}
}

func TestDMARCChecksNameTheAuthorDomain(t *testing.T) {
	f := online("550 5.7.509 Access denied, sending domain example.net does not pass DMARC verification and has a DMARC policy of reject.")
	f.EnvelopeFrom, f.AuthorDomain = "bounce@esp.example", "example.net"
	d := Diagnose(f)
	for _, c := range d.Checks {
		if (c.Kind == CheckDMARC || c.Kind == CheckAggregateReports) && c.Domain != "example.net" {
			t.Errorf("%v names %q, want the author domain", c.Kind, c.Domain)
		}
		if c.Kind == CheckSPF && c.Domain != "esp.example" {
			t.Errorf("spf names %q, want the envelope domain", c.Domain)
		}
	}
	if len(d.Checks) == 0 {
		t.Error("no checks")
	}
}

func TestEvidencePointsIntoTheReply(t *testing.T) {
	f := online("Remote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; gone'")
	d := Diagnose(f)
	e := d.Evidence[0]
	if got := f.Replies[e.Index].Raw[e.Start:e.End]; got != "RESOLVER.ADR.RecipientNotFound" || e.Text != got {
		t.Errorf("evidence %q, text %q", got, e.Text)
	}
}

func FuzzDiagnose(f *testing.F) {
	f.Add("550 5.1.1 user unknown", "mailbox is full", "mx.example.com")
	f.Add("550 4.4.7 QUEUE.Expired -> 441 4.4.1 x", "", exchangeOnline)
	f.Fuzz(func(t *testing.T, reply, reason, host string) {
		failure := Failure{Action: Failed, Replies: ParseReplies(reply), Reason: reason, RemoteServer: host}
		d := Diagnose(failure)
		for _, e := range d.Evidence {
			if e.Field == FieldReply && (e.Start < 0 || e.End > len(failure.Replies[e.Index].Raw) || e.Start > e.End) {
				t.Errorf("evidence outside the reply: %+v", e)
			}
		}
		if len(d.Owners) == 0 {
			t.Errorf("nobody named: %+v", d)
		}
	})
}

func BenchmarkDiagnose(b *testing.B) {
	f := online("550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient noname@example.com not found by SMTP address lookup")
	Diagnose(f)
	b.ReportAllocs()
	for b.Loop() {
		Diagnose(f)
	}
}

// TestCodesThatMeanTwoThings: 552 is said of mailboxes and of messages, 553 of
// recipients and of senders. Alone they decide nothing, and no address is lost.
func TestCodesThatMeanTwoThings(t *testing.T) {
	for _, tt := range []struct {
		reply     string
		condition Condition
		open      []Condition
	}{
		{"552 no", "refused", []Condition{"mailbox-full", "message-too-large"}},
		{"553 From address not allowed", "refused", []Condition{"recipient-address-invalid", "sender-address-rejected"}},
		{"552 Message rejected: attachment type .exe not allowed", "attachment-refused", nil},
		{"553 Sorry, your mail was administratively denied.", "policy-refusal", nil},
	} {
		d := Diagnose(Failure{Action: Failed, Replies: ParseReplies(tt.reply)})
		if d.Condition != tt.condition || d.Address == Remove {
			t.Errorf("%s: %s, address %s", tt.reply, d.Condition, d.Address)
		}
		for _, c := range tt.open {
			if !slices.Contains(d.Others, c) {
				t.Errorf("%s: %s is not left open in %v", tt.reply, c, d.Others)
			}
		}
	}
}

// Where nobody knows whose server applied a rule, the recipient domain's MX
// records tell; where it is known there is nothing to look up.
func TestUnknownSideIsSettledByMX(t *testing.T) {
	f := Failure{Action: Failed, Recipient: "a@example.com", EnvelopeFrom: "b@example.org", RemoteServer: "relay.example.net", Replies: ParseReplies("554 5.7.1 Message rejected by policy")}
	want := Check{Kind: CheckMX, Domain: "example.com"}
	d := Diagnose(f)
	if !slices.Contains(d.Checks, want) || caveats(d) != "side-unknown" {
		t.Errorf("unknown side: %v, caveats %s", d.Checks, caveats(d))
	}
	f.RemoteServer = "mx.example.com"
	if d := Diagnose(f); slices.Contains(d.Checks, want) || !slices.Equal(d.Owners, []Party{RecipientAdmin}) {
		t.Errorf("the recipient's server: %v, owners %v", d.Checks, d.Owners)
	}
}
