package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/smtpcode"
)

// event is what the webhook is told, in the plain shape. README.md documents it.
type event struct {
	SchemaVersion int       `json:"schema_version"`
	Key           string    `json:"idempotency_key"` // the same when it is sent again
	Time          time.Time `json:"time"`
	Ticket        int64     `json:"ticket"`
	Action        string    `json:"action"` // opened, updated, reopened
	Kind          kind      `json:"kind"`   // report, person
	Subject       string    `json:"subject"`
	Customer      string    `json:"customer"`
	From          string    `json:"from"`
	Answer        bool      `json:"may_answer_automatically"` // RFC 3834
	Found         string    `json:"found_by"`                 // how the ticket was found
	Origin        string    `json:"origin"`                   // of a report: why it is about our mail
	Failures      []told    `json:"failures"`
}

// told is what is told of one recipient.
type told struct {
	Recipient    string                 `json:"recipient"`
	SentTo       string                 `json:"sent_to,omitempty"` // where it differs
	Condition    smtpcode.Condition     `json:"condition"`
	Owner        smtpcode.Party         `json:"owner"` // who acts first
	Owners       []smtpcode.Party       `json:"owners"`
	Address      smtpcode.AddressAdvice `json:"address"`
	Resend       smtpcode.Resend        `json:"resend"`
	AgentText    string                 `json:"agent_text"`
	CustomerText string                 `json:"customer_text"`
	Reply        string                 `json:"reply"` // verbatim
	Refuser      smtpcode.Refuser       `json:"refuser"`
	Evidence     []smtpcode.Evidence    `json:"evidence"`
	Patterns     []smtpcode.Pattern     `json:"patterns"` // that it is part of, across tickets
}

// correlateOver is the time over which failures are seen together.
const correlateOver = 24 * time.Hour

// maxCorrelated bounds the failures that one look at them reads, newest first.
const maxCorrelated = 2000

// patterns are what the failures of all tickets since then show together.
func (c conn) patterns(ctx context.Context, since time.Time) ([]smtpcode.Pattern, error) {
	all, err := list(ctx, c, func(r rowScanner, f *smtpcode.Failure) error {
		var text string
		if err := r.Scan(&text); err != nil {
			return err
		}
		return json.Unmarshal([]byte(text), f)
	}, "SELECT failure FROM failures WHERE at >= ? ORDER BY at DESC LIMIT ?", since.Unix(), maxCorrelated)
	if err != nil {
		return nil, err
	}
	return decided(smtpcode.Correlate(slices.Values(all))), nil
}

// decided leaves out what does not say anything yet.
func decided(all []smtpcode.Pattern) []smtpcode.Pattern {
	return slices.DeleteFunc(all, func(p smtpcode.Pattern) bool { return p.Kind == smtpcode.PatternUndecided })
}

func tell(list []explained.Recipient, patterns []smtpcode.Pattern) []told {
	var all []told
	for _, r := range list {
		d := r.Diagnosis
		t := told{
			Recipient: r.FinalRecipient, Condition: d.Condition, Owners: d.Owners, Address: d.Address, Resend: d.Resend,
			Reply: r.Reply.Raw, Refuser: d.Refuser, Evidence: d.Evidence, Patterns: []smtpcode.Pattern{},
		}
		if !strings.EqualFold(r.OriginalRecipient, r.FinalRecipient) {
			t.SentTo = r.OriginalRecipient
		}
		if len(d.Owners) > 0 {
			t.Owner = d.Owners[0]
		}
		for _, p := range patterns {
			if slices.Contains(p.Domains, domainOf(r.FinalRecipient)) {
				t.Patterns = append(t.Patterns, p)
			}
		}
		t.AgentText, t.CustomerText = agentText(&r, t.Patterns), customerText(&r)
		all = append(all, t)
	}
	return all
}

func domainOf(address string) string {
	return strings.ToLower(address[strings.LastIndexByte(address, '@')+1:])
}

// agentText is for whoever works on the ticket: all of it.
func agentText(r *explained.Recipient, patterns []smtpcode.Pattern) string {
	d := &r.Diagnosis
	var b strings.Builder
	fmt.Fprintf(&b, "Not delivered to %s: %s\n", r.FinalRecipient, d.Summary)
	for i, step := range d.Steps {
		label := "Then"
		if i == 0 {
			label = "First"
		}
		fmt.Fprintf(&b, "%s (%s): %s\n", label, step.Party, step.Text)
	}
	if d.Refuser.Host != "" {
		fmt.Fprintf(&b, "Refused by %s: %s\n", d.Refuser.Host, d.Refuser.Why)
	}
	if r.Reply.Raw != "" {
		fmt.Fprintf(&b, "It said: %s\n", r.Reply.Raw)
	}
	for _, c := range d.Caveats {
		fmt.Fprintf(&b, "Careful: %s\n", c.Text)
	}
	for _, p := range patterns {
		fmt.Fprintf(&b, "Not alone: %s\n", p.Summary)
	}
	return b.String()
}

// theirs are the parties on the customer's side, and how he is asked to tell
// them: what he does himself, and what he passes on.
var theirs = []struct {
	party smtpcode.Party
	ask   string
}{
	{smtpcode.Recipient, "What helps on your side: "},
	{smtpcode.GroupOwner, "Please pass on to the owner of the group: "},
	{smtpcode.RecipientAdmin, "Please pass on to whoever runs your mail: "},
	{smtpcode.Filter, "Please pass on to whoever runs your mail filter: "},
}

// customerText is for the person we wrote to, to be told another way: what
// happened, and what to do about it on that side, without our side's worries.
func customerText(r *explained.Recipient) string {
	d := &r.Diagnosis
	text := fmt.Sprintf("Our mail to %s was not delivered.", r.FinalRecipient)
	var asked, steps strings.Builder
	first := false // he, or somebody he can tell, acts first
	for _, t := range theirs {
		steps.Reset()
		for _, step := range d.Steps {
			if step.Party == t.party {
				steps.WriteString(" " + step.Text)
			}
		}
		if steps.Len() > 0 {
			asked.WriteString(" " + t.ask + steps.String()[1:])
		}
		first = first || len(d.Owners) > 0 && d.Owners[0] == t.party
	}
	switch {
	case first && asked.Len() > 0:
		return text + " " + d.Summary + asked.String()
	case d.Address == smtpcode.Suspend || d.Address == smtpcode.Remove:
		return text + " " + d.Summary + " Please tell us whether the address is right, or give us another one."
	}
	return text + " The next step is ours; there is nothing you need to do."
}

// emit puts the event into the outbox, in the transaction of the mail.
func (a *applying) emit(ctx context.Context, e *event) error {
	e.SchemaVersion, e.Key, e.Time = 1, a.m.id+"-"+fmt.Sprint(a.d.Ticket), a.m.at.UTC()
	e.Ticket, e.Kind, e.From, e.Action = a.d.Ticket, a.d.Kind, a.m.from, a.action()
	e.Found, e.Origin = a.d.Found, a.d.Origin.Reason
	if e.Failures == nil {
		e.Failures = []told{}
	}
	if err := a.row(ctx, "SELECT subject, customer FROM tickets WHERE id = ?", a.d.Ticket).Scan(&e.Subject, &e.Customer); err != nil {
		return err
	}
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = a.exec(ctx, `INSERT INTO outbox (idempotency_key, ticket, body, due, attempts, delivered, problem) VALUES (?, ?, ?, 0, 0, 0, '')`, e.Key, e.Ticket, text(string(body)))
	return err
}

// rowScanner is a row of an answer.
type rowScanner interface{ Scan(...any) error }
