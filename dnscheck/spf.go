package dnscheck

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/mailfault/mailfault/internal/enum"
)

// SPFResult is the result of an SPF check (RFC 7208 section 2.6).
// As text: none, neutral, pass, fail, softfail, temperror, permerror.
type SPFResult uint8

const (
	SPFNone      SPFResult = iota // no record, or no domain or client to check: nothing can be said
	SPFNeutral                    // the domain says nothing about this client: treat like none
	SPFPass                       // the client may send for the domain
	SPFFail                       // the client may not: the domain says so
	SPFSoftFail                   // the client probably may not: do not reject for it alone
	SPFTempError                  // DNS failed: try again later
	SPFPermError                  // the record is broken: its owner has to mend it
)

var spfResultNames = enum.Names{"none", "neutral", "pass", "fail", "softfail", "temperror", "permerror"}

// String returns the standard's word.
func (r SPFResult) String() string { return spfResultNames.String("SPFResult", uint8(r)) }

// MarshalText returns the standard's word.
func (r SPFResult) MarshalText() ([]byte, error) {
	return spfResultNames.MarshalText("SPFResult", uint8(r))
}

// UnmarshalText reads what MarshalText writes; another word is an error.
func (r *SPFResult) UnmarshalText(text []byte) error {
	v, err := spfResultNames.Parse("SPFResult", text)
	*r = SPFResult(v)
	return err
}

// Limits of RFC 7208 section 4.6.4.
const (
	MaxLookups     = 10 // terms that ask DNS; the eleventh is a permerror
	MaxVoidLookups = 2  // terms whose question has no answer; the third is a permerror
	maxNames       = 10 // MX names of a term, and names of a reverse look-up
)

// SPFQuery is what SPF is checked for.
type SPFQuery struct {
	IP       netip.Addr // of the client; an IPv4-mapped address counts as IPv4
	MailFrom string     // reverse path, with angle brackets or without; "" for a bounce: then HELO is checked
	HELO     string     // name the client announced
	Receiver string     // the checking host, for the macro r; "" is "unknown"
	Time     time.Time  // of the check, for the macro t; zero is now
	Trace    bool       // keep the path in SPFCheck.Steps
}

// from is MailFrom without its brackets.
func (q SPFQuery) from() string {
	if n := len(q.MailFrom); n >= 2 && q.MailFrom[0] == '<' && q.MailFrom[n-1] == '>' {
		return q.MailFrom[1 : n-1]
	}
	return q.MailFrom
}

func (q *SPFQuery) now() time.Time {
	if q.Time.IsZero() {
		return time.Now()
	}
	return q.Time
}

// SPFCheck is the result of one evaluation.
type SPFCheck struct {
	Result      SPFResult `json:"result"`
	Domain      string    `json:"domain"`            // that was checked
	Record      string    `json:"record"`            // whose term decided
	RecordOf    string    `json:"record_of"`         // the domain that publishes it
	Term        Term      `json:"term"`              // that decided; the zero Term when none did
	Lookups     int       `json:"lookups"`           // charged terms, of ten
	Voids       int       `json:"voids"`             // void look-ups, of two
	Explanation string    `json:"explanation"`       // of a fail, as the domain publishes it; "" when none
	Problem     string    `json:"problem,omitempty"` // Err in words
	Err         error     `json:"-"`                 // why the result is none, temperror or permerror
	Steps       []Step    `json:"steps,omitempty"`   // the path, when SPFQuery.Trace is set
}

// CheckSPF evaluates SPF for one client exactly as RFC 7208 says. It returns
// when ctx ends, with a temperror; without a deadline it allows 20 seconds
// (section 4.6.4).
func CheckSPF(ctx context.Context, r Resolver, q SPFQuery) *SPFCheck {
	ctx, r = usable(ctx, r)
	if _, memory := r.(*Zone); !memory { // a zone never waits
		var late *lateDeadline
		ctx, late = endingIn(ctx, 20*time.Second)
		defer late.release()
	}
	q.IP = q.IP.Unmap().WithZone("") // the link a client is on is not in any record
	c := spfCheck{ctx: ctx, r: r, q: q, out: &SPFCheck{}, leads: -1}
	from := q.from()
	local, domain, ok := cutAddress(from)
	switch {
	case from == "":
		domain = q.HELO
	case !ok:
		domain = from
	}
	if local == "" {
		local = "postmaster"
	}
	if !isASCII(domain) { // section 4.3 wants A-labels
		if name, err := asciiName(domain); err == nil {
			domain = name
		}
	}
	c.local, c.senderDomain = local, strings.TrimSuffix(domain, ".")
	c.out.Domain = c.senderDomain
	switch {
	case !validDomain(c.senderDomain):
		c.out.Err = ErrBadDomain
	case !q.IP.IsValid():
		c.out.Err = ErrNoAddress
	default:
		c.enter(c.senderDomain)
		c.out.Result, c.out.Err = c.host(c.senderDomain, 0, true)
	}
	c.out.Problem = problem(c.out.Err)
	return c.out
}

// spfCheck is one evaluation.
type spfCheck struct {
	ctx                 context.Context
	r                   Resolver
	q                   SPFQuery
	local, senderDomain string
	out                 *SPFCheck
	broken              bool // an error was met
	leads               int  // the step that leads to the record that is fetched next; -1 to the first

	path  [MaxLookups + 1]string // domains whose records are being evaluated, outermost first
	depth int                    // how many; each but the first is charged
	loop  int                    // above 0: how many of them do not repeat
}

