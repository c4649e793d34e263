package history

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
)

// Submission is a report and what the caller says of it.
type Submission struct {
	Metadata dmarcreport.Metadata
	Policy   dmarcreport.PolicyPublished
	// Records are read once, one at a time. An error makes the submission
	// invalid; nothing of it is kept. One that the document ends in
	// (Record.Partial) counts only where it passed.
	Records iter.Seq2[*dmarcreport.Record, error]
	// Authentic says that the mail that carried the report was shown to come
	// from the reporter. Anybody can write a report: one that is not
	// authentic is listed, and neither raises nor clears an event. What shows it
	// is dmarc=pass in the Authentication-Results field that the caller's own
	// server put on top of that mail (RFC 8601), and a From of the reporter's.
	Authentic bool
	// Learnt is when the report arrived: the second clock. It must be set.
	Learnt time.Time
	// Baseline marks a past that is imported: its events are logged as quiet.
	Baseline bool
}

// Of returns the submission of a report that was read whole. Learnt is to be
// set; and Authentic, once the mail that brought the report was shown to be the
// reporter's: without it the report is [Untrusted], listed, and raises no event.
func Of(r *dmarcreport.Report) Submission {
	return Submission{
		Metadata: r.Metadata,
		Policy:   r.Policy,
		Records: func(yield func(*dmarcreport.Record, error) bool) {
			for i := range r.Records {
				if !yield(&r.Records[i], nil) {
					return
				}
			}
		},
	}
}

// records yields Records, nothing where there are none.
func (s *Submission) records() iter.Seq2[*dmarcreport.Record, error] {
	if s.Records == nil {
		return func(func(*dmarcreport.Record, error) bool) {}
	}
	return s.Records
}

// OfStream returns the submission of a report whose records are still to be
// read, which [History.Add] does: it is good until the stream's reader goes on
// to the next document. What is to be set is as for [Of].
func OfStream(in *dmarcreport.Stream) Submission {
	return Submission{Metadata: in.Metadata(), Policy: in.Policy(), Records: func(yield func(*dmarcreport.Record, error) bool) {
		for rec, err := range in.Records() {
			if !yield(&rec, err) {
				return
			}
		}
	}}
}

// The reasons why a submission is invalid.
var (
	ErrDomain  = errors.New("history: the report names no policy domain")
	ErrPeriod  = errors.New("history: the report has no period that can be used")
	ErrFuture  = errors.New("history: the report's period ends after it arrived")
	ErrLearnt  = errors.New("history: the submission does not say when it was learnt")
	ErrTooLong = errors.New("history: a name is too long")
	ErrSources = errors.New("history: the report names more sources than Rules.MaxSources")
	ErrCount   = errors.New("history: the report counts more messages than can be")
)

// MaxMessages is the most that one report may count: more than all the mail of
// the world in a day. Nine million of such reports add up without an overflow.
const MaxMessages = 1_000_000_000_000

// Bounds of what is kept. Names past maxName bytes are refused, not cut: a cut
// one could be another's.
const (
	maxName   = 255
	maxID     = 2000
	maxPeriod = 400 * 24 * time.Hour
	// Reporters' clocks run ahead, and some send on the day itself with an
	// end at its close.
	maxAhead = 48 * time.Hour
)

// ReportKey tells reports apart. A report id alone does not: two reporters
// have used the same one.
type ReportKey struct {
	Domain   string    `json:"domain"`    // of the policy, in lower case and A-labels, without a trailing dot
	Reporter string    `json:"reporter"`  // org_name, folded; the domain of the email where there is none
	ID       string    `json:"report_id"` // verbatim, save for bytes that are no text
	Begin    time.Time `json:"begin,omitzero"`
	End      time.Time `json:"end,omitzero"`
}

// Hash returns 16 bytes that stand for the key: what stores look it up by.
func (k ReportKey) Hash() [16]byte {
	h := sha256.New()
	for _, s := range []string{k.Domain, k.Reporter, k.ID} {
		writeString(h, s)
	}
	writeInt(h, k.Begin.Unix())
	writeInt(h, k.End.Unix())
	return [16]byte(h.Sum(nil))
}

// prepared is a submission, read and folded by source.
type prepared struct {
	info     ReportInfo
	days     Period
	rows     []Row          // one a source
	bySource map[string]int // index of rows
	baseline bool
}

