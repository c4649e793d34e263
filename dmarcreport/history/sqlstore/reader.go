package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/mailfault/mailfault/dmarcreport/history"
)

// view is one domain within a transaction.
type view struct {
	conn
	domain int64 // id; 0 where the domain is not known
	record []byte
	known  map[string]stored // of the tracks that were read
}

// stored is what writing a track again takes.
type stored struct {
	id  int64
	due history.Day
}

// Domain implements history.Reader.
func (v *view) Domain(context.Context) ([]byte, error) { return v.record, nil }

// SameKey implements history.Reader.
func (v *view) SameKey(ctx context.Context, keys []history.ReportKey) ([]history.ReportInfo, error) {
	var found []history.ReportInfo
	hashes := make(map[[16]byte]bool, len(keys))
	var args []any
	for _, k := range keys {
		if h := k.Hash(); !hashes[h] {
			hashes[h] = true
			args = append(args, h[:])
		}
	}
	scan := func(r *sql.Rows) error {
		report, err := v.scanReport(r)
		found = append(found, report)
		return err
	}
	err := v.bulk(ctx, []string{bytea}, args, `SELECT `+reportColumns+` FROM dmarc_reports WHERE domain_id = ? AND key IN (ROWS)`, scan, v.domain)
	if err != nil {
		return nil, err
	}
	// The domain's name is not repeated in each row.
	for i := range found {
		found[i].Key.Domain = keys[0].Domain
	}
	return found, nil
}

const reportColumns = `digest, reporter, report_id, begin_at, end_at, first_day, last_day, authentic, conflict, learnt,
	copies, email, policy, sources, pass, fail, muted, unattributed`

func (v *view) scanReport(r *sql.Rows) (history.ReportInfo, error) {
	var i history.ReportInfo
	var digest []byte
	var begin, end, learnt int64
	var authentic, conflict int
	err := r.Scan(&digest, &i.Key.Reporter, &i.Key.ID, &begin, &end, &i.Days.First, &i.Days.Last, &authentic, &conflict, &learnt,
		&i.Copies, &i.Email, &i.Policy, &i.Sources, &i.Pass, &i.Fail, &i.Muted, &i.Unattributed)
	copy(i.Digest[:], digest)
	i.Key.Begin, i.Key.End = time.Unix(begin, 0).UTC(), time.Unix(end, 0).UTC()
	i.Learnt = time.UnixMicro(learnt).UTC()
	i.Authentic, i.Conflict = authentic != 0, conflict != 0
	return i, err
}

// Tracks implements history.Reader.
func (v *view) Tracks(ctx context.Context, sources []string) ([]history.Track, error) {
	found := make([]history.Track, 0, len(sources))
	args := make([]any, len(sources))
	for i, s := range sources {
		args[i] = s
	}
	scan := func(r *sql.Rows) error {
		track, err := v.scanTrack(r)
		found = append(found, track)
		return err
	}
	return found, v.bulk(ctx, []string{text}, args,
		`SELECT id, source, due, recent FROM dmarc_sources WHERE domain_id = ? AND source IN (ROWS)`, scan, v.domain)
}

func (v *view) scanTrack(r *sql.Rows) (history.Track, error) {
	var t history.Track
	var id int64
	err := r.Scan(&id, &t.Source, &t.Due, &t.Recent)
	if v.known == nil {
		v.known = make(map[string]stored)
	}
	v.known[t.Source] = stored{id, t.Due}
	return t, err
}

// Due implements history.Reader.
func (v *view) Due(ctx context.Context, day history.Day) ([]history.Track, error) {
	return list(ctx, v.conn, v.scanTrack, `SELECT id, source, due, recent FROM dmarc_sources
		WHERE domain_id = ? AND due <> 0 AND due <= ?`, v.domain, int64(day))
}

