package dmarcreport

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/mailfault/mailfault/internal/enum"
)

// OrgDomain returns the organizational domain of a domain in lower case
// without a trailing dot, the domain itself where it has none. It decides
// relaxed alignment: RFC 7489 takes the public suffix list, RFC 9989 a walk
// up the tree of DNS.
type OrgDomain func(domain string) string

// PublicSuffix is the way of RFC 7489 section 3.2, with the list that is
// compiled into golang.org/x/net/publicsuffix.
func PublicSuffix(domain string) string {
	org, err := publicsuffix.EffectiveTLDPlusOne(domain)
	if err != nil {
		return domain
	}
	return org
}

// Verdict is what the record's own results support.
// As text: unknown, pass, fail.
type Verdict uint8

const (
	VerdictUnknown Verdict = iota // the record does not say enough
	VerdictPass                   // a result passed for an aligned domain
	VerdictFail                   // there are results and none passed aligned
)

var verdictNames = enum.Names{"unknown", "pass", "fail"}

// String returns the verdict in lower case.
func (v Verdict) String() string { return verdictNames.String("Verdict", uint8(v)) }

// MarshalText returns the verdict in lower case.
func (v Verdict) MarshalText() ([]byte, error) { return verdictNames.MarshalText("Verdict", uint8(v)) }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (v *Verdict) UnmarshalText(text []byte) error {
	n, err := verdictNames.Parse("Verdict", text)
	*v = Verdict(n)
	return err
}

// Judgement is a record evaluated anew, beside what the reporter says.
type Judgement struct {
	DKIM Verdict `json:"dkim"`
	SPF  Verdict `json:"spf"`
	// DKIMBy is the index of the result that passed aligned, -1 for none.
	DKIMBy int `json:"dkim_by"`
	SPFBy  int `json:"spf_by"`
	// Policy is what the published policy asks for mail that fails: the p of
	// the domain itself, the sp of others where there is one.
	Policy Disposition `json:"policy,omitempty"`
	Doubts Doubts      `json:"doubts,omitempty"`
}

// Pass reports whether one of the two passed aligned, which is all DMARC asks.
func (j Judgement) Pass() bool { return j.DKIM == VerdictPass || j.SPF == VerdictPass }

// Fail reports whether both are known to have failed.
func (j Judgement) Fail() bool { return j.DKIM == VerdictFail && j.SPF == VerdictFail }

// Doubts is a set of contradictions within a record. They are reported and
// never resolved: reporters see more than they report. As text, with commas
// between: dkim-pass-unsupported, spf-pass-unsupported, dkim-fail-contradicted,
// spf-fail-contradicted, helo-used, stricter-than-policy,
// override-without-reason.
type Doubts uint16

const (
	DKIMPassUnsupported   Doubts = 1 << iota // says DKIM passed; no result passed for an aligned domain
	SPFPassUnsupported                       // the same of SPF
	DKIMFailContradicted                     // says DKIM failed; a result passed for an aligned domain
	SPFFailContradicted                      // the same of SPF
	HELOUsed                                 // says SPF passed, and only the HELO identity did
	StricterThanPolicy                       // did more than the policy asks for
	OverrideWithoutReason                    // did less than the policy asks for, and does not say why
)

// doubtKind is what a doubt is called, the rule that is in question, and what it
// says.
type doubtKind struct{ id, spec, message string }

var doubtKinds = [...]doubtKind{
	{"dkim-pass-unsupported", "RFC 7489 section 3.1.1", "DKIM is said to have passed, and no result passed for an aligned domain"},
	{"spf-pass-unsupported", "RFC 7489 section 3.1.2", "SPF is said to have passed, and no result passed for an aligned domain"},
	{"dkim-fail-contradicted", "RFC 7489 section 3.1.1", "DKIM is said to have failed, and a result passed for an aligned domain"},
	{"spf-fail-contradicted", "RFC 7489 section 3.1.2", "SPF is said to have failed, and a result passed for an aligned domain"},
	{"helo-used", "RFC 7489 section 3.1.2", "SPF is said to have passed, and only the HELO identity did"},
	{"stricter-than-policy", "RFC 7489 section 6.3", "more was done than the policy asks for"},
	{"override-without-reason", "RFC 7489 section 7.2", "less was done than the policy asks for, and no reason is given"},
}

