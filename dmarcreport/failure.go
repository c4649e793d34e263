package dmarcreport

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/mailfault/mailfault/internal/mime"
)

// FailureReport is a report about one message that failed authentication, or
// that a user complained of (RFC 5965, RFC 6591, RFC 9991).
type FailureReport struct {
	FeedbackType      string        `json:"feedback_type"` // auth-failure, abuse, ...; verbatim
	Version           string        `json:"version,omitempty"`
	UserAgent         string        `json:"user_agent,omitempty"`
	AuthFailure       string        `json:"auth_failure,omitempty"` // dmarc, spf, dkim, bodyhash, ... (RFC 6591 section 3.3)
	DeliveryResult    string        `json:"delivery_result,omitempty"`
	IdentityAlignment []string      `json:"identity_alignment,omitempty"` // what was aligned and failed: spf, dkim, none (RFC 7489 section 7.3.1)
	ReportedDomains   []string      `json:"reported_domains,omitempty"`
	SourceIP          netip.Addr    `json:"source_ip,omitzero"`
	SourceIPRaw       string        `json:"source_ip_raw,omitempty"`
	ArrivalDate       string        `json:"arrival_date,omitempty"` // verbatim
	ReportingMTA      string        `json:"reporting_mta,omitempty"`
	OriginalMailFrom  string        `json:"original_mail_from,omitempty"`
	OriginalRcptTo    []string      `json:"original_rcpt_to,omitempty"`
	EnvelopeID        string        `json:"original_envelope_id,omitempty"`
	AuthResults       []string      `json:"authentication_results,omitempty"`
	DKIMDomain        string        `json:"dkim_domain,omitempty"`
	DKIMIdentity      string        `json:"dkim_identity,omitempty"`
	DKIMSelector      string        `json:"dkim_selector,omitempty"`
	SPFDNS            []string      `json:"spf_dns,omitempty"`
	Incidents         int           `json:"incidents"` // 1 where the report names no number (RFC 5965 section 3.2)
	Fields            []ReportField `json:"fields"`    // all, in order, verbatim
	Original          []byte        `json:"-"`         // of the message: its header or all of it
	HeadersOnly       bool          `json:"headers_only"`
	Text              bool          `json:"text"` // read from a notice for people, without a feedback part
	Findings          []Finding     `json:"findings"`
}

// ReportField is a field of a feedback report as written.
type ReportField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// failure reads a feedback report.
func (w *walker) failure(root, part *mime.Part, at place) error {
	body, _ := part.Decoded()
	fields, _, _ := mime.ReadGroup(nil, body, 0)
	rep := newFailure(fields, at.part+" "+part.Path, w.limits)
	rep.original(root)
	if w.strict {
		for _, f := range rep.Findings {
			if f.Severity > Info {
				return w.give(at, &RepairError{f})
			}
		}
	}
	w.hand(&Document{Kind: KindFailure, Part: at.part, Carrier: at.carrier, Failure: rep})
	return nil
}

