package dnscheck

import (
	"context"
	"sync"
	"time"
)

// lateDeadline is a context with a deadline that starts a timer only when
// somebody waits for it. A resolver in memory never does, and starting a timer
// costs as much as evaluating a short record.
type lateDeadline struct {
	context.Context // the caller's, without a deadline
	start           time.Time
	limit           time.Duration

	mu     sync.Mutex
	timed  context.Context // with a timer; nil until somebody waits
	cancel context.CancelFunc
}

// endingIn returns a context that ends limit from now, and what releases it. A
// context that has a deadline is returned as it is.
func endingIn(ctx context.Context, limit time.Duration) (context.Context, *lateDeadline) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, nil
	}
	d := &lateDeadline{Context: ctx, start: time.Now(), limit: limit}
	return d, d
}

// release ends what waits for the context.
func (d *lateDeadline) release() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.cancel != nil {
		d.cancel()
	}
}

func (d *lateDeadline) wait() context.Context {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timed == nil {
		d.timed, d.cancel = context.WithDeadline(d.Context, d.start.Add(d.limit))
	}
	return d.timed
}

func (d *lateDeadline) Deadline() (time.Time, bool) { return d.start.Add(d.limit), true }

func (d *lateDeadline) Done() <-chan struct{} { return d.wait().Done() }

// Err is nil as long as Done is open: once somebody waits, the timer decides.
func (d *lateDeadline) Err() error {
	d.mu.Lock()
	timed := d.timed
	d.mu.Unlock()
	switch {
	case timed != nil:
		return timed.Err()
	case time.Since(d.start) >= d.limit:
		return context.DeadlineExceeded
	}
	return d.Context.Err()
}

// Value lets contexts derived from this one find the timed one as their
// parent, so that they need no goroutine to follow it.
func (d *lateDeadline) Value(key any) any { return d.wait().Value(key) }
