package smtpcode_test

import (
	"fmt"
	"maps"

	"github.com/mailfault/mailfault/smtpcode"
)

func ExampleParseReply() {
	r := smtpcode.ParseReply("Remote Server returned '550 5.1.1 no such user'")
	fmt.Println(r.Code, r.Status, r.Text)
	// Output:
	// 550 5.1.1 no such user
}

// A year is no reply code, and an address is no status.
func ExampleFindReplies() {
	const text = `In May 2026 the server 192.0.2.1 answered: 452 4.2.2 mailbox full
On the second try it said: 550 5.2.2 mailbox full`
	for r := range smtpcode.FindReplies(text) {
		fmt.Println(r.Code, r.Status)
	}
	// Output:
	// 452 4.2.2
	// 550 5.2.2
}

func ExampleParseStatus() {
	status, err := smtpcode.ParseStatus("5.1.10")
	fmt.Println(status.Class() == smtpcode.ClassPermanent, status.Permanent(), err)
	_, err = smtpcode.ParseStatus("5.1")
	fmt.Println(err != nil)
	// Output:
	// true true <nil>
	// true
}

func ExampleCutStatus() {
	status, rest, ok := smtpcode.CutStatus("5.0.0 (permanent failure)")
	fmt.Printf("%v %q %v\n", status, rest, ok)
	// Output:
	// 5.0.0 " (permanent failure)" true
}

// Whose server refused decides whose administrators are asked.
func ExampleFailure_Refuser() {
	f := smtpcode.Failure{
		Recipient:        "bob@example.com",
		GeneratingServer: "mail.example.org",
		RemoteServer:     "mx.example.com",
		EnvelopeFrom:     "anna@example.org",
	}
	r := f.Refuser()
	fmt.Println(r.By, r.Host, r.Side)
	// Output:
	// remote-server mx.example.com recipient
}

// What an answer leaves open is shown to people in words.
func ExampleRulebook_Conditions() {
	d := smtpcode.Diagnose(smtpcode.Failure{Replies: smtpcode.ParseReplies("550 5.2.2"), RemoteServer: "a.prod.outlook.com"})
	words := maps.Collect(smtpcode.Default().Conditions())
	for _, c := range d.Others {
		fmt.Printf("%s: %s\n", c, words[c])
	}
	// Output:
	// mailbox-full: The recipient's mailbox is full.
	// submission-quota: The sender's own submission quota is used up (10,000 recipients a day in Exchange Online).
}

// For people who write rules: all that matched, the decisive rule first.
func ExampleRulebook_Explain() {
	e := smtpcode.Default().Explain(smtpcode.Failure{Replies: smtpcode.ParseReplies("552 5.2.2 Mailbox full")})
	fmt.Println(e.Diagnosis.Condition, e.Matches[0].Won, e.Matches[0].Evidence.Text)
	// Output:
	// mailbox-full true Mailbox full
}

// Failures that were judged already are counted without judging them again.
func ExampleCorrelator() {
	var c smtpcode.Correlator
	for _, recipient := range []string{"a@one.example", "b@one.example", "c@two.example"} {
		f := smtpcode.Failure{Recipient: recipient, Action: smtpcode.Failed, Replies: smtpcode.ParseReplies("550 5.1.1 User unknown")}
		d := smtpcode.Diagnose(f)
		c.Add(&f, &d)
	}
	for _, domain := range c.Domains() {
		fmt.Println(domain.Key, domain.Count)
	}
	// Output:
	// one.example 2
	// two.example 1
}