func newFailure(fields mime.Header, part string, limits Limits) *FailureReport {
	n := &notes{part: part, max: limits.Findings}
	rep := &FailureReport{Incidents: 1}
	single := map[string]*string{
		"feedback-type": &rep.FeedbackType, "version": &rep.Version, "user-agent": &rep.UserAgent, "auth-failure": &rep.AuthFailure,
		"delivery-result": &rep.DeliveryResult, "arrival-date": &rep.ArrivalDate, "received-date": &rep.ArrivalDate,
		"reporting-mta": &rep.ReportingMTA, "original-mail-from": &rep.OriginalMailFrom, "original-envelope-id": &rep.EnvelopeID,
		"dkim-domain": &rep.DKIMDomain, "dkim-identity": &rep.DKIMIdentity, "dkim-selector": &rep.DKIMSelector,
	}
	many := map[string]*[]string{
		"reported-domain": &rep.ReportedDomains, "original-rcpt-to": &rep.OriginalRcptTo, "authentication-results": &rep.AuthResults,
		"spf-dns": &rep.SPFDNS,
	}
	for _, f := range fields {
		name, value := strings.ToLower(f.Name), f.Value()
		rep.Fields = append(rep.Fields, ReportField{f.Name, value})
		switch {
		case single[name] != nil:
			if *single[name] != "" {
				n.add(note{id: findFieldTwice, child: f.Name, at: int64(f.Offset), before: cut([]byte(value))})
				continue
			}
			*single[name] = value
		case many[name] != nil:
			*many[name] = append(*many[name], value)
		case name == "source-ip":
			rep.source(value, n, int64(f.Offset))
		case name == "identity-alignment":
			rep.IdentityAlignment = strings.FieldsFunc(strings.ToLower(value), func(r rune) bool { return r == ',' || r == ' ' })
		case name == "incidents":
			v, err := strconv.Atoi(value)
			if err != nil || v < 0 {
				n.add(note{id: findNumber, child: f.Name, at: int64(f.Offset), before: cut([]byte(value)), spec: "RFC 5965 section 3.2"})
				continue
			}
			rep.Incidents = v
		}
	}
	for _, must := range []struct{ name, value string }{{"Feedback-Type", rep.FeedbackType}, {"Version", rep.Version}, {"User-Agent", rep.UserAgent}} {
		if must.value == "" {
			n.add(note{id: findMissing, child: must.name, spec: "RFC 5965 section 3.1"})
		}
	}
	if strings.EqualFold(rep.FeedbackType, "auth-failure") && rep.AuthFailure == "" {
		n.add(note{id: findMissing, child: "Auth-Failure", spec: "RFC 6591 section 3.1"})
	}
	rep.Findings = n.findings
	return rep
}

// source reads an address, also one followed by a name in brackets.
func (r *FailureReport) source(value string, n *notes, at int64) {
	text, rest, _ := strings.Cut(strings.TrimSpace(value), " ")
	ip, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		r.SourceIPRaw = value
		n.add(note{id: findAddress, child: "Source-IP", at: at, before: cut([]byte(value)), spec: "RFC 5965 section 3.2"})
		return
	}
	r.SourceIP = ip.Unmap().WithZone("")
	if r.SourceIP.String() != value {
		r.SourceIPRaw = value
	}
	if rest != "" {
		n.add(note{id: findAddressForm, child: "Source-IP", at: at, before: cut([]byte(value)), after: ip.String(), spec: "RFC 5965 section 3.2"})
	}
}

// original finds the message the report is about, by its type.
func (r *FailureReport) original(root *mime.Part) {
	for _, t := range []string{"message/rfc822", "message/global", "text/rfc822-headers", "message/rfc822-headers", "message/global-headers"} {
		if p := findPart(root, t); p != nil {
			original, _ := p.Decoded()
			r.Original = []byte(original)
			r.HeadersOnly = strings.HasSuffix(t, "headers")
			return
		}
	}
}

// noticeLabels are the lines of the failure notice that Exim's DMARC support
// writes for people, without a feedback part.
var noticeLabels = [...]struct{ label, field string }{
	{"Sender Domain:", "Reported-Domain"},
	{"Sender IP Address:", "Source-IP"},
	{"Received date:", "Arrival-Date"},
	{"SPF Alignment:", "X-SPF-Alignment"},
	{"DKIM Alignment:", "X-DKIM-Alignment"},
	{"DMARC Results:", "X-DMARC-Results"},
}

// notice reads a failure notice for people; nil where a text is none.
func notice(text string, part string, limits Limits) *FailureReport {
	var fields mime.Header
	for line := range strings.Lines(text[:min(len(text), 8<<10)]) {
		line = strings.TrimSpace(line)
		for _, l := range noticeLabels {
			if v, ok := strings.CutPrefix(line, l.label); ok {
				fields = append(fields, mime.Field{Name: l.field, Raw: v})
			}
		}
	}
	if len(fields) < 4 {
		return nil
	}
	rep := newFailure(fields, part, limits)
	rep.Text, rep.Findings = true, nil
	const copyMark = "copy of the headers"
	if i := strings.Index(text, copyMark); i >= 0 {
		if j := strings.Index(text[i:], "\n"); j >= 0 {
			rep.Original, rep.HeadersOnly = []byte(strings.TrimLeft(text[i+j:], "\n")), true
		}
	}
	n := &notes{part: part, max: limits.Findings}
	n.add(note{id: findNotice})
	rep.Findings = n.findings
	return rep
}
