package dnscheck

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// resolverFunc makes a function a Resolver.
type resolverFunc func(ctx context.Context, name string, t Type) Answer

func (f resolverFunc) Lookup(ctx context.Context, name string, t Type) Answer { return f(ctx, name, t) }

// clockedCache is a cache over a resolver that counts, with a clock to turn.
func clockedCache(answer Answer) (c *Cache, asked *atomic.Int32, clock *time.Time) {
	asked, clock = new(atomic.Int32), new(time.Time)
	*clock = time.Unix(1_000_000, 0)
	c = &Cache{Now: func() time.Time { return *clock }, Resolver: resolverFunc(func(context.Context, string, Type) Answer {
		asked.Add(1)
		return answer
	})}
	return c, asked, clock
}

func TestCacheHoldsAnAnswerAsLongAsItMay(t *testing.T) {
	const unset = 0
	for name, tt := range map[string]struct {
		answer Answer
		change func(*Cache)
		holds  time.Duration // exactly: a nanosecond earlier it is remembered, then asked anew
	}{
		"its TTL":                       {answer: Answer{Outcome: Found, TTL: 300 * time.Second}, holds: 300 * time.Second},
		"a day at most":                 {answer: Answer{Outcome: Found, TTL: 100 * time.Hour}, holds: 24 * time.Hour},
		"less when told":                {answer: Answer{Outcome: Found, TTL: time.Hour}, change: func(c *Cache) { c.MaxTTL = time.Minute }, holds: time.Minute},
		"without bound when told":       {answer: Answer{Outcome: Found, TTL: 100 * time.Hour}, change: func(c *Cache) { c.MaxTTL = -1 }, holds: 100 * time.Hour},
		"no TTL":                        {answer: Answer{Outcome: Found}, holds: unset},
		"no TTL, lengthened":            {answer: Answer{Outcome: Found}, change: func(c *Cache) { c.MinTTL = time.Minute }, holds: time.Minute},
		"no data":                       {answer: Answer{Outcome: NoData, TTL: 60 * time.Second}, holds: 60 * time.Second},
		"no such name, 3 hours at most": {answer: Answer{Outcome: NXDomain, TTL: 10 * time.Hour}, holds: 3 * time.Hour},
		"negative, less when told":      {answer: Answer{Outcome: NXDomain, TTL: time.Hour}, change: func(c *Cache) { c.MaxNegative = time.Second }, holds: time.Second},
		"negative, not at all":          {answer: Answer{Outcome: NXDomain, TTL: time.Hour}, change: func(c *Cache) { c.MaxNegative = -1 }, holds: unset},
		"negative without SOA":          {answer: Answer{Outcome: NXDomain}, holds: unset},
		"a failure":                     {answer: Answer{Outcome: ServFail}, holds: 5 * time.Second},
		"a time-out":                    {answer: Answer{Outcome: Timeout}, holds: 5 * time.Second},
		"a failure, 5 minutes at most":  {answer: Answer{Outcome: ServFail}, change: func(c *Cache) { c.Failures = time.Hour }, holds: 5 * time.Minute},
		"a failure, not at all":         {answer: Answer{Outcome: ServFail}, change: func(c *Cache) { c.Failures = -1 }, holds: unset},
		"nobody was asked":              {answer: Answer{Err: ErrBudget}, holds: unset},
	} {
		t.Run(name, func(t *testing.T) {
			c, asked, clock := clockedCache(tt.answer)
			if tt.change != nil {
				tt.change(c)
			}
			c.Lookup(t.Context(), "example.org", TypeTXT)
			want := int32(1)
			if tt.holds > 0 {
				*clock = clock.Add(tt.holds - 1)
				if got := c.Lookup(t.Context(), "Example.ORG.", TypeTXT); got.Outcome != tt.answer.Outcome || asked.Load() != 1 {
					t.Errorf("forgotten before %v: %+v", tt.holds, got)
				}
				*clock = clock.Add(1)
			}
			c.Lookup(t.Context(), "example.org", TypeTXT)
			if want++; asked.Load() != want {
				t.Errorf("%d questions, want %d", asked.Load(), want)
			}
		})
	}
}

func TestCacheTellsWhatIsLeftOfTheTTL(t *testing.T) {
	c, _, clock := clockedCache(Answer{Outcome: Found, TTL: 300 * time.Second})
	for _, tt := range []struct{ after, want time.Duration }{{0, 300 * time.Second}, {100 * time.Second, 200 * time.Second}, {100500 * time.Millisecond, 99 * time.Second}} {
		*clock = clock.Add(tt.after)
		if got := c.Lookup(t.Context(), "example.org", TypeA); got.TTL != tt.want {
			t.Errorf("TTL %v, want %v", got.TTL, tt.want)
		}
	}
}

func TestCacheTellsTypesAndNamesApart(t *testing.T) {
	c, asked, _ := clockedCache(Answer{Outcome: Found, TTL: time.Hour})
	for range 2 {
		c.Lookup(t.Context(), "example.org", TypeA)
		c.Lookup(t.Context(), "example.org", TypeAAAA)
		c.Lookup(t.Context(), "example.net", TypeA)
	}
	if asked.Load() != 3 {
		t.Errorf("%d questions", asked.Load())
	}
}

func TestCacheForgetsTheLeastRecentlyUsed(t *testing.T) {
	c, asked, _ := clockedCache(Answer{Outcome: Found, TTL: time.Hour})
	c.MaxEntries = 2
	for _, name := range []string{"a", "b", "a", "c"} { // b goes for c
		c.Lookup(t.Context(), name, TypeA)
	}
	if before := asked.Load(); before != 3 || len(c.entries) != 2 {
		t.Fatalf("%d questions, %d entries", before, len(c.entries))
	}
	c.Lookup(t.Context(), "a", TypeA)
	if asked.Load() != 3 {
		t.Error("a was forgotten")
	}
	c.Lookup(t.Context(), "b", TypeA)
	if asked.Load() != 4 {
		t.Error("b was not forgotten")
	}
}

