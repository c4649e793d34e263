package smtpcode

import (
	"strings"
	"testing"
)

// A derived field holds the name of a host or nothing; what the report wrote
// stays in the failure.
func TestRefuserIsAHostOrNobody(t *testing.T) {
	long := strings.Repeat("a", 63)
	tests := []struct{ written, host string }{
		{"mx.example.com", "mx.example.com"},
		{"MX.Example.COM.", "MX.Example.COM"},
		{"dns; mx.example.com", "mx.example.com"},
		{"mx.example.com (192.0.2.1)", "mx.example.com"},
		{"mx.example.com[192.0.2.1]", ""},
		{"mx.example.com:25", "mx.example.com"},
		{"localhost", "localhost"},
		{"mail_1.example.com", "mail_1.example.com"},
		{"[192.0.2.1]", "192.0.2.1"},
		{"192.0.2.1", "192.0.2.1"},
		{"[IPv6:2001:db8::1]", "IPv6:2001:db8::1"},
		{"[2001:db8::1]:25", "2001:db8::1"},
		{"2001:db8::25", "2001:db8::25"},
		{"пример.example", "пример.example"},
		{long + ".example", long + ".example"},

		{`"><img`, ""},
		{`mx.example.com"><script>alert(1)</script>`, ""},
		{"<b>mx.example.com</b>", ""},
		{"mx..example.com", ""},
		{".example.com", ""},
		{"-mx.example.com", ""},
		{"mx-.example.com", ""},
		{long + "a.example", ""},
		{strings.Repeat("abc.", 70) + "example", ""},
		{"mx.example.com\r\nX: y", ""},
		{"mx\x00.example.com", ""},
		{"mx.example\u202ecom", ""},
		{"\xff\xfe.example", ""},
		{"user@example.com", ""},
		{"CN=Server/O=Org", ""},
		{"[IPv6:nonsense]", ""},
		{"", ""},
	}
	for _, test := range tests {
		for _, f := range []Failure{{RemoteServer: test.written}, {GeneratingServer: test.written}} {
			if r := f.Refuser(); r.Host != test.host || (test.host == "") != (r.By == RefuserUnknown) {
				t.Errorf("%q: %s, host %q, want %q", test.written, r.By, r.Host, test.host)
			}
		}
	}
}

// A look-up is for a domain, never for what a stranger wrote in its place.
func TestChecksNameDomainsOnly(t *testing.T) {
	const bad = `"><img src=x>`
	for _, reply := range []string{"550 5.7.23 SPF fail", "550 5.7.26 DMARC policy", "550 5.1.2 Host unknown", "550 5.7.25 no PTR record"} {
		d := Diagnose(Failure{Action: Failed, Recipient: "a@" + bad, EnvelopeFrom: "b@" + bad, HELO: bad, AuthorDomain: bad, Replies: ParseReplies(reply)})
		if len(d.Checks) == 0 {
			t.Errorf("%q: no checks", reply)
		}
		for _, c := range d.Checks {
			if c.Domain != "" {
				t.Errorf("%q: look-up of %q", reply, c.Domain)
			}
		}
	}
}
