package storecheck

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/sqlstore"
	"github.com/mailfault/mailfault/internal/dmarcyear"
)

// childVariable makes this test's program add the year to a database and
// nothing else: "sqlite DSN" or "pgx DSN".
const childVariable = "STORECHECK_CHILD"

func TestMain(m *testing.M) {
	if task := os.Getenv(childVariable); task != "" {
		os.Exit(child(task))
	}
	os.Exit(m.Run())
}

// yearPart is as much of the year as these tests need: the old server goes
// quiet in it, the newsletter jumps, the ESP breaks and is mended.
func yearPart() []history.Submission { return dmarcyear.Submissions()[:1150] }

func child(task string) int {
	driver, dsn, _ := strings.Cut(task, " ")
	dialect := sqlstore.SQLite
	if driver == "pgx" {
		dialect = sqlstore.PostgreSQL
	}
	db, err := sql.Open(driver, dsn)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	ctx := context.Background()
	store, err := sqlstore.Open(ctx, db, dialect)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	h := &history.History{Store: store}
	for batch := range slices.Chunk(yearPart(), 10) {
		if _, err := h.Add(ctx, batch...); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println("batch")
	}
	return 0
}

func startChild(t *testing.T, task string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+task)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// killed runs children and kills each after some batches, then lets one finish.
func killed(t *testing.T, task string) {
	for _, batches := range []int{1, 7, 20, 45} {
		cmd, lines := startChild(t, task)
		for range batches {
			lines.Scan()
		}
		cmd.Process.Kill()
		cmd.Wait()
	}
	finish(t, task)
}

func finish(t *testing.T, task string) {
	cmd, lines := startChild(t, task)
	for lines.Scan() {
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("a run that nobody disturbed: %v", err)
	}
}

// asAlone checks that a store holds what an undisturbed run leaves.
func asAlone(t *testing.T, s history.Store) {
	t.Helper()
	alone := &history.History{Store: new(history.Memory)}
	if _, err := alone.Add(t.Context(), yearPart()...); err != nil {
		t.Fatal(err)
	}
	got, want := everything(t, &history.History{Store: s}), everything(t, alone)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("not as an undisturbed run leaves it (-alone +got):\n%s", diff)
	}
	log, err := s.Log(t.Context(), 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	told := make(map[string]bool)
	for _, e := range log {
		if id := e.Event.ID(); e.Change == history.Told && e.Event.Kind.Onset() {
			if told[id] {
				t.Errorf("told twice: %s", e.Event)
			}
			told[id] = true
		}
	}
	if len(told) == 0 {
		t.Error("nothing was told")
	}
}

type state struct {
	Events  []history.Event
	Sources []history.Source
	Rows    []history.Row
	Days    []history.DayTotals
}

func everything(t *testing.T, h *history.History) map[string]state {
	t.Helper()
	domains, err := h.Store.Domains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]state)
	for _, d := range domains {
		var s state
		var errs [4]error
		s.Events, errs[0] = h.Events(t.Context(), d)
		s.Sources, errs[1] = h.Sources(t.Context(), d, history.Period{})
		s.Rows, errs[2] = h.Rows(t.Context(), d, "", history.Period{})
		s.Days, errs[3] = h.Days(t.Context(), d, history.Period{})
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
		all[d] = s
	}
	return all
}

func TestKilledWhileAdding(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) {
		dsn := sqlstore.SQLiteDSN(filepath.Join(t.TempDir(), "h.db"))
		killed(t, "sqlite "+dsn)
		s, _ := openSQL(t, "sqlite", dsn, sqlstore.SQLite)
		asAlone(t, s)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		dsn := StartPostgres(t).DSN(t)
		killed(t, "pgx "+dsn)
		s, _ := openSQL(t, "pgx", dsn, sqlstore.PostgreSQL)
		asAlone(t, s)
	})
}

func TestTwoProcessesAtOnce(t *testing.T) {
	both := func(t *testing.T, task string) {
		one, first := startChild(t, task)
		two, second := startChild(t, task)
		for first.Scan() {
		}
		for second.Scan() {
		}
		for _, cmd := range []*exec.Cmd{one, two} {
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		}
	}
	t.Run("SQLite", func(t *testing.T) {
		dsn := sqlstore.SQLiteDSN(filepath.Join(t.TempDir(), "h.db"))
		both(t, "sqlite "+dsn)
		s, _ := openSQL(t, "sqlite", dsn, sqlstore.SQLite)
		asAlone(t, s)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		dsn := StartPostgres(t).DSN(t)
		both(t, "pgx "+dsn)
		s, _ := openSQL(t, "pgx", dsn, sqlstore.PostgreSQL)
		asAlone(t, s)
	})
}

func TestDatabaseGoneMidway(t *testing.T) {
	p := StartPostgres(t)
	s, _ := openSQL(t, "pgx", p.DSN(t), sqlstore.PostgreSQL)
	h := &history.History{Store: s}
	subs := yearPart()
	if _, err := h.Add(t.Context(), subs[:500]...); err != nil {
		t.Fatal(err)
	}
	p.Stop()
	if _, err := h.Add(t.Context(), subs[500:]...); err == nil {
		t.Fatal("adding to a database that is gone is no error")
	} else {
		t.Logf("the error says: %v", err)
	}
	p.Start(t)
	if _, err := h.Add(t.Context(), subs...); err != nil {
		t.Fatal(err)
	}
	asAlone(t, s)
}

func TestDatabaseLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	s, db := openSQL(t, "sqlite", strings.Replace(sqlstore.SQLiteDSN(path), "busy_timeout(30000)", "busy_timeout(50)", 1), sqlstore.SQLite)
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	h := &history.History{Store: s}
	if _, err := h.Add(t.Context(), yearPart()...); err == nil || !strings.Contains(err.Error(), "locked") {
		t.Errorf("adding to a locked database: %v", err)
	}
	if _, err := conn.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if _, err := h.Add(t.Context(), yearPart()...); err != nil {
		t.Fatal(err)
	}
	asAlone(t, s)
}
