package dmarcreport_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport"
)

// TestRealGenerators reads what OpenDMARC 1.4.2 and Mail::DMARC 1.20211209
// wrote (.ci/dmarc/collect). Every finding names a rule that the generator
// breaks: OpenDMARC writes no version, no envelope_from, no fo and no scope, and
// SPF before DKIM, all against RFC 7489 appendix C.
func TestRealGenerators(t *testing.T) {
	for _, tt := range []struct {
		file     string
		findings []string // "id path"
		rows     []string
	}{
		{"mail-dmarc.xml", nil, []string{
			"192.0.2.10 12 none pass pass sender.example dkim:sender.example=pass spf:sender.example=pass",
			"2001:db8::25 3 reject fail fail sender.example spf:mx.forged.example=softfail",
			"198.51.100.7 1 none fail fail news.sender.example dkim:sender.example=fail dkim:list.example=pass spf:list.example=pass",
		}},
		{"opendmarc.xml", []string{
			"element-order feedback/record/auth_results/dkim",
			"missing-element feedback/policy_published/fo",
			"missing-element feedback/record/auth_results/spf/scope",
			"missing-element feedback/record/identifiers/envelope_from",
			"missing-element feedback/version",
		}, []string{
			"192.0.2.10 1 none pass pass sender.example dkim:sender.example=pass spf:sender.example=pass",
			"192.0.2.10 1 none pass pass sender.example dkim:sender.example=pass spf:sender.example=pass",
			"203.0.113.66 1 reject fail fail sender.example spf:forged.example=fail",
			"2001:db8::25 1 none fail fail sender.example dkim:sender.example=fail dkim:list.example=pass spf:list.example=pass",
		}},
	} {
		t.Run(tt.file, func(t *testing.T) {
			r, err := readFile("testdata/generators/" + tt.file)
			if err != nil {
				t.Fatal(err)
			}
			var findings, rows []string
			for _, f := range r.Findings {
				if s := f.ID + " " + f.Where.Path; !slices.Contains(findings, s) {
					findings = append(findings, s)
				}
			}
			slices.Sort(findings)
			if !slices.Equal(findings, tt.findings) {
				t.Errorf("findings\n%s\nwant\n%s", strings.Join(findings, "\n"), strings.Join(tt.findings, "\n"))
			}
			for _, rec := range r.Records {
				var row strings.Builder
				row.WriteString(strings.Join([]string{rec.SourceIP.String(), fmt.Sprint(rec.Count), rec.Evaluated.Disposition.String(), rec.Evaluated.DKIM.String(), rec.Evaluated.SPF.String(), rec.HeaderFrom}, " "))
				for _, d := range rec.DKIM {
					row.WriteString(" dkim:" + d.Domain + "=" + d.Result.String())
				}
				for _, s := range rec.SPF {
					row.WriteString(" spf:" + s.Domain + "=" + s.Result.String())
				}
				rows = append(rows, row.String())
			}
			if !slices.Equal(rows, tt.rows) {
				t.Errorf("rows\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(tt.rows, "\n"))
			}
		})
	}
}

// TestMailDMARCReadsWhatIsWritten gives a written report to an independent
// reader, where Debian's libmail-dmarc-perl is installed.
func TestMailDMARCReadsWhatIsWritten(t *testing.T) {
	if err := exec.Command("perl", "-MMail::DMARC::Report::Receive", "-e", "1").Run(); err != nil {
		if os.Getenv("MAILFAULT_CORPORA_REQUIRED") != "" {
			t.Fatal("Mail::DMARC is required (Debian: libmail-dmarc-perl)")
		}
		t.Skip("Mail::DMARC not found (Debian: libmail-dmarc-perl)")
	}
	r, err := readFile("testdata/generators/mail-dmarc.xml")
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	if err := r.WriteXML(&written, dmarcreport.RFC7489); err != nil {
		t.Fatal(err)
	}
	read := func(in []byte) string {
		cmd := exec.Command("perl", "../.ci/dmarc/read.pl")
		cmd.Stdin = bytes.NewReader(in)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	original, err := os.ReadFile("testdata/generators/mail-dmarc.xml")
	if err != nil {
		t.Fatal(err)
	}
	want, got := read(original), read(written.Bytes())
	if got != want || strings.Count(got, "\n") != 4 {
		t.Errorf("Mail::DMARC reads\n%s\nof what was written, and\n%s\nof the original", got, want)
	}
}

func readFile(name string) (*dmarcreport.Report, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return dmarcreport.Read(bytes.NewReader(data))
}
