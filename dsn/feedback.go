package dsn

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/mailfault/mailfault/internal/enum"
)

// Feedback is a feedback report in the Abuse Reporting Format (RFC 5965), with
// the fields for failed authentication (RFC 6591, RFC 7489 section 7.3.1) and for
// the source port (RFC 6692). RFC 6650 says what to do with one. The message
// complained about is [Report.Returned].
type Feedback struct {
	Type      FeedbackType `json:"type"`
	TypeRaw   string       `json:"type_raw"`   // the Feedback-Type field verbatim
	UserAgent string       `json:"user_agent"` // wrote the report
	Version   string       `json:"version"`    // "1"; old reports say "0.1"

	OriginalEnvelopeID string     `json:"original_envelope_id"` // ENVID of the message, xtext decoded
	OriginalMailFrom   Address    `json:"original_mail_from"`
	OriginalRcptTo     []Address  `json:"original_rcpt_to"` // often redacted (RFC 6590)
	ArrivalDate        Date       `json:"arrival_date"`     // of the message at the reporter: Arrival-Date or Received-Date
	ReportingMTA       MTA        `json:"reporting_mta"`
	SourceIP           netip.Addr `json:"source_ip,omitzero"` // handed the message over; zero when absent or unreadable
	SourcePort         uint16     `json:"source_port"`        // 0 when absent (RFC 6692)
	Incidents          int        `json:"incidents"`          // messages the report stands for; 0 when absent, which means 1

	AuthenticationResults []string `json:"authentication_results"` // verbatim (RFC 8601)
	ReportedDomains       []string `json:"reported_domains"`       // held responsible
	ReportedURIs          []string `json:"reported_uris"`          // found in the message
	RemovalRecipients     []string `json:"removal_recipients"`     // to be taken off lists

	AuthFailure       AuthFailure `json:"auth_failure"` // which check failed (RFC 6591 section 3.1)
	AuthFailureRaw    string      `json:"auth_failure_raw"`
	DeliveryResult    string      `json:"delivery_result"`    // lower case: delivered, spam, policy, reject, other
	IdentityAlignment []string    `json:"identity_alignment"` // lower case: dkim, spf; or none (RFC 7489 section 7.3.1)

	DKIM DKIMFailure `json:"dkim"`
	// SPFDNS are the SPF records used, with their names (RFC 6591 section 3.2.6).
	SPFDNS []string `json:"spf_dns"`

	Fields []Field `json:"fields"` // every field verbatim, in order, extensions among them
}

// DKIMFailure is the DKIM signature that failed (RFC 6591 section 3.2), as
// reported.
type DKIMFailure struct {
	Domain              string `json:"domain"`               // d=
	Identity            string `json:"identity"`             // i=
	Selector            string `json:"selector"`             // s=
	CanonicalizedHeader string `json:"canonicalized_header"` // base64
	CanonicalizedBody   string `json:"canonicalized_body"`   // base64
	SelectorDNS         string `json:"selector_dns"`         // key record used
	ADSPDNS             string `json:"adsp_dns"`             // ADSP record used
}

// FeedbackType says what a feedback report is about (RFC 5965 section 3.1 and
// its registry).
// As text: unknown, abuse, fraud, other, virus, not-spam, auth-failure, opt-out,
// opt-out-list.
type FeedbackType uint8

const (
	FeedbackUnknown FeedbackType = iota
	Abuse                        // unwanted mail
	Fraud                        // phishing and the like
	OtherFeedback                // "other"
	Virus
	NotSpam    // called spam by a filter, wrongly (RFC 6430)
	AuthFailed // failed authentication (RFC 6591)
	OptOut     // wants no more of it ("opt-out", of drafts)
	OptOutList // wants off this list ("opt-out-list", of drafts)
)

var feedbackNames = enum.Names{"unknown", "abuse", "fraud", "other", "virus", "not-spam", "auth-failure", "opt-out", "opt-out-list"}

// String returns the type as reports write it.
func (f FeedbackType) String() string { return feedbackNames.String("FeedbackType", uint8(f)) }

