package dmarcreport_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/internal/corpora"
)

// documents reads every document of a file whole.
func documents(t testing.TB, name string) (reports []*dmarcreport.Report, others []*dmarcreport.Document, errs []error) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for doc, err := range new(dmarcreport.Reader).Documents(bytes.NewReader(data)) {
		switch {
		case err != nil:
			errs = append(errs, err)
		case doc.Kind == dmarcreport.KindAggregate:
			rep, err := doc.Aggregate.Report()
			if err != nil {
				errs = append(errs, err)
			}
			reports = append(reports, rep)
		default:
			others = append(others, doc)
		}
	}
	return reports, others, errs
}

// row gives the facts of a report in the order of the table's columns.
func row(r *dmarcreport.Report) []string {
	var messages, dkim, spf int64
	sources := map[string]bool{}
	results := 0
	for _, rec := range r.Records {
		messages += rec.Count
		if rec.Evaluated.DKIM == dmarcreport.ResultPass {
			dkim += rec.Count
		}
		if rec.Evaluated.SPF == dmarcreport.ResultPass {
			spf += rec.Count
		}
		sources[rec.SourceIP.String()+rec.SourceIPRaw] = true
		results += len(rec.DKIM) + len(rec.SPF)
	}
	unix := func(zero bool, n int64) string {
		if zero {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	var findings []string
	for _, f := range r.Findings {
		if f.Severity > dmarcreport.Info && !slices.Contains(findings, f.ID) {
			findings = append(findings, f.ID)
		}
	}
	slices.Sort(findings)
	m, d := r.Metadata, r.Metadata.DateRange
	return []string{m.OrgName, m.ReportID, unix(d.Begin.IsZero(), d.Begin.Unix()), unix(d.End.IsZero(), d.End.Unix()),
		r.Policy.Domain, r.Policy.P.String(), fmt.Sprint(len(r.Records)), fmt.Sprint(messages), fmt.Sprint(dkim), fmt.Sprint(spf),
		fmt.Sprint(len(sources)), fmt.Sprint(results), strings.Join(findings, ",")}
}

func TestCorpusFacts(t *testing.T) {
	dir := corpora.Dir(t, "dmarc", "aggregate")
	f, err := os.Open("testdata/corpus-facts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := map[string][][]string{}
	var columns []string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		cells := strings.Split(lines.Text(), "\t")
		if columns == nil {
			columns = cells[3:]
			continue
		}
		want[cells[0]] = append(want[cells[0]], cells[3:])
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	for _, file := range files {
		t.Run(file.Name(), func(t *testing.T) {
			if want[file.Name()] == nil {
				t.Skip("not in the table")
			}
			reports, _, errs := documents(t, filepath.Join(dir, file.Name()))
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			if len(reports) != len(want[file.Name()]) {
				t.Fatalf("%d reports, want %d", len(reports), len(want[file.Name()]))
			}
			for i, rep := range reports {
				for k, got := range row(rep) {
					if want := want[file.Name()][i][k]; got != want {
						t.Errorf("document %d, %s: %q, want %q", i, columns[k], got, want)
					}
				}
			}
		})
	}
}

// TestCorpusTotals compares each file with the manifest's own count, which was
// made with another reader. For archives of several reports the manifest
// counts the first.
func TestCorpusTotals(t *testing.T) {
	root := corpora.Dir(t, "dmarc")
	data, err := os.ReadFile(filepath.Join(root, "manifest.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		c := strings.Split(line, "\t")
		if i == 0 || c[0] != "aggregate" && c[0] != "dmarcrua" {
			continue
		}
		reports, _, errs := documents(t, filepath.Join(root, c[0], c[1]))
		if len(errs) > 0 || len(reports) == 0 {
			t.Errorf("%s: %d reports, %v", c[1], len(reports), errs)
			continue
		}
		var messages int64
		for _, rec := range reports[0].Records {
			messages += rec.Count
		}
		if got := fmt.Sprint(len(reports[0].Records)); got != c[6] {
			t.Errorf("%s: %s records, want %s", c[1], got, c[6])
		}
		if got := fmt.Sprint(messages); got != c[7] {
			t.Errorf("%s: %s messages, want %s", c[1], got, c[7])
		}
		if got := reports[0].Metadata.OrgName; got != c[5] && got != strings.NewReplacer("&quot;", `"`, "&amp;", "&").Replace(c[5]) {
			t.Errorf("%s: reporter %q, want %q", c[1], got, c[5])
		}
		compared++
	}
	t.Logf("%d files compared", compared)
	if compared == 0 {
		t.Error("nothing compared")
	}
}

// TestCorpusNeighbours reads the TLS and failure reports of the corpus.
func TestCorpusNeighbours(t *testing.T) {
	root := corpora.Dir(t, "dmarc")
	table, err := os.ReadFile("testdata/corpus-neighbours.tsv")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for line := range strings.Lines(string(table)) {
		if cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); cells[0][0] != '#' {
			want[cells[0]+"/"+cells[1]] = cells[2:]
		}
	}
	seen := 0
	for _, folder := range []string{"tls", "failure"} {
		files, err := os.ReadDir(filepath.Join(root, folder))
		if err != nil || len(files) == 0 {
			t.Fatal(err, len(files))
		}
		for _, file := range files {
			name := folder + "/" + file.Name()
			_, others, errs := documents(t, filepath.Join(root, name))
			if len(errs) > 0 || len(others) != 1 || others[0].Kind.String() != folder {
				t.Errorf("%s: %d documents, %v; want one %s report", name, len(others), errs, folder)
				continue
			}
			var got []string
			if r := others[0].TLS; r != nil {
				var domains []string
				var ok, failed int64
				details := 0
				for _, p := range r.Policies {
					domains = append(domains, p.Domain)
					ok, failed, details = ok+p.Successful, failed+p.Failed, details+len(p.Failures)
				}
				got = []string{r.OrganizationName, r.ReportID, fmt.Sprint(len(r.Policies)), strings.Join(domains, " "), fmt.Sprint(ok), fmt.Sprint(failed), fmt.Sprint(details)}
			} else {
				r := others[0].Failure
				names := map[string]bool{}
				for _, f := range r.Fields {
					names[strings.ToLower(f.Name)] = true
				}
				got = []string{r.FeedbackType, r.AuthFailure, r.SourceIP.String(), strings.Join(r.ReportedDomains[:1], ""), r.OriginalMailFrom, r.DeliveryResult, fmt.Sprint(len(names))}
			}
			if want[name] == nil {
				continue // held back: nothing to compare with
			}
			seen++
			if !slices.Equal(got, want[name]) {
				t.Errorf("%s: %q, want %q", name, got, want[name])
			}
		}
	}
	if seen == 0 {
		t.Error("nothing compared")
	}
}

// TestCorpusPeer compares with what another reader made of eight samples. The
// peer has no word for an absent result and writes Unspecified or None, and an
// empty selector or envelope domain for an absent one.
func TestCorpusPeer(t *testing.T) {
	dir := corpora.Dir(t, "dmarc", "peer-json")
	aggregate := corpora.Dir(t, "dmarc", "aggregate")
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	compared := 0
	for _, file := range files {
		base := strings.TrimSuffix(filepath.Base(file), ".json")
		samples, _ := filepath.Glob(filepath.Join(aggregate, base+".*"))
		if len(samples) != 1 {
			continue // of a TLS report
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var peer struct {
			Metadata struct {
				Org   string `json:"org_name"`
				Email string `json:"email"`
				ID    string `json:"report_id"`
				Range struct{ Begin, End int64 }
			} `json:"report_metadata"`
			Policy struct{ Domain, P, SP string } `json:"policy_published"`
			Record []struct {
				Row struct {
					IP        string `json:"source_ip"`
					Count     int64
					Evaluated struct{ Disposition, DKIM, SPF string } `json:"policy_evaluated"`
				}
				Identifiers struct {
					HeaderFrom string `json:"header_from"`
				}
				Auth struct {
					DKIM []struct{ Domain, Result string }
					SPF  []struct{ Domain, Result string }
				} `json:"auth_results"`
			}
		}
		if err := json.Unmarshal(data, &peer); err != nil {
			t.Fatalf("%s: %v", base, err)
		}
		reports, _, _ := documents(t, samples[0])
		if len(reports) != 1 {
			t.Errorf("%s: %d reports", base, len(reports))
			continue
		}
		compared++
		r := reports[0]
		check := func(what string, got, want any) {
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %s %v, the peer has %v", base, what, got, want)
			}
		}
		word := func(s string) string {
			s = strings.ToLower(s)
			if s == "unspecified" {
				s = ""
			}
			return s
		}
		check("org_name", r.Metadata.OrgName, peer.Metadata.Org)
		check("email", r.Metadata.Email, peer.Metadata.Email)
		check("report_id", r.Metadata.ReportID, peer.Metadata.ID)
		check("domain", r.Policy.Domain, peer.Policy.Domain)
		check("p", r.Policy.P, word(peer.Policy.P))
		check("records", len(r.Records), len(peer.Record))
		for i, want := range peer.Record[:min(len(peer.Record), len(r.Records))] {
			got := r.Records[i]
			check("source_ip", got.SourceIP, want.Row.IP)
			check("count", got.Count, want.Row.Count)
			check("disposition", got.Evaluated.Disposition, word(want.Row.Evaluated.Disposition))
			check("dkim", got.Evaluated.DKIM, word(want.Row.Evaluated.DKIM))
			check("spf", got.Evaluated.SPF, word(want.Row.Evaluated.SPF))
			check("header_from", got.HeaderFrom, want.Identifiers.HeaderFrom)
			check("dkim results", len(got.DKIM), len(want.Auth.DKIM))
			check("spf results", len(got.SPF), len(want.Auth.SPF))
			for k := range min(len(got.DKIM), len(want.Auth.DKIM)) {
				check("dkim domain", got.DKIM[k].Domain, want.Auth.DKIM[k].Domain)
				check("dkim result", got.DKIM[k].Result, word(want.Auth.DKIM[k].Result))
			}
			for k := range min(len(got.SPF), len(want.Auth.SPF)) {
				check("spf domain", got.SPF[k].Domain, want.Auth.SPF[k].Domain)
				check("spf result", got.SPF[k].Result, word(want.Auth.SPF[k].Result))
			}
		}
	}
	if compared < 5 {
		t.Errorf("%d samples compared", compared)
	}
}
