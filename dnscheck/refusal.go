package dnscheck

import (
	"net/netip"
	"time"

	"github.com/mailfault/mailfault/internal/enum"
)

// Claim is what a refusal says has failed.
// As text: unknown, spf, dkim, dmarc.
type Claim uint8

const (
	ClaimUnknown Claim = iota // not said: DMARC where an author domain is given, else SPF, else DKIM
	ClaimSPF
	ClaimDKIM
	ClaimDMARC
)

var claimNames = enum.Names{"unknown", "spf", "dkim", "dmarc"}

// String returns the claim in lower case.
func (c Claim) String() string { return claimNames.String("Claim", uint8(c)) }

// MarshalText returns the claim in lower case.
func (c Claim) MarshalText() ([]byte, error) { return claimNames.MarshalText("Claim", uint8(c)) }

// UnmarshalText reads what MarshalText writes; another word is an error.
func (c *Claim) UnmarshalText(text []byte) error {
	v, err := claimNames.Parse("Claim", text)
	*c = Claim(v)
	return err
}

// Refusal is what a bounce says about a message that was refused because of its
// authentication. Every field is optional; the more there is, the more Explain can say.
type Refusal struct {
	Claim         Claim      `json:"claim"`
	AuthorDomain  string     `json:"author_domain"`        // of the From field; an address counts as its domain
	EnvelopeFrom  string     `json:"envelope_from"`        // address or domain of MAIL FROM; "" and "<>" for a bounce
	HELO          string     `json:"helo"`                 // that the sending host announced
	SendingIP     netip.Addr `json:"sending_ip"`           // that the receiver saw
	Signature     string     `json:"signature"`            // value of the DKIM-Signature field
	Signatures    []string   `json:"signatures,omitempty"` // of the further ones, where there are several; at most twenty are looked at
	SigningDomain string     `json:"signing_domain"`       // d=, where Signature is not known; "" is AuthorDomain
	Selector      string     `json:"selector"`             // s=, where Signature is not known
	Unsigned      bool       `json:"unsigned"`             // the message is known to have no signature; not where one is named
	Time          time.Time  `json:"time,omitzero"`        // of the refusal; zero is now
}

// Agreement is whether DNS, as it is now, supports a refusal.
// As text: unknown, agrees, disagrees, no-answer.
type Agreement uint8

const (
	AgreementUnknown Agreement = iota // the refusal does not say enough to tell
	Agrees                            // such mail fails now too
	Disagrees                         // nothing in DNS makes such mail fail now: fixed since, or caused on the way
	NoAnswer                          // DNS gave no answer now, or was not asked: ask again later
)

var agreementNames = enum.Names{"unknown", "agrees", "disagrees", "no-answer"}

// String returns the agreement in kebab-case.
func (a Agreement) String() string { return agreementNames.String("Agreement", uint8(a)) }

// MarshalText returns the agreement in kebab-case.
func (a Agreement) MarshalText() ([]byte, error) {
	return agreementNames.MarshalText("Agreement", uint8(a))
}

// UnmarshalText reads what MarshalText writes; another word is an error.
func (a *Agreement) UnmarshalText(text []byte) error {
	v, err := agreementNames.Parse("Agreement", text)
	*a = Agreement(v)
	return err
}

// Explanation says whether DNS agrees with a refusal, what is at fault, and
// what to change.
type Explanation struct {
	Refusal   Refusal   `json:"refusal"`
	Agreement Agreement `json:"agreement"`
	Cause     string    `json:"cause"` // stable, kebab-case
	Summary   string    `json:"summary"`
	Owner     Owner     `json:"owner"`             // who makes the change
	Fault     Position  `json:"fault,omitzero"`    // the record, and the term or tag in it
	Change    string    `json:"change"`            // what to change; "" where DNS needs no change
	Add       string    `json:"add,omitempty"`     // the SPF term to add
	Publish   string    `json:"publish,omitempty"` // the record at Fault.Name with it
	Strings   []string  `json:"strings,omitempty"` // Publish in strings of at most 255 bytes, as a zone file has them
	Spec      string    `json:"spec,omitempty"`
	Caveats   []string  `json:"caveats"`           // what could make this wrong
	Problem   string    `json:"problem,omitempty"` // Err in words
	Err       error     `json:"-"`                 // why DNS was not asked: ErrNoResolver, ErrNoContext, or the context's error

	SPF   *SPFCheck   `json:"spf,omitempty"`   // what was looked at, nil where it was not
	Audit *SPFAudit   `json:"audit,omitempty"` // of a record over the limit
	DKIM  *DKIMCheck  `json:"dkim,omitempty"`
	DMARC *DMARCCheck `json:"dmarc,omitempty"`
}
