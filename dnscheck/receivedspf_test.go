package dnscheck

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"
)

func TestReceivedSPFOfACheck(t *testing.T) {
	z := zone(t, "example.org TXT \"v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 ~all\"\nopen.example TXT \"v=spf1 a\"\nleads.example TXT \"v=spf1 include:example.org\"\nbad.example.org TXT \"v=spf1 ipv4:192.0.2.1\"")
	tests := []struct {
		query SPFQuery
		field string
		auth  string
	}{
		{SPFQuery{IP: netip.MustParseAddr("192.0.2.1"), MailFrom: "anna@example.org", HELO: "mail.example.org", Receiver: "mx.example.net"},
			`pass (mx.example.net: domain of example.org designates 192.0.2.1 as permitted sender) client-ip=192.0.2.1; envelope-from="anna@example.org"; helo=mail.example.org; receiver=mx.example.net; identity=mailfrom; mechanism="ip4:192.0.2.0/24"`,
			`spf=pass smtp.mailfrom=anna@example.org`},
		{SPFQuery{IP: netip.MustParseAddr("2001:db8::1"), HELO: "example.org"},
			`pass (domain of example.org designates 2001:db8::1 as permitted sender) client-ip="2001:db8::1"; helo=example.org; identity=helo; mechanism="ip6:2001:db8::/32"`,
			`spf=pass smtp.helo=example.org`},
		{SPFQuery{IP: netip.MustParseAddr("203.0.113.1"), MailFrom: `"a b"@example.org`, HELO: "[203.0.113.1]"},
			`softfail (domain of example.org says 203.0.113.1 is probably no permitted sender) client-ip=203.0.113.1; envelope-from="\"a b\"@example.org"; helo="[203.0.113.1]"; identity=mailfrom; mechanism=~all`,
			`spf=softfail smtp.mailfrom="\"a b\"@example.org"`},
		{SPFQuery{IP: netip.MustParseAddr("203.0.113.1"), MailFrom: "a@open.example"},
			`neutral (domain of open.example says nothing about 203.0.113.1) client-ip=203.0.113.1; envelope-from="a@open.example"; identity=mailfrom; mechanism=default`,
			`spf=neutral smtp.mailfrom=a@open.example`},
		{SPFQuery{IP: netip.MustParseAddr("203.0.113.1"), MailFrom: "a@leads.example"}, // the included ~all decides nothing
			`neutral (domain of leads.example says nothing about 203.0.113.1) client-ip=203.0.113.1; envelope-from="a@leads.example"; identity=mailfrom; mechanism=default`,
			`spf=neutral smtp.mailfrom=a@leads.example`},
		{SPFQuery{IP: netip.MustParseAddr("203.0.113.1"), MailFrom: "a@none.example", HELO: "x\r\nBcc: (y);z"},
			`none (domain of none.example publishes no SPF record) client-ip=203.0.113.1; envelope-from="a@none.example"; helo="x??Bcc: (y);z"; identity=mailfrom`,
			`spf=none smtp.mailfrom=a@none.example`},
		{SPFQuery{IP: netip.MustParseAddr("203.0.113.1"), MailFrom: "a@bad.example.org"},
			`permerror (domain of bad.example.org has an SPF record that cannot be evaluated) client-ip=203.0.113.1; envelope-from="a@bad.example.org"; identity=mailfrom; problem="SPF term \"ipv4:192.0.2.1\" at byte 7 of the record of bad.example.org: there is no such mechanism; did you mean ip4:192.0.2.1?"`,
			`spf=permerror reason="SPF term \"ipv4:192.0.2.1\" at byte 7 of the record of bad.example.org: there is no such mechanism; did you mean ip4:192.0.2.1?" smtp.mailfrom=a@bad.example.org`},
	}
	for _, test := range tests {
		check := CheckSPF(context.Background(), z, test.query)
		field, auth := check.ReceivedSPF(test.query), check.AuthResult(test.query)
		if got := field.String(); got != test.field {
			t.Errorf("got  %s\nwant %s", got, test.field)
		}
		if got := auth.String(); got != test.auth {
			t.Errorf("got  %s\nwant %s", got, test.auth)
		}
		field.HELO = strings.NewReplacer("\r", "?", "\n", "?").Replace(field.HELO)
		if got, err := ParseReceivedSPF(field.String()); got != field || err != nil {
			t.Errorf("read back %+v, %v\nfrom      %+v", got, err, field)
		}
		if got, err := ParseSPFAuthResults("mx.example.net; dkim=none; " + auth.String()); err != nil || len(got) != 1 || got[0] != auth {
			t.Errorf("read back %+v, %v from %v", got, err, auth)
		}
	}
}

func TestReceivedSPFAsReceiversWriteIt(t *testing.T) {
	// The form of RFC 7208 section 9.1, folded, and Microsoft's form of RFC 8601's field.
	got, err := ParseReceivedSPF("Fail (mx.example.org: not allowed)\r\n\tclient-ip=192.0.2.1;\r\n envelope-from=\"<a@example.org>\"; helo = h.example.org; x-more=1")
	want := ReceivedSPF{Result: SPFFail, Comment: "mx.example.org: not allowed", ClientIP: netip.MustParseAddr("192.0.2.1"), EnvelopeFrom: "a@example.org", HELO: "h.example.org"}
	if got != want || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	results, err := ParseSPFAuthResults("spf=fail (sender IP is 192.0.2.1)\r\n smtp.mailfrom=example.org; example.net; dkim=none")
	if err != nil || len(results) != 1 || results[0] != (SPFAuthResult{Result: SPFFail, Comment: "sender IP is 192.0.2.1", MailFrom: "example.org"}) {
		t.Errorf("%+v, %v", results, err)
	}
	for _, value := range []string{"", "hardly", "client-ip=192.0.2.1", "mx; spf=maybe"} {
		if _, err := ParseReceivedSPF(value); !errors.Is(err, ErrNoSPFResult) {
			t.Errorf("%q: %v", value, err)
		}
		if _, err := ParseSPFAuthResults(value); !errors.Is(err, ErrNoSPFResult) {
			t.Errorf("%q: %v", value, err)
		}
	}
}

func FuzzReceivedSPF(f *testing.F) {
	f.Add("pass (a (b) \\) c) client-ip=\"2001:db8::1\"; envelope-from=\"\\\"a;b\\\"@example.org\"; helo=x", "h;\"\\")
	f.Add("spf=fail reason=\"x;\" smtp.mailfrom=a@b", "")
	f.Fuzz(func(t *testing.T, value, helo string) {
		_, _ = ParseSPFAuthResults(value)
		got, err := ParseReceivedSPF(value)
		if err != nil {
			return
		}
		got.HELO = helo
		text := got.String()
		if strings.ContainsAny(text, "\r\n\x00") {
			t.Errorf("control characters in %q", text)
		}
		if again, err := ParseReceivedSPF(text); err != nil || again.Result != got.Result || again.ClientIP != got.ClientIP {
			t.Errorf("%q reads as %+v, %v", text, again, err)
		}
	})
}
