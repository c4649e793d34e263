// Package storecheck runs the stores of a history against real databases.
package storecheck

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// Postgres is a server of the test's own, on a socket in a folder of its own.
type Postgres struct {
	bin, dir  string
	attr      *syscall.SysProcAttr
	server    *exec.Cmd
	log       bytes.Buffer
	databases atomic.Int64
}

// StartPostgres starts a server that the test stops when it ends. Where
// PostgreSQL is not installed the test is skipped, or fails if
// MAILFAULT_CORPORA_REQUIRED is set.
func StartPostgres(t testing.TB) *Postgres {
	t.Helper()
	bin := binaries()
	if bin == "" {
		if os.Getenv("MAILFAULT_CORPORA_REQUIRED") != "" {
			t.Fatal("PostgreSQL required: no initdb")
		}
		t.Skip("PostgreSQL is not installed (Debian: postgresql)")
	}
	// Not t.TempDir: the path of a socket has room for a hundred bytes.
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	p := &Postgres{bin: bin, dir: dir, attr: unprivileged(t, dir)}
	var out bytes.Buffer
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", filepath.Join(dir, "data"), "-U", "test", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C.UTF-8")
	initdb.SysProcAttr, initdb.Dir, initdb.Stdout, initdb.Stderr = p.attr, dir, &out, &out
	if err := initdb.Run(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out.Bytes())
	}
	p.Start(t)
	t.Cleanup(func() {
		p.Stop()
		if t.Failed() {
			t.Logf("PostgreSQL said:\n%s", p.log.Bytes()[max(0, p.log.Len()-4000):])
		}
	})
	return p
}

// Start starts the server, again after Stop, and waits until it answers.
func (p *Postgres) Start(t testing.TB) {
	t.Helper()
	args := []string{"-D", filepath.Join(p.dir, "data"), "-k", p.dir, "-c", "listen_addresses=", "-c", "max_connections=50"}
	if _, figures := t.(*testing.B); !figures {
		// What a process leaves behind when it is killed needs no disk.
		args = append(args, "-c", "fsync=off")
	}
	p.server = exec.Command(filepath.Join(p.bin, "postgres"), args...)
	p.server.SysProcAttr, p.server.Dir, p.server.Stdout, p.server.Stderr = p.attr, p.dir, &p.log, &p.log
	if err := p.server.Start(); err != nil {
		t.Fatal(err)
	}
	db := p.open(t, "postgres")
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		err := db.PingContext(t.Context())
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("PostgreSQL does not answer: %v", err)
		}
	}
}

// Stop ends the server at once, as a crash would. It may be called twice.
func (p *Postgres) Stop() {
	if p.server.ProcessState == nil {
		p.server.Process.Signal(syscall.SIGQUIT)
		p.server.Wait()
	}
}

// DSN returns the data source name of a new, empty database.
func (p *Postgres) DSN(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("db%d", p.databases.Add(1))
	if _, err := p.open(t, "postgres").ExecContext(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return p.dsn(name)
}

func (p *Postgres) dsn(name string) string {
	return fmt.Sprintf("host=%s user=test dbname=%s sslmode=disable", p.dir, name)
}

func (p *Postgres) open(t testing.TB, name string) *sql.DB {
	db, err := sql.Open("pgx", p.dsn(name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// binaries returns the folder with initdb, "" where there is none. Debian
// keeps it out of PATH.
func binaries() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(found[len(found)-1])
}

// unprivileged gives dir to a user without rights if the test has all of them,
// for PostgreSQL refuses to run as root.
func unprivileged(t testing.TB, dir string) *syscall.SysProcAttr {
	if os.Geteuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
		return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	t.Skip("no user to run PostgreSQL as")
	return nil
}
