package history

import (
	"slices"
	"strings"

	"github.com/mailfault/mailfault/dmarcreport"
)

// domainTrack is what is kept of a domain as a whole: who reported when, under
// which policy, and the days with all sources added up. Its points are a set,
// so that a report that comes twice changes nothing.
type domainTrack struct {
	horizon   Day // the latest day an authentic report tells of
	prunedTo  Day // rows before are gone
	reporters []string
	policies  []string
	points    []point // in order
	days      []DayTotals
}

// point is an authentic report, as far as the domain's own events go.
type point struct {
	begin            int64 // Unix seconds
	day              Day   // the last the report tells of
	reporter, policy int   // indexes of domainTrack
}

func (p point) compare(q point, t *domainTrack) int {
	switch {
	case p.begin != q.begin:
		return compareInt(p.begin, q.begin)
	case p.day != q.day:
		return compareInt(int64(p.day), int64(q.day))
	case p.reporter != q.reporter:
		return strings.Compare(t.reporters[p.reporter], t.reporters[q.reporter])
	}
	return strings.Compare(t.policies[p.policy], t.policies[q.policy])
}

func compareInt(a, b int64) int {
	if a < b {
		return -1
	}
	if a > b {
		return 1
	}
	return 0
}

func (t *domainTrack) add(k ReportKey, day Day, policy string) {
	p := point{k.Begin.Unix(), day, intern(&t.reporters, k.Reporter), intern(&t.policies, policy)}
	if i, found := slices.BinarySearchFunc(t.points, p, func(a, b point) int { return a.compare(b, t) }); !found {
		t.points = slices.Insert(t.points, i, p)
	}
	t.horizon = max(t.horizon, day)
}

func intern(names *[]string, name string) int {
	i := slices.Index(*names, name)
	if i < 0 {
		i = len(*names)
		*names = append(*names, name)
	}
	return i
}

const domainVersion = 1

func decodeDomain(data []byte) (*domainTrack, error) {
	t := new(domainTrack)
	if len(data) == 0 {
		return t, nil
	}
	d := decoder{buf: data}
	d.version(domainVersion)
	t.horizon, t.prunedTo = Day(d.int()), Day(d.int())
	for _, names := range []*[]string{&t.reporters, &t.policies} {
		for range d.count() {
			*names = append(*names, d.string())
		}
	}
	n := d.count()
	t.points = make([]point, 0, n+1)
	var begin int64
	for range n {
		begin += d.int()
		p := point{begin: begin, day: Day(d.int()), reporter: int(d.uint()), policy: int(d.uint())}
		p.day += Day(begin / 86400)
		if p.reporter < 0 || p.reporter >= len(t.reporters) || p.policy < 0 || p.policy >= len(t.policies) {
			d.bad = true
			break
		}
		t.points = append(t.points, p)
	}
	t.days = d.days()
	return t, d.err("domain")
}

func (t *domainTrack) encode() []byte {
	e := encoder{buf: make([]byte, 0, 64+8*len(t.points)+8*len(t.days))}
	e.uint(domainVersion)
	e.int(int64(t.horizon))
	e.int(int64(t.prunedTo))
	for _, names := range [][]string{t.reporters, t.policies} {
		e.uint(uint64(len(names)))
		for _, name := range names {
			e.string(name)
		}
	}
	e.uint(uint64(len(t.points)))
	var begin int64
	for _, p := range t.points {
		e.int(p.begin - begin)
		begin = p.begin
		e.int(int64(p.day) - p.begin/86400)
		e.uint(uint64(p.reporter))
		e.uint(uint64(p.policy))
	}
	e.days(t.days)
	return e.buf
}

// reporterMarks are what a fold remembers of one reporter.
type reporterMarks struct {
	last   Day
	seen   int // days with reports since it last vanished
	policy string
}

// events derives the domain's own events.
func (t *domainTrack) events(r rules, domain string) []Event {
	var events []Event
	reporters := make([]reporterMarks, len(t.reporters))
	changed := make(map[string]Day) // when a change of policy was last told
	vanish := func(i int, day Day) {
		m := &reporters[i]
		if r.vanish == 0 || m.last == 0 || m.seen < r.regular || day <= m.last+r.vanish {
			return
		}
		events = append(events, Event{Kind: ReporterVanished, Domain: domain, Reporter: t.reporters[i], Day: m.last + r.vanish, Since: m.last})
		m.seen = 0
	}
	for _, p := range t.points {
		vanish(p.reporter, p.day)
		m := &reporters[p.reporter]
		if policy := t.policies[p.policy]; policy != m.policy {
			// A reporter's first policy is no change, only what it found.
			if change := policyChange(m.policy, policy); m.policy != "" && change != "" {
				// Others see the same change within days: caches differ.
				if day, ok := changed[change]; !ok || p.day > day+r.settle {
					changed[change] = p.day
					events = append(events, Event{Kind: PolicyChange, Domain: domain, Day: p.day, Detail: change})
				}
			}
			m.policy = policy
		}
		if p.day > m.last {
			m.last = p.day
			m.seen++
		}
	}
	for i := range reporters {
		vanish(i, t.horizon)
	}
	slices.SortFunc(events, Event.Compare)
	return events
}

// policyText writes what matters of a policy. Tags that reporters fill in or
// leave out as they please get their defaults, so that only a change of
// meaning is a change.
func policyText(p *dmarcreport.PolicyPublished) string {
	mode := func(m dmarcreport.AlignmentMode) string {
		if m == dmarcreport.AlignmentStrict {
			return "s"
		}
		return "r"
	}
	word := func(d, byDefault dmarcreport.Disposition) string {
		switch d {
		case dmarcreport.DispositionNone, dmarcreport.DispositionQuarantine, dmarcreport.DispositionReject:
			return d.String()
		}
		if byDefault == dmarcreport.DispositionAbsent {
			return "none"
		}
		return byDefault.String()
	}
	return "p=" + word(p.P, dmarcreport.DispositionAbsent) + " sp=" + word(p.SP, p.P) +
		" adkim=" + mode(p.ADKIM) + " aspf=" + mode(p.ASPF)
}

// policyChange names the tags that differ: "p none -> reject, aspf r -> s". A
// policy for subdomains that follows the domain's before and after is not
// named.
func policyChange(from, to string) string {
	a, b := strings.Fields(from), strings.Fields(to)
	if len(a) != 4 || len(b) != 4 {
		return "" // a reporter's first policy
	}
	var parts []string
	follows := a[1] == "s"+a[0] && b[1] == "s"+b[0]
	for i := range a {
		name, was, _ := strings.Cut(a[i], "=")
		_, is, _ := strings.Cut(b[i], "=")
		if was == is || name == "sp" && follows {
			continue
		}
		parts = append(parts, name+" "+was+" -> "+is)
	}
	return strings.Join(parts, ", ")
}
