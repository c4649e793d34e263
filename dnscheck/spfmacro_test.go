package dnscheck

import (
	"net/netip"
	"strings"
	"testing"
	"time"
)

// The expansions that RFC 7208 section 7.4 gives as examples, with the sender
// strong-bad@email.example.com and the validated name mx.example.org; the nibbles
// of an address are names, which have no case.
func TestMacrosOfTheStandardsExamples(t *testing.T) {
	const v6 = "1.0.b.c.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2"
	for _, tt := range []struct{ ip, spec, want string }{
		{"192.0.2.3", "%{s}", "strong-bad@email.example.com"},
		{"192.0.2.3", "%{o}", "email.example.com"},
		{"192.0.2.3", "%{d}", "email.example.com"},
		{"192.0.2.3", "%{d4}", "email.example.com"},
		{"192.0.2.3", "%{d3}", "email.example.com"},
		{"192.0.2.3", "%{d2}", "example.com"},
		{"192.0.2.3", "%{d1}", "com"},
		{"192.0.2.3", "%{dr}", "com.example.email"},
		{"192.0.2.3", "%{d2r}", "example.email"},
		{"192.0.2.3", "%{l}", "strong-bad"},
		{"192.0.2.3", "%{l-}", "strong.bad"},
		{"192.0.2.3", "%{lr}", "strong-bad"},
		{"192.0.2.3", "%{lr-}", "bad.strong"},
		{"192.0.2.3", "%{l1r-}", "strong"},
		{"192.0.2.3", "%{ir}.%{v}._spf.%{d2}", "3.2.0.192.in-addr._spf.example.com"},
		{"192.0.2.3", "%{lr-}.lp._spf.%{d2}", "bad.strong.lp._spf.example.com"},
		{"192.0.2.3", "%{lr-}.lp.%{ir}.%{v}._spf.%{d2}", "bad.strong.lp.3.2.0.192.in-addr._spf.example.com"},
		{"192.0.2.3", "%{ir}.%{v}.%{l1r-}.lp._spf.%{d2}", "3.2.0.192.in-addr.strong.lp._spf.example.com"},
		{"192.0.2.3", "%{d2}.trusted-domains.example.net", "example.com.trusted-domains.example.net"},
		{"2001:db8::cb01", "%{ir}.%{v}._spf.%{d2}", v6 + ".ip6._spf.example.com"},
		// The rest of section 7.1 to 7.3.
		{"192.0.2.3", "%{h}", "mail.example.net"},
		{"192.0.2.3", "%{p}", "mx.example.org"},
		{"192.0.2.3", "a%%b%_c%-d", "a%b c%20d"},
		{"192.0.2.3", "%{S}", "strong-bad%40email.example.com"},
		{"192.0.2.3", "%{L-}", "strong.bad"},
		{"192.0.2.3", "%{h.-}", "mail.example.net"},
		{"192.0.2.3", "no macro", "no macro"},
	} {
		c := spfCheck{ctx: t.Context(), r: zone(t, "3.2.0.192.in-addr.arpa PTR mx.example.org\nmx.example.org A 192.0.2.3"),
			q: SPFQuery{IP: netip.MustParseAddr(tt.ip), HELO: "mail.example.net"}, local: "strong-bad", senderDomain: "email.example.com", out: &SPFCheck{}}
		got, err := c.expand(tt.spec, "email.example.com", false)
		if err != nil || !strings.EqualFold(got, tt.want) {
			t.Errorf("%s for %s: %q (%v), want %q", tt.spec, tt.ip, got, err, tt.want)
		}
	}
}

// A macro expands to no more than a bound, however often a record repeats it.
func TestMacrosExpandWithinABound(t *testing.T) {
	c := spfCheck{ctx: t.Context(), local: strings.Repeat("l", 1000), senderDomain: "example.org", out: &SPFCheck{}}
	if _, err := c.expand(strings.Repeat("%{l}", 60), "example.org", false); err != nil {
		t.Error(err)
	}
	if s, err := c.expand(strings.Repeat("%{l}", 70), "example.org", false); err == nil {
		t.Errorf("%d bytes", len(s))
	}
}

