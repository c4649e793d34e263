package dmarcreport

import "sync"

// elementID names one place in the tree of a report: "domain" of a DKIM result
// and "domain" of the policy are two.
type elementID uint8

const (
	elNone elementID = iota // outside of the vocabulary
	elFeedback
	elVersion
	elMetadata
	elOrgName
	elEmail
	elContact
	elReportID
	elDateRange
	elBegin
	elEnd
	elError
	elGenerator
	elPolicy
	elPolicyDomain
	elADKIM
	elASPF
	elP
	elSP
	elNP
	elPct
	elFO
	elTesting
	elDiscovery
	elVersionPublished
	elExtension
	elRecord
	elRow
	elSourceIP
	elCount
	elEvaluated
	elDisposition
	elEvaluatedDKIM
	elEvaluatedSPF
	elReason
	elReasonType
	elReasonComment
	elIdentifiers
	elEnvelopeTo
	elEnvelopeFrom
	elHeaderFrom
	elAuthResults
	elDKIM
	elDKIMDomain
	elDKIMSelector
	elDKIMResult
	elDKIMHuman
	elSPF
	elSPFDomain
	elSPFScope
	elSPFResult
	elSPFHuman
	elementCount
)

// occurs says how often an element stands in its parent.
type occurs uint8

const (
	never occurs = iota // not in this standard
	optional
	once
	any0 // any number, none included
	any1 // at least one
)

// element is one line of the standards' schemas.
type element struct {
	name     string
	parent   elementID
	form     elementForm
	rfc7489  occurs // appendix C
	rfc9990  occurs // appendix A, from draft-32, unverified against the final text
	position uint8  // in a parent whose order is fixed; 0: any order
}

type elementForm uint8

const (
	container elementForm = iota
	leaf                  // text
	foreign               // anything within: RFC 9990 extensions
)

// vocabulary is every element of RFC 7489 appendix C and RFC 9990, and one of
// the drafts before them. Order is fixed by sequences of the schemas; where one
// of the two lets the children stand in any order, none is asked for.
var vocabulary = [elementCount]element{
	elFeedback:         {"feedback", elNone, container, once, once, 0},
	elVersion:          {"version", elFeedback, leaf, once, optional, 1},
	elMetadata:         {"report_metadata", elFeedback, container, once, once, 2},
	elOrgName:          {"org_name", elMetadata, leaf, once, once, 0},
	elEmail:            {"email", elMetadata, leaf, once, once, 0},
	elContact:          {"extra_contact_info", elMetadata, leaf, optional, optional, 0},
	elReportID:         {"report_id", elMetadata, leaf, once, once, 0},
	elDateRange:        {"date_range", elMetadata, container, once, once, 0},
	elBegin:            {"begin", elDateRange, leaf, once, once, 0},
	elEnd:              {"end", elDateRange, leaf, once, once, 0},
	elError:            {"error", elMetadata, leaf, any0, optional, 0},
	elGenerator:        {"generator", elMetadata, leaf, never, optional, 0},
	elPolicy:           {"policy_published", elFeedback, container, once, once, 3},
	elPolicyDomain:     {"domain", elPolicy, leaf, once, once, 0},
	elADKIM:            {"adkim", elPolicy, leaf, optional, optional, 0},
	elASPF:             {"aspf", elPolicy, leaf, optional, optional, 0},
	elP:                {"p", elPolicy, leaf, once, once, 0},
	elSP:               {"sp", elPolicy, leaf, once, optional, 0},
	elNP:               {"np", elPolicy, leaf, never, optional, 0},
	elPct:              {"pct", elPolicy, leaf, once, never, 0},
	elFO:               {"fo", elPolicy, leaf, once, optional, 0},
	elTesting:          {"testing", elPolicy, leaf, never, optional, 0},
	elDiscovery:        {"discovery_method", elPolicy, leaf, never, optional, 0},
	elVersionPublished: {"version_published", elPolicy, leaf, never, never, 0}, // drafts before RFC 9990
	elExtension:        {"extension", elFeedback, foreign, never, optional, 4},
	elRecord:           {"record", elFeedback, container, any1, any1, 5},
	elRow:              {"row", elRecord, container, once, once, 1},
	elSourceIP:         {"source_ip", elRow, leaf, once, once, 0},
	elCount:            {"count", elRow, leaf, once, once, 0},
	elEvaluated:        {"policy_evaluated", elRow, container, once, once, 0},
	elDisposition:      {"disposition", elEvaluated, leaf, once, once, 1},
	elEvaluatedDKIM:    {"dkim", elEvaluated, leaf, once, once, 2},
	elEvaluatedSPF:     {"spf", elEvaluated, leaf, once, once, 3},
	elReason:           {"reason", elEvaluated, container, any0, any0, 4},
	elReasonType:       {"type", elReason, leaf, once, once, 0},
	elReasonComment:    {"comment", elReason, leaf, optional, optional, 0},
	elIdentifiers:      {"identifiers", elRecord, container, once, once, 2},
	elEnvelopeTo:       {"envelope_to", elIdentifiers, leaf, optional, optional, 0},
	elEnvelopeFrom:     {"envelope_from", elIdentifiers, leaf, once, optional, 0},
	elHeaderFrom:       {"header_from", elIdentifiers, leaf, once, once, 0},
	elAuthResults:      {"auth_results", elRecord, container, once, once, 3},
	elDKIM:             {"dkim", elAuthResults, container, any0, any0, 1},
	elDKIMDomain:       {"domain", elDKIM, leaf, once, once, 0},
	elDKIMSelector:     {"selector", elDKIM, leaf, optional, once, 0},
	elDKIMResult:       {"result", elDKIM, leaf, once, once, 0},
	elDKIMHuman:        {"human_result", elDKIM, leaf, optional, optional, 0},
	elSPF:              {"spf", elAuthResults, container, any1, optional, 2},
	elSPFDomain:        {"domain", elSPF, leaf, once, once, 0},
	elSPFScope:         {"scope", elSPF, leaf, once, optional, 0},
	elSPFResult:        {"result", elSPF, leaf, once, once, 0},
	elSPFHuman:         {"human_result", elSPF, leaf, never, optional, 0},
}

