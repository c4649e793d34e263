package ndr

import (
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/smtpcode"
)

func declare(addr, reply, generating, remote string) smtpcode.Failure {
	f := smtpcode.Failure{Recipient: addr, Action: smtpcode.Failed, GeneratingServer: generating, RemoteServer: remote}
	if reply != "" {
		f.Replies = smtpcode.ParseReplies(reply)
		f.Status = f.Replies[0].Status
	}
	return f
}

func ids(n *Notice) (out []string) {
	for _, f := range n.Findings {
		out = append(out, f.ID)
	}
	return out
}

func TestMergeLayoutAddsToTheDeclaredRecipient(t *testing.T) {
	text, html := fixtureParts(t, "two-section-attempts-day-first.eml")
	n, err := (&Reader{}).parse(&source{text: text, html: html, language: "en-AU", isNDR: true,
		arrival: time.Date(2026, 9, 1, 19, 52, 53, 0, time.UTC), date: time.Date(2026, 9, 3, 20, 5, 56, 0, time.UTC),
		declared: []smtpcode.Failure{declare("bob@contoso.example", "550 4.4.7 QUEUE.Expired; message expired", server, "")}})
	if err != nil {
		t.Fatal(err)
	}
	f := n.Failures()
	if len(f) != 1 || len(n.Findings) != 0 || n.Language != "en-AU" {
		t.Fatalf("%+v, findings %v", f, n.Findings)
	}
	g := f[0]
	if g.Status != (smtpcode.Status{4, 4, 7}) || len(g.Replies) != 2 || g.Replies[1].Code != 441 || g.RemoteServer != "mx.contoso.example" ||
		g.GeneratingServer != server || g.AuthorDomain != "fabrikam.example" || g.Date != time.Date(2026, 9, 3, 20, 5, 56, 0, time.UTC) || g.Reason == "" {
		t.Errorf("%+v", g)
	}
}

