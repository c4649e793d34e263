package dnscheck

import (
	"context"
	"net/netip"
	"slices"
	"strings"
)

// IPCheck is what reverse DNS says about the address that sends a domain's
// mail, and whether the name it announces fits.
type IPCheck struct {
	IP       netip.Addr `json:"ip"`
	Name     string     `json:"name"`    // of the reverse look-up
	Outcome  Outcome    `json:"outcome"` // of it
	PTR      []PTRName  `json:"ptr"`
	HELO     string     `json:"helo,omitempty"` // "" when not given
	HELOIs   HELOMatch  `json:"helo_is"`
	Findings []Finding  `json:"findings"`
	Err      error      `json:"-"` // ErrDNS, ErrNoRecord; ErrBadDomain: no address
}

// PTRName is a name that the reverse zone gives an address.
type PTRName struct {
	Name      string  `json:"name"`
	Outcome   Outcome `json:"outcome"`   // of asking for its addresses
	Confirmed bool    `json:"confirmed"` // the address is among them: forward-confirmed
	Generic   bool    `json:"generic"`   // it looks as if it were made from the address, as access networks do
}

// Confirmed reports whether a name of the address resolves back to it.
func (c *IPCheck) Confirmed() bool {
	return slices.ContainsFunc(c.PTR, func(p PTRName) bool { return p.Confirmed })
}

// CheckIP looks at the reverse names of a sending address, at most ten of them,
// and, where helo is not empty, at the name the host announces. It asks at most 12
// questions.
func CheckIP(ctx context.Context, r Resolver, ip netip.Addr, helo string) *IPCheck {
	c := &IPCheck{IP: ip.Unmap().WithZone(""), HELO: helo, PTR: []PTRName{}, Findings: []Finding{}}
	if !c.IP.IsValid() {
		c.Err = ErrBadDomain
		return c
	}
	c.Name = reverseName(c.IP)
	if kind := reservedAddr(c.IP); kind != "" {
		c.find("ip-not-public", c.IP, kind)
		return c
	}
	answer := lookup(ctx, r, c.Name, TypePTR)
	c.Outcome = answer.Outcome
	for _, name := range answer.Names[:min(len(answer.Names), maxNames)] {
		c.PTR = append(c.PTR, PTRName{Name: name, Generic: looksGeneric(name, c.IP)})
	}
	var announced Answer
	together(
		func() {
			each(c.PTR, func(p *PTRName) {
				if _, err := netip.ParseAddr(p.Name); err == nil || !isHostName(p.Name) {
					return
				}
				forward := lookup(ctx, r, p.Name, addressType(c.IP))
				p.Outcome, p.Confirmed = forward.Outcome, slices.Contains(forward.Addrs, c.IP)
			})
		},
		func() { announced = c.askHELO(ctx, r) },
	)
	c.findNames(answer)
	c.findHELO(announced)
	return c
}

// addressType is the type of record that holds addresses of ip's family.
func addressType(ip netip.Addr) Type {
	if ip.Is6() {
		return TypeAAAA
	}
	return TypeA
}

func (c *IPCheck) find(id string, args ...any) {
	where := Position{Name: c.Name, Type: TypePTR}
	if strings.HasPrefix(id, "helo-") {
		where = Position{Name: canonical(c.HELO), Type: addressType(c.IP)}
	}
	c.Findings = append(c.Findings, ipRules.finding(id, where, args...))
}

// findNames looks at the reverse names.
func (c *IPCheck) findNames(answer Answer) {
	published := len(answer.Names)
	switch {
	case c.Outcome.Failed():
		c.Err = noAnswer(answer)
		c.find("ip-dns-failed", c.Name)
		return
	case len(c.PTR) == 0:
		c.Err = ErrNoRecord
		c.find("ip-no-ptr", c.IP)
		return
	case published > maxNames:
		c.find("ip-many-ptr", published, maxNames)
	case published > 1:
		c.find("ip-several-ptr", published)
	}
	failed, generic := false, true
	for _, p := range c.PTR {
		failed = failed || p.Outcome.Failed() && p.Outcome != OutcomeUnknown
		generic = generic && p.Generic
	}
	first := c.PTR[0].Name
	switch {
	case c.Confirmed():
	case failed:
		c.find("ip-forward-failed", first)
	default:
		c.find("ip-unconfirmed", first, c.IP)
	}
	if generic {
		c.find("ip-generic", first)
	}
}