// lookup asks DNS. A name that cannot be asked does not exist.
func (c *spfCheck) lookup(name string, t Type) Answer {
	if c.ctx.Err() != nil {
		return Answer{Outcome: Timeout, Err: c.ctx.Err()}
	}
	name = canonical(name)
	if len(name) > 253 || name == "" {
		return Answer{Outcome: NXDomain}
	}
	for start := 0; start <= len(name); {
		end := strings.IndexByte(name[start:], '.')
		if end < 0 {
			end = len(name) - start
		}
		if end == 0 || end > 63 {
			return Answer{Outcome: NXDomain}
		}
		start += end + 1
	}
	return c.r.Lookup(c.ctx, name, t)
}

// charge counts a term against the limit before its question is asked.
func (c *spfCheck) charge() error {
	c.out.Lookups++
	if c.out.Lookups > MaxLookups {
		return c.passed(ErrTooManyLookups)
	}
	return nil
}

func (c *spfCheck) void(o Outcome) error {
	if !o.Void() {
		return nil
	}
	c.out.Voids++
	if c.out.Voids > MaxVoidLookups {
		return c.passed(ErrTooManyVoids)
	}
	return nil
}

// passed is the error of a limit that is passed: a loop's, where a record is being
// evaluated within itself.
func (c *spfCheck) passed(limit error) error {
	for i, domain := range c.path[:c.depth] {
		if slices.ContainsFunc(c.path[:i], func(s string) bool { return strings.EqualFold(s, domain) }) {
			c.loop = i
			return loopError{limit}
		}
	}
	return limit
}

// enter notes whose record is evaluated next; after it depth is set back.
func (c *spfCheck) enter(domain string) {
	c.path[c.depth] = domain
	c.depth++
}

// host is check_host() of RFC 7208 section 4. explain says whether the
// record's explanation counts: not within an include.
func (c *spfCheck) host(domain string, depth int, explain bool) (SPFResult, error) {
	record, result, err := c.record(domain)
	if err != nil {
		return result, err
	}
	var space [12]Term
	terms, err := appendTerms(space[:0], record)
	if err != nil {
		return SPFPermError, inRecordOf(domain, err)
	}
	if c.q.Trace && c.out.Steps == nil {
		c.expectSteps(terms)
	}
	var redirect, exp *Term
	for i := range terms {
		switch terms[i].Mechanism {
		case ModifierRedirect:
			redirect = &terms[i]
		case ModifierExp:
			exp = &terms[i]
		}
	}
	for i := range terms {
		t := &terms[i]
		if t.Mechanism >= ModifierRedirect {
			continue
		}
		matched, result, err := c.try(t, domain, depth)
		if err != nil {
			c.brokeAt(domain, record, t)
			return result, err
		}
		if !matched {
			continue
		}
		c.decided(domain, record, t)
		if t.Qualifier == SPFFail && explain && exp != nil {
			c.out.Explanation = c.explanation(exp.Domain, domain)
		}
		return t.Qualifier, nil
	}
	if redirect == nil {
		c.out.RecordOf, c.out.Record, c.out.Term = domain, record, Term{}
		return SPFNeutral, nil
	}
	result, err = c.redirect(redirect, domain, depth, explain)
	if err != nil {
		c.brokeAt(domain, record, redirect)
	}
	return result, err
}

// brokeAt keeps the innermost term that an error comes from, of a loop the one
// that leads back.
func (c *spfCheck) brokeAt(domain, record string, t *Term) {
	if !c.broken || c.loop == c.depth {
		c.broken = true
		c.decided(domain, record, t)
	}
}

func (c *spfCheck) decided(domain, record string, t *Term) {
	if c.out.Record == "" || c.out.RecordOf != domain {
		c.out.RecordOf, c.out.Record, c.out.Term = domain, record, *t
		return
	}
	c.out.Term = *t
}

// record finds the SPF record of a domain (sections 4.4 and 4.5).
func (c *spfCheck) record(domain string) (string, SPFResult, error) {
	answer := c.lookup(domain, TypeTXT)
	c.stepped(c.leads, func(s *Step) { s.Outcome = answer.Outcome })
	if answer.Outcome.Failed() {
		return "", SPFTempError, &nameError{domain, noAnswer(answer)}
	}
	record, n := "", 0
	for i := range answer.TXT {
		if isSPF(answer.TXT[i].Text) {
			record = answer.TXT[i].Text
			n++
		}
	}
	switch n {
	case 0:
		return "", SPFNone, &nameError{domain, ErrNoRecord}
	case 1:
		return record, SPFNone, nil
	}
	return "", SPFPermError, &nameError{domain, ErrManyRecords}
}

func (c *spfCheck) redirect(t *Term, domain string, depth int, explain bool) (SPFResult, error) {
	if err := c.charge(); err != nil {
		return SPFPermError, err
	}
	target, err := c.target(t, domain)
	if err != nil {
		return resultOf(err), err
	}
	at := c.step(depth, domain, t, target)
	if !validDomain(target) {
		return SPFPermError, ErrBadDomain
	}
	c.enter(target)
	c.leads = at
	result, err := c.host(target, depth, explain)
	c.depth--
	if result == SPFNone {
		result = SPFPermError
		if err == nil {
			err = ErrNoRecord
		}
	}
	c.stepped(at, func(s *Step) { s.Result = result })
	return result, err
}

// target expands a term's domain-spec; without one it is the current domain.
func (c *spfCheck) target(t *Term, domain string) (string, error) {
	if t.Domain == "" {
		return domain, nil
	}
	name, err := c.expand(t.Domain, domain, false)
	if err != nil {
		return "", err
	}
	return shorten(name), nil
}