// aliases are names that reporters and drafts write for others.
var aliases = [...]struct{ written, meant string }{
	{"identities", "identifiers"}, // seen from eight reporters of one set
	{"extensions", "extension"},   // drafts before RFC 9990
}

// meant returns the standard's name for an alias in lower case, or "".
func meant(written string) string {
	for _, a := range aliases {
		if a.written == written {
			return a.meant
		}
	}
	return ""
}

// family is what the reader must know of an element's children.
type family struct {
	children []elementID
	bit      [elementCount]uint32 // of a child, in a mask of those seen
	must     [2]uint32            // masks of those that must be there, by standard
}

// families holds the children of each element, indexed by the parent.
var families = sync.OnceValue(func() *[elementCount]family {
	var f [elementCount]family
	for id := elFeedback; id < elementCount; id++ {
		e := &vocabulary[id]
		p := &f[e.parent]
		bit := uint32(1) << len(p.children)
		p.children = append(p.children, id)
		p.bit[id] = bit
		if e.rfc7489 == once || e.rfc7489 == any1 {
			p.must[0] |= bit
		}
		if e.rfc9990 == once || e.rfc9990 == any1 {
			p.must[1] |= bit
		}
	}
	return &f
})

// child returns the element of that name within parent, or elNone.
func child(parent elementID, name []byte) elementID {
	for _, id := range families()[parent].children {
		if vocabulary[id].name == string(name) {
			return id
		}
	}
	return elNone
}

// sameJoined reports whether two names differ in nothing but their case and in
// what stands between their words: "source-ip", "sourceIp" and "source_ip" are
// one.
func sameJoined(a, b string) bool {
	i, j := 0, 0
	for {
		for i < len(a) && between(a[i]) {
			i++
		}
		for j < len(b) && between(b[j]) {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if lowerByte(a[i]) != lowerByte(b[j]) {
			return false
		}
		i++
		j++
	}
}

func between(c byte) bool { return c == '_' || c == '-' || c == '.' }

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// childJoined returns the element within parent whose name is the same but for
// how its words are joined, or elNone.
func childJoined(parent elementID, name string) elementID {
	for _, id := range families()[parent].children {
		if sameJoined(vocabulary[id].name, name) {
			return id
		}
	}
	return elNone
}

// path returns the names from the root down to an element.
func (id elementID) path() string {
	if id == elNone {
		return ""
	}
	e := &vocabulary[id]
	if e.parent == elNone {
		return e.name
	}
	return e.parent.path() + "/" + e.name
}
