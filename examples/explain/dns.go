package main

import (
	"context"
	"strings"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/examples/internal/terminal"
)

// ask asks DNS what the diagnoses want to know, where the command line says
// whom to ask.
func (a *around) ask(ctx context.Context, d *document) {
	if a.resolver == nil {
		return
	}
	for i := range d.Recipients {
		r := &d.Recipients[i]
		r.DNS = []*dnscheck.Explanation{}
		for _, refusal := range explained.Refusals(d, r) {
			r.DNS = append(r.DNS, dnscheck.Explain(ctx, a.resolver, refusal))
		}
	}
}

var agreementTexts = map[dnscheck.Agreement]string{
	dnscheck.Agrees: "DNS agrees: ", dnscheck.Disagrees: "DNS does not agree now: ", dnscheck.NoAnswer: "DNS gives no answer: ", dnscheck.AgreementUnknown: "DNS cannot tell: ",
}

// dnsLine is a line of what DNS says of a refusal.
type dnsLine struct{ Label, Text string }

// dnsLines say what DNS makes of a refusal and what to change.
func dnsLines(e *dnscheck.Explanation) (lines []dnsLine) {
	lines = append(lines, dnsLine{"DNS", e.Refusal.Claim.String() + ": " + agreementTexts[e.Agreement] + e.Summary})
	for _, line := range []dnsLine{{"At", e.Fault.Text()}, {"Change", e.Change}, {"Publish", quoted(e.Strings)}} {
		if line.Text != "" {
			lines = append(lines, line)
		}
	}
	for _, caveat := range e.Caveats {
		lines = append(lines, dnsLine{"Careful", caveat})
	}
	return lines
}

// quoted writes the strings of a text record as a zone file has them.
func quoted(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return `"` + strings.Join(parts, `" "`) + `"`
}

func (p *printer) dns(r *recipient) {
	for _, e := range r.DNS {
		for _, line := range dnsLines(e) {
			style := terminal.Style("")
			switch line.Label {
			case "Change":
				style = terminal.Green
			case "Careful":
				style = terminal.Yellow
			}
			p.field(line.Label, style, line.Text)
		}
	}
}
