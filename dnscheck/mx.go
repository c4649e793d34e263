package dnscheck

import (
	"context"
	"errors"
	"net/netip"
	"strings"
)

// MXCheck is where a domain takes mail (RFC 5321 section 5.1).
type MXCheck struct {
	Domain   string    `json:"domain"`   // in A-labels
	Outcome  Outcome   `json:"outcome"`  // of asking for the MX records
	Null     bool      `json:"null"`     // the domain takes no mail (RFC 7505)
	Implicit bool      `json:"implicit"` // no MX record: Hosts is the domain itself
	Hosts    []MXHost  `json:"hosts"`    // in order of preference, as published; null MX has none
	Findings []Finding `json:"findings"`
	Err      error     `json:"-"` // ErrDNS, ErrNoRecord, ErrBadDomain: why nobody can deliver
}

// MXHost is one mail exchanger with its addresses.
type MXHost struct {
	Preference uint16       `json:"preference"`
	Host       string       `json:"host"`
	CNAME      []string     `json:"cname,omitempty"` // aliases that led to the addresses: there should be none
	Addrs      []netip.Addr `json:"addrs"`           // IPv4 first
	IPv4       Outcome      `json:"ipv4"`            // of asking for its A records
	IPv6       Outcome      `json:"ipv6"`            // of asking for its AAAA records
	asked      bool
	err        error // ErrDNS
}

// TakesMail reports whether a sender finds a host to deliver to. It says
// nothing about whether that host answers.
func (c *MXCheck) TakesMail() bool {
	for _, host := range c.Hosts {
		if len(host.Addrs) > 0 {
			return true
		}
	}
	return false
}

// maxExchangers is how many mail exchangers of a domain are asked for.
const maxExchangers = 20

// CheckMX looks at a domain's mail exchangers and their addresses. It asks at
// most 41 questions.
func CheckMX(ctx context.Context, r Resolver, domain string) *MXCheck {
	c := &MXCheck{Domain: domain, Hosts: []MXHost{}, Findings: []Finding{}}
	name, err := domainName(domain)
	if err != nil {
		c.Err = err
		c.Findings = append(c.Findings, badDomain(err)...)
		return c
	}
	c.Domain = name
	answer := lookup(ctx, r, name, TypeMX)
	c.Outcome = answer.Outcome
	if answer.Outcome.Failed() {
		c.Err = noAnswer(answer)
		c.find("mx-dns-failed", name)
		return c
	}
	for _, mx := range answer.MX {
		if mx.Host != "" {
			c.Hosts = append(c.Hosts, MXHost{Preference: mx.Preference, Host: mx.Host})
			continue
		}
		c.Null = len(answer.MX) == 1
		if !c.Null {
			c.find("mx-null-beside")
		} else if c.find("mx-null"); mx.Preference != 0 {
			c.find("mx-null-number", mx.Preference)
		}
	}
	if len(answer.MX) == 0 {
		c.Implicit = true
		c.Hosts = append(c.Hosts, MXHost{Host: name})
	}
	c.resolve(ctx, r)
	if c.Implicit {
		c.findImplicit()
	} else {
		c.findHosts()
	}
	return c
}

func (c *MXCheck) find(id string, args ...any) {
	c.Findings = append(c.Findings, mxRules.finding(id, Position{Name: c.Domain, Type: TypeMX}, args...))
}

// badDomain says what keeps a check from being made, where it is the domain's form.
func badDomain(err error) []Finding {
	if bad, ok := errors.AsType[*DomainError](err); ok {
		return []Finding{mxRules.finding("mx-bad-domain", Position{}, clip(bad.Text), bad.Why)}
	}
	return nil
}

