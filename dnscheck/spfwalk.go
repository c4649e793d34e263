package dnscheck

import (
	"context"
	"net/netip"
	"slices"
	"strings"
)

// spfWalk reads the records of an audit.
type spfWalk struct {
	dns     *onceResolver
	o       SPFAuditOptions
	audit   *SPFAudit
	check   spfCheck // expands macros
	path    []string // records being read, outermost first
	records int
	terms   int
	ranges  int
	missed  int // questions that were not asked, or not to their end
	type99  Answer
}

func newSPFWalk(ctx context.Context, r Resolver, domain string, o SPFAuditOptions) *spfWalk {
	w := &spfWalk{
		dns:   &onceResolver{r: r, most: o.MaxQueries, answers: make(map[Question]Answer)},
		o:     o,
		audit: &SPFAudit{Domain: domain, done: make(map[*SPFRecord]*spfSets), alike: make(map[alike]int)},
	}
	w.check = spfCheck{ctx: ctx, r: w.dns, q: o.Sender, senderDomain: domain, local: "postmaster", out: &SPFCheck{}}
	w.check.q.IP = o.Sender.IP.Unmap().WithZone("")
	if local, senderDomain, ok := cutAddress(o.Sender.from()); ok && o.Sender.IP.IsValid() {
		w.check.senderDomain = strings.TrimSuffix(senderDomain, ".")
		if local != "" {
			w.check.local = local
		}
	}
	return w
}

// onceResolver asks each question once and no more than most.
type onceResolver struct {
	r       Resolver
	most    int
	full    bool
	answers map[Question]Answer
}

func (o *onceResolver) Lookup(ctx context.Context, name string, t Type) Answer {
	key := Question{name, t}
	if a, ok := o.answers[key]; ok {
		return a
	}
	if len(o.answers) >= o.most {
		o.full = true
		return Answer{Outcome: Timeout, Err: errAuditLimit}
	}
	a := o.r.Lookup(ctx, name, t)
	if !unasked(a) {
		o.answers[key] = a
	}
	return a
}

// lookup asks, and keeps what ended the audit.
func (w *spfWalk) lookup(name string, t Type) Answer {
	a := w.check.lookup(name, t)
	switch {
	case a.Err == errAuditLimit:
		w.missed++
	case unasked(a) || w.check.ctx.Err() != nil && a.Outcome.Failed():
		w.missed++
		if w.audit.Err == nil {
			w.audit.Err = a.Err
		}
	}
	return a
}

// record reads the record of a domain and everything it leads to.
func (w *spfWalk) record(domain string, depth int) *SPFRecord {
	r := w.read(domain, depth)
	switch r.Err {
	case ErrNoRecord, ErrManyRecords:
		r.Problem = problem(&nameError{domain, r.Err})
	default:
		r.Problem = problem(r.Err)
	}
	list(&r.Terms)
	return r
}

// problem is an error in words without the package's name.
func problem(err error) string {
	if err == nil {
		return ""
	}
	return strings.TrimPrefix(err.Error(), "dnscheck: ")
}

func (w *spfWalk) read(domain string, depth int) *SPFRecord {
	r := &SPFRecord{Domain: domain, Depth: depth}
	if !validDomain(domain) {
		r.Err = ErrBadDomain
		return r
	}
	if slices.ContainsFunc(w.path, func(s string) bool { return strings.EqualFold(s, domain) }) {
		r.Loop, r.Err = true, loopError{ErrTooManyLookups}
		return r
	}
	if w.records >= w.o.MaxRecords || depth > w.o.MaxDepth {
		w.audit.Truncated = true
		r.Err = errAuditLimit
		return r
	}
	w.records++
	r.answer = w.lookup(domain, TypeTXT)
	r.Outcome, r.CNAME, r.TTL = r.answer.Outcome, r.answer.CNAME, r.answer.TTL
	if depth == 0 {
		w.type99 = w.lookup(domain, TypeSPF)
	}
	switch {
	case r.answer.Err == errAuditLimit:
		r.Err = errAuditLimit
		return r
	case r.Outcome.Failed():
		r.Err = noAnswer(r.answer)
		return r
	}
	found := false
	for _, txt := range r.answer.TXT {
		switch {
		case !isSPF(txt.Text):
		case !found:
			r.Text, r.Strings, found = txt.Text, txt.Strings, true
		default:
			r.Others = append(r.Others, txt.Text)
		}
	}
	switch {
	case !found:
		r.Err = ErrNoRecord
		return r
	case len(r.Others) > 0:
		r.Err = ErrManyRecords
	}
	w.path = append(w.path, domain)
	w.readTerms(r)
	w.path = w.path[:len(w.path)-1]
	return r
}

// readTerms reads the record's terms, malformed ones too, and asks what they ask.
func (w *spfWalk) readTerms(r *SPFRecord) {
	seen := [ModifierOther + 1]bool{}
	for at := len(spfVersion); at < len(r.Text); {
		if r.Text[at] == ' ' {
			at++
			continue
		}
		end := at + 1
		for end < len(r.Text) && r.Text[end] != ' ' {
			end++
		}
		if w.terms >= w.o.MaxTerms {
			w.audit.Truncated = true
			break
		}
		w.terms++
		t := SPFTerm{Text: r.Text[at:end]}
		t.Problem = parseTerm(&t.Term, t.Text)
		t.Start, t.End = at, end
		if m := t.Mechanism; t.Problem == "" && (m == ModifierRedirect || m == ModifierExp) {
			if seen[m] {
				t.Problem = "a modifier that may occur once is repeated"
			}
			seen[m] = true
		}
		r.Terms = append(r.Terms, t)
		at = end
	}
	done := false // a match of everybody ends the record; a redirect beside all is not read
	for i := range r.Terms {
		done = done || r.Terms[i].Mechanism == MechanismAll && r.Terms[i].Problem == ""
	}
	stopped := false
	for i := range r.Terms {
		t := &r.Terms[i]
		if t.Problem != "" || stopped && t.Mechanism < ModifierRedirect || done && t.Mechanism == ModifierRedirect {
			continue
		}
		w.ask(r, t)
		stopped = stopped || t.Mechanism == MechanismAll
	}
}

