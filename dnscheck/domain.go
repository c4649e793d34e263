package dnscheck

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// DomainOptions are how CheckDomain works. The zero value checks what can be
// checked from the domain alone, within safe limits; a negative limit is none.
type DomainOptions struct {
	Selectors []string     // DKIM selectors to ask for; see SelectorsOf
	Senders   []netip.Addr // addresses that send the domain's mail; the first ten are checked
	HELO      string       // name that the senders announce; "": not checked
	MailFrom  string       // envelope sender to check SPF for; "" is postmaster at the domain
	Time      time.Time    // of the check, for SPF's macro t; zero is now

	// FetchPolicy fetches the MTA-STS policy. nil: only the record is looked at.
	FetchPolicy PolicyFetcher

	MaxQueries  int           // different questions; 0 is 500
	MaxParallel int           // questions at a time; 0 is 16
	Timeout     time.Duration // of the whole check; 0 is 30 s
}

// SenderCheck is what an address that sends a domain's mail meets.
type SenderCheck struct {
	IP  *IPCheck  `json:"ip"`
	SPF *SPFCheck `json:"spf"`
}

// DomainCheck is all that a domain publishes about its mail.
type DomainCheck struct {
	Domain   string              `json:"domain"` // in A-labels
	MX       *MXCheck            `json:"mx"`
	SPF      *SPFAudit           `json:"spf"`
	DKIM     *DKIMDiscovery      `json:"dkim"`
	DMARC    *DMARCDiscovery     `json:"dmarc"`
	Reports  []ReportDestination `json:"reports"`
	MTASTS   *MTASTSCheck        `json:"mta_sts"`
	TLSRPT   *TLSRPTCheck        `json:"tls_rpt"`
	BIMI     *BIMICheck          `json:"bimi"`
	Senders  []SenderCheck       `json:"senders"`
	Findings []Finding           `json:"findings"` // of all parts: what breaks mail first
	Gaps     Gaps                `json:"gaps"`     // what the resolver cannot know: see the resolver- findings
	Usage    Usage               `json:"usage"`
	ended    []Finding           // that the check ended before it was done
	Problem  string              `json:"problem,omitempty"` // Err in words
	Err      error               `json:"-"`                 // why it is not whole; see CheckDomain
}

// maxSenders is how many sending addresses are checked.
const maxSenders = 10

// CheckDomain looks at everything that a domain publishes about its mail, all
// parts at the same time, with one budget of questions and time for all of them. Each
// question is asked once. What DNS did not answer is a finding and no error.
//
// Err is ErrBadDomain, ErrNoResolver or ErrNoContext where nothing was asked: then only
// Domain and Findings are set. It is the cause of the context's end where that came before the check's:
// then the parts hold what was known by then.
func CheckDomain(ctx context.Context, r Resolver, domain string, o DomainOptions) *DomainCheck {
	c := &DomainCheck{Domain: domain, Reports: []ReportDestination{}, Senders: []SenderCheck{}, Findings: []Finding{}}
	name, err := domainName(domain)
	switch {
	case ctx == nil:
		err = ErrNoContext
	case r == nil:
		err = ErrNoResolver
	}
	if err != nil {
		c.Err, c.Problem = err, problem(err)
		c.Findings = append(c.Findings, badDomain(err)...)
		return c
	}
	c.Domain = name
	caller := ctx
	if limit := orDefault(o.Timeout, limitTimeout); limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, ErrBudget)
		defer cancel()
	}
	limit := &Limit{Resolver: r, Queries: o.MaxQueries, Timeout: o.Timeout, Parallel: o.MaxParallel}
	view := &memo{resolver: limit, ctx: ctx, answers: make(map[Question]*memoAnswer)}
	c.ask(ctx, view, o)
	c.Gaps, c.Usage = view.gaps, limit.Used()
	c.end(caller, ctx, view)
	c.Problem = problem(c.Err)
	c.gather(view)
	return c
}

// ask runs all parts.
func (c *DomainCheck) ask(ctx context.Context, r Resolver, o DomainOptions) {
	for _, ip := range o.Senders[:min(len(o.Senders), maxSenders)] {
		c.Senders = append(c.Senders, SenderCheck{IP: &IPCheck{IP: ip}})
	}
	from := cmp.Or(o.MailFrom, "postmaster@"+c.Domain)
	together(
		func() { c.MX = CheckMX(ctx, r, c.Domain) },
		func() { c.SPF = AuditSPF(ctx, r, c.Domain, SPFAuditOptions{Timeout: -1}) },
		func() { c.DKIM = DiscoverDKIM(ctx, r, c.Domain, o.Selectors) },
		func() {
			c.DMARC = DiscoverDMARC(ctx, r, c.Domain)
			list(&c.DMARC.Findings)
			together(
				func() { c.Reports = CheckReports(ctx, r, c.DMARC) },
				func() { c.BIMI = CheckBIMI(ctx, r, c.Domain, c.DMARC) },
			)
		},
		func() { c.MTASTS = CheckMTASTS(ctx, r, c.Domain, o.FetchPolicy, nil) },
		func() { c.TLSRPT = CheckTLSRPT(ctx, r, c.Domain) },
		func() {
			each(c.Senders, func(s *SenderCheck) {
				ip := s.IP.IP
				s.IP = CheckIP(ctx, r, ip, o.HELO)
				s.SPF = CheckSPF(ctx, r, SPFQuery{IP: ip, MailFrom: from, HELO: cmp.Or(o.HELO, c.Domain), Time: o.Time, Trace: true})
				list(&s.SPF.Steps)
			})
		},
	)
	c.MTASTS.CompareMX(c.MX)
}

