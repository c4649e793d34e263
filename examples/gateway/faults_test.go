package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// journal is a log to look into.
type journal struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.Write(b)
}

func (j *journal) count(text string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Count(j.b.String(), text)
}

func (j *journal) handler() slog.Handler { return slog.NewTextHandler(j, nil) }

// disk is a file on a disk that is full at a size.
type disk struct {
	*os.File
	room atomic.Int64
}

func (d *disk) Write(b []byte) (int, error) {
	n := min(int64(len(b)), d.room.Load())
	d.room.Add(-n)
	if _, err := d.File.Write(b[:n]); err != nil {
		return 0, err
	}
	if n < int64(len(b)) {
		return int(n), syscall.ENOSPC
	}
	return len(b), nil
}

func (d *disk) Truncate(size int64) error {
	info, err := d.Stat()
	if err != nil {
		return err
	}
	d.room.Add(info.Size() - size)
	return d.File.Truncate(size)
}

// sendReports sends n reports through the gateway, each of its own.
func sendReports(t *testing.T, addr string, n int) {
	t.Helper()
	for i := range n {
		if got := send(t, addr, "", []string{"a@example.org"}, bounce("", fmt.Sprintf("%d@example.org", i), now)); !strings.HasPrefix(got, "250") {
			t.Fatalf("report %d: %s", i, got)
		}
	}
}

// told returns how often each event stands in lines of JSON.
func told(t *testing.T, lines []byte) map[string]int {
	t.Helper()
	ids := map[string]int{}
	for line := range bytes.Lines(lines) {
		var v event
		if err := json.Unmarshal(line, &v); err != nil || v.Gateway.ID == "" {
			t.Fatalf("%v: %q", err, line)
		}
		ids[v.Gateway.ID]++
	}
	return ids
}

func TestFullDiskHoldsNothingUpAndLosesNothing(t *testing.T) {
	const reports = 20
	f, err := os.OpenFile(filepath.Join(t.TempDir(), "events.ndjson"), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	d, j := &disk{File: f}, &journal{}
	d.room.Store(5000) // enough for an event or two, and a part of the next
	e := newEvents(slog.New(j.handler()), func(_ context.Context, line []byte) error { return appendLine(d, line) }, f.Close)
	h := startHop(t)
	sendReports(t, startWith(t, h, j.handler(), e), reports)
	if got := len(h.mails()); got != reports {
		t.Errorf("%d reports went on, want %d", got, reports)
	}
	eventually(t, func() (bool, bool) { return true, j.count("events wait") > 0 && j.count("no space left on device") > 0 })
	read := func() []byte {
		lines, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	if few := read(); bytes.Count(few, []byte("\n")) >= reports {
		t.Fatalf("the disk was not full: %d bytes", len(few))
	}
	d.room.Store(1 << 30)
	all := eventually(t, func() ([]byte, bool) { b := read(); return b, bytes.Count(b, []byte("\n")) >= reports })
	if ids := told(t, all); len(ids) != reports {
		t.Errorf("%d events, want %d, each once", len(ids), reports)
	}
	eventually(t, func() (bool, bool) { return true, j.count("events are taken again") == 1 })
}

func TestWebhookThatIsDownGetsAllWhenItIsBack(t *testing.T) {
	const reports = 20
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close() // nobody answers there now
	j := &journal{}
	h := startHop(t)
	sendReports(t, startWith(t, h, j.handler(), nil, "-events", "http://"+addr), reports)
	eventually(t, func() (bool, bool) { return true, j.count("events wait") > 0 && j.count("refused") > 0 })
	var got journal
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got.Write(b)
	}))
	web.Listener.Close()
	if web.Listener, err = net.Listen("tcp", addr); err != nil {
		t.Skip("somebody else took the port meanwhile:", err)
	}
	web.Start()
	defer web.Close()
	eventually(t, func() (bool, bool) { return true, got.count("\n") >= reports })
	if ids := told(t, got.b.Bytes()); len(ids) != reports {
		t.Errorf("%d events, want %d, each once", len(ids), reports)
	}
}

