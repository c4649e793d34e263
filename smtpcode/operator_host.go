package smtpcode

import (
	"strings"
	"sync"
)

// operatorDomain is a domain that an operator's servers are named in.
type operatorDomain struct {
	operator Operator
	customer func(before string) bool // tells a customer's host by what stands before the domain; nil where all are the operator's
}

// customerNames tell the hosts of customers in domains that operators name
// them in too: rented servers by where they stand, lines by their address. Such
// a host may be anybody's mail server.
var customerNames = []struct {
	domain   string
	customer func(before string) bool
}{
	{"amazonaws.com", notMailService},
	{"secureserver.net", func(before string) bool { return endsIn(before, "ip.") }},
	{"free.fr", func(before string) bool { return endsIn(before, "hd.") }},
	{"wanadoo.fr", func(before string) bool { return endsIn(before, "abo.") }},
	{"comcast.net", hasAddress},
	{"cox.net", hasAddress},
	{"charter.net", hasAddress},
	{"rr.com", hasAddress},
	{"twc.com", hasAddress},
	{"att.net", hasAddress},
	{"bellsouth.net", hasAddress},
	{"sbcglobal.net", hasAddress},
	{"pacbell.net", hasAddress},
	{"ameritech.net", hasAddress},
	{"swbell.net", hasAddress},
	{"snet.net", hasAddress},
	{"verizon.net", hasAddress},
	{"sfr.fr", hasAddress},
	{"neuf.fr", hasAddress},
	{"cegetel.net", hasAddress},
	{"club-internet.fr", hasAddress},
	{"numericable.fr", hasAddress},
	{"noos.fr", hasAddress},
}

// operatorDomains is the table of hosts by domain.
var operatorDomains = sync.OnceValue(func() map[string]operatorDomain {
	domains := make(map[string]operatorDomain, len(operatorHosts))
	for _, host := range operatorHosts {
		domains[host.domain] = operatorDomain{operator: host.operator}
	}
	for _, names := range customerNames {
		entry := domains[names.domain]
		entry.customer = names.customer
		domains[names.domain] = entry
	}
	return domains
})

// operatorOf tells who runs a host that [hostName] has read.
func operatorOf(host string) Operator {
	if host == "" {
		return UnknownOperator
	}
	// In lower case, without allocating where no customer is told: this runs for
	// every failure, and a function of the table would let the array escape.
	var lower [255]byte
	if len(host) > len(lower) {
		return otherOperator // no name of a host
	}
	for i := range len(host) {
		c := host[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	domains := operatorDomains()
	name := lower[:len(host)]
	// From the right: no domain of the table has one label or more than four.
	for labels, i := 1, len(name)-1; labels <= 4; i-- {
		if i >= 0 && name[i] != '.' {
			continue
		}
		if labels > 1 {
			if domain, ok := domains[string(name[i+1:])]; ok {
				if domain.customer != nil && domain.customer(host[:i+1]) {
					return otherOperator
				}
				return domain.operator
			}
		}
		if i < 0 {
			break
		}
		labels++
	}
	return otherOperator
}

// notMailService reports whether a host of Amazon Web Services is none of the
// mail services' own: machines and load balancers of customers are named there.
func notMailService(before string) bool {
	before = strings.ToLower(before)
	return !strings.HasPrefix(before, "inbound-smtp.") && !strings.HasPrefix(before, "email-smtp")
}

// endsIn reports whether the labels of suffix, up to the dot, end before.
func endsIn(before string, suffix string) bool {
	n := len(before) - len(suffix)
	return n >= 0 && strings.EqualFold(before[n:], suffix) && (n == 0 || before[n-1] == '.')
}

// hasAddress reports whether a name has the four numbers of an IPv4 address or
// more in it, as providers name their customers' lines: c-192-0-2-1, ip192-0-2-1.
// Names of their mail servers have fewer.
func hasAddress(before string) bool {
	numbers, digits := 0, 0
	for i := range len(before) { // a dot ends it
		if isDigit(before[i]) {
			digits++
			continue
		}
		if digits > 0 && digits <= 3 {
			numbers++
		}
		digits = 0
	}
	return numbers >= 4
}
