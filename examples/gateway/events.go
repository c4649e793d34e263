package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/examples/internal/explained"
)

// event is what is told of a report: the document of explain -json, and how the
// report came.
type event struct {
	explained.Document
	Gateway arrival `json:"gateway"`
}

// arrival is how a report came.
type arrival struct {
	ID     string     `json:"id"` // of the mail's bytes: the same mail twice has it twice
	Time   time.Time  `json:"time"`
	Client string     `json:"client"`
	From   string     `json:"mail_from"`
	To     []string   `json:"rcpt_to"`
	Origin dsn.Origin `json:"origin"`
}

func newEvent(m *mail, doc explained.Document, o dsn.Origin) *event {
	doc.Report, doc.Notice = nil, nil // an event in the queue does not hold the mail
	for i := range doc.Recipients {
		doc.Recipients[i].Failure.Replies = nil
	}
	return &event{doc, arrival{ID: m.id(), Time: time.Now().UTC(), Client: m.Client.String(), From: m.From, To: m.To, Origin: o}}
}

// events tells a file or a webhook of the reports that went through. It never
// holds up a mail: a webhook that does not answer fills the queue, and then
// events are dropped and logged. Nil tells nobody.
type events struct {
	log   *slog.Logger
	queue chan []byte
	send  func([]byte) error
	close func() error
	done  sync.WaitGroup

	mu     sync.RWMutex
	closed bool
}

const (
	queued   = 1000 // events that may wait
	attempts = 5    // before an event is given up
)

// toFile appends events to a file, one a line.
func toFile(name string, log *slog.Logger) (*events, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	e := &events{log: log, close: f.Close}
	e.send = func(line []byte) error {
		n, err := f.Write(line)
		if err == nil || n == 0 {
			return err
		}
		info, statErr := f.Stat() // the disk is full: half a line must not stay
		if statErr != nil {
			return errors.Join(err, statErr)
		}
		return errors.Join(err, f.Truncate(info.Size()-int64(n)))
	}
	e.start()
	return e, nil
}

// toWebhook posts events to a URL, one a request.
func toWebhook(url string, log *slog.Logger) *events {
	client := &http.Client{Timeout: 10 * time.Second}
	e := &events{log: log, close: func() error { client.CloseIdleConnections(); return nil }}
	e.send = func(body []byte) error {
		response, err := client.Post(url, "application/json", bytes.NewReader(body))
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10))
		if response.StatusCode/100 != 2 {
			err = fmt.Errorf("webhook answered %s", response.Status)
		}
		return errors.Join(err, response.Body.Close())
	}
	e.start()
	return e
}

func (e *events) start() {
	e.queue = make(chan []byte, queued)
	e.done.Go(func() {
		for line := range e.queue {
			wait := 100 * time.Millisecond
			for attempt := 1; ; attempt++ {
				err := e.send(line)
				if err == nil {
					break
				}
				if attempt == attempts {
					e.log.Error("event given up", "err", err, "event", string(line))
					break
				}
				time.Sleep(wait)
				wait *= 3
			}
		}
	})
}

// tell puts an event in the queue.
func (e *events) tell(v *event) {
	if e == nil || v == nil {
		return
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		e.log.Error("event without JSON", "err", err)
		return
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		e.log.Error("event after the end: dropped", "event", b.String())
		return
	}
	select {
	case e.queue <- b.Bytes():
	default:
		e.log.Error("too many events wait: dropped", "event", b.String())
	}
}

// Close sends what waits, until the context ends.
func (e *events) Close(ctx context.Context) error {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	e.closed = true
	close(e.queue)
	e.mu.Unlock()
	done := make(chan struct{})
	go func() { e.done.Wait(); close(done) }()
	select {
	case <-done:
		return e.close()
	case <-ctx.Done():
		return ctx.Err()
	}
}
