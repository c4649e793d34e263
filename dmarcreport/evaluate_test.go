package dmarcreport_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport"
)

// TestEvaluate takes a record apart by the rules of RFC 7489 section 3.1:
// strict is the same domain, relaxed the same organizational domain, and only
// the MAIL FROM identity counts for SPF.
func TestEvaluate(t *testing.T) {
	type rec = dmarcreport.Record
	dkim := func(domain string, r dmarcreport.Result) []dmarcreport.DKIMResult {
		return []dmarcreport.DKIMResult{{Domain: domain, Result: r}}
	}
	spf := func(domain string, scope dmarcreport.SPFScope, r dmarcreport.Result) []dmarcreport.SPFResult {
		return []dmarcreport.SPFResult{{Domain: domain, Scope: scope, Result: r}}
	}
	says := func(d dmarcreport.Disposition, dkim, spf dmarcreport.Result) dmarcreport.Evaluated {
		return dmarcreport.Evaluated{Disposition: d, DKIM: dkim, SPF: spf}
	}
	const (
		pass, fail = dmarcreport.ResultPass, dmarcreport.ResultFail
		none       = dmarcreport.DispositionNone
		quarantine = dmarcreport.DispositionQuarantine
		reject     = dmarcreport.DispositionReject
		mfrom      = dmarcreport.ScopeMailFrom
	)
	relaxed := dmarcreport.PolicyPublished{Domain: "a.example", P: reject}
	strict := dmarcreport.PolicyPublished{Domain: "a.example", P: reject, ADKIM: dmarcreport.AlignmentStrict, ASPF: dmarcreport.AlignmentStrict}
	for _, tt := range []struct {
		name      string
		policy    dmarcreport.PolicyPublished
		rec       rec
		dkim, spf dmarcreport.Verdict
		doubts    string
	}{
		{"the same domain is aligned", strict, rec{HeaderFrom: "a.example", DKIM: dkim("A.example.", pass), SPF: spf("a.example", mfrom, pass), Evaluated: says(none, pass, pass)},
			dmarcreport.VerdictPass, dmarcreport.VerdictPass, ""},
		{"a subdomain is aligned relaxed", relaxed, rec{HeaderFrom: "a.example", DKIM: dkim("mail.a.example", pass), SPF: spf("b.a.example", mfrom, pass), Evaluated: says(none, pass, pass)},
			dmarcreport.VerdictPass, dmarcreport.VerdictPass, ""},
		{"a subdomain is not aligned strict", strict, rec{HeaderFrom: "a.example", DKIM: dkim("mail.a.example", pass), SPF: spf("b.a.example", mfrom, pass), Evaluated: says(reject, fail, fail)},
			dmarcreport.VerdictFail, dmarcreport.VerdictFail, ""},
		{"siblings are aligned relaxed", relaxed, rec{HeaderFrom: "x.a.example", DKIM: dkim("y.a.example", pass), SPF: spf("other.example", mfrom, pass), Evaluated: says(none, pass, fail)},
			dmarcreport.VerdictPass, dmarcreport.VerdictFail, ""},
		{"two customers of a public suffix are not aligned", dmarcreport.PolicyPublished{Domain: "a.co.uk", P: reject},
			rec{HeaderFrom: "a.co.uk", DKIM: dkim("b.co.uk", pass), SPF: spf("co.uk", mfrom, pass), Evaluated: says(reject, fail, fail)},
			dmarcreport.VerdictFail, dmarcreport.VerdictFail, ""},
		{"a foreign pass is no pass", relaxed, rec{HeaderFrom: "a.example", DKIM: dkim("esp.example", pass), SPF: spf("esp.example", mfrom, pass), Evaluated: says(reject, fail, fail)},
			dmarcreport.VerdictFail, dmarcreport.VerdictFail, ""},
		{"no results are unknown", relaxed, rec{HeaderFrom: "a.example", Evaluated: says(none, pass, fail)},
			dmarcreport.VerdictUnknown, dmarcreport.VerdictUnknown, ""},
		{"no author domain is unknown", relaxed, rec{DKIM: dkim("a.example", pass)}, dmarcreport.VerdictUnknown, dmarcreport.VerdictUnknown, ""},
		{"two author domains in one record are unknown", relaxed, rec{HeaderFrom: "a.example, b.example", DKIM: dkim("a.example", pass), Evaluated: says(none, pass, fail)},
			dmarcreport.VerdictUnknown, dmarcreport.VerdictUnknown, ""},
		{"no signature beside an SPF result is a failed DKIM", relaxed, rec{HeaderFrom: "a.example", SPF: spf("a.example", mfrom, pass), Evaluated: says(none, pass, pass)},
			dmarcreport.VerdictFail, dmarcreport.VerdictPass, "dkim-pass-unsupported"},
		{"an unknown word is no pass", relaxed, rec{HeaderFrom: "a.example", DKIM: dkim("a.example", dmarcreport.ResultUnknown), Evaluated: says(reject, fail, fail)},
			dmarcreport.VerdictFail, dmarcreport.VerdictUnknown, ""},
		{"HELO is not the identity", relaxed, rec{HeaderFrom: "a.example", DKIM: dkim("b.example", fail), SPF: spf("a.example", dmarcreport.ScopeHELO, pass), Evaluated: says(none, fail, pass)},
			dmarcreport.VerdictFail, dmarcreport.VerdictFail, "helo-used"},
		{"without a scope the envelope tells", relaxed, rec{HeaderFrom: "a.example", EnvelopeFrom: "a.example", SPF: spf("a.example", dmarcreport.ScopeAbsent, pass), Evaluated: says(none, fail, pass)},
			dmarcreport.VerdictFail, dmarcreport.VerdictPass, ""},
		{"without scope and envelope SPF stays open", relaxed, rec{HeaderFrom: "a.example", SPF: spf("a.example", dmarcreport.ScopeAbsent, pass), Evaluated: says(none, fail, pass)},
			dmarcreport.VerdictFail, dmarcreport.VerdictUnknown, ""},
		{"a fail that the results contradict", relaxed, rec{HeaderFrom: "a.example", DKIM: dkim("a.example", pass), SPF: spf("a.example", mfrom, pass), Evaluated: says(reject, fail, fail)},
			dmarcreport.VerdictPass, dmarcreport.VerdictPass, "dkim-fail-contradicted,spf-fail-contradicted"},
		{"more than the policy asks", dmarcreport.PolicyPublished{Domain: "a.example", P: none}, rec{HeaderFrom: "a.example", DKIM: dkim("a.example", fail), SPF: spf("b.example", mfrom, pass), Evaluated: says(quarantine, fail, fail)},
			dmarcreport.VerdictFail, dmarcreport.VerdictFail, "stricter-than-policy"},
		{"mail that passes and is rejected", relaxed, rec{HeaderFrom: "a.example", DKIM: dkim("a.example", pass), SPF: spf("b.example", mfrom, pass), Evaluated: says(quarantine, pass, fail)},
			dmarcreport.VerdictPass, dmarcreport.VerdictFail, "stricter-than-policy"},
		{"less than the policy asks, unsaid why", relaxed, rec{HeaderFrom: "a.example", DKIM: dkim("a.example", fail), SPF: spf("b.example", mfrom, pass), Evaluated: says(none, fail, fail)},
			dmarcreport.VerdictFail, dmarcreport.VerdictFail, "override-without-reason"},
		{"less than the policy asks, with a reason", relaxed, rec{HeaderFrom: "a.example", DKIM: dkim("a.example", fail), SPF: spf("b.example", mfrom, pass),
			Evaluated: dmarcreport.Evaluated{Disposition: none, DKIM: fail, SPF: fail, Reasons: []dmarcreport.Reason{{Type: dmarcreport.OverrideMailingList}}}},
			dmarcreport.VerdictFail, dmarcreport.VerdictFail, ""},
		{"sp rules a subdomain", dmarcreport.PolicyPublished{Domain: "a.example", P: none, SP: reject}, rec{HeaderFrom: "x.a.example", DKIM: dkim("a.example", fail), SPF: spf("b.example", mfrom, pass), Evaluated: says(reject, fail, fail)},
			dmarcreport.VerdictFail, dmarcreport.VerdictFail, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := dmarcreport.Evaluate(&tt.policy, &tt.rec, nil)
			if j.DKIM != tt.dkim || j.SPF != tt.spf || j.Doubts.String() != tt.doubts {
				t.Errorf("dkim %v, spf %v, doubts %q; want %v, %v, %q", j.DKIM, j.SPF, j.Doubts, tt.dkim, tt.spf, tt.doubts)
			}
			if f := j.Doubts.Findings(&tt.rec); strings.Join(ids(f), ",") != tt.doubts {
				t.Errorf("findings %v", f)
			}
			var again dmarcreport.Doubts
			if again.UnmarshalText([]byte("nonsense")) == nil {
				t.Error("a doubt that does not exist is read")
			}
			if text, _ := j.Doubts.MarshalText(); again.UnmarshalText(text) != nil || again != j.Doubts {
				t.Errorf("%q reads as %q", text, again)
			}
		})
	}
}

