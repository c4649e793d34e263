package dnscheck

import (
	"cmp"
	"context"
	"encoding/json"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// auditHosts is the DNS around the records of the table: example.net's names
// belong to others.
const auditHosts = `
explain.example.org TXT "go away"
h1.example.net   A 198.51.100.1
h2.example.net   A 198.51.100.2
h3.example.net   A 198.51.100.3
h4.example.net   A 198.51.100.4
both.example.net A 198.51.100.20
both.example.net AAAA 2001:db8::20
six.example.net  AAAA 2001:db8::21
www.example.org  A 192.0.2.80
www.example.org  AAAA 2001:db8::80
aaaa.example.net TXT "nothing of SPF"
ip.example.net   TXT "v=spf1 ip4:198.51.100.0/24 ip6:2001:db8::/32 -all"
one.example.net  TXT "v=spf1 ip4:198.51.100.1 ~all"
two.example.net  TXT "v=spf1 a:both.example.net include:ip.example.net -all"
four.example.net TXT "v=spf1 include:two.example.net a:both.example.net -all"
soft.example.net TXT "v=spf1 ~ip4:198.51.100.7 ~all"
open.example.net TXT "v=spf1 +all"
self.example.net TXT "v=spf1 include:self.example.net -all"
ring1.example.net TXT "v=spf1 include:ring2.example.net -all"
ring2.example.net TXT "v=spf1 redirect=ring1.example.net"
twice.example.net TXT "v=spf1 -all"
twice.example.net TXT "v=spf1 ~all"
broken.example.net TXT "v=spf1 ipv4:198.51.100.9 a:both.example.net -all"
sick.example.net TXT SERVFAIL
slow.example.net A TIMEOUT
late.example.net A 198.51.100.30
late.example.net AAAA TIMEOUT
re.example.net   TXT "v=spf1 redirect=two.example.net"
mac.example.net  TXT "v=spf1 exists:%{i}._ip.%{d} -all"
alias.example.net CNAME ip.example.net
mail.example.net MX 10 both.example.net
null.example.net MX 0 .
dead.example.net MX 10 gone1.example.net
dead.example.net MX 20 gone2.example.net
dead.example.net MX 30 gone3.example.net
dead.example.net MX 40 both.example.net
ill1.example.net MX 10 slow.example.net
ill1.example.net MX 20 both.example.net
ill2.example.net MX 10 both.example.net
ill2.example.net MX 20 slow.example.net
old.example.net  MX 10 h1.example.net
old.example.net  MX 20 h2.example.net
old.example.net  MX 30 h3.example.net
`

const manyMX = `
many.example.net MX 1 both.example.net
many.example.net MX 2 h1.example.net
many.example.net MX 3 h2.example.net
many.example.net MX 4 h3.example.net
many.example.net MX 5 h4.example.net
many.example.net MX 6 m6.example.net
many.example.net MX 7 m7.example.net
many.example.net MX 8 m8.example.net
many.example.net MX 9 m9.example.net
many.example.net MX 10 m10.example.net
many.example.net MX 11 m11.example.net
`

// auditTests are records of example.org with the look-up arithmetic of the worst case: the
// numbers of sum add up to it. Voids are of the term reading for both families, "4/6";
// query differs where receivers may. Results are of a client that no term
// names, IPv4 then IPv6 where they differ. Findings are all of them, by id.
var auditTests = []struct {
	name, record, sum, voids, query, result, findings string
}{
	{"nothing is free of charge only when it asks nothing", "v=spf1 -all", "0", "0/0", "", "fail", ""},
	{"addresses are free", "v=spf1 ip4:192.0.2.0/24 ip6:2001:db8:1::/48 -all", "0 ip4 + 0 ip6 + 0 all", "0/0", "", "fail", ""},
	{"the bare version", "v=spf1", "0", "0/0", "", "neutral", "spf-all-missing"},
	{"exp is free", "v=spf1 a:both.example.net exp=explain.example.org -all", "1 a + 0 exp", "0/0", "", "fail", ""},
	{"exp that is not published", "v=spf1 exp=gone.example.org -all", "0 exp", "0/0", "", "fail", "spf-exp-missing"},
	{"two terms joined at the end of a string", "v=spf1 include:ip.example.netinclude:one.example.net -all", "1 include", "0/0", "", "permerror", "spf-include-nxdomain spf-joined"},
	{"a second version", "v=spf1 ip4:192.0.2.1 v=spf1 -all", "0", "0/0", "", "fail", "spf-modifier-name"},
	{"an unknown modifier is free", "v=spf1 moo=a:both.example.net -all", "0", "0/0", "", "fail", "spf-modifier-other"},
	{"one a", "v=spf1 a:both.example.net -all", "1 a", "0/0", "", "fail", ""},
	{"A and AAAA of a term are one", "v=spf1 a:both.example.net/24//64 ~all", "1 a", "0/0", "", "softfail", ""},
	{"an a without IPv6 is void for IPv6 clients", "v=spf1 a:h1.example.net -all", "1 a", "0/1", "", "fail", ""},
	{"an a without IPv4 is void for IPv4 clients", "v=spf1 a:six.example.net -all", "1 a", "1/0", "", "fail", ""},
	{"an a of nothing", "v=spf1 a:gone.example.net -all", "1 a", "1/1", "", "fail", "spf-void"},
	{"two voids are allowed", "v=spf1 a:g1.example.net a:g2.example.net -all", "1 a + 1 a", "2/2", "", "fail", "spf-void"},
	{"the third void is too many", "v=spf1 a:g1.example.net a:g2.example.net a:g3.example.net -all", "1 a + 1 a + 1 a", "3/3", "", "permerror", "spf-void spf-void-limit"},
	{"three names without IPv6", "v=spf1 a:h1.example.net a:h2.example.net a:h3.example.net -all", "1 a + 1 a + 1 a", "0/3", "", "fail/permerror", "spf-void-receivers"},
	{"the domain's own a", "v=spf1 a -all", "1 a", "1/1", "", "fail", "spf-void"},
	{"an mx is one however many hosts", "v=spf1 mx:old.example.net -all", "1 mx", "0/0", "0/3", "fail", "spf-void-receivers"},
	{"an mx with both families", "v=spf1 mx:mail.example.net -all", "1 mx", "0/0", "", "fail", ""},
	{"null MX is an answer", "v=spf1 mx:null.example.net -all", "1 mx", "0/0", "", "fail", ""},
	{"dead exchangers are void to some receivers only", "v=spf1 mx:dead.example.net -all", "1 mx", "0/0", "3/3", "fail", "spf-void-receivers"},
	{"an mx of nothing", "v=spf1 mx -all", "1 mx", "1/1", "", "fail", "spf-void"},
	{"eleven exchangers", "v=spf1 mx:many.example.net -all", "1 mx", "0/0", "5/9", "permerror", "spf-mx-limit spf-void-receivers"},
	{"an exchanger that DNS does not answer for IPv4", "v=spf1 mx:ill1.example.net -all", "1 mx", "0/0", "0/1", "temperror/fail", "spf-dns-failed"},
	{"one behind an exchanger that it answers for", "v=spf1 mx:ill2.example.net -all", "1 mx", "0/0", "0/1", "temperror/fail", "spf-dns-failed"},
	{"ptr is charged", "v=spf1 ptr -all", "1 ptr", "0/0", "", "fail", "spf-ptr"},
	{"ptr with a name", "v=spf1 ptr:example.org -all", "1 ptr", "0/0", "", "fail", "spf-ptr"},
	{"exists of the client", "v=spf1 exists:%{ir}._ip.example.org -all", "1 exists", "0/0", "", "fail", "spf-exists"},
	{"exists that always is", "v=spf1 exists:h1.example.net -all", "1 exists", "0/0", "", "pass", "spf-exists-all spf-unreachable"},
	{"exists that never is", "v=spf1 exists:gone.example.net -all", "1 exists", "1/1", "", "fail", "spf-void"},
	{"three exists of the client", "v=spf1 exists:%{i}.a.example.org exists:%{i}.b.example.org exists:%{i}.c.example.org -all", "1 exists + 1 exists + 1 exists", "0/0", "", "fail", "spf-exists spf-void-sender"},
	{"the macro p costs one more", "v=spf1 exists:%{p}._p.example.org -all", "1 exists + 1 p", "0/0", "", "fail", "spf-exists spf-macro-p"},
	{"p twice costs two more", "v=spf1 a:%{p}.%{p1}.example.org -all", "1 a + 1 p + 1 p", "0/0", "", "fail", "spf-macro-p"},
	{"the macros d and o are known", "v=spf1 a:www.%{d} a:www.%{o} -all", "1 a + 1 a", "0/0", "", "fail", "spf-range-overlap"},
	{"d is the included domain within it", "v=spf1 include:mac.example.net -all", "1 include + 1 exists", "0/0", "", "fail", "spf-exists"},
	{"an include of the sender", "v=spf1 include:%{l}._spf.example.org -all", "1 include", "0/0", "", "fail", "spf-lookup-sender"},
	{"a redirect of the sender", "v=spf1 redirect=%{l}._spf.example.org", "1 redirect", "0/0", "", "neutral", "spf-lookup-sender"},
	{"one include of addresses", "v=spf1 include:ip.example.net -all", "1 include", "0/0", "", "fail", ""},
	{"an include of two", "v=spf1 include:two.example.net -all", "1 include + 1 a + 1 include", "0/0", "", "fail", ""},
	{"an include of an include of two", "v=spf1 include:four.example.net -all", "1 include + 1 include + 1 a + 1 include + 1 a", "0/0", "", "fail", ""},
	{"a repeated include is charged again", "v=spf1 include:two.example.net include:two.example.net -all", "3 two + 3 two", "0/0", "", "fail", "spf-include-twice spf-include-unused"},
	{"includes within another's addresses", "v=spf1 include:one.example.net include:ip.example.net -all", "1 include + 1 include", "0/0", "", "fail", "spf-include-unused"},
	{"a redirect", "v=spf1 redirect=two.example.net", "1 redirect + 1 a + 1 include", "0/0", "", "fail", ""},
	{"a redirect behind a redirect", "v=spf1 redirect=re.example.net", "1 redirect + 1 redirect + 1 a + 1 include", "0/0", "", "fail", ""},
	{"an include of a redirect", "v=spf1 include:re.example.net ~all", "1 include + 1 redirect + 1 a + 1 include", "0/0", "", "softfail", ""},
	{"a redirect beside all is free", "v=spf1 redirect=two.example.net -all", "0", "0/0", "", "fail", "spf-redirect-all"},
	{"a redirect before its mechanisms comes last", "v=spf1 redirect=one.example.net a:both.example.net", "1 a + 1 redirect", "0/0", "", "softfail", ""},
	{"terms behind all are free", "v=spf1 -all a:both.example.net include:two.example.net", "0", "0/0", "", "fail", "spf-unreachable"},
	{"terms behind an include of everybody are free", "v=spf1 include:open.example.net a:both.example.net -all", "1 include", "0/0", "", "pass", "spf-include-all spf-unreachable"},
	{"an exception before its exception", "v=spf1 -ip4:192.0.2.0/24 ip4:192.0.2.9 -all", "0", "0/0", "", "fail", "spf-range-overlap spf-shadowed"},
	{"an exception in its place", "v=spf1 -ip4:192.0.2.9 ip4:192.0.2.0/24 -all", "0", "0/0", "", "fail", "spf-range-overlap"},
	{"an include that is refused before", "v=spf1 -ip4:198.51.0.0/16 -ip6:2001:db8::/29 include:ip.example.net -all", "1 include", "0/0", "", "fail", "spf-include-unused spf-shadowed"},
	{"all of IPv4 ends the record for IPv4", "v=spf1 ip4:0.0.0.0/0 a:both.example.net -all", "1 a", "0/0", "", "pass/fail", "spf-range-all spf-range-overlap"},
	{"the halves of IPv4 end the record for IPv4", "v=spf1 ip4:0.0.0.0/1 ip4:128.0.0.0/1 a:both.example.net -all", "1 a", "0/0", "", "pass/fail", "spf-range-overlap spf-range-wide spf-union-all"},
	{"all of both ends the record", "v=spf1 ip4:0.0.0.0/0 ip6:::/0 a:both.example.net -all", "0", "0/0", "", "pass", "spf-range-all spf-unreachable"},
	{"an include that fails nobody is charged", "v=spf1 include:soft.example.net -all", "1 include", "0/0", "", "fail", "spf-include-nobody spf-include-unused"},
	{"an include of no record", "v=spf1 include:aaaa.example.net a:both.example.net -all", "1 include + 1 a", "0/0", "", "permerror", "spf-include-missing"},
	{"an include of no domain", "v=spf1 include:gone.example.net a:both.example.net -all", "1 include + 1 a", "0/0", "", "permerror", "spf-include-nxdomain"},
	{"an include that DNS does not answer", "v=spf1 include:sick.example.net -all", "1 include", "0/0", "", "temperror", "spf-dns-failed"},
	{"an a that DNS does not answer for IPv4", "v=spf1 a:slow.example.net -all", "1 a", "0/1", "", "temperror/fail", "spf-dns-failed"},
	{"an a that DNS does not answer for IPv6", "v=spf1 a:late.example.net -all", "1 a", "0/0", "", "fail/temperror", "spf-dns-failed"},
	{"a redirect to no record", "v=spf1 redirect=gone.example.net", "1 redirect", "0/0", "", "permerror", "spf-redirect-missing"},
	{"an include of two records", "v=spf1 include:twice.example.net -all", "1 include", "0/0", "", "permerror", "spf-many-records"},
	{"an include with a syntax error counts on", "v=spf1 include:broken.example.net -all", "1 include + 1 a", "0/0", "", "permerror", "spf-syntax"},
	{"an include of itself", "v=spf1 include:example.org -all", "1 include", "0/0", "", "permerror", "spf-loop"},
	{"an include of what includes itself", "v=spf1 include:self.example.net -all", "1 include + 1 include", "0/0", "", "permerror", "spf-loop"},
	{"a ring of an include and a redirect", "v=spf1 include:ring1.example.net -all", "1 include + 1 include + 1 redirect", "0/0", "", "permerror", "spf-loop"},
	{"a redirect to itself", "v=spf1 redirect=example.org", "1 redirect", "0/0", "", "permerror", "spf-loop"},
	{"an include behind an alias", "v=spf1 include:alias.example.net -all", "1 include", "0/0", "", "fail", "spf-alias"},
	{"nine leave no headroom", "v=spf1 include:two.example.net include:four.example.net a:both.example.net -all", "3 two + 5 four + 1 a", "0/0", "", "fail", "spf-include-unused spf-lookup-headroom spf-range-overlap"},
	{"ten are allowed", "v=spf1 include:four.example.net include:four.example.net -all", "5 four + 5 four", "0/0", "", "fail", "spf-include-twice spf-include-unused spf-lookup-headroom"},
	{"eleven are not", "v=spf1 include:four.example.net include:four.example.net a:both.example.net -all", "5 four + 5 four + 1 a", "0/0", "", "permerror", "spf-include-twice spf-include-unused spf-lookup-limit spf-range-overlap"},
	{"p can be the eleventh", "v=spf1 include:four.example.net include:two.example.net a:both.example.net exists:%{p}.example.org -all", "5 four + 3 two + 1 a + 1 exists + 1 p", "0/0", "", "permerror", "spf-exists spf-include-unused spf-lookup-limit spf-macro-p spf-range-overlap"},
	{"counting goes on past the limit", "v=spf1 include:four.example.net include:four.example.net include:four.example.net mx:mail.example.net -all", "5 four + 5 four + 5 four + 1 mx", "0/0", "", "permerror", "spf-include-twice spf-include-unused spf-lookup-limit spf-range-overlap"},
	{"+all", "v=spf1 a:both.example.net +all", "1 a", "0/0", "", "pass", "spf-all-pass"},
	{"?all", "v=spf1 a:both.example.net ?all", "1 a", "0/0", "", "neutral", "spf-all-neutral"},
	{"no end", "v=spf1 a:both.example.net", "1 a", "0/0", "", "neutral", "spf-all-missing"},
	{"a glued all", "v=spf1 ip4:192.0.2.1~all", "0", "0/0", "", "permerror", "spf-all-missing spf-syntax"},
	{"include with an equals sign", "v=spf1 include=two.example.net -all", "0", "0/0", "", "fail", "spf-modifier-name"},
	{"upper case and a dot", "v=spf1 INCLUDE:ip.example.net. -all", "1 include", "0/0", "", "fail", "spf-trailing-dot spf-upper-case"},
	{"an upper-case version", "V=SPF1 -all", "0", "0/0", "", "fail", "spf-upper-case"},
	{"an upper-case macro", "v=spf1 exists:%{I}.example.org -all", "1 exists", "0/0", "", "fail", "spf-exists spf-macro-upper-case"},
	{"two spaces and one at the end", "v=spf1  ip4:192.0.2.1 -all ", "0", "0/0", "", "fail", "spf-whitespace"},
	{"a tab", "v=spf1 ip4:192.0.2.1\t-all", "0", "0/0", "", "permerror", "spf-all-missing spf-syntax"},
	{"host bits", "v=spf1 ip4:192.0.2.9/24 -all", "0", "0/0", "", "fail", "spf-host-bits"},
	{"a wide range", "v=spf1 ip4:11.0.0.0/8 -all", "0", "0/0", "", "fail", "spf-range-wide"},
	{"two halves of a wide range", "v=spf1 ip4:11.0.0.0/9 ip4:11.128.0.0/9 -all", "0", "0/0", "", "fail", "spf-union-wide"},
	{"a private range", "v=spf1 ip4:10.1.0.0/16 -all", "0", "0/0", "", "fail", "spf-range-private"},
	{"a range that begins in a private one", "v=spf1 ip4:10.0.0.0/7 ip4:0.0.0.0/1 ip6:fc00::/6 -all", "0", "0/0", "", "fail", "spf-range-overlap spf-range-wide"},
	{"a range within another", "v=spf1 ip4:192.0.2.0/24 ip4:192.0.2.7 -all", "0", "0/0", "", "fail", "spf-range-overlap"},
	{"quotes around it", "\\\"v=spf1 -all\\\"", "0", "0/0", "", "none", "spf-almost-record spf-missing"},
	{"a space before it", " v=spf1 -all", "0", "0/0", "", "none", "spf-almost-record spf-missing"},
	{"no space behind the version", "v=spf1;-all", "0", "0/0", "", "none", "spf-almost-record spf-missing"},
	{"another version", "v=spf2 -all", "0", "0/0", "", "none", "spf-almost-record spf-missing"},
	{"Sender ID", "spf2.0/pra -all", "0", "0/0", "", "none", "spf-missing spf-sender-id"},
}

var numbers = regexp.MustCompile(`(?:^|\+ )(\d+)`)

func sumOf(s string) (total int) {
	for _, m := range numbers.FindAllStringSubmatch(s, -1) {
		n, _ := strconv.Atoi(m[1])
		total += n
	}
	return total
}

func pair[T cmp.Ordered](a, b T, text func(T) string) string { return text(a) + "/" + text(b) }

func ids(findings []Finding) string {
	var out []string
	for _, f := range findings {
		out = append(out, f.ID)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}

func auditZone(t testing.TB, record string) *Zone {
	z := zone(t, auditHosts+manyMX)
	z.AddTXT("example.org", strings.ReplaceAll(record, `\"`, `"`))
	return z
}

func TestAuditCountsWhatEveryTermCosts(t *testing.T) {
	if len(auditTests) < 60 {
		t.Errorf("%d records", len(auditTests))
	}
	for _, test := range auditTests {
		t.Run(test.name, func(t *testing.T) {
			z := auditZone(t, test.record)
			a := AuditSPF(context.Background(), z, "example.org", SPFAuditOptions{})
			if a.Lookups != sumOf(test.sum) {
				t.Errorf("%d look-ups, want %s", a.Lookups, test.sum)
			}
			voids := pair(a.IPv4.Voids, a.IPv6.Voids, strconv.Itoa)
			query := pair(a.IPv4.QueryVoids, a.IPv6.QueryVoids, strconv.Itoa)
			if voids != test.voids || query != cmp.Or(test.query, test.voids) {
				t.Errorf("voids %s, by questions %s; want %s, %s", voids, query, test.voids, cmp.Or(test.query, test.voids))
			}
			result := a.IPv4.Result.String()
			if a.IPv6.Result != a.IPv4.Result {
				result += "/" + a.IPv6.Result.String()
			}
			if result != test.result {
				t.Errorf("result %s, want %s", result, test.result)
			}
			if got := ids(a.Findings); got != test.findings {
				t.Errorf("findings %s\nwant     %s", got, test.findings)
				for _, f := range a.Findings {
					t.Log(f)
				}
			}
			checkAudit(t, z, a)
		})
	}
}

// checkAudit asserts what holds for every audit: its worst case is what an
// evaluation meets, and its tree adds up.
func checkAudit(t *testing.T, z *Zone, a *SPFAudit) {
	t.Helper()
	for _, f := range a.Findings {
		rule, known := spfRules[f.ID]
		if !known || f.Spec == "" || f.Message == "" || strings.Contains(f.Message+f.Fix, "%s") || rule.severity != f.Severity {
			t.Errorf("finding %+v", f)
		}
		if f.Where.End > len(f.Where.Record) || f.Where.Start > f.Where.End {
			t.Errorf("%s lies outside its record: %+v", f.ID, f.Where)
		}
	}
	if (a.Eleventh != nil) != (a.Lookups > MaxLookups) {
		t.Errorf("eleventh %v of %d", a.Eleventh, a.Lookups)
	}
	total := 0
	for _, term := range a.Record.Terms {
		total += term.Total
	}
	if total != a.Lookups || a.Record.Lookups != a.Lookups {
		t.Errorf("the terms add up to %d, the record to %d, the audit says %d", total, a.Record.Lookups, a.Lookups)
	}
	for ip, worst := range map[string]SPFWorst{"203.0.113.250": a.IPv4, "3fff::250": a.IPv6} {
		got := CheckSPF(context.Background(), z, SPFQuery{IP: netip.MustParseAddr(ip), MailFrom: "nobody@" + a.Domain, HELO: "mail." + a.Domain})
		if worst.SenderVoids > 0 || a.BySender {
			continue // what happens depends on more than the address
		}
		if got.Result != worst.Result {
			t.Errorf("%s gets %v (%v), the worst case is %v (%v)", ip, got.Result, got.Err, worst.Result, worst.Err)
		}
		if got.Err == nil && (got.Lookups != worst.Lookups || got.Voids != worst.Voids) {
			t.Errorf("%s costs %d look-ups and %d voids, the worst case %d and %d", ip, got.Lookups, got.Voids, worst.Lookups, worst.Voids)
		}
	}
}

func TestAuditOfTheProbes(t *testing.T) {
	data, err := os.ReadFile("testdata/probes.json")
	if err != nil {
		t.Fatal(err)
	}
	var probes []probe
	if err := json.Unmarshal(data, &probes); err != nil {
		t.Fatal(err)
	}
	// The look-up arithmetic of the probes that are about counting.
	sums := map[string]string{
		"include-chain-10":                 "1 i1 + 1 i2 + 1 i3 + 1 i4 + 1 i5 + 1 i6 + 1 i7 + 1 i8 + 1 i9 + 1 i10",
		"include-chain-11":                 "10 i1 to i10 + 1 i11",
		"ten-a-then-ip4":                   "10 a",
		"eleven-a-then-ip4":                "11 a",
		"eleventh-a-matches":               "11 a",
		"ptr-is-charged":                   "1 ptr + 10 a",
		"redirect-is-charged":              "10 a + 1 redirect",
		"redirect-at-ten":                  "9 a + 1 redirect",
		"redirect-loop":                    "1 redirect",
		"same-include-twice-charged-twice": "1 include + 5 a + 1 include + 5 a",
		"p-macro-is-charged":               "9 a + 1 exists + 1 p",
		"two-void-then-live-a":             "3 a",
		"three-void-then-ip4":              "3 a",
		"v6-client-mx-four-v4only-hosts":   "1 mx",
		"null-mx":                          "1 mx",
		"mx-host-nxdomain-skipped":         "1 mx",
		"include-nxdomain":                 "1 include",
		"nested-d-macro":                   "1 include + 1 exists",
		"semicolon-after-all":              "0",
		"include-equals":                   "0",
	}
	seen := 0
	for _, p := range probes {
		t.Run(p.Name, func(t *testing.T) {
			z := p.zone(t)
			a := AuditSPF(context.Background(), z, "example.com", SPFAuditOptions{})
			if sum, ok := sums[p.Name]; ok {
				seen++
				if a.Lookups != sumOf(sum) {
					t.Errorf("%d look-ups, want %s", a.Lookups, sum)
				}
			}
			checkAudit(t, z, a)
		})
	}
	if seen != len(sums) {
		t.Errorf("%d of %d probes found", seen, len(sums))
	}
}
