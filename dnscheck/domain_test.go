package dnscheck

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"
)

const goodDomain = `
example.org MX 10 mail.example.org
example.org TXT "v=spf1 mx -all"
mail.example.org A 203.0.113.25
25.113.0.203.in-addr.arpa PTR mail.example.org
_dmarc.example.org TXT "v=DMARC1; p=quarantine; rua=mailto:dmarc@example.org"
sel._domainkey.example.org TXT "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
_mta-sts.example.org TXT "v=STSv1; id=1"
_smtp._tls.example.org TXT "v=TLSRPTv1; rua=mailto:tls@example.org"
default._bimi.example.org TXT "v=BIMI1; l=https://example.org/l.svg; a=https://example.org/l.pem"
`

var goodOptions = DomainOptions{
	Selectors: []string{"sel"}, Senders: []netip.Addr{netip.MustParseAddr("203.0.113.25")}, HELO: "mail.example.org",
	FetchPolicy: func(context.Context, string) ([]byte, error) {
		return []byte("version: STSv1\nmode: enforce\nmx: mail.example.org\nmax_age: 604800\n"), nil
	},
}

func TestGoodDomainHasNothingToMend(t *testing.T) {
	got := CheckDomain(t.Context(), readZone(t, goodDomain), "Example.ORG", goodOptions)
	for _, f := range got.Findings {
		if f.Severity != Info {
			t.Error(f)
		}
	}
	if got.Senders[0].SPF.Result != SPFPass || !got.Senders[0].IP.Confirmed() || !got.MTASTS.Policy.Covers("mail.example.org") {
		t.Errorf("%+v", got.Senders[0])
	}
}

// What breaks mail stands first, and each finding says whose record it is.
func TestDomainFindingsAreInOrder(t *testing.T) {
	zone := readZone(t, `
example.org MX 10 gone.example.org
example.org TXT "v=spf1 include:_spf.example.net ?all"
example.org TXT "v=DMARC1; p=reject"
_spf.example.net TXT "v=spf1 ip5:192.0.2.1 -all"
_dmarc.example.org TXT "v=DMARC1; p=none"
old._domainkey.example.org TXT "v=DKIM1; p="
_smtp._tls.example.org TXT "v=TLSRPTv1;"
`)
	got := CheckDomain(t.Context(), zone, "example.org", DomainOptions{Selectors: []string{"old"}, Senders: []netip.Addr{netip.MustParseAddr("203.0.113.25")}})
	var order []string
	severity := Error
	owners := map[string]Owner{}
	for _, f := range got.Findings {
		if f.Severity > severity {
			t.Errorf("%s stands behind a lighter one", f.ID)
		}
		severity, owners[f.ID] = f.Severity, f.Owner
		if f.Severity == Error {
			order = append(order, f.ID)
		}
	}
	if want := "mx-unresolved spf-syntax sender-spf-error dkim-key-revoked dmarc-wrong-place ip-no-ptr tls-rpt-rua-missing"; strings.Join(order, " ") != want {
		t.Errorf("errors %v, want %s", order, want)
	}
	for id, want := range map[string]Owner{
		"mx-unresolved": OwnerDomain, "spf-syntax": OwnerInclude, "ip-no-ptr": OwnerNetwork, "dmarc-rua-missing": OwnerDomain,
	} {
		if owners[id] != want {
			t.Errorf("%s is for %v to mend, want %v", id, owners[id], want)
		}
	}
}

