package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// largeXML writes a report with so many records about so many sources, of
// which one in a hundred fails. It calls each after each thousand records.
func largeXML(records, sources int, each func(n int)) io.Reader {
	r, w := io.Pipe()
	begin := yesterday.Unix()
	go func() {
		fmt.Fprintf(w, `<?xml version="1.0"?><feedback><report_metadata><org_name>large.example</org_name><email>dmarc@large.example</email>
<report_id>1</report_id><date_range><begin>%d</begin><end>%d</end></date_range></report_metadata>
<policy_published><domain>a.example</domain><adkim>r</adkim><aspf>r</aspf><p>reject</p><sp>reject</sp><pct>100</pct></policy_published>`, begin, begin+86399)
		var b strings.Builder
		for i := range records {
			n, result := i%sources, "pass"
			if n%100 == 0 {
				result = "fail"
			}
			fmt.Fprintf(&b, `<record><row><source_ip>10.%d.%d.%d</source_ip><count>2</count><policy_evaluated><disposition>none</disposition><dkim>%s</dkim><spf>fail</spf></policy_evaluated></row>
<identifiers><header_from>a.example</header_from></identifiers><auth_results><dkim><domain>a.example</domain><selector>s%d</selector><result>%s</result></dkim></auth_results></record>`,
				n>>16, n>>8&255, n&255, result, i, result)
			if i%1000 == 999 {
				if _, err := io.WriteString(w, b.String()); err != nil {
					return
				}
				b.Reset()
				each(i + 1)
			}
		}
		io.WriteString(w, b.String()+`</feedback>`)
		w.Close()
	}()
	return r
}

// heap returns the bytes that are in use after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func ingestLarge(tb testing.TB, ctx context.Context, db string, r io.Reader) (string, int) {
	var out, errs strings.Builder
	code := run(ctx, []string{"-db", db, "ingest", "-"}, r, &out, &errs)
	if errs.Len() > 0 {
		tb.Log(errs.String())
	}
	return out.String(), code
}

func TestALargeReportIsNeverAllInMemory(t *testing.T) {
	const records, sources = 100_000, 2000
	// A record alone takes 400 bytes: held, they would be 40 MB. What is to
	// be held is 16 bytes a record for the digest, and the sources.
	const limit = 12 << 20
	before := heap()
	var most uint64
	db := filepath.Join(t.TempDir(), "h.db")
	out, code := ingestLarge(t, t.Context(), db, largeXML(records, sources, func(n int) {
		if n%20_000 == 0 {
			most = max(most, heap())
		}
	}))
	if code != 0 || out != "reports: 1 accepted\n" {
		t.Fatalf("exit %d: %s", code, out)
	}
	if most > before+limit {
		t.Errorf("%d MB in use on the way, %d before", most>>20, before>>20)
	}
	if out, _ := watch(t, db, "sources", "-json", "a.example"); strings.Count(out, "\n") != sources || !strings.Contains(out, `"pass":100,`) {
		t.Errorf("sources: %.300s", out)
	}
	if out, _ := ingestLarge(t, t.Context(), db, largeXML(records, sources, func(int) {})); out != "reports: 1 duplicate\n" {
		t.Errorf("read again: %s", out)
	}
}

func TestAnInterruptedRunIsRunAgain(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "h.db")
	small := reportFile(t, dir, "small.example", "192.0.2.1")
	if _, code := watch(t, db, "ingest", small); code != 0 {
		t.Fatal(code)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	_, code := ingestLarge(t, ctx, db, largeXML(50_000, 200, func(n int) {
		if n == 20_000 {
			cancel(errors.New("interrupted"))
		}
	}))
	if code == 0 {
		t.Error("an interrupted run says that all went well")
	}
	count := func() int {
		out, _ := watch(t, db, "sources", "-json", "a.example")
		return strings.Count(out, "\n")
	}
	if n := count(); n != 1 {
		t.Errorf("after the interruption: %d sources", n)
	}
	if out, code := ingestLarge(t, t.Context(), db, largeXML(50_000, 200, func(int) {})); code != 0 || out != "reports: 1 accepted\n" {
		t.Errorf("run again: exit %d: %s", code, out)
	}
	if n := count(); n != 201 {
		t.Errorf("run again: %d sources", n)
	}
}

// BenchmarkMillionRecords adds one report of a million records about 10,000
// sources, from XML to SQLite, and says how much of the heap was in use.
func BenchmarkMillionRecords(b *testing.B) {
	const records = 1_000_000
	var most uint64
	for b.Loop() {
		db := filepath.Join(b.TempDir(), "h.db")
		out, code := ingestLarge(b, b.Context(), db, largeXML(records, 10_000, func(n int) {
			if n%100_000 == 0 {
				most = max(most, heap())
			}
		}))
		if code != 0 {
			b.Fatal(out)
		}
	}
	b.ReportMetric(records*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(float64(most)/(1<<20), "MB-heap")
}
