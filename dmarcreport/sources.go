package dmarcreport

import (
	"cmp"
	"io"
	"net/netip"
	"slices"
	"time"
)

// KeyFunc says which source a record belongs to. It must not take a name that
// nobody authenticated for the key: whoever forges mail chooses those.
type KeyFunc func(r *Record, j Judgement) string

// BySourceIP makes each sending address a source. Records whose address
// cannot be read are one source, "".
func BySourceIP(r *Record, _ Judgement) string {
	if !r.SourceIP.IsValid() {
		return ""
	}
	return r.SourceIP.String()
}

// ByNetwork makes each network a source: /24 for IPv4, /64 for IPv6.
func ByNetwork(r *Record, _ Judgement) string {
	if !r.SourceIP.IsValid() {
		return ""
	}
	bits := 64
	if r.SourceIP.Is4() {
		bits = 24
	}
	return netip.PrefixFrom(r.SourceIP, bits).Masked().String()
}

// ByAuthenticated groups passing mail by what authenticated it: the domain and
// selector of a DKIM signature that passed, else the MAIL FROM domain that
// passed SPF, aligned or not. All other mail stays by address.
func ByAuthenticated(r *Record, j Judgement) string {
	if j.DKIMBy >= 0 {
		return "dkim:" + normal(r.DKIM[j.DKIMBy].Domain) + "/" + r.DKIM[j.DKIMBy].Selector
	}
	for i := range r.DKIM {
		if d := &r.DKIM[i]; d.Result == ResultPass && d.Domain != "" {
			return "dkim:" + normal(d.Domain) + "/" + d.Selector
		}
	}
	for i := range r.SPF {
		if s := &r.SPF[i]; s.Result == ResultPass && s.Scope == ScopeMailFrom && s.Domain != "" {
			return "spf:" + normal(s.Domain)
		}
	}
	return BySourceIP(r, j)
}

// Source is what the reports say of one source of one domain's mail.
type Source struct {
	Domain string `json:"domain"` // policy domain
	Key    string `json:"key"`

	Messages int64 `json:"messages"`
	Records  int64 `json:"records"`
	Both     int64 `json:"both"`      // messages with SPF and DKIM aligned
	SPFOnly  int64 `json:"spf_only"`  // only SPF
	DKIMOnly int64 `json:"dkim_only"` // only DKIM
	Neither  int64 `json:"neither"`   // neither: what fails DMARC
	Unknown  int64 `json:"unknown"`   // the records do not say enough

	None       int64 `json:"none"` // messages by what was done with them
	Quarantine int64 `json:"quarantine"`
	Reject     int64 `json:"reject"`
	Overridden int64 `json:"overridden"` // with a reason

	First     time.Time `json:"first,omitzero"` // begin of the earliest report that names it
	Last      time.Time `json:"last,omitzero"`  // end of the latest
	Reporters []string  `json:"reporters"`

	Addresses   []netip.Addr `json:"addresses"`    // up to 100
	HeaderFroms []string     `json:"header_froms"` // up to 20
	DKIMPasses  []string     `json:"dkim_passes"`  // domains whose signature passed, aligned or not; up to 20
	SPFPasses   []string     `json:"spf_passes"`   // domains that passed SPF; up to 20
	Doubts      Doubts       `json:"doubts,omitempty"`

	Class    Class    `json:"class"`
	Evidence []string `json:"evidence"` // why it has that class

	signs classSigns
}

// Pass returns the messages that passed DMARC.
func (s *Source) Pass() int64 { return s.Both + s.SPFOnly + s.DKIMOnly }

// Sources gathers the sources of any number of reports, one record at a time.
// The zero value is ready; it is not safe for concurrent use.
type Sources struct {
	Key KeyFunc   // nil: BySourceIP
	Org OrgDomain // nil: PublicSuffix
	// Reported takes the reporters' own evaluation where the records do not
	// say enough to judge anew; otherwise such mail counts as Unknown.
	Reported bool

	eval    Evaluator
	sources map[sourceKey]*Source
}

type sourceKey struct{ domain, key string }

