package storecheck

import (
	"context"
	"database/sql"
	"fmt"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/sqlstore"
)

// The load: so many sources, each seen by so many reporters on so many days.
const (
	loadSources   = 1000
	loadReporters = 2
	loadDays      = 40
	loadRows      = loadSources * loadReporters * loadDays
)

// load returns reports of which most mail passes and some sources fail.
func load(sources, reporters, days int) []history.Submission {
	start := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	var subs []history.Submission
	for day := range days {
		begin := start.AddDate(0, 0, day)
		for reporter := range reporters {
			r := &dmarcreport.Report{
				Metadata: dmarcreport.Metadata{OrgName: fmt.Sprintf("reporter%d.example", reporter), ReportID: fmt.Sprint(day),
					DateRange: dmarcreport.DateRange{Begin: begin, End: begin.Add(24*time.Hour - time.Second)}},
				Policy: dmarcreport.PolicyPublished{Domain: "load.example", P: dmarcreport.DispositionReject},
			}
			for i := range sources {
				rec := dmarcreport.Record{SourceIP: netip.AddrFrom4([4]byte{198, 18, byte(i >> 8), byte(i)}), Count: int64(1 + (i*7+day)%90), HeaderFrom: "load.example"}
				rec.Evaluated.DKIM, rec.Evaluated.SPF = dmarcreport.ResultPass, dmarcreport.ResultFail
				if i%50 == day%50 {
					rec.Evaluated.DKIM = dmarcreport.ResultFail
				}
				rec.DKIM = []dmarcreport.DKIMResult{{Domain: "load.example", Selector: "s", Result: rec.Evaluated.DKIM}}
				rec.SPF = []dmarcreport.SPFResult{{Domain: "esp.example", Result: dmarcreport.ResultPass}}
				r.Records = append(r.Records, rec)
			}
			s := history.Of(r)
			s.Authentic, s.Learnt = true, begin.Add(30*time.Hour)
			subs = append(subs, s)
		}
	}
	return subs
}

