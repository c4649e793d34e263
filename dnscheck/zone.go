package dnscheck

import (
	"context"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Zone is a Resolver over records in memory: for tests, and for asking what
// would happen if a record were published. The zero value is an empty zone, and so
// is nil to those who ask it. It must not be changed while it is in use.
type Zone struct {
	answers map[Question]Answer
	names   map[string]bool // every name that exists, empty ones between labels too
}

// Lookup answers from the zone, following aliases within it.
func (z *Zone) Lookup(_ context.Context, name string, t Type) Answer {
	if z == nil {
		return Answer{Outcome: NXDomain}
	}
	answer, ok := z.answers[Question{name, t}]
	if ok {
		return answer
	}
	if alias, ok := z.answers[Question{name, TypeCNAME}]; ok && t != TypeCNAME {
		return z.follow(alias, t)
	}
	if z.names[name] {
		return Answer{Outcome: NoData}
	}
	return Answer{Outcome: NXDomain}
}

func (z *Zone) follow(alias Answer, t Type) Answer {
	var chain []string
	for len(alias.Names) > 0 {
		target := alias.Names[0]
		chain = append(chain, target)
		if len(chain) > maxAliases {
			return Answer{Outcome: ServFail, CNAME: chain, Err: ErrAliasLoop}
		}
		ttl := alias.TTL
		if answer, ok := z.answers[Question{target, t}]; ok {
			answer.CNAME, answer.TTL = chain, shorter(ttl, answer.TTL)
			return answer
		}
		next, ok := z.answers[Question{target, TypeCNAME}]
		if !ok {
			outcome := NXDomain
			if z.names[target] {
				outcome = NoData
			}
			return Answer{Outcome: outcome, CNAME: chain}
		}
		next.TTL = shorter(ttl, next.TTL)
		alias = next
	}
	return Answer{Outcome: NoData}
}

// shorter returns the shorter of two times to live, 0 being an unknown one.
func shorter(a, b time.Duration) time.Duration {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// set keeps an answer and every name above it.
func (z *Zone) set(name string, t Type, a Answer) {
	z.exists(name)
	z.answers[Question{name, t}] = a
}

// exists makes a name and every name above it exist.
func (z *Zone) exists(name string) {
	if z.names == nil {
		z.answers, z.names = make(map[Question]Answer), make(map[string]bool)
	}
	for name != "" && !z.names[name] {
		z.names[name] = true
		_, name, _ = strings.Cut(name, ".")
	}
}

func (z *Zone) get(name string, t Type) Answer {
	a := z.answers[Question{name, t}]
	a.Outcome = Found
	return a
}

// AddTXT adds a text record made of the given strings.
func (z *Zone) AddTXT(name string, parts ...string) {
	z.addText(name, TypeTXT, parts)
}

func (z *Zone) addText(name string, t Type, parts []string) {
	name = canonical(name)
	a := z.get(name, t)
	a.TXT = append(a.TXT, TXT{strings.Join(parts, ""), len(parts)})
	z.set(name, t, a)
}

// AddAddr adds an A or AAAA record.
func (z *Zone) AddAddr(name string, addr netip.Addr) {
	name = canonical(name)
	t := TypeA
	if addr.Is6() {
		t = TypeAAAA
	}
	a := z.get(name, t)
	a.Addrs = append(a.Addrs, addr)
	z.set(name, t, a)
}

// AddMX adds a mail exchanger; host "." is null MX.
func (z *Zone) AddMX(name string, preference uint16, host string) {
	name = canonical(name)
	a := z.get(name, TypeMX)
	a.MX = append(a.MX, MX{preference, canonical(host)})
	slices.SortStableFunc(a.MX, func(x, y MX) int { return int(x.Preference) - int(y.Preference) })
	z.set(name, TypeMX, a)
}

// AddPTR adds a reverse name; name is the full name below in-addr.arpa or
// ip6.arpa.
func (z *Zone) AddPTR(name, host string) {
	name = canonical(name)
	a := z.get(name, TypePTR)
	a.Names = append(a.Names, canonical(host))
	z.set(name, TypePTR, a)
}

// SetCNAME makes name an alias of target.
func (z *Zone) SetCNAME(name, target string) {
	z.set(canonical(name), TypeCNAME, Answer{Outcome: Found, Names: []string{canonical(target)}})
}

// SetOutcome makes every look-up of that name and type end so: ServFail and
// Timeout simulate a broken server.
func (z *Zone) SetOutcome(name string, t Type, o Outcome) {
	z.set(canonical(name), t, Answer{Outcome: o})
}

// SetTTL sets the time to live that answers about name and type carry: that of the
// records there, or of their absence. 0 is not known.
func (z *Zone) SetTTL(name string, t Type, ttl time.Duration) {
	name = canonical(name)
	a, ok := z.answers[Question{name, t}]
	if !ok {
		a.Outcome = NXDomain
		if z.names[name] {
			a.Outcome = NoData
		}
		if z.answers == nil {
			z.answers, z.names = make(map[Question]Answer), make(map[string]bool)
		}
	}
	a.TTL = ttl
	z.answers[Question{name, t}] = a
}

func itoa(n int) string { return strconv.Itoa(n) }
