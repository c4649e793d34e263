package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mailfault/mailfault/examples/internal/smalldisk"
)

// nonsense is a mail that nobody can place: it goes to the folder Unknown.
func nonsense(n int) []byte {
	return fmt.Appendf(nil, "Subject: %d\nMessage-ID: <n%d@customer.example>\nAuto-Submitted: auto-generated\n\nnothing to see\n", n, n)
}

// arrive puts a mail into a Maildir as a mail server does: under tmp, then into
// new, and again later where the disk is full.
func arrive(dir, name string, data []byte) error {
	tmp := filepath.Join(dir, "tmp", name)
	if err := os.WriteFile(tmp, data, 0o600); err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	return os.Rename(tmp, filepath.Join(dir, "new", name))
}

// TestDiskThatIsFullForAWhile has the store, its journal and the Maildir on a
// disk that fills up while mails come by both ways and events go out: each mail
// is stored once, each event is told, and what is wrong is said.
func TestDiskThatIsFullForAWhile(t *testing.T) {
	const each = 60
	disk := smalldisk.Mount(t, 8<<20)
	db, dir := filepath.Join(disk.Dir, "desk.db"), filepath.Join(disk.Dir, "mail")
	for _, sub := range [...]string{"new", "cur", "tmp"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	k := openDesk(t, db)
	var mu sync.Mutex
	said, refused := make(map[string]int), 0
	say := func(err error) {
		if err != nil {
			mu.Lock()
			defer mu.Unlock()
			said[err.Error()]++
		}
	}
	server := httptest.NewServer((&site{desk: k, log: say}).handler())
	defer server.Close()
	g := &target{t: t, address: "127.0.0.1:0", took: make(map[string]int), order: make(map[string][]string)}
	g.up()
	hook := &webhook{URL: "http://" + g.address, Shape: plainShape, Client: server.Client()}

	var senders, looking sync.WaitGroup
	senders.Go(func() { // into the Maildir, every tenth of them nonsense
		for n := range each {
			data := letterFrom(n, 8<<10)
			if n%10 == 9 {
				data = nonsense(n)
			}
			for err := arrive(dir, fmt.Sprintf("%03d", n), data); err != nil; err = arrive(dir, fmt.Sprintf("%03d", n), data) {
				if !errors.Is(err, syscall.ENOSPC) {
					t.Error(err)
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
	senders.Go(func() {
		for n := range each {
			for {
				status, err := postMail(server.Client(), server.URL, letterFrom(each+n, 8<<10))
				if err == nil && status == http.StatusOK {
					break
				}
				if err != nil || status != http.StatusServiceUnavailable {
					t.Errorf("mail %d: %d, %v", n, status, err)
					return
				}
				mu.Lock()
				refused++
				mu.Unlock()
				time.Sleep(10 * time.Millisecond)
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
	done := make(chan struct{})
	looking.Go(func() {
		for last := false; !last; time.Sleep(5 * time.Millisecond) {
			select {
			case <-done:
				last = true
			default:
			}
			_, err := maildir{Dir: dir}.scan(t.Context(), k.take)
			say(err)
			_, err = hook.deliver(t.Context(), k.store, k.now())
			say(err)
		}
	})
	waitFor := func(what string, ready func() bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !ready(); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("waited in vain for %s", what)
			}
		}
	}
	waitFor("mails", func() bool { mails, _, _, _ := counts(t, k); return mails > each/2 })
	disk.Fill(t)
	waitFor("the full disk", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return refused > 5
	})
	before, _, _, _ := counts(t, k)
	if before >= 2*each {
		t.Errorf("all %d mails were stored before the disk was full", before)
	}
	disk.Free(t)
	senders.Wait()
	close(done)
	looking.Wait()
	// Events whose turn was put off come when they are due.
	for later := k.now(); ; later = later.Add(time.Hour) {
		n, err := hook.deliver(t.Context(), k.store, later)
		if n == 0 {
			say(err)
			break
		}
	}

	const aside = each / 10
	mails, tickets, events, entries := counts(t, k)
	if mails != 2*each || tickets != 2*each-aside || entries != mails || events != tickets || events != len(g.took) {
		t.Errorf("%d mails, %d tickets, %d entries, %d events and %d told, want %d mails, %d tickets", mails, tickets, entries, events, len(g.took), 2*each, 2*each-aside)
	}
	for folder, want := range map[string]int{"new": 0, "tmp": 0, "cur": each - aside, ".Unknown/cur": aside} {
		if files, _ := os.ReadDir(filepath.Join(dir, folder)); len(files) != want {
			t.Errorf("%s holds %d mails, want %d", folder, len(files), want)
		}
	}
	for key, n := range g.took {
		if n > 2 { // the second where there was no room to write down that it was taken
			t.Errorf("event %s was told %d times", key, n)
		}
	}
	clear := 0
	for line := range said {
		switch {
		case strings.Contains(line, "the store: ") && strings.Contains(line, "full"), strings.Contains(line, "no space left on device"):
			clear++
		default:
			t.Errorf("said: %s", line)
		}
	}
	if clear == 0 {
		t.Error("nothing was said of the full disk")
	}
	var sound string
	if err := k.row(t.Context(), "PRAGMA integrity_check").Scan(&sound); err != nil || sound != "ok" {
		t.Errorf("the store is %s, %v", sound, err)
	}
}
