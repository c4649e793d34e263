package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mailfault/mailfault/dnscheck"
)

// width is that of the text.
const width = 100

// notAsked is said instead of a record that may well be there.
const notAsked = "could not be asked: DNS gave no answer"

// print writes the report for people.
func print(w io.Writer, r *report) {
	c := r.Check
	fmt.Fprintf(w, "%s\n\n", c.Domain)
	fact(w, "MX", exchangers(c.MX))
	fact(w, "SPF", spfText(c.SPF))
	fact(w, "DMARC", dmarcText(c.DMARC))
	for _, key := range c.DKIM.Selectors {
		fact(w, "DKIM", key.Selector+": "+keyText(key))
	}
	if c.MTASTS.Record != nil {
		fact(w, "MTA-STS", c.MTASTS.Record.Text+policyText(c.MTASTS.Policy))
	}
	if c.TLSRPT.Record != nil {
		fact(w, "TLS-RPT", c.TLSRPT.Record.Text)
	}
	if c.BIMI.Record != nil {
		fact(w, "BIMI", c.BIMI.Record.Text)
	}
	for _, s := range c.Senders {
		fact(w, "Sender", senderText(s))
	}
	for _, s := range r.Signatures {
		fact(w, "Signed", strings.TrimSpace(fmt.Sprintf("by %s, selector %s: %s %s", s.Signature.Domain, s.Signature.Selector, s.Result, s.Reason)))
		for _, caveat := range s.Caveats {
			fact(w, "", caveat)
		}
	}
	if r.Explanation != nil {
		explanation(w, r.Explanation)
	}
	findings(w, c.Findings)
	fmt.Fprintf(w, "\n%d questions", c.Usage.Queries)
	if c.Gaps != 0 {
		fmt.Fprintf(w, "; the resolver cannot know: %s", c.Gaps)
	}
	fmt.Fprintln(w)
}

func fact(w io.Writer, label, text string) { wrapped(w, fmt.Sprintf("  %-9s", label), text) }

// findings writes what is wrong, and below what is only worth knowing.
func findings(w io.Writer, list []dnscheck.Finding) {
	severity := dnscheck.Severity(255)
	for _, f := range list {
		if f.Severity != severity {
			severity = f.Severity
			fmt.Fprintf(w, "\n%s\n", map[dnscheck.Severity]string{dnscheck.Error: "Breaks mail", dnscheck.Warning: "May break mail", dnscheck.Info: "Worth knowing"}[severity])
		}
		at := ""
		if f.Where.Name != "" {
			at = f.Where.Name + ": "
		}
		if f.Where.Start < f.Where.End {
			at = f.Where.Name + ", " + short(f.Where.Text()) + ": "
		}
		wrapped(w, "  - ", at+f.Message+" ("+f.ID+")")
		if f.Fix != "" {
			wrapped(w, "      "+f.Owner.String()+": ", f.Fix)
		}
	}
}

// explanation writes whether DNS agrees with a refusal.
func explanation(w io.Writer, e *dnscheck.Explanation) {
	fmt.Fprintf(w, "\nThe refusal: DNS %s\n", map[dnscheck.Agreement]string{
		dnscheck.Agrees: "agrees", dnscheck.Disagrees: "does not agree now", dnscheck.NoAnswer: "gives no answer", dnscheck.AgreementUnknown: "cannot tell"}[e.Agreement])
	wrapped(w, "  ", e.Summary+" ("+e.Cause+")")
	for _, line := range [][2]string{{"at", e.Fault.Text()}, {"change", e.Change}, {"publish", quoted(e.Strings)}} {
		if line[1] != "" {
			fact(w, line[0], line[1])
		}
	}
	for _, caveat := range e.Caveats {
		fact(w, "careful", caveat)
	}
}

// quoted writes the strings of a text record as a zone file has them.
func quoted(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return `"` + strings.Join(parts, `" "`) + `"`
}

