package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// querier is what *sql.DB and *sql.Tx have in common.
type querier interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

// conn speaks a dialect to a database or a transaction.
type conn struct {
	querier
	dialect Dialect
}

func (c conn) exec(ctx context.Context, query string, args ...any) error {
	if _, err := c.ExecContext(ctx, c.dialect.rebind(query), args...); err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	return nil
}

// affected is exec, and returns how many rows it touched.
func (c conn) affected(ctx context.Context, query string, args ...any) (int64, error) {
	r, err := c.ExecContext(ctx, c.dialect.rebind(query), args...)
	if err != nil {
		return 0, fmt.Errorf("sqlstore: %w", err)
	}
	return r.RowsAffected()
}

func (c conn) row(ctx context.Context, query string, args ...any) *sql.Row {
	return c.QueryRowContext(ctx, c.dialect.rebind(query), args...)
}

// each calls scan for each row of the answer.
func (c conn) each(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := c.QueryContext(ctx, c.dialect.rebind(query), args...)
	if err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	return nil
}

// list returns all rows of the answer.
func list[T any](ctx context.Context, c conn, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	var all []T
	err := c.each(ctx, func(r *sql.Rows) error {
		v, err := scan(r)
		if err != nil {
			return fmt.Errorf("sqlstore: %w", err)
		}
		all = append(all, v)
		return nil
	}, query, args...)
	return all, err
}

func scanOne[T any](r *sql.Rows) (v T, err error) { return v, r.Scan(&v) }

// tuples returns "(?, ?), (?, ?)" for rows of so many columns.
func tuples(rows, columns int) string {
	tuple := "(" + strings.Repeat("?, ", columns-1) + "?)"
	return strings.Repeat(tuple+", ", rows-1) + tuple
}
