package maillog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mailfault/mailfault/smtpcode"
)

// seen is what a person reads off a log line.
type seen struct {
	Line                       int
	Format                     string
	Recipient, Original        string
	Action                     smtpcode.Action
	Status                     string
	Code                       int
	GeneratingServer, RefusedB string
}

func TestEntries(t *testing.T) {
	const log = `Jan  2 03:04:05 mail.example.org postfix/smtp[77]: 4T1: to=<gone@example.net>, orig_to=<old@example.org>, relay=mx.example.net[192.0.2.25]:25, delay=1.1, delays=0/0/0.5/0.6, dsn=5.1.1, status=bounced (host mx.example.net[192.0.2.25] said: 550 5.1.1 <gone@example.net>: Recipient address rejected: User unknown (in reply to RCPT TO command))
Jan  2 03:04:06 mail.example.org postfix/smtp[77]: 4T2: to=<fine@example.net>, relay=mx.example.net[192.0.2.25]:25, delay=1.1, delays=0/0/0.5/0.6, dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as 9)
Jan  2 03:04:07 mail.example.org postfix/smtp[77]: 4T3: to=<slow@example.com>, relay=none, delay=30, delays=0/0/30/0, dsn=4.4.1, status=deferred (connect to mx.example.com[192.0.2.26]:25: Connection timed out)
Jan  2 03:04:08 mail.example.org sm-mta[9]: x1: to=<gone@example.net>, ctladdr=<a@example.org> (1/1), delay=00:00:01, xdelay=00:00:01, mailer=esmtp, pri=1, relay=mx.example.net. [192.0.2.25], dsn=5.1.1, stat=User unknown
Jan  2 03:04:09 mail.example.org smtpd[5]: 21 mta delivery evpid=1 from=<a@example.org> to=<gone@example.net> rcpt=<-> source="192.0.2.1" relay="192.0.2.25 (mx.example.net)" delay=1s result="PermFail" stat="550 5.1.1 no such user"
2026-01-02 03:04:10 1abcde-000001-AB ** gone@example.net R=dnslookup T=remote_smtp H=mx.example.net [192.0.2.25]: SMTP error from remote mail server after RCPT TO:<gone@example.net>: 550 5.1.1 no such user
2026-01-02 03:04:11 1abcde-000001-AB == slow@example.com R=dnslookup T=remote_smtp defer (110): Connection timed out
2026-01-02 03:04:12.1 starting delivery 7: msg 12 to remote gone@example.net
2026-01-02 03:04:13.1 delivery 7: failure: 192.0.2.25_does_not_like_recipient./Remote_host_said:_550_5.1.1_no_such_user/Giving_up_on_192.0.2.25./
some program: gone@example.net was refused: 550 5.7.1 not here
a line that tells of nothing, at 550 Main Street
`
	var got []seen
	for entry, err := range Entries(strings.NewReader(log)) {
		if err != nil {
			t.Fatal(err)
		}
		f := entry.Failure
		s := seen{entry.Line, entry.Format, f.Recipient, f.OriginalRecipient, f.Action, f.Status.String(), 0, f.GeneratingServer, f.RemoteServer}
		if len(f.Replies) > 0 {
			s.Code = f.Replies[len(f.Replies)-1].Code
		}
		got = append(got, s)
	}
	want := []seen{
		{1, "postfix", "gone@example.net", "old@example.org", smtpcode.Failed, "5.1.1", 550, "mail.example.org", "mx.example.net"},
		{3, "postfix", "slow@example.com", "", smtpcode.Delayed, "4.4.1", 0, "mail.example.org", ""},
		{4, "sendmail", "gone@example.net", "", smtpcode.Failed, "5.1.1", 0, "mail.example.org", "mx.example.net"},
		{5, "opensmtpd", "gone@example.net", "", smtpcode.Failed, "", 550, "mail.example.org", "mx.example.net"},
		{6, "exim", "gone@example.net", "", smtpcode.Failed, "", 550, "", "mx.example.net"},
		{7, "exim", "slow@example.com", "", smtpcode.Delayed, "", 0, "", ""},
		{9, "qmail", "gone@example.net", "", smtpcode.Failed, "", 550, "", "192.0.2.25"},
		{10, "generic", "gone@example.net", "", smtpcode.Failed, "", 550, "", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Every recipient of an object counts, not the first alone; those whose mail
// went on do not.
func TestObjectOfSeveralRecipients(t *testing.T) {
	for name, tt := range map[string]struct {
		line string
		want []string
	}{
		"explain -json": {`{"kind":"delivery-status","recipients":[{"final_recipient":"a@x.example","action":"failed"},{"final_recipient":"b@x.example","action":"delivered"},{"final_recipient":"c@x.example","action":"delayed"},{"final_recipient":"d@x.example","action":"expanded"},{"final_recipient":"e@x.example","action":"","status":"4.2.2"}]}`,
			[]string{"a@x.example failed", "c@x.example delayed", "e@x.example delayed"}},
		"Amazon SES": {`{"bounce":{"bouncedRecipients":[{"emailAddress":"a@x.example"},{"emailAddress":"b@x.example"}]}}`,
			[]string{"a@x.example failed", "b@x.example failed"}},
		"no report": {`{"kind":"not-a-report","recipients":[],"error":"550 is a house number"}`, nil},
	} {
		var r Reader
		entries, known := r.Line(tt.line)
		var got []string
		for _, e := range entries {
			got = append(got, e.Failure.Recipient+" "+e.Failure.Action.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || !known {
			t.Errorf("%s: known %v: %s", name, known, diff)
		}
	}
}

// What each program writes for mail that went on, that is tried again and that is
// given up, and what only looks like a line of its.
func TestLinesOfEachFormat(t *testing.T) {
	var r Reader
	for _, tt := range []struct{ line, want string }{ // "" of a line that tells of no failure
		{`Jan  2 03:04:08 mail.example.org sm-mta[9]: x1: to=<a@example.net>, mailer=esmtp, relay=mx.example.net. [192.0.2.25], dsn=2.0.0, stat=Sent (ok)`, ""},
		{`Jan  2 03:04:08 mail.example.org sm-mta[9]: x1: to=<a@example.net>, mailer=esmtp, relay=mx.example.net. [192.0.2.25], dsn=4.2.0, stat=Deferred: 451 4.2.0 come back`, "a@example.net delayed mx.example.net 451"},
		{`Jan  2 03:04:08 mail.example.org sm-mta[9]: x1: to=<a@example.net>, mailer=local, relay=local, dsn=5.1.1, stat=User unknown`, "a@example.net failed  0"},
		{`Jan  2 03:04:08 mail.example.org sm-mta[9]: x1: from=<a@example.net>, mailer=esmtp, stat=User unknown`, ""},
		{`smtpd[5]: 21 mta delivery evpid=1 from=<a@example.org> to=<a@example.net> relay="192.0.2.25 (mx.example.net)" result="Ok" stat="250 ok"`, ""},
		{`smtpd[5]: 21 mta delivery evpid=1 from=<a@example.org> to=<a@example.net> relay="192.0.2.25 (mx.example.net)" result="TempFail" stat="451 4.2.0 come back"`, "a@example.net delayed mx.example.net 451"},
		{`smtpd[5]: delivery result=PermFail to=<a@example.net> stat=550 5.1.1 gone`, "a@example.net failed  550"},
		{`2026-01-02 03:04:10 1abcde-000001-AB ** a@example.net <old@example.org> F=<s@example.org> R=x T=y H=mx.example.net [192.0.2.25]: SMTP error: 550 5.1.1 gone`, "a@example.net failed mx.example.net 550"},
		{`2026-01-02 03:04:10 1abcde-000001-AB ** |/usr/bin/vacation R=x: no`, ""},
		{`starting delivery 8: msg 12 to remote b@example.net`, ""},
		{`delivery 8: deferral: 192.0.2.25_failed/Remote_host_said:_451_4.2.0_come_back/`, "b@example.net delayed 192.0.2.25 451"},
		{`starting delivery 9: msg 12 to remote c@example.net`, ""},
		{`delivery 9: success: 192.0.2.25_accepted_message./Remote_host_said:_250_ok/`, ""},
		{`delivery 9: failure: Sorry,_no_mailbox_here_by_that_name._(#5.1.1)/`, " failed  0"}, // 9 has ended: whose this is nobody knows
		{`delivery 9: musing: 550 5.1.1 hm`, " failed  550"},
		{`a program: 451 4.2.0 d@example.net come back`, "d@example.net delayed  451"},
		{`a program: 250 2.0.0 d@example.net taken`, ""},

		{`{"type":"Bounce","recipient":"a@example.net","sender":"s@example.org","peer_address":{"name":"mx.example.net"},"response":{"code":550,"enhanced_code":{"class":5,"subject":1,"detail":1},"content":"gone"}}`, "a@example.net failed mx.example.net 550"},
		{`{"type":"TransientFailure","recipient":"a@example.net","peer_address":{"name":"mx.example.net"},"response":{"code":451,"content":"come back"}}`, "a@example.net delayed mx.example.net 451"},
		{`{"type":"Delivery","recipient":"a@example.net","response":{"code":250,"content":"ok"}}`, ""},
		{`{"type":"Expiration","recipient":"a@example.net","response":{"code":451,"content":"come back"}}`, "a@example.net failed  451"},
		{`{"to":"a@example.net","host":"mx.example.net","reply":"550 5.1.1 gone"}`, "a@example.net failed mx.example.net 550"},
		{`{"email":"a@example.net","reason":"451 4.2.0 come back"}`, "a@example.net delayed  451"},
		{`{"address":"a@example.net","status":"4.2.2"}`, "a@example.net delayed  0"},
		{`{"address":"a@example.net"}`, ""},
		{`{"hello":"world"}`, ""},
		{`{"to":17}`, ""},
	} {
		entries, _ := r.Line(tt.line)
		var got []string
		for _, e := range entries {
			code := 0
			if n := len(e.Failure.Replies); n > 0 {
				code = e.Failure.Replies[n-1].Code
			}
			got = append(got, fmt.Sprintf("%s %v %s %d", e.Failure.Recipient, e.Failure.Action, e.Failure.RemoteServer, code))
		}
		if s := strings.Join(got, "; "); s != tt.want {
			t.Errorf("%s\n got %q\nwant %q", tt.line, s, tt.want)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add("2026-01-02 03:04:13.1 delivery 7: failure: 192.0.2.25_does_not_like_recipient./Remote_host_said:_550_x/")
	f.Add("h: to=<a@b.example>, relay=mx[::1]:25, dsn=5.1.1, status=bounced (")
	f.Add(`{"recipients":[{"final_recipient":"a@b.example","action":"odd"},{"action":"relayed"}]}`)
	f.Add(`{"bounce":{"bouncedRecipients":[{"emailAddress":"a@b.example"},{}]}}`)
	f.Fuzz(func(t *testing.T, line string) {
		var r Reader
		entries, _ := r.Line(line)
		for _, entry := range entries {
			if entry.Failure.Action == smtpcode.ActionUnknown {
				t.Errorf("a failure without an action: %+v", entry)
			}
		}
	})
}
