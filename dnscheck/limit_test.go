package dnscheck

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestLimitCountsQuestions(t *testing.T) {
	var asked atomic.Int32
	l := &Limit{Queries: 3, Resolver: resolverFunc(func(context.Context, string, Type) Answer {
		asked.Add(1)
		return Answer{Outcome: NoData}
	})}
	for n := range 5 {
		got := l.Lookup(t.Context(), "example.org", TypeA)
		if spent := n >= 3; spent != (got.Outcome == OutcomeUnknown && errors.Is(got.Err, ErrBudget)) {
			t.Errorf("question %d: %+v", n+1, got)
		}
	}
	if want := (Usage{Queries: 3, Refused: 2}); l.Used() != want || asked.Load() != 3 {
		t.Errorf("%+v, asked %d", l.Used(), asked.Load())
	}
}

func TestLimitDefaultsAndNone(t *testing.T) {
	fast := resolverFunc(func(ctx context.Context, _ string, _ Type) Answer {
		if _, ok := ctx.Deadline(); !ok {
			return Answer{Outcome: ServFail}
		}
		return Answer{Outcome: NoData}
	})
	l := &Limit{Resolver: fast}
	for range defaultQueries + 7 {
		l.Lookup(t.Context(), "example.org", TypeA)
	}
	if want := (Usage{defaultQueries, 7}); l.Used() != want || cap(l.slots) != defaultParallel {
		t.Errorf("%+v, %d at a time", l.Used(), cap(l.slots))
	}
	l = &Limit{Resolver: fast, Queries: -1, Timeout: -1, Parallel: -1}
	for range defaultQueries + 7 {
		if got := l.Lookup(context.Background(), "example.org", TypeA); got.Outcome != ServFail {
			t.Fatalf("there is a deadline, or %v", got.Err)
		}
	}
	if want := (Usage{defaultQueries + 7, 0}); l.Used() != want {
		t.Errorf("%+v", l.Used())
	}
}

func TestLimitEndsWithItsTime(t *testing.T) {
	l := &Limit{Timeout: 30 * time.Millisecond, Resolver: resolverFunc(func(ctx context.Context, _ string, _ Type) Answer {
		<-ctx.Done()
		return Answer{Outcome: Timeout, Err: ctx.Err()}
	})}
	for range 2 { // the first is cut off, the second not asked
		if got := l.Lookup(t.Context(), "example.org", TypeA); got.Outcome != OutcomeUnknown || !errors.Is(got.Err, ErrBudget) {
			t.Errorf("%+v", got)
		}
	}
	if want := (Usage{Queries: 1, Refused: 1}); l.Used() != want {
		t.Errorf("%+v", l.Used())
	}
}

func TestLimitLeavesTheCallersEndAlone(t *testing.T) {
	l := &Limit{Parallel: 1, Resolver: resolverFunc(func(ctx context.Context, _ string, _ Type) Answer {
		<-ctx.Done()
		return Answer{Outcome: Timeout, Err: ctx.Err()}
	})}
	ctx, cancel := context.WithCancel(t.Context())
	answers := make(chan Answer, 2)
	for range 2 { // one asks, one waits for its turn
		go func() { answers <- l.Lookup(ctx, "example.org", TypeA) }()
	}
	time.AfterFunc(20*time.Millisecond, cancel)
	for range 2 {
		if got := <-answers; got.Outcome != Timeout || !errors.Is(got.Err, context.Canceled) {
			t.Errorf("%+v", got)
		}
	}
}

func TestLimitBoundsParallelQuestions(t *testing.T) {
	var now, most atomic.Int32
	l := &Limit{Parallel: 3, Resolver: resolverFunc(func(context.Context, string, Type) Answer {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		time.Sleep(time.Millisecond)
		now.Add(-1)
		return Answer{Outcome: NoData}
	})}
	var done sync.WaitGroup
	for range 40 {
		done.Go(func() { l.Lookup(t.Context(), "example.org", TypeA) })
	}
	done.Wait()
	if most.Load() > 3 || most.Load() < 2 || l.Used().Queries != 40 {
		t.Errorf("%d at a time, %+v", most.Load(), l.Used())
	}
}
