package dmarcreport

// findingID numbers the kinds of findings; the table gives each its text.
type findingID uint8

const (
	findNone findingID = iota
	findMissing
	findEmpty
	findRepeated
	findTooMany
	findOrder
	findUnknownElement
	findMisplaced
	findAlias
	findCase
	findNotInStandard
	findOtherNamespace
	findNoRecord
	findStrayText
	findBareLess
	findBareAmpersand
	findEntity
	findEscapedTwice
	findUnclosed
	findQuote
	findNoEndTag
	findNoStartTag
	findStrayEndTag
	findMismatchCase
	findTruncated
	findCutRecord
	findTrailing
	findEncoding
	findCharset
	findBadBytes
	findControl
	findBlanks
	findWord
	findWordCase
	findWordAlias
	findReasonText
	findNumber
	findNumberForm
	findNegative
	findHugeCount
	findMilliseconds
	findDateText
	findNoDate
	findSwapped
	findZeroRange
	findLongRange
	findNoAddress
	findAddressForm
	findAddress
	findMapped
	findZone
	findDomainList
	findBadDomain
	findGzipTail
	findGzipBroken
	findZipBroken
	findZipHead
	findMediaType
	findTransfer
	findBase64
	findMoreReports
	findNullReport
	findFieldTwice
	findNotice
	findTLSMissing
	findTLSForm
	findTLSWord
	findTLSWordCase
	findTLSNumber
	findingCount
)

// findingKind is what all findings of one kind share.
type findingKind struct {
	id       string
	severity Severity
	spec     string // where it is the same in both standards; else the finding says which
	message  string
}

const (
	specXML      = "XML 1.0 section 2"
	specSchema   = "RFC 7489 appendix C; RFC 9990 appendix A"
	specRange    = "RFC 9990 section 3.1.1.3"
	specMail     = "RFC 7489 section 7.2.1.1"
	specGzip     = "RFC 1952"
	specAddress  = "RFC 3986 section 3.2.2"
	specIdentity = "RFC 7489 appendix C"
)

