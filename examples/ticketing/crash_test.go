package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mailfault/mailfault/examples/internal/storecheck"
)

// childVariable makes this test's program take a Maildir in and nothing else:
// "STORE\nMAILDIR".
const childVariable = "TICKETING_CHILD"

// argumentsVariable makes this test's program the program itself, with these
// arguments, one a line.
const argumentsVariable = "TICKETING_ARGUMENTS"

func TestMain(m *testing.M) {
	if arguments := os.Getenv(argumentsVariable); arguments != "" {
		os.Args = append(os.Args[:1], strings.Split(arguments, "\n")...)
		main()
		os.Exit(0)
	}
	if task := os.Getenv(childVariable); task != "" {
		os.Exit(child(task))
	}
	os.Exit(m.Run())
}

func child(task string) int {
	db, dir, _ := strings.Cut(task, "\n")
	s, err := openStore(context.Background(), db)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	k := &desk{store: s, now: func() time.Time { return time.Unix(1_800_000_000, 0) }}
	k.Marks = marks{Domain: demoDomain, Key: []byte(demoKey)}
	_, err = (maildir{Dir: dir}).scan(context.Background(), func(ctx context.Context, data []byte) (outcome, error) {
		o, err := k.take(ctx, data)
		fmt.Println(o.Action) // stored, and not yet moved
		return o, err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func demoMaildir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := errors.Join(os.CopyFS(dir, os.DirFS("testdata/demo")), os.MkdirAll(filepath.Join(dir, "cur"), 0o700)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// tables is all that a store holds, without the counts of copies.
func tables(t *testing.T, db string) map[string][]string {
	t.Helper()
	k := openDesk(t, db)
	all := make(map[string][]string)
	for name, query := range map[string]string{
		"tickets":    "SELECT CAST(id AS TEXT) || ' ' || subject || ' ' || customer || ' ' || state FROM tickets ORDER BY id",
		"mails":      "SELECT id || ' ' || kind || ' ' || CAST(ticket AS TEXT) FROM mails ORDER BY id",
		"entries":    "SELECT CAST(ticket AS TEXT) || ' ' || kind || ' ' || text FROM entries ORDER BY id",
		"deliveries": "SELECT message || ' ' || recipient || ' ' || state FROM deliveries ORDER BY message, recipient",
		"failures":   "SELECT mail || ' ' || CAST(n AS TEXT) FROM failures ORDER BY mail, n",
		"outbox":     "SELECT body FROM outbox ORDER BY id",
	} {
		rows, err := list(t.Context(), k.conn, func(r rowScanner, s *string) error { return r.Scan(s) }, query)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = rows
	}
	return all
}

// killed runs children and kills each after some mails, then lets one finish.
func killed(t *testing.T, db, dir string) {
	t.Helper()
	for _, mails := range []int{1, 2, 3, 5, 0} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVariable+"="+db+"\n"+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range mails {
			lines.Scan()
		}
		if mails > 0 {
			cmd.Process.Kill()
			cmd.Wait()
			continue
		}
		for lines.Scan() {
		}
		if err := cmd.Wait(); err != nil {
			t.Fatalf("a run that nobody disturbed: %v", err)
		}
	}
}

func checkKilled(t *testing.T, alone, db string) {
	undisturbed := demoMaildir(t)
	if code := child(alone + "\n" + undisturbed); code != 0 {
		t.Fatal("the undisturbed run failed")
	}
	dir := demoMaildir(t)
	killed(t, db, dir)
	if diff := cmp.Diff(tables(t, alone), tables(t, db)); diff != "" {
		t.Errorf("not as an undisturbed run leaves it (-alone +killed):\n%s", diff)
	}
	for folder, want := range map[string]int{"new": 0, "cur": 12, ".Unknown/cur": 2} {
		if entries, _ := os.ReadDir(filepath.Join(dir, folder)); len(entries) != want {
			t.Errorf("%s holds %d mails, want %d", folder, len(entries), want)
		}
	}
}

func TestKilledAndRunAgainSQLite(t *testing.T) {
	checkKilled(t, filepath.Join(t.TempDir(), "alone.db"), filepath.Join(t.TempDir(), "killed.db"))
}

func TestKilledAndRunAgainPostgreSQL(t *testing.T) {
	p := storecheck.StartPostgres(t)
	alone, db := p.DSN(t), p.DSN(t)
	checkKilled(t, alone, db)
	// The server dies: a clear error, and the mail stays.
	k := openDesk(t, db)
	dir := demoMaildir(t)
	p.Stop()
	_, err := (maildir{Dir: dir}).scan(t.Context(), k.take)
	if !errors.Is(err, errStore) {
		t.Errorf("a server that is gone: %v", err)
	}
	if entries, _ := os.ReadDir(filepath.Join(dir, "new")); len(entries) != 14 {
		t.Errorf("%d mails left in new, want all 14", len(entries))
	}
	p.Start(t)
	if n, err := (maildir{Dir: dir}).scan(t.Context(), k.take); n != 14 || err != nil {
		t.Errorf("%d mails taken in when it is back (%v)", n, err)
	}
}

// startTogether opens a new store in many processes' stead at once, and lets
// each take the same mails in.
func startTogether(t *testing.T, db string) {
	t.Helper()
	errs := make(chan error)
	const desks = 6
	for range desks {
		go func() {
			s, err := openStore(t.Context(), db)
			if err != nil {
				errs <- err
				return
			}
			defer s.db.Close()
			k := &desk{store: s, now: time.Now, rules: rules{Marks: marks{Domain: demoDomain, Key: []byte(demoKey)}}}
			for _, name := range people {
				data, err := os.ReadFile(filepath.Join("testdata/demo/new", name))
				if err == nil {
					_, err = k.take(t.Context(), data)
				}
				if err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	for range desks {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	got := tables(t, db)
	want := []string{"1 Invoice 2231 anna@customer.example open", "2 Access for our new colleague bob@partner.example open", "3 Order 77 has not come carla@shop.example open"}
	if diff := cmp.Diff(want, got["tickets"]); diff != "" || len(got["mails"]) != 3 || len(got["outbox"]) != 3 {
		t.Errorf("%d mails, %d events; tickets (-want +got):\n%s", len(got["mails"]), len(got["outbox"]), diff)
	}
}

// numberIsNotLost lets a mail fail after its ticket was opened, as a process
// that is killed there does.
func numberIsNotLost(t *testing.T, db string) {
	k := openDesk(t, db)
	if _, err := k.exec(t.Context(), "ALTER TABLE entries RENAME TO away"); err != nil {
		t.Fatal(err)
	}
	if o, err := k.take(t.Context(), demoMail(t, people[0])); !errors.Is(err, errStore) {
		t.Fatalf("taken in without a table: %+v, %v", o, err)
	}
	if _, err := k.exec(t.Context(), "ALTER TABLE away RENAME TO entries"); err != nil {
		t.Fatal(err)
	}
	if o := takeAll(t, k, people[0])[0]; o.Ticket != 1 || o.Action != "opened" {
		t.Errorf("ticket #%d %s, want #1 opened", o.Ticket, o.Action)
	}
}

func TestStoresWithSQLite(t *testing.T) {
	t.Run("start together", func(t *testing.T) { startTogether(t, filepath.Join(t.TempDir(), "desk.db")) })
	t.Run("no number is lost", func(t *testing.T) { numberIsNotLost(t, filepath.Join(t.TempDir(), "desk.db")) })
}

func TestStoresWithPostgreSQL(t *testing.T) {
	p := storecheck.StartPostgres(t)
	t.Run("start together", func(t *testing.T) { startTogether(t, p.DSN(t)) })
	t.Run("no number is lost", func(t *testing.T) { numberIsNotLost(t, p.DSN(t)) })
}
