package digest

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/mailfault/mailfault/dmarcreport/history"
)

// Subject returns a subject for a mail: what is wrong first.
func (d *Digest) Subject() string {
	var attention, silent int
	for i := range d.Domains {
		switch d.Domains[i].State {
		case Attention:
			attention++
		case NoReports:
			silent++
		}
	}
	when := fmt.Sprintf("%s to %s", d.Period.First, d.Period.Last)
	switch {
	case attention > 0:
		return fmt.Sprintf("DMARC %s: %d of %d domains need attention", when, attention, len(d.Domains))
	case silent > 0:
		return fmt.Sprintf("DMARC %s: no reports about %d of %d domains", when, silent, len(d.Domains))
	}
	return fmt.Sprintf("DMARC %s: all clean", when)
}

// Text writes the digest as plain text.
func (d *Digest) Text(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n", d.Subject())
	for i := range d.Domains {
		d.Domains[i].text(b)
	}
	return b.Flush()
}

func (d *Domain) text(w io.Writer) {
	fmt.Fprintf(w, "\n%s: %s\n", Plain(d.Domain), d.Headline())
	for _, e := range d.Events {
		fmt.Fprintf(w, "  %s  %s\n", e.Day, Sentence(e))
	}
	for _, e := range d.Late {
		fmt.Fprintf(w, "  %s  %s\n", e.Event.Day, LateSentence(e))
	}
	if len(d.Failing) > 0 {
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(tw, "  failing source\tfailed\tpassed\tmuted\tfirst seen\tstate\t\n")
		for _, s := range d.Failing {
			fmt.Fprintf(tw, "  %s\t%d\t%d\t%d\t%s\t%s\t\n", Plain(s.Source), s.Fail, s.Pass, s.Muted, s.FirstSeen, s.State)
		}
		tw.Flush()
	}
	for _, r := range d.Reporters {
		note := ""
		if r.Vanished {
			note = ", a usual reporter gone silent"
		}
		fmt.Fprintf(w, "  %s told last of %s%s\n", Plain(r.Reporter), r.Last, note)
	}
}

// Headline sums the domain up in a sentence.
func (d *Domain) Headline() string {
	if d.State == NoReports {
		return "no reports about this period have arrived; this says nothing about the mail"
	}
	s := fmt.Sprintf("%s from %s in %s", number(d.Messages(), "message"), number(d.Sources, "source"), number(d.Reports, "report"))
	if rate, ok := d.PassRate(); ok {
		s += fmt.Sprintf(", %s passed", percent(rate))
		if before, ok := d.Before.PassRate(); ok {
			s += fmt.Sprintf(" (before: %s)", percent(before))
		}
	}
	if d.State == Clean {
		s = "clean: " + s
	}
	return s
}

// number returns "1 source" and "2 sources".
func number[T int | int64](n T, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// percent never rounds a failure away.
func percent(rate float64) string {
	if s := fmt.Sprintf("%.1f%%", 100*rate); s != "100.0%" || rate == 1 {
		return s
	}
	return "over 99.9%"
}

// Sentence says what an event is to somebody who knows none of the words of
// this package.
func Sentence(e history.Event) string {
	source, reporter := Plain(e.Source), Plain(e.Reporter)
	switch e.Kind {
	case history.NewFailingSource:
		return source + ", never seen before, sends mail that fails DMARC"
	case history.StartedFailing:
		return fmt.Sprintf("%s passed until %s and now fails DMARC", source, e.Since)
	case history.Recovered:
		return fmt.Sprintf("%s passes again after failing since %s", source, e.Since)
	case history.GoneQuiet:
		return fmt.Sprintf("%s, a regular source, was last seen on %s", source, e.Since)
	case history.VolumeJump:
		return source + " sends far more than it used to"
	case history.PolicyChange:
		return "the published policy changed: " + Plain(e.Detail)
	case history.ReporterVanished:
		return fmt.Sprintf("%s, a regular reporter, told last of %s", reporter, e.Since)
	}
	return e.String()
}

// LateSentence says how a late report changed what was told before.
func LateSentence(e history.Entry) string {
	switch e.Change {
	case history.Amended:
		return fmt.Sprintf("corrected by a late report: %s (told before for %s)", Sentence(e.Event), e.Was.Day)
	case history.Retracted:
		return "taken back after a late report: " + Sentence(e.Event)
	}
	return "learnt late: " + Sentence(e.Event)
}

// Plain returns a name without what could steer a terminal or turn a line
// around: names come from strangers.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}