var findingKinds = [findingCount]findingKind{
	findMissing:        {"missing-element", Info, "", "a required element is missing"},
	findEmpty:          {"empty-element", Info, specSchema, "an element that must have a value is empty; it counts as absent"},
	findRepeated:       {"repeated-element", Warning, specSchema, "an element stands twice where it may stand once; the first with a value counts"},
	findTooMany:        {"too-many-results", Warning, "", "a record has more results or reasons than are kept; this one was passed over"},
	findOrder:          {"element-order", Info, specSchema, "an element stands out of order"},
	findUnknownElement: {"unknown-element", Info, specSchema, "an element that no standard has here was passed over"},
	findMisplaced:      {"misplaced-element", Warning, specSchema, "an element stands where it does not belong and was passed over"},
	findAlias:          {"element-alias", Warning, specSchema, "an element has another name than the standard's"},
	findCase:           {"element-case", Warning, specSchema, "an element's name is written in another case"},
	findNotInStandard:  {"element-of-other-standard", Info, "", "an element is not in the standard that the rest of the report follows"},
	findOtherNamespace: {"other-namespace", Error, "Namespaces in XML 1.0 section 6", "a required element is missing; one of its name is there in another namespace and was passed over with all it holds"},
	findNoRecord:       {"no-record", Info, specSchema, "the report has no record"},
	findStrayText:      {"stray-text", Warning, specXML, "text stands between elements and was passed over"},
	findBareLess:       {"bare-less-than", Warning, specXML, "\"<\" in a text was not escaped"},
	findBareAmpersand:  {"bare-ampersand", Warning, specXML, "\"&\" in a text was not escaped"},
	findEntity:         {"undefined-entity", Warning, specXML, "an entity is not defined in XML"},
	findEscapedTwice:   {"escaped-twice", Warning, specXML, "a text was escaped twice"},
	findUnclosed:       {"unclosed-markup", Error, specXML, "markup is not closed; the document was read no further"},
	findQuote:          {"stray-quote", Warning, specXML, "a quote in a tag is not closed"},
	findNoEndTag:       {"missing-end-tag", Warning, specXML, "an element has no end tag; it was ended where another began or its parent ended"},
	findNoStartTag:     {"missing-start-tag", Warning, specXML, "an element has no start tag; it was begun where its first child begins"},
	findStrayEndTag:    {"stray-end-tag", Warning, specXML, "an end tag ends nothing and was passed over"},
	findMismatchCase:   {"end-tag-case", Warning, specXML, "an end tag is written in another case than its start tag"},
	findTruncated:      {"truncated", Error, specXML, "the document ends before its last element does"},
	findCutRecord:      {"cut-record", Error, specXML, "a record was cut before its source and count; it is not counted"},
	findTrailing:       {"trailing-data", Warning, specXML, "something follows the report and was not read"},
	findEncoding:       {"encoding", Warning, "XML 1.0 section 4.3.3", "the document is in another encoding than it says"},
	findCharset:        {"unknown-charset", Warning, "XML 1.0 section 4.3.3", "the declared encoding is not known; UTF-8 was taken"},
	findBadBytes:       {"bad-utf8", Warning, "XML 1.0 section 4.3.3", "bytes are no UTF-8; windows-1252 was taken"},
	findControl:        {"control-character", Warning, "XML 1.0 section 2.2", "a control character was dropped"},
	findBlanks:         {"blanks", Info, specSchema, "blanks stand around a value"},
	findWord:           {"unknown-word", Warning, specSchema, "a word is none of the standard's; it counts as unknown, never as a pass"},
	findWordCase:       {"word-case", Warning, specSchema, "a word is written in another case"},
	findWordAlias:      {"word-alias", Warning, specSchema, "a word in use for one of the standard's"},
	findReasonText:     {"reason-text", Warning, specSchema, "a reason is bare text, not elements"},
	findNumber:         {"not-a-number", Error, specSchema, "a number cannot be read; it counts as absent"},
	findNumberForm:     {"number-form", Warning, specSchema, "a whole number is written in another form"},
	findNegative:       {"negative-count", Error, specSchema, "a count is negative; it counts as zero"},
	findHugeCount:      {"huge-count", Error, specSchema, "a count is beyond what can be; it counts as zero"},
	findMilliseconds:   {"milliseconds", Warning, specSchema, "a time is in milliseconds or smaller units, not seconds"},
	findDateText:       {"date-text", Warning, specSchema, "a time is written as a date, not in seconds"},
	findNoDate:         {"no-date", Error, specSchema, "a time cannot be read; it counts as absent"},
	findSwapped:        {"swapped-range", Warning, specRange, "the period ends before it begins; the two were swapped"},
	findZeroRange:      {"zero-range", Info, specRange, "the period ends when it begins"},
	findLongRange:      {"long-range", Info, specRange, "the period is longer than a day"},
	findNoAddress:      {"no-address", Info, specSchema, "a record has no source address"},
	findAddressForm:    {"address-form", Warning, specAddress, "a source address is written in another form"},
	findAddress:        {"bad-address", Error, specAddress, "a source address cannot be read; its messages belong to no source"},
	findMapped:         {"mapped-address", Warning, specAddress, "an IPv4 address is written as IPv6"},
	findZone:           {"address-zone", Warning, specAddress, "a source address has a zone, which means nothing elsewhere"},
	findDomainList:     {"domain-list", Warning, specIdentity, "more than one domain stands where one belongs; it is kept as written"},
	findBadDomain:      {"bad-domain", Warning, specIdentity, "a domain holds characters that no domain has; it is kept as written"},
	findGzipTail:       {"gzip-tail", Warning, specGzip, "something follows the compressed data"},
	findGzipBroken:     {"gzip-broken", Error, specGzip, "compressed data is cut or damaged; it was read as far as it goes"},
	findZipBroken:      {"zip-broken", Error, "APPNOTE 4.3", "the archive is cut or damaged; it was read as far as it goes"},
	findZipHead:        {"zip-head", Warning, "APPNOTE 4.3", "something stands before the archive"},
	findMediaType:      {"media-type", Info, specMail, "the media type or name of the attachment says other than its content"},
	findTransfer:       {"transfer-encoding", Warning, "RFC 2045 section 6", "the attachment's transfer encoding has bytes that mean nothing in it"},
	findBase64:         {"undeclared-base64", Warning, "RFC 2045 section 6", "the document is in base64, and nothing around it says so"},
	findMoreReports:    {"more-elements", Warning, specXML, "a second report follows in the same document and was not read"},
	findNullReport:     {"null-record", Info, specSchema, "a record without source, count and words: no traffic"},
	findFieldTwice:     {"repeated-field", Warning, "RFC 5965 section 3.1", "a field stands twice where it may stand once; the first counts"},
	findNotice:         {"no-feedback-part", Warning, "RFC 6591 section 3.1", "a failure notice for people, without a feedback part"},
	findTLSMissing:     {"missing-member", Info, "RFC 8460 section 4.4", "a required member is missing"},
	findTLSForm:        {"member-form", Warning, "RFC 8460 section 4.4", "a value has another form than the standard's"},
	findTLSWord:        {"unknown-type", Info, "RFC 8460 section 6.6", "a type is not registered"},
	findTLSWordCase:    {"type-case", Warning, "RFC 8460 section 4.2", "a type is written in another case"},
	findTLSNumber:      {"bad-count", Error, "RFC 8460 section 4.4", "a count cannot be read"},
}
