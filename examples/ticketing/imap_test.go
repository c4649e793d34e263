package main

import (
	"bytes"
	"errors"
	"net"
	"net/url"
	"os"
	"testing"

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
