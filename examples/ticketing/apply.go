package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/smtpcode"
)

// States of a ticket and of a delivery.
const (
	open      = "open"
	closed    = "closed"
	waiting   = "waiting" // a server still tries
	failed    = "failed"
	delivered = "delivered"
)

// maxRaw bounds what is kept of a mail to show; the mailbox keeps all of it.
const maxRaw = 512 << 10

// outcome is what taking a mail in led to.
type outcome struct {
	Mail   string `json:"mail"`
	Kind   kind   `json:"kind"`
	Ticket int64  `json:"ticket,omitempty"`
	Action string `json:"action"` // opened, updated, reopened, noted, shown, set-aside, duplicate
	Why    string `json:"why"`
	About  string `json:"about,omitempty"` // what a report says, of its first recipient
}

// setAside reports whether a person should look at the mail: it goes to the
// folder for the unknown.
func (o outcome) setAside() bool { return o.Action == "set-aside" }

// desk takes mail in.
type desk struct {
	*store
	rules
	Resolver dnscheck.Resolver // nil: DNS is not asked
	now      func() time.Time
}

// take decides about a mail and does what follows, in one transaction, one mail
// after the other: what it decides rests on what the store holds. The same mail
// again changes nothing.
func (k *desk) take(ctx context.Context, data []byte) (o outcome, err error) {
	m := read(data, k.now())
	r := k.rules
	if r.LookupTXT != nil && m.isReport() {
		// DNS is asked before the store is locked for others; what is wrong shows
		// again below.
		r.LookupTXT = remembered(r.LookupTXT)
		r.decide(ctx, k.conn, m)
	}
	err = k.update(ctx, func(t conn) error {
		if err := t.alone(ctx, lockDesk); err != nil {
			return err
		}
		a := &applying{conn: t, m: m}
		o, err = a.run(ctx, &r)
		return err
	})
	o.About = m.about()
	return o, err
}

// applying is one mail being taken in.
type applying struct {
	conn
	m *mail
	d decision

	reopened, opened bool
}

func (a *applying) run(ctx context.Context, r *rules) (outcome, error) {
	o := outcome{Mail: a.m.id}
	n, err := a.exec(ctx, `INSERT INTO mails (id, kind, why, origin, ticket, sender, subject, at, copies, raw)
		VALUES (?, '', '', '', 0, ?, ?, ?, 1, ?) ON CONFLICT (id) DO NOTHING`,
		a.m.id, text(a.m.from), text(a.m.subject), a.m.at.Unix(), a.m.data[:min(len(a.m.data), maxRaw)])
	if err != nil {
		return o, err
	}
	if n == 0 {
		if _, err := a.exec(ctx, "UPDATE mails SET copies = copies + 1 WHERE id = ?", a.m.id); err != nil {
			return o, err
		}
		var action string
		err := a.row(ctx, "SELECT kind, ticket, why FROM mails WHERE id = ?", a.m.id).Scan(&o.Kind, &o.Ticket, &action)
		o.Action, o.Why = "duplicate", action
		if aside(o.Kind, o.Ticket) {
			o.Action = "set-aside" // the copy too
		}
		return o, err
	}
	if a.d, err = r.decide(ctx, a.conn, a.m); err != nil {
		return o, err
	}
	if err := a.act(ctx); err != nil {
		return o, err
	}
	origin, err := json.Marshal(a.d.Origin)
	if err != nil {
		return o, err
	}
	o.Kind, o.Ticket, o.Why, o.Action = a.d.Kind, a.d.Ticket, a.d.Why, a.action()
	_, err = a.exec(ctx, "UPDATE mails SET kind = ?, why = ?, origin = ?, ticket = ? WHERE id = ?", string(o.Kind), text(o.Why), text(string(origin)), o.Ticket, a.m.id)
	return o, err
}

// aside reports whether nobody can say where a mail belongs.
func aside(k kind, ticket int64) bool {
	return k == unknown || ticket == 0 && (k == unproven || k == automatic)
}

func (a *applying) action() string {
	switch {
	case aside(a.d.Kind, a.d.Ticket):
		return "set-aside"
	case a.opened:
		return "opened"
	case a.reopened:
		return "reopened"
	case a.d.Ticket == 0:
		return "shown"
	case a.d.Kind == person || a.d.Kind == report:
		return "updated"
	}
	return "noted"
}

