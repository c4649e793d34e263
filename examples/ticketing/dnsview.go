package main

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/mailfault/mailfault/dnscheck"
)

// dnsView is what DNS says now about a domain that a report names.
type dnsView struct {
	Domain, IP string
	At         time.Time
	Check      *dnscheck.SPFCheck // of the address that was refused; nil without one
	Audit      *dnscheck.SPFAudit
	DMARC      *dnscheck.DMARCDiscovery
}

// One look at DNS is bounded, whatever the domain publishes.
const (
	dnsWait    = 15 * time.Second
	dnsQueries = 200
)

func (s *site) dns(r *http.Request) (any, error) {
	if s.Resolver == nil {
		return nil, problem{http.StatusNotFound, "DNS is not asked: start with -dns system."}
	}
	v := &dnsView{Domain: r.FormValue("domain"), IP: r.FormValue("ip"), At: s.now()}
	if v.Domain == "" || len(v.Domain) > 253 {
		return nil, problem{http.StatusBadRequest, "No domain to ask about."}
	}
	ctx, cancel := context.WithTimeout(r.Context(), dnsWait)
	defer cancel()
	limited := &dnscheck.Limit{Resolver: s.Resolver, Queries: dnsQueries}
	if ip, err := netip.ParseAddr(v.IP); err == nil {
		v.Check = dnscheck.CheckSPF(ctx, limited, dnscheck.SPFQuery{IP: ip, MailFrom: "postmaster@" + v.Domain, HELO: v.Domain, Trace: true})
	}
	v.Audit = dnscheck.AuditSPF(ctx, limited, v.Domain, dnscheck.SPFAuditOptions{})
	v.DMARC = dnscheck.DiscoverDMARC(ctx, limited, v.Domain)
	return v, nil
}

// Decided is the term that decided the check, as the record has it.
func (v *dnsView) Decided() string {
	if c := v.Check; c != nil && 0 <= c.Term.Start && c.Term.Start < c.Term.End && c.Term.End <= len(c.Record) {
		return c.Record[c.Term.Start:c.Term.End]
	}
	return ""
}
