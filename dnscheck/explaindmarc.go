package dnscheck

import "errors"

// dmarc explains a refusal for DMARC.
func (e *explainer) dmarc() {
	author := e.author
	if author == "" {
		e.because("refusal-empty")
		return
	}
	if _, err := domainName(author); err != nil {
		e.because("dmarc-no-domain", clip(author))
		return
	}
	_, envelope := e.envelope()
	query := DMARCQuery{AuthorDomain: author}
	part := *e // explains SPF and DKIM apart
	if envelope != "" && e.Refusal.SendingIP.IsValid() {
		part.Explanation = &Explanation{Refusal: e.Refusal, Caveats: []string{}}
		part.spf()
		e.SPF, e.Audit = part.SPF, part.Audit
		query.SPF, query.SPFDomain = e.SPF.Result, envelope
	}
	e.DMARC = EvaluateDMARC(e.ctx, e.r, query)
	list(&e.DMARC.DKIM)
	list(&e.DMARC.Discovery.Findings)
	applied := e.DMARC.Discovery.Newer
	e.Fault = Position{Name: dmarcLabel + e.DMARC.Discovery.AuthorDomain, Type: TypeTXT}
	if applied.Record != nil {
		e.Fault.Name, e.Fault.Record = dmarcLabel+applied.Domain, applied.Record.Text
		e.pointAt(applied.Tag)
	}
	switch {
	case applied.Err != nil:
		e.because("dmarc-dns-failed", author)
	case applied.Record == nil && e.severalRecords():
		e.because("dmarc-several-records", author)
	case e.DMARC.Result == DMARCNone:
		e.because("dmarc-no-record", author)
	case e.DMARC.Result == DMARCPass:
		e.because("dmarc-passes-now", author, envelope)
	case e.DMARC.Result == DMARCTempError:
		e.because("dmarc-dns-failed", author)
	default:
		e.dmarcFails(author, envelope, &part)
	}
	if e.Agreement == Agrees {
		e.policyCaveats(applied, e.DMARC.Discovery.Older)
	}
}

// policyCaveats says where the record does not ask all receivers to refuse.
func (e *explainer) policyCaveats(newer, older DMARCApplied) {
	who := "this one has a rule of its own"
	if newer.Declared != newer.Policy { // test mode, which older receivers do not know
		e.caveat("t=y lowers " + newer.Tag + "=" + newer.Declared.String() + " to " + newer.Policy.String() + " for receivers of RFC 9989; older ones know no t")
		if newer.Declared == PolicyReject {
			who = "this one is older, or has a rule of its own"
		}
	}
	switch newer.Policy {
	case PolicyNone, PolicyAbsent:
		e.caveat("the policy that applies is " + newer.Policy.String() + ": the record does not ask receivers to refuse; " + who)
	case PolicyQuarantine:
		e.caveat("the policy that applies is quarantine: the record asks receivers to set such mail aside, not to refuse it; " + who)
	}
	if older.Percent < 100 {
		e.caveat("pct=" + itoa(older.Percent) + ": receivers of RFC 7489 apply the policy to that share of the mail only, so that other such mail may pass")
	}
}

// pointAt makes a tag of the record the one at fault, where it is there.
func (e *explainer) pointAt(tag string) {
	if t := e.DMARC.Discovery.Newer.Record.named(tag); t.Name != "" {
		e.Fault.Start, e.Fault.End = t.Start, t.End
	}
}

func (e *explainer) severalRecords() bool {
	queries := e.DMARC.Discovery.Walk.Queries
	return len(queries) > 0 && queries[0].Found > 1
}

// dmarcFails explains why nothing aligned is authenticated; part holds what was
// said about SPF, if it was checked.
func (e *explainer) dmarcFails(author, envelope string, part *explainer) {
	d := e.DMARC.Discovery
	if e.signed {
		e.dmarcSigned(author, envelope, part)
		return
	}
	if !e.unsigned {
		e.caveat("whether the message is signed is not known: an aligned signature that passes makes DMARC pass")
	}
	switch {
	case e.SPF == nil && e.unsigned:
		e.because("dkim-unsigned", author)
		e.caveat("SPF was not looked at: the refusal does not name the sending address and the envelope sender")
	case e.SPF == nil:
		e.because("dmarc-no-address", author)
	case e.SPF.Result != SPFPass:
		e.unauthenticated(author, envelope, part)
	case d.Newer.Record.SPF == Strict && align(e.ctx, e.r, d, envelope, Relaxed, true).Aligned:
		e.because("dmarc-spf-strict", author, envelope)
		e.pointAt("aspf")
	default:
		e.because("dmarc-spf-unaligned", author, envelope)
	}
}

// dmarcSigned explains a message with a signature.
func (e *explainer) dmarcSigned(author, envelope string, part *explainer) {
	d := e.DMARC.Discovery
	aligned := align(e.ctx, e.r, d, e.signer, d.Newer.Record.DKIM, true)
	switch {
	case errors.Is(aligned.Err, ErrDNS):
		e.because("dmarc-dns-failed", author)
		return
	case !aligned.Aligned && d.Newer.Record.DKIM == Strict && align(e.ctx, e.r, d, e.signer, Relaxed, true).Aligned:
		e.because("dmarc-dkim-strict", author, envelope, e.signer)
		e.pointAt("adkim")
		return
	case !aligned.Aligned:
		e.because("dmarc-dkim-unaligned", author, envelope, e.signer)
		return
	}
	key := *e
	key.Explanation = &Explanation{Refusal: e.Refusal, Caveats: []string{}}
	key.dkim()
	e.DKIM = key.DKIM
	e.Caveats = append(e.Caveats, key.Caveats...)
	if key.Agreement == Disagrees {
		e.because("dmarc-signature-decides", author, envelope, e.signer)
		return
	}
	caveats := e.Caveats
	*e.Explanation = Explanation{Refusal: e.Refusal, Agreement: key.Agreement, Cause: key.Cause, Summary: key.Summary, Owner: key.Owner, Fault: key.Fault,
		Change: key.Change, Spec: key.Spec, Caveats: caveats, SPF: e.SPF, Audit: e.Audit, DKIM: e.DKIM, DMARC: e.DMARC}
	if part.Explanation != e.Explanation && part.SPF != nil && part.SPF.Result != SPFPass {
		e.caveat("SPF does not pass either: " + part.Summary)
	}
}

// unauthenticated explains a message that SPF does not pass and that is not
// known to be signed.
func (e *explainer) unauthenticated(author, envelope string, part *explainer) {
	d := e.DMARC.Discovery
	if part.Agreement == NoAnswer {
		e.because("spf-dns-failed", envelope, "", part.failing(envelope))
		return
	}
	if part.Cause == "spf-private" {
		e.because(part.Cause, envelope, e.Refusal.SendingIP)
		e.Fault = Position{}
		return
	}
	if !align(e.ctx, e.r, d, envelope, d.Newer.Record.SPF, true).Aligned {
		e.because("dmarc-unauthenticated", author, envelope, e.signer, part.Summary, "sign with DKIM for "+author)
		e.caveat("mending SPF alone is not enough: " + envelope + " is not aligned with " + author)
		return
	}
	e.because("dmarc-unauthenticated", author, envelope, e.signer, part.Summary, part.Change)
	e.Fault, e.Owner, e.Add, e.Publish = part.Fault, part.Owner, part.Add, part.Publish
	e.Caveats = append(e.Caveats, part.Caveats...)
}
