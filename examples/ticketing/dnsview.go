package main

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/examples/internal/explained"
)

// maxField bounds what a form carries from the report to the question.
const maxField = explained.MaxSignature

// checks are the questions for DNS that the diagnosis asks, each once.
func (s *site) checks(doc *explained.Document, r *explained.Recipient) []dnscheck.Refusal {
	if s.Resolver == nil {
		return nil
	}
	return explained.Refusals(doc, r)
}

// dnsView is what DNS says now about a refusal.
type dnsView struct {
	*dnscheck.Explanation
	At     time.Time
	Domain string             // whose SPF record is drawn
	Tree   *dnscheck.SPFAudit // nil where SPF was not asked about
}

func (s *site) dns(r *http.Request) (any, error) {
	if s.Resolver == nil {
		return nil, problem{http.StatusNotFound, "DNS is not asked: start with -dns system."}
	}
	q := dnscheck.Refusal{AuthorDomain: r.FormValue("author"), EnvelopeFrom: r.FormValue("from"), HELO: r.FormValue("helo"), Signature: r.FormValue("signature")}
	if err := q.Claim.UnmarshalText([]byte(r.FormValue("claim"))); err != nil {
		return nil, problem{http.StatusBadRequest, "Ask about spf, dkim or dmarc."}
	}
	for _, field := range []string{q.AuthorDomain, q.EnvelopeFrom, q.HELO, q.Signature} {
		if len(field) > maxField {
			return nil, problem{http.StatusBadRequest, "That is too long for a name."}
		}
	}
	if text := strings.TrimSpace(r.FormValue("ip")); text != "" {
		ip, err := netip.ParseAddr(text)
		if err != nil {
			return nil, problem{http.StatusBadRequest, "That is no IP address."}
		}
		q.SendingIP = ip
	}
	v := &dnsView{At: s.now(), Domain: domainOf(strings.Trim(q.EnvelopeFrom, "<> "))}
	v.Explanation = dnscheck.Explain(r.Context(), s.Resolver, q)
	if q.Claim == dnscheck.ClaimSPF && v.Domain != "" {
		ctx, cancel := context.WithTimeout(r.Context(), dnsWait)
		defer cancel()
		v.Tree = dnscheck.AuditSPF(ctx, &dnscheck.Limit{Resolver: s.Resolver, Queries: dnsQueries}, v.Domain, dnscheck.SPFAuditOptions{})
	}
	return v, nil
}

// Drawing the tree is bounded, whatever the domain publishes.
const (
	dnsWait    = 15 * time.Second
	dnsQueries = 200
)

// sentence writes words of DNS's as a sentence.
func sentence(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:] + "."
}
