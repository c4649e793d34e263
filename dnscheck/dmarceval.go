package dnscheck

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mailfault/mailfault/internal/enum"
)

// DMARCResult is the result of DMARC for a message.
// As text: none, pass, fail, temperror.
type DMARCResult uint8

const (
	DMARCNone      DMARCResult = iota // DMARC does not apply: no record does
	DMARCPass                         // an aligned domain is authenticated
	DMARCFail                         // none is
	DMARCTempError                    // DNS failed: try again later
)

var dmarcResultNames = enum.Names{"none", "pass", "fail", "temperror"}

// String returns the standard's word.
func (r DMARCResult) String() string { return dmarcResultNames.String("DMARCResult", uint8(r)) }

// MarshalText returns the standard's word.
func (r DMARCResult) MarshalText() ([]byte, error) {
	return dmarcResultNames.MarshalText("DMARCResult", uint8(r))
}

// UnmarshalText reads what MarshalText writes; another word is an error.
func (r *DMARCResult) UnmarshalText(text []byte) error {
	v, err := dmarcResultNames.Parse("DMARCResult", text)
	*r = DMARCResult(v)
	return err
}

// DMARCQuery is a message that DMARC is evaluated for.
type DMARCQuery struct {
	AuthorDomain string    // of the From field
	SPF          SPFResult // of the MAIL FROM identity
	SPFDomain    string    // its domain; that of HELO only for a null sender
	DKIM         []SignatureResult
}

// SignatureResult is what verifying one DKIM signature gave.
type SignatureResult struct {
	Domain    string // d=
	Pass      bool
	TempError bool // the key could not be fetched; only without Pass
}

// Alignment is how one authenticated domain stands to the author domain.
type Alignment struct {
	Domain         string        `json:"domain"`
	Mode           AlignmentMode `json:"mode"`
	Passed         bool          `json:"passed"`         // authenticated
	Aligned        bool          `json:"aligned"`        // also when not authenticated
	Organizational string        `json:"organizational"` // "" where the mode or equal names spared finding it
	Err            error         `json:"-"`              // ErrDNS, ErrBadDomain: not known
}

// DMARCCheck is the outcome of DMARC for a message at receivers of RFC 9989.
type DMARCCheck struct {
	Result    DMARCResult     `json:"result"`
	Policy    Policy          `json:"policy"` // asked for; it counts when Result is fail
	Reason    string          `json:"reason"` // in a sentence
	SPF       Alignment       `json:"spf"`
	DKIM      []Alignment     `json:"dkim"`
	Discovery *DMARCDiscovery `json:"discovery"`
}

// maxSignatures is how many signatures of a message are looked at.
const maxSignatures = 20

// EvaluateDMARC says what DMARC makes of a message whose SPF and DKIM results
// are known: pass when an authenticated domain is aligned with the author
// domain, otherwise fail, or temperror where an aligned check or DNS failed for
// the moment. Signatures behind the twentieth are not looked at.
func EvaluateDMARC(ctx context.Context, r Resolver, q DMARCQuery) *DMARCCheck {
	c := &DMARCCheck{Discovery: DiscoverDMARC(ctx, r, q.AuthorDomain)}
	a := c.Discovery.Newer
	c.Policy = a.Policy
	switch {
	case errors.Is(a.Err, ErrBadDomain):
		c.Reason = "there is no author domain to check"
		return c
	case a.Err != nil:
		c.Result, c.Reason = DMARCTempError, "DNS gave no answer about the policy"
		return c
	case a.Record == nil:
		c.Reason = "no DMARC record applies to " + c.Discovery.AuthorDomain
		return c
	case a.Policy == PolicyAbsent:
		c.Reason = "the DMARC record of " + a.Domain + " has no valid policy and no report address: it does not apply"
		return c
	}
	unsure := false
	judge := func(how string, align Alignment, temporary bool) {
		switch {
		case !align.Passed && !temporary:
		case errors.Is(align.Err, ErrDNS):
			unsure = true
		case align.Aligned && align.Passed && c.Result != DMARCPass:
			c.Result = DMARCPass
			c.Reason = fmt.Sprintf("%s passed for %s, which is aligned with %s (%s)", how, align.Domain, c.Discovery.AuthorDomain, align.Mode)
		case align.Aligned && temporary:
			unsure = true
		}
	}
	spf := q.SPF == SPFPass
	if q.SPFDomain != "" {
		c.SPF = align(ctx, r, c.Discovery, q.SPFDomain, a.Record.SPF, spf || q.SPF == SPFTempError)
		c.SPF.Passed = spf
		judge("SPF", c.SPF, q.SPF == SPFTempError)
	}
	for i, signature := range q.DKIM {
		if i == maxSignatures {
			break
		}
		got := align(ctx, r, c.Discovery, signature.Domain, a.Record.DKIM, signature.Pass || signature.TempError)
		got.Passed = signature.Pass
		c.DKIM = append(c.DKIM, got)
		judge("DKIM", got, signature.TempError && !signature.Pass)
	}
	switch {
	case c.Result == DMARCPass:
	case unsure:
		c.Result, c.Reason = DMARCTempError, "DNS failed for a check that could have passed"
	default:
		c.Result, c.Reason = DMARCFail, c.why(q)
	}
	return c
}

// align compares a domain with the author domain. Its tree is walked only when
// the answer matters.
func align(ctx context.Context, r Resolver, d *DMARCDiscovery, domain string, mode AlignmentMode, matters bool) Alignment {
	a := Alignment{Domain: domain, Mode: mode}
	name, err := domainName(domain)
	if err != nil {
		a.Err = err
		return a
	}
	a.Domain = name
	switch {
	case strings.EqualFold(name, d.AuthorDomain):
		a.Aligned = true
	case mode == Strict || !matters:
	case d.Newer.Organizational == "":
		a.Err = ErrDNS
	default:
		walk := WalkDMARC(ctx, r, name)
		a.Err, a.Organizational = walk.Err, walk.Organizational
		a.Aligned = walk.Err == nil && walk.Organizational == d.Newer.Organizational
	}
	return a
}

// why says why a message fails.
func (c *DMARCCheck) why(q DMARCQuery) string {
	for _, align := range append([]Alignment{c.SPF}, c.DKIM...) {
		if align.Passed {
			return fmt.Sprintf("%s is authenticated and not aligned with %s (%s)", align.Domain, c.Discovery.AuthorDomain, align.Mode)
		}
	}
	if len(q.DKIM) == 0 {
		return "SPF gave " + q.SPF.String() + " and there is no DKIM signature"
	}
	return "SPF gave " + q.SPF.String() + " and no DKIM signature passed"
}