// row returns the row of a source, of which a report may have so many.
func (p *prepared) row(source string, most int) (*Row, error) {
	if len(source) > maxName {
		return nil, fmt.Errorf("%w: source", ErrTooLong)
	}
	i, ok := p.bySource[source]
	if !ok {
		if i = len(p.rows); i == most {
			return nil, fmt.Errorf("%w: %d", ErrSources, i)
		}
		p.bySource[source] = i
		p.rows = append(p.rows, Row{Source: source, Day: p.days.First, Last: p.days.Last, Reporter: p.info.Key.Reporter, Authentic: p.info.Authentic})
	}
	return &p.rows[i], nil
}

// prepare reads the records of s. It touches no store.
func (h *History) prepare(s *Submission) (*prepared, error) {
	key, days, err := identify(s)
	if err != nil {
		return nil, err
	}
	source, judge := h.Rules.Source, h.Rules.Judge
	if source == nil {
		source = dmarcreport.BySourceIP
	}
	if judge == nil {
		judge = Judge
	}
	p := &prepared{days: days, baseline: s.Baseline, bySource: make(map[string]int)}
	p.info = ReportInfo{Key: key, Days: days, Authentic: s.Authentic, Learnt: s.Learnt.UTC().Truncate(time.Microsecond), Copies: 1,
		Email: text(s.Metadata.Email), Policy: policyText(&s.Policy)}
	var digest digester
	evaluator := dmarcreport.Evaluator{Org: h.Rules.Org}
	for rec, err := range s.records() {
		if err != nil {
			return nil, fmt.Errorf("history: report %s: %w", key.ID, err)
		}
		digest.record(rec)
		if rec.Count <= 0 {
			continue
		}
		if rec.Count > MaxMessages-p.info.Messages() {
			return nil, ErrCount
		}
		j := evaluator.Evaluate(&s.Policy, rec)
		verdict := judge(rec, j)
		if rec.Partial && verdict != VerdictPass {
			continue // what passed, or why it failed, may have been cut off
		}
		n, refused := count(verdict, rec)
		p.info.Add(n)
		name := text(source(rec, j))
		if name == "" {
			p.info.Unattributed += rec.Count
			continue
		}
		row, err := p.row(name, h.Rules.maxSources())
		if err != nil {
			return nil, err
		}
		row.Totals.Add(n)
		row.Refused += refused
	}
	p.info.Sources = len(p.rows)
	p.info.Digest = digest.sum(&s.Metadata, &s.Policy)
	return p, nil
}

func count(v Verdict, rec *dmarcreport.Record) (n Totals, refused int64) {
	switch v {
	case VerdictPass:
		n.Pass = rec.Count
	case VerdictMuted:
		n.Muted = rec.Count
	default:
		n.Fail = rec.Count
	}
	if rec.Evaluated.Disposition == dmarcreport.DispositionReject {
		refused = rec.Count
	}
	return n, refused
}

func identify(s *Submission) (ReportKey, Period, error) {
	k := ReportKey{
		Domain:   domainKey(s.Policy.Domain),
		Reporter: fold(s.Metadata.OrgName),
		ID:       text(s.Metadata.ReportID),
		Begin:    second(s.Metadata.DateRange.Begin),
		End:      second(s.Metadata.DateRange.End),
	}
	if k.Reporter == "" {
		_, host, _ := strings.Cut(s.Metadata.Email, "@")
		k.Reporter = cmp.Or(fold(host), "unknown")
	}
	switch length := k.End.Sub(k.Begin); {
	case k.Domain == "":
		return k, Period{}, ErrDomain
	case len(k.Domain) > maxName || len(k.Reporter) > maxName || len(k.ID) > maxID:
		return k, Period{}, ErrTooLong
	case s.Learnt.IsZero():
		return k, Period{}, ErrLearnt
	case k.Begin.Unix() <= 86400 || k.End.IsZero() || length < 0 || length > maxPeriod:
		return k, Period{}, ErrPeriod
	case k.End.After(s.Learnt.Add(maxAhead)):
		return k, Period{}, ErrFuture
	}
	return k, reportDays(k.Begin, k.End), nil
}

// second returns the second of t in UTC, without the clock that a time of this
// process has: keys are compared, and stores keep seconds.
func second(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return time.Unix(t.Unix(), 0).UTC()
}

// fold returns a name as names are compared.
func fold(s string) string { return strings.ToLower(strings.TrimSpace(text(s))) }

// text returns s without what databases refuse to take for text.
func text(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}
