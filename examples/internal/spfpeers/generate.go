package spfpeers

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
)

// generator makes cases. The same seed makes the same ones.
type generator struct {
	*rand.Rand
	names []string // of the case
	ip    netip.Addr
}

func newGenerator(seed uint64) *generator {
	return &generator{Rand: rand.New(rand.NewPCG(seed, 7208))}
}

// one returns any of the values, each as often as it is listed.
func (g *generator) one(values ...string) string { return values[g.IntN(len(values))] }

// chance is true once in n times.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

// next makes a case: some ten names with records, one of them the sender's.
func (g *generator) next() spfCase {
	g.ip = g.address()
	g.names = []string{"example.org", "mail.example.org", "_spf.example.org"}
	for i := range 4 + g.IntN(8) {
		g.names = append(g.names, fmt.Sprintf("n%d.example.%s", i, g.one("org", "net")))
	}
	c := spfCase{IP: g.ip.String(), HELO: g.one("mail.example.org", "n0.example.org", "helo.example.com")}
	if g.chance(50) {
		c.IP = "::ffff:" + netip.AddrFrom4([4]byte{192, 0, 2, byte(g.IntN(256))}).String()
	}
	switch g.IntN(30) {
	case 0, 3: // a bounce: HELO is checked
		c.HELO = g.one("example.org", "mail.example.org", "EXAMPLE.ORG", "example")
	case 1, 2:
		c.From = g.one("example.org", "@example.org", "user@EXAMPLE.org", "a@b@example.org", "user@example.org.", "user@example", "user@[192.0.2.1]", "user@nowhere.example.org")
	default:
		c.From = g.one("user", "a-b.c", "x+tag", "User", "a=b_c", "strong-bad", "a/b", "postmaster") + "@example.org"
	}
	for i, name := range g.names {
		g.name(&c, name, i == 0)
	}
	g.reverse(&c)
	return c
}

// address is a client among few, so that terms name it often.
func (g *generator) address() netip.Addr {
	if g.chance(3) {
		return netip.MustParseAddr(fmt.Sprintf("2001:db8::%x", 1+g.IntN(6)))
	}
	return netip.AddrFrom4([4]byte{192, 0, 2, byte(1 + g.IntN(6))})
}

// name gives a name its records.
func (g *generator) name(c *spfCase, name string, sender bool) {
	add := func(kind string, values ...string) {
		c.Records = append(c.Records, record{Name: name, Type: kind, Values: values})
	}
	broken := func(kind string) bool {
		if !g.chance(60) {
			return false
		}
		c.Records = append(c.Records, record{Name: name, Type: kind, Broken: g.one("servfail", "timeout")})
		return true
	}
	if !sender && g.chance(15) {
		add("CNAME", g.target())
		return
	}
	noText := broken("TXT")
	if !noText && (sender && !g.chance(40) || !sender && !g.chance(3)) {
		add("TXT", g.split(g.record())...)
		if g.chance(40) {
			add("TXT", g.split(g.record())...)
		}
	}
	if !noText && g.chance(10) {
		add("TXT", g.one("other text", "v=spf10 -all", "spf2.0/pra -all", "v=spf1-all", " v=spf1 -all", "V=spf2"))
	}
	if !broken("A") && !g.chance(3) {
		for range 1 + g.IntN(2) {
			add("A", netip.AddrFrom4([4]byte{192, 0, 2, byte(1 + g.IntN(6))}).String())
		}
	}
	if !broken("AAAA") && g.chance(2) {
		add("AAAA", fmt.Sprintf("2001:db8::%x", 1+g.IntN(6)))
	}
	if !broken("MX") && g.chance(2) {
		hosts := 1 + g.IntN(3)
		switch g.IntN(30) {
		case 0:
			hosts = 9 + g.IntN(4)
		case 1:
			add("MX", "0", ".")
			return
		}
		seen := map[string]bool{}
		for i := range hosts {
			host := g.target()
			if hosts > 5 {
				host = fmt.Sprintf("mx%d.example.net", i)
			}
			if !seen[host] {
				add("MX", fmt.Sprint(10*i), host)
			}
			seen[host] = true
		}
	}
}

// reverse gives the client names.
func (g *generator) reverse(c *spfCase) {
	name := reverseName(netip.MustParseAddr(c.IP).Unmap())
	switch g.IntN(6) {
	case 0:
		return
	case 1:
		c.Records = append(c.Records, record{Name: name, Type: "PTR", Broken: g.one("servfail", "timeout")})
		return
	}
	count := 1 + g.IntN(3)
	if g.chance(30) {
		count = 9 + g.IntN(4)
	}
	seen := map[string]bool{}
	for range count {
		if host := g.target(); !seen[host] {
			seen[host] = true
			c.Records = append(c.Records, record{Name: name, Type: "PTR", Values: []string{host}})
		}
	}
}

func reverseName(ip netip.Addr) string {
	var parts []string
	suffix := "in-addr.arpa"
	raw := ip.AsSlice()
	for _, b := range raw {
		if ip.Is4() {
			parts = append([]string{fmt.Sprint(b)}, parts...)
		} else {
			parts = append([]string{fmt.Sprintf("%x", b&15), fmt.Sprintf("%x", b>>4)}, parts...)
			suffix = "ip6.arpa"
		}
	}
	return strings.Join(parts, ".") + "." + suffix
}

// target is a name of the case, seldom one that does not exist.
func (g *generator) target() string {
	if g.chance(12) {
		return fmt.Sprintf("gone%d.example.net", g.IntN(3))
	}
	return g.names[g.IntN(len(g.names))]
}

