package smtpcode

import (
	"slices"
	"strings"
)

// maxEvidence is how many pieces of evidence a diagnosis lists; sentences of the
// reporting system come beside them.
const maxEvidence = 6

// explain lists the evidence, what was overruled and what stays open.
func (b *Rulebook) explain(d *Diagnosis, ms *matches, best int, f *Failure) {
	if best < 0 {
		for i := range ms.n {
			d.addOther(b.rules[ms.list[i].rule].Condition)
		}
		return
	}
	won := &b.rules[ms.list[best].rule]
	d.Evidence = make([]Evidence, 1, min(ms.n, maxEvidence)+1)
	d.Evidence[0] = b.evidence(&ms.list[best], f)
	for _, c := range b.meaningOf(won.Condition).others {
		d.addOther(c)
	}
	expired := won.Condition == "message-expired"
	for i := range ms.n {
		rule := &b.rules[ms.list[i].rule]
		if i == best || rule.Condition == won.Condition {
			continue
		}
		open := rule.Also || ms.list[i].strength == strengthOpen
		switch {
		case open && (won.Text == "" || won.Vague || rule.Text != ""),
			expired && ms.list[i].field == FieldReply && rule.Code >= 0:
			d.addOther(rule.Condition)
			if ms.list[i].strength > strengthOpen {
				d.warn(b.meaningOf(rule.Condition).open)
			}
		case !open && ms.list[i].strength > strengthSubject && len(d.Evidence) < maxEvidence || rule.Reason:
			e := b.evidence(&ms.list[i], f)
			e.Overruled, e.Means = true, rule.Condition.String()
			d.Evidence = append(d.Evidence, e)
			if rule.Reason && d.Refuser.By == RemoteServer {
				d.Caveats = append(slices.Clip(d.Caveats), sentenceMayLie)
			}
		}
	}
	if won.Condition != "not-on-accept-list" && d.Condition != "not-on-accept-list" && !won.Reason && containsFold(f.Reason, "add you to the accept list") {
		d.Caveats = append(slices.Clip(d.Caveats), disabledAccount)
	}
}

// warn adds caveats of the tables once. They are not copied where they are all.
func (d *Diagnosis) warn(caveats []Caveat) {
	switch {
	case len(caveats) == 0 || slices.Contains(d.Caveats, caveats[0]):
	case len(d.Caveats) == 0:
		d.Caveats = caveats
	default:
		d.Caveats = append(slices.Clip(d.Caveats), caveats...)
	}
}

func (d *Diagnosis) addOther(c Condition) {
	if c == UnknownCondition || c == d.Condition || slices.Contains(d.Others, c) {
		return
	}
	if d.Others == nil {
		d.Others = make([]Condition, 0, 4)
	}
	d.Others = append(d.Others, c)
}

// evidence turns a match into what a reader can look up in the failure.
func (b *Rulebook) evidence(m *match, f *Failure) Evidence {
	rule := &b.rules[m.rule]
	e := Evidence{Rule: rule.ID, Field: m.field, Index: m.index, Source: rule.Source}
	switch m.field {
	case FieldStatus:
		e.Text = f.Status.String()
		e.End = len(e.Text)
	case FieldReason:
		e.Start, e.End = m.start, m.end
		e.Text = f.Reason[m.start:m.end]
	case FieldReply:
		reply := &f.Replies[m.index]
		if rule.Text == "" {
			e.Start, e.End = codeSpan(reply.Raw)
			e.Text = reply.Raw[e.Start:e.End]
			break
		}
		e.Text = reply.Text[m.start:m.end]
		// The text of a reply of one line stands in Raw as it is, mostly last.
		if strings.HasSuffix(reply.Raw, reply.Text) {
			at := len(reply.Raw) - len(reply.Text)
			e.Start, e.End = at+m.start, at+m.end
		} else if at := strings.LastIndex(reply.Raw, reply.Text); at >= 0 {
			e.Start, e.End = at+m.start, at+m.end
		} else if start, end, ok := acrossLines(reply.Raw, e.Text); ok {
			e.Start, e.End, e.Text = start, end, reply.Raw[start:end]
		}
	}
	return e
}
