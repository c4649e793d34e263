package dnscheck

import (
	"net/url"
	"strings"
)

// ReportURI is a destination of reports in a rua or ruf tag.
type ReportURI struct {
	Text    string `json:"text"`    // as written, without the obsolete size limit
	Scheme  string `json:"scheme"`  // in lower case
	Address string `json:"address"` // of mailto, decoded; "" for other schemes
	Host    string `json:"host"`    // domain of the address, or the URI's host
	Limit   string `json:"limit"`   // the obsolete size limit: "10m"; "" when absent
	Start   int    `json:"start"`   // byte offsets in the record
	End     int    `json:"end"`
}

// maxReportURIs is how many destinations of a tag are read.
const maxReportURIs = 100

// uris reads a comma-separated list of destinations.
func (p *dmarcParser) uris(t Tag) (list []ReportURI) {
	for at := 0; at <= len(t.Value) && len(list) < maxReportURIs; {
		end := strings.IndexByte(t.Value[at:], ',')
		if end < 0 {
			end = len(t.Value) - at
		}
		start, stop := trimSpan(t.Value, at, at+end)
		at += end + 1
		where := Tag{Start: t.valueAt + start, End: t.valueAt + stop}
		text := t.Value[start:stop]
		uri, problem := parseReportURI(text)
		if problem != "" {
			if where.Start == where.End {
				where = t
			}
			p.find("dmarc-uri-invalid", where, clip(text), problem)
			continue
		}
		uri.Start, uri.End = where.Start, where.End
		if uri.Limit != "" {
			p.find("dmarc-size-removed", where, uri.Limit)
		}
		if uri.Scheme != "mailto" {
			p.find("dmarc-uri-scheme", where, clip(uri.Scheme))
		}
		list = append(list, uri)
	}
	return list
}

// parseReportURI reads one destination and says what is wrong with it, or "".
func parseReportURI(text string) (u ReportURI, problem string) {
	if text == "" {
		return u, "it is empty"
	}
	for i := range len(text) {
		if text[i] <= ' ' || text[i] >= 0x7f {
			return u, "only visible ASCII is allowed"
		}
	}
	if i := strings.LastIndexByte(text, '!'); i >= 0 {
		if !isSizeLimit(text[i+1:]) {
			return u, "an exclamation mark has to be written %21"
		}
		text, u.Limit = text[:i], text[i+1:]
	}
	parsed, err := url.Parse(text)
	if err != nil || parsed.Scheme == "" {
		if strings.Contains(text, "@") {
			return u, "mailto: is missing in front of the address"
		}
		return u, "it is no URI"
	}
	u.Text, u.Scheme, u.Host = text, parsed.Scheme, canonical(parsed.Hostname())
	if u.Scheme != "mailto" {
		return u, ""
	}
	address, err := url.PathUnescape(parsed.Opaque)
	local, host, ok := cutAddress(address)
	if err != nil || !ok || local == "" {
		return u, "there is no address behind mailto:"
	}
	u.Address = address
	if u.Host, err = domainName(host); err != nil {
		return u, "the address has no valid domain"
	}
	return u, ""
}

// isSizeLimit reports whether s is the obsolete size limit: digits and a unit.
func isSizeLimit(s string) bool {
	if s != "" && strings.IndexByte("kmgtKMGT", s[len(s)-1]) >= 0 {
		s = s[:len(s)-1]
	}
	return isDigits(s)
}
