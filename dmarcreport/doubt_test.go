package dmarcreport_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
)

// doubtful is a report of one record, for doubts to be put into.
func doubtful(policy, evaluated, rest string) string {
	return `<feedback><report_metadata><org_name>r.example</org_name><email>a@r.example</email><report_id>1</report_id>` +
		`<date_range><begin>1700000000</begin><end>1700086399</end></date_range></report_metadata>` +
		`<policy_published><domain>sender.example</domain>` + policy + `<p>reject</p></policy_published>` +
		`<record><row><source_ip>192.0.2.1</source_ip><count>3</count><policy_evaluated><disposition>none</disposition>` + evaluated +
		`</policy_evaluated></row>` + rest + `</record></feedback>`
}

const (
	saysFail   = `<dkim>fail</dkim><spf>fail</spf>`
	fromSender = `<identifiers><header_from>sender.example</header_from></identifiers>`
)

func signed(text string) string { return `<auth_results><dkim>` + text + `</dkim></auth_results>` }

// TestDoubtIsNoPass puts into a report what can be read as a pass and need not
// be one.
func TestDoubtIsNoPass(t *testing.T) {
	pass := signed(`<domain>sender.example</domain><result>pass</result>`)
	sub := signed(`<domain>m.sender.example</domain><result>pass</result>`)
	crowd := strings.Repeat(`<dkim><domain>other.example</domain><result>pass</result></dkim>`, 1000)
	for name, text := range map[string]string{
		"two author domains":     doubtful("", saysFail, `<identifiers><header_from>sender.example</header_from><header_from>other.example</header_from></identifiers>`+pass),
		"two, the other first":   doubtful("", saysFail, `<identifiers><header_from>other.example</header_from><header_from>m.sender.example</header_from></identifiers>`+pass),
		"identifiers twice":      doubtful("", saysFail, fromSender+`<identifiers><header_from>other.example</header_from></identifiers>`+pass),
		"two signing domains":    doubtful("", saysFail, fromSender+signed(`<domain>sender.example</domain><domain>other.example</domain><result>pass</result>`)),
		"two, other first":       doubtful("", saysFail, fromSender+signed(`<domain>other.example</domain><domain>m.sender.example</domain><result>pass</result>`)),
		"evaluated twice":        doubtful("", `<dkim>pass</dkim><spf>pass</spf></policy_evaluated><policy_evaluated>`+saysFail, fromSender),
		"strict after relaxed":   doubtful("<adkim>r</adkim><adkim>s</adkim>", saysFail, fromSender+sub),
		"mode not understood":    doubtful("<adkim>strikt</adkim>", saysFail, fromSender+sub),
		"control in the word":    doubtful("", "<dkim>pa\x01ss</dkim><spf>fail</spf>", fromSender+signed("<domain>sender.example</domain><result>pa\x01ss</result>")),
		"null reference":         doubtful("", "<dkim>pa&#0;ss</dkim><spf>fail</spf>", fromSender+signed("<domain>sender.example</domain><result>pa&#0;ss</result>")),
		"word escaped twice":     doubtful("", "<dkim>&amp;#112;ass</dkim><spf>fail</spf>", fromSender+signed("<domain>sender.example</domain><result>&amp;#112;ass</result>")),
		"stray end tag in it":    doubtful("", "<dkim>pa</x>ss</dkim><spf>fail</spf>", fromSender+signed("<domain>sender.example</domain><result>pa</x>ss</result>")),
		"more results than kept": doubtful("", saysFail, fromSender+`<auth_results>`+crowd+`<dkim><domain>sender.example</domain></dkim></auth_results>`),
		"cut in the author":      `<feedback><record><row><source_ip>192.0.2.1</source_ip><count>3</count></row>` + pass + `<identifiers><header_from>sender.example`,
		"cut in the result":      `<feedback><record><row><source_ip>192.0.2.1</source_ip><count>3</count></row>` + fromSender + `<auth_results><dkim><domain>sender.example</domain><result>pass`,
		"cut in the evaluation":  `<feedback><record><row><source_ip>192.0.2.1</source_ip><count>3</count><policy_evaluated><dkim>pass`,
	} {
		r := read(t, text)
		if len(r.Records) != 1 {
			t.Errorf("%s: %d records", name, len(r.Records))
			continue
		}
		rec := r.Records[0]
		if j := dmarcreport.Evaluate(&r.Policy, &rec, nil); j.Pass() || rec.Evaluated.Pass() {
			t.Errorf("%s is a pass: %+v, %+v", name, j, rec.Evaluated)
		}
		if !slices.ContainsFunc(r.Findings, func(f dmarcreport.Finding) bool { return f.Severity > dmarcreport.Info }) {
			t.Errorf("%s: findings %v", name, ids(r.Findings))
		}
	}
	for name, text := range map[string]string{
		"plain":                doubtful("", saysFail, fromSender+pass),
		"twice the same":       doubtful("<adkim>r</adkim><adkim>r</adkim>", saysFail, fromSender+fromSender+pass),
		"same domain":          doubtful("<adkim>strikt</adkim>", saysFail, fromSender+pass),
		"results in two":       doubtful("", saysFail, fromSender+signed(`<domain>other.example</domain><result>fail</result>`)+pass),
		"a section, a comment": doubtful("", saysFail, fromSender+signed(`<domain>sender.example</domain><result>pa<!-- -->ss</result>`)),
	} {
		r := read(t, text)
		if j := dmarcreport.Evaluate(&r.Policy, &r.Records[0], nil); !j.Pass() {
			t.Errorf("%s is no pass: %+v; %v", name, j, ids(r.Findings))
		}
	}
}

