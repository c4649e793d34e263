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
	view := &memo{resolver: &Limit{Resolver: r, Queries: explainQueries, Time: explainTime}, ctx: ctx, answers: make(map[Question]*memoAnswer)}
	e := &explainer{ctx: ctx, r: view, Explanation: &Explanation{Refusal: refusal, Caveats: []string{}}}
	e.explainEach()
	why := view.ended
	if why == nil && e.Agreement == NoAnswer {
		why = caller.Err()
	}
	if why != nil && !errors.Is(why, ErrBudget) { // our own budget is spent by slow name servers
		e.notAsked(why)
	}
	return e.Explanation
}

// explain answers with one signature, or none.
func (e *explainer) explain() {
	e.readSignature()
	claim := e.Refusal.Claim
	switch {
	case claim != ClaimUnknown:
	case e.Refusal.AuthorDomain != "":
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

// notAsked takes back what was concluded from answers that nobody was asked for.
func (e *explainer) notAsked(why error) {
	e.because("not-asked", problem(why))
	e.Err, e.Fault, e.Add, e.Publish = why, Position{}, "", ""
}

// explainer gathers what an explanation rests on.
type explainer struct {
	*Explanation
	ctx       context.Context
	r         Resolver
	signature *DKIMSignature // nil when not given
	badSign   error
	signer    string // d=
	selector  string
}

func (e *explainer) readSignature() {
	e.signer, e.selector = cmp.Or(e.Refusal.SigningDomain, e.Refusal.AuthorDomain), e.Refusal.Selector
	if e.Refusal.Signature == "" {
		return
	}
	e.signature, e.badSign = ParseDKIMSignature(e.Refusal.Signature)
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
	address = strings.Trim(e.Refusal.EnvelopeFrom, "<> ")
	if address == "" {
		return "", canonical(e.Refusal.HELO)
	}
	if _, host, ok := cutAddress(address); ok {
		return address, canonical(host)
	}
	return "postmaster@" + address, canonical(address)
}
