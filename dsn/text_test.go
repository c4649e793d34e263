package dsn

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/internal/corpora"
	"github.com/mailfault/mailfault/smtpcode"
)

// textTruth reads what was read by eye out of the corpus files that are written
// for people.
func textTruth(t testing.TB) map[string][][]string {
	f, err := os.Open("testdata/texts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	truth := make(map[string][][]string)
	for _, row := range rows[1:] {
		truth[row[0]] = append(truth[row[0]], row[1:])
	}
	return truth
}

func TestCorpusTexts(t *testing.T) {
	truth := textTruth(t)
	if len(truth) != 184 {
		t.Errorf("%d files in the table, want 184", len(truth))
	}
	for file, want := range truth {
		r, err := Read(strings.NewReader(string(corpusMail(t, file))))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		var got [][]string
		failures := r.Failures()
		for i, rcpt := range r.Recipients {
			code := ""
			for _, reply := range failures[i].Replies { // the last with a code; a program's words have none
				if reply.Code > 0 {
					code = fmt.Sprint(reply.Code)
				}
			}
			got = append(got, []string{rcpt.FinalRecipient.Address, rcpt.Action.String(), rcpt.Status.String(), code, rcpt.RemoteMTA.Host})
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s:\n got %q\nwant %q", file, got, want)
		}
	}
}

func TestOtherMailIsNoBounce(t *testing.T) {
	dir := corpora.Dir(t, "bounces")
	files, _ := filepath.Glob(filepath.Join(dir, "not", "*.eml"))
	for _, pattern := range []string{"rfc3834-*.eml", "arf-*.eml"} {
		more, _ := filepath.Glob(filepath.Join(dir, "eml", pattern))
		files = append(files, more...)
	}
	// These two are bounces, whatever folder or family they are in.
	really := map[string]bool{"rb-issue-368-bug.eml": true, "rfc3834-06.eml": true}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Read(strings.NewReader(string(data)))
		if err != nil && !errors.Is(err, ErrNotReport) {
			t.Error(err)
		}
		if got := r.Kind == DeliveryStatus; got != really[filepath.Base(file)] {
			t.Errorf("%s: bounce %v", filepath.Base(file), got)
		}
	}
}

func TestPeopleWriteAboutBounces(t *testing.T) {
	for name, mail := range map[string]string{
		"quotes Exim":       "From: a@example.org\nTo: help@example.com\nSubject: mail problem\n\nHello,\n\nwhenever I write to my colleague I get this back, and I do not understand what it means. Could you have a look at it, please? It says:\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  gone@example.net\n    550 5.1.1 no such user\n",
		"answers a bounce":  "From: a@example.org\nTo: postmaster@example.com\nSubject: Re: failure notice\nIn-Reply-To: <1@example.com>\n\n> Hi. This is the qmail-send program at example.com.\n>\n> <gone@example.net>:\n> Sorry, no mailbox here by that name. (#5.1.1)\n\nWhat is this?\n",
		"asks":              "From: a@example.org\nSubject: Delivery failed?\n\nMy mail to gone@example.net could not be delivered: 550 5.1.1 user unknown. Why?\n",
		"parcel":            "From: noreply@shop.example\nSubject: Delivery failed\n\nWe were unable to deliver your parcel today. Reply to help@shop.example.\n",
		"postmaster writes": "From: postmaster@example.org\nSubject: mailbox quota\n\nYour mailbox a@example.org is almost full. Please delete mail.\n",
		"vacation":          "From: a@example.org\nSubject: Out of office\nAuto-Submitted: auto-replied\n\nI am away. Urgent mail goes to b@example.org.\n",
	} {
		r, err := Read(strings.NewReader(mail))
		if err != nil && !errors.Is(err, ErrNotReport) {
			t.Fatal(err)
		}
		if r.Kind == DeliveryStatus {
			t.Errorf("%s: %v %v", name, r.TextFormat, r.Recipients)
		}
	}
}

func TestTheReturnedMessageIsNotMined(t *testing.T) {
	mail := "From: MAILER-DAEMON@example.org\nSubject: failure notice\n\nHi. This is the qmail-send program at mail.example.org.\n\n<gone@example.net>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n" +
		"--- Below this line is a copy of the message.\n\nReceived: from x\nFrom: a@example.org\nTo: b@example.com\n\n<other@example.com>:\n550 5.7.1 the text of the message\n"
	r, err := Read(strings.NewReader(mail))
	if err != nil || len(r.Recipients) != 1 || r.Recipients[0].Status.String() != "5.1.1" || r.Recipients[0].Diagnostic.Type != "" {
		t.Errorf("%v %+v", err, r.Recipients)
	}
	if r.Returned == nil || r.Returned.Header.Get("From") != "a@example.org" {
		t.Errorf("returned %+v", r.Returned)
	}
}

func TestHTMLAlone(t *testing.T) {
	mail := "From: postmaster@example.org\nSubject: Undeliverable mail\nContent-Type: text/html\n\n<html><head><title>x</title></head><body><p>Your message could not be delivered to the following recipients:</p><ul><li>&lt;gone@example.net&gt;: 550 5.1.1 no such user</li></ul></body></html>\n"
	r, err := Read(strings.NewReader(mail))
	if err != nil || len(r.Recipients) != 1 || r.Recipients[0].FinalRecipient.Address != "gone@example.net" || r.Recipients[0].Status.String() != "5.1.1" {
		t.Errorf("%v %+v", err, r)
	}
}

