package sqlstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mailfault/mailfault/dmarcreport/history"
)

// Log implements history.Store.
func (s *Store) Log(ctx context.Context, after int64, limit int) ([]history.Entry, error) {
	query := `SELECT entry FROM dmarc_log WHERE seq > ? ORDER BY seq`
	if limit >= 0 {
		query += fmt.Sprintf(` LIMIT %d`, limit)
	}
	return list(ctx, conn{s.db, s.dialect}, func(r *sql.Rows) (e history.Entry, err error) {
		var data string
		if err := r.Scan(&data); err != nil {
			return e, err
		}
		return e, json.Unmarshal([]byte(data), &e)
	}, query, after)
}

// Consume implements history.Store.
func (s *Store) Consume(ctx context.Context, consumer string, now func() time.Time, lease time.Duration, deliver func(history.Entry) error) error {
	c := conn{s.db, s.dialect}
	if err := c.exec(ctx, `INSERT INTO dmarc_consumers (consumer, seq, holder, until) VALUES (?, 0, '', 0) ON CONFLICT (consumer) DO NOTHING`, consumer); err != nil {
		return err
	}
	holder := rand.Text()
	t := now()
	n, err := c.affected(ctx, `UPDATE dmarc_consumers SET holder = ?, until = ? WHERE consumer = ? AND until <= ?`,
		holder, t.Add(lease).UnixMicro(), consumer, t.UnixMicro())
	if err != nil {
		return err
	}
	if n == 0 {
		return history.ErrBusy
	}
	// Not under ctx: that it was cancelled is no reason to make others wait.
	defer c.exec(context.WithoutCancel(ctx), `UPDATE dmarc_consumers SET until = 0 WHERE consumer = ? AND holder = ?`, consumer, holder)
	var seq int64
	if err := c.row(ctx, `SELECT seq FROM dmarc_consumers WHERE consumer = ?`, consumer).Scan(&seq); err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	for {
		entries, err := s.Log(ctx, seq, 1)
		if err != nil || len(entries) == 0 {
			return err
		}
		if err := deliver(entries[0]); err != nil {
			return err
		}
		seq = entries[0].Seq
		n, err := c.affected(context.WithoutCancel(ctx), `UPDATE dmarc_consumers SET seq = ?, until = ? WHERE consumer = ? AND holder = ?`,
			seq, now().Add(lease).UnixMicro(), consumer, holder)
		if err != nil {
			return err
		}
		if n == 0 {
			return history.ErrBusy
		}
	}
}

// Note implements history.Store.
func (s *Store) Note(ctx context.Context, topic, key, was, value string) (bool, error) {
	c := conn{s.db, s.dialect}
	var n int64
	var err error
	switch {
	case was == "" && value == "":
		err = c.row(ctx, `SELECT COUNT(*) FROM dmarc_notes WHERE topic = ? AND key = ?`, topic, key).Scan(&n)
		n = 1 - n
	case was == "":
		n, err = c.affected(ctx, `INSERT INTO dmarc_notes (topic, key, value) VALUES (?, ?, ?) ON CONFLICT (topic, key) DO NOTHING`, topic, key, value)
	case value == "":
		n, err = c.affected(ctx, `DELETE FROM dmarc_notes WHERE topic = ? AND key = ? AND value = ?`, topic, key, was)
	default:
		n, err = c.affected(ctx, `UPDATE dmarc_notes SET value = ? WHERE topic = ? AND key = ? AND value = ?`, value, topic, key, was)
	}
	return n == 1, err
}

// Notes implements history.Store.
func (s *Store) Notes(ctx context.Context, topic string) (map[string]string, error) {
	notes := make(map[string]string)
	err := conn{s.db, s.dialect}.each(ctx, func(r *sql.Rows) error {
		var key, value string
		err := r.Scan(&key, &value)
		notes[key] = value
		return err
	}, `SELECT key, value FROM dmarc_notes WHERE topic = ?`, topic)
	return notes, err
}
