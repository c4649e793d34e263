package dnscheck

import (
	"context"
	"sync"
	"time"
)

// Cache is a [Resolver] that remembers the answers of another for as long as
// their TTL says, negative ones too (RFC 2308), and asks one question once though many
// want the answer at a time. Use it by pointer; the zero value but for Resolver works. In
// every field 0 is the default and a negative number means none.
//
// The TTL of a remembered answer is what is left of it, in whole seconds. An answer
// without a TTL, as those of [SystemResolver], is not remembered unless MinTTL is set.
type Cache struct {
	Resolver    Resolver         // that is asked
	MaxEntries  int              // answers kept, the least recently used go first; 0 is 10,000, negative unbounded
	MaxBytes    int              // of all answers, roughly; 0 is 16 MiB, negative unbounded
	MinTTL      time.Duration    // lengthens shorter TTLs; 0 and negative: does not
	MaxTTL      time.Duration    // shortens longer TTLs; 0 is a day, negative does not
	MaxNegative time.Duration    // the same for negative answers; 0 is 3 hours (RFC 2308 section 5), negative keeps none
	Failures    time.Duration    // how long a failure is kept (RFC 9520 section 3.2); 0 is 5 seconds, at most 5 minutes, negative keeps none
	Now         func() time.Time // the clock; nil is time.Now

	mu      sync.Mutex
	entries map[Question]*cacheEntry
	recent  cacheEntry // ring: recent.next was used last, recent.prev longest ago
	bytes   int
	flights map[Question]*flight
}

type cacheEntry struct {
	key        Question
	answer     Answer
	size       int
	expires    time.Time
	prev, next *cacheEntry
}

// flight is a question on its way. Its answer may be read when done is closed.
type flight struct {
	done    chan struct{}
	answer  Answer
	waiters int
	cancel  context.CancelFunc
}

const (
	defaultMaxEntries  = 10_000
	defaultMaxBytes    = 16 << 20
	defaultMaxTTL      = 24 * time.Hour
	defaultMaxNegative = 3 * time.Hour
	defaultFailures    = 5 * time.Second
	maxFailures        = 5 * time.Minute
)

// Lookup answers from memory or asks. When several callers wait for an answer the
// question goes on until the last of them leaves.
func (c *Cache) Lookup(ctx context.Context, name string, t Type) Answer {
	if c == nil {
		return Answer{Err: ErrNoResolver}
	}
	ctx, inner := usable(ctx, c.Resolver)
	key := Question{canonical(name), t}
	c.mu.Lock()
	if answer, ok := c.get(key); ok {
		c.mu.Unlock()
		return answer
	}
	if err := ctx.Err(); err != nil {
		c.mu.Unlock()
		return Answer{Outcome: Timeout, Err: err}
	}
	f, ok := c.flights[key]
	if !ok {
		f = c.fly(ctx, inner, key)
	}
	f.waiters++
	c.mu.Unlock()

	select {
	case <-f.done:
		return f.answer
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiters--; f.waiters == 0 {
		f.cancel()
		if c.flights[key] == f { // who comes now wants an answer, not our end
			delete(c.flights, key)
		}
	}
	return Answer{Outcome: Timeout, Err: ctx.Err()}
}

// fly starts asking; the caller holds the lock. The question must not end with the
// context of the caller that happened to come first.
func (c *Cache) fly(ctx context.Context, inner Resolver, key Question) *flight {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight{done: make(chan struct{}), cancel: cancel}
	if c.flights == nil {
		c.flights = make(map[Question]*flight)
	}
	c.flights[key] = f
	go func() {
		defer cancel()
		f.answer = inner.Lookup(ctx, key.Name, key.Type)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.flights[key] == f {
			delete(c.flights, key)
			c.put(key, f.answer)
		}
		close(f.done)
	}()
	return f
}

// get finds an answer that still holds; the caller holds the lock.
func (c *Cache) get(key Question) (Answer, bool) {
	e, ok := c.entries[key]
	if !ok {
		return Answer{}, false
	}
	left := e.expires.Sub(c.now())
	if left <= 0 {
		c.drop(e)
		return Answer{}, false
	}
	e.unlink()
	c.link(e)
	answer := e.answer
	if answer.TTL > 0 {
		answer.TTL = min(answer.TTL, left.Truncate(time.Second))
	}
	return answer, true
}

// put remembers an answer; the caller holds the lock.
func (c *Cache) put(key Question, a Answer) {
	keep := c.holds(&a)
	size := len(key.Name) + a.size()
	maxEntries, maxBytes := orDefault(c.MaxEntries, defaultMaxEntries), orDefault(c.MaxBytes, defaultMaxBytes)
	if keep <= 0 || maxBytes > 0 && size > maxBytes {
		return
	}
	if c.entries == nil {
		c.entries = make(map[Question]*cacheEntry)
		c.recent.prev, c.recent.next = &c.recent, &c.recent
	}
	if old, ok := c.entries[key]; ok {
		c.drop(old)
	}
	e := &cacheEntry{key: key, answer: a, size: size, expires: c.now().Add(keep)}
	c.entries[key] = e
	c.bytes += size
	c.link(e)
	for maxEntries > 0 && len(c.entries) > maxEntries || maxBytes > 0 && c.bytes > maxBytes {
		c.drop(c.recent.prev)
	}
}

// holds is how long an answer may be kept.
func (c *Cache) holds(a *Answer) time.Duration {
	longest, fallback := c.MaxTTL, defaultMaxTTL
	switch {
	case a.Outcome == OutcomeUnknown: // nobody was asked
		return 0
	case a.Outcome.Failed():
		return min(orDefault(c.Failures, defaultFailures), maxFailures)
	case a.Outcome.Void():
		if c.MaxNegative < 0 {
			return 0
		}
		longest, fallback = c.MaxNegative, defaultMaxNegative
	}
	keep := max(a.TTL, c.MinTTL)
	if longest >= 0 {
		keep = min(keep, orDefault(longest, fallback))
	}
	return keep
}

func (c *Cache) drop(e *cacheEntry) {
	e.unlink()
	c.bytes -= e.size
	delete(c.entries, e.key)
}

func (c *Cache) link(e *cacheEntry) {
	e.prev, e.next = &c.recent, c.recent.next
	e.prev.next, e.next.prev = e, e
}

func (e *cacheEntry) unlink() { e.prev.next, e.next.prev = e.next, e.prev }

func (c *Cache) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}

// size is what an answer takes in memory, roughly.
func (a *Answer) size() int {
	const fixed, text, addr = 300, 16, 24
	n := fixed + len(a.Addrs)*addr
	for i := range a.MX {
		n += len(a.MX[i].Host) + addr
	}
	for i := range a.TXT {
		n += len(a.TXT[i].Text) + addr
	}
	for _, names := range [][]string{a.Names, a.CNAME} {
		for _, name := range names {
			n += len(name) + text
		}
	}
	return n
}