func TestMergeConflictsAreFindings(t *testing.T) {
	text, _ := fixtureParts(t, "two-section-2007-two-recipients.eml")
	n, err := (&Reader{}).parse(&source{text: text, declared: []smtpcode.Failure{
		declare("BOB@contoso.example", "554 5.7.1 Denied", "other.contoso.example", ""), // status, reply and host differ
		declare("dan@contoso.example", "550 5.1.1 x", server, ""),                       // not in the text
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"ndr-status-conflict": 1, "ndr-reply-conflict": 1, "ndr-host-conflict": 1, "ndr-recipient-only-in-status": 1, "ndr-recipient-only-in-text": 1}
	for _, id := range ids(n) {
		want[id]--
	}
	for id, left := range want {
		if left != 0 {
			t.Errorf("%s: %d missing of %v", id, left, ids(n))
		}
	}
	f := n.Failures()
	if len(f) != 3 || f[0].Status != (smtpcode.Status{5, 7, 1}) || f[0].GeneratingServer != "other.contoso.example" || f[0].Reason == "" || f[2].Recipient != "carol@contoso.example" {
		t.Errorf("%+v", f)
	}
	// What was declared stays outermost; the text's reply is kept behind it.
	if r := f[0].Replies; len(r) != 2 || r[0].Code != 554 || r[1].Code != 550 {
		t.Errorf("%+v", r)
	}
}

func TestMergeTakesOneReplyForTwoSpellings(t *testing.T) {
	a := smtpcode.ParseReplies("550 5.4.312 Message expired, DNS query failed")
	b := smtpcode.ParseReplies("550 5.4.312 Message expired,  DNS query failed(InfoNoRecords)")
	if got := mergeReplies(a, b); len(got) != 1 {
		t.Errorf("%+v", got)
	}
	if got := mergeReplies(a, smtpcode.ParseReplies("450 4.4.312 DNS query failed")); len(got) != 2 {
		t.Errorf("%+v", got)
	}
}

func TestReportWithMarksButNoLayout(t *testing.T) {
	n, err := (&Reader{}).parse(&source{text: "...", html: "<html><body>...</body></html>", isNDR: true, from: "postmaster@outlook.com",
		declared: []smtpcode.Failure{declare("bob@contoso.example", "550 5.1.1 x", online, "")}})
	if err != nil || n.Layout != LayoutUnknown || n.Product != OutlookCom || n.Servers.Generating != online || len(n.Failures()) != 1 || !hasFinding(n, findingUnread) {
		t.Errorf("%+v, %v", n, err)
	}
	if _, err := (&Reader{}).parse(&source{text: "...", declared: []smtpcode.Failure{declare("a@b.example", "550 5.1.1 x", "mx.example", "")}}); err != ErrNotMicrosoft {
		t.Errorf("without marks: %v", err)
	}
}

func TestGuttedHTMLFallsBackToText(t *testing.T) {
	text, _ := fixtureParts(t, "two-section-fr.eml")
	for _, html := range []string{"", "<html><Head></head><body>\n...\n</body></html>", "<p><b>Échec de la remise pour ces destinataires ou groupes :</b></p><p>bob@contoso.example</p>"} {
		n, err := (&Reader{}).parse(&source{text: text, html: html})
		if err != nil || len(n.Failures()) != 1 || n.Failures()[0].Status != (smtpcode.Status{5, 1, 1}) || n.Servers.Generating != server {
			t.Errorf("%q: %+v, %v", html, n, err)
		}
	}
}

func TestExchange2003GeneratingServerIsTheHostOfItsMailService(t *testing.T) {
	text, _ := fixtureParts(t, "exchange-2003.eml")
	n, err := (&Reader{}).parse(&source{text: text, received: []string{"from gw.contoso.example by mx.fabrikam.example with ESMTP; Thu, 28 Nov 2002 09:05:09 +0000",
		"by gw.contoso.example with Internet Mail Service (5.5.2699.00) id <ABC00001>; Thu, 28 Nov 2002 09:05:08 +0000"}})
	if err != nil || n.Servers.Generating != "gw.contoso.example" || n.Product != ExchangeServer {
		t.Errorf("%+v, %v", n, err)
	}
}

func TestDeclaredDelayAndRetryUntil(t *testing.T) {
	until := time.Date(2014, 11, 30, 22, 24, 35, 0, time.UTC)
	text, _ := fixtureParts(t, "smtpsvc-delay.eml")
	f := declare("bob@contoso.example", "", "BAY004-OMC1S18.hotmail.com", "")
	f.Action = smtpcode.Delayed
	n, err := (&Reader{}).parse(&source{text: text, context: true, retryUntil: until, declared: []smtpcode.Failure{f}})
	if err != nil || !n.Delayed || n.Product != OutlookCom || n.Retry().Until != until || n.Retry().By != "BAY004-OMC1S18.hotmail.com" {
		t.Errorf("%+v, %v", n, err)
	}
}

// A delay has no diagnostic code: the replies in its fields' stead are the text's,
// and the layout reads those, the report's own first.
func TestMergeRepliesOfTheTextOnce(t *testing.T) {
	text, _ := fixtureParts(t, "two-section-delayed.eml")
	text = strings.Replace(text, "Original message headers:", "11/28/2026 9:05:10 AM - Remote Server at mx.contoso.example (203.0.113.25) returned '421 4.3.2 Service not available'\n\nOriginal message headers:", 1)
	declared := declare("bob@contoso.example", "421 4.3.2 Service not available", server, "mx.contoso.example")
	declared.Action, declared.Reason = smtpcode.Delayed, "The whole text."
	n, err := (&Reader{}).parse(&source{text: text, isNDR: true, declared: []smtpcode.Failure{declared}, told: []bool{true}})
	if err != nil {
		t.Fatal(err)
	}
	f := n.Failures()
	if len(f) != 1 || len(f[0].Replies) != 2 || f[0].Replies[0].Code != 400 || f[0].Replies[1].Code != 421 || f[0].Reason == "The whole text." {
		t.Errorf("%+v", f)
	}
}

// Attempts without an address above them are the only recipient's.
func TestAttemptsUnderNobodysAddress(t *testing.T) {
	n, err := ParseText("Delivery is delayed to these recipients or groups:\n\nbob@contoso.example\n\nThis message hasn't been delivered yet.\n\nDiagnostic information for administrators:\n\nGenerating server: mail1.contoso.example\nTotal retry attempts: 12\n\n11/28/2026 9:05:10 AM - Server at mx.contoso.example (203.0.113.25) returned '450 4.7.321 starttls-not-supported'\n")
	if err != nil || len(n.Recipients) != 1 || n.Recipients[0].Address != "bob@contoso.example" || len(n.Recipients[0].Replies) != 1 {
		t.Errorf("%v %+v", err, n)
	}
}
