package dnscheck

import (
	"errors"
	"net/netip"
	"strings"
)

// spf explains a refusal for SPF.
func (e *explainer) spf() {
	from, domain := e.envelope()
	ip := e.Refusal.SendingIP
	known := ip.IsValid()
	if !known {
		ip = netip.IPv4Unspecified() // no record lists it: the path goes through the whole record
	}
	e.SPF = CheckSPF(e.ctx, e.r, SPFQuery{IP: ip, MailFrom: from, HELO: e.Refusal.HELO, Time: e.now(), Trace: true})
	list(&e.SPF.Steps)
	e.Fault = Position{Name: e.SPF.RecordOf, Type: TypeTXT, Record: e.SPF.Record, Start: e.SPF.Term.Start, End: e.SPF.Term.End}
	if e.Fault.Name == "" {
		e.Fault = Position{Name: domain, Type: TypeTXT}
	}
	switch e.SPF.Result {
	case SPFTempError:
		e.because("spf-dns-failed", domain)
		return
	case SPFPermError:
		e.spfError(domain)
		return
	case SPFNone:
		e.spfNone(domain)
		return
	}
	switch {
	case !known:
		e.Fault = Position{}
		e.because("spf-no-address", domain)
	case reservedAddr(ip) != "":
		e.Fault = Position{}
		e.because("spf-private", domain, ip)
	case e.SPF.Result == SPFPass:
		e.because("spf-passes-now", domain, ip)
	default:
		e.spfUnlisted(domain, ip)
	}
}

// spfNone explains that there is no record.
func (e *explainer) spfNone(domain string) {
	switch {
	case e.SPF.Err == ErrBadDomain:
		e.Fault = Position{}
		e.because("spf-no-domain", clip(domain))
	case lookup(e.ctx, e.r, domain, TypeTXT).Outcome == NXDomain:
		e.because("spf-nxdomain", domain)
	default:
		e.because("spf-no-record", domain)
	}
}

// spfUnlisted explains fail, softfail and neutral, and says which term to add
// where.
func (e *explainer) spfUnlisted(domain string, ip netip.Addr) {
	if e.SPF.Term.Mechanism != MechanismAll && e.SPF.decisive() != "" {
		e.because("spf-excluded", domain, ip)
		return
	}
	e.Add = "ip4:" + ip.String()
	if ip.Is6() {
		e.Add = "ip6:" + ip.WithZone("").String()
	}
	id := map[SPFResult]string{SPFFail: "spf-not-listed", SPFSoftFail: "spf-softfail", SPFNeutral: "spf-neutral"}[e.SPF.Result]
	e.because(id, domain, ip, e.Add, e.Fault.Name)
	e.Publish = addTerm(e.Fault.Record, e.Fault.Start, e.Add)
	if e.Fault.Name != "" && !below(e.Fault.Name, domain) {
		e.Owner = OwnerInclude // behind a redirect
	}
	e.caveat("behind a forwarder the receiver sees the forwarder's address, which the record must not list")
}

// addTerm puts a term before the one that begins at that byte, or at the end of a
// record where none decided.
func addTerm(record string, at int, term string) string {
	if at <= 0 || at > len(record) {
		for start := range termStarts(record) {
			if strings.HasPrefix(strings.ToLower(record[start:]), "redirect=") || strings.HasPrefix(strings.ToLower(record[start:]), "exp=") {
				return addTerm(record, start, term)
			}
		}
		return strings.TrimRight(record, " ") + " " + term
	}
	return record[:at] + term + " " + record[at:]
}

// termStarts goes through the places where terms begin.
func termStarts(record string) func(func(int) bool) {
	return func(yield func(int) bool) {
		for at := 1; at < len(record); at++ {
			if record[at-1] == ' ' && record[at] != ' ' && !yield(at) {
				return
			}
		}
	}
}

// spfError explains a permerror.
func (e *explainer) spfError(domain string) {
	err := e.SPF.Err
	broken := e.Fault.Name // whose record the error is in
	if last := len(e.SPF.Steps) - 1; last >= 0 && e.SPF.Steps[last].Asked != "" && (err == ErrManyRecords || errors.As(err, new(*SPFSyntaxError))) {
		broken = e.SPF.Steps[last].Asked
	}
	switch {
	case errors.Is(err, ErrTooManyLookups):
		e.lookupLimit(domain)
		return
	case errors.Is(err, ErrTooManyVoids):
		e.because("spf-void-limit", domain)
	case errors.Is(err, ErrManyRecords):
		e.because("spf-many-records", domain, "", broken)
		e.Fault = Position{Name: broken, Type: TypeTXT}
	case errors.Is(err, ErrNoRecord):
		e.because("spf-include-broken", domain, "", broken)
	default:
		id := "spf-permerror"
		if syntax := (*SPFSyntaxError)(nil); errors.As(err, &syntax) {
			id = "spf-syntax"
			e.Fault = Position{Name: broken, Type: TypeTXT, Record: syntax.Record, Start: syntax.Start, End: syntax.End}
		}
		e.because(id, domain, "", broken, clip(problem(err)))
	}
	if e.Fault.Name != "" && !below(e.Fault.Name, domain) {
		e.Owner = OwnerInclude
		e.caveat("until the operator of " + e.Fault.Name + " mends the record, removing the term that leads there lets SPF work again")
	}
}

// lookupLimit explains the eleventh look-up, and names the term of the domain's
// own record that is the best to give up: the one that nobody needs, or else costs most.
func (e *explainer) lookupLimit(domain string) {
	e.Audit = AuditSPF(e.ctx, e.r, domain, SPFAuditOptions{Timeout: -1})
	dearest, cost := "", 0
	for _, t := range e.Audit.Record.Terms {
		if t.Total > cost {
			dearest, cost = t.Text, t.Total
		}
	}
	e.because("spf-lookup-limit", domain, "", itoa(e.Audit.Lookups), dearest, itoa(cost))
	if dearest == "" {
		e.Change = ""
	}
}
