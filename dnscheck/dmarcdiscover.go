package dnscheck

import (
	"context"
	"fmt"

	"github.com/mailfault/mailfault/internal/enum"
)

// DMARCMethod is how a receiver finds records and organizational domains.
// As text: treewalk, psl.
type DMARCMethod uint8

const (
	DNSTreeWalk      DMARCMethod = iota // RFC 9989
	PublicSuffixList                    // RFC 7489
)

var dmarcMethodNames = enum.Names{"treewalk", "psl"}

// String returns the method as aggregate reports write it (RFC 9990).
func (m DMARCMethod) String() string { return dmarcMethodNames.String("DMARCMethod", uint8(m)) }

// MarshalText returns what String returns.
func (m DMARCMethod) MarshalText() ([]byte, error) {
	return dmarcMethodNames.MarshalText("DMARCMethod", uint8(m))
}

// UnmarshalText reads what MarshalText writes; another word is an error.
func (m *DMARCMethod) UnmarshalText(text []byte) error {
	v, err := dmarcMethodNames.Parse("DMARCMethod", text)
	*m = DMARCMethod(v)
	return err
}

// DMARCApplied is what receivers of one method apply to mail of an author
// domain.
type DMARCApplied struct {
	Method         DMARCMethod  `json:"method"`
	Domain         string       `json:"domain"` // whose record applies; "" when none does
	Record         *DMARCRecord `json:"-"`      // that record
	Organizational string       `json:"organizational"`
	Tag            string       `json:"tag"`      // that decides: p, sp or np; "" when the standard's default does
	Declared       Policy       `json:"declared"` // by that tag
	Policy         Policy       `json:"policy"`   // that is asked for, after test mode; PolicyAbsent: DMARC does not apply
	Percent        int          `json:"percent"`  // of failing mail that it is applied to; older receivers only
	Err            error        `json:"-"`        // ErrDNS: no verdict is possible
}

// String returns what these receivers see, in a few words.
func (a DMARCApplied) String() string {
	switch {
	case a.Err != nil:
		return "no answer"
	case a.Domain == "":
		return "no record"
	case a.Policy == PolicyAbsent:
		return "a record of " + a.Domain + " that does not apply"
	}
	s := fmt.Sprintf("%s of %s", a.Policy, a.Domain)
	if a.Percent < 100 {
		s += fmt.Sprintf(" for %d%%", a.Percent)
	}
	return s
}

// DMARCDiscovery is the DMARC policy of an author domain, as new and as older
// receivers find it.
type DMARCDiscovery struct {
	AuthorDomain string       `json:"author_domain"` // in A-labels
	Existence    Outcome      `json:"existence"`     // of the author domain; OutcomeUnknown where np did not call for asking
	Walk         *TreeWalk    `json:"walk"`
	Newer        DMARCApplied `json:"newer"` // RFC 9989
	Older        DMARCApplied `json:"older"` // RFC 7489
	Findings     []Finding    `json:"findings"`
}

// Differ reports whether new and older receivers apply different policies, or
// to another share of the mail.
func (d *DMARCDiscovery) Differ() bool {
	partial := d.Older.Percent < 100 && d.Older.Policy != PolicyNone
	return d.Newer.Policy != d.Older.Policy || partial || (d.Newer.Err == nil) != (d.Older.Err == nil)
}

// DiscoverDMARC finds the policy that applies to mail of an author domain, by
// the tree walk of RFC 9989 and, beside it, by the public suffix list of RFC
// 7489. It asks at most ten questions.
func DiscoverDMARC(ctx context.Context, r Resolver, authorDomain string) *DMARCDiscovery {
	d := &DMARCDiscovery{AuthorDomain: authorDomain, Walk: WalkDMARC(ctx, r, authorDomain)}
	d.Newer.Percent, d.Older.Percent = 100, 100
	d.Older.Method = PublicSuffixList
	if len(d.Walk.Queries) == 0 { // not a domain
		d.Newer.Err, d.Older.Err = d.Walk.Err, d.Walk.Err
		return d
	}
	d.AuthorDomain = d.Walk.Start
	d.applyWalk(ctx, r)
	d.Older = discoverByList(ctx, r, d.AuthorDomain, d.Walk.Queries[0])
	d.find()
	return d
}

