package dmarcreport

import (
	"net/netip"
	"time"
)

// Report is one aggregate report, gathered: what a receiver saw of the mail
// that bears a domain in its From field, over a period.
type Report struct {
	Metadata Metadata        `json:"report_metadata"`
	Policy   PolicyPublished `json:"policy_published"`
	Records  []Record        `json:"records"`
	Dialect  Dialect         `json:"dialect"`
	Findings []Finding       `json:"findings"`
	Dropped  int             `json:"dropped_findings,omitempty"` // findings past Limits.Findings
}

// NoTraffic reports whether the report says that there was no mail: it has
// no record with a source or a count. Such a report is neither a pass nor a
// failure.
func (r *Report) NoTraffic() bool {
	for i := range r.Records {
		if !r.Records[i].NoTraffic() {
			return false
		}
	}
	return true
}

// Metadata says who reports about which period (report_metadata, RFC 7489
// appendix C, RFC 9990 section 3.1.1.3).
type Metadata struct {
	Version          string    `json:"version,omitempty"` // of the report's form, as declared; it does not tell the RFC
	OrgName          string    `json:"org_name"`
	Email            string    `json:"email"`
	ExtraContactInfo string    `json:"extra_contact_info,omitempty"`
	ReportID         string    `json:"report_id"` // verbatim: it can hold "@" and brackets, and is unique only with the reporter
	DateRange        DateRange `json:"date_range"`
	Errors           []string  `json:"errors,omitempty"`     // what the reporter says went wrong on its side
	Generator        string    `json:"generator,omitempty"`  // RFC 9990: the software that made the report
	Extensions       []string  `json:"extensions,omitempty"` // names of elements of other namespaces at the level of the report
}

// DateRange is the period of a report. Begin and End are zero where the report
// has no date that can be read; the raw texts are verbatim. End is inclusive
// as reporters use it: 23:59:59, or the next midnight.
type DateRange struct {
	Begin    time.Time `json:"begin,omitzero"`
	End      time.Time `json:"end,omitzero"`
	BeginRaw string    `json:"begin_raw,omitempty"`
	EndRaw   string    `json:"end_raw,omitempty"`
}

// PolicyPublished is the DMARC record as the reporter found it.
type PolicyPublished struct {
	Domain    string        `json:"domain"`          // where the record was found, mostly
	ADKIM     AlignmentMode `json:"adkim,omitempty"` // absent means relaxed
	ASPF      AlignmentMode `json:"aspf,omitempty"`
	P         Disposition   `json:"p,omitempty"`
	SP        Disposition   `json:"sp,omitempty"`
	NP        Disposition   `json:"np,omitempty"`               // RFC 9990: for names that do not exist
	Pct       string        `json:"pct,omitempty"`              // RFC 7489; gone in RFC 9990
	FO        string        `json:"fo,omitempty"`               // failure reporting options, verbatim
	Testing   string        `json:"testing,omitempty"`          // RFC 9990: "y" or "n"
	Discovery string        `json:"discovery_method,omitempty"` // RFC 9990: "psl" or "treewalk"
	Raw       PolicyWords   `json:"raw,omitzero"`
}

// PolicyWords are the policy's words as written, for those who must quote them.
type PolicyWords struct {
	ADKIM string `json:"adkim,omitempty"`
	ASPF  string `json:"aspf,omitempty"`
	P     string `json:"p,omitempty"`
	SP    string `json:"sp,omitempty"`
	NP    string `json:"np,omitempty"`
}

// Record is what a reporter saw of one source: a number of messages alike.
type Record struct {
	// SourceIP is the sending address, zero where there is none that can be
	// read. IPv4-mapped IPv6 addresses are unmapped, zones removed.
	SourceIP netip.Addr `json:"source_ip,omitzero"`
	// SourceIPRaw is the address as written where that is not the usual form
	// of SourceIP, "" otherwise.
	SourceIPRaw string `json:"source_ip_raw,omitempty"`
	Count       int64  `json:"count"`               // messages; 0 where CountRaw cannot be read
	CountRaw    string `json:"count_raw,omitempty"` // as written where that is not Count in digits

	Evaluated Evaluated `json:"policy_evaluated"`

	HeaderFrom       string       `json:"header_from"`                  // domain of the From field: what DMARC is about
	EnvelopeFrom     string       `json:"envelope_from,omitempty"`      // domain of MAIL FROM
	NullEnvelopeFrom bool         `json:"null_envelope_from,omitempty"` // the element is there and empty: a null reverse-path
	EnvelopeTo       string       `json:"envelope_to,omitempty"`
	DKIM             []DKIMResult `json:"dkim,omitempty"`
	SPF              []SPFResult  `json:"spf,omitempty"`
	Extensions       []string     `json:"extensions,omitempty"` // names of elements of other namespaces in the record

	Offset  int64 `json:"offset"`            // of the record in the decoded document, in bytes
	Partial bool  `json:"partial,omitempty"` // the document ends within it
}

// NoTraffic reports whether the record stands for no mail: no source, no
// count. Some reporters send it on days without mail.
func (r *Record) NoTraffic() bool {
	return r.Count == 0 && !r.SourceIP.IsValid() && (r.CountRaw == "" || r.CountRaw == "0") && r.SourceIPRaw == ""
}

// Clone returns a copy that shares no slices with r.
func (r *Record) Clone() Record {
	c := *r
	c.Evaluated.Reasons = append([]Reason(nil), r.Evaluated.Reasons...)
	c.DKIM = append([]DKIMResult(nil), r.DKIM...)
	c.SPF = append([]SPFResult(nil), r.SPF...)
	c.Extensions = append([]string(nil), r.Extensions...)
	return c
}

// Evaluated is what the reporter made of the record: aligned results, and what
// it did. See [Evaluate] for what the record itself supports.
type Evaluated struct {
	Disposition    Disposition `json:"disposition,omitempty"`
	DKIM           Result      `json:"dkim,omitempty"` // aligned pass or fail
	SPF            Result      `json:"spf,omitempty"`
	Reasons        []Reason    `json:"reasons,omitempty"`
	DispositionRaw string      `json:"disposition_raw,omitempty"`
	DKIMRaw        string      `json:"dkim_raw,omitempty"`
	SPFRaw         string      `json:"spf_raw,omitempty"`
}

// Pass reports whether the reporter says that one of the two passed with an
// aligned domain. A missing or unknown word is no pass.
func (e *Evaluated) Pass() bool { return e.DKIM == ResultPass || e.SPF == ResultPass }

// Reason is why a reporter did other than the policy asks.
type Reason struct {
	Type    Override `json:"type,omitempty"`
	TypeRaw string   `json:"type_raw,omitempty"`
	Comment string   `json:"comment,omitempty"`
	Lang    string   `json:"lang,omitempty"` // of the comment (RFC 9990)
}

// DKIMResult is the result of one signature, aligned or not.
type DKIMResult struct {
	Domain      string `json:"domain"`
	Selector    string `json:"selector,omitempty"`
	Result      Result `json:"result,omitempty"`
	ResultRaw   string `json:"result_raw,omitempty"`
	HumanResult string `json:"human_result,omitempty"`
}

// SPFResult is the result for one SPF identity, aligned or not.
type SPFResult struct {
	Domain      string   `json:"domain"`
	Scope       SPFScope `json:"scope,omitempty"`
	ScopeRaw    string   `json:"scope_raw,omitempty"`
	Result      Result   `json:"result,omitempty"`
	ResultRaw   string   `json:"result_raw,omitempty"`
	HumanResult string   `json:"human_result,omitempty"`
}
