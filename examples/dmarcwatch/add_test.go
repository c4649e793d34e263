package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// namedLast returns a report with its policy after the records.
func namedLast(t *testing.T, records, sources int) []byte {
	t.Helper()
	data, err := io.ReadAll(largeXML(records, sources, func(int) {}))
	if err != nil {
		t.Fatal(err)
	}
	start, rest, ok := bytes.Cut(data, []byte("<policy_published>"))
	policy, rest, ok2 := bytes.Cut(rest, []byte("</policy_published>"))
	body, ok3 := bytes.CutSuffix(rest, []byte("</feedback>"))
	if !ok || !ok2 || !ok3 {
		t.Fatal("not the report that was expected")
	}
	return fmt.Appendf(nil, "%s%s<policy_published>%s</policy_published></feedback>", start, body, policy)
}

func TestALargeReportWhosePolicyStandsLast(t *testing.T) {
	const records, sources = 60_000, 300 // more than are gathered
	data := namedLast(t, records, sources)
	usual, err := io.ReadAll(largeXML(records, sources, func(int) {}))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "last.xml")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "h.db")
	if out, code := watch(t, db, "ingest", dir); code != 0 || out != "reports: 1 accepted\n" {
		t.Fatalf("a file: %d, %q", code, out)
	}
	if out, _ := watch(t, db, "sources", "-json", "a.example"); strings.Count(out, "\n") != sources || strings.Count(out, `"pass":400,`) != sources-sources/100 {
		t.Errorf("sources: %.300s", out)
	}
	// The order of its elements does not make it another report.
	var errs strings.Builder
	if code := run(t.Context(), []string{"-db", db, "ingest", "-"}, bytes.NewReader(usual), io.Discard, &errs); code != 0 {
		t.Errorf("the same report in the usual order: %d, %s", code, errs.String())
	}
	if out, _ := watch(t, db, "ingest", dir); out != "reports: 1 duplicate\n" {
		t.Errorf("again: %q", out)
	}
	// What cannot be read twice is refused, and that says why.
	errs.Reset()
	if code := run(t.Context(), []string{"-db", db, "ingest", "-"}, bytes.NewReader(data), io.Discard, &errs); code != 1 ||
		!strings.Contains(errs.String(), "Gathered") || !strings.Contains(errs.String(), "give it as a file") {
		t.Errorf("from standard input: %d, %s", code, errs.String())
	}
}

func TestALargeReportWhosePolicyStandsLastInAnMbox(t *testing.T) {
	var b bytes.Buffer
	for i, records := range []int{6000, 7000} {
		fmt.Fprintf(&b, "From r@r.example Thu Jan  1 00:00:0%d 2026\nSubject: report\nContent-Type: application/xml\n\n%s\n\n", i,
			bytes.Replace(namedLast(t, records, 10*(i+1)), []byte("<report_id>1<"), fmt.Appendf(nil, "<report_id>m%d<", i), 1))
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "mbox")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(dir, "h.db")
	if out, code := watch(t, db, "ingest", name); code != 0 || out != "reports: 2 accepted\n" {
		t.Fatalf("%d, %q", code, out)
	}
	if out, _ := watch(t, db, "events", "a.example"); strings.Count(out, "\n") != 1 {
		t.Errorf("events: %s", out)
	}
}

