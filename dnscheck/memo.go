package dnscheck

import (
	"context"
	"sync"
)

// memo is the view that one check has of DNS: each question is asked once,
// whatever its answer, so that all parts of the check see the same and a recording
// replays in any order.
type memo struct {
	resolver Resolver
	ctx      context.Context // of the whole check: a part that ends early must not spoil the answer for others

	mu      sync.Mutex
	answers map[Question]*memoAnswer
	gaps    Gaps  // of all answers
	ended   error // why a question was not asked, first
}

type memoAnswer struct {
	once   sync.Once
	answer Answer
}

// answer is what was answered, or the zero Answer where nobody has asked. It may
// be used when the check is done.
func (m *memo) answer(name string, t Type) Answer {
	if a, ok := m.answers[Question{canonical(name), t}]; ok {
		return a.answer
	}
	return Answer{}
}

func (m *memo) Lookup(_ context.Context, name string, t Type) Answer {
	m.mu.Lock()
	a, ok := m.answers[Question{name, t}]
	if !ok {
		a = new(memoAnswer)
		m.answers[Question{name, t}] = a
	}
	m.mu.Unlock()
	a.once.Do(func() {
		a.answer = m.resolver.Lookup(m.ctx, name, t)
		m.mu.Lock()
		m.gaps |= a.answer.Gaps
		if m.ended == nil && unasked(a.answer) {
			m.ended = a.answer.Err
		}
		m.mu.Unlock()
	})
	return a.answer
}
