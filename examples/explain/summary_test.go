package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mailLog is a Postfix log of n failures: half of them at one domain that is
// down, the rest dead addresses all over.
func mailLog(n int) string {
	var b strings.Builder
	for i := range n {
		if i%2 == 0 {
			fmt.Fprintf(&b, "Dec  1 10:00:00 out.example.com postfix/smtp[1]: A%d: to=<u%d@down.example>, relay=none, delay=30, delays=0/0/30/0, dsn=4.4.1, status=deferred (connect to mx.down.example[192.0.2.9]:25: Connection timed out)\n", i, i)
		} else {
			fmt.Fprintf(&b, "Dec  1 10:00:00 out.example.com postfix/smtp[1]: A%d: to=<u%d@d%d.example>, relay=mx.d%d.example[192.0.2.1]:25, delay=1, delays=0/0/1/0, dsn=5.1.1, status=bounced (host mx.d%d.example[192.0.2.1] said: 550 5.1.1 User unknown (in reply to RCPT TO command))\n", i, i, i%40, i%40, i%40)
		}
	}
	return b.String()
}

func TestSummarySaysPatternsFirst(t *testing.T) {
	stdout, stderr, code := runExplain(t, mailLog(200), "-summary", "-")
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	golden(t, "summary.txt", stdout)
}

func TestSummaryCountsTheSameInEveryForm(t *testing.T) {
	log := mailLog(2000)
	stdout, _, _ := runExplain(t, log, "-summary", "-json", "-")
	var s summary
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatal(err)
	}
	if s.Failures != 2000 || s.Conditions[0].Count != 1000 || s.Conditions[1].Count != 1000 || s.Domains[0].Key != "down.example" || s.Domains[0].Count != 1000 {
		t.Errorf("%+v", s)
	}
	if len(s.Suppress) != 1000 || s.Suppress[0].Condition != "recipient-not-found" || s.Suppress[0].Reason == "" {
		t.Errorf("%d addresses to stop mailing, want the dead ones alone", len(s.Suppress))
	}
	stdout, _, _ = runExplain(t, log, "-summary", "-csv", "-")
	for _, want := range []string{"table,key,count", "pattern,one-domain,1000", "pattern,stale-addresses,1000", "condition,recipient-not-found,1000", "domain,down.example,1000"} {
		if !strings.Contains(stdout, want+"\n") {
			t.Errorf("no %q in %s", want, stdout)
		}
	}
}

// The lines that explain -json prints, and other programs' objects, can be
// summed up in their turn.
func TestSummaryReadsJSONLines(t *testing.T) {
	documents, _, _ := runExplain(t, mailLog(100), "-json", "-")
	other := `{"type":"Bounce","recipient":"x@example.net","response":{"code":550,"enhanced_code":{"class":5,"subject":1,"detail":1},"content":"user unknown"},"peer_address":{"name":"mx.example.net"}}
{"type":"TransientFailure","recipient":"y@example.net","response":{"code":452,"enhanced_code":null,"content":"4.2.2 over quota"}}
{"type":"Delivery","recipient":"z@example.net","response":{"code":250,"content":"ok"}}
{"bounce":{"reportingMTA":"dns; a.example","bouncedRecipients":[{"emailAddress":"w@example.net","status":"5.1.1","diagnosticCode":"smtp; 550 5.1.1 user unknown"}]}}
{"email":"v@example.net","reply":"550 5.7.1 relaying denied"}
`
	stdout, stderr, code := runExplain(t, documents+other, "-summary", "-json", "-")
	var s summary
	if err := json.Unmarshal([]byte(stdout), &s); err != nil || code != 0 {
		t.Fatal(err, code, stderr)
	}
	counts := map[string]int{}
	for _, c := range s.Conditions {
		counts[c.Key.String()] = c.Count
	}
	want := map[string]int{"recipient-not-found": 52, "connection-timed-out": 50, "mailbox-full": 1, "relay-denied": 1}
	for condition, n := range want {
		if counts[condition] != n {
			t.Errorf("%s: %d, want %d of %v", condition, counts[condition], n, counts)
		}
	}
}

func TestSuppressionListGivesReasonsAndNoFormula(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list.csv")
	log := mailLog(10) + `{"email":"=1+cmd@example.net","reply":"550 5.1.1 user unknown"}` + "\n"
	stdout, stderr, code := runExplain(t, log, "-summary", "-suppress", list, "-")
	if code != 0 {
		t.Fatal(stderr)
	}
	if !strings.Contains(stdout, "; the file of -suppress lists them with reasons\n") {
		t.Errorf("the list is asked for once more:\n%s", stdout)
	}
	data, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(rows) != 7 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows[1:] {
		if row[1] != "suspend" || row[2] != "recipient-not-found" || row[4] == "" || row[5] == "" || strings.HasPrefix(row[0], "=") {
			t.Errorf("row %d: %q", i, row)
		}
	}
}

