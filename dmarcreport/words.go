package dmarcreport

import "github.com/mailfault/mailfault/internal/enum"

// The enumerations share one rule: zero is absent, Unknown is a word that is
// there and not understood (the raw text stands beside it). Neither is ever
// read as a pass.

// Result is the outcome of DKIM, SPF or an aligned evaluation.
// As text: "" where absent, unknown, none, pass, fail, softfail, neutral, policy,
// temperror, permerror.
type Result uint8

// The results of RFC 8601 that reports use (RFC 7489 appendix C, RFC 9990).
const (
	ResultAbsent Result = iota // no such element, or an empty one
	ResultUnknown
	ResultNone
	ResultPass
	ResultFail
	ResultSoftFail
	ResultNeutral
	ResultPolicy
	ResultTempError
	ResultPermError
)

var resultNames = enum.Names{"", "unknown", "none", "pass", "fail", "softfail", "neutral", "policy", "temperror", "permerror"}

// String returns the standard's word, "" for an absent one.
func (r Result) String() string { return resultNames.String("Result", uint8(r)) }

// MarshalText returns the standard's word.
func (r Result) MarshalText() ([]byte, error) { return resultNames.MarshalText("Result", uint8(r)) }

// UnmarshalText reads what MarshalText writes; another word is an error.
func (r *Result) UnmarshalText(text []byte) error {
	v, err := resultNames.Parse("Result", text)
	*r = Result(v)
	return err
}

// Disposition is a policy that is asked for, or what was done with the mail.
// As text: "" where absent, unknown, none, quarantine, reject, pass.
type Disposition uint8

// The dispositions. DispositionPass is what RFC 9990 reporters write for mail
// that passed DMARC.
const (
	DispositionAbsent Disposition = iota
	DispositionUnknown
	DispositionNone
	DispositionQuarantine
	DispositionReject
	DispositionPass
)

var dispositionNames = enum.Names{"", "unknown", "none", "quarantine", "reject", "pass"}

// String returns the standard's word, "" for an absent one.
func (d Disposition) String() string { return dispositionNames.String("Disposition", uint8(d)) }

// MarshalText returns the standard's word.
func (d Disposition) MarshalText() ([]byte, error) {
	return dispositionNames.MarshalText("Disposition", uint8(d))
}

// UnmarshalText reads what MarshalText writes; another word is an error.
func (d *Disposition) UnmarshalText(text []byte) error {
	v, err := dispositionNames.Parse("Disposition", text)
	*d = Disposition(v)
	return err
}

// AlignmentMode says how close two domains must be to be aligned.
// As text: "" where absent, unknown, r, s.
type AlignmentMode uint8

// The modes. An absent one means relaxed (RFC 7489 section 6.3).
const (
	AlignmentAbsent AlignmentMode = iota
	AlignmentUnknown
	AlignmentRelaxed
	AlignmentStrict
)

var alignmentNames = enum.Names{"", "unknown", "r", "s"}

// String returns the standard's letter, "" for an absent one.
func (m AlignmentMode) String() string { return alignmentNames.String("AlignmentMode", uint8(m)) }

// MarshalText returns the standard's letter.
func (m AlignmentMode) MarshalText() ([]byte, error) {
	return alignmentNames.MarshalText("AlignmentMode", uint8(m))
}

// UnmarshalText reads what MarshalText writes; another word is an error.
func (m *AlignmentMode) UnmarshalText(text []byte) error {
	v, err := alignmentNames.Parse("AlignmentMode", text)
	*m = AlignmentMode(v)
	return err
}

// SPFScope is the identity an SPF result is about.
// As text: "" where absent, unknown, mfrom, helo.
type SPFScope uint8

// The scopes. An absent one is read as unknown which, never as mfrom.
const (
	ScopeAbsent SPFScope = iota
	ScopeUnknown
	ScopeMailFrom // mfrom
	ScopeHELO     // helo: never aligned (RFC 7489 section 3.1.2 takes MAIL FROM)
)

var scopeNames = enum.Names{"", "unknown", "mfrom", "helo"}

// String returns the standard's word, "" for an absent one.
func (s SPFScope) String() string { return scopeNames.String("SPFScope", uint8(s)) }

// MarshalText returns the standard's word.
func (s SPFScope) MarshalText() ([]byte, error) { return scopeNames.MarshalText("SPFScope", uint8(s)) }

// UnmarshalText reads what MarshalText writes; another word is an error.
func (s *SPFScope) UnmarshalText(text []byte) error {
	v, err := scopeNames.Parse("SPFScope", text)
	*s = SPFScope(v)
	return err
}

// Override is why a receiver did other than the policy asks.
// As text: "" where absent, unknown, forwarded, sampled_out, trusted_forwarder,
// mailing_list, local_policy, other, policy_test_mode.
type Override uint8

// The override reasons of RFC 7489 and RFC 9990 together.
const (
	OverrideAbsent Override = iota
	OverrideUnknown
	OverrideForwarded        // RFC 7489 only: known forwarder
	OverrideSampledOut       // RFC 7489 only: pct
	OverrideTrustedForwarder // a forwarder the receiver trusts, ARC included
	OverrideMailingList
	OverrideLocalPolicy
	OverrideOther
	OverridePolicyTestMode // RFC 9990: t=y
)

var overrideNames = enum.Names{"", "unknown", "forwarded", "sampled_out", "trusted_forwarder", "mailing_list", "local_policy", "other", "policy_test_mode"}

// String returns the standard's word, "" for an absent one.
func (o Override) String() string { return overrideNames.String("Override", uint8(o)) }

// MarshalText returns the standard's word.
func (o Override) MarshalText() ([]byte, error) {
	return overrideNames.MarshalText("Override", uint8(o))
}

// UnmarshalText reads what MarshalText writes; another word is an error.
func (o *Override) UnmarshalText(text []byte) error {
	v, err := overrideNames.Parse("Override", text)
	*o = Override(v)
	return err
}
