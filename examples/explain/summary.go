package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mailfault/mailfault/examples/internal/progress"
	"github.com/mailfault/mailfault/smtpcode"
)

// maxRows is how many rows of a table are shown to people; -json and -csv give
// them all.
const maxRows = 20

// summary is what very many failures show together.
type summary struct {
	SchemaVersion int `json:"schema_version"`
	Inputs        int `json:"inputs"`    // messages and log lines explained
	NoReport      int `json:"no_report"` // inputs that were no report about mail
	Failures      int `json:"failures"`
	// Interrupted says that the inputs were not read to their end.
	Interrupted bool                                 `json:"interrupted"`
	Patterns    []smtpcode.Pattern                   `json:"patterns"`
	Conditions  []smtpcode.Count[smtpcode.Condition] `json:"conditions"`
	Owners      []smtpcode.Count[smtpcode.Party]     `json:"owners"` // who acts first
	Domains     []smtpcode.Count[string]             `json:"domains"`
	Operators   []smtpcode.Count[smtpcode.Operator]  `json:"operators"`
	Suppress    []suppression                        `json:"suppress"`
}

// suppression is an address to stop mailing, and why. It is advice: nothing is
// removed anywhere.
type suppression struct {
	Address   string                 `json:"address"`
	Advice    smtpcode.AddressAdvice `json:"advice"`
	Condition smtpcode.Condition     `json:"condition"`
	Failures  int                    `json:"failures"`
	Reason    string                 `json:"reason"`
	Reply     string                 `json:"reply"` // the last one
}

// summarize reads every input once and says what they show together. Files are
// written whole or not at all: after an interruption those of an earlier run
// stand, and the same command makes them anew.
func summarize(ctx context.Context, o options, stdin io.Reader, out *bufio.Writer, stderr io.Writer) int {
	s, code := collect(ctx, o, stdin, stderr)
	var err error
	switch {
	case s.Interrupted && o.csv: // it has no place to say that there is more
	case o.json:
		err = json.NewEncoder(out).Encode(s)
	case o.csv:
		err = s.writeCSV(out)
	default:
		s.print(out, o)
	}
	err = errors.Join(err, out.Flush())
	if s.Interrupted {
		fmt.Fprintln(stderr, "explain: interrupted; this is what had been read, and no file was written. Run it again to read everything.")
		return 130
	}
	if o.suppress != "" {
		err = errors.Join(err, writeWhole(o.suppress, s.writeSuppressions))
	}
	if o.html != "" {
		err = errors.Join(err, writeWhole(o.html, s.writePage))
	}
	if err != nil {
		fmt.Fprintln(stderr, "explain:", err)
		return 2
	}
	return code
}

// collect reads the inputs.
func collect(ctx context.Context, o options, stdin io.Reader, stderr io.Writer) (summary, int) {
	s, code := summary{SchemaVersion: 1}, 0
	var all smtpcode.Correlator
	addresses := make(map[string]suppression)
	bar := progress.New(o.paths, stderr)
	for d, err := range documents(ctx, o, stdin, bar) {
		if ctx.Err() != nil {
			s.Interrupted = true
			break
		}
		if err != nil {
			bar.Clear()
			fmt.Fprintln(stderr, "explain:", printable(err.Error()))
			code = 1
			continue
		}
		if s.Inputs++; s.Inputs%1000 == 0 {
			bar.Records(s.Inputs)
		}
		if d.Error != "" {
			s.NoReport++
			continue
		}
		for i := range d.Recipients {
			r := &d.Recipients[i]
			all.Add(&r.Failure, &r.Diagnosis)
			suppress(addresses, r)
		}
	}
	bar.Finish()
	s.Failures, s.Patterns = all.Total(), all.Patterns()
	s.Conditions, s.Owners, s.Domains, s.Operators = all.Conditions(), all.Owners(), all.Domains(), all.Operators()
	for _, entry := range addresses {
		s.Suppress = append(s.Suppress, entry)
	}
	slices.SortFunc(s.Suppress, func(a, b suppression) int { return strings.Compare(a.Address, b.Address) })
	return s, code
}