// What a macro-string may be (RFC 7208 section 7.1); c, r and t are for
// explanations alone, and so are words (section 6.2).
func TestMacroStrings(t *testing.T) {
	for text, want := range map[string]struct{ inTerm, inExplanation bool }{
		"%{i}":    {true, true},
		"%{ir-}":  {true, true},
		"%{c}":    {false, true},
		"%{r}":    {false, true},
		"%{t}":    {false, true},
		"%{}":     {false, false},
		"%{z}":    {false, false},
		"%{i":     {false, false},
		"%i":      {false, false},
		"%":       {false, false},
		"%{i!}":   {false, false},
		"%{i.x}":  {false, false},
		"%{ir2}":  {false, false},
		"%{i2r.}": {true, true},
	} {
		for explanation, ok := range map[bool]bool{false: want.inTerm, true: want.inExplanation} {
			if _, problem := checkMacros(text, explanation); (problem == "") != ok {
				t.Errorf("%s, in an explanation %v: %q", text, explanation, problem)
			}
		}
	}
}

// An explanation is fetched for a fail alone, expanded, and left out where it is not
// what RFC 7208 section 6.2 allows.
func TestExplanations(t *testing.T) {
	q := SPFQuery{IP: netip.MustParseAddr("2001:db8::1"), MailFrom: "a@example.org", HELO: "mail.example.net", Time: time.Unix(1_000_000_000, 0)}
	for text, want := range map[string]string{
		`"%{c} is none of %{d}'s at %{t}, says %{r}"`: "2001:db8::1 is none of example.org's at 1000000000, says unknown",
		`"See http://%{o}/why?s=%{S}"`:                "See http://example.org/why?s=a%40example.org",
		`"100%% no%_blank"`:                           "100% no blank",
		`"%{z}"`:                                      "",
		"\"tab\there\"":                               "",
		"\"Jürgen\"":                                  "",
	} {
		got := CheckSPF(t.Context(), zone(t, "example.org TXT \"v=spf1 -all exp=why.%{d}\"\nwhy.example.org TXT "+text), q)
		if got.Result != SPFFail || got.Explanation != want || got.Lookups != 0 {
			t.Errorf("%s: %v, %q, want %q", text, got.Result, got.Explanation, want)
		}
	}
	for name, text := range map[string]string{
		"no text":      "example.org TXT \"v=spf1 -all exp=why.example.org\"",
		"two texts":    "example.org TXT \"v=spf1 -all exp=why.example.org\"\nwhy.example.org TXT \"a\"\nwhy.example.org TXT \"b\"",
		"no fail":      "example.org TXT \"v=spf1 ~all exp=why.example.org\"\nwhy.example.org TXT \"a\"",
		"the included": "example.org TXT \"v=spf1 include:b.example -all\"\nb.example TXT \"v=spf1 -all exp=why.example.org\"\nwhy.example.org TXT \"a\"",
	} {
		if got := CheckSPF(t.Context(), zone(t, text), q); got.Explanation != "" {
			t.Errorf("%s: %q", name, got.Explanation)
		}
	}
	q.Receiver = "mx.example.com"
	if got := CheckSPF(t.Context(), zone(t, "example.org TXT \"v=spf1 -all exp=why.%{d}\"\nwhy.example.org TXT \"says %{r}\""), q); got.Explanation != "says mx.example.com" {
		t.Errorf("%q", got.Explanation)
	}
}