// A finding of one part is left out where another makes it of no account, and
// each is graded by what it does to mail.
func TestFindingsFitTheDomain(t *testing.T) {
	tests := []struct {
		name, zone, ip string
		want, unwanted string
	}{
		{"a domain without mail", "example.org MX 0 .\nexample.org TXT \"v=spf1 -all\"\n_dmarc.example.org TXT \"v=DMARC1; p=reject\"", "", "mx-null", "mta-sts-missing tls-rpt-missing dmarc-reject-general"},
		{"a domain with mail", "example.org MX 0 a.example.org\nexample.org TXT \"v=spf1 mx -all\"\n_dmarc.example.org TXT \"v=DMARC1; p=reject\"\na.example.org A 203.0.113.1", "", "mta-sts-missing tls-rpt-missing dmarc-reject-general", "mx-null"},
		{"a sender that no receiver sees", "example.org TXT \"v=spf1 -all\"", "10.0.0.1", "ip-not-public", "sender-spf"},
		{"no SPF record", "example.org A 203.0.113.1", "203.0.113.9", "sender-spf-none", "sender-spf-weak"},
		{"softfail", "example.org TXT \"v=spf1 ~all\"", "203.0.113.9", "sender-spf-weak", "sender-spf-none"},
		{"fail", "example.org TXT \"v=spf1 -all\"", "203.0.113.9", "sender-spf", "sender-spf-weak sender-spf-none"},
		{"the record of a public suffix", "_dmarc.org TXT \"v=DMARC1; p=none; psd=y\"\nexample.org A 203.0.113.1", "", "dmarc-suffix-only", "dmarc-psd-yes dmarc-rua-missing"},
		{"a report address at an IP address", "_dmarc.example.org TXT \"v=DMARC1; p=none; rua=mailto:a@192.0.2.1\"", "", "dmarc-uri-invalid", "dmarc-report-unauthorized"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var o DomainOptions
			if tt.ip != "" {
				o.Senders = []netip.Addr{netip.MustParseAddr(tt.ip)}
			}
			got := CheckDomain(t.Context(), readZone(t, tt.zone), "example.org", o)
			for id := range strings.FieldsSeq(tt.want) {
				if !hasFinding(got.Findings, id) {
					t.Errorf("no %s in %s", id, findingIDs(got.Findings))
				}
			}
			for id := range strings.FieldsSeq(tt.unwanted) {
				if hasFinding(got.Findings, id) {
					t.Errorf("%s in %s", id, findingIDs(got.Findings))
				}
			}
		})
	}
}

func TestNullMXBesideSenders(t *testing.T) {
	for record, want := range map[string]bool{"v=spf1 ip4:203.0.113.1 -all": true, "v=spf1 exists:%{i}.example.org -all": true, "v=spf1 -all": false} {
		zone := readZone(t, "example.org MX 0 .\nexample.org TXT \""+record+"\"")
		got := CheckDomain(t.Context(), zone, "example.org", DomainOptions{})
		if strings.Contains(findingIDs(got.Findings), "mx-null-sends") != want {
			t.Errorf("%s: %s", record, findingIDs(got.Findings))
		}
	}
}

func TestReportDestinations(t *testing.T) {
	const record = "_dmarc.example.org TXT \"v=DMARC1; p=none; rua=mailto:a@reports.example.net, mailto:b@news.example.org\"\nnews.example.org A 203.0.113.1\n"
	for zone, want := range map[string]string{
		record: "dmarc-report-unauthorized dmarc-report-no-mail",
		record + "example.org._report._dmarc.reports.example.net TXT \"v=DMARC1\"\nreports.example.net MX 0 .":           "dmarc-report-no-mail",
		record + "example.org._report._dmarc.reports.example.net TXT \"v=DMARC1;\"\nreports.example.net A 203.0.113.2":   "",
		record + "example.org._report._dmarc.reports.example.net TXT \"v=spf1 -all\"\nreports.example.net A 203.0.113.2": "dmarc-report-unauthorized",
		record + "*._report._dmarc.reports.example.net TXT \"v=DMARC1\"\nreports.example.net A 203.0.113.2":              "dmarc-report-unauthorized", // this zone knows no wildcards: the real name is asked
		strings.ReplaceAll(record, "news.example.org A", "other.example.org A") + "reports.example.net A 203.0.113.2":    "dmarc-report-unauthorized dmarc-report-no-mail",
		record + "example.org._report._dmarc.reports.example.net TXT SERVFAIL\nreports.example.net A 203.0.113.2":        "dmarc-report-unknown",
		// Where the walk fails nobody knows whose host it is; of the domain's own name everybody does.
		record + "_dmarc.org TXT SERVFAIL\nreports.example.net A 203.0.113.2":                                                                 "dmarc-report-unknown dmarc-report-unknown",
		record + "_dmarc.net TXT TIMEOUT\nreports.example.net A 203.0.113.2":                                                                  "dmarc-report-unknown",
		record + "_dmarc.net TXT TIMEOUT\nreports.example.net A 203.0.113.2\nexample.org._report._dmarc.reports.example.net TXT \"v=DMARC1\"": "",
		"_dmarc.example.org TXT \"v=DMARC1; p=none; rua=mailto:a@Example.org\"\n_dmarc.org TXT SERVFAIL\nexample.org A 203.0.113.1":           "",
	} {
		z := readZone(t, zone)
		var all []Finding
		for _, to := range CheckReports(t.Context(), z, DiscoverDMARC(t.Context(), z, "example.org")) {
			all = append(all, to.Findings...)
		}
		if findingIDs(all) != want {
			t.Errorf("%s: %q, want %q", zone, findingIDs(all), want)
		}
	}
}

