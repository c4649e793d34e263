package authres

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, in string
		want     Results
	}{
		{
			name: "the form of RFC 8601",
			in:   "mx.example.com; spf=pass smtp.mailfrom=example.net; dkim=fail reason=\"bad signature\" header.d=example.net",
			want: Results{ServID: "mx.example.com", Results: []Result{
				{Method: "spf", Value: "pass", Props: []Property{{"smtp.mailfrom", "example.net"}}},
				{Method: "dkim", Value: "fail", Props: []Property{{"reason", "bad signature"}, {"header.d", "example.net"}}},
			}},
		},
		{
			name: "Microsoft's form: no authserv-id, recipient domain between results",
			in: "spf=softfail (sender IP is 192.0.2.7)\r\n smtp.mailfrom=example.net; example.com; dkim=pass (signature was\r\n verified)" +
				" header.d=example.net;example.com; dmarc=none action=none\r\n header.from=example.org;",
			want: Results{Domains: []string{"example.com", "example.com"}, Results: []Result{
				{Method: "spf", Value: "softfail", Comment: "sender IP is 192.0.2.7", Props: []Property{{"smtp.mailfrom", "example.net"}}},
				{Method: "dkim", Value: "pass", Comment: "signature was verified", Props: []Property{{"header.d", "example.net"}}},
				{Method: "dmarc", Value: "none", Props: []Property{{"action", "none"}, {"header.from", "example.org"}}},
			}},
		},
		{
			name: "Hotmail's form: semicolons in comments",
			in:   "hotmail.example; spf=none (sender IP is 192.0.2.8; identity alignment result is pass and alignment mode is relaxed) smtp.helo=h.example; x-hmca=none header.id=a@b.example",
			want: Results{ServID: "hotmail.example", Results: []Result{
				{Method: "spf", Value: "none", Comment: "sender IP is 192.0.2.8; identity alignment result is pass and alignment mode is relaxed", Props: []Property{{"smtp.helo", "h.example"}}},
				{Method: "x-hmca", Value: "none", Props: []Property{{"header.id", "a@b.example"}}},
			}},
		},
		{
			name: "nothing known about the sender",
			in:   "spf=none (sender IP is ) smtp.mailfrom=<>; ",
			want: Results{Results: []Result{{Method: "spf", Value: "none", Comment: "sender IP is", Props: []Property{{"smtp.mailfrom", "<>"}}}}},
		},
		{
			name: "a parenthesis never closed is a character",
			in:   "spf=pass (sender IP is 192.0.2.7; dkim=none; dmarc=none",
			want: Results{Results: []Result{
				{Method: "spf", Value: "pass"}, {Method: "dkim", Value: "none"}, {Method: "dmarc", Value: "none"},
			}},
		},
		{
			name: "blanks around the sign",
			in:   "mx.example.com 1; spf = pass smtp.mailfrom = example.net; none",
			want: Results{ServID: "mx.example.com", Domains: []string{"none"}, Results: []Result{
				{Method: "spf", Value: "pass", Props: []Property{{"smtp.mailfrom", "example.net"}}},
			}},
		},
		{name: "empty", in: "", want: Results{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Parse(tt.in)
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(Results{}, "Raw")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSenderIP(t *testing.T) {
	for comment, want := range map[string]string{
		"sender IP is 192.0.2.7":             "192.0.2.7",
		"sender IP is 192.0.2.8; identity x": "192.0.2.8",
		"sender IP is 2001:db8::1":           "2001:db8::1",
		"sender IP is":                       "invalid IP",
		"signature was verified":             "invalid IP",
	} {
		if got := (Result{Comment: comment}).SenderIP().String(); got != want {
			t.Errorf("SenderIP of %q = %s, want %s", comment, got, want)
		}
	}
}

func TestParseReceivedSPF(t *testing.T) {
	tests := []struct {
		in     string
		want   SPF
		domain string
	}{
		{
			"Pass (protection.outlook.com: domain of example.net designates\r\n 192.0.2.2 as permitted sender) receiver=protection.outlook.com;\r\n client-ip=192.0.2.2; helo=out.example.net;",
			SPF{Result: "pass", Comment: "protection.outlook.com: domain of example.net designates 192.0.2.2 as permitted sender",
				Receiver: "protection.outlook.com", ClientIP: netip.MustParseAddr("192.0.2.2"), HELO: "out.example.net"},
			"example.net",
		},
		{
			"SoftFail (protection.outlook.com: domain of transitioning\r\n example.net discourages use of 192.0.2.203 as permitted sender)",
			SPF{Result: "softfail", Comment: "protection.outlook.com: domain of transitioning example.net discourages use of 192.0.2.203 as permitted sender"},
			"example.net",
		},
		{
			"None (protection.outlook.com: example.org does not designate permitted sender hosts)",
			SPF{Result: "none", Comment: "protection.outlook.com: example.org does not designate permitted sender hosts"},
			"example.org",
		},
		{
			"None (protection.outlook.com:  does not designate permitted\r\n sender hosts)",
			SPF{Result: "none", Comment: "protection.outlook.com: does not designate permitted sender hosts"},
			"",
		},
		{
			"fail client-ip=2001:db8::5; envelope-from=\"a@example.net\"; helo=h.example.net; identity=mailfrom; mechanism=-all",
			SPF{Result: "fail", ClientIP: netip.MustParseAddr("2001:db8::5"), EnvelopeFrom: "a@example.net", HELO: "h.example.net", Identity: "mailfrom", Mechanism: "-all"},
			"example.net",
		},
		{"", SPF{}, ""},
	}
	for _, tt := range tests {
		got := ParseReceivedSPF(tt.in)
		if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(SPF{}, "Raw"), cmp.Comparer(func(a, b netip.Addr) bool { return a == b })); diff != "" {
			t.Errorf("%q: %s", tt.in, diff)
		}
		if d := got.Domain(); d != tt.domain {
			t.Errorf("%q: domain %q, want %q", tt.in, d, tt.domain)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a; spf=pass (x;(y)) b.c=\"d;e\"", "((((", "\"\\", "spf==;=;("} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if r := Parse(s); len(r.Results) > maxResults || len(r.Domains) > maxResults {
			t.Error("over the limit")
		}
		ParseReceivedSPF(s).Domain()
	})
}

func TestLinearTime(t *testing.T) {
	for _, unit := range []string{"(", "\"", ";", "=", "a=b ", "(;)", "\\("} {
		start := time.Now()
		Parse(strings.Repeat(unit, 4<<20/len(unit)))
		if d := time.Since(start); d > time.Second {
			t.Errorf("4 MiB of %q took %v", unit, d)
		}
	}
}