func TestEvaluateWithTheCallersOrganizationalDomains(t *testing.T) {
	p := dmarcreport.PolicyPublished{Domain: "a.example"}
	r := dmarcreport.Record{HeaderFrom: "x.a.example", DKIM: []dmarcreport.DKIMResult{{Domain: "y.a.example", Result: dmarcreport.ResultPass}}}
	itself := func(domain string) string { return domain }
	if j := dmarcreport.Evaluate(&p, &r, itself); j.DKIM != dmarcreport.VerdictFail {
		t.Errorf("%+v", j)
	}
	if j := dmarcreport.Evaluate(&p, &r, nil); j.DKIM != dmarcreport.VerdictPass || j.DKIMBy != 0 {
		t.Errorf("%+v", j)
	}
}

// mailing builds a report of records in short form: ip, count, evaluated dkim
// and spf, DKIM domain and result, SPF domain and result, reason.
func mailing(day int64, org string, rows ...string) *dmarcreport.Report {
	var b strings.Builder
	fmt.Fprintf(&b, "<feedback><version>1.0</version><report_metadata><org_name>%s</org_name><email>x@%s</email><report_id>%d</report_id><date_range><begin>%d</begin><end>%d</end></date_range></report_metadata>"+
		"<policy_published><domain>a.example</domain><p>none</p><sp>none</sp><pct>100</pct><fo>0</fo></policy_published>", org, org, day, day*86400, day*86400+86399)
	for _, row := range rows {
		f := strings.Fields(row)
		fmt.Fprintf(&b, "<record><row><source_ip>%s</source_ip><count>%s</count><policy_evaluated><disposition>none</disposition><dkim>%s</dkim><spf>%s</spf>", f[0], f[1], f[2], f[3])
		if len(f) > 8 {
			fmt.Fprintf(&b, "<reason><type>%s</type><comment>%s</comment></reason>", f[8], strings.Join(f[9:], " "))
		}
		fmt.Fprintf(&b, "</policy_evaluated></row><identifiers><envelope_from>%s</envelope_from><header_from>a.example</header_from></identifiers><auth_results>", f[6])
		if f[4] != "-" {
			fmt.Fprintf(&b, "<dkim><domain>%s</domain><selector>s</selector><result>%s</result></dkim>", f[4], f[5])
		}
		fmt.Fprintf(&b, "<spf><domain>%s</domain><scope>mfrom</scope><result>%s</result></spf></auth_results></record>", f[6], f[7])
	}
	r, err := dmarcreport.Read(strings.NewReader(b.String() + "</feedback>"))
	if err != nil {
		panic(err)
	}
	return r
}

