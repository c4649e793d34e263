package dnscheck

import "testing"

func TestOutcomeTellsVoidFromFailed(t *testing.T) {
	for o, want := range map[Outcome]struct{ void, failed bool }{
		OutcomeUnknown: {false, true}, Found: {}, NoData: {void: true}, NXDomain: {void: true},
		ServFail: {failed: true}, Timeout: {failed: true}, Refused: {failed: true}, Unreachable: {failed: true},
	} {
		if o.Void() != want.void || o.Failed() != want.failed {
			t.Errorf("%v: void %v, failed %v", o, o.Void(), o.Failed())
		}
		text, err := o.MarshalText()
		var back Outcome
		if err != nil || back.UnmarshalText(text) != nil || back != o {
			t.Errorf("%v becomes %q, then %v", o, text, back)
		}
	}
}

func TestGapsHaveATextForm(t *testing.T) {
	for g := range Gaps(1 << len(gapNames)) {
		text, _ := g.MarshalText()
		var back Gaps
		if err := back.UnmarshalText(text); err != nil || back != g {
			t.Errorf("%b becomes %q, then %b: %v", g, text, back, err)
		}
	}
	if got := (GapExistence | GapTTL).String(); got != "existence,ttl" {
		t.Errorf("%q", got)
	}
	if new(Gaps).UnmarshalText([]byte("ttl,nonsense")) == nil {
		t.Error("an unknown name is accepted")
	}
}
