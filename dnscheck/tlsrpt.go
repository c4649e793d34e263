package dnscheck

import (
	"context"
	"strings"
)

const (
	tlsrptVersion = "TLSRPTv1"
	tlsrptLabel   = "_smtp._tls."
)

// TLSRPTRecord is the text record that asks for TLS reports (RFC 8460 section 3).
type TLSRPTRecord struct {
	Text     string      `json:"text"`
	Reports  []ReportURI `json:"rua"`
	Tags     []Tag       `json:"tags"`
	Findings []Finding   `json:"findings"`
}

// ParseTLSRPT reads a TLS-RPT record. The record is never nil: beside
// ErrBadRecord it holds what could be read.
func ParseTLSRPT(record string) (*TLSRPTRecord, error) {
	t := &TLSRPTRecord{Text: record, Reports: []ReportURI{}}
	p := fields{record: record, prefix: "tls-rpt-field-", known: []string{"v", "rua"}, rules: tlsrptRules}
	t.Tags = p.read()
	if len(exactly(Answer{TXT: []TXT{{Text: record}}}, tlsrptVersion)) == 0 {
		p.find("tls-rpt-near", Tag{})
	} else if rua, ok := p.value("rua"); !ok {
		p.find("tls-rpt-rua-missing", Tag{})
	} else {
		t.destinations(rua, &p)
	}
	t.Findings = p.findings
	return t, p.err()
}

// destinations reads the comma-separated list of rua.
func (t *TLSRPTRecord) destinations(rua Tag, p *fields) {
	at := 0
	for part := range strings.SplitSeq(rua.Value, ",") {
		start, end := trimSpan(rua.Value, at, at+len(part))
		at += len(part) + 1
		where := Tag{Start: rua.valueAt + start, End: rua.valueAt + end}
		if start == end {
			where = rua
		}
		if len(t.Reports) == maxReportURIs {
			break
		}
		uri, problem := parseReportURI(rua.Value[start:end])
		if problem == "" && uri.Limit != "" {
			problem = "an exclamation mark has to be written %21"
		}
		if problem == "" && uri.Scheme == "https" && uri.Host == "" {
			problem = "it names no host"
		}
		switch {
		case problem != "":
			p.find("tls-rpt-uri-invalid", where, clip(rua.Value[start:end]), problem)
		case uri.Scheme != "mailto" && uri.Scheme != "https":
			p.find("tls-rpt-uri-scheme", where, clip(uri.Scheme))
		default:
			uri.Start, uri.End = where.Start, where.End
			t.Reports = append(t.Reports, uri)
		}
	}
	if len(t.Reports) == 0 {
		p.find("tls-rpt-rua-useless", rua)
	}
}

// TLSRPTCheck is what a domain says about TLS reports.
type TLSRPTCheck struct {
	Domain   string        `json:"domain"`
	Name     string        `json:"name"` // that was asked
	Outcome  Outcome       `json:"outcome"`
	CNAME    []string      `json:"cname,omitempty"`
	Record   *TLSRPTRecord `json:"record"` // nil: none, or several
	Findings []Finding     `json:"findings"`
	Err      error         `json:"-"` // ErrDNS, ErrNoRecord, ErrManyRecords, ErrBadRecord, ErrBadDomain
}

// CheckTLSRPT looks at a domain's TLS-RPT record. Unlike DMARC's, its
// destinations in other domains need no consent.
func CheckTLSRPT(ctx context.Context, r Resolver, domain string) *TLSRPTCheck {
	found := lookTXT(ctx, r, tlsrptLabel, domain, tlsrptVersion, tlsrptRules, "tls-rpt-", true)
	c := &TLSRPTCheck{Domain: domain, Name: found.name, Outcome: found.outcome, CNAME: found.cname, Findings: found.findings, Err: found.err}
	if found.domain != "" {
		c.Domain = found.domain
	}
	if c.Err == nil {
		c.Record, c.Err = ParseTLSRPT(found.record)
		c.Findings = append(c.Findings, placed(c.Record.Findings, c.Name)...)
	}
	return c
}
