package dmarcreport_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport"
)

// aligned makes a record of one message from an address, with what the results and
// what the reporter say of it.
func aligned(ip string, dkim, spf string, said string) string {
	results := ""
	if dkim != "" {
		results += `<dkim><domain>a.example</domain><selector>key</selector><result>` + dkim + `</result></dkim>`
	}
	if spf != "" {
		results += `<spf><domain>a.example</domain><scope>mfrom</scope><result>` + spf + `</result></spf>`
	}
	return `<record><row><source_ip>` + ip + `</source_ip><count>1</count><policy_evaluated>` + said + `</policy_evaluated></row><identifiers><header_from>a.example</header_from></identifiers><auth_results>` + results + `</auth_results></record>`
}

func reportOf(records ...string) string {
	return `<feedback><report_metadata><org_name>r.example</org_name><email>a@r.example</email><report_id>1</report_id><date_range><begin>1774915200</begin><end>1775001599</end></date_range></report_metadata>` +
		`<policy_published><domain>a.example</domain><p>reject</p></policy_published>` + strings.Join(records, "") + `</feedback>`
}

const (
	saidPass = `<disposition>none</disposition><dkim>pass</dkim><spf>fail</spf>`
	saidFail = `<disposition>reject</disposition><dkim>fail</dkim><spf>fail</spf>`
	saidHeld = `<disposition>quarantine</disposition><dkim>fail</dkim><spf>fail</spf><reason><type>other</type></reason>`
)

// A message counts once among the ways of alignment and once among the
// dispositions; where the results do not say enough the reporter's word counts if the
// caller takes it.
func TestSourcesCountEachMessageOnce(t *testing.T) {
	text := reportOf(
		aligned("192.0.2.1", "pass", "pass", saidPass), aligned("192.0.2.1", "pass", "fail", saidPass), aligned("192.0.2.1", "fail", "pass", saidPass),
		aligned("192.0.2.1", "fail", "fail", saidFail), aligned("192.0.2.1", "fail", "fail", saidHeld),
		aligned("192.0.2.1", "", "", saidPass), aligned("192.0.2.1", "", "", saidFail),
	)
	type counts struct{ both, dkim, spf, neither, unknown, none, quarantine, reject, overridden int64 }
	for reported, want := range map[bool]counts{
		false: {1, 1, 1, 2, 2, 4, 1, 2, 1},
		true:  {1, 2, 1, 3, 0, 4, 1, 2, 1},
	} {
		for how, add := range map[string]func(*dmarcreport.Sources) error{
			"whole": func(s *dmarcreport.Sources) error {
				r, err := dmarcreport.Read(strings.NewReader(text))
				s.AddReport(r)
				return err
			},
			"a stream": func(s *dmarcreport.Sources) error {
				in, err := new(dmarcreport.Reader).Open(strings.NewReader(text))
				return errors.Join(err, s.AddStream(in))
			},
		} {
			s := dmarcreport.Sources{Reported: reported}
			if err := add(&s); err != nil {
				t.Fatal(how, err)
			}
			list := s.List()
			if len(list) != 1 {
				t.Fatalf("%s: %d sources", how, len(list))
			}
			src := list[0]
			got := counts{src.Both, src.DKIMOnly, src.SPFOnly, src.Neither, src.Unknown, src.None, src.Quarantine, src.Reject, src.Overridden}
			if got != want || src.Messages != 7 || src.Records != 7 || src.Pass() != want.both+want.dkim+want.spf {
				t.Errorf("%s, reported %v: %+v, want %+v", how, reported, got, want)
			}
			if !slices.Equal(src.Reporters, []string{"r.example"}) || !slices.Equal(src.DKIMPasses, []string{"a.example"}) || src.First.Unix() != 1774915200 || src.Last.Unix() != 1775001599 {
				t.Errorf("%s: %+v", how, src)
			}
		}
	}
}

// A stream that breaks off is counted up to there, and says why.
func TestSourcesOfAStreamThatBreaksOff(t *testing.T) {
	down := errors.New("the line is down")
	text := reportOf(aligned("192.0.2.1", "pass", "", saidPass), strings.Repeat(aligned("192.0.2.2", "pass", "", saidPass), 100))
	in, err := new(dmarcreport.Reader).Open(io.MultiReader(strings.NewReader(text[:len(text)/2]), brokenLine{down}))
	if err != nil {
		t.Fatal(err)
	}
	var s dmarcreport.Sources
	if err := s.AddStream(in); !errors.Is(err, down) || len(s.List()) != 2 {
		t.Errorf("%v, %d sources", err, len(s.List()))
	}
	if in.Done() {
		t.Error("the stream is done")
	}
}

type brokenLine struct{ err error }

func (r brokenLine) Read([]byte) (int, error) { return 0, r.err }

