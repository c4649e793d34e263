package dnscheck

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// DKIMDiscovery is what is known of a domain's DKIM keys. Selectors cannot be
// listed in DNS: what was not asked for may exist all the same.
type DKIMDiscovery struct {
	Domain    string       `json:"domain"`
	Below     Outcome      `json:"below"`     // of asking for _domainkey itself: nxdomain means that no selector has a key
	Selectors []*DKIMCheck `json:"selectors"` // that were asked for, in order
	Findings  []Finding    `json:"findings"`  // of the keys too
	Err       error        `json:"-"`         // ErrBadDomain; ErrDNS: no answer about the domain's keys as a whole
}

// dkimDiscoverRules is the table of findings about a domain's keys as a whole.
var dkimDiscoverRules = rules{
	"dkim-no-keys":       {Warning, OwnerDomain, "RFC 6376 section 3.6.2.1, RFC 8020 section 2", "no name stands below %s: no selector has a key, so that no mail can be signed for the domain", "let the mail hosts sign, and publish their keys"},
	"dkim-none-found":    {Warning, OwnerDomain, "RFC 6376 section 3.6.2.1", "none of the %d selectors asked for has a usable key; others may have", "name the selector of a message's signature"},
	"dkim-not-asked":     {Info, OwnerUnknown, "RFC 6376 section 3.1", "no selector is known to ask for: DNS cannot list them", "name the selectors, or give a message of the domain's"},
	"dkim-wildcard":      {Warning, OwnerDomain, "RFC 6376 section 3.6.2.1, RFC 4592", "every selector exists, even %s: a wildcard answers for names that were never published", "remove the wildcard below _domainkey"},
	"dkim-many-selector": {Info, OwnerUnknown, "", "only the first %d selectors were asked for", ""},
}

// maxSelectors is how many selectors of a domain are asked for.
const maxSelectors = 50

// probeSelector is a selector that nobody publishes.
const probeSelector = "mailfault-probe-no-such-selector"

// DiscoverDKIM looks at the keys of a domain's selectors, the first 50 different
// ones, and whether the domain can have keys at all. It asks at most 52 questions.
func DiscoverDKIM(ctx context.Context, r Resolver, domain string, selectors []string) *DKIMDiscovery {
	d := &DKIMDiscovery{Domain: domain, Selectors: []*DKIMCheck{}, Findings: []Finding{}}
	name, err := domainName(domain)
	if err != nil {
		d.Err = err
		return d
	}
	d.Domain = name
	where := Position{Name: "_domainkey." + name, Type: TypeTXT}
	find := func(id string, args ...any) {
		d.Findings = append(d.Findings, dkimDiscoverRules.finding(id, where, args...))
	}
	var asked []string
	for _, selector := range selectors {
		if selector = canonical(selector); !slices.Contains(asked, selector) {
			asked = append(asked, selector)
		}
		if len(asked) > maxSelectors {
			asked = asked[:maxSelectors]
			find("dkim-many-selector", maxSelectors)
			break
		}
	}
	d.Selectors = make([]*DKIMCheck, len(asked))
	var below, probe Answer
	var all sync.WaitGroup
	together(
		func() { below = lookup(ctx, r, where.Name, TypeTXT) },
		func() { probe = lookup(ctx, r, probeSelector+"."+where.Name, TypeTXT) },
		func() {
			for i, selector := range asked {
				all.Go(func() { d.Selectors[i] = CheckDKIM(ctx, r, name, selector) })
			}
			all.Wait()
		},
	)
	d.Below = below.Outcome
	if below.Outcome.Failed() {
		d.Err = noAnswer(below)
	}
	usable, unknown := 0, false
	for _, c := range d.Selectors {
		d.Findings = append(d.Findings, c.Findings...)
		if c.Err == nil {
			usable++
		}
		unknown = unknown || errors.Is(c.Err, ErrDNS)
	}
	switch {
	case below.Outcome == NXDomain:
		find("dkim-no-keys", where.Name)
	case probe.Outcome == Found:
		find("dkim-wildcard", probeSelector)
	case len(asked) == 0:
		find("dkim-not-asked")
	case usable == 0 && !unknown:
		find("dkim-none-found", len(asked))
	}
	return d
}
