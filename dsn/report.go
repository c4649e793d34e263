package dsn

import (
	"time"

	"github.com/mailfault/mailfault/smtpcode"
)

// Report is a report about mail. It does not change once read and is safe for
// concurrent use.
type Report struct {
	Kind   Kind   `json:"kind"`
	Format Format `json:"format"`
	// TextFormat names the system whose text for people this is, where facts were
	// read out of one: "qmail", "exim", "generic"; else "".
	TextFormat string `json:"text_format"`
	Path       string `json:"path"` // of the part the facts stand in: "2"; deeper when the report was forwarded

	// Fields about the message (RFC 3464 section 2.2).
	ReportingMTA       MTA    `json:"reporting_mta"`        // wrote the report
	DSNGateway         MTA    `json:"dsn_gateway"`          // translated it from another mail system
	ReceivedFromMTA    MTA    `json:"received_from_mta"`    // handed the message to the reporting one
	OriginalEnvelopeID string `json:"original_envelope_id"` // ENVID of the message, xtext decoded
	ArrivalDate        Date   `json:"arrival_date"`         // of the message at the reporting MTA

	Recipients []Recipient `json:"recipients"` // one a group, in order
	Extensions []Field     `json:"extensions"` // other fields about the message

	Disposition *Disposition `json:"disposition"` // of a disposition notification; else nil
	Feedback    *Feedback    `json:"feedback"`    // of a feedback report; else nil

	Header      Header      `json:"-"`        // of the report mail
	Explanation Explanation `json:"-"`        // what the report says to people
	Returned    *Returned   `json:"returned"` // the message it is about; nil where nothing of it came back
	Findings    []Finding   `json:"findings"`
}

// Recipient is a group of fields about one recipient (RFC 3464 section 2.3).
type Recipient struct {
	FinalRecipient    Address         `json:"final_recipient"`    // at the reporting MTA
	OriginalRecipient Address         `json:"original_recipient"` // as the sender gave it (ORCPT)
	Action            smtpcode.Action `json:"action"`
	ActionRaw         string          `json:"action_raw"`
	Status            smtpcode.Status `json:"status"`
	StatusRaw         string          `json:"status_raw"` // verbatim, with its comment
	RemoteMTA         MTA             `json:"remote_mta"` // refused, or took the message over
	Diagnostic        Diagnostic      `json:"diagnostic"`
	// Said is what the text for people says about the recipient, where the fields
	// have no diagnostic code. It is found, not declared.
	Said            Diagnostic `json:"said"`
	LastAttemptDate Date       `json:"last_attempt_date"`
	FinalLogID      string     `json:"final_log_id"`
	WillRetryUntil  Date       `json:"will_retry_until"`
	Extensions      []Field    `json:"extensions"` // other fields: X-Display-Name, X-Supplementary-Info ...
}

// Address is a typed address: "rfc822;user@example.net".
type Address struct {
	Type    string `json:"type"`    // lower case; "" when not given
	Address string `json:"address"` // bare and decoded
	Raw     string `json:"raw"`     // the field verbatim, unfolded
}

// MTA is a typed name of a mail system: "dns; mx.example.net (192.0.2.1)".
type MTA struct {
	Type string `json:"type"` // lower case; "" when not given
	Host string `json:"host"` // name or address alone
	Raw  string `json:"raw"`  // the field verbatim, unfolded
}

// Diagnostic is what the refusing system said: "smtp; 550 5.1.1 ...".
type Diagnostic struct {
	Type string `json:"type"` // lower case; "" when not given
	Text string `json:"text"` // unfolded, without the type
	Raw  string `json:"raw"`  // the field verbatim, unfolded
}

// Date is a date and its text.
type Date struct {
	Time time.Time `json:"time,omitzero"` // zero when it could not be read
	Raw  string    `json:"raw"`
}

// Field is a header field, or a field of a report, by name and value.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"` // unfolded
}

// Explanation is the text for people, as UTF-8 with LF line ends; either may be
// empty.
type Explanation struct {
	Text string
	HTML string
}

// Returned is the message the report is about, as far as it came back. Its
// subject is Header.Get("Subject").
type Returned struct {
	Header Header `json:"-"`
	Extent Extent `json:"extent"`
	Raw    string `json:"-"` // as returned: for DKIM, or to show
	Path   string `json:"path"`
}
