package dmarcreport

import (
	"fmt"
	"strings"

	"github.com/mailfault/mailfault/internal/enum"
)

// Class is what a source most likely is, by what its records show.
// As text: undecidable, own, forwarded, list, spoof-like, no-traffic.
type Class uint8

const (
	ClassUndecidable Class = iota // the records do not tell
	ClassOwn                      // sends with the domain's own authentication
	ClassForwarded                // passes on mail that others sent
	ClassList                     // a mailing list
	ClassSpoofLike                // nothing in it ties it to the domain: a forger, or a sender nobody set up
	ClassNoTraffic                // records without mail
)

var classNames = enum.Names{"undecidable", "own", "forwarded", "list", "spoof-like", "no-traffic"}

// String returns the class in kebab-case.
func (c Class) String() string { return classNames.String("Class", uint8(c)) }

// MarshalText returns the class in kebab-case.
func (c Class) MarshalText() ([]byte, error) { return classNames.MarshalText("Class", uint8(c)) }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (c *Class) UnmarshalText(text []byte) error {
	v, err := classNames.Parse("Class", text)
	*c = Class(v)
	return err
}

// classSigns counts messages by what speaks for a class.
type classSigns struct {
	traffic      int64
	spfAligned   int64 // sent from where the domain says its mail comes from
	dkimAligned  int64
	brokenOwn    int64 // a signature of the domain's own is there and fails
	otherPasses  int64 // fails, and passes SPF or DKIM of another domain
	saysForward  int64 // the reporter says forwarder, or that ARC passed
	saysList     int64
	nothing      int64 // results are there, and none ties it to the domain
	withoutTests int64 // no results at all, or of several author domains at once
}

func (c *classSigns) add(r *Record, j Judgement, e *Evaluator) {
	if r.NoTraffic() {
		return
	}
	n := max(r.Count, 1)
	c.traffic += n
	for i := range r.Evaluated.Reasons {
		q := &r.Evaluated.Reasons[i]
		switch {
		case q.Type == OverrideMailingList:
			c.saysList += n
		case q.Type == OverrideForwarded, q.Type == OverrideTrustedForwarder, arcPassed(q.Comment):
			c.saysForward += n
		}
	}
	own, other := false, false
	for i := range r.DKIM {
		d := &r.DKIM[i]
		if e.aligned(d.Domain, r.HeaderFrom, AlignmentRelaxed) == VerdictPass {
			own = own || d.Result != ResultPass
		} else {
			other = other || d.Result == ResultPass
		}
	}
	for i := range r.SPF {
		if s := &r.SPF[i]; s.Result == ResultPass && e.aligned(s.Domain, r.HeaderFrom, AlignmentRelaxed) != VerdictPass {
			other = true
		}
	}
	switch {
	case j.SPF == VerdictPass:
		c.spfAligned += n
	case j.DKIM == VerdictPass:
		c.dkimAligned += n
	case len(r.DKIM) == 0 && len(r.SPF) == 0, e.name(r.HeaderFrom) == "":
		c.withoutTests += n
	case own:
		c.brokenOwn += n
		if other {
			c.otherPasses += n
		}
	default:
		c.nothing += n
	}
}

// arcPassed reports whether a comment says that ARC passed, as Google's and
// Microsoft's do.
func arcPassed(comment string) bool {
	return strings.Contains(strings.ToLower(comment), "arc=pass")
}

// class decides by the strongest sign; evidence says what it saw.
func (c *classSigns) class() (Class, []string) {
	var evidence []string
	say := func(n int64, what string) {
		if n > 0 {
			evidence = append(evidence, fmt.Sprintf("%d messages %s", n, what))
		}
	}
	say(c.spfAligned, "pass SPF aligned")
	say(c.dkimAligned, "pass DKIM aligned without SPF")
	say(c.saysList, "are said to come through a mailing list")
	say(c.saysForward, "are said to be forwarded")
	say(c.brokenOwn, "bear a signature of the domain that fails")
	say(c.nothing, "have nothing of the domain that passes or once passed")
	say(c.withoutTests, "come without results, or without one author domain")
	switch {
	case c.traffic == 0:
		return ClassNoTraffic, []string{"no record has a source or a count"}
	case c.spfAligned > 0:
		return ClassOwn, evidence
	case c.saysList > 0:
		return ClassList, evidence
	case c.saysForward > 0, c.brokenOwn > 0 && c.otherPasses > 0 && c.dkimAligned == 0:
		return ClassForwarded, evidence
	case c.dkimAligned > 0:
		return ClassOwn, evidence
	case c.nothing > 0 && c.brokenOwn == 0 && c.withoutTests == 0:
		return ClassSpoofLike, evidence
	}
	return ClassUndecidable, evidence
}
