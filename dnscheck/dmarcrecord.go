package dnscheck

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/mailfault/mailfault/internal/enum"
)

// Policy is what a domain asks of receivers for mail that fails DMARC.
// As text: absent, none, quarantine, reject, invalid.
type Policy uint8

const (
	PolicyAbsent     Policy = iota // the tag is not there; as an applied policy: DMARC does not apply
	PolicyNone                     // nothing
	PolicyQuarantine               // treat as suspicious
	PolicyReject                   // refuse
	PolicyInvalid                  // the tag holds something else
)

var policyNames = enum.Names{"absent", "none", "quarantine", "reject", "invalid"}

// String returns the standard's word, or "absent" or "invalid".
func (p Policy) String() string { return policyNames.String("Policy", uint8(p)) }

// MarshalText returns what String returns.
func (p Policy) MarshalText() ([]byte, error) { return policyNames.MarshalText("Policy", uint8(p)) }

// UnmarshalText reads what MarshalText writes; another word is an error.
func (p *Policy) UnmarshalText(text []byte) error {
	v, err := policyNames.Parse("Policy", text)
	*p = Policy(v)
	return err
}

// enforced reports whether the policy asks for more than reports.
func (p Policy) enforced() bool { return p == PolicyQuarantine || p == PolicyReject }

// lower is the policy one level down, for test mode.
func (p Policy) lower() Policy {
	if p == PolicyReject || p == PolicyQuarantine {
		return p - 1
	}
	return p
}

// AlignmentMode says how near an authenticated domain has to be to the author
// domain (RFC 9989 section 4.4).
// As text: relaxed, strict.
type AlignmentMode uint8

const (
	Relaxed AlignmentMode = iota // the same organizational domain
	Strict                       // the same name
)

var alignmentNames = enum.Names{"relaxed", "strict"}

// String returns the mode in lower case.
func (m AlignmentMode) String() string { return alignmentNames.String("AlignmentMode", uint8(m)) }

// MarshalText returns the mode in lower case.
func (m AlignmentMode) MarshalText() ([]byte, error) {
	return alignmentNames.MarshalText("AlignmentMode", uint8(m))
}

// UnmarshalText reads what MarshalText writes; another word is an error.
func (m *AlignmentMode) UnmarshalText(text []byte) error {
	v, err := alignmentNames.Parse("AlignmentMode", text)
	*m = AlignmentMode(v)
	return err
}

// PSD is the psd tag: whether a name is a public suffix domain.
// As text: u, y, n.
type PSD uint8

const (
	PSDUnknown PSD = iota // u, the default: the walk decides
	PSDYes                // y: the names one label below are organizational domains
	PSDNo                 // n: the name is an organizational domain
)

var psdNames = enum.Names{"u", "y", "n"}

// String returns the tag's value.
func (p PSD) String() string { return psdNames.String("PSD", uint8(p)) }

// MarshalText returns the tag's value.
func (p PSD) MarshalText() ([]byte, error) { return psdNames.MarshalText("PSD", uint8(p)) }

// UnmarshalText reads what MarshalText writes; another value is an error.
func (p *PSD) UnmarshalText(text []byte) error {
	v, err := psdNames.Parse("PSD", text)
	*p = PSD(v)
	return err
}

// DMARCRecord is a DMARC policy record (RFC 9989 section 4.7). A tag with a bad
// value stands at its default; Findings says so.
type DMARCRecord struct {
	Text         string        `json:"text"`
	Policy       Policy        `json:"p"`
	Subdomains   Policy        `json:"sp"`
	NonExistent  Policy        `json:"np"`
	SPF          AlignmentMode `json:"aspf"`
	DKIM         AlignmentMode `json:"adkim"`
	PSD          PSD           `json:"psd"`
	Testing      bool          `json:"t"`
	Percent      int           `json:"pct"` // for receivers of RFC 7489 only; 100 when absent
	Aggregate    []ReportURI   `json:"rua"`
	Failure      []ReportURI   `json:"ruf"`
	FailureFor   string        `json:"fo"` // as written; "0" when absent or bad
	Tags         []Tag         `json:"tags"`
	Findings     []Finding     `json:"findings"`
	policyBroken bool          // p, sp or np has a bad value
}

// ErrNotDMARC says that a text record is no DMARC record: v=DMARC1 is not its
// first tag, in exactly these letters (RFC 9989 section 4.7).
var ErrNotDMARC = errors.New("dnscheck: the record does not begin with v=DMARC1")

// ParseDMARC reads a DMARC policy record. What is wrong in it behind the version
// makes findings, as the standard has such tags ignored; the only error is
// ErrNotDMARC.
func ParseDMARC(record string) (*DMARCRecord, error) {
	if !hasVersion(record, dmarcVersion) {
		return nil, ErrNotDMARC
	}
	p := dmarcParser{DMARCRecord: &DMARCRecord{Text: record, Percent: 100, FailureFor: "0"}}
	for tag := range tags(record) {
		p.Tags = append(p.Tags, tag)
		p.tag(tag)
	}
	p.finish()
	list(&p.Aggregate)
	list(&p.Failure)
	list(&p.Tags)
	list(&p.Findings)
	return p.DMARCRecord, nil
}

// dmarcTags are the tags in use, then the removed ones.
var dmarcTags = []string{"v", "p", "sp", "np", "adkim", "aspf", "fo", "psd", "rua", "ruf", "t", "pct", "rf", "ri"}

type dmarcParser struct {
	*DMARCRecord
	seen uint32 // bits of dmarcTags
	fo   Tag
}

