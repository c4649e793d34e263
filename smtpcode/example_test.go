package smtpcode_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/textproto"
	"slices"

	"github.com/mailfault/mailfault/smtpcode"
)

func ExampleDiagnose() {
	d := smtpcode.Diagnose(smtpcode.Failure{
		Recipient:    "bob@example.com",
		Action:       smtpcode.Failed,
		Replies:      smtpcode.ParseReplies("550 5.7.509 Access denied, sending domain example.org does not pass DMARC verification and has a DMARC policy of reject."),
		RemoteServer: "example-com.mail.protection.outlook.com",
		AuthorDomain: "example.org",
	})
	fmt.Println(d.Condition, d.Owners)
	fmt.Println(d.Steps[0].Text)
	fmt.Println(d.Resend.Advice, d.Address)
	fmt.Println(d.Checks[0].Kind, d.Checks[0].Domain)
	// Output:
	// dmarc-reject [sender-dns]
	// Align SPF or DKIM with the domain in the From address before anyone resends.
	// after-fix keep
	// dmarc example.org
}

// A gateway judges the error that net/smtp returns for a refused recipient.
func ExampleDiagnose_gateway() {
	var refusal error = &textproto.Error{Code: 550, Msg: "5.1.1 <bob@example.com>: Recipient address rejected: User unknown"}

	var reply *textproto.Error
	if !errors.As(refusal, &reply) {
		return // no server answered: the connection failed
	}
	d := smtpcode.Diagnose(smtpcode.Failure{
		Recipient:    "bob@example.com",
		Replies:      smtpcode.ParseReplies(fmt.Sprintf("%d %s", reply.Code, reply.Msg)),
		RemoteServer: "mx.example.com",
	})
	switch d.Resend.Advice {
	case smtpcode.Later:
		fmt.Println("queue, next attempt in", d.Resend.Wait)
	case smtpcode.AfterFix, smtpcode.NeverUnchanged:
		fmt.Println("bounce:", d.Summary)
	default: // neither class 4 nor 5: as if the connection had been lost
		fmt.Println("queue")
	}
	if d.Address == smtpcode.Suspend || d.Address == smtpcode.Remove {
		fmt.Println(d.Address, "bob@example.com")
	}
	// Output:
	// bounce: The address does not exist at the recipient's organization.
	// suspend bob@example.com
}

// The same code, and only the words tell whose it is. Without words both
// meanings stay in the answer.
func ExampleDiagnose_words() {
	for _, reply := range []string{"554 5.2.2 mailbox full", "550 5.2.2 Submission quota exceeded", "550 5.2.2"} {
		d := smtpcode.Diagnose(smtpcode.Failure{Replies: smtpcode.ParseReplies(reply), RemoteServer: "a.prod.outlook.com"})
		fmt.Println(d.Condition, d.Owners, d.Others)
	}
	// Output:
	// mailbox-full [recipient] []
	// submission-quota [sender] []
	// unknown [unknown] [mailbox-full submission-quota]
}

func ExampleParseReplies() {
	for _, r := range smtpcode.ParseReplies("Remote Server returned '550 5.0.350 Remote server returned an error -> 550 5.1.1 no such user'") {
		fmt.Println(r.Code, r.Status, r.Text)
	}
	// Output:
	// 550 5.0.350 Remote server returned an error
	// 550 5.1.1 no such user
}

func ExampleStatus_Registered() {
	status, err := smtpcode.ParseStatus("5.7.26")
	if err != nil {
		fmt.Println(err)
		return
	}
	entry, _ := status.Registered()
	fmt.Println(entry.Name, entry.Reference)
	// Output: Multiple authentication checks failed RFC 7372
}

func ExampleCorrelate() {
	expired := smtpcode.Failure{Action: smtpcode.Failed, Replies: smtpcode.ParseReplies("550 4.4.7 QUEUE.Expired; message expired")}
	a, b := expired, expired
	a.Recipient, b.Recipient = "a@example.com", "b@example.com"
	for _, p := range smtpcode.Correlate(slices.Values([]smtpcode.Failure{a, b})) {
		fmt.Println(p.Kind, p.Domain, p.Owners)
	}
	// Output: one-domain example.com [recipient-admin]
}

func ExampleRulebook_With() {
	book := smtpcode.Default().With(smtpcode.Rule{
		ID: "acme-full", Condition: "mailbox-full", Text: "the pigeonhole overflows", Source: "acme.example/help",
	})
	d := book.Diagnose(smtpcode.Failure{Replies: smtpcode.ParseReplies("550 The pigeonhole overflows")})
	text, err := json.Marshal(d.Evidence[0])
	fmt.Println(d.Condition, err)
	fmt.Println(string(text))
	// Output:
	// mailbox-full <nil>
	// {"rule":"acme-full","field":"reply","index":0,"start":4,"end":28,"text":"The pigeonhole overflows","overruled":false,"means":"","source":"acme.example/help"}
}

// The same words from three servers: who refused decides who clears it, and
// OwnDomains tells the caller's own servers from the others.
func ExampleDiagnose_ownDomains() {
	for _, host := range []string{"out.example.org", "mx.example.com", ""} {
		d := smtpcode.Diagnose(smtpcode.Failure{
			Recipient:    "bob@example.com",
			Action:       smtpcode.Failed,
			Replies:      smtpcode.ParseReplies("550 5.7.1 Not authorized by policy"),
			RemoteServer: host,
			OwnDomains:   []string{"example.org"},
		})
		fmt.Println(d.Condition, d.Refuser.Side, d.Owners)
	}
	// Output:
	// delivery-not-authorized sender [sender-admin]
	// delivery-not-authorized recipient [recipient-admin]
	// delivery-not-authorized unknown [sender-admin recipient-admin]
}
