package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/examples/internal/terminal"
	"github.com/mailfault/mailfault/smtpcode"
)

// document prints one message's explanation.
func (p *printer) document(d *document, verbose bool) {
	title := d.File
	if d.Index > 0 {
		title += fmt.Sprintf(" #%d", d.Index)
	}
	p.line(p.Paint(terminal.Bold, printable(title)) + p.Paint(terminal.Faint, "  "+described(d)))
	if d.Error != "" {
		p.field("", terminal.Red, d.Error)
	}
	if d.Notice != nil {
		p.field("Says", "", strings.TrimSpace(d.Notice.Headline+" "+d.Notice.Cause))
	}
	var o origin
	if p.around != nil {
		o = p.around.sent.origin(d)
	}
	p.field("Ours", "", strings.Join(o.why, " "))
	for _, step := range o.steps {
		p.field("", "", step)
	}
	if o.forged {
		p.field("First", terminal.Green, explained.ForgedAdvice)
	}
	for i := range d.Recipients {
		p.recipient(&d.Recipients[i], o.forged, verbose)
	}
	if d.Notice != nil {
		p.hops(d)
		p.notice(d.Notice, p.around)
	}
	p.findings(d.Findings, verbose)
	p.line("")
}

// described says in a few words what kind of report it is.
func described(d *document) string {
	words := []string{strings.ReplaceAll(d.Kind, "-", " ")}
	for _, word := range []string{d.Format, d.Layout, d.Product} {
		if word != "" && word != "unknown" {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

var actionStyles = map[smtpcode.Action]terminal.Style{smtpcode.Failed: terminal.Red, smtpcode.Delayed: terminal.Yellow, smtpcode.Delivered: terminal.Green, smtpcode.Relayed: terminal.Green, smtpcode.Expanded: terminal.Green}

// recipient prints what is known of one; what to do only where the mail was not
// forged.
func (p *printer) recipient(r *recipient, forged, verbose bool) {
	address := r.FinalRecipient
	if address == "" {
		address = "(no recipient named)"
	}
	if r.OriginalRecipient != "" && !strings.EqualFold(r.OriginalRecipient, r.FinalRecipient) {
		address += " (sent to " + r.OriginalRecipient + ")"
	}
	action := ""
	if r.Action != smtpcode.ActionUnknown {
		action = "  " + p.Paint(actionStyles[r.Action], r.Action.String())
	}
	p.line("")
	p.line("  " + p.Paint(terminal.Bold, printable(address)) + action)

	d := &r.Diagnosis
	p.field("What", terminal.Bold, d.Summary+" ("+d.Condition.String()+")")
	p.field("Refused by", "", refuser(r))
	if r.GeneratingServer != "" && !strings.EqualFold(r.GeneratingServer, d.Refuser.Host) {
		p.field("Reported by", "", r.GeneratingServer)
	}
	p.field("Reply", "", replyText(r))
	p.field("Sentence", terminal.Faint, r.Failure.Reason)
	if !forged {
		p.whatToDo(r)
	}
	for _, caveat := range d.Caveats {
		p.field("Careful", terminal.Yellow, caveat.Text)
	}
	for _, evidence := range d.Evidence {
		if !evidence.Overruled || verbose || evidence.Field == smtpcode.FieldReason {
			p.field("Because", terminal.Faint, evidenceText(evidence))
		}
	}
	if len(d.Others) > 0 {
		p.field("Open", terminal.Faint, "not excluded: "+join(d.Others, ", "))
	}
}

func (p *printer) whatToDo(r *recipient) {
	d := &r.Diagnosis
	for i, step := range d.Steps {
		label := "Then"
		if i == 0 {
			label = "First"
		}
		p.field(label, terminal.Green, step.Party.String()+": "+step.Text)
	}
	p.field("Owners", "", owners(r))
	p.field("Resend", "", resend(d))
	p.field("Address", "", addressAdvice(d.Address))
	for _, check := range d.Checks {
		p.field("Check", "", checkText(check))
	}
	p.dns(r)
}

func refuser(r *recipient) string {
	f := r.Diagnosis.Refuser
	if f.Host == "" {
		return f.Why
	}
	text := f.Host
	switch f.By {
	case smtpcode.SameServer, smtpcode.AfterAccepting:
		text += ", which also wrote the report"
	}
	if f.Side != smtpcode.SideUnknown {
		text += " (" + f.Side.String() + "'s side)"
	}
	return text + ": " + f.Why
}

// replyText is the reply judged, with what quotes it before it.
func replyText(r *recipient) string {
	if len(r.Failure.Replies) == 0 {
		if r.Status.IsZero() {
			return "none given"
		}
		return "none given; the report declares status " + r.Status.String()
	}
	raws := make([]string, len(r.Failure.Replies))
	for i, reply := range r.Failure.Replies {
		raws[i] = reply.Raw
	}
	return strings.Join(raws, " -> ")
}

func owners(r *recipient) string {
	text := join(r.Diagnosis.Owners, ", then ")
	if r.StatedOwner != smtpcode.Unknown {
		text += "; the report itself marks the " + r.StatedOwner.String()
	}
	return text
}

var resendTexts = map[smtpcode.ResendAdvice]string{
	smtpcode.ResendUnknown:  "not known whether it helps",
	smtpcode.NeverUnchanged: "never unchanged: a copy draws the same reply",
	smtpcode.AfterFix:       "after the fix",
	smtpcode.Later:          "later",
}

func resend(d *smtpcode.Diagnosis) string {
	text := resendTexts[d.Resend.Advice]
	if d.Resend.Wait > 0 {
		text += ", in " + plainDuration(d.Resend.Wait)
	}
	if d.Resend.Advice == smtpcode.AfterFix && d.Permanence == smtpcode.Permanent {
		text += "; a copy sent now draws the same reply"
	}
	return text + " (" + d.Permanence.String() + ")"
}

func plainDuration(d time.Duration) string {
	if d%time.Hour == 0 {
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d min", d/time.Minute)
}

var addressTexts = map[smtpcode.AddressAdvice]string{
	smtpcode.Keep:    "keep it on the list",
	smtpcode.Suspend: "stop mailing it until somebody has confirmed it",
	smtpcode.Remove:  "take it off the list",
}

func addressAdvice(a smtpcode.AddressAdvice) string { return addressTexts[a] }

func checkText(c smtpcode.Check) string {
	words := []string{c.Kind.String()}
	if c.Domain != "" {
		words = append(words, "of "+c.Domain)
	}
	if c.IP.IsValid() {
		words = append(words, "for "+c.IP.String())
	}
	if !c.Date.IsZero() {
		words = append(words, "on "+c.Date.UTC().Format(time.DateOnly))
	}
	return strings.Join(words, " ")
}

func evidenceText(e smtpcode.Evidence) string {
	text := fmt.Sprintf("%q in the %s", e.Text, e.Field)
	if e.End > e.Start && e.Field != smtpcode.FieldStatus {
		text += fmt.Sprintf(", bytes %d-%d", e.Start, e.End)
	}
	text += " (rule " + e.Rule + "; " + e.Source + ")"
	if e.Overruled {
		text = "overruled: " + text + " would mean " + e.Means
	}
	return text
}

// hops prints the way the message took where the report tells it.
func (p *printer) hops(d *document) {
	hops := d.Notice.Hops
	if len(hops) == 0 {
		return
	}
	p.line("")
	p.line("  " + p.Paint(terminal.Bold, "Hops"))
	for _, hop := range hops {
		when := hop.Date
		if !hop.At.IsZero() {
			when = hop.At.Format("15:04:05")
		}
		from := hop.From
		if from == "" {
			from = "(submitted)"
		}
		p.field(fmt.Sprintf("%2d %s", hop.Number, when), "", from+" to "+hop.To+delay(hop.Delay))
	}
}

func delay(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return fmt.Sprintf(", %+.0f s", d.Seconds())
}

func (p *printer) findings(findings []dsn.Finding, verbose bool) {
	if len(findings) == 0 {
		return
	}
	if !verbose {
		p.field("Repairs", terminal.Faint, fmt.Sprintf("%d in the report's own form; -v lists them", len(findings)))
		return
	}
	for _, f := range findings {
		text := f.ID + ": " + f.Message
		if f.Spec != "" {
			text += " (" + f.Spec + ")"
		}
		p.field("Repair", terminal.Faint, text)
	}
}

func join[T fmt.Stringer](list []T, between string) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = v.String()
	}
	return strings.Join(words, between)
}
