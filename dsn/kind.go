package dsn

import "github.com/mailfault/mailfault/internal/enum"

// Kind says what a report is about.
// As text: unknown, delivery-status, disposition-notification, feedback-report,
// auto-reply, challenge.
type Kind uint8

const (
	KindUnknown             Kind = iota // no report
	DeliveryStatus                      // what became of a message: RFC 3464 and its likes
	DispositionNotification             // what a recipient did with a message: RFC 8098
	FeedbackReport                      // a recipient's complaint: RFC 5965
	AutoReply                           // a program's answer to a mail: RFC 3834 and the marks in use
	Challenge                           // a filter's demand that the sender prove himself
)

var kindNames = enum.Names{"unknown", "delivery-status", "disposition-notification", "feedback-report", "auto-reply", "challenge"}

// String returns the kind in kebab-case.
func (k Kind) String() string { return kindNames.String("Kind", uint8(k)) }

// MarshalText returns the kind in kebab-case.
func (k Kind) MarshalText() ([]byte, error) { return kindNames.MarshalText("Kind", uint8(k)) }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (k *Kind) UnmarshalText(text []byte) error {
	v, err := kindNames.Parse("Kind", text)
	*k = Kind(v)
	return err
}

// Format says how a report was read.
// As text: unknown, rfc3464, rfc6533, prose, rfc8098, rfc5965, jmrp,
// header-fields.
type Format uint8

const (
	FormatUnknown Format = iota
	RFC3464              // a message/delivery-status part
	RFC6533              // its internationalized form, message/global-delivery-status
	Prose                // text for people alone
	RFC8098              // a message/disposition-notification part, or its global form
	RFC5965              // a message/feedback-report part
	JMRP                 // a complaint of Microsoft's Junk Mail Reporting Program: the message alone, marked
	HeaderFields         // fields of the mail's own header
)

var formatNames = enum.Names{"unknown", "rfc3464", "rfc6533", "prose", "rfc8098", "rfc5965", "jmrp", "header-fields"}

// String returns the format in kebab-case.
func (f Format) String() string { return formatNames.String("Format", uint8(f)) }

// MarshalText returns the format in kebab-case.
func (f Format) MarshalText() ([]byte, error) { return formatNames.MarshalText("Format", uint8(f)) }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (f *Format) UnmarshalText(text []byte) error {
	v, err := formatNames.Parse("Format", text)
	*f = Format(v)
	return err
}