// A whole check runs again offline, byte for byte, whatever order its parts
// ran in.
func TestDomainCheckReplays(t *testing.T) {
	zone := readZone(t, goodDomain+"example.org TXT \"v=spf1 include:a.example -all\"\n")
	zone.SetOutcome("a.example", TypeTXT, ServFail)
	check := func(r Resolver) []byte {
		t.Helper()
		document, err := json.Marshal(CheckDomain(t.Context(), r, "example.org", goodOptions))
		if err != nil {
			t.Fatal(err)
		}
		return document
	}
	var recording bytes.Buffer
	recorder := &Recorder{Resolver: zone, Writer: &recording}
	live := check(recorder)
	if recorder.Err() != nil {
		t.Fatal(recorder.Err())
	}
	rec, err := ReadRecording(&recording)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if replayed := check(rec.Replay()); !bytes.Equal(live, replayed) {
			t.Fatalf("live:\n%s\nreplayed:\n%s", live, replayed)
		}
	}
	if i := bytes.Index(live, []byte(`":null`)); i >= 0 {
		t.Errorf("a list that is absent is null: %s", live[max(i-30, 0):i+6])
	}
}

// countingResolver counts each question.
type countingResolver struct {
	Resolver
	asked chan Question
}

func (c countingResolver) Lookup(ctx context.Context, name string, t Type) Answer {
	c.asked <- Question{name, t}
	return c.Resolver.Lookup(ctx, name, t)
}

func TestDomainCheckAsksEachQuestionOnceAndWithinItsBudget(t *testing.T) {
	counting := countingResolver{readZone(t, goodDomain), make(chan Question, 1000)}
	got := CheckDomain(t.Context(), counting, "example.org", goodOptions)
	close(counting.asked)
	seen := map[Question]bool{}
	for q := range counting.asked {
		if seen[q] {
			t.Errorf("%v is asked twice", q)
		}
		seen[q] = true
	}
	if got.Usage.Queries != len(seen) {
		t.Errorf("%d questions, %d counted", len(seen), got.Usage.Queries)
	}
	got = CheckDomain(t.Context(), readZone(t, goodDomain), "example.org", DomainOptions{MaxQueries: 3})
	if got.Usage.Queries != 3 || !strings.Contains(findingIDs(got.Findings), "check-budget") {
		t.Errorf("%+v, %s", got.Usage, findingIDs(got.Findings))
	}
}

// silent never answers: the whole check ends with its time.
type silent struct{}

func (silent) Lookup(ctx context.Context, _ string, _ Type) Answer {
	<-ctx.Done()
	return Answer{Outcome: Timeout, Err: ctx.Err()}
}

