package dnscheck

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mailfault/mailfault/internal/enum"
)

// Resolver answers DNS questions. It tells apart what a mail check must tell
// apart: records, a name without such records, a name that does not exist, a
// server failure and a time-out. Implementations are safe for concurrent use.
type Resolver interface {
	// Lookup asks for the records of one type, until ctx ends. name is
	// absolute, in lower case, without a trailing dot. The answer's slices are
	// shared: treat them as read-only.
	Lookup(ctx context.Context, name string, t Type) Answer
}

// What Answer.Err says, and with it the Err of a check, where a check was
// started without what it needs. Nothing was asked then.
var (
	ErrNoResolver = errors.New("dnscheck: there is no resolver to ask") // nil, or a Cache, Limit or the like that is or has nil
	ErrNoContext  = errors.New("dnscheck: the context is nil")
)

// usable returns what can be worked with: where there is no context or no resolver,
// a resolver that answers nothing and says why.
func usable(ctx context.Context, r Resolver) (context.Context, Resolver) {
	switch {
	case ctx == nil:
		return context.Background(), unable{ErrNoContext}
	case r == nil:
		return ctx, unable{ErrNoResolver}
	}
	return ctx, r
}

// unable is the resolver in the place of none.
type unable struct{ why error }

func (u unable) Lookup(context.Context, string, Type) Answer { return Answer{Err: u.why} }

// Question is what a Resolver is asked.
type Question struct {
	Name string // absolute, in lower case, without a trailing dot
	Type Type
}

// Type is a DNS record type, with its number on the wire. As text: A, CNAME,
// PTR, MX, TXT, AAAA, SPF, and TYPE with the number for others.
type Type uint16

// The record types that mail checks ask for.
const (
	TypeA     Type = 1
	TypeCNAME Type = 5
	TypePTR   Type = 12
	TypeMX    Type = 15
	TypeTXT   Type = 16
	TypeAAAA  Type = 28
	TypeSPF   Type = 99 // dead since RFC 7208 section 3.1; asked for to warn
)

// String returns the type's name.
func (t Type) String() string {
	switch t {
	case TypeA:
		return "A"
	case TypeCNAME:
		return "CNAME"
	case TypePTR:
		return "PTR"
	case TypeMX:
		return "MX"
	case TypeTXT:
		return "TXT"
	case TypeAAAA:
		return "AAAA"
	case TypeSPF:
		return "SPF"
	}
	return "TYPE" + itoa(int(t))
}

// MarshalText returns the type's name.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (t *Type) UnmarshalText(text []byte) error {
	for _, known := range []Type{TypeA, TypeCNAME, TypePTR, TypeMX, TypeTXT, TypeAAAA, TypeSPF} {
		if known.String() == string(text) {
			*t = known
			return nil
		}
	}
	number, ok := strings.CutPrefix(string(text), "TYPE")
	n, err := strconv.ParseUint(number, 10, 16)
	if !ok || err != nil {
		return fmt.Errorf("dnscheck: unknown record type %q", text)
	}
	*t = Type(n)
	return nil
}

// Outcome is what came of a question.
// As text: unknown, found, no-data, nxdomain, servfail, timeout, refused,
// unreachable.
type Outcome uint8

const (
	OutcomeUnknown Outcome = iota // the zero Answer: no answer was given
	Found                         // there are records
	NoData                        // the name exists and has no such records
	NXDomain                      // the name does not exist
	ServFail                      // the server could not answer, or not readably: try later
	Timeout                       // nobody answered in time: try later
	Refused                       // the server does not answer us: REFUSED, or it does not know the zone
	Unreachable                   // no server could be asked: the network said no
)

var outcomeNames = enum.Names{"unknown", "found", "no-data", "nxdomain", "servfail", "timeout", "refused", "unreachable"}

// String returns the outcome in kebab-case.
func (o Outcome) String() string { return outcomeNames.String("Outcome", uint8(o)) }

// MarshalText returns the outcome in kebab-case.
func (o Outcome) MarshalText() ([]byte, error) { return outcomeNames.MarshalText("Outcome", uint8(o)) }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (o *Outcome) UnmarshalText(text []byte) error {
	v, err := outcomeNames.Parse("Outcome", text)
	*o = Outcome(v)
	return err
}

// Void reports whether the answer is a void look-up (RFC 7208 section 4.6.4).
func (o Outcome) Void() bool { return o == NoData || o == NXDomain }

// Failed reports whether there is no answer, so that a later try may have one.
func (o Outcome) Failed() bool { return o == OutcomeUnknown || o >= ServFail }

// Answer is the answer to a question. Of the record fields only that of the
// asked type is set.
type Answer struct {
	Outcome   Outcome
	Addrs     []netip.Addr  // A or AAAA; those of A not mapped into IPv6
	MX        []MX          // in order of preference
	TXT       []TXT         // one a record
	Names     []string      // PTR or CNAME
	CNAME     []string      // aliases that led to the records, first to last
	TTL       time.Duration // smallest of the records, or of the negative answer; 0 when not known
	Authentic bool          // the resolver verified it with DNSSEC (the AD bit)
	Err       error         // why there is no answer, when Outcome.Failed
	Server    string        // address and port that answered; "" when none was asked
	TCP       bool          // the answer came over TCP: it does not fit UDP, or UDP failed
	Size      int           // of the answer's message in bytes; 0 when not known
	Gaps      Gaps          // what the resolver cannot know; 0 for a full answer
}

// Gaps is a set of things that a resolver cannot know about its answers, so
// that a report can say which checks were not possible. As text: existence, ttl,
// aliases, authentic, strings, with commas between.
type Gaps uint8

const (
	GapExistence Gaps = 1 << iota // NoData may be NXDomain
	GapTTL                        // TTL is not known
	GapAliases                    // CNAME is not known
	GapAuthentic                  // whether DNSSEC verified it is not known
	GapStrings                    // TXT.Strings is not known
)

var gapNames = [...]string{"existence", "ttl", "aliases", "authentic", "strings"}

// String lists the gaps with commas between; "" when there are none.
func (g Gaps) String() string {
	var names []string
	for i, name := range gapNames {
		if g&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// MarshalText returns what String does.
func (g Gaps) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (g *Gaps) UnmarshalText(text []byte) error {
	*g = 0
	if len(text) == 0 {
		return nil
	}
	for name := range strings.SplitSeq(string(text), ",") {
		i := slices.Index(gapNames[:], name)
		if i < 0 {
			return fmt.Errorf("dnscheck: unknown gap %q", name)
		}
		*g |= 1 << i
	}
	return nil
}

// MX is one mail exchanger.
type MX struct {
	Preference uint16
	Host       string // without a trailing dot; "" is null MX (RFC 7505)
}

// TXT is one text record.
type TXT struct {
	Text    string // its strings joined with nothing between (RFC 7208 section 3.3)
	Strings int    // how many strings it was made of; 0 when not known
}

// canonical brings a name to the form a Resolver is asked in: ASCII letters in
// lower case (RFC 4343), no trailing dot.
func canonical(name string) string {
	name = strings.TrimSuffix(name, ".")
	for i := 0; i < len(name); i++ {
		if 'A' <= name[i] && name[i] <= 'Z' {
			return lowerASCII(name)
		}
	}
	return name
}

// lowerASCII leaves other bytes alone: names on the wire need not be UTF-8.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
