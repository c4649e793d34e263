package dnscheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Bounds of one explanation.
const (
	explainQueries = 300
	explainTime    = 20 * time.Second
)

// Explain says whether DNS, as it is now, agrees with a refusal, which term or
// tag is at fault, and what to change. It asks at most 300 questions within 20
// seconds. What DNS does not answer is part of the explanation; Err is set only
// where DNS was not asked.
func Explain(ctx context.Context, r Resolver, refusal Refusal) *Explanation {
	caller, r := usable(ctx, r)
	ctx, cancel := context.WithTimeoutCause(caller, explainTime, ErrBudget)
	defer cancel()
	refusal.SendingIP = refusal.SendingIP.Unmap()
	view := &memo{resolver: &Limit{Resolver: r, Queries: explainQueries, Timeout: explainTime}, ctx: ctx, answers: make(map[Question]*memoAnswer)}
	e := &explainer{ctx: ctx, r: view, Explanation: &Explanation{Refusal: refusal, Caveats: []string{}}}
	e.explainEach()
	why := view.ended
	if why == nil && e.Agreement == NoAnswer {
		why = caller.Err()
	}
	if why != nil && !errors.Is(why, ErrBudget) { // our own budget is spent by slow name servers
		e.notAsked(why)
	}
	e.split()
	return e.Explanation
}

// explain answers with one signature, or none.
func (e *explainer) explain() {
	e.read()
	claim := e.Refusal.Claim
	switch {
	case claim != ClaimUnknown:
	case e.author != "":
		claim = ClaimDMARC
	case e.Refusal.EnvelopeFrom != "" || e.Refusal.HELO != "":
		claim = ClaimSPF
	case e.selector != "":
		claim = ClaimDKIM
	}
	switch claim {
	case ClaimSPF:
		e.spf()
	case ClaimDKIM:
		e.dkim()
	case ClaimDMARC:
		e.dmarc()
	default:
		e.because("refusal-empty")
	}
}

// split adds the record to publish as a zone file has it.
func (e *explainer) split() {
	if e.Publish == "" {
		return
	}
	e.Strings = textStrings(e.Publish)
	if n := len(e.Publish); n > maxUDPText {
		e.caveat("the record to publish takes " + itoa(n) + " bytes: above " + itoa(maxUDPText) + " an answer may not fit 512 bytes and needs TCP")
	}
}

// notAsked takes back what was concluded from answers that nobody was asked for.
func (e *explainer) notAsked(why error) {
	e.because("not-asked", problem(why))
	e.Problem = problem(why)
	e.Err, e.Fault, e.Add, e.Publish = why, Position{}, "", ""
}

// explainer gathers what an explanation rests on.
type explainer struct {
	*Explanation
	ctx       context.Context
	r         Resolver
	author    string
	signed    bool           // a signature is named
	unsigned  bool           // the message is known to have none
	signature *DKIMSignature // nil when not given
	badSign   error
	signer    string // d=
	selector  string
}

// read takes the names out of the refusal. Where it names a signature, the message
// has one, whatever else it says.
func (e *explainer) read() {
	r := &e.Refusal
	e.author = domainOf(r.AuthorDomain)
	e.signer, e.selector = cmp.Or(domainOf(r.SigningDomain), e.author), r.Selector
	e.signed = r.Signature != "" || r.SigningDomain != "" || r.Selector != ""
	e.unsigned = r.Unsigned && !e.signed
	if r.Unsigned && e.signed {
		e.caveat("the refusal calls the message unsigned and names a signature: the signature counts here")
	}
	if r.Signature == "" {
		return
	}
	e.signature, e.badSign = ParseDKIMSignature(r.Signature)
	e.signer, e.selector = cmp.Or(e.signature.Domain, e.signer), cmp.Or(e.signature.Selector, e.selector)
}

// because fills in an answer of the table.
func (e *explainer) because(id string, args ...any) {
	c := causes[id]
	e.Cause, e.Agreement, e.Owner, e.Spec = id, c.agreement, c.owner, c.spec
	e.Summary, e.Change = fillIndexed(c.summary, args), fillIndexed(c.change, args)
}

// fillIndexed fills in indexed verbs; not every text of a cause uses all arguments.
func fillIndexed(text string, args []any) string {
	if !strings.Contains(text, "%[") {
		return text
	}
	return fmt.Sprintf(text, args...)
}

func (e *explainer) caveat(text string) { e.Caveats = append(e.Caveats, text) }

// now is the time that the refusal happened at.
func (e *explainer) now() time.Time {
	if e.Refusal.Time.IsZero() {
		return time.Now()
	}
	return e.Refusal.Time
}

// envelope is the address and domain that SPF was checked for: MAIL FROM, or
// HELO for a null sender.
func (e *explainer) envelope() (address, domain string) {
	local, domain := cutMailbox(e.Refusal.EnvelopeFrom)
	if domain == "" {
		return "", canonical(e.Refusal.HELO)
	}
	return cmp.Or(local, "postmaster") + "@" + domain, canonical(domain)
}
