package main

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/smtpcode"
)

// claims are the checks that DNS can settle.
var claims = map[smtpcode.CheckKind]dnscheck.Claim{
	smtpcode.CheckSPF: dnscheck.ClaimSPF, smtpcode.CheckDKIM: dnscheck.ClaimDKIM, smtpcode.CheckDMARC: dnscheck.ClaimDMARC,
}

// maxField bounds what a form carries from the report to the question.
const maxField = 4 << 10

// checks are the questions for DNS that the diagnosis asks, each once.
func (s *site) checks(doc *explained.Document, r *explained.Recipient) (all []dnscheck.Refusal) {
	if s.Resolver == nil {
		return nil
	}
	f := &r.Failure
	for _, c := range r.Diagnosis.Checks {
		claim, ok := claims[c.Kind]
		if !ok || slices.ContainsFunc(all, func(o dnscheck.Refusal) bool { return o.Claim == claim }) {
			continue
		}
		q := dnscheck.Refusal{Claim: claim, AuthorDomain: f.AuthorDomain, EnvelopeFrom: cmp.Or(f.EnvelopeFrom, c.Domain), HELO: f.HELO, SendingIP: sendingIP(r)}
		if claim != dnscheck.ClaimSPF && q.AuthorDomain == "" {
			q.AuthorDomain = c.Domain
		}
		if doc.Report != nil && doc.Report.Returned != nil {
			if signature := doc.Report.Returned.Header.Get("DKIM-Signature"); len(signature) < maxField {
				q.Signature = signature
			}
		}
		all = append(all, q)
	}
	return all
}

// sendingIP is the address that the mail was sent from, as the report or else
// the reply tells it.
func sendingIP(r *explained.Recipient) netip.Addr {
	if r.Failure.SendingIP.IsValid() {
		return r.Failure.SendingIP
	}
	return namedIP(r.Reply.Text)
}

// namedIP is the one address that a reply names, the zero address where it
// names none or several.
func namedIP(reply string) (found netip.Addr) {
	for _, word := range strings.FieldsFunc(reply, func(r rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF.:", r) }) {
		ip, err := netip.ParseAddr(strings.TrimRight(word, ".:"))
		if err != nil || ip == found {
			continue
		}
		if found.IsValid() {
			return netip.Addr{}
		}
		found = ip
	}
	return found
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