// Add counts one record of a report. It keeps none of the record's memory but
// its strings.
func (s *Sources) Add(m *Metadata, p *PolicyPublished, r *Record) Judgement {
	s.eval.Org = s.Org
	j := s.eval.Evaluate(p, r)
	key := s.Key
	if key == nil {
		key = BySourceIP
	}
	k := sourceKey{normal(p.Domain), key(r, j)}
	if s.sources == nil {
		s.sources = make(map[sourceKey]*Source)
	}
	src := s.sources[k]
	if src == nil {
		src = &Source{Domain: k.domain, Key: k.key}
		s.sources[k] = src
	}
	src.add(m, r, j, s.Reported)
	src.signs.add(r, j, &s.eval)
	return j
}

// AddReport counts a report that was read whole.
func (s *Sources) AddReport(r *Report) {
	for i := range r.Records {
		s.Add(&r.Metadata, &r.Policy, &r.Records[i])
	}
}

// AddStream counts the rest of a stream. The error is the stream's; records
// before it are counted. A report whose policy comes after its records is
// gathered first, within Limits.Gathered: alignment rests on the policy.
func (s *Sources) AddStream(in *Stream) error {
	if in.Policy() == (PolicyPublished{}) {
		r, err := in.Report()
		s.AddReport(r)
		return err
	}
	var rec Record
	for {
		if err := in.Next(&rec); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		m, p := in.Metadata(), in.Policy()
		s.Add(&m, &p, &rec)
	}
}

// List returns the sources with their classes, those with the most failing
// messages first.
func (s *Sources) List() []Source {
	out := make([]Source, 0, len(s.sources))
	for _, src := range s.sources {
		c := *src
		c.Class, c.Evidence = src.signs.class()
		slices.Sort(c.Reporters)
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Source) int {
		return cmp.Or(cmp.Compare(b.Neither, a.Neither), cmp.Compare(b.Messages, a.Messages),
			cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.Key, b.Key))
	})
	return out
}

func (s *Source) add(m *Metadata, r *Record, j Judgement, reported bool) {
	n := r.Count
	s.Messages += n
	s.Records++
	dkim, spf := j.DKIM, j.SPF
	if reported {
		dkim, spf = orReported(dkim, r.Evaluated.DKIM), orReported(spf, r.Evaluated.SPF)
	}
	switch {
	case dkim == VerdictPass && spf == VerdictPass:
		s.Both += n
	case dkim == VerdictPass:
		s.DKIMOnly += n
	case spf == VerdictPass:
		s.SPFOnly += n
	case dkim == VerdictFail && spf == VerdictFail:
		s.Neither += n
	default:
		s.Unknown += n
	}
	switch r.Evaluated.Disposition {
	case DispositionNone, DispositionPass:
		s.None += n
	case DispositionQuarantine:
		s.Quarantine += n
	case DispositionReject:
		s.Reject += n
	}
	if len(r.Evaluated.Reasons) > 0 {
		s.Overridden += n
	}
	if d := m.DateRange; !d.Begin.IsZero() && (s.First.IsZero() || d.Begin.Before(s.First)) {
		s.First = d.Begin
	}
	if d := m.DateRange; d.End.After(s.Last) {
		s.Last = d.End
	}
	const few, many = 20, 100
	keep(&s.Reporters, m.OrgName, many)
	keep(&s.HeaderFroms, normal(r.HeaderFrom), few)
	keep(&s.Addresses, r.SourceIP, many)
	for i := range r.DKIM {
		if r.DKIM[i].Result == ResultPass {
			keep(&s.DKIMPasses, normal(r.DKIM[i].Domain), few)
		}
	}
	for i := range r.SPF {
		if r.SPF[i].Result == ResultPass {
			keep(&s.SPFPasses, normal(r.SPF[i].Domain), few)
		}
	}
	s.Doubts |= j.Doubts
}

func orReported(v Verdict, says Result) Verdict {
	switch {
	case v != VerdictUnknown:
	case says == ResultPass:
		return VerdictPass
	case says == ResultFail:
		return VerdictFail
	}
	return v
}

// keep adds a value that is new, up to a number of them.
func keep[T comparable](list *[]T, v T, most int) {
	var zero T
	if v != zero && len(*list) < most && !slices.Contains(*list, v) {
		*list = append(*list, v)
	}
}
