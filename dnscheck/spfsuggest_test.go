package dnscheck

import "testing"

func TestSuggestions(t *testing.T) {
	tests := []struct{ term, want string }{
		{"-all;", "-all"},
		{`-all"`, "-all"},
		{"~all.", "~all"},
		{"–all", "-all"}, // an en dash
		{"“-all”", "-all"},
		{"ip4:192.0.2.1~all", "ip4:192.0.2.1 ~all"},
		{"ip4:192.0.2.1ip4:192.0.2.2", "ip4:192.0.2.1 ip4:192.0.2.2"},
		{"ip4:192.0.2.1-include:a.example", "ip4:192.0.2.1 -include:a.example"},
		{"a\u00a0mx\u00a0-all", "a mx -all"},
		{"ip4:192.0.2.1\t-all", "ip4:192.0.2.1 -all"},
		{"192.0.2.1", "ip4:192.0.2.1"},
		{"192.0.2.0/24", "ip4:192.0.2.0/24"},
		{"2001:db8::1", "ip6:2001:db8::1"},
		{"ip4:2001:db8::/32", "ip6:2001:db8::/32"},
		{"ip6:192.0.2.1", "ip4:192.0.2.1"},
		{"ip4:mail.example.org", "a:mail.example.org"},
		{"a:192.0.2.1", "ip4:192.0.2.1"},
		{"?ipv4:192.0.2.1", "?ip4:192.0.2.1"},
		{"ipv6:2001:db8::1", "ip6:2001:db8::1"},
		{"ip:2001:db8::1", "ip6:2001:db8::1"},
		{"-redirect:example.org", "redirect=example.org"},
		{"include.example.org", "include:example.org"},
		{"include:münchen.example", "include:xn--mnchen-3ya.example"},
		{"include:", ""},
		{"a:%{x}.example.org", ""},
		{"ip4:192.0.2.1/33", ""},
		{"moo", ""},
		{"", ""},
	}
	for _, test := range tests {
		if got := suggest(test.term); got != test.want {
			t.Errorf("%q: %q, want %q", test.term, got, test.want)
		}
	}
}
