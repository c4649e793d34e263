package dnscheck

import (
	"context"
	"net/netip"
	"slices"
	"strings"

	"github.com/mailfault/mailfault/internal/enum"
)

// HELOMatch is how the name that a host announces stands to its address.
// As text: unknown, reverse, forward, elsewhere, literal, invalid.
type HELOMatch uint8

const (
	HELOUnknown   HELOMatch = iota // no name was given, or DNS gave no answer
	HELOReverse                    // it resolves to the address and is its reverse name
	HELOForward                    // it resolves to the address
	HELOElsewhere                  // it resolves to other addresses, or to none
	HELOLiteral                    // it is an address in brackets, or bare
	HELOInvalid                    // it is no full domain name
)

var heloNames = enum.Names{"unknown", "reverse", "forward", "elsewhere", "literal", "invalid"}

// String returns the match in lower case.
func (m HELOMatch) String() string { return heloNames.String("HELOMatch", uint8(m)) }

// MarshalText returns the match in lower case.
func (m HELOMatch) MarshalText() ([]byte, error) { return heloNames.MarshalText("HELOMatch", uint8(m)) }

// UnmarshalText reads what MarshalText writes; another word is an error.
func (m *HELOMatch) UnmarshalText(text []byte) error {
	v, err := heloNames.Parse("HELOMatch", text)
	*m = HELOMatch(v)
	return err
}

// askHELO asks for the addresses of the announced name, if it can have any.
func (c *IPCheck) askHELO(ctx context.Context, r Resolver) (answer Answer) {
	if c.HELO == "" {
		return answer
	}
	literal := strings.TrimPrefix(strings.ToLower(strings.Trim(c.HELO, "[]")), "ipv6:")
	if _, err := netip.ParseAddr(literal); err == nil {
		c.HELOIs = HELOLiteral
		return answer
	}
	name := canonical(c.HELO)
	if !isHostName(name) || labels(name) < 2 {
		c.HELOIs = HELOInvalid
		return answer
	}
	answer = lookup(ctx, r, name, addressType(c.IP))
	switch {
	case answer.Outcome.Failed():
	case !slices.Contains(answer.Addrs, c.IP):
		c.HELOIs = HELOElsewhere
	default:
		c.HELOIs = HELOForward
	}
	return answer
}

// findHELO looks at the announced name.
func (c *IPCheck) findHELO(answer Answer) {
	isHELO := func(p PTRName) bool { return canonical(p.Name) == canonical(c.HELO) }
	if c.HELOIs == HELOForward && slices.ContainsFunc(c.PTR, isHELO) {
		c.HELOIs = HELOReverse
	}
	switch {
	case c.HELO == "":
	case c.HELOIs == HELOLiteral:
		c.find("helo-address")
	case c.HELOIs == HELOInvalid:
		c.find("helo-invalid", clip(c.HELO))
	case c.HELOIs == HELOUnknown:
		c.find("helo-dns-failed", c.HELO)
	case c.HELOIs == HELOElsewhere && len(answer.Addrs) == 0:
		c.find("helo-unresolved", c.HELO, answer.Outcome)
	case c.HELOIs == HELOElsewhere:
		c.find("helo-other-host", c.HELO, c.IP)
	case c.HELOIs == HELOForward && len(c.PTR) > 0:
		c.find("helo-not-reverse", c.HELO, c.PTR[0].Name)
	}
}
