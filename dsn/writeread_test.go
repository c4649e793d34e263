package dsn

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mailfault/mailfault/internal/corpora"
)

// factsOf is what writing and reading must keep of a report.
func factsOf(r *Report) any {
	extent, fields := ExtentUnknown, []Field(nil)
	if r.Returned != nil {
		extent, fields = r.Returned.Extent, r.Returned.Header.Fields()
		if extent == Cut {
			extent = HeadersOnly // a cut message is not written as a whole one
		}
	}
	thread := r.Thread()
	thread.From = Ground{}
	if r.Format == Prose {
		// It becomes a report with fields: types are put in, the facts stay.
		var list []any
		for _, rcpt := range r.Recipients {
			list = append(list, []any{rcpt.FinalRecipient.Address, rcpt.OriginalRecipient.Address, rcpt.Action, rcpt.Status, rcpt.RemoteMTA.Host, normal(rcpt.Diagnostic.Text)})
		}
		return []any{r.Kind, r.ReportingMTA.Host, list}
	}
	return []any{r.Kind, r.Format, r.ReportingMTA, r.DSNGateway, r.ReceivedFromMTA, r.OriginalEnvelopeID, r.ArrivalDate, r.Recipients, r.Extensions,
		r.Disposition, r.Feedback, extent, fields, thread}
}

// keeps reports whether writing a report and reading it keeps its facts.
func keeps(t testing.TB, name string, r *Report) {
	t.Helper()
	if _, err := writable(r); err != nil {
		return
	}
	again, err := Read(strings.NewReader(written(t, &Writer{MaxReturn: -1}, r)))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if r.Format == Prose {
		again.Format = Prose
	}
	if diff := cmp.Diff(factsOf(r), factsOf(again), cmp.Comparer(func(a, b Date) bool { return a.Raw == b.Raw && a.Time.Equal(b.Time) }), compareIP); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}

func TestCorpusReadWriteReadKeepsTheFacts(t *testing.T) {
	var files []string
	for _, pattern := range []string{filepath.Join(corpora.Dir(t, "bounces", "eml"), "*.eml"), filepath.Join(corpora.Dir(t, "arf"), "*.eml"), "testdata/mta/*.eml"} {
		more, err := filepath.Glob(pattern)
		if err != nil || len(more) == 0 {
			t.Fatal(pattern, err)
		}
		files = append(files, more...)
	}
	slices.Sort(files)
	kept := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := Read(bytes.NewReader(data)); err == nil {
			keeps(t, filepath.Base(file), r)
			if _, err := writable(r); err == nil {
				kept++
			}
		}
	}
	if kept < 450 {
		t.Errorf("only %d of %d files were written", kept, len(files))
	}
}

func FuzzReadWriteRead(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(feedbackMail("Feedback-Type: abuse\nUser-Agent: x\nVersion: 1\nX-Empty:\n")))
	f.Add([]byte(notification("message/global-disposition-notification", "Final-Recipient: utf-8; j\u00fcrgen@example.net\nDisposition: manual-action/MDN-sent-manually; deleted\n")))
	f.Add([]byte("From: MAILER-DAEMON@example.org\nSubject: failure notice\n\nHi. This is the qmail-send program at mail.example.org.\n\n<gone@example.net>:\nSorry, no mailbox here by that name. (#5.1.1)\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Read(bytes.NewReader(data))
		// What is found in a text is not declared; and no mail may have a NUL.
		if err != nil || r.Format == Prose || bytes.IndexByte(data, 0) >= 0 {
			return
		}
		if r.Kind == DeliveryStatus && len(r.Recipients) == 0 {
			return // without a group, the text is read instead
		}
		for i := range r.Recipients {
			if rcpt := &r.Recipients[i]; rcpt.Diagnostic.Raw == "" { // else it is looked for in the text
				rcpt.Diagnostic, rcpt.Said = parseDiagnostic("smtp; 550 no"), Diagnostic{}
			}
		}
		keeps(t, "report", r)
	})
}
