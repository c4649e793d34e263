package dnscheck

import (
	"errors"
	"strings"
	"time"
)

// dkim explains a refusal for DKIM.
func (e *explainer) dkim() {
	switch {
	case e.unsigned:
		e.because("dkim-unsigned", e.signer)
	case e.badSign != nil:
		first := worst(e.signature.Findings)
		e.because("dkim-signature-broken", e.signer, e.selector, first.Message)
		e.Fault, e.Change = first.Where, first.Fix
	case e.signer == "":
		e.because("refusal-empty")
	case e.selector == "":
		e.noSelector()
	case e.signature != nil && !e.signature.Expires.IsZero() && e.now().After(e.signature.Expires):
		e.because("dkim-signature-expired", e.signer, e.selector, e.signature.Expires.Format(time.RFC3339))
	default:
		e.key()
	}
}

// noSelector can only say whether there are keys at all.
func (e *explainer) noSelector() {
	name := "_domainkey." + canonical(e.signer)
	if lookup(e.ctx, e.r, name, TypeTXT).Outcome == NXDomain {
		e.because("dkim-no-keys", e.signer)
		e.Fault = Position{Name: name, Type: TypeTXT}
		return
	}
	e.because("dkim-no-selector", e.signer)
}

// key explains what stands at the selector.
func (e *explainer) key() {
	e.DKIM = CheckDKIM(e.ctx, e.r, e.signer, e.selector)
	first := worst(e.DKIM.Findings)
	e.Fault = Position{Name: e.DKIM.Name, Type: TypeTXT}
	switch {
	case errors.Is(e.DKIM.Err, ErrDNS):
		e.because("dkim-dns-failed", e.signer, e.selector)
	case e.DKIM.Err == ErrNoRecord:
		e.because("dkim-key-missing", e.signer, e.selector)
	case e.DKIM.Err == ErrManyRecords:
		e.because("dkim-several-keys", e.signer, e.selector)
	case errors.Is(e.DKIM.Err, ErrBadDomain):
		e.Fault = Position{}
		e.because("refusal-empty")
	case e.DKIM.Key.Revoked:
		e.because("dkim-key-revoked", e.signer, e.selector)
		e.Fault = first.Where
	case e.DKIM.Err != nil:
		e.because("dkim-key-unusable", e.signer, e.selector, first.Message)
		e.Fault, e.Change = first.Where, first.Fix
	case e.mismatch():
		e.because("dkim-key-mismatch", e.signer, e.selector, e.signature.Algorithm, e.DKIM.Key.Type)
		e.Fault.Record = e.DKIM.Key.Text
	case e.signature != nil && !e.DKIM.Key.allows(e.signature):
		e.because("dkim-key-strict", e.signer, e.selector, e.signature.Identifier)
		e.Fault.Record = e.DKIM.Key.Text
	default:
		e.because("dkim-key-fine", e.signer, e.selector)
		e.Fault.Record = e.DKIM.Key.Text
		if e.DKIM.Key.Testing {
			e.caveat("the key says t=y: receivers may treat signed mail as unsigned")
		}
		if e.DKIM.Key.Type == "ed25519" {
			e.caveat("not every receiver verifies Ed25519: sign with an RSA key beside it")
		}
	}
	if len(e.DKIM.CNAME) > 0 && e.Agreement == Agrees {
		e.Owner = OwnerInclude
	}
}

// mismatch reports whether the message was signed with another kind of key.
func (e *explainer) mismatch() bool {
	return e.signature != nil && !strings.HasPrefix(e.signature.Algorithm, e.DKIM.Key.Type+"-")
}

// worst returns the first of the gravest findings, or the zero Finding.
func worst(findings []Finding) (first Finding) {
	for _, f := range findings {
		if first.ID == "" || f.Severity > first.Severity {
			first = f
		}
	}
	return first
}
