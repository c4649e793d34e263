package smtpcode

import (
	"slices"
)

// Diagnose judges a failure by the built-in rules. It does no I/O and gives
// the same answer for the same failure always.
func Diagnose(f Failure) Diagnosis { return defaultRulebook().Diagnose(f) }

// Diagnose judges a failure by the rules of b.
//
// Words of the innermost reply decide first: the refusing server wrote them.
// Then follow the code of that reply, the words and codes of replies that
// quote it, the sentence the reporting system chose, and the status the report
// declares. A longer and more exact rule beats a shorter one; what was
// overruled stays in Evidence. Words that the sentence denies, says of the
// sending side where the rule is about the recipient, or quotes out of the
// message are no evidence, and neither is a reply that accepts.
func (b *Rulebook) Diagnose(f Failure) Diagnosis {
	d := Diagnosis{Refuser: f.refuser()}
	if f.Action.succeeded() {
		d.Summary = "This is no failure: the message was " + f.Action.String() + "."
		d.Steps = nothingToDo
		return d
	}
	var ms matches
	m, best := b.judge(&ms, &f, &d.Refuser, operatorOf(d.Refuser.Host))
	d.Permanence = permanence(&f, m)
	switch {
	case f.Action == Delayed:
		m = b.whileDelayed(m)
	case f.Action == Failed || d.Permanence == Permanent:
		m = withoutRetries(m, d.Permanence)
	}
	d.Condition, d.Summary = m.id, m.summary
	d.Refuser.settleSide(m)
	d.Owners, d.Steps = owners(m, d.Refuser.Side)
	if m.byRule && len(d.Owners) > 1 {
		d.Caveats = append(slices.Clip(m.caveat), sideUnknown)
	} else {
		d.Caveats = m.caveat
	}
	d.Resend, d.Address = advice(m, d.Permanence, f.Action)
	if d.Resend.Wait > 0 && len(f.Replies) > 0 {
		if wait := statedWait(f.Replies[len(f.Replies)-1].Text); wait > 0 {
			d.Resend.Wait = wait
		}
	}
	d.Checks = checks(m, &f)
	if m.byRule && d.Refuser.Side == SideUnknown && !slices.Contains(m.checks, CheckMX) {
		d.Checks = append(d.Checks, Check{Kind: CheckMX, Domain: domainToCheck(domainOf(f.Recipient))}) // it tells the side
	}
	b.explain(&d, &ms, best, &f)
	if best >= 0 && m.summary == "" {
		d.sayOwn(&b.rules[ms.list[best].rule])
	}
	return d
}

// judge finds the rule that decides, as an index of ms, and what it means; -1
// and the silent meaning where nothing decides. The operator is the refuser's.
func (b *Rulebook) judge(ms *matches, f *Failure, refuser *Refuser, operator Operator) (*meaning, int) {
	b.gather(ms, f, refuser, operator)
	best := b.winner(ms, f)
	if best < 0 {
		return &silent, best
	}
	return b.meaningOf(b.rules[ms.list[best].rule].Condition), best
}

// silent is the meaning of evidence that says nothing.
var silent = meaning{
	summary: "The evidence does not say why.",
	owners:  []Party{Unknown},
	steps:   []Step{{Sender, "Get the reply of the refusing server: it stands in the part of the report for administrators."}},
}

// nothingToDo is the first step where nothing failed.
var nothingToDo = []Step{{Nobody, "Nothing is to be done."}}

// sayOwn fills in what the conditions table cannot know: a condition that a
// rule of the caller's own brought.
func (d *Diagnosis) sayOwn(rule *Rule) {
	d.Summary = "A rule of your own, " + rule.ID + ", names the condition " + d.Condition.String() + "."
	d.Owners = []Party{Unknown}
	d.Steps = []Step{{Sender, "See what the source of the rule says: " + rule.Source}}
}

var sideUnknown = Caveat{"side-unknown", "Whose server refused is not known, and the side that set the rule has to change it: both are named. A host that the MX records of the recipient's domain name is theirs; one that your own server hands its mail to (a relay, a smart host) is yours."}

