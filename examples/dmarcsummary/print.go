package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
)

func normal(domain string) string { return strings.TrimSuffix(strings.ToLower(domain), ".") }

// text prints the summary for people.
func (s *summary) text(w io.Writer, verbose bool, top int) {
	for i, d := range s.list() {
		if i > 0 {
			fmt.Fprintln(w)
		}
		d.text(w, verbose, top)
	}
	for _, name := range slices.Sorted(maps.Keys(s.tls)) {
		t := s.tls[name]
		fmt.Fprintf(w, "\nTLS to %s: %d sessions, %d failed%s\n", clean(name), t.Successful+t.Failed, t.Failed, counts(": ", t.Types))
	}
	if s.failures > 0 {
		fmt.Fprintf(w, "\n%s about single messages not counted.\n", some(s.failures, "failure report"))
	}
	if s.repeated > 0 {
		fmt.Fprintf(w, "\n%s came more than once, counted once.\n", some(s.repeated, "report"))
	}
}

// some counts things.
func some[N int | int64 | uint64](n N, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprint(n, " ", thing)
}

func (d *domain) text(w io.Writer, verbose bool, top int) {
	name := clean(d.Name)
	if name == "" {
		name = "(no policy domain in the report)"
	}
	p := d.Policy
	fmt.Fprintf(w, "%s   p=%s sp=%s   %s from %s, %s to %s\n", name, or(p.P.String(), "?"), or(p.SP.String(), "-"),
		some(d.Reports, "report"), some(len(d.Reporters), "reporter"), day(d.First), day(d.Last))
	if d.Messages == 0 {
		fmt.Fprintf(w, "  no traffic\n")
	} else {
		fmt.Fprintf(w, "  %s, %.1f%% pass DMARC\n", some(d.Messages, "message"), 100*float64(d.Passed)/float64(d.Messages))
	}
	if d.NoTraffic > 0 {
		fmt.Fprintf(w, "  %d reports say there was no traffic\n", d.NoTraffic)
	}
	if d.Messages > 0 {
		fmt.Fprintln(w)
		tw := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
		fmt.Fprintln(tw, "  source\tclass\tmessages\tpass\twhat fails\tseen")
		for i, src := range d.Sources {
			if top > 0 && i == top {
				break
			}
			fmt.Fprintf(tw, "  %s\t%s\t%d\t%d\t%s\t%s\n", or(clean(src.Key), "(no address)"), src.Class, src.Messages, src.Pass(), clean(why(&src)), span(&src))
		}
		tw.Flush()
		if more := len(d.Sources) - top; top > 0 && more > 0 {
			fmt.Fprintf(w, "  ... and %d more (-top 0 lists all)\n", more)
		}
	}
	if len(d.Faults) > 0 {
		n := 0
		for _, c := range d.Faults {
			n += c
		}
		if verbose {
			fmt.Fprintf(w, "\n  faults in the reports%s\n", counts(": ", d.Faults))
		} else {
			what := "none of which hides a failure"
			if d.lost {
				what = "some of which hide mail that may have failed"
			}
			fmt.Fprintf(w, "\n  %s in the reports themselves, %s (-v lists them)\n", some(n, "fault"), what)
		}
	}
	if verbose && len(d.Remarks) > 0 {
		fmt.Fprintf(w, "\n  rules the reports break without harm%s\n", counts(": ", d.Remarks))
	}
}

// why says in few words what does not pass for a source.
func why(s *dmarcreport.Source) string {
	var out []string
	if s.Neither > 0 {
		what := fmt.Sprintf("%d neither SPF nor DKIM aligned", s.Neither)
		if names := append(slices.Clone(s.DKIMPasses), s.SPFPasses...); len(names) > 0 {
			slices.Sort(names)
			names = slices.Compact(names)
			what += " (passes as " + strings.Join(names[:min(len(names), 3)], ", ") + ")"
		}
		out = append(out, what)
	}
	if s.SPFOnly > 0 {
		out = append(out, fmt.Sprintf("%d without DKIM", s.SPFOnly))
	}
	if s.DKIMOnly > 0 {
		out = append(out, fmt.Sprintf("%d without SPF", s.DKIMOnly))
	}
	if s.Unknown > 0 {
		out = append(out, fmt.Sprintf("%d undecidable", s.Unknown))
	}
	if s.Reject+s.Quarantine > 0 {
		out = append(out, fmt.Sprintf("%d rejected, %d quarantined", s.Reject, s.Quarantine))
	}
	return or(strings.Join(out, "; "), "-")
}

func span(s *dmarcreport.Source) string {
	a, b := day(s.First), day(s.Last)
	if a == b {
		return a
	}
	return a + " to " + b
}

func day(t time.Time) string {
	if t.IsZero() {
		return "?"
	}
	return t.UTC().Format(time.DateOnly)
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// clean keeps a stranger's text from steering the terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return '?'
		}
		return r
	}, s)
}

func counts[N int | int64](lead string, m map[string]N) string {
	if len(m) == 0 {
		return ""
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, fmt.Sprintf("%s %d", clean(k), m[k]))
	}
	return lead + strings.Join(out, ", ")
}

// json prints the summary as one document.
func (s *summary) json(w io.Writer) error {
	tls := []*tlsDomain{}
	for _, name := range slices.Sorted(maps.Keys(s.tls)) {
		tls = append(tls, s.tls[name])
	}
	domains := s.list()
	if domains == nil {
		domains = []*domain{}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{"schema_version": 1, "domains": domains, "tls": tls, "failure_reports": s.failures, "repeated_reports": s.repeated})
}

// csv prints a line a source. Text that a spreadsheet would take for a formula
// is quoted.
func (s *summary) csv(w io.Writer) error {
	cw := csv.NewWriter(w)
	cw.Write([]string{"domain", "source", "class", "messages", "both", "spf_only", "dkim_only", "neither", "unknown", "none", "quarantine", "reject", "first", "last", "reporters"})
	for _, d := range s.list() {
		for _, src := range d.Sources {
			row := []string{d.Name, src.Key, src.Class.String()}
			for _, n := range []int64{src.Messages, src.Both, src.SPFOnly, src.DKIMOnly, src.Neither, src.Unknown, src.None, src.Quarantine, src.Reject} {
				row = append(row, fmt.Sprint(n))
			}
			row = append(row, day(src.First), day(src.Last), strings.Join(src.Reporters, " "))
			for i, cell := range row {
				if cell != "" && strings.ContainsRune("=+-@", rune(cell[0])) {
					row[i] = "'" + cell
				}
			}
			cw.Write(row)
		}
	}
	cw.Flush()
	return cw.Error()
}
