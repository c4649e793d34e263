package storecheck

import (
	"database/sql"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/sqlstore"
	"github.com/mailfault/mailfault/dmarcreport/history/storetest"
)

func openSQL(t testing.TB, driver, dsn string, dialect sqlstore.Dialect) (*sqlstore.Store, *sql.DB) {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxIdleConns(8) // a connection that is opened anew prepares all statements anew
	t.Cleanup(func() { db.Close() })
	s, err := sqlstore.Open(t.Context(), db, dialect)
	if err != nil {
		t.Fatal(err)
	}
	return s, db
}

func TestSQLite(t *testing.T) {
	storetest.Run(t, func(t *testing.T) history.Store {
		s, _ := openSQL(t, "sqlite", sqlstore.SQLiteDSN(filepath.Join(t.TempDir(), "a history?#%.db")), sqlstore.SQLite)
		return s
	})
}

func TestPostgreSQL(t *testing.T) {
	p := StartPostgres(t)
	storetest.Run(t, func(t *testing.T) history.Store {
		s, _ := openSQL(t, "pgx", p.DSN(t), sqlstore.PostgreSQL)
		return s
	})
}
