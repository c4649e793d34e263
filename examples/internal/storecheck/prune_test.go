package storecheck

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/sqlstore"
)

// BenchmarkPrune drops half of the days of a domain with 1,000 sources.
func BenchmarkPrune(b *testing.B) {
	subs := load(loadSources, loadReporters, loadDays)
	run := func(b *testing.B, open func() (*sqlstore.Store, *sql.DB)) {
		var took time.Duration
		for b.Loop() {
			s, _ := open()
			h := &history.History{Store: s, Rules: history.Rules{KeepDays: loadDays / 2}}
			if _, err := h.Add(b.Context(), subs...); err != nil {
				b.Fatal(err)
			}
			start := time.Now()
			if err := h.Prune(b.Context(), subs[0].Metadata.DateRange.Begin.AddDate(0, 0, loadDays)); err != nil {
				b.Fatal(err)
			}
			took += time.Since(start)
		}
		b.ReportMetric(float64(b.N*loadRows/2)/took.Seconds(), "rows-dropped/s")
	}
	b.Run("sqlite", func(b *testing.B) {
		run(b, func() (*sqlstore.Store, *sql.DB) {
			return openSQL(b, "sqlite", sqlstore.SQLiteDSN(filepath.Join(b.TempDir(), "h.db")), sqlstore.SQLite)
		})
	})
	b.Run("postgres", func(b *testing.B) {
		p := StartPostgres(b)
		run(b, func() (*sqlstore.Store, *sql.DB) { return openSQL(b, "pgx", p.DSN(b), sqlstore.PostgreSQL) })
	})
}
