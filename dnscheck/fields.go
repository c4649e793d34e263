package dnscheck

import (
	"context"
	"slices"
)

// fields reads the fields of a tag list of a few known names, and finds what is
// wrong with them as such.
type fields struct {
	record   string
	prefix   string   // of the ids: "mta-sts-field-"
	known    []string // names, others get the finding "unknown"; nil: no others are told of
	rules    rules
	tags     []Tag
	findings []Finding
	bad      bool
}

func (f *fields) read() []Tag {
	f.tags, f.findings = []Tag{}, []Finding{}
	seen := make(map[string]bool)
	for t := range tags(f.record) {
		f.tags = append(f.tags, t)
		switch {
		case t.Name == "":
			f.find(f.prefix+"malformed", t, clip(t.Value))
		case seen[t.Name]:
			f.find(f.prefix+"repeated", t, clip(t.Name))
		case f.known != nil && !slices.Contains(f.known, t.Name):
			f.find(f.prefix+"unknown", t, clip(t.Name))
		}
		seen[t.Name] = true
	}
	return f.tags
}

func (f *fields) find(id string, t Tag, args ...any) {
	f.bad = f.bad || f.rules[id].severity == Error
	if len(f.findings) < maxRecordFindings {
		f.findings = append(f.findings, f.rules.finding(id, Position{Record: f.record, Start: t.Start, End: t.End}, args...))
	}
}

// value returns the first field of a name.
func (f *fields) value(name string) (Tag, bool) {
	i := slices.IndexFunc(f.tags, func(t Tag) bool { return t.Name == name })
	if i < 0 {
		return Tag{}, false
	}
	return f.tags[i], true
}

func (f *fields) err() error {
	if f.bad {
		return ErrBadRecord
	}
	return nil
}

// placed puts the name that publishes a record into its findings.
func placed(findings []Finding, name string) []Finding {
	for i := range findings {
		findings[i].Where.Name, findings[i].Where.Type = name, TypeTXT
	}
	return findings
}

// labelled is what was found at a label below a domain.
type labelled struct {
	domain, name string
	outcome      Outcome
	cname        []string
	record       string // the only one of the version
	findings     []Finding
	err          error // ErrBadDomain, ErrDNS, ErrNoRecord, ErrManyRecords
}

// lookTXT looks below a domain for the one text record of a version. The ids of
// what it finds are the prefix and dns-failed, missing, near or several.
func lookTXT(ctx context.Context, r Resolver, label, domain, version string, rs rules, prefix string, exact bool) labelled {
	l := labelled{findings: []Finding{}}
	find := func(id, record string, args ...any) {
		l.findings = append(l.findings, rs.finding(prefix+id, Position{Name: l.name, Type: TypeTXT, Record: record}, args...))
	}
	if l.domain, l.err = domainName(domain); l.err != nil {
		return l
	}
	l.name = label + l.domain
	answer := lookup(ctx, r, l.name, TypeTXT)
	l.outcome, l.cname = answer.Outcome, answer.CNAME
	pick := versioned
	if exact {
		pick = exactly
	}
	records := pick(answer, version)
	for _, txt := range answer.TXT {
		if means(txt.Text, version) && !slices.Contains(records, txt.Text) {
			find("near", txt.Text)
			break
		}
	}
	switch {
	case answer.Outcome.Failed():
		l.err = noAnswer(answer)
		find("dns-failed", "", l.name)
	case len(records) > 1:
		l.err = ErrManyRecords
		find("several", records[1], len(records))
	case len(records) == 1:
		l.record = records[0]
	default:
		l.err = ErrNoRecord
		if len(l.findings) == 0 {
			find("missing", "")
		}
	}
	return l
}