// An event that the webhook will never take does not hold up the next, and is
// not lost without a word.
func TestEventsThatCannotBeToldStandInTheLog(t *testing.T) {
	var calls atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			http.Error(w, "what is this", http.StatusUnprocessableEntity)
		}
	}))
	defer web.Close()
	j := &journal{}
	sendReports(t, startWith(t, startHop(t), j.handler(), nil, "-events", web.URL), 2)
	eventually(t, func() (bool, bool) { return true, calls.Load() == 2 })
	if j.count("event not told") != 1 || j.count("delivery-status") != 1 {
		t.Errorf("the log: %s", j.b.String())
	}

	j = &journal{}
	e := newEvents(slog.New(j.handler()), func(context.Context, []byte) error { return syscall.ECONNREFUSED }, func() error { return nil })
	for range 3 {
		e.tell(&event{Gateway: arrival{ID: "waits"}})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if e.Close(ctx); j.count("event not told") != 3 || j.count("waits") != 3 {
		t.Errorf("the log at the end: %s", j.b.String())
	}
}

// A next hop that is killed in the middle of mail and comes back: what was
// acknowledged is there once, what was not is refused for now and sent again.
func TestNextHopThatIsKilledAndComesBack(t *testing.T) {
	const senders, mails = 6, 15
	file := filepath.Join(t.TempDir(), "events.ndjson")
	h := startHop(t)
	gw := startGateway(t, h, "-events", file)
	var taken atomic.Int64
	back := make(chan error, 1)
	h.only = func(delivery) *smtp.SMTPError {
		if taken.Add(1) != senders*mails/2 {
			return nil
		}
		old := h.server
		go func() {
			old.Close()
			time.Sleep(200 * time.Millisecond)
			again := smtp.NewServer(old.Backend)
			again.Domain, again.ErrorLog = old.Domain, old.ErrorLog
			l, err := net.Listen("tcp", h.addr)
			back <- err
			if err == nil {
				t.Cleanup(func() { again.Close() })
				again.Serve(l)
			}
		}()
		time.Sleep(100 * time.Millisecond)
		return &smtp.SMTPError{Code: 421, EnhancedCode: smtp.EnhancedCode{4, 3, 2}, Message: "going down"}
	}
	var mu sync.Mutex
	tried, later := map[string]int{}, 0
	var all sync.WaitGroup
	for s := range senders {
		all.Go(func() {
			for m := range mails {
				id := fmt.Sprintf("%d.%d@example.org", s, m)
				for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
					got := send(t, gw, "", []string{"a@example.org"}, bounce("", id, now))
					mu.Lock()
					tried[id]++
					if strings.HasPrefix(got, "451 4.4.1") || strings.Contains(got, "\n451 4.4.1") {
						later++
					}
					mu.Unlock()
					if strings.HasPrefix(got, "250") {
						break
					}
				}
			}
		})
	}
	all.Wait()
	if err := <-back; err != nil {
		t.Skip("the next hop could not come back:", err)
	}
	kept := map[string]int{}
	for _, d := range h.mails() {
		_, rest, _ := strings.Cut(string(d.data), "Message-ID: <")
		id, _, _ := strings.Cut(rest, ">")
		kept[id]++
	}
	for id, n := range tried {
		if kept[id] == 0 || kept[id] > n {
			t.Errorf("%s was sent %d times and is there %d times", id, n, kept[id])
		}
	}
	if len(kept) != senders*mails || later == 0 {
		t.Errorf("%d mails there, want %d; %d times the next hop was said not to answer", len(kept), senders*mails, later)
	}
	lines := eventually(t, func() ([]byte, bool) {
		b, _ := os.ReadFile(file)
		return b, bytes.Count(b, []byte("\n")) >= senders*mails
	})
	if ids := told(t, lines); len(ids) != senders*mails {
		t.Errorf("%d events, want one of each of %d reports", len(ids), senders*mails)
	}
}
