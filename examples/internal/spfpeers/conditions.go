package spfpeers

import (
	"context"
	"errors"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/mailfault/mailfault/dnscheck"
)

// condition is a property of a case that another program judges differently.
type condition func(*spfCase, verdict) bool

// conditions are what disagreements.tsv may name. The strongest are readings: the
// evaluation here, repeated as the other program reads the standard, has to give that
// program's result.
var conditions = map[string]condition{
	// The sender has no local part, two at signs, an address literal or a dot at its end.
	"odd-sender": func(c *spfCase, _ verdict) bool { return oddSender(c) },

	// The client's reverse names are asked for.
	"reverse-names": func(c *spfCase, _ verdict) bool {
		return slices.ContainsFunc(questions(c), func(q question) bool { return q.Type == dnscheck.TypePTR })
	},

	// More than two questions have no answer, each host of an mx and each reverse name counted.
	"three-void-questions": func(c *spfCase, _ verdict) bool { return voidQuestions(c) > dnscheck.MaxVoidLookups },

	// A domain says that it takes no mail: its exchanger is the root.
	"null-mx": func(c *spfCase, _ verdict) bool {
		return slices.ContainsFunc(c.Records, func(r record) bool { return r.Type == "MX" && r.Broken == "" && r.Values[1] == "." })
	},

	// A term leads to a name with an empty label or one above 63 bytes.
	"impossible-name": func(c *spfCase, _ verdict) bool {
		return slices.ContainsFunc(ours(c).Steps, func(s dnscheck.Step) bool { return impossible(s.Asked) })
	},

	// A host of an mx that is asked for has no answer from DNS.
	"failing-mx-host": func(c *spfCase, _ verdict) bool {
		z := c.zone()
		return slices.ContainsFunc(questions(c), func(q question) bool {
			return q.Type == dnscheck.TypeMX && slices.ContainsFunc(z.Lookup(context.Background(), q.Name, q.Type).MX, func(mx dnscheck.MX) bool {
				return z.Lookup(context.Background(), mx.Host, dnscheck.TypeA).Outcome.Failed() || z.Lookup(context.Background(), mx.Host, dnscheck.TypeAAAA).Outcome.Failed()
			})
		})
	},

	// A record has the macro p.
	"macro-p": func(c *spfCase, _ verdict) bool {
		return slices.ContainsFunc(c.Records, func(r record) bool {
			return r.Type == "TXT" && strings.Contains(strings.ToLower(strings.Join(r.Values, "")), "%{p")
		})
	},

	// Reading: a and mx ask for both families, and either is an answer.
	"both-families": func(c *spfCase, theirs verdict) bool {
		return check(c, bothFamilies{c.zone()}).Result.String() == theirs.Result
	},

	// Under the reading above, a record is reached that has a syntax error.
	"both-families-and-syntax": func(c *spfCase, _ verdict) bool {
		_, ok := errors.AsType[*dnscheck.SPFSyntaxError](check(c, bothFamilies{c.zone()}).Err)
		return ok
	},

	// The two readings below and above at once.
	"both-families-and-mapped-client": func(c *spfCase, theirs verdict) bool {
		if !netip.MustParseAddr(c.IP).Unmap().Is4() {
			return false
		}
		mapped := mapClient(c)
		return check(mapped, bothFamilies{mapped.zone()}).Result.String() == theirs.Result
	},

	// Reading: an alias is an answer, so what lies behind it is never void.
	"alias-answers": func(c *spfCase, theirs verdict) bool {
		return check(c, aliasAnswers{c.zone()}).Result.String() == theirs.Result
	},

	// A record has the macro p, or an explanation, either of which asks DNS.
	"p-or-exp": func(c *spfCase, _ verdict) bool {
		return slices.ContainsFunc(c.Records, func(r record) bool {
			return r.Type == "TXT" && asksElsewhere.MatchString(strings.Join(r.Values, ""))
		})
	},

	// Reading: an IPv4 client is also its mapped IPv6 address.
	"mapped-client": func(c *spfCase, theirs verdict) bool {
		if !netip.MustParseAddr(c.IP).Unmap().Is4() {
			return false
		}
		mapped := mapClient(c)
		return check(mapped, mapped.zone()).Result.String() == theirs.Result
	},
}

