package dsn

import "github.com/mailfault/mailfault/internal/mime"

// IDs of the findings of this package's own.
const (
	findingMerged             = "groups-merged"
	findingSplit              = "group-split"
	findingRepeated           = "field-repeated"
	findingTooManyRecipients  = "too-many-recipients"
	findingNoFinalRecipient   = "final-recipient-missing"
	findingNoAction           = "action-unreadable"
	findingNoStatus           = "status-unreadable"
	findingBadDate            = "date-unreadable"
	findingNotReport          = "not-multipart-report"
	findingStatusInText       = "status-in-text"
	findingRecipientDerived   = "recipient-derived"
	findingForwarded          = "forwarded-by-person"
	findingForwardedByProgram = "forwarded-by-program"
	findingTextLimit          = "text-limit"

	findingTooManyFields          = "report-field-limit"
	findingNoDisposition          = "disposition-missing"
	findingBadDisposition         = "disposition-unreadable"
	findingNoDispositionRecipient = "disposition-without-recipient"
	findingFeedbackIncomplete     = "feedback-incomplete"
	findingFeedbackType           = "feedback-type-unknown"
)

// findingTexts is the table of findings: severity, the rule departed from, and
// what it means.
var findingTexts = map[string]struct {
	severity Severity
	spec     string
	message  string
}{
	findingMerged:             {Warning, "RFC 3464 section 2.1", "the blank line between two groups is missing; the groups were told apart by their fields"},
	findingSplit:              {Info, "RFC 3464 section 2.1", "a blank line stands inside a group; the fields after it were counted to the same recipient"},
	findingRepeated:           {Warning, "RFC 3464 section 2.1", "a field that may occur once is repeated; the last one counts"},
	findingTooManyRecipients:  {Error, "", "more recipients than the limit; the rest was not read"},
	findingNoFinalRecipient:   {Warning, "RFC 3464 section 2.3.2", "a group names no final recipient"},
	findingNoAction:           {Warning, "RFC 3464 section 2.3.3", "a group's action is missing or not one of the standard's words"},
	findingNoStatus:           {Warning, "RFC 3464 section 2.3.4", "a group's status is missing or malformed"},
	findingBadDate:            {Info, "RFC 5322 section 3.3", "a date is in no known form; its text was kept"},
	findingStatusInText:       {Warning, "RFC 3464 section 2", "the fields stand in the text, not in a message/delivery-status part"},
	findingRecipientDerived:   {Warning, "", "the text names no recipient; the To of the returned message was taken"},
	findingForwarded:          {Info, "", "a person forwarded the report, attached to a mail or in its text"},
	findingForwardedByProgram: {Info, "", "a program, a gateway perhaps, sent the report on, attached to a mail of its own"},
	findingTextLimit:          {Warning, "", "the text is longer than 1 MiB; the rest was not read"},
	findingNotReport:          {Info, "RFC 6522 section 3", "the mail is not multipart/report"},

	findingTooManyFields:          {Error, "", "more fields than the limit of 10,000; the rest was not read"},
	findingNoDisposition:          {Warning, "RFC 8098 section 3.2.6", "a disposition notification has no Disposition field"},
	findingBadDisposition:         {Warning, "RFC 8098 section 3.2.6", "a disposition lacks a mode or has a word the standard does not know"},
	findingNoDispositionRecipient: {Warning, "RFC 8098 section 3.2.4", "a disposition notification names no final recipient"},
	findingFeedbackIncomplete:     {Warning, "RFC 5965 section 3.1", "a feedback report lacks its type, user agent or version"},
	findingFeedbackType:           {Info, "RFC 5965 section 7.3", "a feedback report's type is not registered"},
}

// defectTexts is the table of findings for what is wrong with the mail itself.
var defectTexts = map[mime.DefectKind]struct {
	id       string
	severity Severity
	spec     string
	message  string
}{
	mime.NoColon:         {"header-line-without-colon", Warning, "RFC 5322 section 2.2", "a header line is neither a field nor a fold; it was joined to the field before"},
	mime.MboxLine:        {"mbox-line", Info, "RFC 4155", "a separator line of an mbox stands before the header"},
	mime.NoBlankLine:     {"header-without-blank-line", Warning, "RFC 5322 section 2.1", "the header ends without a blank line"},
	mime.NoBoundary:      {"boundary-missing", Warning, "RFC 2046 section 5.1", "a multipart names no boundary; the first line that looks like one was taken"},
	mime.WrongBoundary:   {"boundary-wrong", Warning, "RFC 2046 section 5.1", "the boundary a multipart names does not occur"},
	mime.NoClosing:       {"closing-boundary-missing", Info, "RFC 2046 section 5.1.1", "the last part has no closing boundary; it may be cut"},
	mime.BadTransfer:     {"transfer-encoding-broken", Warning, "RFC 2045 section 6", "a part has bytes that mean nothing in its transfer encoding"},
	mime.UnknownTransfer: {"transfer-encoding-unknown", Warning, "RFC 2045 section 6", "a part's transfer encoding is unknown; it was taken as it is"},
	mime.UnknownCharset:  {"charset-wrong", Warning, "RFC 2045 section 5", "a part's charset is unknown or does not fit; windows-1252 was taken"},
	mime.TooDeep:         {"nesting-limit", Error, "", "parts are nested below the limit; they were not read"},
	mime.TooManyParts:    {"part-limit", Error, "", "more parts than the limit; the rest was not read"},
	mime.TooManyFields:   {"field-limit", Error, "", "more header fields than the limit; the rest was not read"},
}
