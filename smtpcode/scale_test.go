package smtpcode

import (
	"fmt"
	"testing"
)

// twice returns the built-in rulebook with as many generated rules again:
// words, codes and operators of their own.
func twice() *Rulebook {
	b := Default()
	rules := make([]Rule, len(b.rules))
	for i := range rules {
		rules[i] = b.rules[i]
		rules[i].ID = fmt.Sprintf("generated-%d", i)
		if rules[i].Text != "" {
			rules[i].Text = fmt.Sprintf("%s of kind %d", rules[i].Text, i)
		} else {
			rules[i].From, rules[i].To, rules[i].Code = Status{5, 6, 100 + i}, Status{}, 0
		}
	}
	return b.With(rules...)
}

var medianFailure = Failure{
	Action: Failed, RemoteServer: "mx.example.net", Recipient: "user@example.net",
	Replies: ParseReplies("550 5.1.1 <user@example.net>: Recipient address rejected: User unknown in virtual mailbox table"),
}

// Twice the rules change neither what a reply means nor what it costs to say.
func TestTwiceTheRulesCostNoMoreMemory(t *testing.T) {
	once, more := Default(), twice()
	if d := more.Diagnose(medianFailure); d.Condition != "recipient-not-found" {
		t.Errorf("condition %v", d.Condition)
	}
	one := testing.AllocsPerRun(100, func() { once.Diagnose(medianFailure) })
	two := testing.AllocsPerRun(100, func() { more.Diagnose(medianFailure) })
	if one > 8 || two > one {
		t.Errorf("%v allocations, %v with twice the rules", one, two)
	}
}

func BenchmarkDiagnoseRules(b *testing.B) {
	for _, bench := range []struct {
		name string
		book *Rulebook
	}{{"built-in", Default()}, {"twice", twice()}} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bench.book.Diagnose(medianFailure)
			}
		})
	}
}
