package main

import (
	"context"
	"strings"

	"github.com/mailfault/mailfault/dnscheck"
)

// checkDMARC says whether one of the identifiers that passed is aligned with the
// author domain (RFC 9989 section 4.4); "" where that cannot be known.
func (g *gateway) checkDMARC(ctx context.Context, m *mail, checks []identifier) string {
	author := authorDomain(m.header())
	if author == "" {
		return "dmarc=none (no single author domain)"
	}
	from := " header.from=" + token(author)
	found := dnscheck.DiscoverDMARC(ctx, g.Resolver, author)
	policy := found.Newer
	switch {
	case policy.Err != nil:
		return "dmarc=temperror" + from
	case policy.Record == nil:
		return "dmarc=none" + from
	}
	open := false // a check without an answer might have passed
	for _, c := range checks {
		mode := policy.Record.DKIM
		if c.method == "spf" {
			mode = policy.Record.SPF
		}
		if c.result == "pass" && g.aligned(ctx, c.domain, found, mode) {
			return "dmarc=pass" + from
		}
		open = open || c.result == "temperror" || c.result == unread
	}
	if open {
		return ""
	}
	return "dmarc=fail (p=" + policy.Policy.String() + ")" + from
}

// aligned reports whether a domain stands for the author: the same, or of the
// same organization where the record does not want it the same.
func (g *gateway) aligned(ctx context.Context, domain string, found *dnscheck.DMARCDiscovery, mode dnscheck.AlignmentMode) bool {
	if strings.EqualFold(domain, found.AuthorDomain) {
		return true
	}
	if mode == dnscheck.Strict {
		return false
	}
	organizational := dnscheck.WalkDMARC(ctx, g.Resolver, domain).Organizational
	return organizational != "" && strings.EqualFold(organizational, found.Newer.Organizational)
}
