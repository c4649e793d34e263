package dnscheck

import (
	"encoding/json"
	"net/netip"
	"strings"
	"testing"
)

// Whoever has the JSON alone sees why nothing was asked.
func TestJSONSaysWhyNothingWasAsked(t *testing.T) {
	for name, check := range map[string]any{
		"explanation": Explain(t.Context(), nil, Refusal{AuthorDomain: "a.example"}),
		"domain":      CheckDomain(t.Context(), nil, "a.example", DomainOptions{}),
	} {
		data, err := json.Marshal(check)
		if err != nil || !strings.Contains(string(data), `"problem":"there is no resolver to ask"`) {
			t.Errorf("%s: %s, %v", name, data, err)
		}
	}
}

// The step that leads to another record says what came of asking for it, and
// one that asks nothing has no outcome at all.
func TestStepsSayWhatCameOfTheirQuestion(t *testing.T) {
	z := new(Zone)
	z.AddTXT("a.example", "v=spf1 ip4:192.0.2.1 include:b.example include:gone.example -all")
	z.AddTXT("b.example", "v=spf1 include:c.example ?all")
	z.AddTXT("c.example", "v=spf1 redirect=d.example")
	z.AddTXT("d.example", "v=spf1 a:none.example -all")
	check := CheckSPF(t.Context(), z, SPFQuery{IP: netip.MustParseAddr("203.0.113.9"), MailFrom: "x@a.example", Trace: true})
	want := []struct {
		asked   string
		outcome Outcome
	}{
		{"", OutcomeUnknown}, {"b.example", Found}, {"c.example", Found}, {"d.example", Found}, {"none.example", NXDomain},
		{"", OutcomeUnknown}, {"", OutcomeUnknown}, {"gone.example", NXDomain},
	}
	if len(check.Steps) != len(want) {
		t.Fatalf("%d steps, want %d: %v", len(check.Steps), len(want), check.Steps)
	}
	for i, step := range check.Steps {
		if step.Asked != want[i].asked || step.Outcome != want[i].outcome {
			t.Errorf("step %d asks %q: %v, want %q: %v", i, step.Asked, step.Outcome, want[i].asked, want[i].outcome)
		}
		data, err := json.Marshal(step)
		if asked := strings.Contains(string(data), `"outcome"`); err != nil || asked != (step.Asked != "") {
			t.Errorf("step %d: %s, %v", i, data, err)
		}
	}
}