func (a *applying) act(ctx context.Context) error {
	switch a.d.Kind {
	case person:
		if err := a.need(ctx, a.m.subject, a.m.from); err != nil {
			return err
		}
		if err := a.addParty(ctx, a.d.Ticket, a.m.from); err != nil {
			return err
		}
		if err := a.note(ctx, person, a.m.from+" wrote"); err != nil {
			return err
		}
		return a.emit(ctx, &event{Answer: a.m.class.Answer})
	case report:
		return a.report(ctx)
	case unproven:
		return a.note(ctx, unproven, "A report that cannot be shown to be about our mail; nothing was done about it: "+a.d.Origin.Reason)
	case backscatter:
		return a.note(ctx, backscatter, "A report about mail that is not ours; nothing was done about it: "+a.d.Origin.Reason)
	case autoReply:
		return a.note(ctx, autoReply, describeReply(a.m))
	}
	return a.note(ctx, a.d.Kind, a.d.Why)
}

func describeReply(m *mail) string {
	words := "An automatic answer"
	if m.doc.Report != nil {
		switch m.doc.Report.Kind {
		case dsn.DispositionNotification:
			words = "A notice of what became of the mail in the mailbox"
		case dsn.Challenge:
			words = "A filter wants the sender to prove himself"
		}
	}
	return words + " from " + m.from + ": " + m.subject
}

// report does what a report about our mail asks for.
func (a *applying) report(ctx context.Context) error {
	if a.m.doc.Report.Kind == dsn.FeedbackReport {
		if err := a.need(ctx, "Complaint: "+a.m.returnedField("Subject"), ""); err != nil {
			return err
		}
		if err := a.note(ctx, "complaint", "The recipient complained about our mail: send no more before that is settled"); err != nil {
			return err
		}
		return a.emit(ctx, &event{})
	}
	message := a.message()
	var failures []explained.Recipient
	for _, r := range a.m.doc.Recipients {
		if stateOf(&r) == failed {
			failures = append(failures, r)
		}
	}
	if len(failures) > 0 {
		if err := a.need(ctx, "Not delivered: "+a.m.returnedField("Subject"), failures[0].FinalRecipient); err != nil {
			return err
		}
	}
	for i := range a.m.doc.Recipients {
		r := &a.m.doc.Recipients[i]
		state := stateOf(r)
		switch state {
		case failed:
		case waiting:
			fresh, err := a.wait(ctx, message, r)
			if err != nil {
				return err
			}
			words := "Still being tried"
			if !fresh {
				words = "A late notice of a delay that is over"
			}
			if err := a.note(ctx, "delayed", fmt.Sprintf("%s: %s. %s", words, r.FinalRecipient, r.Diagnosis.Summary)); err != nil {
				return err
			}
			continue
		case delivered:
			if err := a.note(ctx, "delivered", fmt.Sprintf("Delivered: %s (%s)", r.FinalRecipient, r.Action)); err != nil {
				return err
			}
		default:
			if err := a.note(ctx, "noted", fmt.Sprintf("%s: the report does not say what became of the mail. %s", r.FinalRecipient, r.Diagnosis.Summary)); err != nil {
				return err
			}
			continue
		}
		if err := a.settle(ctx, message, r, state); err != nil {
			return err
		}
	}
	if len(failures) == 0 {
		return nil
	}
	return a.failures(ctx, failures)
}

// stateOf says what became of the mail for one recipient, "" where the report
// does not say.
func stateOf(r *explained.Recipient) string {
	switch r.Action {
	case smtpcode.Failed:
		return failed
	case smtpcode.Delayed:
		return waiting
	case smtpcode.Delivered, smtpcode.Relayed, smtpcode.Expanded:
		return delivered
	}
	if r.Status[0] == 5 || r.Reply.Code/100 == 5 {
		return failed
	}
	return ""
}

// failures notes each refusal, keeps it for Correlate and tells the webhook.
func (a *applying) failures(ctx context.Context, list []explained.Recipient) error {
	for i := range list {
		r := &list[i]
		words := r.FinalRecipient + ": " + r.Diagnosis.Summary
		if len(r.Diagnosis.Steps) > 0 {
			words += " First: " + r.Diagnosis.Steps[0].Text
		}
		if err := a.note(ctx, report, words); err != nil {
			return err
		}
		failure, err := json.Marshal(r.Failure)
		if err != nil {
			return err
		}
		if _, err := a.exec(ctx, "INSERT INTO failures (mail, n, ticket, at, failure) VALUES (?, ?, ?, ?, ?)", a.m.id, i, a.d.Ticket, a.m.at.Unix(), text(string(failure))); err != nil {
			return err
		}
	}
	patterns, err := a.patterns(ctx, a.m.at.Add(-correlateOver))
	if err != nil {
		return err
	}
	return a.emit(ctx, &event{Failures: tell(list, patterns)})
}