// gather collects the rules that fit each piece of evidence.
func (b *Rulebook) gather(ms *matches, f *Failure, refuser *Refuser, operator Operator) {
	var spoke Operator
	inner := len(f.Replies) - 1
	for i := inner; i >= 0; i-- {
		reply := &f.Replies[i]
		speaker := operator
		if i < inner {
			speaker = operatorOf(hostName(f.GeneratingServer))
		}
		e := evidence{field: FieldReply, index: i, code: reply.Code, status: reply.Status, text: unexplained(reply.Text), operator: speaker}
		if i == inner && inner > 0 {
			e.rank, e.codeRank = rankInner, rankInner
		}
		if !accepts(reply) {
			b.collect(ms, &e)
		}
		if i == inner {
			spoke = e.operator
		}
	}
	if f.Reason != "" {
		e := evidence{field: FieldReason, text: unexplained(f.Reason)}
		// A sentence picked from the code says nothing of a foreign server's
		// reason for the same code.
		if refuser.By == RemoteServer && spoke != Microsoft && operator != Microsoft && inner >= 0 {
			e.rank = -strengthReason
		}
		b.collect(ms, &e)
	}
	if !f.Status.IsZero() && (inner < 0 || f.Replies[inner].Status.IsZero()) {
		if spoke == UnknownOperator {
			spoke = operator
		}
		e := evidence{field: FieldStatus, status: f.Status, operator: spoke}
		b.collect(ms, &e)
	}
}

// rankInner lifts the innermost reply above what quotes it.
const rankInner = 5000

// winner returns the index of the match that decides, or -1. Where servers
// tried until the message expired, expiry decides and the last attempt's error
// stays open beside it.
func (b *Rulebook) winner(ms *matches, f *Failure) int {
	best := -1
	for i := range ms.n {
		rule := &b.rules[ms.list[i].rule]
		if rule.Also || ms.list[i].strength <= strengthOpen {
			continue
		}
		if best < 0 {
			best = i
		}
		if rule.Condition == "message-expired" && ms.list[i].field == FieldReply && ms.list[i].index < len(f.Replies)-1 &&
			class(f.Replies[len(f.Replies)-1]) != ClassPermanent {
			return i
		}
	}
	return best
}

// class returns the class of a reply: of its status, else of its code.
func class(r Reply) int {
	if !r.Status.IsZero() {
		return r.Status.Class()
	}
	return r.Code / 100
}

// accepts reports whether a reply is none to a failure: the command was taken
// (RFC 5321 section 4.2.1). What else it says is no reason.
func accepts(r *Reply) bool {
	return r.Code >= 200 && r.Code < 400 || r.Code == 0 && r.Status.Class() == ClassSuccess
}

// permanence reads the class: a delivery that failed for good on a temporary
// status has expired, it did not bounce softly.
func permanence(f *Failure, m *meaning) Permanence {
	c := f.Status.Class()
	for i := len(f.Replies) - 1; i >= 0 && c == 0; i-- {
		c = class(f.Replies[i])
	}
	switch {
	case f.Action == Delayed:
		return Transient
	case m.id == "message-expired", c == ClassTransient && f.Action == Failed:
		return Expired
	case c == ClassTransient:
		return Transient
	case c == ClassPermanent:
		return Permanent
	}
	return PermanenceUnknown
}

// settleSide fills in the side where only one side can refuse for this reason.
func (r *Refuser) settleSide(m *meaning) {
	if side := settledSide(r, m); side != r.Side {
		r.Side = side
		r.Why += "; only the " + m.side.String() + "'s side refuses for this reason"
	}
}

// settledSide returns whose server r is, as far as m settles it.
func settledSide(r *Refuser, m *meaning) Side {
	if r.Side == SideUnknown && r.Host != "" {
		return m.side
	}
	return r.Side
}

// owners returns who acts: of a rule, the side that set it.
func owners(m *meaning, side Side) ([]Party, []Step) {
	if !m.byRule || side == SideUnknown {
		return m.owners, m.steps
	}
	owner := firstOwner(m, side)
	steps := make([]Step, 0, len(m.steps))
	for i, step := range m.steps {
		if i == 0 && step.Party == Sender || step.Party == owner {
			steps = append(steps, step)
		}
	}
	for i := range m.owners {
		if m.owners[i] == owner {
			return m.owners[i : i+1 : i+1], steps
		}
	}
	return []Party{owner}, steps
}

// firstOwner returns who acts first.
func firstOwner(m *meaning, side Side) Party {
	switch {
	case m.byRule && side == SideSender:
		return SenderAdmin
	case m.byRule && side != SideUnknown:
		return RecipientAdmin
	case len(m.owners) > 0:
		return m.owners[0]
	}
	return Unknown
}