// gather puts the findings of all parts into one list, and adds those that come
// of several parts together.
func (c *DomainCheck) gather(view *memo) {
	all := slices.Concat(c.MX.Findings, c.SPF.Findings, c.DKIM.Findings, c.DMARC.Findings)
	for _, to := range c.Reports {
		all = append(all, to.Findings...)
	}
	all = slices.Concat(all, c.MTASTS.Findings, c.TLSRPT.Findings, c.BIMI.Findings)
	for _, s := range c.Senders {
		found := s.find()
		if len(c.ended) > 0 {
			view.doubt(found)
		}
		all = append(append(all, s.IP.Findings...), found...)
	}
	if c.MX.Null && c.SPF.Record.Text != "" && c.sends() {
		all = append(all, mxRules.finding("mx-null-sends", Position{Name: c.Domain, Type: TypeTXT, Record: c.SPF.Record.Text}))
	}
	for _, record := range versioned(view.answer(c.Domain, TypeTXT), dmarcVersion) {
		all = append(all, dmarcRules.finding("dmarc-wrong-place", Position{Name: c.Domain, Type: TypeTXT, Record: record}))
	}
	all = append(all, c.ended...)
	all = slices.DeleteFunc(all, c.moot)
	for _, g := range gapRules {
		if c.Gaps&g.gap != 0 {
			all = append(all, rules{"": g.rule}.finding("", Position{}))
			all[len(all)-1].ID = "resolver-" + g.gap.String()
		}
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(area(a.ID), area(b.ID)))
	})
	c.Findings = all
}

// moot reports whether a finding of one part is of no account beside another: who
// takes no mail needs no rules for encrypted delivery, and who sends none has nobody that p=reject could hit.
func (c *DomainCheck) moot(f Finding) bool {
	switch f.ID {
	case "mta-sts-missing", "tls-rpt-missing":
		return c.MX.Null
	case "dmarc-reject-general":
		return c.SPF.Record.Text != "" && !c.sends()
	}
	return false
}

// sends reports whether the SPF record lets anybody send for the domain.
func (c *DomainCheck) sends() bool {
	return c.SPF.Addresses.IPv4 > 0 || c.SPF.Addresses.IPv6 != "0" || len(c.SPF.Unlisted) > 0
}

// area is the rank of a finding's area.
func area(id string) int {
	i := slices.IndexFunc(areas, func(area string) bool { return strings.HasPrefix(id, area+"-") })
	if i < 0 {
		return len(areas)
	}
	return i
}

// find says what SPF makes of a sender.
func (s *SenderCheck) find() []Finding {
	if reservedAddr(s.IP.IP) != "" {
		return nil // no receiver sees it
	}
	where := Position{Name: s.SPF.Domain, Type: TypeTXT}
	if s.SPF.RecordOf == s.SPF.Domain {
		where.Record, where.Start, where.End = s.SPF.Record, s.SPF.Term.Start, s.SPF.Term.End
	}
	switch s.SPF.Result {
	case SPFPass:
		return nil
	case SPFNone:
		where = Position{Name: s.SPF.Domain, Type: TypeTXT}
		return []Finding{domainRules.finding("sender-spf-none", where, s.IP.IP)}
	case SPFSoftFail, SPFNeutral:
		return []Finding{domainRules.finding("sender-spf-weak", where, s.SPF.Result, s.IP.IP)}
	case SPFTempError:
		return []Finding{domainRules.finding("sender-spf-failed", where, s.IP.IP)}
	case SPFPermError:
		return []Finding{domainRules.finding("sender-spf-error", where, s.IP.IP, s.SPF.Problem)}
	}
	return []Finding{domainRules.finding("sender-spf", where, s.SPF.Result, s.IP.IP)}
}

// SelectorsOf returns the selectors that the signatures of a domain use, in the form
// that [CheckDomain] and [DiscoverDKIM] take. Those of other domains are left out.
func SelectorsOf(domain string, signatures []*DKIMSignature) []string {
	selectors := []string{}
	for _, s := range signatures {
		if s.Selector != "" && canonical(domain) == s.Domain && !slices.Contains(selectors, s.Selector) {
			selectors = append(selectors, s.Selector)
		}
	}
	return selectors
}
