package dnscheck

import (
	"context"
	"errors"
	"strings"
)

const (
	mtastsVersion = "STSv1"
	mtastsLabel   = "_mta-sts."
)

// ErrBadRecord says that a record breaks the grammar of its standard so that
// nobody uses it; the findings say where.
var ErrBadRecord = errors.New("dnscheck: the record is not usable")

// MTASTSRecord is the text record that announces an MTA-STS policy (RFC 8461
// section 3.1).
type MTASTSRecord struct {
	Text     string    `json:"text"`
	ID       string    `json:"id"` // of the policy: senders fetch it again when this changes
	Tags     []Tag     `json:"tags"`
	Findings []Finding `json:"findings"`
}

// ParseMTASTS reads an MTA-STS record. The record is never nil: beside
// ErrBadRecord it holds what could be read.
func ParseMTASTS(record string) (*MTASTSRecord, error) {
	m := &MTASTSRecord{Text: record}
	p := fields{record: record, prefix: "mta-sts-field-", known: []string{"v", "id"}, rules: mtastsRules}
	m.Tags = p.read()
	if len(exactly(Answer{TXT: []TXT{{Text: record}}}, mtastsVersion)) == 0 {
		p.find("mta-sts-near", Tag{})
	} else if id, ok := p.value("id"); !ok {
		p.find("mta-sts-id-missing", Tag{})
	} else if m.ID = id.Value; !isPolicyID(id.Value) {
		p.find("mta-sts-id-invalid", id, clip(id.Value))
	}
	m.Findings = p.findings
	return m, p.err()
}

// isPolicyID reports whether an id is 1 to 32 letters and digits.
func isPolicyID(id string) bool {
	for _, c := range id {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return id != "" && len(id) <= 32
}

// PolicyFetcher fetches the document at an https URL. It must verify the server's
// certificate for the URL's host, follow no redirect, take only status 200 with a
// body of type text/plain, and may stop after 64 KiB (RFC 8461 section 3.3). When the
// context ends, nobody waits for it any more.
type PolicyFetcher func(ctx context.Context, url string) ([]byte, error)

// MTASTSCheck is what a domain says about encrypted delivery to it.
type MTASTSCheck struct {
	Domain    string        `json:"domain"`
	Name      string        `json:"name"` // that was asked
	Outcome   Outcome       `json:"outcome"`
	CNAME     []string      `json:"cname,omitempty"`
	Record    *MTASTSRecord `json:"record"`     // nil: none, or several
	PolicyURL string        `json:"policy_url"` // "" where there is no usable record
	Policy    *MTASTSPolicy `json:"policy"`     // nil: not fetched
	Findings  []Finding     `json:"findings"`
	Err       error         `json:"-"` // ErrDNS, ErrNoRecord, ErrManyRecords, ErrBadRecord, ErrBadDomain, or the fetcher's
}

// CheckMTASTS looks at a domain's MTA-STS record. With a fetcher it also fetches
// the policy that the record announces and, where mx is not nil, compares it with the
// domain's mail exchangers.
func CheckMTASTS(ctx context.Context, r Resolver, domain string, fetch PolicyFetcher, mx *MXCheck) *MTASTSCheck {
	c := &MTASTSCheck{Domain: domain, Findings: []Finding{}}
	c.look(ctx, r)
	if c.Err == nil && fetch != nil {
		c.fetch(ctx, fetch)
	}
	if mx != nil {
		c.CompareMX(mx)
	}
	return c
}

// look finds and reads the record.
func (c *MTASTSCheck) look(ctx context.Context, r Resolver) {
	found := lookTXT(ctx, r, mtastsLabel, c.Domain, mtastsVersion, mtastsRules, "mta-sts-", true)
	c.Name, c.Outcome, c.CNAME, c.Findings, c.Err = found.name, found.outcome, found.cname, found.findings, found.err
	if found.domain != "" {
		c.Domain = found.domain
	}
	if c.Err != nil {
		return
	}
	c.Record, c.Err = ParseMTASTS(found.record)
	c.Findings = append(c.Findings, placed(c.Record.Findings, c.Name)...)
	if len(c.CNAME) > 0 {
		c.find("mta-sts-alias", c.CNAME[len(c.CNAME)-1])
	}
	if c.Err == nil {
		c.PolicyURL = "https://mta-sts." + c.Domain + "/.well-known/mta-sts.txt"
	}
}

func (c *MTASTSCheck) find(id string, args ...any) {
	where := Position{Name: c.Name, Type: TypeTXT}
	if c.Record != nil {
		where.Record = c.Record.Text
	}
	f := mtastsRules.finding(id, where, args...)
	if strings.Contains(f.Fix, "%[1]s") {
		f.Fix = fill(f.Fix, args)
	}
	c.Findings = append(c.Findings, f)
}

// fetch fetches and reads the policy.
func (c *MTASTSCheck) fetch(ctx context.Context, fetch PolicyFetcher) {
	text, err := fetchWithin(ctx, fetch, c.PolicyURL)
	if err != nil && ctx.Err() != nil {
		c.Err = err
		c.find("mta-sts-policy-late", c.PolicyURL)
		return
	}
	if err != nil {
		c.Err = err
		c.find("mta-sts-policy-unread", c.PolicyURL, clip(err.Error()))
		return
	}
	c.Policy, c.Err = ParseMTASTSPolicy(string(text))
	c.Findings = append(c.Findings, placed(c.Policy.Findings, c.Name)...)
}

// fetchWithin fetches a policy and waits no longer than the context allows, even
// where the fetcher does not heed it.
func fetchWithin(ctx context.Context, fetch PolicyFetcher, url string) ([]byte, error) {
	type fetched struct {
		text []byte
		err  error
	}
	done := make(chan fetched, 1)
	go func() {
		text, err := fetch(ctx, url)
		done <- fetched{text, err}
	}()
	select {
	case got := <-done:
		return got.text, got.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// CompareMX adds what becomes of a domain's mail exchangers under the policy.
// Without a usable policy it adds nothing.
func (c *MTASTSCheck) CompareMX(mx *MXCheck) {
	if mx == nil || c.Policy == nil || c.Err != nil || c.Policy.Mode == STSNone || mx.Err != nil {
		return
	}
	id := "mta-sts-mx-untested"
	if c.Policy.Mode == STSEnforce {
		id = "mta-sts-mx-uncovered"
	}
	used := make([]bool, len(c.Policy.MX))
	told := make(map[string]bool)
	for _, host := range mx.Hosts {
		covered := false
		for i, pattern := range c.Policy.MX {
			if coversHost(pattern, host.Host) {
				covered, used[i] = true, true
			}
		}
		if !covered && !told[host.Host] && len(told) < maxExchangers {
			told[host.Host] = true
			c.find(id, host.Host)
		}
	}
	for i, pattern := range c.Policy.MX {
		if !used[i] && len(c.Findings) < maxRecordFindings {
			c.find("mta-sts-mx-unused", clip(pattern))
		}
	}
}
