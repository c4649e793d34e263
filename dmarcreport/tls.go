package dmarcreport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// TLSReport is an SMTP TLS report (RFC 8460): how often a sender could use
// TLS towards a domain, and why not.
type TLSReport struct {
	OrganizationName string      `json:"organization_name"`
	ContactInfo      string      `json:"contact_info,omitempty"`
	ReportID         string      `json:"report_id"`
	DateRange        DateRange   `json:"date_range"`
	Policies         []TLSPolicy `json:"policies"`
	Findings         []Finding   `json:"findings"`
}

// TLSPolicy is what came of one policy (RFC 8460 section 4.4). A count is
// negative where the report has none that can be read.
type TLSPolicy struct {
	Type       string       `json:"policy_type"` // tlsa, sts or no-policy-found; verbatim
	Strings    []string     `json:"policy_string,omitempty"`
	Domain     string       `json:"policy_domain"`
	MXHosts    []string     `json:"mx_host,omitempty"`
	Successful int64        `json:"total_successful_session_count"`
	Failed     int64        `json:"total_failure_session_count"`
	Failures   []TLSFailure `json:"failure_details,omitempty"`
}

// TLSFailure is one kind of failure (RFC 8460 section 4.3 lists the types).
type TLSFailure struct {
	ResultType          string     `json:"result_type"` // verbatim
	SendingMTAIP        netip.Addr `json:"sending_mta_ip,omitzero"`
	SendingMTAIPRaw     string     `json:"sending_mta_ip_raw,omitempty"`
	ReceivingMXHostname string     `json:"receiving_mx_hostname,omitempty"`
	ReceivingMXHELO     string     `json:"receiving_mx_helo,omitempty"`
	ReceivingIP         netip.Addr `json:"receiving_ip,omitzero"`
	ReceivingIPRaw      string     `json:"receiving_ip_raw,omitempty"`
	FailedSessions      int64      `json:"failed_session_count"`
	AdditionalInfo      string     `json:"additional_information,omitempty"`
	FailureReasonCode   string     `json:"failure_reason_code,omitempty"`
}

// tlsResultTypes are the registered result types (RFC 8460 section 6.6).
var tlsResultTypes = [...]string{
	"starttls-not-supported", "certificate-host-mismatch", "certificate-not-trusted", "certificate-expired",
	"validation-failure", "tlsa-invalid", "dnssec-invalid", "dane-required", "sts-policy-fetch-error",
	"sts-policy-invalid", "sts-webpki-invalid",
}

// tls reads a JSON document.
func (w *walker) tls(r io.Reader, at place) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return w.give(at, err)
	}
	rep, err := parseTLS(data, at.part, w.limits)
	if err != nil {
		return w.give(at, err)
	}
	if w.strict {
		for _, f := range rep.Findings {
			if f.Severity > Info {
				return w.give(at, &RepairError{f})
			}
		}
	}
	w.hand(&Document{Kind: KindTLS, Part: at.part, Carrier: at.carrier, TLS: rep})
	return nil
}

// ParseTLS reads the JSON of an SMTP TLS report. The error is ErrNotReport,
// ErrCorrupt or, for more than Limits.Gathered objects, a *LimitError; all else that is wrong is a finding.
func ParseTLS(data []byte) (*TLSReport, error) {
	return parseTLS(data, "", Limits{}.withDefaults())
}