// split makes one or several strings of a record.
func (g *generator) split(text string) []string {
	if g.chance(4) && len(text) > 8 {
		i := 1 + g.IntN(len(text)-1)
		return []string{text[:i], text[i:]}
	}
	return []string{text}
}

// record is the text of an SPF record.
func (g *generator) record() string {
	var b strings.Builder
	b.WriteString("v=spf1")
	if g.chance(50) {
		b.Reset()
		b.WriteString(g.one("V=SPF1", "v=SPF1", "v=Spf1"))
	}
	terms := g.IntN(5)
	if g.chance(15) {
		terms = 8 + g.IntN(6)
	}
	for range terms {
		b.WriteString(g.one(" ", " ", " ", " ", " ", " ", " ", " ", " ", "  "))
		b.WriteString(g.term())
	}
	switch g.IntN(8) {
	case 0:
	case 1:
		b.WriteString(" redirect=" + g.domain())
	case 2:
		b.WriteString(" " + g.one("all", "?all", "+all"))
	default:
		b.WriteString(" " + g.one("-all", "~all"))
	}
	if g.chance(60) {
		b.WriteString(" ")
	}
	return b.String()
}

// term is a term, one in forty malformed.
func (g *generator) term() string {
	if g.chance(40) {
		return g.malformed()
	}
	qualifier := g.one("", "", "", "", "", "", "+", "-", "~", "?")
	switch g.IntN(14) {
	case 0, 1:
		return qualifier + "ip4:192.0.2." + g.one("1", "2", "3", "4", "5", "6", "0/24", "0/30", "4/31", "7/32", "0/0")
	case 2:
		return qualifier + "ip6:" + g.one("2001:db8::1", "2001:db8::2", "2001:db8::/125", "2001:DB8:0:0::3", "::ffff:192.0.2.1", "::/0", "2001:db8::4/128")
	case 3, 4:
		return qualifier + g.one("a", "a", "A") + g.optional()
	case 5, 6:
		return qualifier + g.one("mx", "mx", "MX") + g.optional()
	case 7, 8, 9:
		return qualifier + g.one("include", "include", "include", "Include") + ":" + g.domain()
	case 10, 11:
		return qualifier + "exists:" + g.domain()
	case 12:
		if g.chance(2) {
			return g.one("exp=", "exp=", "EXP=") + g.domain()
		}
		return g.one("moo=cow", "x-y_z.1=%{d}", "default=-all", "op=auth", "unknown=%{i}%%")
	default:
		if g.chance(2) {
			return qualifier + "ptr"
		}
		return qualifier + "ptr:" + g.domain()
	}
}

// optional is what may stand behind a and mx.
func (g *generator) optional() string {
	text := ""
	if !g.chance(3) {
		text = ":" + g.domain()
	}
	if g.chance(4) {
		text += g.one("/24", "/31", "/32", "/0", "//64", "//127", "/30//126", "//0", "/24//128")
	}
	return text
}

// domain is a domain-spec: a name, or macros that make one.
func (g *generator) domain() string {
	if !g.chance(6) {
		name := g.target()
		if g.chance(25) {
			name = strings.ToUpper(name)
		}
		if g.chance(40) {
			name += "."
		}
		return name
	}
	return g.one("%{d}", "%{o}", "%{h}", "%{d2}", "n1.%{d2}", "n2.%{o2}", "%{i}.%{d}", "%{ir}.%{v}.arpa", "%{l}.%{o}", "%{l1r-}.%{d}",
		"%{lr+=}.example.net", "%{p}", "%{p2}.example.net", "%{s}.example.org", "%{S}.example.org", "%{L}.example.net", "%{dr}", "%{d1r}.example.net",
		"n%%.example.org", "n1.%%", "%{d}%_", "n2%-", "%{d002}", "%{o99999999999}", "a%_b.example.org", "a%-b.example.org", "%{i1}.example.org", "n%{i1}.example.org", "n3.%{D}", "%{h2}", "%{v}.example.net",
		strings.Repeat("long-", 12)+"x.example.org", strings.Repeat("long-", 13)+"x.example.org",
		strings.Repeat("%{d}.", 22)+"n1.example.org")
}

// malformed is a term that the grammar does not have.
func (g *generator) malformed() string {
	return g.one("ip4:192.0.2", "ip4:192.0.2.256", "ip4:192.0.2.1/33", "ip4:192.0.2.1/", "ip4:192.0.2.1/032", "ip4", "ip6:2001:db8:::1", "ip6:192.0.2.1",
		"ip6:2001:db8::/129", "ip4:2001:db8::1", "a:", "a/33", "a//129", "a/24/64", "mx:", "include", "include:", "include:example", "exists", "exists:",
		"all:example.org", "all/8", "--all", "-", "foo", "foo:bar", "ptr:", "ptr/24", "redirect=", "exp=", "redirect=example.org redirect=example.org",
		"a:example.org:", "a:%{x}.example.org", "a:%{d", "a:%d.example.org", "exists:%{c}.example.org", "exists:%{d0}.example.org", "exists:%{dr2}.example.org",
		"a:exa_mple.o-rg", "a:example.1", "a:example.org-", "a:-example.-org", "include:example..org", "a:.example.org", "include:.", "1x=y", "x", "=y",
		"ip4:192.0.2.01", "ip4:192.0.2.1//32", "a:n1.example.org/", "a:n1.example.org/+24", "a:n1.example.org/024", "a:n1.example.org/0 ", "a:\u00e4.example.org",
		"mx:n1.example.org/24//", "redirect=%{r}.example.org", "a:n1.example.org;", "-all,", "ip4=192.0.2.1", "a=n1.example.org", "%{d}", "a:%", "exists:%{d}%")
}
