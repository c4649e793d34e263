package history

import (
	"context"
	"net/netip"
	"slices"
	"strings"

	"github.com/mailfault/mailfault/internal/enum"
)

// Grade is how well a refusal and a source fit.
// As text: none, possible, likely, strong.
type Grade uint8

// The grades. GradeNone proves nothing: a refusal before DATA may never be
// counted in a report, and not every receiver sends any.
const (
	GradeNone     Grade = iota // no report names the source or its network
	GradePossible              // the source is known, or its network failed around the day
	GradeLikely                // the source failed within a week of the day, or an episode was open
	GradeStrong                // reports of the day, or the next to it, say that the source failed; those of more than a week do not
)

var gradeNames = enum.Names{"none", "possible", "likely", "strong"}

// String returns the grade in lower case.
func (g Grade) String() string { return gradeNames.String("Grade", uint8(g)) }

// MarshalText returns the grade in lower case.
func (g Grade) MarshalText() ([]byte, error) { return gradeNames.MarshalText("Grade", uint8(g)) }

// UnmarshalText reads what MarshalText writes; another word is an error.
func (g *Grade) UnmarshalText(text []byte) error {
	v, err := gradeNames.Parse("Grade", text)
	*g = Grade(v)
	return err
}

// Refusal is what a bounce says of mail that was refused for its
// authentication (550 5.7.1 or 5.7.26 of DMARC, 5.7.23 of SPF, Microsoft's
// 5.7.509 and 5.7.515): plain values, wherever they were read.
type Refusal struct {
	AuthorDomain string     `json:"author_domain"`    // of the From field
	IP           netip.Addr `json:"ip,omitzero"`      // of the host whose mail was refused
	Source       string     `json:"source,omitempty"` // in place of IP, where Rules.Source names sources otherwise
	Day          Day        `json:"day"`
}

// Match is what the history knows of a refusal.
type Match struct {
	Grade  Grade  `json:"grade"`
	Domain string `json:"domain"` // whose history was asked: the author domain or one above it; "" if none has one
	Known  bool   `json:"known"`  // whether the source is
	Source Source `json:"source"`
	// Since is the first day of the episode of failure that was open on the
	// day of the refusal.
	Since Day `json:"since,omitzero"`
	// Failed are the rows around the day that count failing mail of the
	// source or, where it has none, of its network.
	Failed []Row `json:"failed"`
	// Elsewhere are the other domains in whose name the source sends.
	Elsewhere []string `json:"elsewhere"`
	// Open says that reports about the day may still come: ask again. A
	// bounce is there hours before the report.
	Open bool `json:"open"`
}

// Reporters returns who reported the failures, sorted.
func (m *Match) Reporters() []string {
	var names []string
	for _, r := range m.Failed {
		names = append(names, r.Reporter)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

const (
	nearDays   = 7 // days to either side that can make a match likely
	reportLate = 2 // days after which most reports about a day have come
)

// Find looks for the source of a refusal. The answer changes as reports come
// in, until Match.Open is false.
func (h *History) Find(ctx context.Context, q Refusal) (Match, error) {
	source := q.Source
	if source == "" && q.IP.IsValid() {
		q.IP = q.IP.Unmap().WithZone("")
		source = q.IP.String()
	}
	m := Match{Open: true}
	domains, err := h.Store.Domains(ctx)
	if err != nil {
		return m, err
	}
	for d := domainKey(q.AuthorDomain); d != ""; _, d, _ = strings.Cut(d, ".") {
		if slices.Contains(domains, d) {
			m.Domain = d
			break
		}
	}
	if m.Domain == "" || source == "" {
		return m, nil
	}
	if err := h.view(ctx, m.Domain, func(_ Reader, dt *domainTrack) error {
		m.Open = dt.horizon < q.Day+reportLate
		return nil
	}); err != nil {
		return m, err
	}
	m.Source, _, m.Known, err = h.Source(ctx, m.Domain, source)
	if err != nil {
		return m, err
	}
	near := Period{q.Day - nearDays, q.Day + nearDays}
	if m.Known {
		if err := h.matchSource(ctx, &m, source, q.Day, near); err != nil {
			return m, err
		}
	}
	if m.Grade <= GradePossible && q.Source == "" && len(m.Failed) == 0 {
		if err := h.matchNetwork(ctx, &m, q.IP, near); err != nil {
			return m, err
		}
	}
	for _, d := range domains {
		if d == m.Domain {
			continue
		}
		if _, _, ok, err := h.Source(ctx, d, source); err != nil {
			return m, err
		} else if ok {
			m.Elsewhere = append(m.Elsewhere, d)
		}
	}
	return m, nil
}

// matchSource grades what the source itself did around the day.
func (h *History) matchSource(ctx context.Context, m *Match, source string, day Day, near Period) error {
	m.Grade = GradePossible
	if m.Source.FailingSince != 0 && m.Source.FailingSince <= day {
		m.Since, m.Grade = m.Source.FailingSince, GradeLikely
	}
	rows, err := h.Rows(ctx, m.Domain, source, near)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if !r.Authentic || r.Fail == 0 {
			continue
		}
		m.Failed = append(m.Failed, r)
		m.Grade = max(m.Grade, GradeLikely)
		if r.Last-r.Day < nearDays && r.Day-1 <= day && day <= r.Last+1 {
			m.Grade = GradeStrong
		}
	}
	return nil
}

// matchNetwork looks for failing neighbours: /24 for IPv4, /64 for IPv6.
func (h *History) matchNetwork(ctx context.Context, m *Match, ip netip.Addr, near Period) error {
	bits := 64
	if ip.Is4() {
		bits = 24
	}
	network, err := ip.Prefix(bits)
	if err != nil {
		return nil // no address, no network
	}
	sources, err := h.Sources(ctx, m.Domain, near)
	if err != nil {
		return err
	}
	for _, s := range sources {
		if addr, err := netip.ParseAddr(s.Source); err != nil || !network.Contains(addr) || s.Fail == 0 {
			continue
		}
		rows, err := h.Rows(ctx, m.Domain, s.Source, near)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if r.Authentic && r.Fail > 0 {
				m.Failed = append(m.Failed, r)
				m.Grade = max(m.Grade, GradePossible)
			}
		}
	}
	return nil
}
