package dnscheck

import "fmt"

// explainEach explains the refusal of a message for each of its signatures, and
// takes the one that is best for the message: a single signature that passes is enough (RFC 6376
// section 6.1). What is said of the others stands beside it.
func (e *explainer) explainEach() {
	given := e.Refusal
	all := given.Signatures
	if given.Signature != "" || len(all) == 0 {
		all = append([]string{given.Signature}, all...)
	}
	all = all[:min(len(all), maxSignatures)]
	parts := make([]explainer, len(all))
	best := 0
	for i, signature := range all {
		parts[i] = *e
		parts[i].Explanation = &Explanation{Refusal: given, Caveats: []string{}}
		parts[i].Refusal.Signature = signature
		parts[i].explain()
		if parts[i].better(&parts[best]) {
			best = i
		}
	}
	*e.Explanation = *parts[best].Explanation
	e.Refusal = given
	for i, part := range parts {
		if i != best && (part.Cause != e.Cause || part.Summary != e.Summary) {
			e.caveat(fmt.Sprintf("the signature of %s with the selector %s: %s", part.signer, part.selector, part.Summary))
		}
	}
}

// better reports whether an explanation speaks more for the message than
// another, or, where both speak against it, of a signature that could count.
func (e *explainer) better(other *explainer) bool {
	rank := map[Agreement]int{Disagrees: 3, NoAnswer: 2, AgreementUnknown: 1, Agrees: 0}
	if e.Agreement != other.Agreement {
		return rank[e.Agreement] > rank[other.Agreement]
	}
	return other.Cause == "dmarc-dkim-unaligned" && e.Cause != other.Cause
}
