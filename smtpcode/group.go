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
	nameless  int // failures that name no sender
	tenant    int // failures of the whole organization, whoever sent
	ips       tally[netip.Addr]
	authors   tally[of[string]] // recipient domains by author domain, for PatternOwnAuth

	recipients addresses
}

func (g *group) add(f *Failure, c Condition, domain, host string, operator Operator) {
	g.count++
	g.mixed = g.mixed || c != g.condition
	g.nowhere = g.nowhere || domain == ""
	g.microsoft = g.microsoft || operator == Microsoft || reportedByMicrosoft(f)
	g.domains.add(domain)
	g.hosts.add(host)
	sender := name(f.EnvelopeFrom)
	g.senders.add(sender)
	if sender == "" {
		g.nameless++
	}
	switch c {
	case "tenant-quota", "tenant-blocked":
		g.tenant++
	}
	if f.SendingIP.IsValid() {
		g.ips.add(f.SendingIP.Unmap().WithZone(""))
	}
	if f.Recipient != "" {
		g.recipients.add(f.Recipient)
	}
}

// addAuthor counts who wrote the message, as far as authentication goes.
func (g *group) addAuthor(f *Failure, domain string) {
	author := f.AuthorDomain
	if author == "" {
		author = domainOf(f.EnvelopeFrom)
	}
	g.authors.add(of[string]{hash(author), domain})
}

// oneAuthor reports whether receivers of several domains refused one author:
// strangers whose mail is forwarded fail each for himself.
func (g *group) oneAuthor() bool {
	at := make(map[uint64]string)
	for _, refused := range g.authors.keys() {
		if refused.key == "" {
			continue
		}
		if domain, known := at[refused.sender]; known && domain != refused.key {
			return true
		}
		at[refused.sender] = refused.key
	}
	return false
}

// reportedByMicrosoft reports whether Exchange wrote of a failure, online or on
// somebody's own server.
func reportedByMicrosoft(f *Failure) bool {
	if operatorOf(hostName(f.GeneratingServer)) == Microsoft {
		return true
	}
	return slices.ContainsFunc(f.Replies, func(r Reply) bool { return strings.Contains(r.Text, "QUEUE.Expired") })
}

// addresses is a set of mail addresses, maxRecipients of them at most, as
// hashes: an address may be of any length.
type addresses struct {
	seen map[uint64]struct{}
	some filter
	more int // those after maxRecipients, each taken for another one
}

func (a *addresses) add(address string) {
	key := hash(address)
	if a.some.has(key) {
		if _, known := a.seen[key]; known {
			return
		}
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
	a.some.put(key)
}

func (a *addresses) clone() addresses { return addresses{maps.Clone(a.seen), a.some, a.more} }

// len returns how many addresses there are, repeated ones beyond maxRecipients
// counted each time.
func (a *addresses) len() int { return len(a.seen) + a.more }

// standsOut reports whether n of all are nearly all.
func standsOut(n, all int) bool { return n >= all-all/strayOneIn }

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
		case g.count >= manyFrom && standsOut(g.domains.most(), g.count):
			// A few failures elsewhere are what any day brings.
			kind, one = PatternOneDomain, true
		}
	case PatternOwnAuth:
		if !g.oneAuthor() {
			return Pattern{}, false
		}
	case PatternBlocked:
		if !several {
			return Pattern{}, false
		}
	case PatternStaleList:
		if g.recipients.len() < staleFrom {
			return Pattern{}, false
		}
	case PatternCompromise:
		// Two accounts that meet their limit once are no stolen one.
		if max(g.senders.most(), g.nameless, g.tenant) < 2 {
			return Pattern{}, false
		}
	case PatternHostTransport:
		if g.count < 2 || !one && g.hosts.most() < g.count && !(g.count >= manyFrom && standsOut(g.hosts.most(), g.count)) {
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
		if !g.domains.exact() {
			p.Summary = "At least " + p.Summary
		}
		if g.domains.most() == g.count {
			p.Summary = fmt.Sprintf("All %d messages that did not get through were for %s: the trouble is there.", g.count, p.Domain)
		}
	}
	p.Recipients = g.recipients.len()
	return p, true
}