// Names returns the names of the doubts in kebab-case.
func (d Doubts) Names() []string {
	var out []string
	for i := range doubtKinds {
		if d&(1<<i) != 0 {
			out = append(out, doubtKinds[i].id)
		}
	}
	return out
}

// Findings returns the doubts about a record as findings, for those who list
// them with the reader's.
func (d Doubts) Findings(r *Record) []Finding {
	var out []Finding
	for i := range doubtKinds {
		if k := &doubtKinds[i]; d&(1<<i) != 0 {
			out = append(out, Finding{ID: k.id, Severity: Warning, Spec: k.spec, Message: k.message,
				Where: Position{Path: elEvaluated.path(), Offset: r.Offset}})
		}
	}
	return out
}

// String returns the names with commas between them.
func (d Doubts) String() string { return strings.Join(d.Names(), ",") }

// MarshalText returns the names with commas between them.
func (d Doubts) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (d *Doubts) UnmarshalText(text []byte) error {
	*d = 0
	if len(text) == 0 {
		return nil
	}
	for name := range strings.SplitSeq(string(text), ",") {
		i := slices.IndexFunc(doubtKinds[:], func(k doubtKind) bool { return k.id == name })
		if i < 0 {
			return fmt.Errorf("dmarcreport: unknown doubt %q", name)
		}
		*d |= 1 << i
	}
	return nil
}

// Evaluate judges a record by its results and identifiers under the policy
// published. org decides relaxed alignment; nil takes PublicSuffix.
//
// A pass needs a passing result for an aligned domain, of the MAIL FROM
// identity for SPF. A record without the results or the domain it takes is
// unknown, never a pass; one that the document ends in is never a fail.
func Evaluate(p *PolicyPublished, r *Record, org OrgDomain) Judgement {
	var e Evaluator
	e.Org = org
	return e.Evaluate(p, r)
}

// Evaluator evaluates many records and remembers organizational domains. It is
// not safe for concurrent use; its zero value is ready.
type Evaluator struct {
	Org   OrgDomain // nil: PublicSuffix
	orgs  map[string]string
	names map[string]string
}

// Evaluate judges one record; see the function Evaluate.
func (e *Evaluator) Evaluate(p *PolicyPublished, r *Record) Judgement {
	j := Judgement{DKIMBy: -1, SPFBy: -1, Policy: policyFor(p, r.HeaderFrom)}
	if e.name(r.HeaderFrom) != "" {
		j.DKIM = e.dkim(p, r, &j)
		j.SPF = e.spf(p, r, &j)
	}
	if r.Partial || len(r.DKIM) >= mostResults {
		j.DKIM = notFailed(j.DKIM)
	}
	if r.Partial || len(r.SPF) >= mostResults {
		j.SPF = notFailed(j.SPF)
	}
	j.Doubts |= contradictions(p, r, j)
	return j
}

// notFailed takes a failure for unknown: what passed may have been cut off, or
// passed over.
func notFailed(v Verdict) Verdict {
	if v == VerdictFail {
		return VerdictUnknown
	}
	return v
}

func (e *Evaluator) dkim(p *PolicyPublished, r *Record, j *Judgement) Verdict {
	verdict := VerdictFail
	for i := range r.DKIM {
		d := &r.DKIM[i]
		if d.Result != ResultPass {
			continue
		}
		switch e.aligned(d.Domain, r.HeaderFrom, p.ADKIM) {
		case VerdictPass:
			j.DKIMBy = i
			return VerdictPass
		case VerdictUnknown:
			verdict = VerdictUnknown
		}
	}
	if len(r.DKIM) == 0 && len(r.SPF) == 0 {
		return VerdictUnknown // auth_results says nothing at all
	}
	return verdict
}