// MarshalText returns the type as reports write it.
func (f FeedbackType) MarshalText() ([]byte, error) {
	return feedbackNames.MarshalText("FeedbackType", uint8(f))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (f *FeedbackType) UnmarshalText(text []byte) error {
	v, err := feedbackNames.Parse("FeedbackType", text)
	*f = FeedbackType(v)
	return err
}

// AuthFailure says which check of authentication failed (RFC 6591 section 3.3,
// RFC 7489 section 7.3.1).
// As text: unknown, adsp, bodyhash, revoked, signature, spf, dmarc.
type AuthFailure uint8

const (
	AuthFailureUnknown AuthFailure = iota
	ADSPFailure
	BodyHashFailure
	RevokedKey
	SignatureFailure
	SPFFailure
	DMARCFailure
)

var authFailureNames = enum.Names{"unknown", "adsp", "bodyhash", "revoked", "signature", "spf", "dmarc"}

// String returns the check as the standard writes it.
func (a AuthFailure) String() string { return authFailureNames.String("AuthFailure", uint8(a)) }

// MarshalText returns the check as the standard writes it.
func (a AuthFailure) MarshalText() ([]byte, error) {
	return authFailureNames.MarshalText("AuthFailure", uint8(a))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (a *AuthFailure) UnmarshalText(text []byte) error {
	v, err := authFailureNames.Parse("AuthFailure", text)
	*a = AuthFailure(v)
	return err
}

// feedbackFields are the fields of RFC 5965 section 3, RFC 6591 section 3,
// RFC 6692 section 2 and RFC 7489 section 7.3.1, with Received-Date and
// Removal-Recipient of the drafts, which are in use.
var feedbackFields = map[string]setter[Feedback]{
	"feedback-type":             once(func(f *Feedback) *string { return &f.TypeRaw }, verbatim),
	"user-agent":                once(func(f *Feedback) *string { return &f.UserAgent }, verbatim),
	"version":                   once(func(f *Feedback) *string { return &f.Version }, firstWord),
	"original-envelope-id":      once(func(f *Feedback) *string { return &f.OriginalEnvelopeID }, decodeXtext),
	"original-mail-from":        once(func(f *Feedback) *Address { return &f.OriginalMailFrom }, parseAddress),
	"original-rcpt-to":          many(func(f *Feedback) *[]Address { return &f.OriginalRcptTo }, parseAddress),
	"arrival-date":              once(func(f *Feedback) *Date { return &f.ArrivalDate }, parseDate),
	"received-date":             once(func(f *Feedback) *Date { return &f.ArrivalDate }, parseDate),
	"reporting-mta":             once(func(f *Feedback) *MTA { return &f.ReportingMTA }, parseMTA),
	"source-ip":                 once(func(f *Feedback) *netip.Addr { return &f.SourceIP }, parseIP),
	"source":                    once(func(f *Feedback) *netip.Addr { return &f.SourceIP }, parseIP),
	"source-port":               once(func(f *Feedback) *uint16 { return &f.SourcePort }, parsePort),
	"incidents":                 once(func(f *Feedback) *int { return &f.Incidents }, parseCount),
	"authentication-results":    many(func(f *Feedback) *[]string { return &f.AuthenticationResults }, verbatim),
	"reported-domain":           many(func(f *Feedback) *[]string { return &f.ReportedDomains }, firstWord),
	"reported-uri":              many(func(f *Feedback) *[]string { return &f.ReportedURIs }, verbatim),
	"removal-recipient":         many(func(f *Feedback) *[]string { return &f.RemovalRecipients }, bareAddress),
	"auth-failure":              once(func(f *Feedback) *string { return &f.AuthFailureRaw }, verbatim),
	"delivery-result":           once(func(f *Feedback) *string { return &f.DeliveryResult }, lowerWord),
	"identity-alignment":        many(func(f *Feedback) *[]string { return &f.IdentityAlignment }, strings.ToLower),
	"dkim-domain":               once(func(f *Feedback) *string { return &f.DKIM.Domain }, firstWord),
	"dkim-identity":             once(func(f *Feedback) *string { return &f.DKIM.Identity }, verbatim),
	"dkim-selector":             once(func(f *Feedback) *string { return &f.DKIM.Selector }, firstWord),
	"dkim-canonicalized-header": once(func(f *Feedback) *string { return &f.DKIM.CanonicalizedHeader }, unspaced),
	"dkim-canonicalized-body":   once(func(f *Feedback) *string { return &f.DKIM.CanonicalizedBody }, unspaced),
	"dkim-selector-dns":         once(func(f *Feedback) *string { return &f.DKIM.SelectorDNS }, verbatim),
	"dkim-adsp-dns":             once(func(f *Feedback) *string { return &f.DKIM.ADSPDNS }, verbatim),
	"spf-dns":                   many(func(f *Feedback) *[]string { return &f.SPFDNS }, verbatim),
}

func lowerWord(text string) string { return strings.ToLower(firstWord(text)) }

func unspaced(text string) string { return strings.Join(strings.Fields(text), "") }

func readFeedback(body string, found func(id string, offset int)) *Feedback {
	f := &Feedback{}
	f.Fields = fieldList(body, feedbackFields, f, found)
	f.Type = parseFeedbackType(f.TypeRaw)
	if v, err := authFailureNames.Parse("", []byte(lowerWord(f.AuthFailureRaw))); err == nil {
		f.AuthFailure = AuthFailure(v)
	}
	f.IdentityAlignment = words(f.IdentityAlignment)
	if slices.Contains([]string{f.TypeRaw, f.UserAgent, f.Version}, "") {
		found(findingFeedbackIncomplete, 0)
	}
	if f.TypeRaw != "" && f.Type == FeedbackUnknown {
		found(findingFeedbackType, 0)
	}
	return f
}

// parseFeedbackType reads the type's word in any case; what is none of the
// registry's is FeedbackUnknown.
func parseFeedbackType(text string) FeedbackType {
	v, err := feedbackNames.Parse("", []byte(lowerWord(text)))
	if err != nil {
		return FeedbackUnknown
	}
	return FeedbackType(v)
}

// words takes comma-separated lists apart.
func words(lists []string) (out []string) {
	for _, list := range lists {
		for word := range strings.SplitSeq(list, ",") {
			if word = strings.TrimSpace(word); word != "" {
				out = append(out, word)
			}
		}
	}
	return out
}