func TestSummaryPageShowsHostileTextAsText(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	log := mailLog(100) + `{"email":"x@<script>alert(1)</script>\u202e.example","reply":"550 5.1.1 user unknown"}` + "\n"
	if _, stderr, code := runExplain(t, log, "-summary", "-html", file, "-"); code != 0 {
		t.Fatal(stderr)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	if strings.Contains(page, "<script") || strings.Contains(page, "\u202e") || strings.Contains(page, "http://") || strings.Contains(page, "https://") {
		t.Error("markup, controls or remote addresses on the page")
	}
	if strings.Count(page, "<svg") < 4 || !strings.Contains(page, "Content-Security-Policy") || !strings.Contains(page, "down.example") {
		t.Errorf("no charts: %s", page)
	}
}

// interrupting ends the context when so much has been read.
type interrupting struct {
	r      io.Reader
	left   int
	cancel func()
}

func (i *interrupting) Read(b []byte) (int, error) {
	n, err := i.r.Read(b[:min(len(b), 4096)])
	if i.left -= n; i.left < 0 {
		i.cancel()
	}
	return n, err
}

// Wherever a run is interrupted, it ends at once, its CSV does not look like a
// whole one, and the run after it gives what a run gives that was never
// interrupted.
func TestRunAfterAnInterruptionGivesTheSame(t *testing.T) {
	quiet := strings.Repeat("Dec  1 10:00:00 out.example.com postfix/qmgr[1]: A: removed\n", 20_000) // tells of no failure
	log := mailLog(3000) + quiet
	run := func(format string, cut int) (string, string, int) {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var in io.Reader = strings.NewReader(log)
		if cut > 0 {
			in = &interrupting{in, cut, cancel}
		}
		o := options{summary: true, json: format == "json", csv: format == "csv", paths: []string{"-"},
			suppress: filepath.Join(dir, "list.csv"), html: filepath.Join(dir, "page.html")}
		var stdout, stderr bytes.Buffer
		code := summarize(ctx, o, in, bufio.NewWriter(&stdout), &stderr)
		list, _ := os.ReadFile(o.suppress)
		page, _ := os.ReadFile(o.html)
		return stdout.String(), string(list) + string(page), code
	}
	for _, format := range []string{"text", "json", "csv"} {
		whole, files, code := run(format, 0)
		if code != 0 || files == "" {
			t.Fatalf("%s: exit code %d", format, code)
		}
		for _, cut := range []int{1, 100_000, len(log) / 2, len(log) - 200_000} {
			part, none, code := run(format, cut)
			if code != 130 || none != "" || part == whole || format == "csv" && part != "" || format == "text" && !strings.Contains(part, "Interrupted") || format == "json" && !strings.Contains(part, `"interrupted":true`) {
				t.Errorf("%s, cut at %d: exit code %d, %d bytes of files, %.200s", format, cut, code, len(none), part)
			}
			if again, same, code := run(format, 0); code != 0 || again != whole || same != files {
				t.Errorf("%s, after a cut at %d: exit code %d, not the same", format, cut, code)
			}
		}
	}
}

// An interrupted run leaves the files of an earlier one alone and says so; the
// same command run again makes them anew.
func TestInterruptedSummaryWritesNoFile(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "list.csv")
	if err := os.WriteFile(list, []byte("earlier"), 0o644); err != nil {
		t.Fatal(err)
	}
	o := options{summary: true, suppress: list, paths: []string{"-"}}
	run := func(ctx context.Context) (string, int) {
		var stdout, stderr bytes.Buffer
		code := summarize(ctx, o, strings.NewReader(mailLog(100)), bufio.NewWriter(&stdout), &stderr)
		return stderr.String(), code
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stderr, code := run(ctx)
	if data, _ := os.ReadFile(list); code != 130 || string(data) != "earlier" || !strings.Contains(stderr, "Run it again") {
		t.Errorf("exit code %d, %s, file %q", code, stderr, data)
	}
	if stderr, code := run(context.Background()); code != 0 {
		t.Fatal(stderr)
	}
	if data, _ := os.ReadFile(list); bytes.Count(data, []byte("\n")) != 51 {
		t.Errorf("%d lines", bytes.Count(data, []byte("\n")))
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("files left behind: %v", left)
	}
}
