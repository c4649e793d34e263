package smtpcode_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/internal/corpora"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

// The judgement of the shared bounce corpus agrees with the peer's where the
// peer read a reason, through the published mapping of its names. Where it does
// not, the table of disagreements argues what is right.
func TestAgreementWithThePeer(t *testing.T) {
	dir := corpora.Dir(t, "bounces")
	mapping := make(map[string][]string)
	for _, row := range tsv(t, "testdata/peer-conditions.tsv", 2) {
		mapping[row[0]] = strings.Fields(row[1])
	}
	argued := make(map[[3]string]bool)
	for _, row := range tsv(t, "testdata/peer-disagreements.tsv", 5) {
		argued[[3]string{row[0], row[1], row[2]}] = false
	}
	judged, agreed := 0, 0
	for _, row := range tsv(t, filepath.Join(dir, "peer.tsv"), 16) {
		file, status, reason, recipient, alias := row[0], row[3], row[5], row[8], row[9]
		if invented(status) || reason == "" {
			continue
		}
		names, known := mapping[reason]
		if !known {
			t.Errorf("%s: the mapping lacks the reason %q", file, reason)
			continue
		}
		if slices.Equal(names, []string{"-"}) {
			continue
		}
		judged++
		ours := "no-failure"
		if f := failureOf(failuresOf(t, filepath.Join(dir, "eml", file+".eml")), recipient, alias); f != nil {
			ours = smtpcode.Diagnose(*f).Condition.String()
		}
		if slices.Contains(names, ours) {
			agreed++
			continue
		}
		key := [3]string{file, reason, ours}
		if _, ok := argued[key]; !ok {
			t.Errorf("%s: the peer says %s, we say %s: not argued", file, reason, ours)
		}
		argued[key] = true
	}
	for key, differs := range argued {
		if !differs {
			t.Errorf("%v: argued, but nothing differs", key)
		}
	}
	t.Logf("%d of %d rows agree: %.1f%%", agreed, judged, 100*float64(agreed)/float64(judged))
	if judged < 300 || agreed*100 < judged*95 {
		t.Errorf("%d of %d rows agree, want 95%%", agreed, judged)
	}
}

// Every group and text bounce gets a diagnosis; it is "unknown" only in the
// files of the table, which gives the reason of each.
func TestUnknownOnlyWhereTheTextIsSilent(t *testing.T) {
	dir := corpora.Dir(t, "bounces")
	silent := make(map[string]bool)
	for _, row := range tsv(t, "testdata/unknown.tsv", 2) {
		silent[row[0]] = false
	}
	failures := 0
	for _, row := range tsv(t, filepath.Join(dir, "classes.tsv"), 2) {
		if !strings.HasPrefix(row[1], "a") && !strings.HasPrefix(row[1], "b") {
			continue
		}
		file := row[0]
		found := failuresOf(t, filepath.Join(dir, "eml", file+".eml"))
		unknown := len(found) == 0
		for i := range found {
			failures++
			switch found[i].Action {
			case smtpcode.Delivered, smtpcode.Relayed, smtpcode.Expanded:
				continue
			}
			d := smtpcode.Diagnose(found[i])
			if len(d.Owners) == 0 || len(d.Steps) == 0 || d.Summary == "" {
				t.Errorf("%s: no full diagnosis: %+v", file, d)
			}
			unknown = unknown || d.Condition == smtpcode.UnknownCondition
		}
		if _, listed := silent[file]; unknown && !listed {
			t.Errorf("%s: unknown, and no reason is given", file)
		}
		if unknown {
			silent[file] = true
		}
	}
	for file, unknown := range silent {
		if !unknown {
			t.Errorf("%s: listed, but it is not unknown", file)
		}
	}
	t.Logf("%d failures, %d files with an unknown one", failures, len(silent))
}

// invented reports whether a status of the peer stands in no report: it fills
// details from 900 on, and subject 9, where it read none.
func invented(status string) bool {
	s, err := smtpcode.ParseStatus(status)
	return err == nil && (s[2] >= 900 || s[1] > 7)
}

// failureOf returns the failure of a recipient, else the first one.
func failureOf(failures []smtpcode.Failure, names ...string) *smtpcode.Failure {
	for i := range failures {
		f := &failures[i]
		for _, name := range names {
			if name != "" && (strings.EqualFold(f.Recipient, name) || strings.EqualFold(f.OriginalRecipient, name)) {
				return f
			}
		}
	}
	if len(failures) == 0 {
		return nil
	}
	return &failures[0]
}

// failuresOf reads a report as a program would: declared fields joined with
// what a Microsoft layout adds.
func failuresOf(t *testing.T, file string) []smtpcode.Failure {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	report, err := dsn.Read(bytes.NewReader(data))
	if report == nil {
		t.Fatalf("%s: %v", file, err)
	}
	notice, noticeErr := ndr.Parse(report)
	if noticeErr == nil {
		return notice.Failures()
	}
	if errors.Is(err, dsn.ErrNotReport) {
		return nil
	}
	return report.Failures()
}

// tsv returns the rows of a table of at least so many cells, without comments
// and the heading.
func tsv(t *testing.T, file string, cells int) [][]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	heading := true
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\n"); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if heading {
			heading = false
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) < cells {
			t.Fatalf("%s: %d cells in %q", file, len(row), line)
		}
		rows = append(rows, row)
	}
	return rows
}
