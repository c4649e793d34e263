package dnscheck

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A zone file with everything RFC 1035 section 5.1 allows that mail needs.
const masterFile = `$TTL 1h
$ORIGIN example.org.
@	IN	SOA	ns1 hostmaster (
		2026120201 ; serial
		7200 3600 1209600 300 )
	IN	NS	ns1
	300	MX	10 mail
		MX	20 mail.example.net.
		TXT	( "v=spf1 mx"   ; the domain's own
			" -all" )
mail	IN 5m	A	192.0.2.1
	5m IN	A	192.0.2.2
www	CNAME	@
quoted	TXT	"say \"a;b\" \\ \065" plain
$ORIGIN sub
host	A	192.0.2.3 ; stands below sub.example.org
$ORIGIN .
other.example	A	192.0.2.4
gone.example	TXT	SERVFAIL
word.example	TXT	"SERVFAIL"
`

func TestZoneFilesAreRead(t *testing.T) {
	z := zone(t, masterFile)
	addr := netip.MustParseAddr
	tests := []struct {
		name string
		t    Type
		want Answer
	}{
		{"example.org", TypeMX, Answer{Outcome: Found, MX: []MX{{10, "mail.example.org"}, {20, "mail.example.net"}}, TTL: 5 * time.Minute}},
		{"example.org", TypeTXT, Answer{Outcome: Found, TXT: []TXT{{"v=spf1 mx -all", 2}}, TTL: time.Hour}},
		{"mail.example.org", TypeA, Answer{Outcome: Found, Addrs: []netip.Addr{addr("192.0.2.1"), addr("192.0.2.2")}, TTL: 5 * time.Minute}},
		{"www.example.org", TypeMX, Answer{Outcome: Found, MX: []MX{{10, "mail.example.org"}, {20, "mail.example.net"}}, CNAME: []string{"example.org"}, TTL: 5 * time.Minute}},
		{"quoted.example.org", TypeTXT, Answer{Outcome: Found, TXT: []TXT{{`say "a;b" \ Aplain`, 2}}, TTL: time.Hour}},
		{"host.sub.example.org", TypeA, Answer{Outcome: Found, Addrs: []netip.Addr{addr("192.0.2.3")}, TTL: time.Hour}},
		{"other.example", TypeA, Answer{Outcome: Found, Addrs: []netip.Addr{addr("192.0.2.4")}, TTL: time.Hour}},
		{"gone.example", TypeTXT, Answer{Outcome: ServFail, TTL: time.Hour}},
		{"word.example", TypeTXT, Answer{Outcome: Found, TXT: []TXT{{"SERVFAIL", 1}}, TTL: time.Hour}},
		{"sub.example.org", TypeA, Answer{Outcome: NoData}},
		{"host.example.org", TypeA, Answer{Outcome: NXDomain}},
	}
	for _, test := range tests {
		got := z.Lookup(context.Background(), test.name, test.t)
		if diff := cmp.Diff(test.want, got, cmp.Comparer(func(a, b netip.Addr) bool { return a == b })); diff != "" {
			t.Errorf("%s %v: %s", test.name, test.t, diff)
		}
	}
}

func TestNamesOfPlainLinesAreAbsolute(t *testing.T) {
	z := zone(t, "# plain lines\n  example.org MX 10 mail.example.net\nexample.org. A 192.0.2.1")
	mx := z.Lookup(context.Background(), "example.org", TypeMX).MX
	if !slices.Equal(mx, []MX{{10, "mail.example.net"}}) || z.Lookup(context.Background(), "example.org", TypeA).Outcome != Found {
		t.Errorf("%v", mx)
	}
}

func TestZoneErrorsSayWhere(t *testing.T) {
	tests := []struct{ text, want string }{
		{"@ A 192.0.2.1", "line 1, column 1: @ stands for the origin: write $ORIGIN before it"},
		{"a.example A 192.0.2.1\nb.example A 192.0.2.300", `line 2, column 13: "192.0.2.300" is no address of type A`},
		{"a.example MX mail 10", `line 1, column 14: "mail" is no preference from 0 to 65535`},
		{"a.example MX 10", "line 1, column 14: an MX record has a preference and a host"},
		{"a.example A 192.0.2.1 192.0.2.2", "line 1, column 23: nothing more is expected behind the value of A"},
		{"a.example TXT ( \"x\"\n\"y\"", "line 1, column 15: the parenthesis is not closed"},
		{"a.example TXT x )", "line 1, column 17: no parenthesis is open"},
		{"a.example TXT \"open", "line 1, column 15: the quote is not closed on its line"},
		{"a.example TXT \\25", "line 1, column 15: a backslash and digits stand for a byte as three digits, 000 to 255"},
		{"a.example CH TXT x", "line 1, column 11: class CH is not read: mail uses IN"},
		{"a.example WKS x", `line 1, column 11: "WKS" is no type this reads: A, AAAA, CNAME, MX, PTR, SPF or TXT`},
		{"a.example TXT", "line 1, column 11: a value is missing behind TXT"},
		{"$INCLUDE other", "line 1, column 1: $INCLUDE is not supported: $ORIGIN and $TTL are"},
		{"$TTL soon", `line 1, column 6: "soon" is no time to live, such as 3600 or 1h30m`},
		{strings.Repeat("x", maxZoneLine+1), "line 1: bufio.Scanner: token too long"},
	}
	for _, test := range tests {
		_, err := ReadZone(strings.NewReader(test.text))
		if _, ok := errors.AsType[*ZoneError](err); !ok || err.Error() != "dnscheck: zone "+test.want {
			t.Errorf("%.40q: %v, want %s", test.text, err, test.want)
		}
	}
}

func TestNilAndZeroZonesAreEmpty(t *testing.T) {
	for _, z := range []*Zone{nil, {}} {
		if a := AuditSPF(context.Background(), z, "example.org", SPFAuditOptions{}); !errors.Is(a.IPv4.Err, ErrNoRecord) {
			t.Errorf("%v", a.IPv4.Err)
		}
		if c := CheckSPF(context.Background(), z, SPFQuery{IP: netip.MustParseAddr("192.0.2.1"), HELO: "example.org"}); c.Result != SPFNone {
			t.Errorf("%v", c.Result)
		}
	}
	var z Zone
	z.SetTTL("example.org", TypeTXT, time.Minute)
	if a := z.Lookup(context.Background(), "example.org", TypeTXT); a.Outcome != NXDomain || a.TTL != time.Minute {
		t.Errorf("%+v", a)
	}
}
