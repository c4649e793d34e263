package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport/history"
)

// entry is the word of a source, in a domain that is no domain.
func entry(domain string) history.Entry {
	return history.Entry{Seq: 1, Change: history.Told, Learnt: time.Now(), Messages: 3,
		Event:  history.Event{Kind: history.NewFailingSource, Domain: domain, Source: "192.0.2.66", Day: 20000},
		Report: history.ReportKey{Domain: domain, Reporter: hostileLines, ID: hostileLines},
	}
}

// hostileLines would be a field of its own, another mail, or a command to a
// terminal.
const hostileLines = "x\r\nBcc: victim@example.net\r\n\r\n.\r\nMAIL FROM:<x@example.net>\x1b[2J\u202e$(reboot)`reboot`;reboot"

func TestAlertMailHoldsNoFieldOfAStranger(t *testing.T) {
	for _, change := range []history.Change{history.Told, history.Amended, history.Retracted} {
		e := entry(hostileLines)
		e.Change, e.Was = change, e.Event
		var b bytes.Buffer
		if err := alertMail(&b, alert{Entry: e, more: 7}, "dmarc@a.example", []string{"one@a.example", "two@a.example"}, time.Now()); err != nil {
			t.Fatal(err)
		}
		m, err := netmail.ReadMessage(&b)
		if err != nil {
			t.Fatal(err)
		}
		for name := range m.Header {
			if !strings.Contains(" From To Subject Date Message-Id Auto-Submitted Content-Type Content-Transfer-Encoding Mime-Version ", " "+name+" ") {
				t.Errorf("field %s: %q", name, m.Header[name])
			}
		}
		if to, err := m.Header.AddressList("To"); err != nil || len(to) != 2 {
			t.Errorf("To: %v, %v", to, err)
		}
		body, err := io.ReadAll(m.Body)
		if err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(string(body), "\x1b\u202e") || bytes.Contains(body, []byte("\nBcc")) || bytes.Contains(body, []byte("\n.")) {
			t.Errorf("the body steers:\n%q", body)
		}
		if !strings.Contains(string(body), "7 more alerts") {
			t.Errorf("no word of the others:\n%s", body)
		}
	}
}

func TestAlertJSONOfALateEntrySaysSo(t *testing.T) {
	e := entry("a.example")
	e.Change = history.Retracted
	var got struct{ Text string }
	if err := json.Unmarshal(alertJSON(e), &got); err != nil || !strings.HasPrefix(got.Text, "a.example: taken back") {
		t.Errorf("%q, %v", got.Text, err)
	}
}

func TestTargetsThatAreNone(t *testing.T) {
	for _, target := range []string{
		" ", "no-such-program-here x", "ftp://mx.a.example/", "smtp://mx.a.example", "smtp://mx.a.example?from=a@a.example",
		"smtp://mx.a.example?from=a@a.example&to=ops+dmarc@a.example", // the plus is a space
		"smtp://mx.a.example?from=a@a.example,b@a.example&to=c@a.example",
	} {
		dir := t.TempDir()
		db := filepath.Join(dir, "h.db")
		if _, code := watch(t, db, "ingest", "-alert", target, reportFile(t, dir, "r.example", "192.0.2.66")); code != 1 {
			t.Errorf("%q: code %d", target, code)
		}
		if _, err := os.Stat(db); err == nil {
			t.Errorf("%q: the run began all the same", target)
		}
	}
}

func TestARedirectIsNoDelivery(t *testing.T) {
	gets := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gets++; r.Method == http.MethodPost {
			http.Redirect(w, r, "/login", http.StatusFound)
		}
	}))
	defer server.Close()
	a, err := newAlerts(server.URL+"/secret", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.send(t.Context(), alert{Entry: entry("a.example")}); err == nil || !strings.Contains(err.Error(), "302") || gets != 1 {
		t.Errorf("%v after %d requests", err, gets)
	}
	server.Close()
	if err := a.send(t.Context(), alert{Entry: entry("a.example")}); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("a server that is gone: %v", err)
	}
}

