package smtpcode

import (
	"net/netip"
	"time"
)

// Failure is the evidence about one recipient of one message, as a report, a
// log or an SMTP dialogue gives it. Every field is optional: what is not known
// stays zero, and [Diagnose] says what it could not tell for that reason.
type Failure struct {
	Recipient         string `json:"recipient,omitempty"`          // bare address the attempt was for
	OriginalRecipient string `json:"original_recipient,omitempty"` // bare address the sender gave, where it differs

	Action  Action  `json:"action,omitzero"` // what the reporting system did
	Status  Status  `json:"status,omitzero"` // as the report declares it
	Replies []Reply `json:"replies,omitempty"`

	// Reason is the sentence the reporting system chose for the user. It is
	// picked from the status, and administrators can rewrite it, so it ranks
	// below Replies.
	Reason string `json:"reason,omitempty"`

	GeneratingServer string `json:"generating_server,omitempty"` // host that wrote the report
	RemoteServer     string `json:"remote_server,omitempty"`     // host that refused; empty: see [Failure.Refuser]

	EnvelopeFrom string     `json:"envelope_from,omitempty"` // MAIL FROM of the message: what SPF checks
	HELO         string     `json:"helo,omitempty"`          // host name the sending server announced
	AuthorDomain string     `json:"author_domain,omitempty"` // From of the returned message: what DMARC checks
	SendingIP    netip.Addr `json:"sending_ip,omitzero"`     // address the refusing server saw
	Date         time.Time  `json:"date,omitzero"`           // time of the last attempt

	// OwnDomains are the caller's own domains and host names. They tell the
	// sender's side from the recipient's where the report alone does not.
	OwnDomains []string `json:"own_domains,omitempty"`
}

// Reply is one SMTP reply (RFC 5321 section 4.2) as the refusing server wrote
// it, taken out of whatever the report wrapped around it. The zero value means
// that there was none. One made by hand, of what an SMTP library hands over in
// pieces, may lack Raw: it is judged the same, and Evidence has no offsets.
type Reply struct {
	Code   int    `json:"code"`   // three digits; 0 when absent
	Status Status `json:"status"` // enhanced status (RFC 2034), or zero
	Text   string `json:"text"`   // unfolded, without code and status
	Raw    string `json:"raw"`    // verbatim
}