func TestWhatIsNotTakenIsNamed(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(t.TempDir(), "h.db")
	name := reportFile(t, dir, "r.example", "192.0.2.66")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for file, change := range map[string]func([]byte) []byte{
		"b-conflict.xml": func(data []byte) []byte { return bytes.Replace(data, []byte("<count>3<"), []byte("<count>4<"), 1) },
		"c-nobody.xml": func(data []byte) []byte {
			return bytes.ReplaceAll(data, []byte("<domain>a.example<"), []byte("<domain><"))
		},
	} {
		if err := os.WriteFile(filepath.Join(dir, file), change(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs strings.Builder
	code := run(t.Context(), []string{"-db", db, "ingest", dir}, strings.NewReader(""), &out, &errs)
	if code != 1 || out.String() != "reports: 1 accepted, 1 conflict, 1 invalid\n" {
		t.Errorf("%d, %q", code, out.String())
	}
	for _, want := range []string{"b-conflict.xml: report", "differs", "c-nobody.xml: report", "names no policy domain", "1 of the inputs could not be read or kept"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("no %q in:\n%s", want, errs.String())
		}
	}
}

func TestOnlyDomainsOfOnesOwn(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(t.TempDir(), "h.db")
	name := reportFile(t, dir, "r.example", "192.0.2.66")
	for _, tt := range [][2]string{
		{"b.example", "reports: 1 about other domains\n"},
		{"xample", "reports: 1 about other domains\n"},
		{"b.example, A.example", "reports: 1 accepted\n"},
		{"example", "reports: 1 duplicate\n"},
		{"", "reports: 1 duplicate\n"},
	} {
		if out, code := watch(t, db, "ingest", "-domains", tt[0], name); code != 0 || out != tt[1] {
			t.Errorf("-domains %q: %d, %q", tt[0], code, out)
		}
	}
}

func TestReadingAHistoryThatIsNotThere(t *testing.T) {
	db := filepath.Join(t.TempDir(), "none.db")
	for _, args := range [][]string{{"sources", "a.example"}, {"events"}, {"digest"}, {"prune"}} {
		if out, code := watch(t, db, args...); code != 1 || out != "" {
			t.Errorf("%v: %d, %q", args, code, out)
		}
	}
	if _, err := os.Stat(db); err == nil {
		t.Error("a file was made")
	}
	watch(t, db, "ingest", reportFile(t, t.TempDir(), "r.example", "192.0.2.66"))
	for _, args := range [][]string{{"sources", "b.example"}, {"events", "b.example"}} {
		if out, code := watch(t, db, args...); code != 1 || out != "" {
			t.Errorf("%v: %d, %q", args, code, out)
		}
	}
	if out, code := watch(t, db, "sources", "a.example", "-json"); code != 0 || !strings.HasPrefix(out, `{"source":"192.0.2.66"`) {
		t.Errorf("a flag behind the domain: %d, %q", code, out)
	}
	if out, code := watch(t, db, "sources", "--", "-json"); code != 1 || out != "" {
		t.Errorf("a domain behind --: %d, %q", code, out)
	}
	if out, code := watch(t, db, "digest", "b.example"); code != 0 || !strings.Contains(out, "no reports about this period") {
		t.Errorf("a digest of a domain without reports: %d, %q", code, out)
	}
	// A domain is found however it is written, and the database after the command too.
	var out strings.Builder
	if code := run(t.Context(), []string{"sources", "-db", db, "A.Example."}, nil, &out, t.Output()); code != 0 || !strings.Contains(out.String(), "192.0.2.66") {
		t.Errorf("%d, %q", code, out.String())
	}
}

func TestTerminalsAreNotSteered(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "h.db")
	data, err := os.ReadFile(reportFile(t, dir, "r.example", "192.0.2.66"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "a.xml")
	if err := os.WriteFile(name, bytes.ReplaceAll(data, []byte("a.example"), []byte("a&#x202e;&#x9b;2J.example")), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _ := watch(t, db, "ingest", name); !strings.Contains(out, "accepted") {
		t.Fatal(out)
	}
	for _, args := range [][]string{{"events"}, {"events", "-log"}, {"digest"}, {"digest", "-format", "html"}} {
		if out, code := watch(t, db, args...); code != 0 || strings.ContainsAny(out, "\u202e\u009b") || !strings.Contains(out, "192.0.2.66") {
			t.Errorf("%v: %d, %q", args, code, out)
		}
	}
}

func TestADatabaseThatIsNone(t *testing.T) {
	name := reportFile(t, t.TempDir(), "r.example", "192.0.2.66")
	dir := t.TempDir()
	for _, db := range []string{dir, filepath.Join(dir, "nowhere", "h.db"), name} {
		var errs strings.Builder
		if code := run(t.Context(), []string{"-db", db, "ingest", name}, nil, io.Discard, &errs); code != 1 || !strings.Contains(errs.String(), db) {
			t.Errorf("%s: %d, %s", db, code, errs.String())
		}
	}
}

func TestSourcesWithoutEnd(t *testing.T) {
	db := filepath.Join(t.TempDir(), "h.db")
	name := filepath.Join(t.TempDir(), "r.xml")
	data, err := io.ReadAll(largeXML(6000, 6000, func(int) {}))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := watch(t, db, "ingest", "-max-sources", "5999", name); code != 1 || out != "reports: 1 invalid\n" {
		t.Errorf("%d, %q", code, out)
	}
	if out, code := watch(t, db, "ingest", "-max-sources", "6000", name); code != 0 || out != "reports: 1 accepted\n" {
		t.Errorf("%d, %q", code, out)
	}
}
