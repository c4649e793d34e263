package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// loadVariable is how long TestEndurance goes on, as 2m; a few seconds without
// it.
const loadVariable = "MAILFAULT_LOAD"

// resident is the memory that a process has, in MiB; 0 where nobody says.
func resident(pid int) int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, text, _ := strings.Cut(string(status), "VmRSS:")
	var kib int
	fmt.Sscan(text, &kib)
	return kib >> 10
}

// appender puts mails into a mailbox, and connects again where that fails: a mail
// may be there twice then.
type appender struct {
	box    *imapBox
	client *imapclient.Client
}

func (a *appender) append(data []byte) error {
	err := a.try(data)
	if err != nil && a.client != nil {
		a.client.Close()
		a.client = nil
	}
	return err
}

func (a *appender) try(data []byte) (err error) {
	if a.client == nil {
		if a.client, err = a.box.dial(); err != nil {
			return err
		}
		if err := a.client.Login("desk", a.box.Password).Wait(); err != nil {
			return err
		}
	}
	cmd := a.client.Append("INBOX", int64(len(data)), nil)
	if _, err := cmd.Write(data); err != nil {
		return err
	}
	if err := cmd.Close(); err != nil {
		return err
	}
	_, err = cmd.Wait()
	return err
}

// TestEndurance runs the program itself: 5,000 mails a minute, a tenth of them
// reports and every third mail twice, a quarter by way of a mailbox whose server
// is restarted in the middle. Each mail is stored and told of once, and the
// memory stays what it is.
func TestEndurance(t *testing.T) {
	length := 3 * time.Second
	if text := os.Getenv(loadVariable); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	const each = time.Minute / 5000
	mails := int(length / each)
	d := startDovecot(t)
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	g := &target{t: t, address: "127.0.0.1:0", took: make(map[string]int), order: make(map[string][]string)}
	g.up()
	db := filepath.Join(dir, "desk.db")
	k := openDesk(t, db)
	bounce := demoMail(t, "05-expired")

	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), argumentsVariable+"="+strings.Join([]string{
		"-db", db, "-domain", demoDomain, "-key", file("key", demoKey), "-webhook", "http://" + g.address, "-listen", "127.0.0.1:0",
		"-imap", "imap://desk@" + d.address + "/INBOX", "-imap-password", file("password", "secret"), "-every", "200ms",
	}, "\n"))
	var said bytes.Buffer
	program.Stderr = &said
	stdout, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Process.Kill() })
	lines := bufio.NewScanner(stdout)
	address := ""
	for !strings.HasPrefix(address, "http://") && lines.Scan() {
		address = strings.TrimSuffix(lines.Text(), "/")
	}
	go func() {
		for lines.Scan() {
		}
	}()

	type one struct {
		n    int
		data []byte
	}
	byHTTP, byIMAP := make(chan one, mails), make(chan one, mails)
	var senders sync.WaitGroup
	for range 3 {
		senders.Go(func() {
			for m := range byHTTP {
				for copies := 1 + (m.n+2)%3/2; copies > 0; {
					status, err := postMail(http.DefaultClient, address, m.data)
					if err != nil || status != http.StatusOK {
						t.Errorf("mail %d: %d, %v", m.n, status, err)
						return
					}
					copies--
				}
			}
		})
	}
	lost := 0 // connections
	senders.Go(func() {
		a := &appender{box: box(t, d.address)}
		for m := range byIMAP {
			for copies := 1 + (m.n+2)%3/2; copies > 0 && t.Context().Err() == nil; {
				if err := a.append(bytes.ReplaceAll(m.data, []byte("\n"), []byte("\r\n"))); err == nil {
					copies--
				} else {
					lost++
					time.Sleep(100 * time.Millisecond)
				}
			}
		}
	})
	var memory []int
	start := time.Now()
	for n := range mails {
		time.Sleep(time.Until(start.Add(time.Duration(n) * each)))
		to := byHTTP
		if n%4 == 3 {
			to = byIMAP
		}
		to <- one{n, loadMail(k, bounce, n)}
		if n == mails/2 {
			d.Stop()
			time.Sleep(500 * time.Millisecond)
			d.Start(t)
		}
		if n%(mails/12) == mails/12-1 {
			memory = append(memory, resident(program.Process.Pid))
		}
	}
	close(byHTTP)
	close(byIMAP)
	senders.Wait()
	sending := time.Since(start)

	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	told := func() int { g.mu.Lock(); defer g.mu.Unlock(); return len(g.took) }
	unread := func() int {
		c := login(t, box(t, d.address))
		defer c.Close()
		if _, err := c.Select("INBOX", nil).Wait(); err != nil {
			t.Fatal(err)
		}
		found, err := c.UIDSearch(&imap.SearchCriteria{NotFlag: []imap.Flag{handled}}, nil).Wait()
		if err != nil {
			t.Fatal(err)
		}
		return len(found.AllUIDs())
	}
	for told() < mails || unread() > 0 {
		if ctx.Err() != nil {
			t.Errorf("%d of %d events told, %d mails left in the mailbox", told(), mails, unread())
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	program.Process.Signal(os.Interrupt)
	if err := program.Wait(); err != nil {
		t.Errorf("the end: %v", err)
	}
	var copies int
	if err := k.row(t.Context(), "SELECT SUM(copies) FROM mails").Scan(&copies); err != nil {
		t.Fatal(err)
	}
	stored, tickets, events, entries := counts(t, k)
	t.Logf("%d mails in %v, %d with their copies, %d tickets; connections lost by the sender: %d; memory in MiB: %v", stored, sending.Round(time.Second), copies, tickets, lost, memory)
	if stored != mails || entries != mails || events != mails || told() != mails || copies < mails+(mails+2)/3 {
		t.Errorf("%d mails, %d entries, %d events, %d told, want %d of each; %d copies", stored, entries, events, told(), mails, copies)
	}
	for key, n := range g.took {
		if n != 1 {
			t.Errorf("event %s was told %d times", key, n)
		}
	}
	for line := range strings.Lines(said.String()) {
		if !strings.Contains(line, "IMAP "+d.address) {
			t.Errorf("said: %s", line)
		}
	}
	if lost == 0 {
		t.Error("the mail server was not missed")
	}
	if quarter, last := memory[len(memory)/4], memory[len(memory)-1]; length >= time.Minute && last > quarter*3/2+16 {
		t.Errorf("the memory grew from %d to %d MiB", quarter, last)
	}
}
