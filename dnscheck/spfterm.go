package dnscheck

import (
	"net/netip"
	"slices"
	"strings"
)

// try evaluates one mechanism. Where err is set, result is the check's.
func (c *spfCheck) try(t *Term, domain string, depth int) (matched bool, result SPFResult, err error) {
	if t.Mechanism.Charged() {
		if err := c.charge(); err != nil {
			c.step(depth, domain, t, "")
			return false, SPFPermError, err
		}
	}
	var outcome Outcome
	asked := ""
	at := -1
	switch t.Mechanism {
	case MechanismAll:
		matched = true
		at = c.step(depth, domain, t, "")
	case MechanismIP4, MechanismIP6:
		matched = t.Prefix.Contains(c.q.IP)
		at = c.step(depth, domain, t, "")
	default:
		if asked, err = c.target(t, domain); err != nil {
			return false, resultOf(err), err
		}
		at = c.step(depth, domain, t, asked)
		switch t.Mechanism {
		case MechanismInclude:
			matched, err = c.include(asked, depth, at)
		case MechanismA:
			outcome, matched, err = c.addresses(asked, t)
			if err == nil {
				err = c.void(outcome)
			}
		case MechanismMX:
			outcome, matched, err = c.exchangers(asked, t)
		case MechanismPTR:
			matched, err = c.reverse(asked)
		case MechanismExists:
			answer := c.lookup(asked, TypeA)
			outcome, matched = answer.Outcome, len(answer.Addrs) > 0
			if outcome.Failed() {
				err = &nameError{asked, noAnswer(answer)}
			} else {
				err = c.void(outcome)
			}
		}
	}
	c.stepped(at, func(s *Step) {
		s.Matched = matched
		if outcome != OutcomeUnknown { // include has said it itself
			s.Outcome = outcome
		}
	})
	if err != nil {
		return false, resultOf(err), err
	}
	return matched, SPFNone, nil
}

// include evaluates the record of another domain (section 5.2).
func (c *spfCheck) include(target string, depth, at int) (matched bool, err error) {
	if !validDomain(target) {
		return false, ErrBadDomain
	}
	c.enter(target)
	c.leads = at
	result, err := c.host(target, depth+1, false)
	c.depth--
	c.stepped(at, func(s *Step) { s.Result = result })
	switch result {
	case SPFPass:
		return true, nil
	case SPFFail, SPFSoftFail, SPFNeutral:
		return false, nil
	}
	if err == nil {
		err = ErrNoRecord
	}
	return false, err
}

// addresses matches the client against a name's addresses of its own family.
func (c *spfCheck) addresses(name string, t *Term) (Outcome, bool, error) {
	recordType, mask := TypeA, t.Mask4
	if c.q.IP.Is6() {
		recordType, mask = TypeAAAA, t.Mask6
	}
	answer := c.lookup(name, recordType)
	if answer.Outcome.Failed() {
		return answer.Outcome, false, &nameError{name, noAnswer(answer)}
	}
	for _, addr := range answer.Addrs {
		if addr.BitLen() == c.q.IP.BitLen() && netip.PrefixFrom(addr, mask).Contains(c.q.IP) {
			return answer.Outcome, true, nil
		}
	}
	return answer.Outcome, false, nil
}

// exchangers matches the client against the addresses of a domain's mail
// exchangers (section 5.4).
func (c *spfCheck) exchangers(name string, t *Term) (Outcome, bool, error) {
	answer := c.lookup(name, TypeMX)
	if answer.Outcome.Failed() {
		return answer.Outcome, false, &nameError{name, noAnswer(answer)}
	}
	if err := c.void(answer.Outcome); err != nil {
		return answer.Outcome, false, err
	}
	if len(answer.MX) > maxNames {
		return answer.Outcome, false, ErrTooManyMX
	}
	for _, mx := range answer.MX {
		if mx.Host == "" {
			continue
		}
		_, matched, err := c.addresses(mx.Host, t)
		if err != nil || matched {
			return answer.Outcome, matched, err
		}
	}
	return answer.Outcome, false, nil
}

// reverse looks for a name of the client's, confirmed forwards, at or below
// target (section 5.5). DNS failures make no match.
func (c *spfCheck) reverse(target string) (bool, error) {
	names, err := c.confirmed()
	if err != nil {
		return false, err
	}
	for _, name := range names {
		if below(name, target) {
			return true, nil
		}
	}
	return false, nil
}

// confirmed returns the client's reverse names that resolve back to it, of the
// first ten.
func (c *spfCheck) confirmed() ([]string, error) {
	answer := c.lookup(reverseName(c.q.IP), TypePTR)
	if answer.Outcome.Failed() {
		return nil, nil
	}
	if err := c.void(answer.Outcome); err != nil {
		return nil, err
	}
	recordType := TypeA
	if c.q.IP.Is6() {
		recordType = TypeAAAA
	}
	var names []string
	for i, name := range answer.Names {
		if i == maxNames {
			break
		}
		if slices.Contains(c.lookup(name, recordType).Addrs, c.q.IP) {
			names = append(names, name)
		}
	}
	return names, nil
}

// reverseName is the name below which an address's reverse names stand.
func reverseName(ip netip.Addr) string {
	if ip.Is4() {
		b := ip.As4()
		return itoa(int(b[3])) + "." + itoa(int(b[2])) + "." + itoa(int(b[1])) + "." + itoa(int(b[0])) + ".in-addr.arpa"
	}
	nibbles := dotted(ip)
	b := make([]byte, len(nibbles))
	for i := range len(nibbles) {
		b[len(b)-1-i] = nibbles[i]
	}
	return string(b) + ".ip6.arpa"
}

func below(name, domain string) bool {
	domain = strings.TrimSuffix(domain, ".")
	n := len(name) - len(domain)
	return n >= 0 && strings.EqualFold(name[n:], domain) && (n == 0 || name[n-1] == '.')
}

// validatedName is the macro p (section 7.3): a confirmed name of the client,
// the domain itself or one below it if possible. It is charged like a term.
func (c *spfCheck) validatedName(domain string) (string, error) {
	if err := c.charge(); err != nil {
		return "", err
	}
	names, err := c.confirmed()
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if strings.EqualFold(name, domain) {
			return name, nil
		}
	}
	for _, name := range names {
		if below(name, domain) {
			return name, nil
		}
	}
	if len(names) > 0 {
		return names[0], nil
	}
	return "unknown", nil
}

// explanation fetches and expands the text of exp= (section 6.2); whatever
// goes wrong, there is none.
func (c *spfCheck) explanation(spec, domain string) string {
	lookups, voids := c.out.Lookups, c.out.Voids // not charged
	defer func() { c.out.Lookups, c.out.Voids = lookups, voids }()
	c.out.Lookups, c.out.Voids = 0, 0
	name, err := c.expand(spec, domain, false)
	if err != nil {
		return ""
	}
	answer := c.lookup(shorten(name), TypeTXT)
	if len(answer.TXT) != 1 {
		return ""
	}
	text := answer.TXT[0].Text
	for i := range len(text) {
		if text[i] >= 0x7f || text[i] < ' ' {
			return ""
		}
	}
	if _, problem := checkMacros(text, true); problem != "" {
		return ""
	}
	expanded, err := c.expand(text, domain, true)
	if err != nil {
		return ""
	}
	return expanded
}
