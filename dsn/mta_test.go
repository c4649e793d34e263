package dsn

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRealServers reads what real mail servers reported (testdata/mta/README.md).
func TestRealServers(t *testing.T) {
	f, err := os.Open("testdata/mta/expected.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table := csv.NewReader(f)
	table.Comma = '\t'
	rows, err := table.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string][][]string)
	for _, row := range rows[1:] {
		want[row[0]] = append(want[row[0]], row[1:])
	}
	files, _ := filepath.Glob("testdata/mta/*.eml")
	if len(files) != len(want) || len(files) < 60 {
		t.Errorf("%d files, %d in the table", len(files), len(want))
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		r, err := Read(strings.NewReader(string(data)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got [][]string
		for _, failure := range r.Failures() {
			row := []string{failure.Recipient, failure.Action.String(), "", ""}
			if n := len(failure.Replies); n > 0 && failure.Replies[n-1].Code > 0 {
				row[2], row[3] = fmt.Sprint(failure.Replies[n-1].Code), failure.Replies[n-1].Status.String()
			}
			got = append(got, row)
		}
		byAddress := func(a, b []string) int { return cmp.Compare(a[0], b[0]) }
		slices.SortFunc(got, byAddress)
		slices.SortFunc(want[name], byAddress)
		if fmt.Sprint(got) != fmt.Sprint(want[name]) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, want[name])
		}
		if r.ReportingMTA.Host != "mail.example.com" {
			t.Errorf("%s: reporting MTA %q", name, r.ReportingMTA.Host)
		}
		if r.Returned == nil || !strings.HasPrefix(r.Returned.Header.Get("Subject"), "case ") {
			t.Errorf("%s: the returned message was not found", name)
		}
	}
}
