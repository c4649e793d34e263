package dnscheck

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
)

// spf explains a refusal for SPF.
func (e *explainer) spf() {
	from, domain := e.envelope()
	switch {
	case domain == "":
		e.because("refusal-empty")
		return
	case strings.Contains(domain, "@"): // an address that cannot be taken apart
		e.because("spf-no-domain", clip(domain))
		return
	}
	ip := e.Refusal.SendingIP
	known := ip.IsValid()
	if !known {
		ip = netip.IPv4Unspecified() // no record lists it: the path goes through the whole record
	}
	query := SPFQuery{IP: ip, MailFrom: from, HELO: e.Refusal.HELO, Time: e.now(), Trace: true}
	e.SPF = CheckSPF(e.ctx, e.r, query)
	list(&e.SPF.Steps)
	e.Fault = Position{Name: e.SPF.RecordOf, Type: TypeTXT, Record: e.SPF.Record, Start: e.SPF.Term.Start, End: e.SPF.Term.End}
	if e.Fault.Name == "" {
		e.Fault = Position{Name: domain, Type: TypeTXT}
	}
	switch e.SPF.Result {
	case SPFTempError:
		e.because("spf-dns-failed", domain, "", e.failing(domain))
		return
	case SPFPermError:
		e.spfError(domain, query)
		return
	case SPFNone:
		e.spfNone(domain)
		return
	}
	switch {
	case known && reservedAddr(ip) == "" && e.behindAll(query):
	case e.SPF.Result == SPFFail && e.listsNobody():
		e.because("spf-sends-no-mail", domain, ip, "", e.Fault.Name)
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

// listsNobody reports whether the records that were read hold no more than all, or
// lead by redirect to one that does: who publishes that means to send no mail.
func (e *explainer) listsNobody() bool {
	terms, _ := ParseSPF(e.SPF.Record)
	return !slices.ContainsFunc(terms, func(t Term) bool { return t.Mechanism != MechanismAll && t.Mechanism < ModifierExp }) &&
		!slices.ContainsFunc(e.SPF.Steps, func(s Step) bool { return s.Term.Mechanism != MechanismAll && s.Term.Mechanism != ModifierRedirect })
}

// behindAll explains an address that passes as soon as the all that decided stands
// behind the other terms, and goes where there is a redirect.
func (e *explainer) behindAll(query SPFQuery) bool {
	all := e.SPF.decisive()
	if e.SPF.Term.Mechanism != MechanismAll || e.SPF.Term.Qualifier == SPFPass {
		return false
	}
	record := strings.TrimRight(e.SPF.Record[:e.SPF.Term.Start], " ") + e.SPF.Record[e.SPF.Term.End:]
	terms, _ := ParseSPF(record)
	change := "move " + all + " to the end of the record"
	switch {
	case slices.ContainsFunc(terms, func(t Term) bool { return t.Mechanism == ModifierRedirect }):
		change = "remove " + all + ": redirect is ignored beside it"
	case slices.ContainsFunc(terms, func(t Term) bool { return t.Mechanism < ModifierRedirect && t.End >= e.SPF.Term.Start }):
		record = strings.TrimRight(record, " ") + " " + all
	default:
		return false
	}
	planned := &Overlay{Base: e.r, SPF: map[string]string{e.SPF.RecordOf: record}}
	if CheckSPF(e.ctx, planned, query).Result != SPFPass {
		return false
	}
	e.because("spf-behind-all", e.SPF.Domain, query.IP, e.SPF.RecordOf, all, change)
	e.Publish = record
	if !below(e.SPF.RecordOf, e.SPF.Domain) {
		e.Owner = OwnerInclude
	}
	return true
}

// spfNone explains that there is no record.
func (e *explainer) spfNone(domain string) {
	if e.SPF.Err == ErrBadDomain {
		e.Fault = Position{}
		e.because("spf-no-domain", clip(domain))
		return
	}
	answer := lookup(e.ctx, e.r, domain, TypeTXT)
	for _, txt := range answer.TXT {
		if why := almostSPF(txt.Text); why != "" {
			e.because("spf-almost-record", domain, "", why)
			e.Fault.Record = txt.Text
			return
		}
	}
	if answer.Outcome == NXDomain {
		e.because("spf-nxdomain", domain)
		return
	}
	e.because("spf-no-record", domain)
}

// failing is the name that DNS gave no answer for.
func (e *explainer) failing(domain string) string {
	if named := (*nameError)(nil); errors.As(e.SPF.Err, &named) {
		return clip(named.name)
	}
	return domain
}

// spfUnlisted explains fail, softfail and neutral, and says which term to add
// where.
func (e *explainer) spfUnlisted(domain string, ip netip.Addr) {
	if e.SPF.Term.Mechanism != MechanismAll && e.SPF.decisive() != "" {
		e.because("spf-excluded", domain, ip)
		if !below(e.Fault.Name, domain) {
			e.Owner = OwnerInclude // behind a redirect
		}
		return
	}
	e.Add = "ip4:" + ip.String()
	if ip.Is6() {
		e.Add = "ip6:" + ip.WithZone("").String()
	}
	e.Publish = addTerm(e.Fault.Record, e.Fault.Start, e.Add)
	id := map[SPFResult]string{SPFFail: "spf-not-listed", SPFSoftFail: "spf-softfail", SPFNeutral: "spf-neutral"}[e.SPF.Result]
	e.because(id, domain, ip, e.Add, e.Fault.Name)
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
func (e *explainer) spfError(domain string, query SPFQuery) {
	err := e.SPF.Err
	broken := e.Fault.Name // whose record the error is in
	named, syntax := (*nameError)(nil), (*SPFSyntaxError)(nil)
	if errors.As(err, &named) {
		broken = named.name
	}
	switch {
	case errors.Is(err, ErrTooManyLookups), errors.Is(err, ErrLoop):
		e.lookupLimit(domain, query)
		return
	case errors.Is(err, ErrTooManyVoids):
		e.because("spf-void-limit", domain, "", e.voidTerms())
	case errors.Is(err, ErrManyRecords):
		e.because("spf-many-records", domain, "", broken)
		e.Fault = Position{Name: broken, Type: TypeTXT}
	case errors.Is(err, ErrNoRecord):
		e.because("spf-include-broken", domain, "", e.Fault.Name, e.Fault.Text(), clip(broken))
	case errors.Is(err, ErrTooManyMX):
		e.because("spf-mx-limit", domain, "", e.Fault.Name, e.Fault.Text())
	case errors.As(err, &syntax):
		e.Fault = Position{Name: syntax.Domain, Type: TypeTXT, Record: syntax.Record, Start: syntax.Start, End: syntax.End}
		e.because("spf-syntax", domain, "", syntax.Domain, clip(e.Fault.Text()), syntax.Problem)
		if syntax.Suggestion != "" {
			e.Change = "write " + syntax.Suggestion + " instead of " + clip(e.Fault.Text())
		}
	default:
		e.because("spf-permerror", domain, "", broken, clip(problem(err)))
	}
	e.elsewhere(domain)
}

// elsewhere says who mends a record that is not the domain's own.
func (e *explainer) elsewhere(domain string) {
	if e.Fault.Name != "" && !below(e.Fault.Name, domain) {
		e.Owner = OwnerInclude
		e.caveat("until the operator of " + e.Fault.Name + " mends the record, removing " + e.wayOut() + " lets checks get past it")
	}
}

// wayOut is the term of the domain's own record that was being evaluated last.
func (e *explainer) wayOut() string {
	own := e.SPF.Domain
	for _, s := range slices.Backward(e.SPF.Steps) {
		if s.Domain == own && s.Term.Mechanism.Charged() {
			if s.Term.Mechanism == ModifierRedirect {
				return s.Term.Name + "=" + s.Term.Domain
			}
			return s.Term.Name + ":" + s.Term.Domain
		}
	}
	return "the term that leads there"
}

// voidTerms lists the terms whose look-ups had no answer.
func (e *explainer) voidTerms() string {
	var terms []string
	for _, s := range e.SPF.Steps {
		if s.Outcome.Void() {
			terms = append(terms, s.Term.Mechanism.String()+" "+clip(s.Asked))
		}
	}
	return strings.Join(terms, ", ")
}

// lookupLimit explains the eleventh look-up: a loop, or else the term of the domain's
// own record that is the best to give up, as it costs most.
func (e *explainer) lookupLimit(domain string, query SPFQuery) {
	e.Audit = AuditSPF(e.ctx, e.r, domain, SPFAuditOptions{Timeout: -1, Sender: query})
	e.Audit.Sender = nil // it is SPF
	if e.loop(domain) {
		return
	}
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

// loop explains a record that leads back to itself, where that is what makes the
// look-ups too many.
func (e *explainer) loop(domain string) bool {
	var in *SPFRecord
	var back *SPFTerm
	loops, circle := 0, errors.Is(e.SPF.Err, ErrLoop)
	e.Audit.walk(func(r *SPFRecord, t *SPFTerm, _ []*SPFTerm) {
		if t.Record == nil || !t.Record.Loop || !t.Reached {
			return
		}
		loops++
		if back == nil || circle && r.Domain == canonical(e.SPF.RecordOf) && t.Start == e.SPF.Term.Start {
			in, back = r, t
		}
	})
	if back == nil {
		return false
	}
	rest := e.Audit.lookupsWithout(back)
	if !circle && rest > MaxLookups {
		e.caveat("the record leads back to itself too: " + back.Text + " in the record of " + in.Domain)
		return false
	}
	e.because("spf-loop", domain, "", back.Target, back.Text, in.Domain)
	e.Fault = in.position(back)
	if loops > 1 {
		e.caveat(itoa(loops-1) + " more terms lead back to a record that includes them")
	}
	if rest > MaxLookups {
		e.caveat("without that term the record still needs more than ten look-ups, " + itoa(rest) + " in the worst case")
	}
	e.elsewhere(domain)
	return true
}
