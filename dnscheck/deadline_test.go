package dnscheck

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

func TestTheDeadlineComesWhetherOrNotSomebodyWaits(t *testing.T) {
	tests := []struct {
		name string
		use  func(context.Context) // while it runs
	}{
		{"nobody waits", func(context.Context) { time.Sleep(21 * time.Second) }},
		{"a channel waits", func(ctx context.Context) { <-ctx.Done() }},
		{"a derived context waits", func(ctx context.Context) {
			child, cancel := context.WithCancel(ctx)
			defer cancel()
			<-child.Done()
			if !errors.Is(child.Err(), context.DeadlineExceeded) {
				t.Errorf("the derived context ends with %v", child.Err())
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				ctx, late := endingIn(context.Background(), 20*time.Second)
				defer late.release()
				if at, ok := ctx.Deadline(); !ok || !at.Equal(start.Add(20*time.Second)) || ctx.Err() != nil {
					t.Errorf("deadline %v, %v", at, ctx.Err())
				}
				test.use(ctx)
				if passed := time.Since(start); passed < 20*time.Second || passed > 21*time.Second || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
					t.Errorf("after %v: %v", passed, ctx.Err())
				}
			})
		})
	}
}

func TestACallersCancellationAndDeadlineCount(t *testing.T) {
	parent, cancel := context.WithCancel(context.Background())
	ctx, late := endingIn(parent, time.Hour)
	defer late.release()
	done := ctx.Done()
	cancel()
	<-done
	if !errors.Is(ctx.Err(), context.Canceled) {
		t.Error(ctx.Err())
	}
	timed, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	if ctx, late := endingIn(timed, time.Second); ctx != timed || late != nil {
		t.Error("a context with a deadline was wrapped")
	}
}

// blocked never answers on its own.
type blocked struct{}

func (blocked) Lookup(ctx context.Context, _ string, _ Type) Answer {
	<-ctx.Done()
	return Answer{Outcome: Timeout, Err: ctx.Err()}
}

func TestCheckSPFEndsAfterTwentySeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		got := CheckSPF(context.Background(), blocked{}, SPFQuery{IP: netip.MustParseAddr("192.0.2.1"), MailFrom: "a@example.org"})
		if passed := time.Since(start); got.Result != SPFTempError || passed != 20*time.Second {
			t.Errorf("%v after %v", got.Result, passed)
		}
	})
}
