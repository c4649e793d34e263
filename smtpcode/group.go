package smtpcode

import (
	"net/netip"
	"strings"
)

// group counts the failures of one pattern.
type group struct {
	condition Condition
	mixed     bool
	count     int
	domains   tally[string]
	nowhere   bool // a failure names no domain: it may have gone to any
	hosts     tally[string]
	senders   tally[string]
	ips       tally[netip.Addr]

	recipients map[uint64]struct{} // hashes: an address may be of any length
	more       int                 // failures after maxRecipients addresses, each taken for another one
}

func (g *group) add(f *Failure, d *Diagnosis, domain string) {
	g.count++
	g.mixed = g.mixed || d.Condition != g.condition
	g.nowhere = g.nowhere || domain == ""
	g.domains.add(domain)
	g.hosts.add(name(d.Refuser.Host))
	g.senders.add(name(f.EnvelopeFrom))
	if f.SendingIP.IsValid() {
		g.ips.add(f.SendingIP.WithZone(""))
	}
	if f.Recipient == "" {
		return
	}
	key := hash(f.Recipient)
	if _, known := g.recipients[key]; known {
		return
	}
	if len(g.recipients) == maxRecipients {
		g.more++
		return
	}
	if g.recipients == nil {
		g.recipients = make(map[uint64]struct{})
	}
	g.recipients[key] = struct{}{}
}

// pattern says what the group shows, and whether it is worth saying.
func (g *group) pattern(kind PatternKind) (Pattern, bool) {
	several, one := g.domains.len() > 1, g.domains.len() == 1 && !g.nowhere
	recipients := len(g.recipients) + g.more
	switch kind {
	case PatternSeveral:
		switch {
		case g.count > 1 && one:
			kind = PatternOneDomain
		case !several:
			kind = PatternUndecided
		case g.count >= manyFrom && g.domains.most()*100 >= g.count*mostPercent:
			// A few failures elsewhere are what any day brings.
			kind, one = PatternOneDomain, true
		}
	case PatternOwnAuth, PatternBlocked:
		if !several {
			return Pattern{}, false
		}
	case PatternStaleList:
		if recipients < staleFrom {
			return Pattern{}, false
		}
	case PatternCompromise:
		if g.count < 2 {
			return Pattern{}, false
		}
	case PatternHostTransport:
		if g.count < 2 || !one && g.hosts.len() != 1 {
			return Pattern{}, false
		}
	case PatternBackscatter:
		if g.count < staleFrom {
			return Pattern{}, false
		}
	}
	p := patternTexts[kind]
	p.Kind, p.Count = kind, g.count
	if !g.mixed {
		p.Condition = g.condition
	}
	p.Domains, p.Hosts = g.domains.top(strings.Compare), g.hosts.top(strings.Compare)
	p.Senders, p.IPs = g.senders.top(strings.Compare), g.ips.top(netip.Addr.Compare)
	if one {
		p.Domain = p.Domains[0]
	}
	p.Recipients = recipients
	return p, true
}
