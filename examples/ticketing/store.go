package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dmarcreport/history/sqlstore"
	"github.com/mailfault/mailfault/examples/internal/database"
)

// store keeps tickets in SQLite or PostgreSQL.
type store struct {
	conn
	db *sql.DB
}

// querier is what a database and a transaction have in common.
type querier interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

// conn is a database or a transaction, with the dialect's placeholders.
type conn struct {
	querier
	postgres bool
}

// errStore marks that the store could not take something; the mail stays where
// it is.
var errStore = errors.New("the store")

// openStore opens the database of that name and makes its tables where there
// are none.
func openStore(ctx context.Context, name string) (*store, error) {
	db, dialect, err := database.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStore, err)
	}
	s := &store{conn: conn{db, dialect == sqlstore.PostgreSQL}, db: db}
	if err := s.makeTables(ctx); err != nil {
		db.Close()
		if !s.postgres { // an address may hold a password
			err = fmt.Errorf("%s: %w", name, err)
		}
		return nil, err
	}
	return s, nil
}

// rebind writes the placeholders of a query as the dialect has them.
func (c conn) rebind(query string) string {
	if !c.postgres {
		return query
	}
	var b strings.Builder
	for i, part := range strings.Split(query, "?") {
		if i > 0 {
			b.WriteString("$" + strconv.Itoa(i))
		}
		b.WriteString(part)
	}
	return b.String()
}

// exec returns how many rows the statement touched.
func (c conn) exec(ctx context.Context, query string, args ...any) (int64, error) {
	r, err := c.ExecContext(ctx, c.rebind(query), args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (c conn) row(ctx context.Context, query string, args ...any) *sql.Row {
	return c.QueryRowContext(ctx, c.rebind(query), args...)
}

// list returns the rows of a query.
func list[T any](ctx context.Context, c conn, scan func(rowScanner, *T) error, query string, args ...any) ([]T, error) {
	rows, err := c.QueryContext(ctx, c.rebind(query), args...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStore, err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var v T
		if err := scan(rows, &v); err != nil {
			return nil, fmt.Errorf("%w: %w", errStore, err)
		}
		all = append(all, v)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", errStore, err)
	}
	return all, nil
}

// sentMail, party and exists answer the decision's questions.

func (c conn) sentMail(ctx context.Context, id string) (ticket int64, ok bool, err error) {
	err = c.row(ctx, "SELECT ticket FROM sent WHERE message = ?", strings.Trim(id, "<> ")).Scan(&ticket)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return ticket, err == nil, err
}

func (c conn) party(ctx context.Context, ticket int64, address string) (bool, error) {
	var n int
	err := c.row(ctx, "SELECT COUNT(*) FROM parties WHERE ticket = ? AND address = ?", ticket, strings.ToLower(address)).Scan(&n)
	return n > 0, err
}

func (c conn) exists(ctx context.Context, ticket int64) (bool, error) {
	var n int
	err := c.row(ctx, "SELECT COUNT(*) FROM tickets WHERE id = ?", ticket).Scan(&n)
	return n > 0, err
}

// addSent remembers a mail that went out, and who is party to its ticket.
func (c conn) addSent(ctx context.Context, id string, ticket int64, to []string, at time.Time) error {
	if _, err := c.exec(ctx, "INSERT INTO sent (message, ticket, at) VALUES (?, ?, ?) ON CONFLICT (message) DO NOTHING", strings.Trim(id, "<> "), ticket, at.Unix()); err != nil {
		return err
	}
	for _, address := range to {
		if ticket == 0 {
			break
		}
		if err := c.addParty(ctx, ticket, address); err != nil {
			return err
		}
	}
	return nil
}

func (c conn) addParty(ctx context.Context, ticket int64, address string) error {
	if address == "" {
		return nil
	}
	_, err := c.exec(ctx, "INSERT INTO parties (ticket, address) VALUES (?, ?) ON CONFLICT (ticket, address) DO NOTHING", ticket, strings.ToLower(address))
	return err
}

// shown and addShown remember files of a Maildir's cur.

func (c conn) shown(ctx context.Context) (map[string]bool, error) {
	names, err := list(ctx, c, func(r rowScanner, name *string) error { return r.Scan(name) }, "SELECT name FROM shown")
	known := make(map[string]bool, len(names))
	for _, name := range names {
		known[name] = true
	}
	return known, err
}

func (c conn) addShown(ctx context.Context, name string) error {
	if _, err := c.exec(ctx, "INSERT INTO shown (name) VALUES (?) ON CONFLICT (name) DO NOTHING", text(name)); err != nil {
		return fmt.Errorf("%w: %w", errStore, err)
	}
	return nil
}
