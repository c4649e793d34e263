package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/examples/internal/askdns"
	"github.com/mailfault/mailfault/examples/internal/terminal"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/ndr/messagetrace"
	"github.com/mailfault/mailfault/smtpcode"
)

// around is what the command line gives beside the reports.
type around struct {
	trace []messagetrace.Row // failed rows of an export of the message trace
	sent  sentMail           // nil when not given
	now   time.Time

	resolver dnscheck.Resolver // nil: DNS is not asked
}

// now is the clock; tests set it.
var now = time.Now

// newAround reads what the command line names.
func newAround(o options) (*around, error) {
	a := &around{now: now()}
	if o.trace != "" {
		if err := a.readTrace(o.trace); err != nil {
			return nil, err
		}
	}
	if o.dns != "" {
		resolver, err := askdns.Named(o.dns)
		if err != nil {
			return nil, err
		}
		a.resolver = resolver
	}
	if o.sent != "" {
		f, err := os.Open(o.sent)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if a.sent, err = readSent(f); err != nil {
			return nil, fmt.Errorf("%s: %w", o.sent, err)
		}
	}
	return a, nil
}

// maxTraceRows bounds what is kept of a trace; rows that did not fail are not.
const maxTraceRows = 100_000

// readTrace keeps the failed rows of an export.
func (a *around) readTrace(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	for row, err := range messagetrace.Read(f) {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if row.Failed() && len(a.trace) < maxTraceRows {
			a.trace = append(a.trace, row)
		}
	}
	return nil
}

// notice prints the work around a Microsoft report: who is still trying,
// whether Send Again helps, where it went wrong on the way, which trace to ask
// for, and whether the mail was ours at all.
func (p *printer) notice(n *ndr.Notice, a *around) {
	p.line("")
	p.line("  " + p.Paint(terminal.Bold, "Around it"))
	if retry := n.Retry(); retry.State != ndr.RetryUnknown {
		p.field("Retries", "", retry.Why)
	}
	if len(n.Recipients) > 0 {
		p.sendAgain(n.SendAgain(0))
	}
	for i := range n.Recipients {
		p.addressee(n.Addressee(i), n.Recipients[i].Address)
		p.sentence(n.Sentence(i))
	}
	p.path(n.Path())
	if spf := n.SPFCheck(); spf.Check {
		p.field("SPF", terminal.Yellow, fmt.Sprintf("the receiver read %s: check the SPF record of %s", spf.Result, or(spf.Domain, "your domain")))
	}
	if a == nil {
		return
	}
	p.trace(n, a)
}

func (p *printer) sendAgain(s ndr.SendAgain) {
	text := "it"
	switch s.Helps {
	case ndr.No:
		text += " draws the same reply"
	case ndr.Yes:
		text += " can help"
	default:
		text += " may or may not help"
	}
	if len(s.Why) > 0 {
		text += ": " + strings.Join(s.Why, " ")
	}
	p.field("Send Again", "", text)
	p.field("", "", s.Instead)
}

func (p *printer) addressee(a ndr.Addressee, address string) {
	switch {
	case a.DidYou != "":
		p.field("Address", terminal.Yellow, fmt.Sprintf("%s: did the sender mean %s?", address, a.DidYou))
	case (a.Relation == ndr.Redirected || a.Relation == ndr.NotAddressed) && len(a.SentTo) > 0:
		p.field("Address", "", fmt.Sprintf("the message went to %s; %s was reached through a forward or a group", strings.Join(a.SentTo, ", "), address))
	}
}

func (p *printer) sentence(s ndr.Sentence) {
	if s.Kind == ndr.SentenceCustom {
		text := "the reason sentence is not one of Microsoft's: an administrator wrote it"
		if len(s.Contacts) > 0 {
			text += "; it names " + strings.Join(s.Contacts, ", ")
		}
		p.field("Custom", "", text)
	}
	if s.Mismatch {
		p.field("Careful", terminal.Yellow, "The reason sentence belongs to another code than the reply has; the reply counts.")
	}
}

// path prints the way only where it says more than the refuser's name.
func (p *printer) path(path ndr.Path) {
	if path.Accepted == "" {
		return
	}
	text := "last taken in by " + path.Accepted
	if path.Operator != "" {
		text += " (" + path.Operator + ")"
	}
	if path.Slowest >= 0 && path.Slowest < len(path.Steps) && path.Steps[path.Slowest].Delay >= time.Minute {
		text += fmt.Sprintf("; the slowest step took %s, to %s", path.Steps[path.Slowest].Delay, path.Steps[path.Slowest].By)
	}
	p.field("Path", "", text)
}

// trace joins the trace, or says which one to ask for.
func (p *printer) trace(n *ndr.Notice, a *around) {
	key := messagetrace.KeyOf(n)
	for i := range a.trace {
		row := &a.trace[i]
		if key.Match(row) == messagetrace.NoMatch {
			continue
		}
		for _, f := range row.Failures() {
			d := smtpcode.Diagnose(f)
			p.field("Trace", "", fmt.Sprintf("line %d, %s: %s, %s", row.Line, row.Time.Format(time.DateTime), f.Recipient, d.Condition))
		}
		return
	}
	if len(a.trace) > 0 {
		p.field("Trace", "", "nothing in the export is about this message")
		return
	}
	q := messagetrace.Query{Sent: key.Sent, Now: a.now, Sender: key.Sender, MessageID: key.MessageID}
	if len(key.Recipients) > 0 {
		q.Recipient = key.Recipients[0]
	}
	switch advice := messagetrace.Advise(q); advice.Kind {
	case messagetrace.TooOld:
		p.field("Trace", "", "older than 90 days: no trace is kept")
	case messagetrace.Summary, messagetrace.Historical:
		p.field("Trace", "", advice.Where)
		for _, c := range advice.Commands {
			p.field("", "", c.Line)
		}
	}
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
