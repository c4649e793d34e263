package history

import (
	"math"
	"strings"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/internal/enum"
)

// Rules say what a source is and what counts as an event. The zero value is
// the quiet default. A history must be read and written under the same rules:
// other rules derive other events from the same reports.
type Rules struct {
	// Source names the source of a record. Nil is dmarcreport.BySourceIP.
	// An empty name leaves the record unattributed: counted with its report
	// only. Never build a name from what a sender can choose unverified.
	Source dmarcreport.KeyFunc
	// Judge says how the messages of a record are counted. Nil is [Judge].
	Judge func(*dmarcreport.Record, dmarcreport.Judgement) Verdict
	// Org decides relaxed alignment. Nil is dmarcreport.PublicSuffix.
	Org dmarcreport.OrgDomain

	// MaxSources is how many sources one report may name; 0 = 100,000,
	// negative = no limit. A report with more is invalid, ErrSources: each
	// takes memory while it is added, and its place for ever.
	MaxSources   int
	FailMessages int // failing messages that make a day a failing one; 0 = 1
	// SettleDays is how long a failing source must be free of failing days,
	// from the first passing day on, to have recovered; 0 = 7.
	SettleDays int
	QuietDays  int // days unseen after which a regular source has gone quiet; 0 = 30, negative = never
	VanishDays int // days without a report after which a regular reporter has vanished; 0 = 14, negative = never
	Regular    int // days seen that make a source or a reporter a regular one; 0 = 7
	// JumpFactor is how many times the median of the 28 days before a day's
	// volume must reach to be a jump, JumpMessages the least volume for one.
	JumpFactor   int   // 0 = 10, negative = never
	JumpMessages int64 // 0 = 1000
	// AlertDays is the age in days, when learnt, past which an event is
	// logged as quiet: a report that comes that late is no news; 0 = 31,
	// negative = no limit. It counts from the last day of the report.
	AlertDays int
	// KeepDays is how long rows are kept by [History.Prune]; 0 = 366,
	// negative = for ever.
	KeepDays int
}

// jumpWindow is the number of days before a day that say what is usual.
const jumpWindow = 28

// maxSources returns the limit that Rules.MaxSources sets.
func (r *Rules) maxSources() int {
	switch {
	case r.MaxSources == 0:
		return 100_000
	case r.MaxSources < 0:
		return math.MaxInt
	}
	return r.MaxSources
}

// rules are Rules with the defaults filled in.
type rules struct {
	fail          int64
	settle        Day
	quiet, vanish Day // 0 = never
	regular       int
	jumpFactor    int64 // 0 = never
	jumpMessages  int64
	alert, keep   Day // 0 = no limit
}

func (r *Rules) resolve() rules {
	return rules{
		fail:         int64(max(orElse(r.FailMessages, 1), 1)),
		settle:       Day(orElse(r.SettleDays, 7)),
		quiet:        Day(orElse(r.QuietDays, 30)),
		vanish:       Day(orElse(r.VanishDays, 14)),
		regular:      orElse(r.Regular, 7),
		jumpFactor:   int64(orElse(r.JumpFactor, 10)),
		jumpMessages: orElse(r.JumpMessages, 1000),
		alert:        Day(orElse(r.AlertDays, 31)),
		keep:         Day(orElse(r.KeepDays, 366)),
	}
}

// orElse returns v, the default for 0, and 0 for a negative v.
func orElse[T int | int64](v, byDefault T) T {
	if v == 0 {
		return byDefault
	}
	return max(v, 0)
}

// Verdict is how the messages of a record are counted.
// As text: fail, pass, muted.
type Verdict uint8

// The verdicts.
const (
	VerdictFail  Verdict = iota // no aligned pass
	VerdictPass                 // DKIM or SPF passed, aligned
	VerdictMuted                // no aligned pass, and a forwarder or a list is why
)

var verdictNames = enum.Names{"fail", "pass", "muted"}

// String returns the verdict in lower case.
func (v Verdict) String() string { return verdictNames.String("Verdict", uint8(v)) }

// MarshalText returns the verdict in lower case.
func (v Verdict) MarshalText() ([]byte, error) { return verdictNames.MarshalText("Verdict", uint8(v)) }

// UnmarshalText reads what MarshalText writes; another word is an error.
func (v *Verdict) UnmarshalText(text []byte) error {
	n, err := verdictNames.Parse("Verdict", text)
	*v = Verdict(n)
	return err
}

// Judge is the default of Rules.Judge. What the record's own results support
// decides whether mail passed; where they do not say enough, the reporter's
// word does. Its override reasons say whether a forwarder or a mailing list
// broke the mail. An ARC pass named in a local_policy comment counts as a
// forwarder, which is how large receivers write it.
func Judge(rec *dmarcreport.Record, j dmarcreport.Judgement) Verdict {
	if j.Pass() || !j.Fail() && rec.Evaluated.Pass() {
		return VerdictPass
	}
	for _, reason := range rec.Evaluated.Reasons {
		switch reason.Type {
		case dmarcreport.OverrideForwarded, dmarcreport.OverrideTrustedForwarder, dmarcreport.OverrideMailingList:
			return VerdictMuted
		case dmarcreport.OverrideLocalPolicy:
			if strings.Contains(strings.ToLower(reason.Comment), "arc=pass") {
				return VerdictMuted
			}
		}
	}
	return VerdictFail
}
