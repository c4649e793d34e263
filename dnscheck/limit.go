package dnscheck

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrBudget is the Answer.Err of a question that a [Limit] did not let through.
var ErrBudget = errors.New("dnscheck: the check's budget of DNS questions or time is spent")

// Limit is a [Resolver] that bounds what one check costs. Make one for each
// check and use it by pointer; in every field 0 is the default and a negative number
// means no limit. A question beyond the budget is not asked: its answer is
// OutcomeUnknown with [ErrBudget], so that no check takes it for an empty answer.
type Limit struct {
	Resolver Resolver      // that is asked
	Queries  int           // questions; 0 is 500
	Timeout  time.Duration // from the first question on; 0 is 30 seconds
	Parallel int           // questions at a time, others wait; 0 is 16

	once  sync.Once
	end   time.Time
	slots chan struct{}

	mu   sync.Mutex
	used Usage
}

// Usage is what a check has cost so far.
type Usage struct {
	Queries int `json:"queries"` // asked
	Refused int `json:"refused"` // not asked, the budget being spent
}

const (
	defaultQueries  = 500
	limitTimeout    = 30 * time.Second
	defaultParallel = 16
)

// Used returns what the check has cost so far.
func (l *Limit) Used() Usage {
	if l == nil {
		return Usage{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.used
}

// Lookup asks when the budget allows.
func (l *Limit) Lookup(ctx context.Context, name string, t Type) Answer {
	if l == nil {
		return Answer{Err: ErrNoResolver}
	}
	ctx, resolver := usable(ctx, l.Resolver)
	l.once.Do(l.start)
	if !l.take() {
		return Answer{Err: ErrBudget}
	}
	inner := ctx
	if !l.end.IsZero() {
		var cancel context.CancelFunc
		inner, cancel = context.WithDeadlineCause(ctx, l.end, ErrBudget)
		defer cancel()
	}
	if l.slots != nil {
		select {
		case l.slots <- struct{}{}:
			defer func() { <-l.slots }()
		case <-inner.Done():
			l.refuse()
			return ranOut(ctx, inner)
		}
	}
	answer := resolver.Lookup(inner, name, t)
	if answer.Outcome == Timeout && inner.Err() != nil && ctx.Err() == nil {
		return Answer{Err: ErrBudget} // it was our time that ended, not the server's
	}
	return answer
}

func (l *Limit) start() {
	if l.Timeout >= 0 {
		l.end = time.Now().Add(orDefault(l.Timeout, limitTimeout))
	}
	if l.Parallel >= 0 {
		l.slots = make(chan struct{}, orDefault(l.Parallel, defaultParallel))
	}
}

// take counts a question, or says that there is nothing left.
func (l *Limit) take() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.Queries >= 0 && l.used.Queries >= orDefault(l.Queries, defaultQueries) || !l.end.IsZero() && !time.Now().Before(l.end) {
		l.used.Refused++
		return false
	}
	l.used.Queries++
	return true
}

// refuse takes a counted question back: it was never asked.
func (l *Limit) refuse() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.used.Queries--
	l.used.Refused++
}

// ranOut is the answer when waiting ended: by the caller's context or ours.
func ranOut(ctx, inner context.Context) Answer {
	if err := ctx.Err(); err != nil {
		return Answer{Outcome: Timeout, Err: err}
	}
	return Answer{Err: context.Cause(inner)}
}

// orDefault is v, or the default for zero.
func orDefault[T int | time.Duration](v, fallback T) T {
	if v == 0 {
		return fallback
	}
	return v
}
