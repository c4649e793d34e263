package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport/history/sqlstore"
)

// letterFrom is a mail of a person's, with a body of that many bytes.
func letterFrom(n, size int) []byte {
	return fmt.Appendf(nil, "From: person%d@customer.example\nTo: help@desk.example\nSubject: Question %d\nDate: Mon, 30 Nov 2026 09:00:00 +0000\nMessage-ID: <q%d@customer.example>\n\n%s\n",
		n, n, n, strings.Repeat("a line of text \n", size/16))
}

// counts are how many rows each table holds.
func counts(t *testing.T, k *desk) (mails, tickets, events, entries int) {
	t.Helper()
	if err := k.row(t.Context(), "SELECT (SELECT COUNT(*) FROM mails), (SELECT COUNT(*) FROM tickets), (SELECT COUNT(*) FROM outbox), (SELECT COUNT(*) FROM entries)").
		Scan(&mails, &tickets, &events, &entries); err != nil {
		t.Fatal(err)
	}
	return mails, tickets, events, entries
}

// TestFullDiskLeavesTheMail fills the store, by a bound on its pages as a full
// disk sets one: what does not fit stays in the Maildir, the sender by HTTP is
// told to come again, nothing is posted that could not be written down, and all
// is there once when there is room.
func TestFullDiskLeavesTheMail(t *testing.T) {
	k := testDesk(t)
	k.db.SetMaxOpenConns(1) // the bound is the connection's
	pages := func(limit string) {
		t.Helper()
		if _, err := k.exec(t.Context(), "PRAGMA max_page_count = "+limit); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	const letters = 40
	for _, sub := range [...]string{"new", "cur", "tmp"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for n := range letters {
		if err := os.WriteFile(filepath.Join(dir, "new", fmt.Sprintf("%03d", n)), letterFrom(n, 20<<10), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pages("150") // of 4 KiB: room for some of them
	taken, err := (maildir{Dir: dir}).scan(t.Context(), k.take)
	if taken == 0 || taken == letters || !errors.Is(err, errStore) || !strings.Contains(fmt.Sprint(err), "full") || !strings.Contains(fmt.Sprint(err), "the mail stays in") {
		t.Fatalf("%d mails taken in, %v", taken, err)
	}
	left, _ := os.ReadDir(filepath.Join(dir, "new"))
	if mails, _, _, _ := counts(t, k); mails != taken || len(left) != letters-taken {
		t.Errorf("%d mails stored, %d left, of %d", mails, len(left), letters)
	}
	var logged bytes.Buffer
	server := httptest.NewServer((&site{desk: k, log: func(err error) { fmt.Fprintln(&logged, err) }}).handler())
	defer server.Close()
	response, err := http.Post(server.URL+"/mail", "message/rfc822", bytes.NewReader(letterFrom(letters, 200<<10)))
	if text := body(t, response, err); response.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, "send it again") || !strings.Contains(logged.String(), "full") {
		t.Errorf("answered %s %s, logged %s", response.Status, text, logged.String())
	}

	pages("100000")
	if n, err := (maildir{Dir: dir}).scan(t.Context(), k.take); n != letters-taken || err != nil {
		t.Errorf("%d mails taken in when there is room, want %d (%v)", n, letters-taken, err)
	}
	response, err = http.Post(server.URL+"/mail", "message/rfc822", bytes.NewReader(letterFrom(letters, 200<<10)))
	if body(t, response, err); response.StatusCode != http.StatusOK {
		t.Errorf("answered %s when there is room", response.Status)
	}
	const all = letters + 1
	if mails, tickets, events, entries := counts(t, k); mails != all || tickets != all || events != all || entries != all {
		t.Errorf("%d mails, %d tickets, %d events, %d entries, want %d of each", mails, tickets, events, entries, all)
	}
}

// TestNothingIsPostedThatCannotBeWrittenDown lets the webhook be told while the
// store is read-only, as on a full disk.
func TestNothingIsPostedThatCannotBeWrittenDown(t *testing.T) {
	k := testDesk(t)
	takeAll(t, k, people...)
	k.db.SetMaxOpenConns(1)
	posts := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { posts++ }))
	defer server.Close()
	hook := &webhook{URL: server.URL, Shape: plainShape, Client: server.Client()}
	if _, err := k.exec(t.Context(), "PRAGMA query_only = 1"); err != nil {
		t.Fatal(err)
	}
	if n, err := hook.deliver(t.Context(), k.store, k.now()); n != 0 || posts != 0 || !errors.Is(err, errStore) {
		t.Errorf("%d delivered in %d posts, %v", n, posts, err)
	}
	if _, err := k.exec(t.Context(), "PRAGMA query_only = 0"); err != nil {
		t.Fatal(err)
	}
	if n, err := hook.deliver(t.Context(), k.store, k.now()); n != 3 || posts != 3 || err != nil {
		t.Errorf("%d delivered in %d posts, %v", n, posts, err)
	}
}

// target is where the webhook leads: it counts what it took, can be taken down
// with its port and brought back, and can go away after it took something.
type target struct {
	t       *testing.T
	address string
	server  *http.Server
	mu      sync.Mutex
	took    map[string]int // by idempotency key
	order   map[string][]string
	cutOff  int // answers that are lost from now on
}

func (g *target) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, _ := io.ReadAll(r.Body)
	g.mu.Lock()
	defer g.mu.Unlock()
	key := r.Header.Get("Idempotency-Key")
	if g.took[key]++; g.took[key] == 1 {
		_, ticket, _ := strings.Cut(string(data), `"ticket":`)
		ticket, _, _ = strings.Cut(ticket, ",")
		g.order[ticket] = append(g.order[ticket], key)
	}
	if g.cutOff > 0 {
		g.cutOff--
		panic(http.ErrAbortHandler) // taken, and nobody is told
	}
}