var (
	plainSender   = regexp.MustCompile(`^[^@]+@[a-zA-Z.]*[a-zA-Z]$`)
	asksElsewhere = regexp.MustCompile(`(?i)%\{p| exp=`)
	mappedAddress = regexp.MustCompile(`(?i)ip6:::ffff:192\.0\.2\.1`)
)

func oddSender(c *spfCase) bool { return c.From != "" && !plainSender.MatchString(c.From) }

// mapClient returns the case with the ip6 terms that have a mapped client written as ip4.
func mapClient(c *spfCase) *spfCase {
	mapped := *c
	mapped.Records = nil
	for _, r := range c.Records {
		if r.Type == "TXT" {
			text := strings.ReplaceAll(strings.Join(r.Values, ""), "ip6:::/0", "ip4:0.0.0.0/0")
			r.Values = []string{mappedAddress.ReplaceAllString(text, "ip4:192.0.2.1")}
		}
		mapped.Records = append(mapped.Records, r)
	}
	return &mapped
}

// voidQuestions counts questions without an answer: also about hosts of an mx behind one
// that matches, and about names that DNS cannot have.
func voidQuestions(c *spfCase) (void int) {
	z := c.zone()
	family := dnscheck.TypeA
	if netip.MustParseAddr(c.IP).Unmap().Is6() {
		family = dnscheck.TypeAAAA
	}
	var hosts []dnscheck.MX // of the last mx, those that have not been asked about yet
	for _, q := range questions(c) {
		if i := slices.IndexFunc(hosts, func(mx dnscheck.MX) bool { return mx.Host == q.Name }); i >= 0 && q.Type == family {
			hosts = hosts[i+1:]
			continue
		}
		hosts = nil
		if q.outcome.Void() {
			void++
		}
		if q.Type == dnscheck.TypeMX {
			hosts = z.Lookup(context.Background(), q.Name, dnscheck.TypeMX).MX
		}
		for _, mx := range hosts {
			if mx.Host != "" && z.Lookup(context.Background(), mx.Host, family).Outcome.Void() {
				void++
			}
		}
	}
	for _, s := range ours(c).Steps {
		if impossible(s.Asked) {
			void++
		}
	}
	return void
}

func impossible(name string) bool {
	return name != "" && slices.ContainsFunc(strings.Split(strings.TrimSuffix(name, "."), "."), func(label string) bool {
		return label == "" || len(label) > 63
	})
}

// question is one that the evaluation here asks, with what came of it.
type question struct {
	dnscheck.Question
	outcome dnscheck.Outcome
}

type listener struct {
	zone  *dnscheck.Zone
	asked []question
}

func (l *listener) Lookup(ctx context.Context, name string, t dnscheck.Type) dnscheck.Answer {
	a := l.zone.Lookup(ctx, name, t)
	l.asked = append(l.asked, question{dnscheck.Question{Name: name, Type: t}, a.Outcome})
	return a
}

func questions(c *spfCase) []question {
	l := listener{zone: c.zone()}
	check(c, &l)
	return l.asked
}

// bothFamilies answers about one family with what a resolver finds that asks for both.
type bothFamilies struct{ zone *dnscheck.Zone }

func (b bothFamilies) Lookup(ctx context.Context, name string, t dnscheck.Type) dnscheck.Answer {
	own := b.zone.Lookup(ctx, name, t)
	other := dnscheck.TypeA
	switch t {
	case dnscheck.TypeA:
		other = dnscheck.TypeAAAA
	case dnscheck.TypeAAAA:
	default:
		return own
	}
	second := b.zone.Lookup(ctx, name, other)
	if own.Outcome != dnscheck.Found && (second.Outcome == dnscheck.Found || second.Outcome.Failed()) {
		second.Addrs = nil // no client of the question's family has them
		return second
	}
	return own
}

// aliasAnswers takes an alias for an answer, whatever it leads to.
type aliasAnswers struct{ zone *dnscheck.Zone }

func (r aliasAnswers) Lookup(ctx context.Context, name string, t dnscheck.Type) dnscheck.Answer {
	a := r.zone.Lookup(ctx, name, t)
	if len(a.CNAME) > 0 && a.Outcome.Void() {
		a.Outcome = dnscheck.Found
	}
	return a
}
