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
// holds up a mail: while the file or the webhook is out of order events wait in
// the queue, and those that find no place there are logged instead. Nil tells
// nobody.
type events struct {
	log   *slog.Logger
	queue chan []byte
	send  func(context.Context, []byte) error
	close func() error
	done  sync.WaitGroup
	ctx   context.Context // ends when no event may be sent any more
	end   context.CancelFunc

	mu     sync.RWMutex
	closed bool
}

const (
	queued   = 1000             // events that may wait
	attempts = 5                // to hand over a report about a mail that is gone on
	longest  = 30 * time.Second // between attempts at an event
)

func newEvents(log *slog.Logger, send func(context.Context, []byte) error, close func() error) *events {
	e := &events{log: log, queue: make(chan []byte, queued), send: send, close: close}
	e.ctx, e.end = context.WithCancel(context.Background())
	e.done.Go(func() {
		for line := range e.queue {
			e.deliver(line)
		}
	})
	return e
}

// errForGood marks an event that the webhook will not take however often it is
// asked.
var errForGood = errors.New("refused for good")

// deliver sends an event, however long that takes.
func (e *events) deliver(line []byte) {
	began := time.Now()
	for wait := 100 * time.Millisecond; ; wait = min(3*wait, longest) {
		err := e.ctx.Err()
		if err == nil {
			err = e.send(e.ctx, line)
		}
		switch {
		case err == nil && wait > 100*time.Millisecond:
			e.log.Info("events are taken again", "after", time.Since(began).Round(time.Second), "waiting", len(e.queue))
			return
		case err == nil:
			return
		case errors.Is(err, errForGood) || e.ctx.Err() != nil:
			e.log.Error("event not told", "err", err, "event", string(line))
			return
		case wait == 100*time.Millisecond || wait == longest:
			e.log.Warn("events wait", "err", err, "waiting", len(e.queue)+1)
		}
		select {
		case <-time.After(wait):
		case <-e.ctx.Done():
		}
	}
}

// toFile appends events to a file, one a line.
func toFile(name string, log *slog.Logger) (*events, error) {
	f, err := openLines(name)
	if err != nil {
		return nil, err
	}
	return newEvents(log, func(_ context.Context, line []byte) error { return appendLine(f, line) }, f.Close), nil
}

// toWebhook posts events to a URL, one a request.
func toWebhook(url string, log *slog.Logger) *events {
	client := &http.Client{Timeout: 10 * time.Second}
	send := func(ctx context.Context, body []byte) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			return errors.Join(errForGood, err)
		}
		request.Header.Set("Content-Type", "application/json")
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10))
		err = errors.Join(err, response.Body.Close())
		switch code := response.StatusCode; {
		case code/100 == 2:
			return nil // it has the event, whatever came of the rest of the answer
		case code == http.StatusRequestTimeout, code == http.StatusTooEarly, code == http.StatusTooManyRequests, code/100 != 4:
			return errors.Join(fmt.Errorf("webhook answered %s", response.Status), err)
		}
		return fmt.Errorf("webhook answered %s: %w", response.Status, errForGood)
	}
	return newEvents(log, send, func() error { client.CloseIdleConnections(); return nil })
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
		e.log.Error("event not told: it came after the end", "event", b.String())
		return
	}
	select {
	case e.queue <- b.Bytes():
	default:
		e.log.Error("too many events wait: event not told", "event", b.String())
	}
}

// Close sends what waits, until the context ends; what is left is logged.
func (e *events) Close(ctx context.Context) error {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	e.closed = true
	close(e.queue)
	e.mu.Unlock()
	stop := context.AfterFunc(ctx, e.end)
	e.done.Wait()
	defer e.end()
	if stop(); ctx.Err() != nil {
		return errors.Join(ctx.Err(), e.close())
	}
	return e.close()
}
