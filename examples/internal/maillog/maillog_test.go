package maillog

import (
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
