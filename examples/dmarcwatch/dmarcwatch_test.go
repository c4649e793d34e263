package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
)

// hostileName is a name that would do something if it were let.
const hostileName = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`

// yesterday is taken once, so that no test reads two days off a clock that
// passes midnight. What the programs under test read is at most a day later.
var yesterday = time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -1)

// reportFile writes a report of yesterday with one failing source.
func reportFile(t *testing.T, dir, org, ip string) string {
	t.Helper()
	begin := yesterday
	r := &dmarcreport.Report{
		Metadata: dmarcreport.Metadata{OrgName: org, Email: "noreply@r.example", ReportID: "id-" + ip,
			DateRange: dmarcreport.DateRange{Begin: begin, End: begin.Add(24*time.Hour - time.Second)}},
		Policy: dmarcreport.PolicyPublished{Domain: "a.example", P: dmarcreport.DispositionReject},
		Records: []dmarcreport.Record{{SourceIP: netip.MustParseAddr(ip), Count: 3, HeaderFrom: "a.example",
			Evaluated: dmarcreport.Evaluated{Disposition: dmarcreport.DispositionReject, DKIM: dmarcreport.ResultFail, SPF: dmarcreport.ResultFail}}},
	}
	var b bytes.Buffer
	if err := r.WriteXML(&b, dmarcreport.RFC7489); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, ip+".xml")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// watch runs the program on a database of the test's own.
func watch(t *testing.T, db string, args ...string) (stdout string, code int) {
	t.Helper()
	var out, errs strings.Builder
	code = run(t.Context(), append([]string{"-db", db}, args...), strings.NewReader(""), &out, &errs)
	if errs.Len() > 0 {
		t.Logf("%v: %s", args, errs.String())
	}
	return out.String(), code
}

func TestIngestAlertsOnceByWebhook(t *testing.T) {
	var got []map[string]any
	down := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		var v map[string]any
		if err := json.NewDecoder(r.Body).Decode(&v); err != nil {
			t.Error(err)
		}
		got = append(got, v)
	}))
	defer server.Close()
	dir := t.TempDir()
	db := filepath.Join(dir, "h.db")
	name := reportFile(t, dir, "r.example", "192.0.2.66")
	if _, code := watch(t, db, "ingest", "-alert", server.URL, name); code != 1 {
		t.Errorf("code %d though the alert was not delivered", code)
	}
	down = false
	for range 2 {
		if out, code := watch(t, db, "ingest", "-alert", server.URL, name); code != 0 || out != "reports: 1 duplicate\n" {
			t.Errorf("code %d, %q", code, out)
		}
	}
	if len(got) != 1 || got[0]["text"] != "a.example: 192.0.2.66, never seen before, sends mail that fails DMARC" || got[0]["id"] == "" {
		t.Errorf("alerts: %v", got)
	}
}

func TestIngestAlertsByCommandAndMail(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "h.db")
	name := reportFile(t, dir, "r.example", "192.0.2.66")
	told := filepath.Join(dir, "told")
	if _, code := watch(t, db, "ingest", "-alert", "tee "+told, name); code != 0 {
		t.Errorf("code %d", code)
	}
	if data, err := os.ReadFile(told); err != nil || !bytes.Contains(data, []byte(`"kind":"new-failing-source"`)) {
		t.Errorf("the command got %q, %v", data, err)
	}
	addr, mails := mailServer(t)
	target := "smtp://" + addr + "?from=dmarc@a.example&to=admin@a.example"
	for range 2 {
		if _, code := watch(t, db, "ingest", "-alert", target, name); code != 0 {
			t.Errorf("code %d", code)
		}
	}
	select {
	case mail := <-mails:
		for _, want := range []string{"To: <admin@a.example>", "Auto-Submitted: auto-generated", "192.0.2.66"} {
			if !strings.Contains(mail, want) {
				t.Errorf("no %q in the mail:\n%s", want, mail)
			}
		}
	case <-time.After(5 * time.Second):
		t.Fatal("no mail")
	}
	select {
	case mail := <-mails:
		t.Errorf("a second mail:\n%s", mail)
	default:
	}
}

// refusedWord is what the mail server takes for spam.
const refusedWord = "GENERIC-TEST-OF-UNWANTED-MAIL"

// mailServer takes mails for as long as the test runs.
func mailServer(t *testing.T) (addr string, mails <-chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	taken := make(chan string, 100)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go takeMail(textproto.NewConn(conn), taken)
		}
	}()
	return l.Addr().String(), taken
}

func takeMail(c *textproto.Conn, taken chan<- string) {
	defer c.Close()
	c.PrintfLine("220 test")
	for {
		line, err := c.ReadLine()
		switch {
		case err != nil:
			return
		case line == "DATA":
			c.PrintfLine("354 go on")
			data, err := c.ReadDotBytes()
			if err != nil {
				return
			}
			if bytes.Contains(data, []byte(refusedWord)) {
				c.PrintfLine("554 no")
				continue
			}
			taken <- string(data)
			c.PrintfLine("250 taken")
		case line == "QUIT":
			c.PrintfLine("221 bye")
			return
		default:
			c.PrintfLine("250 yes")
		}
	}
}

func TestListsAndDigest(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "h.db")
	reportFile(t, dir, "r.example", "192.0.2.66")
	reportFile(t, dir, "r.example", "192.0.2.67")
	if out, code := watch(t, db, "ingest", dir); code == 0 || !strings.Contains(out, "2 accepted") {
		t.Errorf("ingest of a folder that holds a database too: %d, %q", code, out)
	}
	for _, tt := range []struct{ args, want string }{
		{"sources a.example", "failing"},
		{"sources -json a.example", `"source":"192.0.2.66"`},
		{"events", "never seen before"},
		{"events -log", "told"},
		{"digest", "6 messages from 2 sources in 2 reports, 0.0% passed"},
		{"digest -format html a.example", "needs attention"},
		{"digest -until 2020-01-01 a.example", "no reports about this period have arrived"},
	} {
		if out, code := watch(t, db, strings.Fields(tt.args)...); code != 0 || !strings.Contains(out, tt.want) {
			t.Errorf("%s: code %d, no %q in %q", tt.args, code, tt.want, out)
		}
	}
	addr, mails := mailServer(t)
	for _, want := range []string{": sent\n", ": sent before, one an address and period: nothing was mailed now\n"} {
		out, code := watch(t, db, "digest", "-send", "smtp://"+addr, "-from", "dmarc@a.example", "-to", "Admin <admin@a.example>")
		if code != 0 || !strings.HasSuffix(out, want) {
			t.Errorf("digest -send: %d, %q", code, out)
		}
	}
	if mail := <-mails; !strings.Contains(mail, "multipart/related") || len(mails) != 0 {
		t.Errorf("%d more mails after:\n%.500s", len(mails), mail)
	}
	if _, code := watch(t, db, "nonsense"); code != 2 {
		t.Errorf("a wrong call has code %d", code)
	}
}

func TestOnlyAuthenticatedMailIsBelieved(t *testing.T) {
	for _, tt := range []struct {
		name, header string
		want         bool
	}{
		{"pass", "Authentication-Results: mx.a.example; dmarc=pass header.from=r.example\r\n", true},
		{"fail", "Authentication-Results: mx.a.example; dmarc=fail header.from=r.example\r\n", false},
		{"another server's", "Authentication-Results: mx.evil.example; dmarc=pass\r\n", false},
		{"a forged one below", "Authentication-Results: mx.a.example; dmarc=fail\r\nAuthentication-Results: mx.a.example; dmarc=pass\r\n", false},
		{"none", "Subject: report\r\n", false},
	} {
		if got := authenticated([]byte(tt.header+"From: x@r.example\r\n\r\nbody"), "mx.a.example"); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

func TestPruneForgetsNoSource(t *testing.T) {
	db := filepath.Join(t.TempDir(), "h.db")
	a := &app{dsn: db, stdout: io.Discard, stderr: t.Output()}
	h, closeDB, err := a.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer closeDB()
	old := yesterday.AddDate(-2, 0, 0)
	r := &dmarcreport.Report{
		Metadata: dmarcreport.Metadata{OrgName: "r.example", ReportID: "old", DateRange: dmarcreport.DateRange{Begin: old, End: old.Add(24*time.Hour - time.Second)}},
		Policy:   dmarcreport.PolicyPublished{Domain: "a.example", P: dmarcreport.DispositionReject},
		Records: []dmarcreport.Record{{SourceIP: netip.MustParseAddr("192.0.2.66"), Count: 3, HeaderFrom: "a.example",
			Evaluated: dmarcreport.Evaluated{DKIM: dmarcreport.ResultPass, SPF: dmarcreport.ResultFail}}},
	}
	s := history.Of(r)
	s.Authentic, s.Learnt = true, old.AddDate(0, 0, 1)
	if _, err := h.Add(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if _, code := watch(t, db, "prune", "-keep", "0"); code == 0 {
		t.Error("prune -keep 0 would keep nothing, and went through")
	}
	if out, code := watch(t, db, "prune"); code != 0 || !strings.HasPrefix(out, "kept from ") {
		t.Errorf("prune: %d, %q", code, out)
	}
	if rows, err := h.Rows(t.Context(), "a.example", "", history.Period{}); err != nil || len(rows) != 0 {
		t.Errorf("rows of two years ago: %v, %v", rows, err)
	}
	watch(t, db, "ingest", reportFile(t, t.TempDir(), "r.example", "192.0.2.66"))
	want := fmt.Sprintf("192.0.2.66 passed until %s and now fails", history.DayOf(old))
	if out, _ := watch(t, db, "events"); !strings.Contains(out, want) || strings.Contains(out, "never seen before") {
		t.Errorf("events: %q, want %q", out, want)
	}
}

func TestEveryLooksAgainForNewFiles(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(t.TempDir(), "h.db")
	reportFile(t, dir, "r.example", "192.0.2.1")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, in := io.Pipe()
	done := make(chan int)
	go func() {
		done <- run(ctx, []string{"-db", db, "ingest", "-every", "10ms", dir}, strings.NewReader(""), in, t.Output())
	}()
	lines := bufio.NewScanner(out)
	for i, ip := range []string{"192.0.2.2", "192.0.2.3", ""} {
		if !lines.Scan() || lines.Text() != "reports: 1 accepted" {
			t.Fatalf("look %d: %q, %v", i, lines.Text(), lines.Err())
		}
		if ip != "" {
			next := reportFile(t, t.TempDir(), "r.example", ip)
			if err := os.Rename(next, filepath.Join(dir, ip+".xml")); err != nil {
				t.Fatal(err)
			}
		}
	}
	cancel()
	if code := <-done; code != 0 {
		t.Errorf("an interrupted watch has code %d", code)
	}
}
