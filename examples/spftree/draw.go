package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/examples/internal/terminal"
)

// draw writes the whole report.
func draw(s *screen, r *report) {
	a := r.Audit
	s.line(s.Paint(terminal.Bold, plain(a.Domain)), "  ", verdict(s, a))
	if a.Record.Text != "" {
		s.wrapped(2, terminal.Faint, a.Record.Text)
		s.line()
		s.line(s.Paint(terminal.Faint, "  at cost  term"))
		tree{s, a}.record(a.Record, "")
	}
	s.line()
	summary(s, a)
	findings(s, a)
	savings(s, a)
	flattened(s, a.Flattened)
	sender(s, a.Sender)
	diff(s, r.Diff)
}

// verdict says in a few words how the record stands.
func verdict(s *screen, a *dnscheck.SPFAudit) string {
	switch {
	case errors.Is(a.Record.Err, dnscheck.ErrNoRecord):
		return s.Paint(terminal.Red, "no SPF record")
	case a.Record.Text == "":
		return s.Paint(terminal.Red, a.Record.Problem)
	}
	style, text := terminal.Green, fmt.Sprintf("%d of %d look-ups", a.Lookups, dnscheck.MaxLookups)
	worst := a.IPv4
	if worst.Problem == "" {
		worst = a.IPv6
	}
	if errors.Is(worst.Err, dnscheck.ErrLoop) {
		text = "endless"
	}
	switch {
	case worst.Problem != "":
		style, text = terminal.Red, text+": "+worst.Result.String()
	case a.Lookups > dnscheck.MaxLookups || a.Endless:
		style, text = terminal.Red, text+": permerror for some"
	case a.Lookups >= dnscheck.MaxLookups-1:
		style = terminal.Yellow
	}
	if a.Truncated {
		text = "at least " + text
	}
	return s.Paint(style, text)
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// round shortens a decimal number of many digits.
func round(digits string) string {
	if len(digits) <= 9 {
		return digits
	}
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return digits
	}
	return fmt.Sprintf("%.1e", n)
}

// tree draws records.
type tree struct {
	*screen
	a *dnscheck.SPFAudit
}

// record draws the terms of a record, each line with what has been charged when it
// is reached, what it costs with all below it, and what came of it.
func (t tree) record(r *dnscheck.SPFRecord, indent string) {
	for i := range r.Terms {
		term := &r.Terms[i]
		branch, below := "├─ ", "│  "
		if i == len(r.Terms)-1 {
			branch, below = "└─ ", "   "
		}
		at, cost, style := "", "", terminal.Plain
		switch {
		case term.Problem != "":
			style = terminal.Red
		case !term.Reached && term.Mechanism < dnscheck.ModifierExp:
			style = terminal.Faint
		case term.Cost > 0:
			at, cost = strconv.Itoa(term.Running), strconv.Itoa(term.Total)
		}
		if term.Cost > 0 && term.Running > dnscheck.MaxLookups {
			style = terminal.Red
		}
		t.line(t.Paint(style, fmt.Sprintf("%4s %4s  ", at, cost)), t.Paint(terminal.Faint, indent+branch), t.Paint(style, cut(plain(term.Text), 200)), t.note(r, term))
		if term.Record != nil {
			t.record(term.Record, indent+below)
		}
	}
}

// note says what came of a term.
func (t tree) note(r *dnscheck.SPFRecord, term *dnscheck.SPFTerm) string {
	var notes []string
	add := func(style terminal.Style, text string) { notes = append(notes, t.Paint(style, text)) }
	if e := t.a.Eleventh; e != nil && e.Name == r.Domain && e.Start == term.Start && term.Running > dnscheck.MaxLookups && term.Running-term.Cost <= dnscheck.MaxLookups {
		add(terminal.Red, "the eleventh look-up: permerror")
	}
	switch {
	case term.Problem != "":
		add(terminal.Red, plain(term.Problem))
	case !term.Reached && term.Mechanism < dnscheck.ModifierExp:
		add(terminal.Faint, "never reached")
	case term.BySender && term.Record == nil:
		add(terminal.Cyan, "depends on the sender")
	case term.Record != nil && term.Record.Loop:
		add(terminal.Red, "leads back: endless")
	case term.Record != nil && term.Record.Err != nil:
		add(terminal.Red, plain(term.Record.Problem))
	case term.Target != "" && term.Outcome.Void():
		add(terminal.Yellow, "void: "+term.Outcome.String())
	case term.Target != "" && term.Outcome.Failed():
		add(terminal.Red, term.Outcome.String())
	case len(term.Hosts) > 0:
		add(terminal.Faint, count(len(term.Hosts), "exchanger"))
	}
	if len(notes) == 0 {
		return ""
	}
	return "  " + strings.Join(notes, ", ")
}

