package dmarcreport_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport"
)

// TestCutRecordsFailNothing: of a record that the document ends in, what is not
// there may have been cut. It passes by what is there, and never fails.
func TestCutRecordsFailNothing(t *testing.T) {
	spf, dkim := `<spf><domain>bounce.esp.example</domain><scope>mfrom</scope><result>pass</result></spf>`,
		`<dkim><domain>sender.example</domain><selector>s1</selector><result>pass</result></dkim>`
	text := strings.NewReplacer(spf, dkim, dkim, spf).Replace(sample)
	from, to := strings.Index(text, "<count>")+10, strings.Index(text, "</record>")
	for n := from; n < to; n++ {
		r := read(t, text[:n])
		rec := &r.Records[0]
		j := dmarcreport.Evaluate(&r.Policy, rec, nil)
		if !rec.Partial || j.DKIM == dmarcreport.VerdictFail || j.SPF == dmarcreport.VerdictFail || j.DKIM == dmarcreport.VerdictPass && n < strings.LastIndex(text, "</result>") {
			t.Fatalf("cut at ...%q: %+v, partial %v", text[n-30:n], j, rec.Partial)
		}
		if j.Doubts != 0 && n < strings.Index(text, "</dkim>\n") {
			t.Fatalf("cut at ...%q: doubts %v", text[n-30:n], j.Doubts)
		}
	}
}

// TestBehindGzip: what follows compressed data is no damage of it, however
// short it is.
func TestBehindGzip(t *testing.T) {
	whole := gz([]byte(sample))
	two := slices.Concat(gz([]byte(sample[:500])), gz(nil), gz([]byte(sample[500:])))
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"nothing":                  {whole, ""},
		"members":                  {two, ""},
		"a line break":             {append(slices.Clone(whole), "\r\n"...), "gzip-tail"},
		"zeros":                    {append(slices.Clone(whole), make([]byte, 100)...), "gzip-tail"},
		"words":                    {append(slices.Clone(two), "and so on and so forth"...), "gzip-tail"},
		"a member cut at its head": {append(slices.Clone(whole), 0x1f, 0x8b, 8), "gzip-broken"},
		"empty members":            {slices.Concat(slices.Repeat(gz(nil), 500), whole), ""},
	} {
		r, err := dmarcreport.Read(strings.NewReader(string(tt.data)))
		if err != nil || len(r.Records) != 1 {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(ids(r.Findings), " "); got != tt.want {
			t.Errorf("%s: findings %q, want %q", name, got, tt.want)
		}
	}
}
