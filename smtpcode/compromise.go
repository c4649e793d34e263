package smtpcode

import "net/netip"

// spamRefusals counts refusals of mail as spam by the sender, so that those of
// an account that its own service stopped can be told from anybody else's.
type spamRefusals struct {
	senders    tally[string]
	nameless   int // refusals that name no sender
	domains    tally[of[string]]
	hosts      tally[of[string]]
	ips        tally[of[netip.Addr]]
	recipients map[of[uint64]]struct{}
	more       tally[uint64] // by sender: recipients beyond maxRecipients
}

// of is a key among the failures of one sender, who is told by a hash.
type of[K comparable] struct {
	sender uint64
	key    K
}

func (s *spamRefusals) add(f *Failure, domain, host string) {
	sender := name(f.EnvelopeFrom)
	if sender == "" {
		s.nameless++
	}
	s.senders.add(sender)
	from := hash(sender)
	s.domains.add(of[string]{from, domain})
	s.hosts.add(of[string]{from, host})
	if f.SendingIP.IsValid() {
		s.ips.add(of[netip.Addr]{from, f.SendingIP.Unmap().WithZone("")})
	}
	if f.Recipient == "" {
		return
	}
	address := of[uint64]{from, hash(f.Recipient)}
	if _, known := s.recipients[address]; known {
		return
	}
	if len(s.recipients) == maxRecipients {
		s.more.add(from)
		return
	}
	if s.recipients == nil {
		s.recipients = make(map[of[uint64]]struct{})
	}
	s.recipients[address] = struct{}{}
}

// compromise says what refusals over quota show, joined with the spam refusals
// of the same senders: a service that stops an account while receivers refuse
// its mail as spam is how a stolen password looks from outside. Failures that
// name no sender are joined with their like.
func (g *group) compromise(spam *spamRefusals) (Pattern, bool) {
	joined := *g
	joined.domains, joined.hosts = g.domains.clone(), g.hosts.clone()
	joined.senders, joined.ips = g.senders.clone(), g.ips.clone()
	joined.recipients = g.recipients.clone()
	found := joined.join(spam)
	p, ok := joined.pattern(PatternCompromise)
	if found {
		p.Summary, p.Condition = summaryQuotaAndSpam, UnknownCondition
	}
	return p, ok
}

// join adds the spam refusals of g's senders and reports whether there are any.
func (g *group) join(spam *spamRefusals) bool {
	shared := make(map[uint64]bool)
	before := g.count
	for _, sender := range g.senders.keys() {
		if n := spam.senders.count(sender); n > 0 {
			shared[hash(sender)] = true
			g.senders.put(sender, n)
			g.count += n
		}
	}
	if g.nameless > 0 && spam.nameless > 0 {
		shared[hash("")] = true
		g.nameless += spam.nameless
		g.count += spam.nameless
	}
	for _, domain := range spam.domains.keys() {
		if shared[domain.sender] {
			g.nowhere = g.nowhere || domain.key == ""
			g.domains.put(domain.key, spam.domains.count(domain))
		}
	}
	for _, host := range spam.hosts.keys() {
		if shared[host.sender] {
			g.hosts.put(host.key, spam.hosts.count(host))
		}
	}
	for _, ip := range spam.ips.keys() {
		if shared[ip.sender] {
			g.ips.put(ip.key, spam.ips.count(ip))
		}
	}
	for address := range spam.recipients {
		if shared[address.sender] {
			g.recipients.put(address.key)
		}
	}
	for sender := range shared {
		g.recipients.more += spam.more.count(sender)
	}
	return g.count > before
}
