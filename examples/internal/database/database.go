// Package database opens the databases that the programs keep things in: an
// SQLite file, or a PostgreSQL server, told apart by their names.
package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/sqlstore"
)

// DialectOf says which database a name is of: postgres://..., postgresql://...
// and host=... are PostgreSQL's, all else is a file of SQLite's.
func DialectOf(name string) sqlstore.Dialect {
	for _, prefix := range [...]string{"postgres://", "postgresql://", "host="} {
		if strings.HasPrefix(name, prefix) {
			return sqlstore.PostgreSQL
		}
	}
	return sqlstore.SQLite
}

// Open opens the database of that name. As with sql.Open, nothing is asked of
// it yet.
func Open(name string) (*sql.DB, sqlstore.Dialect, error) {
	dialect := DialectOf(name)
	driver, source := "sqlite", sqlstore.SQLiteDSN(name)
	if dialect == sqlstore.PostgreSQL {
		driver, source = "pgx", name
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		return nil, dialect, fmt.Errorf("%s: %w", dialect, err)
	}
	return db, dialect, nil
}

// OpenOldHistory is OpenHistory for a program that only reads: of a file that
// is not there, mistyped mostly, it makes none. That error is fs.ErrNotExist.
func OpenOldHistory(ctx context.Context, name string) (*history.History, func(), error) {
	if DialectOf(name) == sqlstore.SQLite {
		info, err := os.Stat(name)
		if err == nil && info.Size() == 0 {
			err = fs.ErrNotExist
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("no history in %s: dmarcwatch ingest makes one (%w)", name, fs.ErrNotExist)
		}
	}
	return OpenHistory(ctx, name)
}

// OpenHistory opens the history of DMARC reports of that name, which is made
// where there is none.
func OpenHistory(ctx context.Context, name string) (*history.History, func(), error) {
	db, dialect, err := Open(name)
	if err != nil {
		return nil, nil, err
	}
	store, err := sqlstore.Open(ctx, db, dialect)
	if err != nil {
		db.Close()
		return nil, nil, fmt.Errorf("open %s: %w", dialect, err)
	}
	return &history.History{Store: store}, func() { db.Close() }, nil
}