func TestTextsTakeLinearTime(t *testing.T) {
	line := "<a@example.net>: 550 5.1.1 gone, could not be delivered to b@example.org\n"
	mail := "From: MAILER-DAEMON@example.org\nSubject: failure notice\n\n" + strings.Repeat(line, 16<<20/len(line))
	begin := time.Now()
	if _, err := Read(strings.NewReader(mail)); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(begin); d > 10*time.Second {
		t.Errorf("16 MiB took %v", d)
	}
}

func FuzzText(f *testing.F) {
	f.Add("From: MAILER-DAEMON@example.org\nSubject: failure notice", "<a@example.net>:\n550 5.1.1 gone\n\n--- Below this line is a copy of the message.\n\nReceived: x\n")
	f.Add("From: Mail Delivery System <a@example.org>\nX-Failed-Recipients: a@example.net", "  a@example.net\n    host mx.example.net [192.0.2.1]: 550 gone\n")
	f.Add("From: a@example.org\nSubject: Fwd: x", "Begin forwarded message:\n> From: MAILER-DAEMON@example.org\n>\n> Final-Recipient: rfc822; a@example.net\n> Status: 5.1.1\n")
	f.Add("From: x@example.org", `{"notificationType":"Bounce","bounce":{"bouncedRecipients":[{"emailAddress":"a@example.net"}]}}`)
	f.Fuzz(func(t *testing.T, header, text string) {
		r, err := Read(strings.NewReader(header + "\n\n" + text))
		if err != nil && !errors.Is(err, ErrNotReport) {
			t.Fatal(err)
		}
		for _, failure := range r.Failures() {
			if err == nil && r.Format == Prose && failure.Recipient == "" {
				t.Error("a recipient without an address")
			}
		}
	})
}

func TestTheDeliveryProgramsWordsStandBehindTheReply(t *testing.T) {
	r, err := Read(strings.NewReader("From: MAILER-DAEMON@mx.example.net\nSubject: Returned mail: Service unavailable\n\n   ----- The following addresses had permanent fatal errors -----\n<gone@example.net>\n\n   ----- Transcript of session follows -----\nmail.local: unknown user: gone\n554 <gone@example.net>... Service unavailable\n"))
	if err != nil || len(r.Recipients) != 1 {
		t.Fatal(err, r.Recipients)
	}
	f := r.Failures()[0]
	if len(f.Replies) != 2 || f.Replies[0].Code != 554 || f.Replies[1].Text != "mail.local: unknown user: gone" || f.Replies[1].Code != 0 {
		t.Errorf("%+v", f.Replies)
	}
	if d := smtpcode.Diagnose(f); d.Condition != "recipient-not-found" {
		t.Errorf("%s: %+v", d.Condition, d.Evidence)
	}
}

// T-Online introduces its list with two words; the lines behind it are the list.
func TestAListThatTwoWordsIntroduce(t *testing.T) {
	mail := "From: Mail Delivery System <postmaster@mx.example.org>\nTo: ann@o.example\nSubject: Mail delivery problem\n\n|------------------------- Failed addresses follow: ---------------------|\ngone@example.net ... unknown user\nfull@example.net ... mailbox full\n"
	r, err := Read(strings.NewReader(mail))
	if err != nil || len(r.Recipients) != 2 {
		t.Fatalf("%v, %+v", err, r)
	}
	for i, want := range []string{"gone@example.net", "full@example.net"} {
		if got := r.Recipients[i].FinalRecipient.Address; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Blank lines beyond maxBlank take no memory and change nothing of what is read;
// those up to it stay.
func TestBlankLinesAreBounded(t *testing.T) {
	const before, after = "This is the mail system at host mx.example.org.", "<gone@example.net>: host mx.example.net[192.0.2.1] said: 550 5.1.1 unknown"
	for _, blank := range []int{0, 1, maxBlank - 1, maxBlank, maxBlank + 1, 5000} {
		text := before + strings.Repeat("\n", blank) + "\n" + after + "\n" + strings.Repeat(" \n", blank) + "more\n"
		r := newTextReader(nil, text, 10)
		want := 3 + 2*min(blank, maxBlank)
		if len(r.lines) != want {
			t.Errorf("%d blank lines: %d lines, want %d", blank, len(r.lines), want)
		}
		report, err := Read(strings.NewReader("From: MAILER-DAEMON@mx.example.org\nSubject: Undelivered Mail Returned to Sender\n\n" + text))
		if err != nil || len(report.Recipients) != 1 || report.Recipients[0].RemoteMTA.Host != "mx.example.net" {
			t.Errorf("%d blank lines: %v, %+v", blank, err, report)
		}
	}
}

// The limit of recipients holds for a text too, and is told of once.
func TestATextKeepsTheLimitOfRecipients(t *testing.T) {
	var b strings.Builder
	b.WriteString("From: MAILER-DAEMON@mx.example.org\nSubject: failure notice\n\nYour message could not be delivered to the following recipients:\n\n")
	for i := range 9 {
		fmt.Fprintf(&b, "<u%d@example.net>: 550 5.1.1 unknown\n", i)
	}
	r, err := (&Reader{MaxRecipients: 3}).Read(strings.NewReader(b.String()))
	if err != nil || len(r.Recipients) != 3 {
		t.Fatalf("%v, %+v", err, r)
	}
	told := 0
	for _, f := range r.Findings {
		if f.ID == findingTooManyRecipients {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times: %v", told, r.Findings)
	}
}
