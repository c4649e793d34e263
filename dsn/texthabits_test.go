package dsn

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// Addresses as texts have them (RFC 5321 section 4.1.2: quoted local parts and
// address literals are addresses too), and what only looks like one.
func TestAddressesInTexts(t *testing.T) {
	for text, want := range map[string]string{
		"gone@example.net":                       "gone@example.net",
		"<gone@example.net>":                     "gone@example.net",
		"'gone@example.net'":                     "gone@example.net",
		"(gone@example.net)":                     "gone@example.net",
		"[gone@example.net]":                     "gone@example.net",
		"mailto:gone@example.net":                "gone@example.net",
		"<SMTP:gone@example.net>":                "gone@example.net",
		"rfc822;gone@example.net":                "gone@example.net",
		`"not here"@example.net`:                 `"not here"@example.net`,
		`<"not here"@example.net>`:               `"not here"@example.net`,
		`"a\"b"@example.net`:                     `"a\"b"@example.net`,
		`"not here" @example.net`:                "",
		"<gone@[192.0.2.1]>":                     "gone@[192.0.2.1]",
		"gone@[192.0.2.1":                        "",
		"gone@[" + strings.Repeat("1", 80) + "]": "",
		"gone@example.net.":                      "gone@example.net",
		"gone@example.net-":                      "gone@example.net",
		"gone@a.example@b.example":               "",
		"<root@localhost>":                       "root@localhost",
		"root@localhost":                         "",
		"gone@":                                  "",
		"@example.net":                           "",
		"a@.":                                    "",
	} {
		if got, n := cutAddress(text); got != want || (n > 0) != (want != "") {
			t.Errorf("%s: %q (%d), want %q", text, got, n, want)
		}
	}
	for text, want := range map[string]string{
		"write to *gone@example.net*, then":    "gone@example.net",
		`mail to "not here"@example.net fails`: `"not here"@example.net`,
		"no address @ all":                     "",
	} {
		if got, _, _ := findAddress(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// What mail programs and gateways do to a report's text, and in what words servers'
// replies come.
func TestHabitsOfTexts(t *testing.T) {
	const head = "From: Mail Delivery System <MAILER-DAEMON@mx.example.org>\nTo: ann@o.example\nSubject: Undelivered Mail Returned to Sender\n"
	const intro = "\nYour message could not be delivered to the following recipients:\n\n"
	for name, tt := range map[string]struct{ mail, want string }{ // address, action, host, reply, one recipient a line
		"a code that stands twice":            {head + intro + "gone@example.net: 550 550 5.1.1 unknown\n", "gone@example.net failed  550 5.1.1 unknown"},
		"a colon behind the code":             {head + intro + "gone@example.net: 550: 5.1.1 unknown\n", "gone@example.net failed  550 5.1.1 unknown"},
		"a page that shows it as it stands":   {strings.Replace(head, "Subject", "Content-Type: text/html\nSubject", 1) + "\n<html><head><title>550 no</title></head><body><p>Sorry.</p><pre>\nThis is the mail system at host mx.example.org.\n\n&lt;gone@example.net&gt;: host mx.example.net[192.0.2.1]\n    said: 550 5.1.1 unknown\n</pre></body></html>\n", "gone@example.net failed mx.example.net 550 5.1.1 unknown"},
		"blanks that do not break, and a NUL": {strings.Replace(head, "Subject", "Content-Type: text/plain; charset=utf-8\nSubject", 1) + strings.ReplaceAll(intro, "could not", "could\u00a0not") + "gone@example.net: 550\u00a05.1.1 un\x00known\n", "gone@example.net failed  550 5.1.1 unknown"},
		"a filter's label":                    {strings.Replace(head, "Undelivered", "[SPAM] [EXT]: Undelivered", 1) + intro + "gone@example.net: 550 5.1.1 unknown\n", "gone@example.net failed  550 5.1.1 unknown"},
		"still tried":                         {strings.Replace(head, "Undelivered Mail Returned to Sender", "Delivery delayed", 1) + "\nYour message has not yet been delivered to the following recipients, the server will keep trying:\n\n<slow@example.net>: 451 4.4.1 no answer\n", "slow@example.net delayed  451 4.4.1 no answer"},
		"the copy begins with its header":     {head + intro + "gone@example.net: 550 5.1.1 unknown\n\nReceived: from a.example by b.example; Mon, 3 Aug 2026 10:00:00 +0000\nFrom: ann@o.example\nTo: cy@example.net\n\nwrite to cy@example.net: 550 5.7.1 no\n", "gone@example.net failed  550 5.1.1 unknown"},
		"the header names who failed":         {"X-Failed-Recipients: gone@example.net, , nobody; gone@example.net\n" + head + intro + "other@example.net: 550 5.7.1 no\ngone@example.net: 550 5.1.1 unknown\n", "gone@example.net failed  550 5.1.1 unknown"},
		"two that share a reason":             {head + intro + "<a@example.net>\n<b@example.net>\n    (reason: 550 5.7.1 no)\n", "a@example.net failed  550 5.7.1 no\nb@example.net failed  550 5.7.1 no"},
		"one that is listed twice":            {head + intro + "<a@example.net>:\n\n<b@example.net>: 550 5.7.1 no\n\n<A@example.net>: 550 5.1.1 unknown\n", "a@example.net failed  550 5.1.1 unknown\nb@example.net failed  550 5.7.1 no"},
		"a label before the reason":           {head + intro + "gone@example.net\n\nReason: the mailbox is full\n", "gone@example.net failed  the mailbox is full"},
		"an address in the reply itself":      {head + intro + "gone@example.net\n  said: 550 5.1.1\n  other@example.net is unknown\n", "gone@example.net failed  550 5.1.1 other@example.net is unknown"},
		"whom to ask":                         {head + intro + "gone@example.net\n  550 5.1.1 unknown\n\nFor help, please contact\nhelp@example.org\n", "gone@example.net failed  550 5.1.1 unknown"},
		"blacked out":                         {head + "\nYour message to <*****> could not be delivered: no such person.\n", ""},
	} {
		r, err := Read(strings.NewReader(tt.mail))
		if err != nil {
			if tt.want != "" {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		var got []string
		for _, rcpt := range r.Recipients {
			got = append(got, fmt.Sprintf("%s %v %s %s", rcpt.FinalRecipient.Address, rcpt.Action, rcpt.RemoteMTA.Host, rcpt.Diagnostic.Text))
		}
		if s := strings.Join(got, "\n"); s != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", name, s, tt.want)
		}
	}
}

// Dates of RFC 5322 and those that programs write beside it. A zone that is only
// named has the offset of section 4.3, whatever zone this machine is in.
func TestDatesThatReportsHave(t *testing.T) {
	want := time.Date(2026, 8, 3, 10, 0, 0, 0, time.UTC)
	for _, text := range []string{
		"Mon, 3 Aug 2026 10:00:00 +0000", "Mon, 03 Aug 2026 12:00:00 +0200", "Mon, 3 Aug 2026 12:00:00 +0200 (CEST)", "3 Aug 2026 10:00:00 GMT",
		"Mon, 3 Aug 2026 05:00:00 EST", "Mon, 3 Aug 2026 06:00:00 EDT", "Mon, 3 Aug 2026 03:00:00 PDT", "Mon, 3 Aug 2026 02:00:00 PST",
		"Mon Aug  3 10:00:00 2026", "Mon Aug  3 03:00:00 PDT 2026", "2026-08-03 12:00:00 +0200", "2026-08-03T12:00:00+02:00", "Mon, 3 Aug 2026 10:00:00", "3 Aug 2026 10:00:00",
	} {
		if d := parseDate(text); !d.Time.Equal(want) || d.Raw != text {
			t.Errorf("%s: %v", text, d.Time)
		}
	}
	for _, text := range []string{"", "yesterday", "Mon, 32 Aug 2026 10:00:00 +0000"} {
		if d := parseDate(text); !d.Time.IsZero() || d.Raw != text {
			t.Errorf("%s: %v", text, d.Time)
		}
	}
}

// A limit that is exceeded is told with its name; below zero there is none.
func TestLimitsOfAReader(t *testing.T) {
	var limit *LimitError
	if _, err := (&Reader{MaxBytes: 10}).Read(strings.NewReader(sample)); !errors.As(err, &limit) || limit.Max != 10 || !strings.Contains(err.Error(), limit.Limit+" (10)") || limit.Limit == "" {
		t.Errorf("%v", err)
	}
	if n := (&Reader{MaxRecipients: -1}).maxRecipients(); n != math.MaxInt {
		t.Errorf("no limit of recipients is %d", n)
	}
	down := errors.New("the line is down")
	if _, err := Read(brokenLine{down}); !errors.Is(err, down) {
		t.Errorf("%v", err)
	}
}

type brokenLine struct{ err error }

func (b brokenLine) Read([]byte) (int, error) { return 0, b.err }
