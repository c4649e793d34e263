package dsn

import (
	"strings"

	"github.com/mailfault/mailfault/internal/enum"
)

// Disposition is a disposition notification: what a recipient, or the program
// that reads mail for him, did with a message (RFC 8098; RFC 6533 section 5 for
// the internationalized form).
type Disposition struct {
	ReportingUA       ReportingUA `json:"reporting_ua"`        // wrote the notification
	MDNGateway        MTA         `json:"mdn_gateway"`         // translated it from another mail system
	OriginalRecipient Address     `json:"original_recipient"`  // as the sender gave it
	FinalRecipient    Address     `json:"final_recipient"`     // who the notification is for; required
	OriginalMessageID string      `json:"original_message_id"` // without angle brackets

	ActionMode     ActionMode      `json:"action_mode"`     // did a person or a program act
	SendingMode    SendingMode     `json:"sending_mode"`    // did a person agree to the notification
	Type           DispositionType `json:"type"`            // what was done
	Modifiers      []string        `json:"modifiers"`       // lower case: "error"; RFC 3798 knew "superseded", "expired" ...
	DispositionRaw string          `json:"disposition_raw"` // the Disposition field verbatim, unfolded

	Errors   []string `json:"errors"`   // texts of the Error fields, in order
	Failures []string `json:"failures"` // of RFC 3798's Failure fields
	Warnings []string `json:"warnings"` // of RFC 3798's Warning fields

	Fields []Field `json:"fields"` // every field verbatim, in order, extensions among them
}

// ReportingUA is the user agent that wrote a notification:
// "pc.example.net; Foomail 1.2".
type ReportingUA struct {
	Name    string `json:"name"`
	Product string `json:"product"` // "" when not given
	Raw     string `json:"raw"`     // the field verbatim, unfolded
}

// ActionMode says whether a person or a program disposed of the message
// (RFC 8098 section 3.2.6.1).
// As text: unknown, manual-action, automatic-action.
type ActionMode uint8

const (
	ActionModeUnknown ActionMode = iota
	ManualAction
	AutomaticAction
)

var actionModeNames = enum.Names{"unknown", "manual-action", "automatic-action"}

// String returns the mode as the standard writes it.
func (m ActionMode) String() string { return actionModeNames.String("ActionMode", uint8(m)) }

