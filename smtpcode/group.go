package smtpcode

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
)

// group counts the failures of one pattern.
type group struct {
	condition Condition
	mixed     bool
	count     int
	domains   tally[string]
	nowhere   bool // a failure names no domain: it may have gone to any
	microsoft bool // a server of Microsoft's reports or refused
	hosts     tally[string]
	senders   tally[string]
	ips       tally[netip.Addr]

	recipients addresses
}

func (g *group) add(f *Failure, c Condition, domain, host string) {
	g.count++
	g.mixed = g.mixed || c != g.condition
	g.nowhere = g.nowhere || domain == ""
	g.microsoft = g.microsoft || ofMicrosoft(f, host)
	g.domains.add(domain)
	g.hosts.add(host)
	g.senders.add(name(f.EnvelopeFrom))
	if f.SendingIP.IsValid() {
		g.ips.add(f.SendingIP.WithZone(""))
	}
	if f.Recipient != "" {
		g.recipients.add(f.Recipient)
	}
}

// ofMicrosoft reports whether Exchange took part in a failure, online or on
// somebody's own server.
func ofMicrosoft(f *Failure, host string) bool {
	if operatorOf(host) == Microsoft || operatorOf(hostName(f.GeneratingServer)) == Microsoft {
		return true
	}
	return slices.ContainsFunc(f.Replies, func(r Reply) bool { return strings.Contains(r.Text, "QUEUE.Expired") })
}

// addresses is a set of mail addresses, maxRecipients of them at most, as
// hashes: an address may be of any length.
type addresses struct {
	seen map[uint64]struct{}
	more int // those after maxRecipients, each taken for another one
}

func (a *addresses) add(address string) {
	key := hash(address)
	if _, known := a.seen[key]; known {
		return
	}
	if len(a.seen) == maxRecipients {
		a.more++
		return
	}
	a.put(key)
}

// put adds the hash of an address, beyond maxRecipients too.
func (a *addresses) put(key uint64) {
	if a.seen == nil {
		a.seen = make(map[uint64]struct{})
	}
	a.seen[key] = struct{}{}
}

func (a *addresses) clone() addresses { return addresses{maps.Clone(a.seen), a.more} }

// len returns how many addresses there are, repeated ones beyond maxRecipients
// counted each time.
func (a *addresses) len() int { return len(a.seen) + a.more }

// pattern says what the group shows, and whether it is worth saying.
func (g *group) pattern(kind PatternKind) (Pattern, bool) {
	several, one := g.domains.len() > 1, g.domains.len() == 1 && !g.nowhere
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
		if g.recipients.len() < staleFrom {
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
	if kind == PatternSeveral && g.microsoft {
		p.Steps = []Step{p.Steps[0], p.Steps[1], hybridConnector, p.Steps[2]}
	}
	if !g.mixed {
		p.Condition = g.condition
	}
	p.Domains, p.Hosts = g.domains.top(strings.Compare), g.hosts.top(strings.Compare)
	p.Senders, p.IPs = g.senders.top(strings.Compare), g.ips.top(netip.Addr.Compare)
	if one {
		p.Domain = p.Domains[0]
	}
	if kind == PatternOneDomain {
		p.Summary = fmt.Sprintf("%d of %d messages that did not get through were for %s: the trouble is there.", g.domains.most(), g.count, p.Domain)
		if g.domains.most() == g.count {
			p.Summary = fmt.Sprintf("All %d messages that did not get through were for %s: the trouble is there.", g.count, p.Domain)
		}
	}
	p.Recipients = g.recipients.len()
	return p, true
}
