package dnscheck

import (
	"context"
	"net/url"
)

const (
	bimiVersion = "BIMI1"
	bimiLabel   = "default._bimi."
)

// BIMIRecord is a BIMI assertion record, which names the image that mail
// programs show beside authenticated mail. BIMI is an Internet-Draft.
type BIMIRecord struct {
	Text     string    `json:"text"`
	Logo     string    `json:"l"`        // address of the image
	Evidence string    `json:"a"`        // address of the certificate for it
	Declined bool      `json:"declined"` // an empty l: show none
	Tags     []Tag     `json:"tags"`
	Findings []Finding `json:"findings"`
}

// ParseBIMI reads a BIMI record. The record is never nil: beside ErrBadRecord it
// holds what could be read.
func ParseBIMI(record string) (*BIMIRecord, error) {
	b := &BIMIRecord{Text: record}
	p := fields{record: record, prefix: "bimi-tag-", rules: bimiRules}
	b.Tags = p.read()
	logo, ok := p.value("l")
	evidence, _ := p.value("a")
	b.Logo, b.Evidence = logo.Value, evidence.Value
	usable := false
	switch {
	case !hasVersion(record, bimiVersion):
		p.find("bimi-near", Tag{})
	case !ok:
		p.find("bimi-logo-missing", Tag{})
	case logo.Value == "" && evidence.Value == "":
		b.Declined, usable = true, true
		p.find("bimi-declined", logo)
	case logo.Value != "" && !isHTTPS(logo.Value):
		p.find("bimi-uri-invalid", logo, "l", clip(logo.Value))
	case evidence.Value == "":
		usable = true
		p.find("bimi-no-evidence", Tag{})
	case !isHTTPS(evidence.Value):
		p.find("bimi-uri-invalid", evidence, "a", clip(evidence.Value))
	default:
		usable = true
	}
	b.Findings = p.findings
	if !usable {
		return b, ErrBadRecord
	}
	return b, nil
}

func isHTTPS(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && u.Hostname() != ""
}

// BIMICheck is what a domain says about its brand indicator.
type BIMICheck struct {
	Domain   string      `json:"domain"` // whose record it is: the organizational domain's where the domain has none
	Name     string      `json:"name"`   // that was asked
	Outcome  Outcome     `json:"outcome"`
	Record   *BIMIRecord `json:"record"` // nil: none, or several
	Findings []Finding   `json:"findings"`
	Err      error       `json:"-"` // ErrDNS, ErrNoRecord, ErrManyRecords, ErrBadRecord, ErrBadDomain
}

// CheckBIMI looks for the record of a domain's default selector, else for its
// organizational domain's. Where dmarc is not nil, it says whether the policy is strong enough
// for the indicator to be shown.
func CheckBIMI(ctx context.Context, r Resolver, domain string, dmarc *DMARCDiscovery) *BIMICheck {
	look := func(domain string) labelled {
		return lookTXT(ctx, r, bimiLabel, domain, bimiVersion, bimiRules, "bimi-", false)
	}
	found := look(domain)
	if dmarc != nil && found.err == ErrNoRecord && found.domain != dmarc.Newer.Organizational && dmarc.Newer.Organizational != "" {
		if above := look(dmarc.Newer.Organizational); above.err != ErrNoRecord {
			found = above
		}
	}
	c := &BIMICheck{Domain: domain, Name: found.name, Outcome: found.outcome, Findings: found.findings, Err: found.err}
	if found.domain != "" {
		c.Domain = found.domain
	}
	if c.Err != nil {
		return c
	}
	c.Record, c.Err = ParseBIMI(found.record)
	c.Findings = append(c.Findings, placed(c.Record.Findings, c.Name)...)
	if dmarc == nil || dmarc.Newer.Err != nil || c.Record.Declined {
		return c
	}
	where := Position{Name: c.Name, Type: TypeTXT, Record: found.record}
	applied := dmarc.Newer
	if !enforces(dmarc) {
		weak := applied
		if weak.Policy.enforced() {
			weak = dmarc.Older
		}
		c.Findings = append(c.Findings, bimiRules.finding("bimi-not-enforced", where, weak))
	}
	if applied.Record != nil && applied.Record.Subdomains == PolicyNone {
		c.Findings = append(c.Findings, bimiRules.finding("bimi-subdomains", where, applied.Domain))
	}
	return c
}

// enforces reports whether new and older receivers all apply quarantine or
// reject to all failing mail.
func enforces(d *DMARCDiscovery) bool {
	return d.Newer.Policy.enforced() && d.Older.Policy.enforced() && d.Older.Percent == 100
}
