package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/internal/corpora"
)

func init() { now = func() time.Time { return time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC) } }

var update = flag.Bool("update", false, "write the golden files anew")

// runExplain runs the program and returns what it prints and its exit code.
func runExplain(t *testing.T, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(stdin), &out, &errs)
	return out.String(), errs.String(), code
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}

func TestTheReadmesFirstAnswer(t *testing.T) {
	stdout, stderr, code := runExplain(t, "", "testdata/blames-permissions.eml")
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	golden(t, "blames-permissions.txt", stdout)
}

func TestJSONHasTheContractsShape(t *testing.T) {
	stdout, _, code := runExplain(t, "", "-json", "testdata/blames-permissions.eml")
	if code != 0 || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("exit code %d, %d lines", code, strings.Count(stdout, "\n"))
	}
	var d struct {
		SchemaVersion int    `json:"schema_version"`
		File          string `json:"file"`
		Kind          string
		Layout        string
		Recipients    []struct {
			FinalRecipient string `json:"final_recipient"`
			Action, Status string
			StatedOwner    string `json:"stated_owner"`
			Refuser        struct{ By, Side string }
			Diagnosis      struct {
				Condition string
				Owners    []string
				Resend    struct{ Advice string }
				Checks    []any
				Caveats   []struct{ ID string }
			}
		}
		Findings []any
	}
	if err := json.Unmarshal([]byte(stdout), &d); err != nil {
		t.Fatal(err)
	}
	r := d.Recipients[0]
	for name, pair := range map[string][2]string{
		"file":      {d.File, "testdata/blames-permissions.eml"},
		"kind":      {d.Kind, "delivery-status"},
		"layout":    {d.Layout, "two-section"},
		"recipient": {r.FinalRecipient, "bob@example.com"},
		"action":    {r.Action, "failed"},
		"status":    {r.Status, "5.7.129"},
		"refuser":   {r.Refuser.By + " " + r.Refuser.Side, "same-server recipient"},
		"condition": {r.Diagnosis.Condition, "not-on-accept-list"},
		"owners":    {strings.Join(r.Diagnosis.Owners, " "), "recipient-admin"},
		"resend":    {r.Diagnosis.Resend.Advice, "after-fix"},
		"caveat":    {r.Diagnosis.Caveats[0].ID, "disabled-account"},
		"stated":    {r.StatedOwner, "unknown"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %q, want %q", name, pair[0], pair[1])
		}
	}
	if d.SchemaVersion != 1 || strings.Contains(stdout, "null") {
		t.Errorf("schema version %d; absent lists must be []: %s", d.SchemaVersion, stdout)
	}
}

