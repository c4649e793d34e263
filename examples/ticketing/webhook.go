package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// webhook delivers the outbox: each event at least once, those of a ticket in
// their order, and again with the same key until somebody takes it.
type webhook struct {
	URL    string
	Shape  shape
	Secret []byte // signs the body; nil: unsigned
	Client *http.Client
}

// waiting in the outbox.
type letter struct {
	id, ticket, attempts int64
	key                  string
	body                 []byte
}

const (
	// maxWait is the longest time between two attempts.
	maxWait = time.Hour
	// maxRefused is after how many failures on end a webhook is left alone until
	// the next look: it is down, and each one that waits has its own retry.
	maxRefused = 5
)

// deliver sends what is due. An event that is not taken holds back only those
// of its own ticket. Each attempt is written down before it is made: what cannot
// be written is not posted, and of two processes one posts it.
func (w *webhook) deliver(ctx context.Context, s *store, now time.Time) (sent int, err error) {
	due, err := list(ctx, s.conn, func(r rowScanner, l *letter) error {
		return r.Scan(&l.id, &l.ticket, &l.attempts, &l.key, &l.body)
	}, `SELECT id, ticket, attempts, idempotency_key, body FROM outbox o WHERE delivered = 0 AND due <= ?
		AND NOT EXISTS (SELECT 1 FROM outbox e WHERE e.ticket = o.ticket AND e.delivered = 0 AND e.id < o.id AND e.due > ?)
		ORDER BY id LIMIT 500`, now.Unix(), now.Unix())
	if err != nil {
		return 0, err
	}
	held := make(map[int64]bool)
	var errs []error
	refused := 0
	for i, l := range due {
		if ctx.Err() != nil {
			break
		}
		if held[l.ticket] {
			continue
		}
		wait := min(maxWait, 5*time.Second<<min(l.attempts, 12))
		n, err := s.exec(ctx, "UPDATE outbox SET attempts = attempts + 1, due = ? WHERE id = ? AND delivered = 0 AND attempts = ?", now.Add(wait).Unix(), l.id, l.attempts)
		if err != nil {
			return sent, errors.Join(append(errs, fmt.Errorf("%w: %w", errStore, err))...)
		}
		if n == 0 { // another process has it
			held[l.ticket] = true
			continue
		}
		problem := w.post(ctx, &l)
		if problem == nil {
			sent++
			refused = 0
			_, err = s.exec(ctx, "UPDATE outbox SET delivered = ?, problem = '' WHERE id = ?", now.Unix(), l.id)
		} else {
			held[l.ticket] = true
			refused++
			errs = append(errs, fmt.Errorf("event %s: %w; again in %v", l.key, problem, wait))
			_, err = s.exec(ctx, "UPDATE outbox SET problem = ? WHERE id = ?", text(problem.Error()), l.id)
		}
		if err != nil {
			return sent, errors.Join(append(errs, fmt.Errorf("%w: %w", errStore, err))...)
		}
		if refused == maxRefused {
			errs = append(errs, fmt.Errorf("%d more events wait until the webhook takes any", len(due)-i-1))
			break
		}
	}
	return sent, errors.Join(errs...)
}

func (w *webhook) post(ctx context.Context, l *letter) error {
	var e event
	if err := json.Unmarshal(l.body, &e); err != nil {
		return err
	}
	body, err := w.Shape.encode(&e)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", l.key)
	if w.Secret != nil {
		mac := hmac.New(sha256.New, w.Secret)
		mac.Write(body)
		request.Header.Set("X-Mailfault-Signature", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	}
	response, err := w.Client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10))
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("the webhook answered %s", response.Status)
	}
	return nil
}
