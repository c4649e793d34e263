package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// passing are PostgreSQL's errors that the same transaction does not meet
// again: it lost against another one, or its server was stopped or is starting.
var passing = []string{
	"40001", // serialization_failure
	"40P01", // deadlock_detected
	"57P01", // admin_shutdown
	"57P02", // crash_shutdown
	"57P03", // cannot_connect_now
}

// pauses are before the second and the third attempt.
var pauses = []time.Duration{100 * time.Millisecond, 500 * time.Millisecond}

// update does all of do, or nothing of it. What a moment later would have gone
// well, as after a server's restart, is tried again: do is called again then,
// and it has to bear that it was done already, for a server that goes away while
// it commits does not say whether it did.
func (s *store) update(ctx context.Context, do func(conn) error) error {
	err := s.once(ctx, do)
	for _, pause := range pauses {
		if err == nil || !s.postgres || !passes(err) {
			break
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
		err = s.once(ctx, do)
	}
	return err
}

func (s *store) once(ctx context.Context, do func(conn) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%w: %w", errStore, err)
	}
	defer tx.Rollback()
	if err := do(conn{tx, s.postgres}); err != nil {
		return fmt.Errorf("%w: %w", errStore, err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("%w: %w", errStore, err)
	}
	return nil
}

// passes reports whether an error of PostgreSQL is one that passes.
func passes(err error) bool {
	if said, ok := errors.AsType[*pgconn.PgError](err); ok {
		return slices.Contains(passing, said.Code)
	}
	return pgconn.SafeToRetry(err) || errors.Is(err, io.ErrUnexpectedEOF) // the connection is gone
}

// Locks of PostgreSQL's. In SQLite the first statement that writes has the whole
// database until the transaction ends.
const (
	lockTables = 8117
	lockDesk   = 8118
)

// alone waits until no other transaction has the lock, and keeps it until this
// one ends.
func (c conn) alone(ctx context.Context, lock int) error {
	if !c.postgres {
		return nil
	}
	_, err := c.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", lock)
	return err
}
