package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mailfault/mailfault/dmarcreport/history"
)

// write stores a change within the transaction.
func (v *view) write(ctx context.Context, d *history.Delta) error {
	if err := v.exec(ctx, `UPDATE dmarc_domains SET record = ? WHERE id = ?`, d.Domain, v.domain); err != nil {
		return err
	}
	if err := v.putReports(ctx, d.Reports); err != nil {
		return err
	}
	sources, err := v.putTracks(ctx, d.Tracks)
	if err != nil {
		return err
	}
	if err := v.addRows(ctx, d.Rows, sources); err != nil {
		return err
	}
	if err := v.prune(ctx, d.Prune); err != nil {
		return err
	}
	// The log comes last: who appends to it waits for others until they are
	// done, so that nothing can be seen to come later with a smaller number.
	return v.append(ctx, d.Log)
}

func (v *view) putReports(ctx context.Context, reports []history.ReportInfo) error {
	types := []string{bigint, bytea, bytea, text, text, bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint, text, text,
		bigint, bigint, bigint, bigint, bigint}
	args := make([]any, 0, len(types)*len(reports))
	for _, r := range reports {
		key := r.Key.Hash()
		args = append(args, v.domain, key[:], r.Digest[:], r.Key.Reporter, r.Key.ID, r.Key.Begin.Unix(), r.Key.End.Unix(),
			int64(r.Days.First), int64(r.Days.Last), number(r.Authentic), number(r.Conflict), r.Learnt.UnixMicro(), r.Copies, r.Email, r.Policy,
			r.Sources, r.Pass, r.Fail, r.Muted, r.Unattributed)
	}
	return v.bulk(ctx, types, args, `INSERT INTO dmarc_reports (domain_id, key, digest, reporter, report_id, begin_at, end_at,
			first_day, last_day, authentic, conflict, learnt, copies, email, policy, sources, pass, fail, muted, unattributed)
		ROWS ON CONFLICT (domain_id, key, digest) DO UPDATE SET
			authentic = excluded.authentic, conflict = excluded.conflict, copies = excluded.copies`, nil)
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// putTracks stores tracks and returns the ids of their sources.
func (v *view) putTracks(ctx context.Context, tracks []history.Track) (map[string]int64, error) {
	ids := make(map[string]int64, len(tracks))
	scan := func(r *sql.Rows) error {
		var id int64
		var source string
		if err := r.Scan(&id, &source); err != nil {
			return fmt.Errorf("sqlstore: %w", err)
		}
		ids[source] = id
		return nil
	}
	// Most tracks keep their due day: its index is then left alone.
	var same, moved []history.Track
	for _, t := range tracks {
		if s, known := v.known[t.Source]; known && s.due == t.Due {
			same = append(same, t)
			ids[t.Source] = s.id
		} else {
			moved = append(moved, t)
		}
	}
	args := make([]any, 0, 4*len(tracks))
	for _, t := range same {
		args = append(args, ids[t.Source], t.Recent)
	}
	err := v.bulk(ctx, []string{bigint, bytea}, args,
		`WITH v (id, recent) AS (ROWS) UPDATE dmarc_sources SET recent = v.recent FROM v WHERE dmarc_sources.id = v.id`, nil)
	if err != nil {
		return nil, err
	}
	args = args[:0]
	for _, t := range moved {
		args = append(args, v.domain, t.Source, int64(t.Due), t.Recent)
	}
	err = v.bulk(ctx, []string{bigint, text, bigint, bytea}, args, `INSERT INTO dmarc_sources (domain_id, source, due, recent) ROWS
		ON CONFLICT (domain_id, source) DO UPDATE SET recent = excluded.recent, due = excluded.due RETURNING id, source`, scan)
	if err != nil {
		return nil, err
	}
	args = args[:0]
	for _, t := range tracks {
		if t.Past != nil {
			args = append(args, ids[t.Source], t.Past)
		}
	}
	return ids, v.bulk(ctx, []string{bigint, bytea}, args,
		`INSERT INTO dmarc_past (source_id, data) ROWS ON CONFLICT (source_id) DO UPDATE SET data = excluded.data`, nil)
}

func (v *view) addRows(ctx context.Context, rows []history.Row, sources map[string]int64) error {
	names := make(map[string]int64)
	for _, r := range rows {
		names[r.Reporter] = 0
	}
	if err := v.reporters(ctx, names); err != nil {
		return err
	}
	less := false
	types := []string{bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint}
	args := make([]any, 0, len(types)*len(rows))
	for _, r := range rows {
		less = less || r.Messages() < 0
		args = append(args, sources[r.Source], int64(r.Day), names[r.Reporter], int64(r.Last), number(r.Authentic), r.Pass, r.Fail, r.Muted, r.Refused)
	}
	err := v.bulk(ctx, types, args, `INSERT INTO dmarc_rows (source_id, day, reporter_id, last_day, authentic, pass, fail, muted, refused)
		ROWS ON CONFLICT (source_id, day, reporter_id, last_day, authentic) DO UPDATE SET
			pass = dmarc_rows.pass + excluded.pass, fail = dmarc_rows.fail + excluded.fail,
			muted = dmarc_rows.muted + excluded.muted, refused = dmarc_rows.refused + excluded.refused`, nil)
	if err != nil || !less {
		return err
	}
	for _, r := range rows {
		if r.Messages() >= 0 {
			continue
		}
		err := v.exec(ctx, `DELETE FROM dmarc_rows WHERE source_id = ? AND day = ? AND pass = 0 AND fail = 0 AND muted = 0`,
			sources[r.Source], int64(r.Day))
		if err != nil {
			return err
		}
	}
	return nil
}

// reporters fills in the ids of names and gives new ones theirs, in one order
// everywhere, so that two processes never wait for one another in a ring.
func (v *view) reporters(ctx context.Context, names map[string]int64) error {
	all := make([]string, 0, len(names))
	for name := range names {
		all = append(all, name)
	}
	slices.Sort(all)
	args := make([]any, len(all))
	for i, name := range all {
		args[i] = name
	}
	scan := func(r *sql.Rows) error {
		var id int64
		var name string
		if err := r.Scan(&id, &name); err != nil {
			return fmt.Errorf("sqlstore: %w", err)
		}
		names[name] = id
		return nil
	}
	const find = `SELECT id, reporter FROM dmarc_reporters WHERE reporter IN (ROWS)`
	if err := v.bulk(ctx, []string{text}, args, find, scan); err != nil {
		return err
	}
	missing := slices.DeleteFunc(args, func(a any) bool { return names[a.(string)] != 0 })
	if len(missing) == 0 {
		return nil
	}
	err := v.bulk(ctx, []string{text}, missing, `INSERT INTO dmarc_reporters (reporter) ROWS ON CONFLICT (reporter) DO NOTHING`, nil)
	if err != nil {
		return err
	}
	return v.bulk(ctx, []string{text}, missing, find, scan)
}

func (v *view) prune(ctx context.Context, day history.Day) error {
	if day == 0 {
		return nil
	}
	err := v.exec(ctx, `DELETE FROM dmarc_rows WHERE last_day < ? AND source_id IN (SELECT id FROM dmarc_sources WHERE domain_id = ?)`, int64(day), v.domain)
	if err != nil {
		return err
	}
	return v.exec(ctx, `DELETE FROM dmarc_reports WHERE domain_id = ? AND last_day < ?`, v.domain, int64(day))
}

func (v *view) append(ctx context.Context, entries []history.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	var last int64
	err := v.row(ctx, `UPDATE dmarc_counters SET value = value + ? WHERE name = 'log' RETURNING value`, len(entries)).Scan(&last)
	if err != nil {
		return fmt.Errorf("sqlstore: log: %w", err)
	}
	seq := last - int64(len(entries))
	args := make([]any, 0, 2*len(entries))
	for _, e := range entries {
		seq++
		e.Seq = seq
		data, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("sqlstore: log: %w", err)
		}
		args = append(args, seq, string(data))
	}
	return v.bulk(ctx, []string{bigint, text}, args, `INSERT INTO dmarc_log (seq, entry) ROWS`, nil)
}