func TestSources(t *testing.T) {
	var s dmarcreport.Sources
	s.AddReport(mailing(20000, "one",
		"192.0.2.1 10 pass pass a.example pass a.example pass",                        // own server
		"192.0.2.2 5 pass fail a.example pass esp.example pass",                       // own signature from a provider
		"192.0.2.3 7 fail fail - - forged.example pass",                               // nothing of ours
		"192.0.2.4 2 fail fail a.example fail list.example pass mailing_list",         // a list
		"192.0.2.5 3 fail fail a.example fail fwd.example pass",                       // forwarded, signature broken
		"192.0.2.6 4 fail fail - - x.example none local_policy arc=pass as.1=example", // a forwarder with ARC
	))
	s.AddReport(mailing(20003, "two", "192.0.2.1 1 fail fail a.example fail a.example fail", "192.0.2.3 9 fail fail - - forged.example fail"))
	want := map[string]struct {
		class                      dmarcreport.Class
		messages, pass, neither, n int64
		reporters, first, last     string
	}{
		"192.0.2.1": {dmarcreport.ClassOwn, 11, 10, 1, 2, "one two", "2024-10-04", "2024-10-07"},
		"192.0.2.2": {dmarcreport.ClassOwn, 5, 5, 0, 1, "one", "2024-10-04", "2024-10-04"},
		"192.0.2.3": {dmarcreport.ClassSpoofLike, 16, 0, 16, 2, "one two", "2024-10-04", "2024-10-07"},
		"192.0.2.4": {dmarcreport.ClassList, 2, 0, 2, 1, "one", "2024-10-04", "2024-10-04"},
		"192.0.2.5": {dmarcreport.ClassForwarded, 3, 0, 3, 1, "one", "2024-10-04", "2024-10-04"},
		"192.0.2.6": {dmarcreport.ClassForwarded, 4, 0, 4, 1, "one", "2024-10-04", "2024-10-04"},
	}
	list := s.List()
	if len(list) != len(want) {
		t.Errorf("%d sources", len(list))
	}
	if list[0].Key != "192.0.2.3" {
		t.Errorf("the one that fails most comes first, not %s", list[0].Key)
	}
	for _, src := range list {
		w := want[src.Key]
		if src.Class != w.class || src.Messages != w.messages || src.Pass() != w.pass || src.Neither != w.neither || src.Records != w.n ||
			strings.Join(src.Reporters, " ") != w.reporters || src.First.Format("2006-01-02") != w.first || src.Last.Format("2006-01-02") != w.last {
			t.Errorf("%+v\nwant %+v", src, w)
		}
		if len(src.Evidence) == 0 {
			t.Errorf("%s: no evidence", src.Key)
		}
	}
}

