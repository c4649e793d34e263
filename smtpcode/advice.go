package smtpcode

import (
	"net/netip"
	"time"
)

// clearsByTime reports whether a condition ends by itself even where the refusal
// was permanent.
func clearsByTime(c Condition) bool {
	switch c {
	case "submission-quota", "tenant-quota", "recipient-rate-limit", "mailbox-receive-limit", "ip-throttled", "too-many-connections", "group-not-replicated":
		return true
	}
	return false
}

// advice turns what the condition says into what this failure allows: class 5
// is not resent unchanged unless time alone clears it, class 4 may be tried later.
func advice(m *meaning, p Permanence, action Action) (Resend, AddressAdvice) {
	resend, address := m.resend, m.address
	switch p {
	case Permanent:
		if resend.Advice == Later && !clearsByTime(m.id) {
			resend = Resend{Advice: AfterFix}
		}
		if resend.Advice == ResendUnknown {
			resend = Resend{Advice: NeverUnchanged}
		}
	case Transient:
		if resend.Advice != Later {
			resend = Resend{Advice: Later, Wait: 15 * time.Minute}
		}
		if action == Delayed {
			resend.Wait = 0
		}
		address = Keep
	}
	return resend, address
}

// checks fills in what the failure gives for the look-ups that settle it.
func checks(m *meaning, f *Failure) []Check {
	if len(m.checks) == 0 {
		return nil
	}
	out := make([]Check, len(m.checks))
	for i, kind := range m.checks {
		c := Check{Kind: kind}
		switch kind {
		case CheckDMARC, CheckDKIM:
			c.Domain = domainToCheck(f.AuthorDomain)
		case CheckAggregateReports:
			c.Domain, c.IP, c.Date = domainToCheck(f.AuthorDomain), f.SendingIP, f.Date
		case CheckSPF:
			c.Domain, c.IP = domainToCheck(domainOf(f.EnvelopeFrom)), f.SendingIP
			if c.Domain == "" {
				c.Domain = domainToCheck(f.HELO)
			}
		case CheckMX:
			c.Domain = domainToCheck(domainOf(f.Recipient))
		case CheckRDNS, CheckBlocklist:
			c.IP = f.SendingIP
			if c.IP == (netip.Addr{}) {
				c.Domain = domainToCheck(domainOf(f.EnvelopeFrom))
			}
		}
		out[i] = c
	}
	return out
}
