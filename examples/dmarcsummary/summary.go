package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
)

// summary is what all the reports say together.
type summary struct {
	sources  dmarcreport.Sources
	domains  map[string]*domain
	seen     map[string]bool // reports that were counted
	repeated int
	failures int
	tls      map[string]*tlsDomain
}

// domain is what the reports say of one policy domain as a whole.
type domain struct {
	Name      string                      `json:"domain"`
	Reports   int                         `json:"reports"`
	Reporters []string                    `json:"reporters"`
	First     time.Time                   `json:"first,omitzero"`
	Last      time.Time                   `json:"last,omitzero"`
	Policy    dmarcreport.PolicyPublished `json:"policy_published"` // of the latest report
	Messages  int64                       `json:"messages"`
	Passed    int64                       `json:"passed"`
	Sources   []dmarcreport.Source        `json:"sources"`
	Faults    map[string]int              `json:"faults"`  // of the reports, by finding: what was repaired or lost
	Remarks   map[string]int              `json:"remarks"` // rules that they break without harm, by finding
	NoTraffic int                         `json:"no_traffic_reports"`

	lost bool // part of a report could not be read
}

// tlsDomain is what SMTP TLS reports say of one domain.
type tlsDomain struct {
	Domain     string           `json:"domain"`
	Successful int64            `json:"successful_sessions"`
	Failed     int64            `json:"failed_sessions"`
	Types      map[string]int64 `json:"failures"`
}

func newSummary(key dmarcreport.KeyFunc) *summary {
	return &summary{sources: dmarcreport.Sources{Key: key, Reported: true}, domains: map[string]*domain{}, seen: map[string]bool{}, tls: map[string]*tlsDomain{}}
}

// add counts one document.
func (s *summary) add(doc *dmarcreport.Document) error {
	switch doc.Kind {
	case dmarcreport.KindFailure:
		s.failures++
	case dmarcreport.KindTLS:
		s.addTLS(doc.TLS)
	case dmarcreport.KindAggregate:
		return s.addAggregate(doc.Aggregate)
	}
	return nil
}

// addAggregate counts a report, unless it was counted before: receivers send
// some twice.
func (s *summary) addAggregate(in *dmarcreport.Stream) error {
	var late *dmarcreport.Report // one whose policy comes after its records
	var lateErr error
	if in.Policy() == (dmarcreport.PolicyPublished{}) {
		late, lateErr = in.Report()
	}
	m, p := in.Metadata(), in.Policy()
	key := fmt.Sprintf("%q %q %q %s %s", p.Domain, m.OrgName, m.ReportID, m.DateRange.BeginRaw, m.DateRange.EndRaw)
	if m.ReportID != "" && s.seen[key] {
		s.repeated++
		return nil
	}
	s.seen[key] = true
	name := normal(p.Domain)
	d := s.domains[name]
	if d == nil {
		d = &domain{Name: name, Faults: map[string]int{}, Remarks: map[string]int{}}
		s.domains[name] = d
	}
	d.Reports++
	if !slices.Contains(d.Reporters, m.OrgName) {
		d.Reporters = append(d.Reporters, m.OrgName)
	}
	if begin := m.DateRange.Begin; !begin.IsZero() && (d.First.IsZero() || begin.Before(d.First)) {
		d.First = begin
	}
	if end := m.DateRange.End; !end.Before(d.Last) {
		d.Last, d.Policy = end, p
	}
	traffic := false
	count := func(rec *dmarcreport.Record) {
		traffic = traffic || !rec.NoTraffic()
		s.sources.Add(&m, &p, rec)
	}
	err := lateErr
	if late != nil {
		for i := range late.Records {
			count(&late.Records[i])
		}
	} else {
		var rec dmarcreport.Record
		for err = in.Next(&rec); err == nil; err = in.Next(&rec) {
			count(&rec)
		}
	}
	if !traffic {
		d.NoTraffic++
	}
	findings, dropped := in.Findings()
	for _, f := range findings {
		list := d.Faults
		if f.Severity == dmarcreport.Info {
			list = d.Remarks
		}
		list[f.ID] += 1 + f.More
		d.lost = d.lost || f.Severity == dmarcreport.Error
	}
	d.lost = d.lost || dropped > 0
	if in.Done() {
		return nil
	}
	return err
}

func (s *summary) addTLS(r *dmarcreport.TLSReport) {
	for _, p := range r.Policies {
		d := s.tls[p.Domain]
		if d == nil {
			d = &tlsDomain{Domain: p.Domain, Types: map[string]int64{}}
			s.tls[p.Domain] = d
		}
		d.Successful += max(p.Successful, 0)
		d.Failed += max(p.Failed, 0)
		for _, f := range p.Failures {
			d.Types[f.ResultType] += max(f.FailedSessions, 0)
		}
	}
}

// list returns the domains with their sources, those with most failing mail
// first.
func (s *summary) list() []*domain {
	byName := map[string]*domain{}
	var out []*domain
	for _, d := range s.domains {
		d.Messages, d.Passed, d.Sources = 0, 0, []dmarcreport.Source{}
		slices.Sort(d.Reporters)
		byName[normal(d.Name)] = d
		out = append(out, d)
	}
	for _, src := range s.sources.List() {
		if d := byName[src.Domain]; d != nil {
			d.Sources = append(d.Sources, src)
			d.Messages += src.Messages
			d.Passed += src.Pass()
		}
	}
	slices.SortFunc(out, func(a, b *domain) int {
		return cmp.Or(cmp.Compare(b.Messages-b.Passed, a.Messages-a.Passed), cmp.Compare(a.Name, b.Name))
	})
	return out
}
