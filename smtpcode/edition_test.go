package smtpcode

import "testing"

func TestEditionNamesTheRules(t *testing.T) {
	own := Rule{ID: "acme-full", Condition: "mailbox-full", Text: "the pigeonhole overflows", Source: "acme.example/help"}
	book := Default()
	edition := book.Edition()
	if len(edition) != 12 || edition != Default().With().Edition() {
		t.Errorf("%q, then %q", edition, Default().With().Edition())
	}
	with := book.With(own).Edition()
	own.Condition = "mailbox-busy"
	if with == edition || book.With(own).Edition() == with {
		t.Error("other rules, the same edition")
	}
}