// TestForgedNamesDefineNoSource: mail that fails stays with its address,
// whatever names it bears.
func TestForgedNamesDefineNoSource(t *testing.T) {
	s := dmarcreport.Sources{Key: dmarcreport.ByAuthenticated}
	s.AddReport(mailing(20000, "one",
		"192.0.2.1 1 pass fail a.example pass x.example fail",
		"192.0.2.2 1 pass fail a.example pass x.example fail",
		"192.0.2.3 1 fail fail a.example fail a.example fail",
		"192.0.2.4 1 fail fail - - fwd.example pass"))
	var keys []string
	for _, src := range s.List() {
		keys = append(keys, fmt.Sprintf("%s=%d", src.Key, src.Messages))
	}
	slices.Sort(keys)
	if want := []string{"192.0.2.3=1", "dkim:a.example/s=2", "spf:fwd.example=1"}; !slices.Equal(keys, want) {
		t.Errorf("%v, want %v", keys, want)
	}
}

func TestNetworks(t *testing.T) {
	s := dmarcreport.Sources{Key: dmarcreport.ByNetwork}
	s.AddReport(mailing(20000, "one", "192.0.2.1 1 fail fail - - x.example fail", "192.0.2.200 2 fail fail - - x.example fail", "2001:db8::1 4 fail fail - - x.example fail"))
	list := s.List()
	if len(list) != 2 || list[0].Key != "2001:db8::/64" || list[1].Key != "192.0.2.0/24" || list[1].Messages != 3 {
		t.Errorf("%+v", list)
	}
}
