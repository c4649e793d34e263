// Package sqlstore keeps a history in SQLite or PostgreSQL, over database/sql.
// It imports no driver: the caller opens the database with one of its choice,
// and Open makes the tables.
//
// A report is stored in one transaction or not at all, so a process that is
// killed loses nothing but the report at hand, which it will be given again.
// Several processes can add to one database at once: the row of a domain is
// locked while one of its reports is added.
package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"

	"github.com/mailfault/mailfault/dmarcreport/history"
)

// Store is a history.Store over a database.
type Store struct {
	db      *sql.DB
	dialect Dialect
}

var _ history.Store = (*Store)(nil)

// Open brings the tables of db, whose names start with "dmarc_", to the
// version that this package needs, and returns a store over them. The caller
// closes db. With several goroutines at work, db should keep as many idle
// connections as there are (SetMaxIdleConns).
func Open(ctx context.Context, db *sql.DB, dialect Dialect) (*Store, error) {
	s := &Store{db, dialect}
	if err := s.migrate(ctx); err != nil {
		return nil, fmt.Errorf("sqlstore: tables: %w", err)
	}
	return s, nil
}

// SQLiteDSN returns a data source name for the file at path that suits this
// package, in the form that the driver modernc.org/sqlite reads: a write-ahead
// log, so that readers do not wait, and 30 seconds of patience with other
// writers.
func SQLiteDSN(path string) string {
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}
	u.RawQuery = "_pragma=busy_timeout(30000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=temp_store(MEMORY)&_txlock=deferred"
	return u.String()
}

// Update implements history.Store.
func (s *Store) Update(ctx context.Context, domain string, read func(history.Reader) (*history.Delta, error)) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	defer tx.Rollback()
	// The first statement writes. It takes the domain's row in PostgreSQL and
	// the database in SQLite, before anything is read.
	v := &view{conn: conn{tx, s.dialect}}
	err = v.row(ctx, `INSERT INTO dmarc_domains (domain) VALUES (?)
		ON CONFLICT (domain) DO UPDATE SET domain = excluded.domain RETURNING id, record`, domain).Scan(&v.domain, &v.record)
	if err != nil {
		return fmt.Errorf("sqlstore: lock %s: %w", domain, err)
	}
	delta, err := read(v)
	if err != nil || delta == nil {
		return err
	}
	if err := v.write(ctx, delta); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("sqlstore: commit: %w", err)
	}
	return nil
}

// View implements history.Store.
func (s *Store) View(ctx context.Context, domain string, read func(history.Reader) error) error {
	tx, err := s.db.BeginTx(ctx, s.dialect.snapshot())
	if err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	defer tx.Rollback()
	v := &view{conn: conn{tx, s.dialect}}
	err = v.row(ctx, `SELECT id, record FROM dmarc_domains WHERE domain = ?`, domain).Scan(&v.domain, &v.record)
	if err != nil && err != sql.ErrNoRows {
		return fmt.Errorf("sqlstore: %w", err)
	}
	return read(v)
}

// Domains implements history.Store.
func (s *Store) Domains(ctx context.Context) ([]string, error) {
	// The order is that of bytes, whatever the database's collation.
	return list(ctx, conn{s.db, s.dialect}, scanOne[string],
		`SELECT domain FROM dmarc_domains WHERE record IS NOT NULL ORDER BY `+s.dialect.bytewise("domain"))
}
