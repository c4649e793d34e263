package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mailfault/mailfault/dsn"
)

// ticketRow is a ticket in the list.
type ticketRow struct {
	ID                       int64
	Subject, Customer, State string
	Opened, Updated          time.Time
	Waiting                  int // deliveries still being tried
	Failed                   int
}

// maxRows bounds the lists of the page.
const maxRows = 500

const ticketQuery = `SELECT id, subject, customer, state, opened, updated,
	(SELECT COUNT(*) FROM deliveries d WHERE d.ticket = t.id AND d.state = 'waiting'),
	(SELECT COUNT(*) FROM failures f WHERE f.ticket = t.id) FROM tickets t `

func scanTicket(r rowScanner, t *ticketRow) error {
	var opened, updated int64
	err := r.Scan(&t.ID, &t.Subject, &t.Customer, &t.State, &opened, &updated, &t.Waiting, &t.Failed)
	t.Opened, t.Updated = time.Unix(opened, 0).UTC(), time.Unix(updated, 0).UTC()
	return err
}

func (c conn) tickets(ctx context.Context) ([]ticketRow, error) {
	return list(ctx, c, scanTicket, ticketQuery+"ORDER BY updated DESC, id DESC LIMIT ?", maxRows)
}

// ticket returns one ticket; ok is false where there is none.
func (c conn) ticket(ctx context.Context, id int64) (t ticketRow, ok bool, err error) {
	err = scanTicket(c.row(ctx, ticketQuery+"WHERE id = ?", id), &t)
	if errors.Is(err, sql.ErrNoRows) {
		return t, false, nil
	}
	return t, err == nil, err
}

// entry is a line of a timeline.
type entry struct {
	Mail, Kind, Text string
	At               time.Time
}

func (c conn) entries(ctx context.Context, ticket int64) ([]entry, error) {
	return list(ctx, c, func(r rowScanner, e *entry) error {
		var at int64
		err := r.Scan(&e.Mail, &at, &e.Kind, &e.Text)
		e.At = time.Unix(at, 0).UTC()
		return err
	}, "SELECT mail, at, kind, text FROM entries WHERE ticket = ? ORDER BY id LIMIT ?", ticket, maxRows)
}

// mailRow is a mail that was taken in.
type mailRow struct {
	ID, Kind, Why, Sender, Subject string
	Ticket, Copies                 int64
	At                             time.Time
	Origin                         dsn.Origin
	Raw                            []byte
}

func scanMail(r rowScanner, m *mailRow) error {
	var at int64
	var origin string
	if err := r.Scan(&m.ID, &m.Kind, &m.Why, &origin, &m.Ticket, &m.Sender, &m.Subject, &at, &m.Copies, &m.Raw); err != nil {
		return err
	}
	m.At = time.Unix(at, 0).UTC()
	return json.Unmarshal([]byte(origin), &m.Origin)
}

// elsewhere are the mails that belong to no ticket, newest first.
func (c conn) elsewhere(ctx context.Context) ([]mailRow, error) {
	return list(ctx, c, scanMail, `SELECT id, kind, why, origin, ticket, sender, subject, at, copies, NULL FROM mails
		WHERE ticket = 0 ORDER BY at DESC, id LIMIT ?`, maxRows)
}

func (c conn) mail(ctx context.Context, id string) (m mailRow, ok bool, err error) {
	err = scanMail(c.row(ctx, "SELECT id, kind, why, origin, ticket, sender, subject, at, copies, raw FROM mails WHERE id = ?", id), &m)
	if errors.Is(err, sql.ErrNoRows) {
		return m, false, nil
	}
	return m, err == nil, err
}

// outboxState is how many events wait for the webhook, and the last problem.
func (c conn) outboxState(ctx context.Context) (waits int, problem string, err error) {
	err = c.row(ctx, "SELECT COUNT(*), COALESCE(MAX(problem), '') FROM outbox WHERE delivered = 0").Scan(&waits, &problem)
	return waits, problem, err
}

// setState closes or opens a ticket by hand.
func (s *store) setState(ctx context.Context, ticket int64, state string, at time.Time) error {
	return s.update(ctx, func(t conn) error {
		n, err := t.exec(ctx, "UPDATE tickets SET state = ?, updated = ? WHERE id = ? AND state <> ?", state, at.Unix(), ticket, state)
		if err != nil || n == 0 {
			return err
		}
		_, err = t.exec(ctx, "INSERT INTO entries (ticket, mail, at, kind, text) VALUES (?, '', ?, ?, ?)", ticket, at.Unix(), state, "An agent set the ticket to "+state)
		return err
	})
}

// printable shows what would drive a terminal, or turn text round, as a mark.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
			return utf8.RuneError
		}
		return r
	}, s)
}