func TestDomainCheckEndsInTime(t *testing.T) {
	start := time.Now()
	got := CheckDomain(t.Context(), silent{}, "example.org", DomainOptions{Timeout: 50 * time.Millisecond, Senders: goodOptions.Senders, HELO: "mail.example.org"})
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
	for _, f := range got.Findings {
		if f.Owner == OwnerDomain && f.Severity == Error {
			t.Errorf("without any answer the domain is blamed: %v", f)
		}
	}
}

// degraded gives answers with gaps, as SystemResolver does.
type degraded struct{ *Zone }

func (d degraded) Lookup(ctx context.Context, name string, t Type) Answer {
	a := d.Zone.Lookup(ctx, name, t)
	if a.Outcome == NXDomain {
		a.Outcome = NoData
	}
	a.CNAME, a.TTL, a.Gaps = nil, 0, GapExistence|GapAliases|GapTTL
	return a
}

func TestDegradedResolverSaysWhichChecksWereNotPossible(t *testing.T) {
	got := CheckDomain(t.Context(), degraded{readZone(t, "example.org MX 10 mail.example.org\nmail.example.org CNAME a.example.org\na.example.org A 203.0.113.1")}, "example.org", DomainOptions{})
	all := findingIDs(got.Findings)
	for id, want := range map[string]bool{
		"resolver-existence": true, "resolver-aliases": true, "resolver-ttl": true, "resolver-strings": false,
		"mx-alias": false, "dkim-no-keys": false,
	} {
		if strings.Contains(all, id) != want {
			t.Errorf("%s: %v in %s", id, !want, all)
		}
	}
}

func TestCheckDomainOfNoDomain(t *testing.T) {
	for _, domain := range []string{"", "a b", "@", strings.Repeat("a.", 200)} {
		got := CheckDomain(t.Context(), &Zone{}, domain, DomainOptions{})
		if !errors.Is(got.Err, ErrBadDomain) || len(got.Findings) != 1 {
			t.Errorf("%q: %+v", domain, got)
		}
	}
}

func TestSelectorsOf(t *testing.T) {
	all := []*DKIMSignature{{Domain: "example.org", Selector: "a"}, {Domain: "example.net", Selector: "b"}, {Domain: "example.org", Selector: "a"}, {Domain: "example.org", Selector: "c"}}
	if got := strings.Join(SelectorsOf("Example.org", all), " "); got != "a c" {
		t.Errorf("%s", got)
	}
}

// Only a host that is known to be of another organization is external; where DNS
// does not say whose it is, its agreement is asked for all the same.
func TestWhoseReportHostItIs(t *testing.T) {
	const record = "_dmarc.example.org TXT \"v=DMARC1; p=none; rua=mailto:a@%s\"\n"
	for name, tt := range map[string]struct {
		host, zone               string
		external, asked, granted bool
	}{
		"the domain itself":              {"example.org", "", false, false, true},
		"below the domain":               {"news.example.org", "", false, false, true},
		"of another organization":        {"reports.example.net", "example.org._report._dmarc.reports.example.net TXT \"v=DMARC1\"", true, true, true},
		"of one that does not agree":     {"reports.example.net", "", true, true, false},
		"nobody knows":                   {"reports.example.net", "_dmarc.net TXT TIMEOUT\nexample.org._report._dmarc.reports.example.net TXT \"v=DMARC1\"", false, true, true},
		"nobody knows, and no agreement": {"reports.example.net", "_dmarc.net TXT TIMEOUT", false, true, false},
	} {
		z := readZone(t, strings.Replace(record, "%s", tt.host, 1)+tt.zone)
		all := CheckReports(t.Context(), z, DiscoverDMARC(t.Context(), z, "example.org"))
		if len(all) != 1 || all[0].External != tt.external || (all[0].Name != "") != tt.asked || all[0].Authorized != tt.granted {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

// A check that its caller ends says so, in JSON too.
func TestDomainCheckThatIsEndedSaysWhy(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := CheckDomain(ctx, readZone(t, goodDomain), "example.org", DomainOptions{})
	if !errors.Is(got.Err, context.Canceled) || got.Problem == "" {
		t.Errorf("%v, problem %q", got.Err, got.Problem)
	}
}
