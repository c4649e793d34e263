package main

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/dsn"
)

// States of a ticket.
const (
	open   = "open"
	closed = "closed"
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
