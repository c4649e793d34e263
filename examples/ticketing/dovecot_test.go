package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"testing"
	"time"
)

const dovecotConf = `base_dir = %[1]s/run
state_dir = %[1]s/state
log_path = %[1]s/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:%[1]s/mail
first_valid_uid = 1
default_internal_user = %[3]s
default_login_user = %[3]s
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=%[3]s gid=%[4]s home=%[1]s
}
service imap-login {
  chroot =
  inet_listener imap {
    port = %[2]d
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`

// dovecot is a server of the test's own, with one mailbox.
type dovecot struct {
	program, dir, address string
	server                *exec.Cmd
	said                  bytes.Buffer
}

// startDovecot starts a server that the test stops when it ends.
func startDovecot(t *testing.T) *dovecot {
	t.Helper()
	d := &dovecot{program: "/usr/sbin/dovecot"}
	if program, err := exec.LookPath("dovecot"); err == nil {
		d.program = program
	}
	if _, err := os.Stat(d.program); err != nil {
		if os.Getenv("MAILFAULT_CORPORA_REQUIRED") != "" {
			t.Fatal("Dovecot required")
		}
		t.Skip("Dovecot is not installed (Debian: dovecot-imapd)")
	}
	if os.Geteuid() != 0 {
		t.Skip("Dovecot is started as root")
	}
	var err error
	if d.dir, err = os.MkdirTemp("", "dc"); err != nil { // not t.TempDir: sockets have short paths
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(d.dir) })
	name, group := "nobody", "nogroup"
	if _, err := user.Lookup(name); err != nil {
		t.Skip("no user for Dovecot")
	}
	mail := filepath.Join(d.dir, "mail")
	if err := errors.Join(os.Chmod(d.dir, 0o777), os.Mkdir(mail, 0o777), os.Chmod(mail, 0o777)); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().(*net.TCPAddr)
	d.address = address.String()
	l.Close()
	if err := os.WriteFile(d.conf(), fmt.Appendf(nil, dovecotConf, d.dir, address.Port, name, group), 0o644); err != nil {
		t.Fatal(err)
	}
	d.Start(t)
	t.Cleanup(func() {
		d.Stop()
		if t.Failed() {
			log, _ := os.ReadFile(filepath.Join(d.dir, "log"))
			t.Logf("Dovecot said:\n%s%s", d.said.Bytes(), log)
		}
	})
	return d
}

func (d *dovecot) conf() string { return filepath.Join(d.dir, "conf") }

// Start starts the server, again after Stop, and waits until it answers.
func (d *dovecot) Start(t *testing.T) {
	t.Helper()
	d.server = exec.Command(d.program, "-F", "-c", d.conf())
	d.server.Stdout, d.server.Stderr = &d.said, &d.said
	if err := d.server.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		c, err := net.Dial("tcp", d.address)
		if err == nil {
			c.Close()
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("Dovecot does not answer: %v", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Stop ends the server with its sessions. It may be called twice.
func (d *dovecot) Stop() {
	if d.server.ProcessState == nil {
		d.server.Process.Signal(os.Interrupt)
		d.server.Wait()
	}
}

func TestIMAPOfDovecot(t *testing.T) {
	checkIMAP(t, box(t, startDovecot(t).address))
}