// suppress notes the address of a failure that advises to stop mailing it. The
// severest advice stands; of equal ones the last.
func suppress(addresses map[string]suppression, r *recipient) {
	advice := r.Diagnosis.Address
	if advice != smtpcode.Suspend && advice != smtpcode.Remove || !strings.Contains(r.FinalRecipient, "@") {
		return
	}
	key := strings.ToLower(r.FinalRecipient)
	entry := addresses[key]
	entry.Failures++
	if entry.Advice == smtpcode.Remove && advice == smtpcode.Suspend {
		addresses[key] = entry
		return
	}
	entry.Address, entry.Advice, entry.Condition, entry.Reason = key, advice, r.Diagnosis.Condition, r.Diagnosis.Summary
	entry.Reply = strings.Clone(clip(r.Reply.Raw, 500))
	addresses[key] = entry
}

// clip returns at most n bytes of s.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// table is one of the counts, with its rows as texts.
type table struct {
	Name string
	Rows []row
}

type row struct {
	Key     string
	Count   int
	Percent int // of all failures, rounded
}

func (s *summary) tables() []table {
	return []table{
		{"condition", rows(s.Conditions, s.Failures)}, {"owner", rows(s.Owners, s.Failures)},
		{"domain", rows(s.Domains, s.Failures)}, {"operator", rows(s.Operators, s.Failures)},
	}
}

func rows[K cmp.Ordered](counts []smtpcode.Count[K], all int) []row {
	out := make([]row, len(counts))
	for i, c := range counts {
		out[i] = row{fmt.Sprint(c.Key), c.Count, (c.Count*200 + all) / max(2*all, 1)}
	}
	return out
}

// print writes the summary for people.
func (s *summary) print(w io.Writer, o options) {
	p := newPrinter(w)
	fmt.Fprintf(w, "%d failures in %d inputs", s.Failures, s.Inputs)
	if s.NoReport > 0 {
		fmt.Fprintf(w, "; %d of them no report about mail", s.NoReport)
	}
	fmt.Fprint(w, "\n")
	if s.Interrupted {
		fmt.Fprintln(w, "Interrupted: there is more that was not read.")
	}
	if len(s.Patterns) > 0 {
		p.line("\nWhat they show together")
	}
	for _, pattern := range s.Patterns {
		p.line("")
		p.field("Pattern", "", fmt.Sprintf("%s (%s, %d failures)", pattern.Summary, pattern.Kind, pattern.Count))
		p.field("At", "", strings.Join(pattern.Domains[:min(len(pattern.Domains), 5)], ", "))
		p.field("Owners", "", join(pattern.Owners, ", then "))
		for _, step := range pattern.Steps {
			p.field("Do", "", step.Party.String()+": "+step.Text)
		}
	}
	for _, t := range s.tables() {
		if len(t.Rows) == 0 {
			continue
		}
		fmt.Fprintf(w, "\nBy %s\n", t.Name)
		for _, r := range t.Rows[:min(len(t.Rows), maxRows)] {
			fmt.Fprintf(w, "  %9d %3d %%  %s\n", r.Count, r.Percent, printable(r.Key))
		}
		if more := len(t.Rows) - maxRows; more > 0 {
			fmt.Fprintf(w, "  and %d more\n", more)
		}
	}
	if len(s.Suppress) > 0 {
		where := "-suppress FILE lists them with reasons"
		if o.suppress != "" && !s.Interrupted {
			where = "the file of -suppress lists them with reasons"
		}
		fmt.Fprintf(w, "\n%d addresses to stop mailing; %s\n", len(s.Suppress), where)
	}
}

// writeCSV writes all counts as one table.
func (s *summary) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write([]string{"table", "key", "count"})
	for _, p := range s.Patterns {
		out.Write([]string{"pattern", string(p.Kind), strconv.Itoa(p.Count)})
	}
	for _, t := range s.tables() {
		for _, r := range t.Rows {
			out.Write([]string{t.Name, cell(r.Key), strconv.Itoa(r.Count)})
		}
	}
	out.Flush()
	return out.Error()
}

// writeSuppressions writes the list of addresses as CSV.
func (s *summary) writeSuppressions(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write([]string{"address", "advice", "condition", "failures", "reason", "reply"})
	for _, e := range s.Suppress {
		out.Write([]string{cell(e.Address), e.Advice.String(), e.Condition.String(), strconv.Itoa(e.Failures), e.Reason, cell(e.Reply)})
	}
	out.Flush()
	return out.Error()
}

// cell keeps a text of a report from being taken for a formula by a spreadsheet.
func cell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
