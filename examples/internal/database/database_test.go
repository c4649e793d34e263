package database

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport/history/sqlstore"
)

func TestNameSaysWhichDatabase(t *testing.T) {
	for name, want := range map[string]sqlstore.Dialect{
		"desk.db": sqlstore.SQLite, "/var/lib/host=1.db": sqlstore.SQLite, "postgres.db": sqlstore.SQLite,
		"postgres://desk@localhost/desk": sqlstore.PostgreSQL, "postgresql:///desk": sqlstore.PostgreSQL, "host=/run/postgresql dbname=desk": sqlstore.PostgreSQL,
	} {
		if got := DialectOf(name); got != want {
			t.Errorf("%q is %v's, want %v's", name, got, want)
		}
	}
}

func TestHistoryIsKept(t *testing.T) {
	// A name with what is special in an address.
	name := filepath.Join(t.TempDir(), "a ?#%.db")
	for range 2 {
		h, end, err := OpenHistory(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Store.Domains(t.Context()); err != nil {
			t.Error(err)
		}
		end()
	}
	if found, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "a *.db")); len(found) != 1 {
		t.Errorf("files: %q", found)
	}
	if _, _, err := OpenHistory(t.Context(), filepath.Join(t.TempDir(), "no", "folder.db")); err == nil {
		t.Error("a file in no folder was opened")
	}
}

// A mistyped name is an error, and leaves no file behind; so is a file that
// somebody who mistyped it before has left, empty.
func TestLookingAtNoHistoryMakesNone(t *testing.T) {
	name := filepath.Join(t.TempDir(), "mistyped.db")
	for range 2 {
		if _, _, err := OpenOldHistory(t.Context(), name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v, want that it does not exist", err)
		}
		if info, err := os.Stat(name); err == nil && info.Size() > 0 {
			t.Error("a history was made")
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, end, err := OpenHistory(t.Context(), name); err == nil {
		end()
	}
	_, end, err := OpenOldHistory(t.Context(), name)
	if err != nil {
		t.Fatalf("a history that is there: %v", err)
	}
	end()
}