// summary says whom the record lets pass and what everybody else meets.
func summary(s *screen, a *dnscheck.SPFAudit) {
	row := func(label, text string) { s.line("  ", s.Paint(terminal.Faint, fmt.Sprintf("%-13s", label)), text) }
	row("worst case", "IPv4: "+worst(a.IPv4))
	row("", "IPv6: "+worst(a.IPv6))
	if a.Record.Text == "" {
		return
	}
	row("passes", fmt.Sprintf("%d IPv4 and %s IPv6 addresses, named by %s", a.Addresses.IPv4, round(a.Addresses.IPv6), count(len(a.Ranges), "range")))
	if len(a.Unlisted) > 0 {
		row("", "and whom "+count(len(a.Unlisted), "term")+" will find that asks for each sender")
	}
	row("all others", a.Default.String())
	if a.Actual != nil {
		row("with errors", withErrors(a)+", as")
		s.wrapped(15, "", or(a.IPv4.Problem, a.IPv6.Problem))
	}
	row("asked", count(a.Queries, "question"))
}

func or(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}

// withErrors says what the errors of a record leave of it.
func withErrors(a *dnscheck.SPFAudit) string {
	others := a.IPv4.Result.String()
	if a.IPv6.Result != a.IPv4.Result {
		others += " (IPv4) and " + a.IPv6.Result.String() + " (IPv6)"
	}
	if len(a.Actual.Senders)+len(a.Actual.Unlisted) == 0 {
		return others + " for everybody"
	}
	return others + " for all but those whom a term matches before"
}

func worst(w dnscheck.SPFWorst) string {
	text := fmt.Sprintf("%v after %s, %d void", w.Result, count(w.Lookups, "look-up"), w.Voids)
	if w.QueryVoids != w.Voids {
		text += fmt.Sprintf(" (%d by questions)", w.QueryVoids)
	}
	if w.SenderVoids > 0 {
		text += fmt.Sprintf(" and %d for some senders", w.SenderVoids)
	}
	if w.ReceiversDiffer() {
		text += ", receivers differ"
	}
	return text
}

func findings(s *screen, a *dnscheck.SPFAudit) {
	if len(a.Findings) == 0 {
		return
	}
	s.line()
	s.line(s.Paint(terminal.Bold, "Findings"))
	styles := map[dnscheck.Severity]terminal.Style{dnscheck.Error: terminal.Red, dnscheck.Warning: terminal.Yellow, dnscheck.Info: terminal.Cyan}
	for _, f := range a.Findings {
		where := f.Where.Name
		if f.Where.End > f.Where.Start {
			where += ": " + f.Where.Text()
		}
		s.line("  ", s.Paint(styles[f.Severity], fmt.Sprintf("%-8s", f.Severity)), f.ID, "  ", s.Paint(terminal.Faint, cut(plain(where), 120)))
		s.wrapped(10, "", f.Message+" ("+f.Spec+")")
		s.wrapped(10, terminal.Green, f.Fix)
	}
}

func savings(s *screen, a *dnscheck.SPFAudit) {
	title := false
	for _, saving := range a.Savings {
		if saving.Spot.Domain != a.Domain || a.Lookups < dnscheck.MaxLookups-2 && !saving.Unused {
			continue
		}
		if !title {
			s.line()
			s.line(s.Paint(terminal.Bold, "Look-ups to save"))
			title = true
		}
		text := fmt.Sprintf("removing saves %d, flattening %d with %s", saving.Remove, saving.Flatten, count(saving.Ranges, "range"))
		if saving.Kept != "" {
			text = fmt.Sprintf("removing saves %d; cannot be flattened: %s", saving.Remove, saving.Kept)
		}
		if saving.Unused {
			text += "; nobody needs it"
		}
		s.line("  ", cut(plain(saving.Spot.Term), 120))
		s.wrapped(6, terminal.Faint, text)
	}
}