func TestAServerThatHangs(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, target := range []string{"http://" + l.Addr().String(), "smtp://" + l.Addr().String() + "?from=a@a.example&to=b@a.example", "smtps://" + l.Addr().String() + "?from=a@a.example&to=b@a.example"} {
		a, err := newAlerts(target, false)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if err := a.send(ctx, alert{Entry: entry("a.example")}); err == nil {
			t.Errorf("%s: delivered", target)
		}
		cancel()
	}
}

func script(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "alert")
	if err := os.WriteFile(name, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestCommandsThatMisbehave(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		name, target string
		want         string // in the error; "" = delivered
	}{
		{"one that leaves a child behind", script(t, "sleep 600 &\nexit 0"), ""},
		{"one that leaves a child and fails", script(t, "sleep 600 &\necho no\nexit 3"), "exit status 3: no"},
		{"one that hangs", script(t, "exec sleep 600"), "killed"},
		{"one that talks without end", script(t, "exec yes"), "killed"},
		{"no shell reads the words", "touch " + filepath.Join(dir, "a;touch") + " " + filepath.Join(dir, "$(b)"), ""},
		{"one that reads nothing", "true", ""},
	} {
		a, err := newAlerts(tt.target, false)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		start := time.Now()
		err = a.send(ctx, alert{Entry: entry(hostileLines)})
		cancel()
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) || err != nil && len(err.Error()) > 2000 {
			t.Errorf("%s: %v", tt.name, err)
		}
		if time.Since(start) > time.Minute {
			t.Errorf("%s: took %s", tt.name, time.Since(start))
		}
	}
	for _, name := range []string{"a;touch", "$(b)"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestAMadeUpCrowdIsFewMails: one report can name any number of sources.
func TestAMadeUpCrowdIsFewMails(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "h.db")
	for i := range 50 {
		reportFile(t, dir, "r.example", fmt.Sprintf("192.0.2.%d", i+1))
	}
	addr, mails := mailServer(t)
	target := "smtp://" + addr + "?from=dmarc@a.example&to=admin@a.example"
	for range 2 {
		if out, code := watch(t, db, "ingest", "-alert", target, dir); code > 1 || out == "" {
			t.Fatalf("code %d, %q", code, out)
		}
	}
	if len(mails) != alertMails {
		t.Fatalf("%d mails", len(mails))
	}
	var last string
	for range alertMails {
		last = <-mails
	}
	if !strings.Contains(last, "30 more alerts") {
		t.Errorf("the last mail:\n%s", last)
	}
	told := filepath.Join(dir, "told")
	watch(t, db, "ingest", "-alert", "tee -a "+told, dir)
	if data, err := os.ReadFile(told); err != nil || bytes.Count(data, []byte("\n")) != 50 {
		t.Errorf("a command got %d of 50, %v", bytes.Count(data, []byte("\n")), err)
	}
}

// TestAMailThatIsRefusedForItsWords comes without them, so that nobody's
// report id holds up what comes after.
func TestAMailThatIsRefusedForItsWords(t *testing.T) {
	addr, mails := mailServer(t)
	a, err := newAlerts("smtp://"+addr+"?from=dmarc@a.example&to=admin@a.example", false)
	if err != nil {
		t.Fatal(err)
	}
	e := entry("a.example")
	e.Report.Reporter, e.Report.ID = refusedWord, "1"
	if err := a.send(t.Context(), alert{Entry: e}); err != nil {
		t.Fatal(err)
	}
	if len(mails) != 1 {
		t.Fatalf("%d mails", len(mails))
	}
	if mail := <-mails; strings.Contains(mail, refusedWord) || !strings.Contains(mail, "dmarcwatch events -log") {
		t.Errorf("the mail:\n%s", mail)
	}
}