// A name of the client's counts where it leads back to the client, of the first ten
// (RFC 7208 sections 5.5 and 4.6.4); a name that DNS does not tell matches nothing.
func TestReverseNames(t *testing.T) {
	const record = "example.org TXT \"v=spf1 ptr -all\"\n"
	var eleven strings.Builder
	for _, n := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		eleven.WriteString("1.2.0.192.in-addr.arpa PTR " + n + ".other.example\n")
	}
	for name, tt := range map[string]struct {
		ip, zone string
		want     SPFResult
	}{
		"the domain itself":           {"192.0.2.1", record + "1.2.0.192.in-addr.arpa PTR EXAMPLE.org\nexample.org A 192.0.2.1", SPFPass},
		"a name below it":             {"192.0.2.1", record + "1.2.0.192.in-addr.arpa PTR mx.example.org\nmx.example.org A 192.0.2.1", SPFPass},
		"a name that only ends so":    {"192.0.2.1", record + "1.2.0.192.in-addr.arpa PTR anexample.org\nanexample.org A 192.0.2.1", SPFFail},
		"a name that leads elsewhere": {"192.0.2.1", record + "1.2.0.192.in-addr.arpa PTR mx.example.org\nmx.example.org A 192.0.2.2", SPFFail},
		"the second name":             {"192.0.2.1", record + "1.2.0.192.in-addr.arpa PTR x.other.example\n1.2.0.192.in-addr.arpa PTR mx.example.org\nx.other.example A 192.0.2.1\nmx.example.org A 192.0.2.1", SPFPass},
		"the eleventh name":           {"192.0.2.1", record + eleven.String() + "1.2.0.192.in-addr.arpa PTR mx.example.org\nmx.example.org A 192.0.2.1", SPFFail},
		"an IPv6 address":             {"2001:db8::1", record + "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa PTR mx.example.org\nmx.example.org AAAA 2001:db8::1", SPFPass},
		"a given name":                {"192.0.2.1", "example.org TXT \"v=spf1 ptr:other.example -all\"\n1.2.0.192.in-addr.arpa PTR mx.other.example\nmx.other.example A 192.0.2.1", SPFPass},
		"no answer":                   {"192.0.2.1", record + "1.2.0.192.in-addr.arpa PTR SERVFAIL", SPFFail},
		"none":                        {"192.0.2.1", record, SPFFail},
	} {
		got := CheckSPF(t.Context(), zone(t, tt.zone), SPFQuery{IP: netip.MustParseAddr(tt.ip), MailFrom: "a@example.org"})
		if got.Result != tt.want || got.Lookups != 1 {
			t.Errorf("%s: %v (%v), %d look-ups, want %v", name, got.Result, got.Err, got.Lookups, tt.want)
		}
	}
	// Section 7.3: the domain itself before one below it before another.
	const all = "1.2.0.192.in-addr.arpa PTR x.other.example\n1.2.0.192.in-addr.arpa PTR mx.example.org\n1.2.0.192.in-addr.arpa PTR example.org\n"
	const x, mx, own = "x.other.example A 192.0.2.1\n", "mx.example.org A 192.0.2.1\n", "example.org A 192.0.2.1\n"
	for hosts, want := range map[string]string{x + mx + own: "example.org", x + mx: "mx.example.org", x: "x.other.example", "": "unknown"} {
		z := zone(t, all+hosts)
		c := spfCheck{ctx: t.Context(), r: z, q: SPFQuery{IP: netip.MustParseAddr("192.0.2.1")}, out: &SPFCheck{}}
		if got, err := c.expand("%{p}", "example.org", false); err != nil || got != want {
			t.Errorf("%q: %q (%v), want %q", hosts, got, err, want)
		}
	}
}

// A name longer than 253 bytes loses labels on its left until it fits (RFC 7208
// section 7.3); one that cannot be asked does not exist.
func TestNamesThatMacrosMakeTooLong(t *testing.T) {
	long := strings.Repeat("a.", 130) + "example.org"
	z := zone(t, "example.org TXT \"v=spf1 exists:%{l}.example.org -all\"")
	z.AddAddr(strings.Repeat("a.", 121)+"example.org", netip.MustParseAddr("127.0.0.2"))
	for local, want := range map[string]SPFResult{
		strings.TrimSuffix(long, ".example.org"): SPFPass,
		strings.Repeat("a.", 100) + "a":          SPFFail,
		strings.Repeat("l", 64):                  SPFFail,
		"a..b":                                   SPFFail,
	} {
		got := CheckSPF(t.Context(), z, SPFQuery{IP: netip.MustParseAddr("192.0.2.1"), MailFrom: local + "@example.org"})
		if got.Result != want {
			t.Errorf("%s: %v (%v), want %v", local, got.Result, got.Err, want)
		}
	}
	if got := shorten(strings.Repeat("x", 300)); len(got) != 300 {
		t.Errorf("a label cannot be cut: %q", got)
	}
}