func TestCacheBoundsItsBytes(t *testing.T) {
	c, _, _ := clockedCache(Answer{Outcome: Found, TTL: time.Hour, TXT: []TXT{{strings.Repeat("x", 64<<10), 257}}})
	c.MaxBytes = 1 << 20
	for n := range 100 {
		c.Lookup(t.Context(), itoa(n), TypeTXT)
		sum := 0
		for _, e := range c.entries {
			sum += e.size
		}
		if c.bytes != sum || c.bytes > c.MaxBytes || c.bytes < 64<<10 {
			t.Fatalf("after %d answers %d bytes, summed %d", n+1, c.bytes, sum)
		}
	}
	c.MaxBytes = 1000 // an answer that is too big alone is given and not kept
	if got := c.Lookup(t.Context(), "big", TypeTXT); got.Outcome != Found || c.entries[Question{"big", TypeTXT}] != nil {
		t.Errorf("%v", got.Outcome)
	}
}

func TestCacheAsksOnceForMany(t *testing.T) {
	var asked atomic.Int32
	release := make(chan struct{})
	c := &Cache{Resolver: resolverFunc(func(ctx context.Context, _ string, _ Type) Answer {
		asked.Add(1)
		<-release
		return Answer{Outcome: Found, TTL: time.Hour}
	})}
	const many = 50
	var done sync.WaitGroup
	for range many {
		done.Go(func() {
			if got := c.Lookup(t.Context(), "example.org", TypeA); got.Outcome != Found {
				t.Errorf("%+v", got)
			}
		})
	}
	waitFor(t, func() bool { return c.waiting("example.org", TypeA) == many })
	close(release)
	done.Wait()
	if asked.Load() != 1 {
		t.Errorf("%d questions", asked.Load())
	}
}

// waiting is how many callers wait for an answer.
func (c *Cache) waiting(name string, t Type) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.flights[Question{name, t}]; f != nil {
		return f.waiters
	}
	return 0
}

func waitFor(t *testing.T, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !condition(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited 5 seconds in vain")
		}
	}
}

func TestCacheOutlivesTheFirstCaller(t *testing.T) {
	release, ended, asked := make(chan struct{}), make(chan struct{}, 1), make(chan context.Context, 2)
	c := &Cache{Resolver: resolverFunc(func(ctx context.Context, _ string, _ Type) Answer {
		asked <- ctx
		select {
		case <-release:
			return Answer{Outcome: Found, TTL: time.Hour}
		case <-ctx.Done():
			ended <- struct{}{}
			return Answer{Outcome: Timeout, Err: ctx.Err()}
		}
	})}
	first, cancelFirst := context.WithCancel(t.Context())
	second, cancelSecond := context.WithCancel(t.Context())
	answers := make(chan Answer, 2)
	go func() { answers <- c.Lookup(first, "example.org", TypeA) }()
	waitFor(t, func() bool { return c.waiting("example.org", TypeA) == 1 })
	go func() { answers <- c.Lookup(second, "example.org", TypeA) }()
	waitFor(t, func() bool { return c.waiting("example.org", TypeA) == 2 })
	cancelFirst()
	if got := <-answers; got.Outcome != Timeout || !errors.Is(got.Err, context.Canceled) {
		t.Errorf("first caller: %+v", got)
	}
	if err := (<-asked).Err(); err != nil {
		t.Errorf("the question ended with the first caller: %v", err)
	}
	// With the last caller the question ends, and nothing of it is remembered.
	cancelSecond()
	<-answers
	<-ended
	close(release)
	if got := c.Lookup(t.Context(), "example.org", TypeA); got.Outcome != Found {
		t.Errorf("later caller: %+v", got)
	}
}

func TestCacheAsksNothingForAnEndedContext(t *testing.T) {
	c, asked, _ := clockedCache(Answer{Outcome: Found, TTL: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := c.Lookup(ctx, "example.org", TypeA); got.Outcome != Timeout || asked.Load() != 0 {
		t.Errorf("%+v", got)
	}
}

func TestCacheIsSafeForManyAtOnce(t *testing.T) {
	c := &Cache{MaxEntries: 3, Resolver: resolverFunc(func(_ context.Context, name string, _ Type) Answer {
		return Answer{Outcome: Found, TTL: time.Hour, Names: []string{name}}
	})}
	var done sync.WaitGroup
	for worker := range 8 {
		done.Go(func() {
			for n := range 300 {
				name := itoa((n*7 + worker) % 11)
				if got := c.Lookup(t.Context(), name, TypePTR); len(got.Names) != 1 || got.Names[0] != name {
					t.Errorf("%s: %+v", name, got)
				}
			}
		})
	}
	done.Wait()
	if len(c.entries) != 3 || len(c.flights) != 0 {
		t.Errorf("%d entries, %d flights", len(c.entries), len(c.flights))
	}
}

func BenchmarkCacheHit(b *testing.B) {
	c := &Cache{Resolver: resolverFunc(func(context.Context, string, Type) Answer {
		return Answer{Outcome: Found, TTL: time.Hour, TXT: []TXT{{"v=spf1 -all", 1}}}
	})}
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		if a := c.Lookup(ctx, "example.org", TypeTXT); a.Outcome != Found {
			b.Fatal(a)
		}
	}
}
