package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

func summarize(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

func TestWeek(t *testing.T) {
	for name, args := range map[string][]string{
		"week.txt":  {"-v", "testdata/week"},
		"week.json": {"-json", "testdata/week"},
		"week.csv":  {"-csv", "testdata/week"},
	} {
		code, got, stderr := summarize(t, "", args...)
		if code != 0 || stderr != "" {
			t.Errorf("%s: exit code %d, %s", name, code, stderr)
		}
		golden := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestWeekAddsUp counts the week by hand: 480+120+35+4 of the first report,
// 210+15 of the second, which came twice, 3 of the other domain's.
func TestWeekAddsUp(t *testing.T) {
	_, out, _ := summarize(t, "", "-json", "testdata/week")
	var got struct {
		Domains []struct {
			Domain           string
			Messages, Passed int64
			Reports          int
		}
		Repeated int `json:"repeated_reports"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Domains) != 2 || got.Domains[0].Domain != "shop.example" || got.Domains[0].Messages != 864 || got.Domains[0].Passed != 810 ||
		got.Domains[0].Reports != 2 || got.Domains[1].Messages != 3 || got.Domains[1].Passed != 0 || got.Repeated != 1 {
		t.Errorf("%+v", got)
	}
}

func TestStdinAndMbox(t *testing.T) {
	mail, err := os.ReadFile("testdata/week/report-mail.eml")
	if err != nil {
		t.Fatal(err)
	}
	code, out, stderr := summarize(t, string(mail), "-")
	if code != 0 || !strings.Contains(out, "225 messages") {
		t.Errorf("%d %s %s", code, out, stderr)
	}
	mbox := "From a@b Wed Apr  1 02:00:00 2026\n" + string(mail) + "\nFrom a@b Wed Apr  1 02:00:00 2026\nSubject: lunch\n\nNo report.\n"
	code, out, stderr = summarize(t, mbox, "-")
	if code != 1 || !strings.Contains(out, "225 messages") || !strings.Contains(stderr, "message 1") {
		t.Errorf("%d %s %s", code, out, stderr)
	}
}

func TestNoReport(t *testing.T) {
	code, _, stderr := summarize(t, "", "main.go", "does-not-exist")
	if code != 1 || !strings.Contains(stderr, "main.go: dmarcreport: not a report") || !strings.Contains(stderr, "does-not-exist") {
		t.Errorf("%d %s", code, stderr)
	}
	if code, _, _ := summarize(t, ""); code != 2 {
		t.Errorf("exit code %d without arguments", code)
	}
}

// TestHostileNames keeps what a report says from steering a terminal or a
// spreadsheet.
func TestHostileNames(t *testing.T) {
	report, err := os.ReadFile("testdata/week/receiver.example!shop.example!1774915200!1775001599.xml")
	if err != nil {
		t.Fatal(err)
	}
	evil := strings.NewReplacer("<domain>shop.example</domain><adkim>", "<domain>=HYPERLINK(1)\u202e\u009b31m</domain><adkim>", "receiver.example", "@SUM(A1)").Replace(string(report))
	_, out, _ := summarize(t, evil, "-")
	if strings.ContainsAny(out, "\x1b\u202e\u009b") {
		t.Errorf("%q", out)
	}
	_, out, _ = summarize(t, evil, "-csv", "-")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range rows[1] {
		if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "@") {
			t.Errorf("%q", cell)
		}
	}
}

// small is a report of one record, seven messages that only a relaxed policy
// lets pass.
func small(domain, id, count string, policyLast bool) string {
	policy := "<policy_published><domain>" + domain + "</domain><adkim>s</adkim><p>reject</p></policy_published>"
	record := "<record><row><source_ip>192.0.2.1</source_ip><count>" + count + "</count><policy_evaluated><disposition>none</disposition>" +
		"<dkim>fail</dkim><spf>fail</spf></policy_evaluated></row><identifiers><header_from>" + domain + "</header_from></identifiers>" +
		"<auth_results><dkim><domain>m." + domain + "</domain><result>pass</result></dkim>" +
		"<spf><domain>other.example</domain><scope>mfrom</scope><result>fail</result></spf></auth_results></record>"
	if policyLast {
		policy, record = record, policy
	}
	return "<feedback><report_metadata><org_name>r.example</org_name><email>a@r.example</email><report_id>" + id + "</report_id>" +
		"<date_range><begin>1700000000</begin><end>1700086399</end></date_range></report_metadata>" + policy + record + "</feedback>"
}

// TestPolicyLast gives a strict policy after the records: none of the mail passes.
func TestPolicyLast(t *testing.T) {
	_, first, _ := summarize(t, small("shop.example", "1", "7", false), "-json", "-")
	_, last, _ := summarize(t, small("shop.example", "1", "7", true), "-json", "-")
	var got [2]struct {
		Domains []struct {
			Domain           string
			Messages, Passed int64
		}
	}
	for i, out := range []string{first, last} {
		if err := json.Unmarshal([]byte(out), &got[i]); err != nil {
			t.Fatal(err)
		}
		if d := got[i].Domains; len(d) != 1 || d[0].Domain != "shop.example" || d[0].Messages != 7 || d[0].Passed != 0 {
			t.Errorf("policy last %v: %+v", i == 1, d)
		}
	}
}

// TestDomainInTwoCases is one domain.
func TestDomainInTwoCases(t *testing.T) {
	var mbox strings.Builder
	for i, domain := range []string{"Shop.example", "shop.example."} {
		mbox.WriteString("From a@b Wed Apr  1 02:00:00 2026\nSubject: x\nContent-Type: text/xml\n\n" + small(domain, "r"+string(rune('1'+i)), "7", false) + "\n\n")
	}
	_, out, _ := summarize(t, mbox.String(), "-")
	if !strings.Contains(out, "14 messages") || strings.Contains(out, "no traffic") || strings.Count(out, "p=reject") != 1 {
		t.Error(out)
	}
}

// TestHiddenFailures says so where mail could not be counted, and speaks of no
// fault where nothing was repaired.
func TestHiddenFailures(t *testing.T) {
	const none = "none of which hides a failure"
	_, out, _ := summarize(t, small("shop.example", "1", "99999999999999999999", false), "-")
	if strings.Contains(out, none) || !strings.Contains(out, "may have failed") {
		t.Error(out)
	}
	if _, out, _ = summarize(t, small("shop.example", "1", "7", true), "-"); strings.Contains(out, "fault") {
		t.Error(out)
	}
	if _, out, _ = summarize(t, small("shop.example", "1", "7", true), "-v", "-"); !strings.Contains(out, "without harm: ") || !strings.Contains(out, "element-order 1") {
		t.Error(out)
	}
	if _, out, _ = summarize(t, small("shop.example", "1", "7.0", false), "-"); !strings.Contains(out, none) {
		t.Error(out)
	}
}
