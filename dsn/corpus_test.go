package dsn

import (
	"encoding/csv"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mailfault/mailfault/internal/corpora"
)

// groupTruth reads the independent reading of every delivery-status group.
func groupTruth(t testing.TB) map[string][]map[string]string {
	f, err := os.Open(filepath.Join(corpora.Dir(t, "bounces"), "groups.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	truth := make(map[string][]map[string]string)
	for _, row := range rows[1:] {
		group := make(map[string]string)
		for i, name := range rows[0] {
			if i < len(row) {
				group[name] = row[i]
			}
		}
		truth[group["file"]] = append(truth[group["file"]], group)
	}
	return truth
}

func corpusMail(t testing.TB, name string) []byte {
	data, err := os.ReadFile(filepath.Join(corpora.Dir(t, "bounces", "eml"), name+".eml"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// argued lists the files where our reading differs from the table, and why.
var argued = map[string]string{
	"lhost-sendmail-38": "the second group stands in the returned message, which is a report too",
	"rhost-yahooinc-03": "the second group stands in the returned message, which is a report too",
	"rhost-aol-03":      "two recipients without a blank line between them; the table keeps the last value of each field",
}

func TestCorpusGroups(t *testing.T) {
	fields, wrong := 0, 0
	for file, groups := range groupTruth(t) {
		if argued[file] != "" {
			continue
		}
		r, err := Read(strings.NewReader(string(corpusMail(t, file))))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			wrong++
			continue
		}
		if len(r.Recipients) != len(groups) {
			t.Logf("%s: %d groups, want %d", file, len(r.Recipients), len(groups))
			wrong += 10
			continue
		}
		for i, want := range groups {
			got := r.Recipients[i]
			for name, value := range map[string]string{
				"final_recipient": got.FinalRecipient.Raw, "original_recipient": got.OriginalRecipient.Raw, "action": got.ActionRaw,
				"status": got.StatusRaw, "remote_mta": got.RemoteMTA.Raw, "diagnostic_code": got.Diagnostic.Raw,
				"last_attempt": got.LastAttemptDate.Raw, "will_retry_until": got.WillRetryUntil.Raw, "final_log_id": got.FinalLogID,
				"reporting_mta": r.ReportingMTA.Raw, "arrival_date": r.ArrivalDate.Raw, "received_from_mta": r.ReceivedFromMTA.Raw,
			} {
				fields++
				if normal(value) != normal(want[name]) {
					wrong++
					t.Logf("%s %d %s:\n got %q\nwant %q", file, i, name, value, want[name])
				}
			}
		}
	}
	t.Logf("%d fields, %d differ", fields, wrong)
	if wrong*100 > fields {
		t.Errorf("%d of %d fields differ, more than 1%%", wrong, fields)
	}
}

func normal(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestLineEndsMakeNoDifference(t *testing.T) {
	var files []string
	for _, dir := range []string{corpora.Dir(t, "bounces", "eml"), corpora.Dir(t, "bounces", "not"), corpora.Dir(t, "arf")} {
		more, err := filepath.Glob(filepath.Join(dir, "*.eml"))
		if err != nil || len(more) == 0 {
			t.Fatal(dir, err)
		}
		files = append(files, more...)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lf := strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\r", "\n")
		want := facts(t, lf)
		for form, ending := range map[string]string{"CRLF": "\r\n", "CR": "\r"} {
			if diff := cmp.Diff(want, facts(t, strings.ReplaceAll(lf, "\n", ending)), compareIP); diff != "" {
				t.Errorf("%s as %s: %s", filepath.Base(file), form, diff)
			}
		}
	}
}

var compareIP = cmp.Comparer(func(a, b netip.Addr) bool { return a == b })

// facts is what must not depend on the form of a mail.
func facts(t *testing.T, mail string) any {
	r, err := Read(strings.NewReader(mail))
	if err != nil && !errors.Is(err, ErrNotReport) {
		t.Fatal(err)
	}
	var ids []string
	for _, f := range r.Findings {
		ids = append(ids, f.ID)
	}
	h, extent := Header{}, ExtentUnknown
	if r.Returned != nil {
		h, extent = r.Returned.Header, r.Returned.Extent
	}
	return []any{r.Kind, r.Format, r.TextFormat, r.Path, r.Recipients, r.Extensions, r.ReportingMTA, r.Explanation, ids,
		r.Disposition, r.Feedback, extent, h.Fields(), Classify(r.Header), r.OriginalAddresses(), r.Thread()}
}