// MarshalText returns the mode as the standard writes it.
func (m ActionMode) MarshalText() ([]byte, error) {
	return actionModeNames.MarshalText("ActionMode", uint8(m))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (m *ActionMode) UnmarshalText(text []byte) error {
	v, err := actionModeNames.Parse("ActionMode", text)
	*m = ActionMode(v)
	return err
}

// SendingMode says whether a person agreed to the notification (RFC 8098
// section 3.2.6.1).
// As text: unknown, mdn-sent-manually, mdn-sent-automatically.
type SendingMode uint8

const (
	SendingModeUnknown SendingMode = iota
	SentManually
	SentAutomatically
)

var sendingModeNames = enum.Names{"unknown", "mdn-sent-manually", "mdn-sent-automatically"}

// String returns the mode as the standard writes it, in lower case.
func (m SendingMode) String() string { return sendingModeNames.String("SendingMode", uint8(m)) }

// MarshalText returns the mode as the standard writes it, in lower case.
func (m SendingMode) MarshalText() ([]byte, error) {
	return sendingModeNames.MarshalText("SendingMode", uint8(m))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (m *SendingMode) UnmarshalText(text []byte) error {
	v, err := sendingModeNames.Parse("SendingMode", text)
	*m = SendingMode(v)
	return err
}

// DispositionType says what was done with the message (RFC 8098 section
// 3.2.6.2). The last two are RFC 2298's.
// As text: unknown, displayed, deleted, dispatched, processed, denied, failed.
type DispositionType uint8

const (
	DispositionUnknown DispositionType = iota
	Displayed                          // shown to somebody; not that he read or understood it
	Deleted                            // perhaps without being shown
	Dispatched                         // printed, faxed, forwarded, without being shown
	Processed                          // by a program or rule, without being shown
	Denied                             // the recipient wants no notification sent (RFC 2298)
	FailedDisposition                  // no notification could be made (RFC 2298)
)

var dispositionNames = enum.Names{"unknown", "displayed", "deleted", "dispatched", "processed", "denied", "failed"}

// String returns the type as the standard writes it.
func (d DispositionType) String() string { return dispositionNames.String("DispositionType", uint8(d)) }

// MarshalText returns the type as the standard writes it.
func (d DispositionType) MarshalText() ([]byte, error) {
	return dispositionNames.MarshalText("DispositionType", uint8(d))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (d *DispositionType) UnmarshalText(text []byte) error {
	v, err := dispositionNames.Parse("DispositionType", text)
	*d = DispositionType(v)
	return err
}

// dispositionFields are the fields of RFC 8098 section 3.1, with RFC 3798's
// Failure and Warning.
var dispositionFields = map[string]setter[Disposition]{
	"reporting-ua":        once(func(d *Disposition) *ReportingUA { return &d.ReportingUA }, parseReportingUA),
	"mdn-gateway":         once(func(d *Disposition) *MTA { return &d.MDNGateway }, parseMTA),
	"original-recipient":  once(func(d *Disposition) *Address { return &d.OriginalRecipient }, parseAddress),
	"final-recipient":     once(func(d *Disposition) *Address { return &d.FinalRecipient }, parseAddress),
	"original-message-id": once(func(d *Disposition) *string { return &d.OriginalMessageID }, parseMessageID),
	"disposition":         once(func(d *Disposition) *string { return &d.DispositionRaw }, verbatim),
	"error":               many(func(d *Disposition) *[]string { return &d.Errors }, verbatim),
	"failure":             many(func(d *Disposition) *[]string { return &d.Failures }, verbatim),
	"warning":             many(func(d *Disposition) *[]string { return &d.Warnings }, verbatim),
}

func parseReportingUA(raw string) ReportingUA {
	name, product, _ := strings.Cut(raw, ";")
	return ReportingUA{Name: strings.TrimSpace(name), Product: strings.TrimSpace(product), Raw: raw}
}

func readDisposition(body string, found func(id string, offset int)) *Disposition {
	d := &Disposition{}
	d.Fields = fieldList(body, dispositionFields, d, found)
	d.parse(d.DispositionRaw)
	switch {
	case d.DispositionRaw == "":
		found(findingNoDisposition, 0)
	case d.Type == DispositionUnknown || d.ActionMode == ActionModeUnknown || d.SendingMode == SendingModeUnknown:
		found(findingBadDisposition, 0)
	}
	if d.FinalRecipient.Raw == "" {
		found(findingNoDispositionRecipient, 0)
	}
	return d
}

// parse reads "action-mode/sending-mode; type/modifier,modifier". The words are
// told by what they are: old programs leave out a mode or a semicolon, put a
// comma between, or a modifier first.
func (d *Disposition) parse(text string) {
	modifiers := false
	for len(text) > 0 {
		end := strings.IndexAny(text, "/;, \t(")
		word, mark := text, byte(0)
		if end >= 0 {
			word, mark, text = text[:end], text[end], text[end+1:]
		} else {
			text = ""
		}
		if word = strings.ToLower(word); word != "" && !d.mode(word) {
			if v, err := dispositionNames.Parse("", []byte(word)); err == nil && v > 0 && d.Type == DispositionUnknown {
				d.Type = DispositionType(v)
			} else if modifiers || d.Type != DispositionUnknown {
				d.Modifiers = append(d.Modifiers, word)
			}
		}
		switch mark {
		case '(':
			_, text, _ = strings.Cut(text, ")")
		case ';':
			modifiers = true
		}
	}
}

func (d *Disposition) mode(word string) bool {
	if v, err := actionModeNames.Parse("", []byte(word)); err == nil && v > 0 {
		d.ActionMode = ActionMode(v)
		return true
	}
	if v, err := sendingModeNames.Parse("", []byte(word)); err == nil && v > 0 {
		d.SendingMode = SendingMode(v)
		return true
	}
	return false
}