func exchangers(mx *dnscheck.MXCheck) string {
	var hosts []string
	for _, h := range mx.Hosts {
		var text strings.Builder
		text.WriteString(h.Host)
		for _, addr := range h.Addrs {
			text.WriteString(" " + addr.String())
		}
		hosts = append(hosts, text.String())
	}
	switch {
	case mx.Null:
		return "null MX: takes no mail"
	case errors.Is(mx.Err, dnscheck.ErrDNS):
		return notAsked
	}
	return or(strings.Join(hosts, ", "), "none")
}

// spfText says what a record costs, and what it gives those whom it does not list:
// in fact, not as it is meant.
func spfText(a *dnscheck.SPFAudit) string {
	four, six := a.IPv4, a.IPv6
	switch {
	case errors.Is(a.Record.Err, dnscheck.ErrDNS):
		return notAsked + " (" + a.Record.Outcome.String() + ")"
	case a.Record.Text == "":
		return a.Record.Problem
	case four.Result != six.Result:
		return fmt.Sprintf("%s (%d of 10 look-ups; others get %s by IPv4, %s by IPv6)", a.Record.Text, a.Lookups, four.Result, six.Result)
	case four.Problem != "":
		return fmt.Sprintf("%s (%s: %s)", a.Record.Text, four.Result, four.Problem)
	}
	return fmt.Sprintf("%s (%d of 10 look-ups; others get %s)", a.Record.Text, a.Lookups, four.Result)
}

// dmarcText says what receivers see, older ones apart only where they see
// something else.
func dmarcText(d *dnscheck.DMARCDiscovery) string {
	newer, older := d.Newer.String(), d.Older.String()
	switch {
	case d.Newer.Err != nil && d.Older.Err != nil:
		return notAsked
	case newer == older:
		return newer
	}
	return newer + "; older receivers see " + older
}

func keyText(c *dnscheck.DKIMCheck) string {
	switch {
	case errors.Is(c.Err, dnscheck.ErrNoRecord):
		return "no key"
	case errors.Is(c.Err, dnscheck.ErrManyRecords):
		return "several records"
	case c.Err != nil:
		return strings.TrimPrefix(c.Err.Error(), "dnscheck: ")
	}
	return fmt.Sprintf("%s, %d bits", c.Key.Type, c.Key.Bits)
}

func policyText(p *dnscheck.MTASTSPolicy) string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf(" (mode %s, mx %s, for %v)", p.Mode, strings.Join(p.MX, " "), p.MaxAge)
}

func senderText(s dnscheck.SenderCheck) string {
	name := "without reverse name"
	switch {
	case s.IP.Outcome == dnscheck.OutcomeUnknown:
		name = "not looked up"
	case s.IP.Outcome.Failed():
		name = "reverse name not known"
	}
	if len(s.IP.PTR) > 0 {
		name = s.IP.PTR[0].Name
		if !s.IP.Confirmed() {
			name += " (not confirmed)"
		}
	}
	return fmt.Sprintf("%s %s, SPF %s", s.IP.IP, name, s.SPF.Result)
}

// short cuts what a record says to what tells where it is.
func short(text string) string {
	const most = 40
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "..."
}

func or(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}

// wrapped writes text behind a label, broken at blanks. What is not printable in
// it is replaced: it comes from DNS.
func wrapped(w io.Writer, label, text string) {
	indent := strings.Repeat(" ", utf8.RuneCountInString(label))
	line := label
	for word := range strings.FieldsSeq(strings.Map(printable, text)) {
		if line != label && line != indent && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			fmt.Fprintln(w, line)
			line = indent
		}
		if line != label && line != indent {
			line += " "
		}
		line += word
	}
	fmt.Fprintln(w, line)
}

func printable(r rune) rune {
	if r != '\n' && !unicode.IsPrint(r) {
		return '\u00b7'
	}
	return r
}