// resolve asks for the addresses of the first hosts.
func (c *MXCheck) resolve(ctx context.Context, r Resolver) {
	each(c.Hosts[:min(len(c.Hosts), maxExchangers)], func(h *MXHost) {
		h.Addrs = []netip.Addr{}
		if _, err := netip.ParseAddr(strings.Trim(h.Host, "[]")); err == nil || !isHostName(h.Host) {
			return // some resolvers answer for an address, which no sender may do
		}
		h.asked = true
		var a, aaaa Answer
		together(
			func() { a = lookup(ctx, r, h.Host, TypeA) },
			func() { aaaa = lookup(ctx, r, h.Host, TypeAAAA) },
		)
		h.IPv4, h.IPv6 = a.Outcome, aaaa.Outcome
		for _, answer := range []Answer{a, aaaa} {
			if answer.Outcome.Failed() {
				h.err = noAnswer(answer)
			}
		}
		h.Addrs = append(append(h.Addrs, a.Addrs...), aaaa.Addrs...)
		if h.CNAME = a.CNAME; len(h.CNAME) == 0 {
			h.CNAME = aaaa.CNAME
		}
	})
}

// findImplicit looks at a domain without an MX record.
func (c *MXCheck) findImplicit() {
	host := c.Hosts[0]
	switch {
	case len(host.Addrs) > 0:
		c.find("mx-implicit")
		c.findAddrs(host)
		return
	case c.Outcome == NXDomain:
		c.Err = ErrNoRecord
		c.find("mx-no-domain")
	case host.asked && (host.IPv4.Failed() || host.IPv6.Failed()):
		c.Err = host.err
		c.find("mx-dns-failed", c.Domain)
	default:
		c.Err = ErrNoRecord
		c.find("mx-none")
	}
	c.Implicit, c.Hosts = false, []MXHost{}
}

// findHosts looks at the hosts that MX records name.
func (c *MXCheck) findHosts() {
	if len(c.Hosts) > maxExchangers {
		c.find("mx-many", len(c.Hosts), maxExchangers)
	}
	seen := make(map[string]bool)
	v4, v6 := false, false
	for _, h := range c.Hosts {
		if seen[h.Host] {
			c.find("mx-repeated", h.Host)
		}
		if seen[h.Host] || len(seen) == maxExchangers {
			continue
		}
		seen[h.Host] = true
		c.findHost(h)
		v4 = v4 || h.IPv4 == Found || h.IPv4.Failed()
		v6 = v6 || h.IPv6 == Found
	}
	if v6 && !v4 && len(c.Hosts) <= maxExchangers {
		c.find("mx-ipv6-only")
	}
}

// findHost looks at one exchanger. What is wrong with the addresses of a host in another
// organization's zone is for its operator to mend.
func (c *MXCheck) findHost(h MXHost) {
	_, err := netip.ParseAddr(strings.Trim(h.Host, "[]"))
	switch {
	case err == nil:
		c.find("mx-address", h.Host)
		return
	case !isHostName(h.Host):
		c.find("mx-bad-host", clip(h.Host))
		return
	case !h.asked:
		return
	}
	if len(h.CNAME) > 0 {
		c.find("mx-alias", h.Host, h.CNAME[len(h.CNAME)-1])
	}
	first := len(c.Findings)
	switch {
	case len(h.Addrs) > 0:
		c.findAddrs(h)
	case h.IPv4.Failed() || h.IPv6.Failed():
		c.find("mx-host-failed", h.Host)
	default:
		c.find("mx-unresolved", h.Host, h.IPv4)
	}
	if organizationalByList(h.Host) == organizationalByList(c.Domain) {
		return
	}
	for i := range c.Findings[first:] {
		if f := &c.Findings[first+i]; f.Owner == OwnerDomain {
			f.Owner = OwnerInclude
		}
	}
}

// findAddrs looks at the addresses of a host.
func (c *MXCheck) findAddrs(h MXHost) {
	for _, addr := range h.Addrs {
		if kind := reservedAddr(addr); kind != "" {
			c.find("mx-not-public", h.Host, addr, kind)
		}
	}
}

// isHostName reports whether a name can be a host's: letters, digits and
// hyphens, not at the ends of a label (RFC 5321 section 2.3.5). The underscore is
// let pass, as resolvers do.
func isHostName(name string) bool {
	if !askable(name) {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			switch c := label[i]; {
			case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
			default:
				return false
			}
		}
	}
	return true
}
