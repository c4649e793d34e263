package smtpcode

import (
	"slices"
	"testing"
)

// A rule with the ID of one that is there takes its place, also where both are given
// at once; another is added.
func TestARuleReplacesItsNamesake(t *testing.T) {
	rule := func(id string, c Condition) Rule {
		return Rule{ID: id, Condition: c, Text: "pigeons are on strike", Source: "test"}
	}
	var none Rulebook
	for name, tt := range map[string]struct {
		rules []Rule
		want  Condition
		n     int
	}{
		"one":                   {[]Rule{rule("a", "mailbox-full")}, "mailbox-full", 1},
		"its namesake":          {[]Rule{rule("a", "mailbox-full"), rule("a", "greylisted")}, "greylisted", 1},
		"a namesake and others": {[]Rule{rule("a", "mailbox-full"), {ID: "b", Condition: "null-mx", Text: "nothing of it", Source: "test"}, rule("a", "greylisted")}, "greylisted", 2},
	} {
		for how, book := range map[string]*Rulebook{"at once": none.With(tt.rules...), "one by one": func() *Rulebook {
			b := &none
			for _, r := range tt.rules {
				b = b.With(r)
			}
			return b
		}()} {
			if d := book.Diagnose(Failure{Replies: ParseReplies("550 5.0.0 Pigeons are on strike")}); d.Condition != tt.want || len(book.Rules()) != tt.n {
				t.Errorf("%s, %s: %s by %d rules, want %s by %d", name, how, d.Condition, len(book.Rules()), tt.want, tt.n)
			}
		}
	}
	if len(none.Rules()) != 0 {
		t.Errorf("the rulebook that was added to has %d rules", len(none.Rules()))
	}
	builtIn := Default().Rules()[0]
	replaced := builtIn
	replaced.Source = "test"
	book := Default().With(replaced)
	if rules := book.Rules(); len(rules) != len(Default().Rules()) || rules[0].Source != "test" || Default().Rules()[0].Source == "test" {
		t.Errorf("%d rules, the first by %s", len(rules), rules[0].Source)
	}
}

// Conditions come in order, once each, those of the caller's own among them; whoever
// has found his goes no further.
func TestConditionsAreListed(t *testing.T) {
	own := Default().With(
		Rule{ID: "x", Condition: "acme-lapsed", Text: "licence lapsed", Source: "test"},
		Rule{ID: "y", Condition: "acme-lapsed", Text: "licence ended", Source: "test"},
		Rule{ID: "z", Condition: "mailbox-full", Text: "loft is full", Source: "test"})
	list := func(b *Rulebook) (names []Condition) {
		for c, summary := range b.Conditions() {
			if (summary == "") != (c == "acme-lapsed") {
				t.Errorf("%s means %q", c, summary)
			}
			names = append(names, c)
		}
		return names
	}
	names, before := list(own), list(Default())
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) || slices.Contains(names, UnknownCondition) {
		t.Errorf("%q", names)
	}
	if len(names) != len(before)+1 || !slices.Contains(names, "acme-lapsed") || slices.Contains(before, "acme-lapsed") {
		t.Errorf("%d conditions, %d with one of the caller's own", len(before), len(names))
	}
	for c := range own.Conditions() {
		if c != names[0] {
			t.Errorf("goes on to %s", c)
		}
		break
	}
}

// Others are the meanings that a judgement leaves open: none twice, and not its own.
func TestOthersAreOthers(t *testing.T) {
	for _, rule := range Default().Rules() {
		if rule.Text == "" || rule.Reason {
			continue
		}
		for _, code := range []string{"550 5.2.2 ", "550 5.4.1 ", "450 4.2.2 ", "554 5.7.1 "} {
			d := Diagnose(Failure{RemoteServer: "mx.example.net", Replies: ParseReplies(code + rule.Text), Status: Status{5, 2, 2}})
			for i, c := range d.Others {
				if c == UnknownCondition || c == d.Condition || slices.Contains(d.Others[:i], c) {
					t.Errorf("%s%s is %s, others %q", code, rule.Text, d.Condition, d.Others)
				}
			}
		}
	}
}

// Where no server tries again, time clears nothing: of what was refused for good the
// recipient's administrators know what it waited for, of what was given up the sender
// sends again.
func TestWhoClearsWhatTimeWouldHave(t *testing.T) {
	for name, tt := range map[string]struct {
		f     Failure
		owner Party
		find  bool // the administrators are to find it in their log
	}{
		"refused for good":              {Failure{Action: Failed, Replies: ParseReplies("550 5.7.1 Greylisted")}, RecipientAdmin, true},
		"refused for good, to a client": {Failure{Replies: ParseReplies("550 5.7.1 Greylisted")}, RecipientAdmin, true},
		"given up":                      {Failure{Action: Failed, Replies: ParseReplies("451 4.7.1 Greylisted")}, Sender, false},
		"still tried":                   {Failure{Action: Delayed, Replies: ParseReplies("451 4.7.1 Greylisted")}, Nobody, false},
		"put off":                       {Failure{Replies: ParseReplies("451 4.7.1 Greylisted")}, Nobody, false},
	} {
		d := Diagnose(tt.f)
		if d.Condition != "greylisted" || !slices.Equal(d.Owners, []Party{tt.owner}) || slices.Contains(d.Steps, findInLog) != tt.find {
			t.Errorf("%s: %s, owners %v, steps %v", name, d.Condition, d.Owners, d.Steps)
		}
		if waits := slices.Contains(d.Steps, wait); waits != (tt.owner == Nobody && tt.f.Action != Delayed) {
			t.Errorf("%s: steps %v", name, d.Steps)
		}
	}
}

// Nobody knows who owns a condition of the caller's own.
func TestAConditionOfTheCallersOwn(t *testing.T) {
	own := Default().With(Rule{ID: "acme", Condition: "acme-lapsed", Text: "licence lapsed", Source: "acme.example/help"})
	d := own.Diagnose(Failure{Replies: ParseReplies("550 5.7.1 Licence lapsed")})
	if d.Condition != "acme-lapsed" || !slices.Equal(d.Owners, []Party{Unknown}) || d.Summary != "A rule of your own, acme, names the condition acme-lapsed." || d.Steps[0].Text != "See what the source of the rule says: acme.example/help" {
		t.Errorf("%+v", d)
	}
}

// Microsoft prints the accept-list sentence for a disabled account too, whatever the
// reply says: the caveat stands once, and not where the sentence is another one.
func TestTheAcceptListSentenceMayMeanADisabledAccount(t *testing.T) {
	const accept = "Ask the recipient's email admin to add you to the accept list for the recipient."
	for name, tt := range map[string]struct {
		reply, reason string
		want          int
	}{
		"beside another reply": {"550 5.1.1 RESOLVER.ADR.RecipNotFound; not found", accept, 1},
		"beside its own reply": {"550 5.7.129 RESOLVER.RST.RestrictedToRecipientsPermission; not authorized to send to recipient", accept, 1},
		"alone":                {"", accept, 1},
		"another sentence":     {"550 5.1.1 RESOLVER.ADR.RecipNotFound; not found", "The address couldn't be found.", 0},
	} {
		f := Failure{Action: Failed, GeneratingServer: exchangeOnline, Reason: tt.reason, Replies: ParseReplies(tt.reply)}
		d, n := Diagnose(f), 0
		for _, c := range d.Caveats {
			if c == disabledAccount {
				n++
			}
		}
		if n != tt.want {
			t.Errorf("%s: %s with %d caveats of a disabled account: %v", name, d.Condition, n, d.Caveats)
		}
	}
}