// applyWalk takes the policy from what the walk found.
func (d *DMARCDiscovery) applyWalk(ctx context.Context, r Resolver) {
	a := &d.Newer
	a.Organizational = d.Walk.Organizational
	a.Domain, a.Record, a.Err = d.Walk.policyDomain()
	if a.Record == nil {
		return
	}
	below, exists := a.Domain != d.AuthorDomain, true
	if below && a.Record.NonExistent != PolicyAbsent {
		// A name without such records exists: only NXDOMAIN makes np apply.
		answer := lookup(ctx, r, d.AuthorDomain, TypeA)
		d.Existence = answer.Outcome
		exists = d.Existence != NXDomain
		if d.Existence.Failed() && a.Record.NonExistent != a.Record.subdomainPolicy() {
			a.Err = noAnswer(answer)
			return
		}
	}
	a.Declared, a.Tag = a.Record.For(below, exists)
	a.Policy = a.Declared
	if a.Record.Testing {
		a.Policy = a.Declared.lower()
	}
}

// subdomainPolicy is the policy for names below that exist.
func (r *DMARCRecord) subdomainPolicy() Policy {
	policy, _ := r.For(true, true)
	return policy
}

// find says what is wrong with the records and with how they are found.
func (d *DMARCDiscovery) find() {
	add := func(id string, where Position, args ...any) {
		d.Findings = append(d.Findings, dmarcRules.finding(id, where, args...))
	}
	at := func(domain string) Position { return Position{Name: dmarcLabel + domain, Type: TypeTXT} }
	for _, q := range d.Walk.Queries {
		switch {
		case q.Outcome.Failed():
			add("dmarc-dns-failed", at(q.Domain), dmarcLabel+q.Domain)
		case q.Found > 1:
			add("dmarc-several-records", at(q.Domain), q.Found)
		case q.Near != "":
			where := at(q.Domain)
			where.Record = q.Near
			add("dmarc-record-ignored", where)
		}
	}
	a := d.Newer
	if a.Record == nil {
		if a.Err == nil {
			add("dmarc-missing", at(d.AuthorDomain), d.AuthorDomain)
		}
	} else {
		d.findInRecord(add, at(a.Domain))
	}
	if d.Differ() && a.Err == nil && d.Older.Err == nil {
		where := at(d.AuthorDomain)
		if a.Record != nil {
			where = Position{Name: dmarcLabel + a.Domain, Type: TypeTXT, Record: a.Record.Text}
		}
		add("dmarc-methods-differ", where, d.Older, a)
		if a.Domain == d.Older.Domain && a.Tag == d.Older.Tag { // of the same record: it is pct or t
			d.Findings[len(d.Findings)-1].Fix = "remove pct, and t when the test is over"
		}
	}
}

// findInRecord adds what concerns the record that applies.
func (d *DMARCDiscovery) findInRecord(add func(string, Position, ...any), where Position) {
	a := d.Newer
	where.Record = a.Record.Text
	if a.Domain == d.Walk.PublicSuffix { // what is in it is for the registry to mend
		add("dmarc-suffix-only", where, a.Domain)
		return
	}
	d.Findings = append(d.Findings, a.Record.Findings...)
	if !a.Record.Usable() {
		add("dmarc-unusable", where)
	}
	if a.Domain != d.AuthorDomain {
		tag := a.Tag
		if tag == "" {
			tag = "p"
		}
		add("dmarc-inherited", where, a.Domain, tag)
	}
	if t := a.Record.named("p"); a.Policy == PolicyReject && a.Domain == d.AuthorDomain {
		where.Start, where.End = t.Start, t.End
		add("dmarc-reject-general", where)
	}
	for _, name := range []string{"sp", "np"} {
		if t := a.Record.named(name); t.Name != "" && a.Organizational != "" && a.Domain != a.Organizational && a.Domain != d.Walk.PublicSuffix {
			where.Start, where.End = t.Start, t.End
			add("dmarc-sp-unreachable", where, name, a.Organizational)
		}
	}
	for _, q := range d.Walk.Queries {
		if q.Domain == a.Domain && len(q.CNAME) > 0 {
			where.Start, where.End = 0, 0
			add("dmarc-alias", where, q.CNAME[len(q.CNAME)-1])
		}
	}
}