func (p *dmarcParser) find(id string, t Tag, args ...any) {
	if len(p.Findings) < maxRecordFindings {
		p.Findings = append(p.Findings, dmarcRules.finding(id, Position{Record: p.Text, Start: t.Start, End: t.End}, args...))
	}
}

// maxRecordFindings is how many findings of one record are kept: a hostile
// record of 64 KiB has room for 30,000 bad tags.
const maxRecordFindings = 100

func (p *dmarcParser) tag(t Tag) {
	name := strings.ToLower(t.Name)
	at := slices.Index(dmarcTags, name)
	switch {
	case name == "":
		p.find("dmarc-tag-malformed", t, clip(t.Value))
		return
	case at < 0:
		p.find("dmarc-tag-unknown", t, clip(t.Name))
		return
	case p.seen&(1<<at) != 0:
		p.find("dmarc-tag-repeated", t, name)
		return
	}
	if name != t.Name {
		p.find("dmarc-tag-case", t, t.Name)
	}
	p.seen |= 1 << at
	switch name {
	case "p":
		p.Policy = p.policy(t)
		if len(p.Tags) != 2 {
			p.find("dmarc-p-not-second", t)
		}
	case "sp":
		p.Subdomains = p.policy(t)
	case "np":
		p.NonExistent = p.policy(t)
	case "adkim":
		p.DKIM = AlignmentMode(p.choice(t, "r", "s"))
	case "aspf":
		p.SPF = AlignmentMode(p.choice(t, "r", "s"))
	case "psd":
		p.PSD = PSD(p.choice(t, "u", "y", "n"))
	case "t":
		p.Testing = p.choice(t, "n", "y") == 1
	case "fo":
		p.fo = t
		if validFailureOptions(t.Value) {
			p.FailureFor = t.Value
		} else {
			p.find("dmarc-value-invalid", t, name, clip(t.Value))
		}
	case "rua":
		p.Aggregate = p.uris(t)
	case "ruf":
		p.Failure = p.uris(t)
	case "pct":
		p.percent(t)
	case "rf", "ri":
		p.find("dmarc-tag-removed", t, name)
	}
}

func (p *dmarcParser) policy(t Tag) Policy {
	for _, policy := range []Policy{PolicyNone, PolicyQuarantine, PolicyReject} {
		if strings.EqualFold(t.Value, policy.String()) {
			return policy
		}
	}
	p.policyBroken = true
	p.find("dmarc-policy-invalid", t, t.Name, clip(t.Value))
	return PolicyInvalid
}

// choice returns which of the values a tag has; the first is the default.
func (p *dmarcParser) choice(t Tag, values ...string) int {
	for i, value := range values {
		if strings.EqualFold(t.Value, value) {
			return i
		}
	}
	p.find("dmarc-value-invalid", t, t.Name, clip(t.Value))
	return 0
}

func (p *dmarcParser) percent(t Tag) {
	n, err := strconv.ParseUint(t.Value, 10, 8)
	switch {
	case err != nil || n > 100:
		p.find("dmarc-value-invalid", t, t.Name, clip(t.Value))
	case n == 100:
		p.find("dmarc-tag-removed", t, "pct")
	case n == 0:
		p.Percent = 0
		p.find("dmarc-pct-zero", t)
	default:
		p.Percent = int(n)
		p.find("dmarc-pct-partial", t, n, n)
	}
}

// validFailureOptions checks the value of fo: 0 or 1 but not both, d and s, each
// once, between colons.
func validFailureOptions(value string) bool {
	seen := ""
	for option := range strings.SplitSeq(value, ":") {
		option = strings.ToLower(strings.Trim(option, blanks))
		if len(option) != 1 || !strings.Contains("01ds", option) || strings.Contains(seen, option) {
			return false
		}
		seen += option
	}
	return !strings.Contains(seen, "0") || !strings.Contains(seen, "1")
}

// finish looks at the record as a whole.
func (p *dmarcParser) finish() {
	whole := Tag{}
	if p.Policy == PolicyAbsent {
		p.find("dmarc-policy-missing", whole)
	}
	if p.Policy == PolicyNone {
		p.find("dmarc-policy-none", p.named("p"))
	}
	if p.Testing {
		p.find("dmarc-testing", p.named("t"))
	}
	if p.PSD == PSDYes {
		p.find("dmarc-psd-yes", p.named("psd"))
	}
	if p.Aggregate == nil {
		p.find("dmarc-rua-missing", whole)
	}
	if p.fo.Name != "" && p.Failure == nil {
		p.find("dmarc-fo-without-ruf", p.fo)
	}
}

// named returns the first tag of that name.
func (r *DMARCRecord) named(name string) Tag {
	for _, t := range r.Tags {
		if strings.EqualFold(t.Name, name) {
			return t
		}
	}
	return Tag{}
}

// Usable reports whether receivers apply the record at all: it has valid
// policies, or at least somewhere to send reports (RFC 9989 section 4.10.1).
func (r *DMARCRecord) Usable() bool {
	return !r.policyBroken && r.Policy != PolicyAbsent || len(r.Aggregate) > 0
}

// For returns the policy for the domain that publishes the record (below is
// false) or for a name below it, which exists or not, and the tag it comes
// from. Test mode is not applied. A record that is not Usable gives
// PolicyAbsent.
func (r *DMARCRecord) For(below, exists bool) (policy Policy, tag string) {
	if !r.Usable() {
		return PolicyAbsent, ""
	}
	if r.policyBroken || r.Policy == PolicyAbsent {
		return PolicyNone, ""
	}
	switch {
	case below && !exists && r.NonExistent != PolicyAbsent:
		return r.NonExistent, "np"
	case below && r.Subdomains != PolicyAbsent:
		return r.Subdomains, "sp"
	}
	return r.Policy, "p"
}
