package dnscheck

import (
	"context"
	"errors"
)

// end looks at what ended the check early: its caller, its time, its budget of
// questions, or a resolver that has nobody to ask. What was not asked then is no fault of DNS.
func (c *DomainCheck) end(caller, own context.Context, view *memo) {
	find := func(id string, args ...any) {
		c.ended = append(c.ended, domainRules.finding(id, Position{}, args...))
	}
	switch {
	case errors.Is(view.ended, ErrNoResolver):
		c.Err = view.ended
		find("check-ended", c.Err)
	case caller.Err() != nil:
		c.Err = context.Cause(caller)
		find("check-ended", c.Err)
	case own.Err() != nil:
		find("check-time")
	}
	if c.Usage.Refused > 0 && c.Err == nil { // who has left is why questions were not asked
		find("check-budget", c.Usage.Refused)
	}
	if len(c.ended) == 0 {
		return
	}
	parts := [][]Finding{c.MX.Findings, c.SPF.Findings, c.DKIM.Findings, c.DMARC.Findings, c.MTASTS.Findings, c.TLSRPT.Findings, c.BIMI.Findings}
	for _, key := range c.DKIM.Selectors {
		parts = append(parts, key.Findings)
	}
	for _, to := range c.Reports {
		parts = append(parts, to.Findings)
	}
	for _, s := range c.Senders {
		parts = append(parts, s.IP.Findings)
	}
	for _, part := range parts {
		view.doubt(part)
	}
}

// doubt takes back that DNS failed where the question may not have been asked, or
// was on its way when the time was over.
func (m *memo) doubt(findings []Finding) {
	for i := range findings {
		f := &findings[i]
		answer := m.answer(f.Where.Name, f.Where.Type)
		failed := answer.Outcome.Failed() && answer.Outcome != OutcomeUnknown && !unasked(answer) && !errors.Is(answer.Err, context.DeadlineExceeded)
		if f.Owner == OwnerResolver && !failed {
			f.Severity, f.Message = Info, f.Message+" before the check ended"
			f.Fix = "check again"
		}
	}
}