func flattened(s *screen, f *dnscheck.SPFFlattened) {
	if f == nil {
		return
	}
	s.line()
	if f.Refused != "" {
		s.line(s.Paint(terminal.Bold, "Flattened"), "  ", s.Paint(terminal.Red, "not possible"))
		s.wrapped(2, terminal.Red, f.Refused)
		return
	}
	s.line(s.Paint(terminal.Bold, "Flattened"), "  ", count(f.Lookups, "look-up"))
	for _, p := range f.Publish {
		quoted := make([]string, len(p.Strings))
		for i, part := range p.Strings {
			quoted[i] = `"` + plain(part) + `"`
		}
		s.line("  ", plain(p.Name), " TXT ", strings.Join(quoted, " "))
	}
	for _, kept := range f.Kept {
		s.wrapped(2, terminal.Faint, "kept "+kept)
	}
	for _, risk := range f.Risks {
		s.wrapped(2, terminal.Yellow, "risk: "+risk)
	}
	if f.Expires > 0 {
		s.wrapped(2, terminal.Yellow, "what was read expires after "+f.Expires.String())
	}
}

// sender draws the path of one sender.
func sender(s *screen, c *dnscheck.SPFCheck) {
	if c == nil {
		return
	}
	s.line()
	style := terminal.Yellow
	switch c.Result {
	case dnscheck.SPFPass:
		style = terminal.Green
	case dnscheck.SPFFail, dnscheck.SPFPermError, dnscheck.SPFTempError:
		style = terminal.Red
	}
	s.line(s.Paint(terminal.Bold, "This sender"), "  ", s.Paint(style, c.Result.String()), fmt.Sprintf(" after %s, %d void", count(c.Lookups, "look-up"), c.Voids))
	for _, step := range c.Steps {
		mark := " "
		if step.Matched {
			mark = "*"
		}
		text := step.Term.Mechanism.String()
		if step.Term.Domain != "" {
			text += " " + step.Term.Domain
		} else if step.Term.Prefix.IsValid() {
			text += " " + step.Term.Prefix.String()
		}
		s.line(fmt.Sprintf("%4d  %s%s ", step.Lookups, strings.Repeat("   ", step.Depth), mark), plain(text))
	}
	if c.Problem != "" {
		s.wrapped(2, terminal.Red, c.Problem)
	}
}

// diff draws what the record of -record changes.
func diff(s *screen, d *dnscheck.SPFDiff) {
	if d == nil {
		return
	}
	s.line()
	s.line(s.Paint(terminal.Bold, "Against the published record"))
	if d.Empty() {
		s.line("  no sender gains or loses")
	}
	list := func(style terminal.Style, label string, changes []dnscheck.SPFChange) {
		for _, c := range changes {
			s.line("  ", s.Paint(style, fmt.Sprintf("%-8s", label)), fmt.Sprintf("%v  %v -> %v", c.Prefix, c.Before, c.After))
		}
	}
	list(terminal.Green, "gained", d.Gained)
	list(terminal.Red, "lost", d.Lost)
	list(terminal.Yellow, "changed", d.Changed)
	for _, term := range d.UnlistedGained {
		s.line("  ", s.Paint(terminal.Green, "gained  "), "whom this finds: ", plain(term))
	}
	for _, term := range d.UnlistedLost {
		s.line("  ", s.Paint(terminal.Red, "lost    "), "whom this found: ", plain(term))
	}
	others := func(family string, c dnscheck.SPFResultChange) {
		if c.Before != c.After {
			s.line("  ", s.Paint(terminal.Yellow, "others  "), fmt.Sprintf("%s%v -> %v", family, c.Before, c.After))
		}
	}
	if d.IPv4 == d.IPv6 {
		others("", d.IPv4)
	} else {
		others("IPv4 ", d.IPv4)
		others("IPv6 ", d.IPv6)
	}
	s.line("  ", fmt.Sprintf("look-ups %d -> %d", d.Lookups.Before, d.Lookups.After))
}