// ask finds out what a term leads to.
func (w *spfWalk) ask(r *SPFRecord, t *SPFTerm) {
	if t.Mechanism == MechanismIP4 || t.Mechanism == MechanismIP6 {
		t.prefixes = []netip.Prefix{t.Prefix}
		return
	}
	if t.Mechanism == ModifierExp && r.Depth == 0 && strings.Trim(macroLetters(t.Domain), "do") == "" {
		if target, err := w.check.target(&t.Term, r.Domain); err == nil { // not charged
			t.Target = canonical(target)
			t.Outcome = w.lookup(t.Target, TypeTXT).Outcome
		}
	}
	if !t.Mechanism.Charged() {
		return
	}
	letters := macroLetters(t.Domain)
	t.Cost = 1 + strings.Count(letters, "p")
	if t.Mechanism == MechanismPTR {
		t.BySender = true
		return
	}
	t.BySender = strings.Trim(letters, "do") != ""
	if t.BySender && !w.o.Sender.IP.IsValid() {
		return
	}
	missed := w.missed
	defer func() { t.unasked = w.missed > missed }()
	w.check.out.Lookups, w.check.out.Voids = 0, 0 // the audit does its own counting
	target, err := w.check.target(&t.Term, r.Domain)
	if err != nil {
		return
	}
	t.Target = canonical(target)
	switch t.Mechanism {
	case MechanismInclude, ModifierRedirect:
		t.Record = w.record(t.Target, r.Depth+1)
		t.Outcome = t.Record.Outcome
	case MechanismExists:
		t.Outcome = w.lookup(t.Target, TypeA).Outcome
		t.a = t.Outcome
	case MechanismA:
		w.addresses(t, t.Target)
		t.Outcome = t.a
		if t.a != Found && (t.aaaa == Found || t.aaaa.Failed()) {
			t.Outcome = t.aaaa
		}
		t.Voids = SPFTermVoids{IPv4Term: one(t.a), IPv4Query: one(t.a), IPv6Term: one(t.aaaa), IPv6Query: one(t.aaaa)}
	case MechanismMX:
		w.exchangers(t)
	}
	t.match()
	if w.ranges += len(t.prefixes); w.ranges > maxRanges {
		w.audit.Truncated, t.prefixes = true, nil
	}
}

// one is 1 for an answer without records.
func one(o Outcome) int {
	if o.Void() {
		return 1
	}
	return 0
}

// addresses asks for both families. The term keeps an outcome of each: failed if
// one host failed, found if one was found.
func (w *spfWalk) addresses(t *SPFTerm, host string) (a, aaaa Outcome) {
	return w.family(t, host, TypeA, &t.a), w.family(t, host, TypeAAAA, &t.aaaa)
}

// family asks for the addresses of one family, whose outcome the term keeps in kept.
func (w *spfWalk) family(t *SPFTerm, host string, kind Type, kept *Outcome) Outcome {
	answer := w.lookup(host, kind)
	if *kept == OutcomeUnknown || answer.Outcome.Failed() || *kept != Found && !kept.Failed() {
		*kept = answer.Outcome
	}
	if answer.Outcome.Failed() && t.failed == "" {
		t.failed = host
	}
	for i, addr := range answer.Addrs {
		if i == maxAddrs {
			w.audit.Truncated = true
			break
		}
		if addr.Is4() == (kind == TypeA) {
			t.addrs = append(t.addrs, addr)
		}
	}
	return answer.Outcome
}

// maxAddrs is how many addresses of one name are kept.
const maxAddrs = 100

func (w *spfWalk) exchangers(t *SPFTerm) {
	answer := w.lookup(t.Target, TypeMX)
	t.Outcome = answer.Outcome
	n := one(answer.Outcome)
	t.Voids = SPFTermVoids{IPv4Term: n, IPv4Query: n, IPv6Term: n, IPv6Query: n}
	for _, mx := range answer.MX {
		t.Hosts = append(t.Hosts, mx.Host)
		if mx.Host == "" || len(t.Hosts) > maxNames {
			continue
		}
		a, aaaa := w.addresses(t, mx.Host)
		t.Voids.IPv4Query += one(a)
		t.Voids.IPv6Query += one(aaaa)
	}
}

// match turns addresses into the prefixes that the term's masks make of them.
func (t *SPFTerm) match() {
	if t.Mechanism == MechanismMX && len(t.Hosts) > maxNames {
		return
	}
	for _, addr := range t.addrs {
		mask := t.Mask4
		if addr.Is6() {
			mask = t.Mask6
		}
		p := netip.PrefixFrom(addr, mask).Masked()
		if !slices.Contains(t.prefixes, p) {
			t.prefixes = append(t.prefixes, p)
		}
	}
}

// macroLetters returns the letters of a domain-spec's macros in lower case,
// each as often as it occurs.
func macroLetters(spec string) string {
	var letters []byte
	for i := 0; i+2 < len(spec); i++ {
		if spec[i] != '%' {
			continue
		}
		if spec[i+1] == '{' {
			letters = append(letters, spec[i+2]|0x20)
		}
		i++
	}
	return string(letters)
}