// What a record is a source by.
func TestKeysOfSources(t *testing.T) {
	dkim := func(domain, selector string, r dmarcreport.Result) dmarcreport.DKIMResult {
		return dmarcreport.DKIMResult{Domain: domain, Selector: selector, Result: r}
	}
	spf := func(domain string, scope dmarcreport.SPFScope, r dmarcreport.Result) dmarcreport.SPFResult {
		return dmarcreport.SPFResult{Domain: domain, Scope: scope, Result: r}
	}
	const pass, fail = dmarcreport.ResultPass, dmarcreport.ResultFail
	four, six := netip.MustParseAddr("192.0.2.7"), netip.MustParseAddr("2001:db8:1:2:3::7")
	none := dmarcreport.Judgement{DKIMBy: -1}
	for name, tt := range map[string]struct {
		key  dmarcreport.KeyFunc
		rec  dmarcreport.Record
		j    dmarcreport.Judgement
		want string
	}{
		"an address":                {dmarcreport.BySourceIP, dmarcreport.Record{SourceIP: four}, none, "192.0.2.7"},
		"no address":                {dmarcreport.BySourceIP, dmarcreport.Record{}, none, ""},
		"a network":                 {dmarcreport.ByNetwork, dmarcreport.Record{SourceIP: four}, none, "192.0.2.0/24"},
		"a network of IPv6":         {dmarcreport.ByNetwork, dmarcreport.Record{SourceIP: six}, none, "2001:db8:1:2::/64"},
		"no network":                {dmarcreport.ByNetwork, dmarcreport.Record{}, none, ""},
		"the signature that counts": {dmarcreport.ByAuthenticated, dmarcreport.Record{DKIM: []dmarcreport.DKIMResult{dkim("esp.example", "x", pass), dkim("A.example", "key", pass)}}, dmarcreport.Judgement{DKIMBy: 1}, "dkim:a.example/key"},
		"a signature that passed":   {dmarcreport.ByAuthenticated, dmarcreport.Record{DKIM: []dmarcreport.DKIMResult{dkim("a.example", "key", fail), dkim("", "y", pass), dkim("ESP.example", "x", pass)}}, none, "dkim:esp.example/x"},
		"the envelope's domain":     {dmarcreport.ByAuthenticated, dmarcreport.Record{SPF: []dmarcreport.SPFResult{spf("h.example", dmarcreport.ScopeHELO, pass), spf("M.example", dmarcreport.ScopeMailFrom, pass)}}, none, "spf:m.example"},
		"nothing that passed":       {dmarcreport.ByAuthenticated, dmarcreport.Record{SourceIP: four, DKIM: []dmarcreport.DKIMResult{dkim("a.example", "key", fail)}, SPF: []dmarcreport.SPFResult{spf("m.example", dmarcreport.ScopeMailFrom, fail), spf("", dmarcreport.ScopeMailFrom, pass)}}, none, "192.0.2.7"},
	} {
		if got := tt.key(&tt.rec, tt.j); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// A record that is kept shares nothing with the one that is read into.
func TestCloneSharesNothing(t *testing.T) {
	r := dmarcreport.Record{Count: 1, Extensions: []string{"x"}, DKIM: []dmarcreport.DKIMResult{{Domain: "a.example"}}, SPF: []dmarcreport.SPFResult{{Domain: "b.example"}}}
	r.Evaluated.Reasons = []dmarcreport.Reason{{Comment: "c"}}
	c := r.Clone()
	r.Extensions[0], r.DKIM[0].Domain, r.SPF[0].Domain, r.Evaluated.Reasons[0].Comment = "-", "-", "-", "-"
	if got := fmt.Sprint(c.Extensions, c.DKIM[0].Domain, c.SPF[0].Domain, c.Evaluated.Reasons[0].Comment, c.Count); got != "[x]a.exampleb.examplec1" && got != "[x] a.example b.example c 1" {
		t.Error(got)
	}
}

// Archives whose members stand in another order than the directory has them, behind
// something else, or whose directory is lost (APPNOTE 4.3).
func TestArchivesThatAreOdd(t *testing.T) {
	one, two := []byte(reportOf(aligned("192.0.2.1", "pass", "", saidPass))), []byte(reportOf(aligned("192.0.2.2", "pass", "", saidPass)))
	both := zipped(one, two)
	start := bytes.Index(both, []byte("PK\x01\x02"))
	end := bytes.LastIndex(both, []byte("PK\x05\x06"))
	second := start + 4 + bytes.Index(both[start+4:], []byte("PK\x01\x02"))
	turned := slices.Concat(both[:start], both[second:end], both[start:second], both[end:])
	folder := zipped(one)
	for name, tt := range map[string]struct {
		data     []byte
		reports  int
		findings string
	}{
		"as usual":                       {both, 2, ""},
		"the directory turned round":     {turned, 2, ""},
		"something before it":            {append([]byte("#!/bin/sh\nexit 0\n"), folder...), 1, "zip-head"},
		"no directory":                   {folder[:bytes.Index(folder, []byte("PK\x01\x02"))], 1, "zip-broken"},
		"no directory, something before": {append([]byte("PK\x03"), folder[:bytes.Index(folder, []byte("PK\x01\x02"))]...), 1, "zip-broken"},
		"two that are the same bytes":    {sameBytes(both, start, second), 0, ""},
	} {
		n := 0
		var found []string
		for doc, err := range new(dmarcreport.Reader).Documents(bytes.NewReader(tt.data)) {
			if err != nil {
				if tt.reports > 0 || !errors.Is(err, dmarcreport.ErrCorrupt) {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			r, err := doc.Aggregate.Report()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			n++
			for _, f := range r.Findings {
				if strings.HasPrefix(f.ID, "zip") {
					found = append(found, f.ID)
				}
			}
		}
		if n != tt.reports || strings.Join(found, " ") != tt.findings {
			t.Errorf("%s: %d reports, want %d; findings %q, want %q", name, n, tt.reports, found, tt.findings)
		}
	}
}

// sameBytes lets the second entry of a directory name the first one's data.
func sameBytes(data []byte, first, second int) []byte {
	data = bytes.Clone(data)
	const offset = 42 // of the local header, in a directory's entry
	binary.LittleEndian.PutUint32(data[second+offset:], binary.LittleEndian.Uint32(data[first+offset:]))
	return data
}