func parseTLS(data []byte, part string, limits Limits) (*TLSReport, error) {
	// What JSON unpacks to is many times its own size: it is bounded before.
	if objects := int64(bytes.Count(data, []byte("{"))); objects > limits.Gathered {
		return nil, &LimitError{"Gathered", limits.Gathered, int64(len(data))}
	}
	const valuesEach = 10 // of a policy or failure in honest reports
	if values := int64(bytes.Count(data, []byte(",")) + bytes.Count(data, []byte("["))); values/valuesEach > limits.Gathered {
		return nil, &LimitError{"Gathered", limits.Gathered, int64(len(data))}
	}
	var top map[string]any
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	dec.UseNumber()
	if err := dec.Decode(&top); err != nil {
		if bytes.Contains(data, []byte("organization-name")) || bytes.Contains(data, []byte("policy-type")) {
			return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		return nil, fmt.Errorf("%w: %w", ErrNotReport, err)
	}
	t := &tlsReader{notes: notes{part: part, max: limits.Findings}}
	_, policies := top["policies"]
	_, name := top["organization-name"]
	_, id := top["report-id"]
	if !policies && !(name && id) {
		return nil, ErrNotReport
	}
	out := &TLSReport{OrganizationName: t.text(top, "organization-name", true), ContactInfo: t.text(top, "contact-info", false),
		ReportID: t.text(top, "report-id", true)}
	dates, _ := top["date-range"].(map[string]any)
	if dates == nil {
		t.found(findTLSMissing, "date-range", "")
	} else {
		out.DateRange.Begin, out.DateRange.BeginRaw = t.date(dates, "start-datetime")
		out.DateRange.End, out.DateRange.EndRaw = t.date(dates, "end-datetime")
	}
	for _, p := range t.list(top, "policies", true) {
		if obj, ok := p.(map[string]any); ok {
			out.Policies = append(out.Policies, t.policy(obj))
		} else {
			t.found(findTLSForm, "policies", fmt.Sprint(p))
		}
	}
	out.Findings = append([]Finding{}, t.notes.findings...) // [] in JSON
	return out, nil
}

type tlsReader struct{ notes notes }

func (t *tlsReader) found(id findingID, key, before string) {
	t.notes.add(note{id: id, child: key, before: cut([]byte(before))})
}

func (t *tlsReader) policy(obj map[string]any) TLSPolicy {
	pol, _ := obj["policy"].(map[string]any)
	if pol == nil {
		t.found(findTLSMissing, "policy", "")
		pol = map[string]any{}
	}
	out := TLSPolicy{Type: t.text(pol, "policy-type", true), Domain: t.text(pol, "policy-domain", true),
		Strings: t.texts(pol, "policy-string"), MXHosts: append(t.texts(pol, "mx-host"), t.texts(pol, "mx-host-pattern")...)}
	switch strings.ToLower(out.Type) {
	case "tlsa", "sts", "no-policy-found":
		if out.Type != strings.ToLower(out.Type) {
			t.found(findTLSWordCase, "policy-type", out.Type)
		}
	case "":
	default:
		t.found(findTLSWord, "policy-type", out.Type)
	}
	sum, _ := obj["summary"].(map[string]any)
	if sum == nil {
		t.found(findTLSMissing, "summary", "")
		out.Successful, out.Failed = -1, -1
	} else {
		out.Successful = t.number(sum, "total-successful-session-count")
		out.Failed = t.number(sum, "total-failure-session-count")
	}
	for _, f := range t.list(obj, "failure-details", false) {
		if m, ok := f.(map[string]any); ok {
			out.Failures = append(out.Failures, t.failure(m))
		} else {
			t.found(findTLSForm, "failure-details", fmt.Sprint(f))
		}
	}
	return out
}

func (t *tlsReader) failure(m map[string]any) TLSFailure {
	out := TLSFailure{ResultType: t.text(m, "result-type", true), ReceivingMXHostname: t.text(m, "receiving-mx-hostname", false),
		ReceivingMXHELO: t.text(m, "receiving-mx-helo", false), FailedSessions: t.number(m, "failed-session-count"),
		AdditionalInfo: t.text(m, "additional-information", false), FailureReasonCode: t.text(m, "failure-reason-code", false)}
	out.SendingMTAIP, out.SendingMTAIPRaw = t.address(m, "sending-mta-ip")
	out.ReceivingIP, out.ReceivingIPRaw = t.address(m, "receiving-ip")
	registered := false
	for _, r := range tlsResultTypes {
		registered = registered || r == out.ResultType
	}
	if !registered && out.ResultType != "" {
		t.found(findTLSWord, "result-type", out.ResultType)
	}
	return out
}

// text reads a string; numbers and null are taken for what they say.
func (t *tlsReader) text(m map[string]any, key string, must bool) string {
	switch v := m[key].(type) {
	case string:
		return v
	case json.Number:
		t.found(findTLSForm, key, v.String())
		return v.String()
	case nil:
		if _, there := m[key]; there {
			t.found(findTLSForm, key, "null")
		} else if must {
			t.found(findTLSMissing, key, "")
		}
	default:
		t.found(findTLSForm, key, fmt.Sprint(v))
	}
	return ""
}

// texts reads a list of strings, or a string where a list belongs.
func (t *tlsReader) texts(m map[string]any, key string) []string {
	if s, ok := m[key].(string); ok {
		if key == "policy-string" {
			t.found(findTLSForm, key, s)
		}
		return []string{s}
	}
	var out []string
	for _, v := range t.list(m, key, false) {
		if s, ok := v.(string); ok {
			out = append(out, s)
		} else {
			t.found(findTLSForm, key, fmt.Sprint(v))
		}
	}
	return out
}

func (t *tlsReader) list(m map[string]any, key string, must bool) []any {
	switch v := m[key].(type) {
	case []any:
		return v
	case nil:
		if must {
			t.found(findTLSMissing, key, "")
		}
	default:
		t.found(findTLSForm, key, fmt.Sprint(v))
	}
	return nil
}

// number reads a count, as a number or as a string of digits; -1 for none.
func (t *tlsReader) number(m map[string]any, key string) int64 {
	var s string
	switch v := m[key].(type) {
	case json.Number:
		s = v.String()
	case string:
		t.found(findTLSForm, key, v)
		s = v
	case nil:
		t.found(findTLSMissing, key, "")
		return -1
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		t.found(findTLSNumber, key, s)
		return -1
	}
	return n
}

func (t *tlsReader) date(m map[string]any, key string) (time.Time, string) {
	raw := t.text(m, key, true)
	when, err := time.Parse(time.RFC3339, raw)
	if err != nil && raw != "" {
		if when, err = time.Parse("2006-01-02T15:04:05", raw); err != nil {
			if when, err = time.Parse(time.DateOnly, raw); err != nil {
				t.found(findNoDate, key, raw)
				return time.Time{}, raw
			}
		}
		t.found(findDateText, key, raw)
	}
	return when, raw
}

func (t *tlsReader) address(m map[string]any, key string) (netip.Addr, string) {
	raw := t.text(m, key, false)
	if raw == "" {
		return netip.Addr{}, ""
	}
	ip, err := netip.ParseAddr(raw)
	if err != nil {
		t.found(findAddress, key, raw)
		return netip.Addr{}, raw
	}
	if ip.String() == raw {
		raw = ""
	}
	return ip.Unmap().WithZone(""), raw
}
