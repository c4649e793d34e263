package dmarcreport_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport"
)

func TestPolicyAfterRecords(t *testing.T) {
	from, to := strings.Index(sample, "<policy_published>"), strings.Index(sample, "<record>")
	text := strings.Replace(sample[:from]+sample[to:], "</feedback>", sample[from:to]+"</feedback>", 1)
	r := read(t, text)
	if r.Policy.Domain != "sender.example" || r.Policy.P != dmarcreport.DispositionReject || len(r.Records) != 1 {
		t.Errorf("%+v", r)
	}
	if !slices.Contains(ids(r.Findings), "element-order") {
		t.Errorf("findings %v", ids(r.Findings))
	}
}

func TestRFC9990(t *testing.T) {
	text := strings.NewReplacer("<feedback>", `<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0" xmlns:x="urn:example:x">`,
		"<sp>none</sp><pct>100</pct>", "<np>quarantine</np><testing>y</testing><discovery_method>treewalk</discovery_method>",
		"</report_metadata>", "<generator>maker 1</generator></report_metadata>",
		"</policy_published>", "</policy_published><extension><x:hint>1</x:hint></extension>",
		"<disposition>none</disposition>", "<disposition>pass</disposition>",
		"<spf>fail</spf>", `<spf>fail</spf><reason><type>policy_test_mode</type><comment lang="de">nur Probe</comment></reason>`,
		"</auth_results>", "</auth_results><x:more><x:deep>2</x:deep></x:more>").Replace(sample)
	r := read(t, text)
	if len(r.Findings) != 0 {
		t.Errorf("findings: %v", r.Findings)
	}
	rec, p := r.Records[0], r.Policy
	if r.Dialect.Likely() != "RFC 9990" || p.NP != dmarcreport.DispositionQuarantine || p.Testing != "y" || p.Discovery != "treewalk" ||
		r.Metadata.Generator != "maker 1" || rec.Evaluated.Disposition != dmarcreport.DispositionPass ||
		rec.Evaluated.Reasons[0] != (dmarcreport.Reason{Type: dmarcreport.OverridePolicyTestMode, TypeRaw: "policy_test_mode", Comment: "nur Probe", Lang: "de"}) ||
		!slices.Equal(rec.Extensions, []string{"x:more"}) {
		t.Errorf("%+v", r)
	}
}

// TestOptionalElementsAreNoFindings leaves out what the one standard or the
// other lets out: sp, pct and fo of the policy, the selector, the SPF result. A
// report that shows no mark of either breaks a rule only where it breaks both.
func TestOptionalElementsAreNoFindings(t *testing.T) {
	without := sample
	for _, element := range []string{"<sp>none</sp>", "<pct>100</pct>", "<fo>1</fo>", "<selector>s1</selector>", "<scope>mfrom</scope>", "<version>1.0</version>"} {
		without = strings.Replace(without, element, "", 1)
	}
	if got := ids(read(t, without).Findings); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if got := ids(read(t, strings.Replace(without, "<p>reject</p>", "", 1)).Findings); !slices.Equal(got, []string{"missing-element"}) {
		t.Errorf("without p: %v", got)
	}
	// A mark of RFC 7489 brings its own rules: here sp and fo, scope and version.
	if got := read(t, strings.Replace(without, "<p>reject</p>", "<p>reject</p><pct>100</pct>", 1)).Findings; len(got) != 4 {
		t.Errorf("with pct: %v", got)
	}
}
