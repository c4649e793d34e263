package dnscheck

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// Zone is a Resolver over records in memory: for tests, and for asking what
// would happen if a record were published. The zero value is an empty zone. It must
// not be changed while it is in use.
type Zone struct {
	answers map[Question]Answer
	names   map[string]bool // every name that exists, empty ones between labels too
}

// Lookup answers from the zone, following aliases within it.
func (z *Zone) Lookup(_ context.Context, name string, t Type) Answer {
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
		if answer, ok := z.answers[Question{target, t}]; ok {
			answer.CNAME = chain
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
		alias = next
	}
	return Answer{Outcome: NoData}
}

// set keeps an answer and every name above it.
func (z *Zone) set(name string, t Type, a Answer) {
	if z.answers == nil {
		z.answers, z.names = make(map[Question]Answer), make(map[string]bool)
	}
	z.answers[Question{name, t}] = a
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
	name = canonical(name)
	a := z.get(name, TypeTXT)
	a.TXT = append(a.TXT, TXT{strings.Join(parts, ""), len(parts)})
	z.set(name, TypeTXT, a)
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

// ReadZone reads records in a form like a zone file's, one a line:
//
//	example.org.  TXT  "v=spf1 include:example.net" " -all"
//	example.org.  MX   10 mail.example.org.
//	mail.example.org. A 192.0.2.1
//	gone.example.org. TXT SERVFAIL
//
// A TTL and the class IN before the type are allowed and passed over; names are
// absolute with or without their dot; a semicolon outside quotes begins a comment.
// The error is a *[ZoneError].
func ReadZone(r io.Reader) (*Zone, error) {
	z := &Zone{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if err := z.readLine(lines.Text()); err != nil {
			return nil, &ZoneError{n, err}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, &ZoneError{0, err}
	}
	return z, nil
}

// ZoneError says in which line a zone text is wrong.
type ZoneError struct {
	Line int // 1-based; 0 when reading failed
	Err  error
}

func (e *ZoneError) Error() string { return fmt.Sprintf("dnscheck: zone line %d: %v", e.Line, e.Err) }

// Unwrap returns the cause.
func (e *ZoneError) Unwrap() error { return e.Err }

func (z *Zone) readLine(line string) error {
	fields, err := zoneFields(line)
	if err != nil || len(fields) == 0 {
		return err
	}
	name, rest := fields[0], fields[1:]
	for len(rest) > 0 && (rest[0] == "IN" || isNumber(rest[0])) {
		rest = rest[1:]
	}
	if len(rest) < 2 {
		return errors.New("a name, a type and a value are needed")
	}
	kind, values := strings.ToUpper(rest[0]), rest[1:]
	types := map[string]Type{"A": TypeA, "AAAA": TypeAAAA, "MX": TypeMX, "TXT": TypeTXT, "PTR": TypePTR, "CNAME": TypeCNAME, "SPF": TypeSPF}
	t, ok := types[kind]
	if !ok {
		return fmt.Errorf("type %q is not one of A, AAAA, CNAME, MX, PTR, SPF, TXT", rest[0])
	}
	switch strings.ToUpper(values[0]) {
	case "SERVFAIL":
		z.SetOutcome(name, t, ServFail)
		return nil
	case "TIMEOUT":
		z.SetOutcome(name, t, Timeout)
		return nil
	}
	switch t {
	case TypeA, TypeAAAA:
		addr, err := netip.ParseAddr(values[0])
		if err != nil || addr.Is4() != (t == TypeA) {
			return fmt.Errorf("%q is no address of type %v", values[0], t)
		}
		z.AddAddr(name, addr)
	case TypeMX:
		preference, err := strconv.ParseUint(values[0], 10, 16)
		if err != nil || len(values) < 2 {
			return errors.New("an MX record has a preference and a host")
		}
		z.AddMX(name, uint16(preference), values[1])
	case TypeTXT:
		z.AddTXT(name, values...)
	case TypeSPF:
		z.set(canonical(name), TypeSPF, Answer{Outcome: Found, TXT: []TXT{{strings.Join(values, ""), len(values)}}})
	case TypePTR:
		z.AddPTR(name, values[0])
	case TypeCNAME:
		z.SetCNAME(name, values[0])
	}
	return nil
}

func isNumber(s string) bool { _, err := strconv.ParseUint(s, 10, 32); return err == nil }

// zoneFields splits a line at blanks outside quotes.
func zoneFields(line string) (fields []string, err error) {
	for {
		line = strings.TrimLeft(line, " \t\r")
		if line == "" || line[0] == ';' || line[0] == '#' {
			return fields, nil
		}
		if line[0] == '"' {
			text, rest, ok := strings.Cut(line[1:], `"`)
			if !ok {
				return nil, errors.New("a quote is not closed")
			}
			fields, line = append(fields, text), rest
			continue
		}
		end := strings.IndexAny(line, " \t\r;")
		if end < 0 {
			end = len(line)
		}
		fields, line = append(fields, line[:end]), line[end:]
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
