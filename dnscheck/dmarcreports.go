package dnscheck

import (
	"context"
	"errors"
)

// ReportDestination is whether reports about a domain reach an address that its
// record names.
type ReportDestination struct {
	URI        ReportURI `json:"uri"`
	External   bool      `json:"external"`       // the host is known to be of another organization, which has to agree
	Name       string    `json:"name,omitempty"` // asked for the agreement; "" where none is needed
	Outcome    Outcome   `json:"outcome"`        // of that question
	Authorized bool      `json:"authorized"`     // it agrees, or need not
	TakesMail  bool      `json:"takes_mail"`     // mail to the host can be delivered
	Findings   []Finding `json:"findings"`
}

// maxDestinations is how many destinations of a record are looked at.
const maxDestinations = 10

// CheckReports looks at the mailboxes that the applying record names for
// reports: whether another organization agrees to take them (RFC 9990 section 4), and whether
// mail gets there. Addresses that are no mailboxes are left out; without a record there are none.
func CheckReports(ctx context.Context, r Resolver, d *DMARCDiscovery) []ReportDestination {
	list := []ReportDestination{}
	if d == nil || d.Newer.Record == nil {
		return list
	}
	seen := make(map[string]bool)
	for _, uris := range [][]ReportURI{d.Newer.Record.Aggregate, d.Newer.Record.Failure} {
		for _, uri := range uris {
			if uri.Scheme == "mailto" && !seen[uri.Host] && len(list) < maxDestinations {
				seen[uri.Host] = true
				list = append(list, ReportDestination{URI: uri, Findings: []Finding{}})
			}
		}
	}
	own := WalkDMARC(ctx, r, d.Newer.Domain).Organizational
	each(list, func(to *ReportDestination) {
		where := Position{Name: dmarcLabel + d.Newer.Domain, Type: TypeTXT, Record: d.Newer.Record.Text, Start: to.URI.Start, End: to.URI.End}
		to.check(ctx, r, d.Newer.Domain, own, where)
	})
	return list
}

// check asks whether reports about domain, whose organizational domain is own,
// get there.
func (to *ReportDestination) check(ctx context.Context, r Resolver, domain, own string, where Position) {
	find := func(id string, args ...any) {
		f := dmarcRules.finding(id, where, args...)
		if id == "dmarc-report-unauthorized" {
			f.Fix = fill(f.Fix, []any{to.Name})
		}
		to.Findings = append(to.Findings, f)
	}
	to.Authorized = true
	if to.URI.Host != domain {
		to.ask(ctx, r, domain, own, find)
	}
	mx := CheckMX(ctx, r, to.URI.Host)
	to.TakesMail = mx.TakesMail()
	if !to.TakesMail && !errors.Is(mx.Err, ErrDNS) {
		find("dmarc-report-no-mail", to.URI.Host)
	}
}

// ask looks whether the host is of the same organization, and if not, whether its
// own agrees. Where DNS fails nobody can say whose the host is.
func (to *ReportDestination) ask(ctx context.Context, r Resolver, domain, own string, find func(string, ...any)) {
	whose := WalkDMARC(ctx, r, to.URI.Host).Organizational
	known := own != "" && whose != ""
	if known && whose == own {
		return
	}
	to.External = known
	to.Name = domain + reportLabel + to.URI.Host
	answer := lookup(ctx, r, to.Name, TypeTXT)
	to.Outcome = answer.Outcome
	to.Authorized = len(versioned(answer, dmarcVersion)) > 0
	switch {
	case to.Authorized:
	case answer.Outcome.Failed() || !known:
		find("dmarc-report-unknown", to.URI.Host, domain)
	default:
		find("dmarc-report-unauthorized", to.URI.Host, domain)
	}
}
