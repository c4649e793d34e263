package dnscheck

import (
	"context"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// organizationalByList is the organizational domain as RFC 7489 section 3.2
// has it: the public suffix and one label more. Only the list's ICANN part
// counts, not suffixes that companies entered for their customers (RFC 7489
// erratum 6729).
func organizationalByList(name string) string {
	suffix, icann := publicsuffix.PublicSuffix(name)
	for !icann && strings.Contains(suffix, ".") {
		suffix, icann = publicsuffix.PublicSuffix(parent(suffix))
	}
	return lastLabels(name, labels(suffix)+1)
}

// discoverByList finds the policy as RFC 7489 section 6.6.3 has it: at the
// author domain, else at the organizational domain by the public suffix list.
// np, psd and t mean nothing to it; pct does.
func discoverByList(ctx context.Context, r Resolver, author string, own WalkQuery) DMARCApplied {
	a := DMARCApplied{Method: PublicSuffixList, Organizational: organizationalByList(author), Percent: 100}
	q := own
	if q.Found == 0 && !q.Outcome.Failed() && a.Organizational != author {
		q = queryDMARC(ctx, r, a.Organizational)
	}
	if q.Outcome.Failed() {
		a.Err = q.err
		return a
	}
	if q.Record == nil { // several records end the discovery too
		return a
	}
	a.Domain, a.Record = q.Domain, q.Record
	older := *q.Record
	older.NonExistent, older.policyBroken = PolicyAbsent, older.Policy == PolicyInvalid || older.Subdomains == PolicyInvalid
	a.Declared, a.Tag = older.For(q.Domain != author, true)
	a.Policy, a.Percent = a.Declared, older.Percent
	return a
}
