package dsn_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mailfault/mailfault/dsn"
)

// ofBob is what a mail system says about a mail of Anna's to Bob.
const ofBob = `From: MAILER-DAEMON@mx.example.net
To: bounces+bob=example.com@news.example.org
Subject: Undelivered mail
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b

Sorry.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Original-Recipient: rfc822;bob@example.com
Final-Recipient: rfc822;robert@elsewhere.example
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 no such user

--b
Content-Type: text/rfc822-headers

Return-Path: <bounces+bob=example.com@news.example.org>
From: anna@example.org
To: bob@example.com
Subject: Hello
Message-ID: <1@example.org>
In-Reply-To: <0@example.com>

--b--
`

func read(mail string) *dsn.Report {
	report, err := dsn.Read(strings.NewReader(mail))
	if err != nil {
		panic(err) // the mail stands in the example
	}
	return report
}

// A text that somebody copied out of a mail program.
func ExampleReadText() {
	report, err := dsn.ReadText(`This is the mail system at host mx.example.net.

<bob@example.com>: host mail.example.com[192.0.2.1] said: 550 5.1.1
    no such user (in reply to RCPT TO command)
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := report.Recipients[0]
	fmt.Println(report.TextFormat, r.FinalRecipient.Address, r.Status, r.RemoteMTA.Host)
	_, err = dsn.ReadText("See you on Monday.")
	fmt.Println(errors.Is(err, dsn.ErrNotReport))
	// Output:
	// postfix bob@example.com 5.1.1 mail.example.com
	// true
}

// The part alone, where a mail API has taken the mail apart.
func ExampleReadStatus() {
	report, err := dsn.ReadStatus([]byte("Reporting-MTA: dns; mx.example.net\n\nFinal-Recipient: rfc822; bob@example.com\nAction: delayed\nStatus: 4.4.1\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.ReportingMTA.Host, report.Recipients[0].Action, report.Recipients[0].Status)
	// Output:
	// mx.example.net delayed 4.4.1
}

// A forward hides whom the mail was written to; the report still tells.
func ExampleReport_OriginalAddresses() {
	for _, a := range read(ofBob).OriginalAddresses() {
		fmt.Println(a.Address, a.Sources[0])
	}
	// Output:
	// bob@example.com original-recipient
	// robert@elsewhere.example final-recipient
}

func ExampleReport_Thread() {
	thread := read(ofBob).Thread()
	fmt.Println(thread.MessageID, thread.InReplyTo)
	// Output:
	// 1@example.org [0@example.com]
}

// Anybody can write a report; who keeps a list of sent mail can ask it.
func ExampleReport_Backscatter() {
	sent := map[string]bool{"1@example.org": true}
	origin, err := read(ofBob).Backscatter(context.Background(), dsn.Proof{
		Sent: func(_ context.Context, m dsn.SentMessage) (dsn.Verdict, error) {
			if sent[m.MessageID] {
				return dsn.Ours, nil
			}
			return dsn.NotOurs, nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(origin.Verdict)
	// Output:
	// ours
}

// A forwarder's rewriting around a mailing's own return path.
func ExampleParseReturnPath() {
	path := dsn.ParseReturnPath("<SRS0=HHH=TT=example.org=anna@forwarder.example>")
	fmt.Println(path.Address)
	for _, layer := range path.Layers {
		fmt.Println(layer.Scheme, layer.Domain)
	}
	// Output:
	// anna@example.org
	// srs0 forwarder.example
}

// A gateway decides before the body is there.
func ExampleReadHeader() {
	h := dsn.ReadHeader([]byte("From: shop@example.org\nSubject: =?utf-8?q?Caf=C3=A9?=\nAuto-Submitted: auto-generated\n\n"))
	class := dsn.Classify(h)
	fmt.Println(h.Get("subject"), class.Author, class.Answer)
	// Output:
	// Café program false
}
