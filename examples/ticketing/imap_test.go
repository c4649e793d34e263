package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
)

// box returns the mailbox of the test's user on a server.
func box(t *testing.T, address string) *imapBox {
	t.Helper()
	u, err := url.Parse("imap://desk@" + address + "/INBOX")
	if err != nil {
		t.Fatal(err)
	}
	return &imapBox{URL: u, Password: "secret"}
}

// login opens a session of the test's own.
func login(t *testing.T, b *imapBox) *imapclient.Client {
	t.Helper()
	c, err := b.dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.Login("desk", "secret").Wait(); err != nil {
		t.Fatal(err)
	}
	return c
}

// fill puts the demo's mails into the mailbox.
func fill(t *testing.T, b *imapBox) (n uint32) {
	t.Helper()
	c := login(t, b)
	entries, err := os.ReadDir("testdata/demo/new")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		data := bytes.ReplaceAll(demoMail(t, entry.Name()), []byte("\n"), []byte("\r\n"))
		cmd := c.Append("INBOX", int64(len(data)), nil)
		cmd.Write(data)
		if err := errors.Join(cmd.Close(), func() error { _, err := cmd.Wait(); return err }()); err != nil {
			t.Fatal(err)
		}
	}
	return uint32(len(entries))
}

// checkIMAP runs the desk on a server's mailbox: a store that is gone leaves all
// mail as it was, every mail is taken once, none is lost or seen.
func checkIMAP(t *testing.T, b *imapBox) {
	mails := fill(t, b)
	gone := testDesk(t)
	gone.db.Close()
	if _, err := b.scan(t.Context(), gone.take); !errors.Is(err, errStore) {
		t.Fatalf("a store that is gone: %v", err)
	}
	k := testDesk(t)
	n, err := b.scan(t.Context(), k.take)
	if err != nil || n != int(mails) {
		t.Fatalf("%d mails taken in, want %d (%v)", n, mails, err)
	}
	if n, err := b.scan(t.Context(), k.take); err != nil || n != 0 {
		t.Errorf("%d mails taken in again (%v)", n, err)
	}
	c := login(t, b)
	for folder, want := range map[string]uint32{"INBOX": mails - 2, unknownFolder: 2} {
		status, err := c.Status(folder, &imap.StatusOptions{NumMessages: true, NumUnseen: true}).Wait()
		if err != nil {
			t.Fatal(err)
		}
		if *status.NumMessages != want || *status.NumUnseen != want {
			t.Errorf("%s holds %d mails, %d unseen; want %d, all unseen", folder, *status.NumMessages, *status.NumUnseen, want)
		}
	}
	if got := timeline(t, k, 1); len(got) != 5 {
		t.Errorf("ticket 1 has %v", got)
	}
}

func TestIMAPInMemory(t *testing.T) {
	u := imapmemserver.NewUser("desk", "secret")
	if err := u.Create("INBOX", nil); err != nil {
		t.Fatal(err)
	}
	memory := imapmemserver.New()
	memory.AddUser(u)
	server := imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return memory.NewSession(), nil, nil
		},
		Caps: imap.CapSet{imap.CapIMAP4rev1: {}, imap.CapMove: {}, imap.CapUIDPlus: {}}, InsecureAuth: true,
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	checkIMAP(t, box(t, l.Addr().String()))
}

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

func TestIMAPOfDovecot(t *testing.T) {
	program, err := exec.LookPath("dovecot")
	if err != nil {
		program = "/usr/sbin/dovecot"
	}
	if _, err := os.Stat(program); err != nil {
		if os.Getenv("MAILFAULT_CORPORA_REQUIRED") != "" {
			t.Fatal("Dovecot required")
		}
		t.Skip("Dovecot is not installed (Debian: dovecot-imapd)")
	}
	if os.Geteuid() != 0 {
		t.Skip("Dovecot is started as root")
	}
	dir, err := os.MkdirTemp("", "dc") // not t.TempDir: sockets have short paths
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	name, group := "nobody", "nogroup"
	if _, err := user.Lookup(name); err != nil {
		t.Skip("no user for Dovecot")
	}
	if err := errors.Join(os.Chmod(dir, 0o777), os.Mkdir(filepath.Join(dir, "mail"), 0o777), os.Chmod(filepath.Join(dir, "mail"), 0o777)); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().(*net.TCPAddr)
	l.Close()
	conf := filepath.Join(dir, "conf")
	if err := os.WriteFile(conf, fmt.Appendf(nil, dovecotConf, dir, address.Port, name, group), 0o644); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd := exec.Command(program, "-F", "-c", conf)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		if t.Failed() {
			log, _ := os.ReadFile(filepath.Join(dir, "log"))
			t.Logf("Dovecot said:\n%s%s", said.Bytes(), log)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		c, err := net.Dial("tcp", address.String())
		if err == nil {
			c.Close()
			break
		}
		if ctx.Err() != nil {
			t.Fatalf("Dovecot does not answer: %v", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	checkIMAP(t, box(t, address.String()))
}
