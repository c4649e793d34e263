package dnscheck

import (
	"context"
	"strings"
)

// TreeWalk is what the DNS tree walk of RFC 9989 section 4.10 found on the way
// from a name up to the single label, in at most eight questions.
type TreeWalk struct {
	Start          string      `json:"start"`
	Queries        []WalkQuery `json:"queries"`        // in order
	Organizational string      `json:"organizational"` // the organizational domain of Start; "" after an error
	PublicSuffix   string      `json:"public_suffix"`  // the name above Start that says psd=y; "" when none does
	Err            error       `json:"-"`              // ErrDNS: the walk ended at a name that DNS gave no answer for; ErrBadDomain
}

// WalkQuery is one question of a tree walk.
type WalkQuery struct {
	Domain  string       `json:"domain"` // asked below _dmarc
	Outcome Outcome      `json:"outcome"`
	Found   int          `json:"found"`            // DMARC records in the answer; of several none counts
	Record  *DMARCRecord `json:"record,omitempty"` // that counts
	Near    string       `json:"near,omitempty"`   // a text that means to be a DMARC record and is none
	CNAME   []string     `json:"cname,omitempty"`  // aliases that led to the answer
	err     error        // ErrDNS
}

// WalkDMARC walks up from a domain and selects its organizational domain.
//
// The nearest name with a record is not the answer: a record that says psd=n is,
// or the name below one that says psd=y, or else the highest name with a record.
// A failure of DNS on the way leaves the domain unknown, as the record that
// could not be read may have ended the walk.
func WalkDMARC(ctx context.Context, r Resolver, domain string) *TreeWalk {
	w := &TreeWalk{Start: domain}
	start, err := domainName(domain)
	if err != nil {
		w.Err = err
		return w
	}
	w.Start = start
	for name := start; name != ""; name = walkNext(name) {
		q := queryDMARC(ctx, r, name)
		w.Queries = append(w.Queries, q)
		if q.Outcome.Failed() {
			w.Err = q.err
			return w
		}
		if q.Record != nil && q.Record.PSD != PSDUnknown {
			break
		}
	}
	w.selectOrganizational()
	return w
}

// walkNext is the name asked after name: steps 4 and 7 of the walk. Only a
// start can have more than seven labels.
func walkNext(name string) string {
	if labels(name) > walkCut {
		return lastLabels(name, walkCut)
	}
	return parent(name)
}

// queryDMARC asks for the DMARC record of one name.
func queryDMARC(ctx context.Context, r Resolver, domain string) WalkQuery {
	answer := lookup(ctx, r, dmarcLabel+domain, TypeTXT)
	q := WalkQuery{Domain: domain, Outcome: answer.Outcome, CNAME: answer.CNAME}
	if answer.Outcome.Failed() {
		q.err = noAnswer(answer)
	}
	records := versioned(answer, dmarcVersion)
	q.Found = len(records)
	if len(records) == 1 {
		q.Record, _ = ParseDMARC(records[0])
		for i := range q.Record.Findings {
			q.Record.Findings[i].Where.Name, q.Record.Findings[i].Where.Type = dmarcLabel+domain, TypeTXT
		}
	}
	q.Near = nearly(answer, dmarcVersion)
	return q
}

// selectOrganizational applies section 4.10.2 to the records kept, from the
// longest name to the shortest.
func (w *TreeWalk) selectOrganizational() {
	w.Organizational = w.Start
	for _, q := range w.Queries {
		switch {
		case q.Record == nil:
		case q.Record.PSD == PSDNo:
			w.Organizational = q.Domain
			return
		case q.Record.PSD == PSDYes && q.Domain != w.Start:
			// Counted on the start's own path: the walk may have skipped the name.
			w.PublicSuffix = q.Domain
			w.Organizational = lastLabels(w.Start, labels(q.Domain)+1)
			return
		default:
			w.Organizational = q.Domain
		}
	}
}

// Record returns the record kept at a name, or nil.
func (w *TreeWalk) Record(domain string) *DMARCRecord {
	for _, q := range w.Queries {
		if strings.EqualFold(q.Domain, domain) {
			return q.Record
		}
	}
	return nil
}

// policyDomain returns the name whose record applies to mail of the start, and
// the record: the start's own, that of the organizational domain, or that of
// the public suffix (section 4.10.1). Err counts only where it hides the answer.
func (w *TreeWalk) policyDomain() (string, *DMARCRecord, error) {
	for _, name := range []string{w.Start, w.Organizational, w.PublicSuffix} {
		if record := w.Record(name); record != nil {
			return name, record, nil
		}
	}
	return "", nil, w.Err
}