// rawUpsert stores the rows of reports as plainly as can be, in one
// transaction, a hundred rows a statement.
func rawUpsert(ctx context.Context, db *sql.DB, dialect sqlstore.Dialect, subs []history.Submission) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var args []any
	for _, s := range subs {
		for rec := range s.Records {
			var pass, fail int64 = rec.Count, 0
			if !rec.Evaluated.Pass() {
				pass, fail = fail, pass
			}
			args = append(args, s.Policy.Domain, rec.SourceIP.String(), int64(history.DayOf(s.Metadata.DateRange.Begin)), s.Metadata.OrgName, pass, fail)
		}
	}
	for part := range slices.Chunk(args, 6*100) {
		var b strings.Builder
		b.WriteString(`INSERT INTO raw_rows (domain, source, day, reporter, pass, fail) VALUES `)
		for i := 0; i < len(part); i += 6 {
			if i > 0 {
				b.WriteString(", ")
			}
			if dialect == sqlstore.SQLite {
				b.WriteString("(?, ?, ?, ?, ?, ?)")
				continue
			}
			fmt.Fprintf(&b, "($%d, $%d, $%d, $%d, $%d, $%d)", i+1, i+2, i+3, i+4, i+5, i+6)
		}
		b.WriteString(` ON CONFLICT (domain, source, day, reporter) DO UPDATE SET pass = raw_rows.pass + excluded.pass, fail = raw_rows.fail + excluded.fail`)
		if _, err := tx.ExecContext(ctx, b.String(), part...); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// rawTable makes the table of rawUpsert, whose key is that of the rows.
func rawTable(ctx context.Context, db *sql.DB, dialect sqlstore.Dialect) error {
	create := `CREATE TABLE raw_rows (domain TEXT NOT NULL, source TEXT NOT NULL, day INTEGER NOT NULL, reporter TEXT NOT NULL,
		pass BIGINT NOT NULL, fail BIGINT NOT NULL, PRIMARY KEY (domain, source, day, reporter))`
	if dialect == sqlstore.SQLite {
		create += ` WITHOUT ROWID`
	}
	_, err := db.ExecContext(ctx, create)
	return err
}

// BenchmarkIngest adds the load, one report a call or as many as dmarcwatch
// adds at once, and stores its rows raw in the same run, in transactions of as
// many. The "ratio" is the one to judge: 0.4 is accepted, 0.7 aimed at.
func BenchmarkIngest(b *testing.B) {
	run := func(b *testing.B, open func(b *testing.B) (history.Store, *sql.DB, sqlstore.Dialect)) {
		for _, batch := range []int{1, 20} {
			b.Run(fmt.Sprintf("batch=%d", batch), func(b *testing.B) {
				subs := load(loadSources, loadReporters, loadDays)
				var raw, ours time.Duration
				for b.Loop() {
					store, db, dialect := open(b)
					if db != nil {
						if err := rawTable(b.Context(), db, dialect); err != nil {
							b.Fatal(err)
						}
						start := time.Now()
						for part := range slices.Chunk(subs, batch) {
							if err := rawUpsert(b.Context(), db, dialect, part); err != nil {
								b.Fatal(err)
							}
						}
						raw += time.Since(start)
					}
					h := &history.History{Store: store}
					start := time.Now()
					for part := range slices.Chunk(subs, batch) {
						if _, err := h.Add(b.Context(), part...); err != nil {
							b.Fatal(err)
						}
					}
					ours += time.Since(start)
				}
				b.ReportMetric(float64(b.N*loadRows)/ours.Seconds(), "records/s")
				if raw > 0 {
					b.ReportMetric(float64(b.N*loadRows)/raw.Seconds(), "raw/s")
					b.ReportMetric(raw.Seconds()/ours.Seconds(), "ratio")
				}
			})
		}
	}
	b.Run("memory", func(b *testing.B) {
		run(b, func(*testing.B) (history.Store, *sql.DB, sqlstore.Dialect) { return new(history.Memory), nil, 0 })
	})
	b.Run("sqlite", func(b *testing.B) {
		run(b, func(b *testing.B) (history.Store, *sql.DB, sqlstore.Dialect) {
			s, db := openSQL(b, "sqlite", sqlstore.SQLiteDSN(filepath.Join(b.TempDir(), "h.db")), sqlstore.SQLite)
			return s, db, sqlstore.SQLite
		})
	})
	b.Run("postgres", func(b *testing.B) {
		p := StartPostgres(b)
		run(b, func(b *testing.B) (history.Store, *sql.DB, sqlstore.Dialect) {
			s, db := openSQL(b, "pgx", p.DSN(b), sqlstore.PostgreSQL)
			return s, db, sqlstore.PostgreSQL
		})
	})
}

// size returns how many bytes a database takes.
func size(b *testing.B, db *sql.DB, dialect sqlstore.Dialect) (n int64) {
	b.Helper()
	query := `SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()`
	if dialect == sqlstore.PostgreSQL {
		query = `SELECT pg_database_size(current_database())`
	}
	if err := db.QueryRowContext(b.Context(), query).Scan(&n); err != nil {
		b.Fatal(err)
	}
	return n
}

// BenchmarkYearQuery asks for the sources and the days of a domain with
// 10,000 sources over its year: 100 ms are accepted.
func BenchmarkYearQuery(b *testing.B) {
	// Each source is seen once in twelve days: a year of them in a bearable time.
	const sources, days = 10000, 30
	subs := load(sources, 1, days)
	for i := range subs {
		at := &subs[i].Metadata.DateRange
		at.Begin, at.End = at.Begin.AddDate(0, 0, 11*i), at.End.AddDate(0, 0, 11*i)
		subs[i].Learnt = at.End.Add(time.Hour)
	}
	run := func(b *testing.B, driver, dsn string, dialect sqlstore.Dialect) {
		s, db := openSQL(b, driver, dsn, dialect)
		h := &history.History{Store: s}
		empty := size(b, db, dialect)
		for part := range slices.Chunk(subs, 2) {
			if _, err := h.Add(b.Context(), part...); err != nil {
				b.Fatal(err)
			}
		}
		full := size(b, db, dialect)
		for b.Loop() {
			found, err := h.Sources(b.Context(), "load.example", history.Period{})
			if err != nil || len(found) != sources {
				b.Fatal(len(found), err)
			}
			if _, err := h.Days(b.Context(), "load.example", history.Period{}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(full-empty)/(sources*days), "bytes/source-day")
	}
	b.Run("sqlite", func(b *testing.B) {
		run(b, "sqlite", sqlstore.SQLiteDSN(filepath.Join(b.TempDir(), "h.db")), sqlstore.SQLite)
	})
	b.Run("postgres", func(b *testing.B) { run(b, "pgx", StartPostgres(b).DSN(b), sqlstore.PostgreSQL) })
}