func (e *Evaluator) spf(p *PolicyPublished, r *Record, j *Judgement) Verdict {
	verdict := VerdictFail
	for i := range r.SPF {
		s := &r.SPF[i]
		if s.Result != ResultPass {
			continue
		}
		aligned := e.aligned(s.Domain, r.HeaderFrom, p.ASPF)
		switch {
		case aligned == VerdictFail:
		case aligned == VerdictUnknown && s.Scope != ScopeHELO:
			verdict = VerdictUnknown
		case s.Scope == ScopeMailFrom, s.Scope == ScopeAbsent && r.EnvelopeFrom != "" && sameDomain(s.Domain, r.EnvelopeFrom):
			j.SPFBy = i
			return VerdictPass
		case s.Scope == ScopeHELO:
			if r.Evaluated.SPF == ResultPass {
				j.Doubts |= HELOUsed
			}
		default:
			verdict = VerdictUnknown // which identity passed is not said
		}
	}
	if len(r.SPF) == 0 {
		return VerdictUnknown
	}
	return verdict
}

// aligned says whether two domains are aligned (RFC 7489 section 3.1). It is
// unknown where one of them is no domain, as two in one element and a whole
// address are not, and where the mode decides and is not understood.
func (e *Evaluator) aligned(domain, from string, mode AlignmentMode) Verdict {
	if domain == "" {
		return VerdictFail
	}
	switch a, b := e.name(domain), e.name(from); {
	case a == "" || b == "":
		return VerdictUnknown
	case a == b:
		return VerdictPass
	case mode == AlignmentStrict || e.org(a) != e.org(b):
		return VerdictFail
	case mode == AlignmentUnknown:
		return VerdictUnknown
	}
	return VerdictPass
}

const mostOrgs = 10_000

// name returns a domain in the form in which it is compared, "" for what is no
// domain.
func (e *Evaluator) name(domain string) string {
	if n, ok := e.names[domain]; ok {
		return n
	}
	if e.names == nil || len(e.names) >= mostOrgs {
		e.names = make(map[string]string)
	}
	n := domainName(domain)
	e.names[domain] = n
	return n
}

// org returns the organizational domain of one that name returned.
func (e *Evaluator) org(domain string) string {
	if o, ok := e.orgs[domain]; ok {
		return o
	}
	f := e.Org
	if f == nil {
		f = PublicSuffix
	}
	o := f(domain)
	if o == "" {
		o = domain // it has none
	}
	if e.orgs == nil || len(e.orgs) >= mostOrgs {
		e.orgs = make(map[string]string)
	}
	e.orgs[domain] = o
	return o
}

// normal returns a domain in lower case without a trailing dot.
func normal(domain string) string {
	return strings.TrimSuffix(strings.ToLower(domain), ".")
}

func sameDomain(a, b string) bool {
	return a == b || strings.EqualFold(strings.TrimSuffix(a, "."), strings.TrimSuffix(b, "."))
}

// policyFor returns what the policy asks for mail from a domain that fails.
func policyFor(p *PolicyPublished, from string) Disposition {
	if p.SP != DispositionAbsent && from != "" && !sameDomain(from, p.Domain) {
		return p.SP
	}
	return p.P
}

// contradictions compares what the reporter says with the record's results.
func contradictions(p *PolicyPublished, r *Record, j Judgement) Doubts {
	var d Doubts
	says := &r.Evaluated
	if says.DKIM == ResultPass && j.DKIM == VerdictFail {
		d |= DKIMPassUnsupported
	}
	if says.SPF == ResultPass && j.SPF == VerdictFail && j.Doubts&HELOUsed == 0 {
		d |= SPFPassUnsupported
	}
	if says.DKIM == ResultFail && j.DKIM == VerdictPass {
		d |= DKIMFailContradicted
	}
	if says.SPF == ResultFail && j.SPF == VerdictPass {
		d |= SPFFailContradicted
	}
	did, asked := severityOf(says.Disposition), severityOf(j.Policy)
	failed := says.DKIM == ResultFail && says.SPF == ResultFail
	switch {
	case did < 0 || asked < 0:
	case says.Pass() && did > 0, failed && did > asked && !(p.NP != DispositionAbsent && did <= severityOf(p.NP)):
		d |= StricterThanPolicy
	case failed && did < asked && len(says.Reasons) == 0 && !r.Partial:
		d |= OverrideWithoutReason
	}
	return d
}

// severityOf orders dispositions; -1 for one that is not known.
func severityOf(d Disposition) int {
	switch d {
	case DispositionNone, DispositionPass:
		return 0
	case DispositionQuarantine:
		return 1
	case DispositionReject:
		return 2
	}
	return -1
}