// message names what a report is about, "" where it does not say.
func (a *applying) message() string {
	t := a.m.thread()
	if t.MessageID != "" {
		return t.MessageID
	}
	return t.EnvelopeID
}

// wait remembers that a delivery is still being tried, and reports whether it
// is: a final report may have come first.
func (a *applying) wait(ctx context.Context, message string, r *explained.Recipient) (bool, error) {
	if message == "" {
		return true, nil
	}
	n, err := a.exec(ctx, `INSERT INTO deliveries (message, recipient, state, ticket, at, until) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (message, recipient) DO UPDATE SET until = excluded.until WHERE deliveries.state = 'waiting'`,
		text(message), text(strings.ToLower(r.FinalRecipient)), waiting, a.d.Ticket, a.m.at.Unix(), a.until(r))
	return n > 0, err
}

// until is when the server gives up, where the report says so.
func (a *applying) until(r *explained.Recipient) int64 {
	for _, declared := range a.m.doc.Report.Recipients {
		if strings.EqualFold(declared.FinalRecipient.Address, r.FinalRecipient) && !declared.WillRetryUntil.Time.IsZero() {
			return declared.WillRetryUntil.Time.Unix()
		}
	}
	return 0
}

// settle closes what waited, and says so on its ticket.
func (a *applying) settle(ctx context.Context, message string, r *explained.Recipient, state string) error {
	if message == "" {
		return nil
	}
	var was string
	if err := a.row(ctx, "SELECT COALESCE(MAX(state), '') FROM deliveries WHERE message = ? AND recipient = ?", text(message), text(strings.ToLower(r.FinalRecipient))).Scan(&was); err != nil {
		return err
	}
	if _, err := a.exec(ctx, `INSERT INTO deliveries (message, recipient, state, ticket, at, until) VALUES (?, ?, ?, ?, ?, 0)
		ON CONFLICT (message, recipient) DO UPDATE SET state = excluded.state, at = excluded.at`,
		text(message), text(strings.ToLower(r.FinalRecipient)), state, a.d.Ticket, a.m.at.Unix()); err != nil {
		return err
	}
	if was == waiting {
		return a.note(ctx, "settled", fmt.Sprintf("The wait for %s is over: %s", r.FinalRecipient, state))
	}
	return nil
}

// need opens the ticket where there is none and reopens a closed one.
func (a *applying) need(ctx context.Context, subject, customer string) error {
	at := a.m.at.Unix()
	if a.d.Ticket == 0 {
		a.opened = true
		if err := a.row(ctx, "UPDATE numbers SET last = last + 1 WHERE name = 'ticket' RETURNING last").Scan(&a.d.Ticket); err != nil {
			return err
		}
		if _, err := a.exec(ctx, "INSERT INTO tickets (id, subject, customer, state, opened, updated) VALUES (?, ?, ?, ?, ?, ?)",
			a.d.Ticket, text(subject), text(customer), open, at, at); err != nil {
			return err
		}
		return a.addParty(ctx, a.d.Ticket, customer)
	}
	n, err := a.exec(ctx, "UPDATE tickets SET state = ?, updated = ? WHERE id = ? AND state = ?", open, at, a.d.Ticket, closed)
	if a.reopened = n > 0; err != nil || a.reopened {
		return err
	}
	_, err = a.exec(ctx, "UPDATE tickets SET updated = ? WHERE id = ?", at, a.d.Ticket)
	return err
}

// note writes a line into the ticket's timeline, or the desk's own, ticket 0.
func (a *applying) note(ctx context.Context, k kind, words string) error {
	_, err := a.exec(ctx, "INSERT INTO entries (ticket, mail, at, kind, text) VALUES (?, ?, ?, ?, ?)", a.d.Ticket, a.m.id, a.m.at.Unix(), string(k), text(words))
	return err
}

// text is what PostgreSQL takes for text.
func text(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}