// AllTracks implements history.Reader. It reads by pages, so that the loop's
// body can ask the same transaction.
func (v *view) AllTracks(ctx context.Context) iter.Seq2[history.Track, error] {
	const page = 2000
	column := v.dialect.bytewise("source")
	return func(yield func(history.Track, error) bool) {
		after := ""
		for {
			tracks, err := list(ctx, v.conn, v.scanTrack, fmt.Sprintf(`SELECT id, source, due, recent FROM dmarc_sources
				WHERE domain_id = ? AND %s > ? ORDER BY %s LIMIT %d`, column, column, page), v.domain, after)
			if err != nil {
				yield(history.Track{}, err)
				return
			}
			for _, t := range tracks {
				if !yield(t, nil) {
					return
				}
				after = t.Source
			}
			if len(tracks) < page {
				return
			}
		}
	}
}

// Past implements history.Reader.
func (v *view) Past(ctx context.Context, source string) ([]byte, error) {
	var data []byte
	err := v.row(ctx, `SELECT data FROM dmarc_past WHERE source_id =
		(SELECT id FROM dmarc_sources WHERE domain_id = ? AND source = ?)`, v.domain, source).Scan(&data)
	if err == sql.ErrNoRows {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %w", err)
	}
	return data, nil
}

// bounds returns the days of a period as numbers, open ends as the extremes.
func bounds(p history.Period) (first, last int64) {
	last = math.MaxInt32
	if p.Last != 0 {
		last = int64(p.Last)
	}
	return int64(p.First), last
}

// Rows implements history.Reader.
func (v *view) Rows(ctx context.Context, source string, p history.Period) iter.Seq2[history.Row, error] {
	query := `SELECT s.source, r.day, r.last_day, p.reporter, r.authentic, r.pass, r.fail, r.muted, r.refused
		FROM dmarc_sources s JOIN dmarc_rows r ON r.source_id = s.id JOIN dmarc_reporters p ON p.id = r.reporter_id
		WHERE s.domain_id = ? AND r.day >= ? AND r.day <= ?`
	first, last := bounds(p)
	args := []any{v.domain, first, last}
	if source != "" {
		query += ` AND s.source = ?`
		args = append(args, source)
	}
	query += ` ORDER BY ` + v.dialect.bytewise("s.source") + `, r.day, ` + v.dialect.bytewise("p.reporter") + `, r.last_day, r.authentic DESC`
	return stream(ctx, v.conn, func(r *sql.Rows) (history.Row, error) {
		var row history.Row
		var authentic int
		err := r.Scan(&row.Source, &row.Day, &row.Last, &row.Reporter, &authentic, &row.Pass, &row.Fail, &row.Muted, &row.Refused)
		row.Authentic = authentic != 0
		return row, err
	}, query, args...)
}

// Reports implements history.Reader.
func (v *view) Reports(ctx context.Context, p history.Period) iter.Seq2[history.ReportInfo, error] {
	first, last := bounds(p)
	return func(yield func(history.ReportInfo, error) bool) {
		var domain string
		if v.domain != 0 {
			if err := v.row(ctx, `SELECT domain FROM dmarc_domains WHERE id = ?`, v.domain).Scan(&domain); err != nil {
				yield(history.ReportInfo{}, fmt.Errorf("sqlstore: %w", err))
				return
			}
		}
		for r, err := range stream(ctx, v.conn, v.scanReport, `SELECT `+reportColumns+` FROM dmarc_reports
			WHERE domain_id = ? AND first_day >= ? AND first_day <= ?
			ORDER BY begin_at, `+v.dialect.bytewise("reporter")+`, `+v.dialect.bytewise("report_id")+`, digest`, v.domain, first, last) {
			r.Key.Domain = domain
			if !yield(r, err) {
				return
			}
		}
	}
}

// stream yields the rows of the answer as they come.
func stream[T any](ctx context.Context, c conn, scan func(*sql.Rows) (T, error), query string, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		stopped := fmt.Errorf("stopped")
		err := c.each(ctx, func(r *sql.Rows) error {
			v, err := scan(r)
			if err != nil {
				return fmt.Errorf("sqlstore: %w", err)
			}
			if !yield(v, nil) {
				return stopped
			}
			return nil
		}, query, args...)
		if err != nil && err != stopped {
			var zero T
			yield(zero, err)
		}
	}
}