func TestEveryShapeOfInput(t *testing.T) {
	text, err := os.ReadFile("../../ndr/testdata/pasted-current-collapsed.txt")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, in string
		args     []string
		want     []string // recipient and condition of each document
		code     int
	}{
		{"a bare reply on the command line", "", []string{"-json", "-reply", "550 5.2.2 Submission quota exceeded"}, []string{" submission-quota"}, 0},
		{"a bare reply on standard input", "550 5.1.1 user unknown\n", []string{"-json", "-"}, []string{" recipient-not-found"}, 0},
		{"pasted text", string(text), []string{"-json", "-"}, []string{"bob@contoso.example recipient-not-found"}, 0},
		{"pasted HTML", "<html><body><p>Delivery has failed to these recipients or groups:</p><p>bob@example.com<br>Gone.</p><p>Diagnostic information for administrators:</p><p>Generating server: a.prod.outlook.com</p><p>bob@example.com<br>Remote Server returned '550 5.1.1 RESOLVER.ADR.RecipNotFound; not found'</p></body></html>",
			[]string{"-json", "-"}, []string{"bob@example.com recipient-not-found"}, 0},
		{"a Postfix log", "Jan  1 00:00:00 m postfix/smtp[1]: A: to=<bob@example.com>, relay=mx.example.com[192.0.2.1]:25, delay=1, dsn=5.2.2, status=bounced (host mx.example.com[192.0.2.1] said: 552 5.2.2 mailbox full (in reply to RCPT TO command))\n",
			[]string{"-json", "-"}, []string{"bob@example.com mailbox-full"}, 0},
		{"an ordinary mail", "From: a@example.org\nSubject: lunch\n\nat 550 Main Street?\n", []string{"-json", "-"}, []string{"not-a-report"}, 1},
		{"an mbox", "From a Thu Jan  1 00:00:00 2026\nFrom: a@example.org\nSubject: x\n\nhi\n\nFrom mailer-daemon Thu Jan  1 00:00:01 2026\nFrom: mailer-daemon@example.org\nSubject: failure notice\nX-Failed-Recipients: bob@example.com\n\n550 5.1.1 user unknown\n",
			[]string{"-json", "-"}, []string{"not-a-report", "bob@example.com recipient-not-found"}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			stdout, stderr, code := runExplain(t, test.in, test.args...)
			if code != test.code || (code == 1) != (stderr != "") {
				t.Errorf("exit code %d, stderr %q", code, stderr)
			}
			var got []string
			for line := range strings.Lines(stdout) {
				var d struct {
					Kind       string
					Recipients []struct {
						FinalRecipient string `json:"final_recipient"`
						Diagnosis      struct{ Condition string }
					}
				}
				if err := json.Unmarshal([]byte(line), &d); err != nil {
					t.Fatal(err)
				}
				if len(d.Recipients) == 0 {
					got = append(got, d.Kind)
				}
				for _, r := range d.Recipients {
					got = append(got, r.FinalRecipient+" "+r.Diagnosis.Condition)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestThePageShowsHostileMarkupAsText(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	if _, stderr, code := runExplain(t, "", "-html", file, "-reply", "550 5.1.1 <script>alert(1)</script> user unknown"); code != 0 {
		t.Fatal(stderr)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	if strings.Contains(page, "<script>") || !strings.Contains(page, "&lt;script&gt;") {
		t.Error("markup of the reply is not escaped")
	}
	if !strings.Contains(page, "<mark>user unknown</mark>") {
		t.Error("the deciding words are not marked")
	}
	for _, remote := range []string{"http://", "https://", "src="} {
		if strings.Contains(page, remote) {
			t.Errorf("the page refers to %s", remote)
		}
	}
}

// A report's page has the way the message took, and the deciding words marked
// in the report's own text.
func TestThePageShowsTheWayAndTheReportsOwnWords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	if _, stderr, code := runExplain(t, "", "-html", file, "../../ndr/testdata/current-2017-sender.eml", "../../dsn/testdata/mta/postfix-unknown-user.eml"); code != 0 {
		t.Fatal(stderr)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(string(data)), " ")
	for what, want := range map[string]string{
		"a hop with its delay":        `AM0PR02.eurprd02.prod.outlook.com <span class="tag">Microsoft</span> <span class="soft">after 2s</span>`,
		"words marked in the reply":   "<pre>550 5.1.10 <mark>RESOLVER.ADR.RecipientNotFound</mark>; Recipient",
		"words marked in the text":    "Reported error: 550 5.1.10 <mark>RESOLVER.ADR.RecipientNotFound</mark>",
		"who acts first":              `<li class="acts">Sender<b>acts first</b>`,
		"the first move":              "<b>First move, sender:</b>",
		"the second report's own way": "postfix-unknown-user.eml",
		"a policy for the browser":    "default-src 'none'",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s: no %q", what, want)
		}
	}
}

func TestAFileThatCannotBeReadDoesNotStopTheRest(t *testing.T) {
	stdout, stderr, code := runExplain(t, "", "-json", "testdata/absent.eml", "testdata/blames-permissions.eml")
	if code != 1 || !strings.Contains(stderr, "absent.eml") || strings.Count(stdout, "\n") != 1 {
		t.Errorf("exit code %d, stderr %q, stdout %q", code, stderr, stdout)
	}
}

// Every file of the corpora gives one valid document.
func TestCorpora(t *testing.T) {
	dir := corpora.Dir(t, "bounces")
	stdout, _, _ := runExplain(t, "", "-json", dir, corpora.Dir(t, "ndr"), corpora.Dir(t, "arf"))
	documents := 0
	for line := range strings.Lines(stdout) {
		var d document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		documents++
	}
	if documents < 400 {
		t.Errorf("%d documents", documents)
	}
}

// TestAroundIt joins a trace and the sent messages to a report.
func TestAroundIt(t *testing.T) {
	const report = "../../ndr/testdata/current-2017-sender.eml"
	sent := filepath.Join(t.TempDir(), "sent")
	if err := os.WriteFile(sent, []byte("<offer-2@fabrikam.example>\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, []byte("another@fabrikam.example\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"the trace to ask for, within ten days", nil, "Get-MessageTraceV2"},
		{"a row of the trace", []string{"-trace", "../../ndr/messagetrace/testdata/deleted-bounces.csv"}, "line 2, 2026-11-28 09:05:04: bob@contoso.example, recipient-not-found"},
		{"a message that was sent", []string{"-sent", sent}, "Sent Items"},
		{"backscatter", []string{"-sent", other}, "the report is backscatter"},
		{"who retries", nil, "Exchange Online retries inside the service"},
		{"send again", nil, "draws the same reply"},
	} {
		stdout, stderr, code := runExplain(t, "", append(tt.args, report)...)
		if got := strings.Join(strings.Fields(stdout), " "); code != 0 || !strings.Contains(got, tt.want) {
			t.Errorf("%s: exit code %d, %q not in\n%s%s", tt.name, code, tt.want, stdout, stderr)
		}
	}
	if _, stderr, code := runExplain(t, "", "-trace", report, report); code != 2 || !strings.Contains(stderr, "not a message trace") {
		t.Errorf("a report as a trace: exit code %d, %s", code, stderr)
	}
}

// A report about a mail that was not sent tells nobody to mend or resend it:
// neither the text nor the page, whoever wrote the report.
func TestBackscatterGivesTheSenderNothingToDo(t *testing.T) {
	sent, page := filepath.Join(t.TempDir(), "sent"), filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(sent, []byte("another@fabrikam.example\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, report := range []string{"../../ndr/testdata/current-2017-sender.eml", "../../dsn/testdata/mta/postfix-unknown-user.eml"} {
		stdout, stderr, code := runExplain(t, "", "-sent", sent, "-html", page, report)
		data, err := os.ReadFile(page)
		if err != nil || code != 0 {
			t.Fatal(err, stderr)
		}
		for what, text := range map[string]string{"text": stdout, "page": html.UnescapeString(string(data))} {
			text = strings.Join(strings.Fields(text), " ")
			if !strings.Contains(text, "backscatter") || !strings.Contains(text, explained.ForgedAdvice) {
				t.Errorf("%s of %s does not say what to do:\n%s", what, report, text)
			}
			for _, no := range []string{"First sender", "First move", "acts first", "Resend", "Owners", "Suspend"} {
				if strings.Contains(text, no) {
					t.Errorf("%s of %s: %q", what, report, no)
				}
			}
		}
	}
}

func TestNamesAndPagesCannotDriveTheTerminal(t *testing.T) {
	dir := t.TempDir()
	name, page := filepath.Join(dir, "\x1b[31mname"), filepath.Join(dir, "page.html")
	if err := os.WriteFile(name, []byte("no report"), 0o644); err != nil {
		t.Skip(err)
	}
	_, stderr, code := runExplain(t, "", name, filepath.Join(dir, "\x1b[31mabsent"))
	if code != 1 || strings.Contains(stderr, "\x1b") || strings.Count(stderr, "\n") != 2 {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	mail := "550 5.1.1 \x1b]0;title\x07 \u202euser\u200f\u061c unknown"
	stdout, _, _ := runExplain(t, "", "-html", page, "-reply", mail)
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{"text": stdout, "page": string(html)} {
		if strings.ContainsAny(text, "\x1b\x07\u202e\u200f\u061c") {
			t.Errorf("%s: %q", what, text)
		}
	}
}