// TestSecondElementFillsIn takes from a second policy_evaluated what the first
// does not say.
func TestSecondElementFillsIn(t *testing.T) {
	r := read(t, doubtful("", `<dkim>pass</dkim></policy_evaluated><policy_evaluated><spf>fail</spf>`, fromSender))
	if e := r.Records[0].Evaluated; e.DKIM != dmarcreport.ResultPass || e.SPF != dmarcreport.ResultFail || e.SPFRaw != "fail" {
		t.Errorf("%+v", e)
	}
}

// TestCutNumberIsNotRead ends a document within a count: 12 of 1234 is no count.
func TestCutNumberIsNotRead(t *testing.T) {
	r := read(t, `<feedback><record><row><source_ip>192.0.2.1</source_ip><count>12`)
	if len(r.Records) != 1 || r.Records[0].Count != 0 || !r.Records[0].Partial {
		t.Errorf("%+v", r.Records)
	}
}

// TestPolicyAfterRecordsCounts streams a report whose strict policy comes last.
func TestPolicyAfterRecordsCounts(t *testing.T) {
	text := doubtful("<adkim>s</adkim>", saysFail, fromSender+signed(`<domain>m.sender.example</domain><result>pass</result>`))
	from, to := strings.Index(text, "<policy_published>"), strings.Index(text, "<record>")
	text = text[:from] + text[to:len(text)-len("</feedback>")] + text[from:to] + "</feedback>"
	st, err := new(dmarcreport.Reader).Open(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var s dmarcreport.Sources
	if err := s.AddStream(st); err != nil {
		t.Fatal(err)
	}
	if list := s.List(); len(list) != 1 || list[0].Domain != "sender.example" || list[0].Neither != 0 || list[0].Pass() != 0 || list[0].Unknown != 3 {
		t.Errorf("%+v", list)
	}
}

// TestManyVerdicts takes time that grows with the verdicts, not with their square.
func TestManyVerdicts(t *testing.T) {
	text := doubtful("", strings.Repeat(`<dkim>pass</dkim><dkim>fail</dkim>`, 200_000), fromSender)
	began := time.Now()
	r := read(t, text)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	if rec := r.Records[0]; rec.Evaluated.Pass() || len(rec.Evaluated.DKIMRaw) > 1000 {
		t.Errorf("%v, %d bytes", rec.Evaluated.DKIM, len(rec.Evaluated.DKIMRaw))
	}
}
