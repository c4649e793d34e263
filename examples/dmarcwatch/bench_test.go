package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
)

// BenchmarkPage draws the page of a domain with 10,000 sources over a year,
// from SQLite.
func BenchmarkPage(b *testing.B) {
	a := &app{dsn: filepath.Join(b.TempDir(), "h.db"), stdout: io.Discard, stderr: b.Output()}
	h, closeDB, err := a.open(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer closeDB()
	start := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for month := range 12 {
		begin := start.AddDate(0, month, 0)
		r := &dmarcreport.Report{
			Metadata: dmarcreport.Metadata{OrgName: "r.example", ReportID: begin.String(),
				DateRange: dmarcreport.DateRange{Begin: begin, End: begin.Add(24*time.Hour - time.Second)}},
			Policy: dmarcreport.PolicyPublished{Domain: "a.example"},
		}
		for i := range 10000 {
			rec := dmarcreport.Record{SourceIP: netip.AddrFrom4([4]byte{198, 18, byte(i >> 8), byte(i)}), Count: int64(1 + i%90), HeaderFrom: "a.example"}
			rec.Evaluated.SPF = dmarcreport.ResultPass
			r.Records = append(r.Records, rec)
		}
		s := history.Of(r)
		s.Authentic, s.Learnt = true, begin.AddDate(0, 0, 2)
		if _, err := h.Add(b.Context(), s); err != nil {
			b.Fatal(err)
		}
	}
	handler := a.handler(h)
	for b.Loop() {
		w := httptest.NewRecorder()
		req := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/domain?domain=a.example&days=366", nil)
		handler.ServeHTTP(w, req)
		if w.Code != http.StatusOK {
			b.Fatal(w.Code)
		}
	}
}
