package smtpcode

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Correlate reads failures once, in memory that does not grow with their
// number nor with the length of what they name, and says what they show
// together. Delayed attempts count, delivered ones do not. A single failure
// stays undecided: whether an expiry is their fault or yours shows only in the
// number of domains. So do failures that name no recipient's domain, for they
// may have gone to any.
func Correlate(failures iter.Seq[Failure]) []Pattern { return Default().Correlate(failures) }

// Correlate is the function of that name with the rules of b.
func (b *Rulebook) Correlate(failures iter.Seq[Failure]) []Pattern {
	var c Correlator
	for f := range failures {
		if f.Action.succeeded() {
			continue
		}
		// As Diagnose does, without the texts that nobody reads here.
		var ms matches
		v := verdict{refuser: f.refuser()}
		v.operator = operatorOf(v.refuser.Host)
		m, _ := b.judge(&ms, &f, &v.refuser, v.operator)
		if f.Action == Delayed {
			m = b.whileDelayed(m)
		}
		v.condition, v.owner = m.id, firstOwner(m, settledSide(&v.refuser, m))
		c.add(&f, &v)
	}
	return c.Patterns()
}

// Correlator is [Correlate] for callers who judge the failures themselves. The
// zero value is ready. It keeps at most 4,096 domains, conditions, owners and
// operators each. Beyond them those that come often are kept, whenever they
// begin, with counts that are lower bounds; what is seldom counts in the total
// alone. Up to there the order of the failures does not matter. It is not safe
// for concurrent use.
type Correlator struct {
	total      int
	conditions tally[Condition]
	owners     tally[Party]
	domains    tally[string]
	operators  tally[Operator]
	silent     int // failures of unknown condition

	groups map[PatternKind]*group
	spam   spamRefusals
}

// Count is how many failures share a key.
type Count[K any] struct {
	Key   K   `json:"key"`
	Count int `json:"count"`
}

// When a crowd speaks for itself.
const (
	staleFrom  = 5  // dead addresses, or refused reports, from which on they are a pattern
	manyFrom   = 20 // expiries from which on one domain can stand out among several
	strayOneIn = 10 // of so many failures one may be elsewhere where a domain or host stands out
)

// Add counts a failure that was judged. Delivered mail does not count.
func (c *Correlator) Add(f *Failure, d *Diagnosis) {
	if f.Action.succeeded() {
		return
	}
	v := verdict{condition: d.Condition, refuser: d.Refuser}
	v.refuser.Host = hostName(v.refuser.Host) // a diagnosis may be the caller's own
	v.operator = operatorOf(v.refuser.Host)
	if len(d.Owners) > 0 {
		v.owner = d.Owners[0]
	}
	c.add(f, &v)
}

// A verdict is what correlation needs of a diagnosis.
type verdict struct {
	condition Condition
	owner     Party   // who acts first
	refuser   Refuser // its host as hostName reads it
	operator  Operator
}

func (c *Correlator) add(f *Failure, v *verdict) {
	domain := recipientDomain(f.Recipient)
	c.total++
	c.domains.add(domain)
	if len(v.condition) <= maxKeyLength {
		c.conditions.add(v.condition)
	}
	if v.condition == UnknownCondition {
		c.silent++
	}
	c.owners.add(v.owner)
	host := name(v.refuser.Host)
	if v.operator != otherOperator {
		c.operators.add(v.operator)
	}
	if takenForSpam(v.condition) {
		c.spam.add(f, domain, host)
		return
	}
	kind, ok := patternOf(v.condition)
	if !ok || kind == PatternStaleList && f.Action == Delayed {
		return // an address that the server still tries is not given up
	}
	g := c.groups[kind]
	if g == nil {
		if c.groups == nil {
			c.groups = make(map[PatternKind]*group)
		}
		g = &group{condition: v.condition}
		c.groups[kind] = g
	}
	g.add(f, v.condition, domain, host, v.operator)
	if kind == PatternOwnAuth {
		g.addAuthor(f, domain)
	}
}

// recipientDomain returns the key of an address's domain; "" for a local name
// and for what has not the form of a domain.
func recipientDomain(address string) string {
	at := strings.LastIndexByte(address, '@')
	domain := strings.TrimSuffix(address[at+1:], ".")
	literal := strings.HasPrefix(domain, "[") && hostName(domain) != ""
	if at < 0 || !literal && !isDomain(domain) {
		return ""
	}
	return name(domain)
}

// Total returns how many failures were added.
func (c *Correlator) Total() int { return c.total }

// Conditions returns how many failures are of each condition, most first; the
// unknown condition stands last.
func (c *Correlator) Conditions() []Count[Condition] {
	counts := countsOf(&c.conditions, cmp.Compare[Condition])
	if c.silent > 0 {
		counts = append(counts, Count[Condition]{UnknownCondition, c.silent})
	}
	return counts
}

// Owners returns how many failures each party has to clear first, most first.
// Failures nobody is known to own are left out.
func (c *Correlator) Owners() []Count[Party] { return countsOf(&c.owners, cmp.Compare[Party]) }

// Domains returns the recipients' domains, most failures first.
func (c *Correlator) Domains() []Count[string] { return countsOf(&c.domains, strings.Compare) }

// Operators returns who runs the servers that refused, as far as their hosts
// tell, most failures first.
func (c *Correlator) Operators() []Count[Operator] {
	return countsOf(&c.operators, cmp.Compare[Operator])
}

func countsOf[K comparable](t *tally[K], compare func(a, b K) int) []Count[K] {
	counts := make([]Count[K], 0, t.len()+1)
	for _, key := range t.sorted(compare) {
		counts = append(counts, Count[K]{key, t.count(key)})
	}
	return counts
}

// Patterns says what the failures added so far show together, the pattern of
// most failures first; an empty list where they show nothing. Slices in it may
// be shared: treat them as read-only.
func (c *Correlator) Patterns() []Pattern {
	patterns := []Pattern{}
	for kind, g := range c.groups {
		var p Pattern
		var ok bool
		if kind == PatternCompromise {
			p, ok = g.compromise(&c.spam)
		} else {
			p, ok = g.pattern(kind)
		}
		if ok {
			patterns = append(patterns, p)
		}
	}
	slices.SortFunc(patterns, func(p, q Pattern) int {
		return cmp.Or(cmp.Compare(q.Count, p.Count), strings.Compare(string(p.Kind), string(q.Kind)))
	})
	return patterns
}