func (g *target) up() {
	g.t.Helper()
	l, err := net.Listen("tcp", g.address)
	if err != nil {
		g.t.Fatal(err)
	}
	g.address = l.Addr().String()
	g.server = &http.Server{Handler: g}
	go g.server.Serve(l)
	g.t.Cleanup(func() { g.server.Close() })
}

func TestTargetThatIsDownAndBackMissesNothing(t *testing.T) {
	k := testDesk(t)
	const letters = 30
	for n := range letters {
		if _, err := k.take(t.Context(), letterFrom(n, 100)); err != nil {
			t.Fatal(err)
		}
	}
	// A second event on each ticket of the first ten.
	for n := range 10 {
		answer := bytes.Replace(bytes.Replace(letterFrom(n, 200), fmt.Appendf(nil, "Question %d", n), fmt.Appendf(nil, "Re: [#%d]", n+1), 1), []byte("<q"), []byte("<again-q"), 1)
		if o, err := k.take(t.Context(), answer); err != nil || o.Ticket != int64(n+1) {
			t.Fatalf("%+v, %v", o, err)
		}
	}
	g := &target{t: t, address: "127.0.0.1:0", took: make(map[string]int), order: make(map[string][]string)}
	g.up()
	hook := &webhook{URL: "http://" + g.address, Shape: plainShape, Client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}}
	now := k.now()
	g.server.Close()
	n, err := hook.deliver(t.Context(), k.store, now)
	if n != 0 || err == nil || !strings.Contains(err.Error(), "more events wait") {
		t.Errorf("%d delivered to a target that is down, %v", n, err)
	}
	if lines := strings.Count(fmt.Sprint(err), "\n") + 1; lines > maxRefused+1 {
		t.Errorf("%d lines about one target", lines)
	}
	g.up()
	g.cutOff = 3
	sent := 0
	for range 6 {
		now = now.Add(time.Minute)
		n, _ := hook.deliver(t.Context(), k.store, now)
		sent += n
	}
	twice := 0
	for _, n := range g.took {
		if n > 1 {
			twice++
		}
	}
	if sent != letters+10 || len(g.took) != letters+10 || twice != 3 {
		t.Errorf("%d delivered, %d events arrived, %d of them more than once, want %d, %[4]d and the 3 whose answer was lost", sent, len(g.took), twice, letters+10)
	}
	for ticket, keys := range g.order {
		var want []string
		if want, err = list(t.Context(), k.conn, func(r rowScanner, s *string) error { return r.Scan(s) }, "SELECT idempotency_key FROM outbox WHERE ticket = "+ticket+" ORDER BY id"); err != nil {
			t.Fatal(err)
		}
		if strings.Join(keys, " ") != strings.Join(want, " ") {
			t.Errorf("ticket %s: in the order %v, want %v", ticket, keys, want)
		}
	}
}

func TestLockedStoreLeavesTheMail(t *testing.T) {
	file := filepath.Join(t.TempDir(), "desk.db")
	k := openDesk(t, file)
	other, err := sql.Open("sqlite", sqlstore.SQLiteDSN(file))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec("UPDATE tickets SET state = 'x'"); err != nil {
		t.Fatal(err)
	}
	dir := demoMaildir(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	n, err := (maildir{Dir: dir}).scan(ctx, k.take)
	if n != 0 || !errors.Is(err, errStore) {
		t.Errorf("%d mails taken into a locked store (%v)", n, err)
	}
	tx.Rollback()
	if n, err := (maildir{Dir: dir}).scan(t.Context(), k.take); n != 14 || err != nil {
		t.Errorf("%d mails taken in when it is free (%v)", n, err)
	}
}

// TestSlowDNSKeepsNobodyFromTheStore has DNS, asked for the key of a returned
// message's signature, answer only after somebody else has written.
func TestSlowDNSKeepsNobodyFromTheStore(t *testing.T) {
	k := testDesk(t)
	takeAll(t, k, people...)
	asked := 0
	k.OwnDomains = []string{demoDomain}
	k.LookupTXT = func(ctx context.Context, name string) ([]string, error) {
		asked++
		ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
		defer cancel()
		return nil, k.setState(ctx, 2, closed, k.now())
	}
	signed := strings.Replace(strings.Replace(string(demoMail(t, "10-backscatter")), "t1.aaaaaaaaaaaa.bbbbbbbbbbbbbbbb@desk.example", "plain-1@desk.example", 1),
		"From: help@desk.example", "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=desk.example; s=k; h=from:subject;\n bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AAAA\nFrom: help@desk.example", 1)
	if o, err := k.take(t.Context(), []byte(signed)); err != nil || o.Kind == report {
		t.Errorf("%+v, %v", o, err)
	}
	if ticket, _, _ := k.ticket(t.Context(), 2); asked != 1 || ticket.State != closed {
		t.Errorf("DNS was asked %d times; ticket 2 is %s", asked, ticket.State)
	}
}
