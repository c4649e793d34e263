package smtpcode

import "slices"

// whileDelayed returns what to say while the server still tries: the cause if
// it is known, but nobody has to act on expiry that has not happened.
func (b *Rulebook) whileDelayed(m *meaning) *meaning {
	switch m.id {
	case UnknownCondition, "message-expired", "deferred", "refused":
		return b.meaningOf("delayed")
	}
	delayed := *m
	delayed.resend, delayed.address = Resend{Advice: Later}, Keep
	delayed.steps = append([]Step{b.meaningOf("delayed").steps[0]}, withoutWait(m.steps)...)
	return &delayed
}

// withoutRetries returns what to say when no server tries again: nobody waits
// for that, and time alone clears nothing.
func withoutRetries(m *meaning, p Permanence) *meaning {
	if !slices.Contains(m.steps, wait) {
		return m
	}
	ended := *m
	first, owner := sendOnceMore, Sender
	if p == Permanent {
		first, owner = tellTheirs, RecipientAdmin
	}
	ended.steps = append([]Step{first}, withoutWait(m.steps)...)
	if slices.Equal(m.owners, waiting) {
		ended.owners = []Party{owner}
		if owner == RecipientAdmin {
			ended.steps = append(ended.steps, findInLog)
		}
	}
	return &ended
}

// waiting are the owners where time clears it.
var waiting = []Party{Nobody}

// findInLog is what they do who refused for good what they might have put off.
var findInLog = Step{RecipientAdmin, "Find the refusal in the server's log, and what it waits for."}

func withoutWait(steps []Step) []Step {
	return slices.DeleteFunc(slices.Clone(steps), func(s Step) bool { return s == wait })
}
