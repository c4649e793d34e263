package storecheck

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/sqlstore"
)

// BenchmarkManyDomains adds small reports about many domains, one a call, from
// four goroutines: what a service with many customers does all day. A report
// has ten sources; the median of public ones has fewer.
func BenchmarkManyDomains(b *testing.B) {
	const domains, sources, days, workers = 500, 10, 10, 4
	run := func(b *testing.B, dialect sqlstore.Dialect, open func() (history.Store, *sql.DB)) {
		subs := load(sources, 1, days)
		var bytes int64
		for b.Loop() {
			store, db := open()
			empty := size(b, db, dialect)
			h := &history.History{Store: store}
			var wg sync.WaitGroup
			for w := range workers {
				wg.Go(func() {
					for _, s := range subs {
						for d := w; d < domains; d += workers {
							s.Policy.Domain = fmt.Sprintf("d%d.example", d)
							if _, err := h.Add(b.Context(), s); err != nil {
								b.Error(err)
								return
							}
						}
					}
				})
			}
			wg.Wait()
			bytes += size(b, db, dialect) - empty
		}
		n := float64(b.N * domains * days)
		b.ReportMetric(n/b.Elapsed().Seconds(), "reports/s")
		b.ReportMetric(float64(bytes)/(n*sources), "bytes/source-day")
	}
	b.Run("sqlite", func(b *testing.B) {
		run(b, sqlstore.SQLite, func() (history.Store, *sql.DB) {
			return openSQL(b, "sqlite", sqlstore.SQLiteDSN(filepath.Join(b.TempDir(), "h.db")), sqlstore.SQLite)
		})
	})
	b.Run("postgres", func(b *testing.B) {
		p := StartPostgres(b)
		run(b, sqlstore.PostgreSQL, func() (history.Store, *sql.DB) {
			return openSQL(b, "pgx", p.DSN(b), sqlstore.PostgreSQL)
		})
	})
}
