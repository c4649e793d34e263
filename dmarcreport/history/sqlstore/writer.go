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
	return chunked(v.conn, reports, func(part []history.ReportInfo) error {
		args := make([]any, 0, 20*len(part))
		for _, r := range part {
			key := r.Key.Hash()
			args = append(args, v.domain, key[:], r.Digest[:], r.Key.Reporter, r.Key.ID, r.Key.Begin.Unix(), r.Key.End.Unix(),
				int64(r.Days.First), int64(r.Days.Last), number(r.Authentic), number(r.Conflict), r.Learnt.UnixMicro(), r.Copies, r.Email, r.Policy,
				r.Sources, r.Pass, r.Fail, r.Muted, r.Unattributed)
		}
		return v.exec(ctx, `INSERT INTO dmarc_reports (domain_id, key, digest, reporter, report_id, begin_at, end_at,
				first_day, last_day, authentic, conflict, learnt, copies, email, policy, sources, pass, fail, muted, unattributed)
			VALUES `+tuples(len(part), 20)+` ON CONFLICT (domain_id, key, digest) DO UPDATE SET
				authentic = excluded.authentic, conflict = excluded.conflict, copies = excluded.copies`, args...)
	})
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
	err := chunked(v.conn, same, func(part []history.Track) error {
		args := make([]any, 0, 2*len(part))
		for _, t := range part {
			args = append(args, ids[t.Source], t.Recent)
		}
		return v.exec(ctx, v.dialect.updateRecent(len(part)), args...)
	})
	if err != nil {
		return nil, err
	}
	err = chunked(v.conn, moved, func(part []history.Track) error {
		args := make([]any, 0, 4*len(part))
		for _, t := range part {
			args = append(args, v.domain, t.Source, int64(t.Due), t.Recent)
		}
		return v.each(ctx, scan, `INSERT INTO dmarc_sources (domain_id, source, due, recent) VALUES `+tuples(len(part), 4)+
			` ON CONFLICT (domain_id, source) DO UPDATE SET recent = excluded.recent, due = excluded.due RETURNING id, source`, args...)
	})
	if err != nil {
		return nil, err
	}
	past := slices.DeleteFunc(slices.Clone(tracks), func(t history.Track) bool { return t.Past == nil })
	err = chunked(v.conn, past, func(part []history.Track) error {
		args := make([]any, 0, 2*len(part))
		for _, t := range part {
			args = append(args, ids[t.Source], t.Past)
		}
		return v.exec(ctx, `INSERT INTO dmarc_past (source_id, data) VALUES `+tuples(len(part), 2)+
			` ON CONFLICT (source_id) DO UPDATE SET data = excluded.data`, args...)
	})
	return ids, err
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
	err := chunked(v.conn, rows, func(part []history.Row) error {
		args := make([]any, 0, 9*len(part))
		for _, r := range part {
			less = less || r.Messages() < 0
			args = append(args, sources[r.Source], int64(r.Day), names[r.Reporter], int64(r.Last), number(r.Authentic), r.Pass, r.Fail, r.Muted, r.Refused)
		}
		return v.exec(ctx, `INSERT INTO dmarc_rows (source_id, day, reporter_id, last_day, authentic, pass, fail, muted, refused)
			VALUES `+tuples(len(part), 9)+` ON CONFLICT (source_id, day, reporter_id, last_day, authentic) DO UPDATE SET
				pass = dmarc_rows.pass + excluded.pass, fail = dmarc_rows.fail + excluded.fail,
				muted = dmarc_rows.muted + excluded.muted, refused = dmarc_rows.refused + excluded.refused`, args...)
	})
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
	return chunked(v.conn, all, func(part []string) error {
		args := make([]any, len(part))
		for i, name := range part {
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
		find := `SELECT id, reporter FROM dmarc_reporters WHERE reporter IN ` + tuples(1, len(part))
		if err := v.each(ctx, scan, find, args...); err != nil {
			return err
		}
		missing := slices.DeleteFunc(slices.Clone(args), func(a any) bool { return names[a.(string)] != 0 })
		if len(missing) == 0 {
			return nil
		}
		err := v.exec(ctx, `INSERT INTO dmarc_reporters (reporter) VALUES `+tuples(len(missing), 1)+` ON CONFLICT (reporter) DO NOTHING`, missing...)
		if err != nil {
			return err
		}
		return v.each(ctx, scan, find, args...)
	})
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
	return chunked(v.conn, entries, func(part []history.Entry) error {
		args := make([]any, 0, 2*len(part))
		for _, e := range part {
			seq++
			e.Seq = seq
			data, err := json.Marshal(e)
			if err != nil {
				return fmt.Errorf("sqlstore: log: %w", err)
			}
			args = append(args, seq, string(data))
		}
		return v.exec(ctx, `INSERT INTO dmarc_log (seq, entry) VALUES `+tuples(len(part), 2), args...)
	})
}
