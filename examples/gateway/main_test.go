package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

func TestShowPrintsWhatAReportWouldGet(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bounce.eml")
	for _, test := range []struct{ data, want, err string }{
		{bounce("", "1@example.org", now), "X-Mailfault-Condition: recipient-not-found\n", ""},
		{strings.ReplaceAll(bounce("", "1@example.org", now), "\r\n", "\n"), "X-Mailfault-Condition: recipient-not-found\n", ""},
		{ordinary, "", "no report about mail"},
	} {
		if err := os.WriteFile(file, []byte(test.data), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err := run(t.Context(), []string{"-show", file}, &out, io.Discard)
		if !strings.Contains(out.String(), test.want) || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("got %q, %v", out.String(), err)
		}
	}
}

func TestWrongOptionsAreNamed(t *testing.T) {
	short := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(short, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"no door":           {},
		"-listen needs":     {"-listen", "127.0.0.1:0"},
		"not understood":    {"-milter", "127.0.0.1:0", "what"},
		"-inside":           {"-milter", "127.0.0.1:0", "-inside", "here"},
		"fewer than 16":     {"-milter", "127.0.0.1:0", "-sign-key", short},
		"no such file":      {"-milter", "127.0.0.1:0", "-events", "/nowhere/at/all"},
		"go together":       {"-listen", "127.0.0.1:0", "-next", "127.0.0.1:1", "-cert", short},
		"-cert: ":           {"-listen", "127.0.0.1:0", "-next", "127.0.0.1:1", "-cert", short, "-cert-key", short},
		"flag provided but": {"-what"},
	} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}

// Both doors open, and both close when they are told to, with what is under way
// brought to its end.
func TestDoorsOpenAndClose(t *testing.T) {
	h := startHop(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	events := filepath.Join(t.TempDir(), "events.ndjson")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"-listen", addr, "-next", h.addr, "-milter", "127.0.0.1:0", "-events", events, "-quiet"}, io.Discard, io.Discard)
	}()
	eventually(t, func() (bool, bool) {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			conn.Close()
		}
		return true, err == nil
	})
	h.before = cancel // the end is asked for while the next hop has the mail
	if got := send(t, addr, "", []string{"a@example.org"}, bounce("", "1@example.org", now)); !strings.HasPrefix(got, "250") {
		t.Errorf("mail under way: %q", got)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
	}
	if told, _ := os.ReadFile(events); bytes.Count(told, []byte("\n")) != 1 {
		t.Errorf("events: %q, want the one report", told)
	}
}

func TestWebhookGetsEachReportAndIsAskedAgain(t *testing.T) {
	var calls atomic.Int64
	got := make(chan map[string]any, 10)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			http.Error(w, "not now", http.StatusServiceUnavailable)
			return
		}
		var v map[string]any
		if err := json.NewDecoder(r.Body).Decode(&v); err != nil || r.Header.Get("Content-Type") != "application/json" {
			t.Error(err, r.Header)
		}
		got <- v
	}))
	defer web.Close()
	h := startHop(t)
	gw := startGateway(t, h, "-events", web.URL)
	send(t, gw, "", []string{"a@example.org"}, bounce("", "1@example.org", now))
	select {
	case v := <-got:
		if v["kind"] != "delivery-status" || v["schema_version"] != 1.0 {
			t.Errorf("got %v", v)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("nothing was posted")
	}
}

// A webhook that hangs does not hold up mail.
func TestWebhookThatHangsHoldsNothingUp(t *testing.T) {
	release := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer web.Close()
	defer close(release)
	h := startHop(t)
	gw := startGateway(t, h, "-events", web.URL)
	start := time.Now()
	for range 20 {
		if got := send(t, gw, "", []string{"a@example.org"}, bounce("", "1@example.org", now)); !strings.HasPrefix(got, "250") {
			t.Fatal(got)
		}
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("20 reports took %s", took)
	}
}

// A mail that the next hop refuses is told of when it has been taken, not before.
func TestRefusedReportIsNotTold(t *testing.T) {
	events := filepath.Join(t.TempDir(), "events.ndjson")
	h := startHop(t)
	gw := startGateway(t, h, "-events", events)
	h.data = &smtp.SMTPError{Code: 452, EnhancedCode: smtp.EnhancedCode{4, 3, 1}, Message: "Insufficient system storage"}
	if got := send(t, gw, "", []string{"a@example.org"}, bounce("", "1@example.org", now)); !strings.HasPrefix(got, "452") {
		t.Fatal(got)
	}
	h.data = nil
	if got := send(t, gw, "", []string{"a@example.org"}, bounce("", "1@example.org", now)); !strings.HasPrefix(got, "250") {
		t.Fatal(got)
	}
	eventually(t, func() (bool, bool) { b, _ := os.ReadFile(events); return true, len(b) > 0 })
	time.Sleep(100 * time.Millisecond)
	if told, _ := os.ReadFile(events); bytes.Count(told, []byte("\n")) != 1 {
		t.Errorf("told %d times", bytes.Count(told, []byte("\n")))
	}
}
