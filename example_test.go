package mailfault_test

// The README's snippets stand here word for word, so that they compile and print
// what the README says: TestREADMESnippetsCompile.

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"os"
	"slices"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

func judge(mail io.Reader) error {
	report, err := dsn.Read(mail)
	if err != nil {
		return err // errors.Is(err, dsn.ErrNotReport): an ordinary mail
	}
	for _, failure := range report.Failures() {
		d := smtpcode.Diagnose(failure)
		fmt.Println(failure.Recipient, d.Condition) // bob@example.com not-on-accept-list
		fmt.Println(d.Owners, d.Steps[0].Text)      // [recipient-admin] Reach the recipient ...
		fmt.Println(d.Resend.Advice, d.Address)     // after-fix keep
	}
	return nil
}

// A report is read into facts, and each failure is judged by itself.
func Example() {
	mail, err := os.Open("examples/explain/testdata/blames-permissions.eml")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer mail.Close()
	if err := judge(mail); err != nil {
		fmt.Println(err)
	}
	// Output:
	// bob@example.com not-on-accept-list
	// [recipient-admin] Reach the recipient another way and ask their administrator to look at the account and its accept list.
	// after-fix keep
}

// What Microsoft's report says to people is joined with what it declares.
func Example_microsoft() {
	mail, err := os.Open("examples/explain/testdata/blames-permissions.eml")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer mail.Close()
	report, err := dsn.Read(mail)
	if err != nil {
		fmt.Println(err)
		return
	}
	failures := report.Failures()
	if notice, err := ndr.Parse(report); err == nil {
		failures = notice.Failures()
	}
	for _, domain := range []string{"a.example", "b.example", "c.example"} { // of further reports
		failures = append(failures, smtpcode.Failure{Recipient: "bob@" + domain, Action: smtpcode.Failed, Status: smtpcode.Status{4, 4, 7}})
	}
	for _, pattern := range smtpcode.Correlate(slices.Values(failures)) { // of many reports: one domain's fault, or ours?
		fmt.Println(pattern.Kind, pattern.Summary)
	}
	// Output:
	// several-domains The failures span several domains: look at your own side.
}

// A reply needs no report around it.
func Example_reply() {
	d := smtpcode.Diagnose(smtpcode.Failure{
		Recipient:    "bob@example.com",
		Replies:      smtpcode.ParseReplies("550 5.2.2 Submission quota exceeded"),
		RemoteServer: "AM0PR02MB0001.eurprd02.prod.outlook.com",
	})
	fmt.Println(d.Condition, d.Owners)
	// Output:
	// submission-quota [sender]
}

// Whatever fits better can be added to the rules.
func Example_rule() {
	failure := smtpcode.Failure{Replies: smtpcode.ParseReplies("550 The pigeonhole overflows")}
	book := smtpcode.Default().With(smtpcode.Rule{
		ID: "acme-full", Condition: "mailbox-full", Text: "the pigeonhole overflows", Source: "acme.example/help",
	})
	d := book.Diagnose(failure)
	fmt.Println(d.Condition)
	// Output:
	// mailbox-full
}

// DNS says whether a refusal still holds. (The example asks the network, so it is
// not run.)
func Example_dns() {
	ctx, ip := context.Background(), netip.MustParseAddr("203.0.113.9")
	e := dnscheck.Explain(ctx, new(dnscheck.Client), dnscheck.Refusal{AuthorDomain: "example.org", EnvelopeFrom: "anna@example.org", SendingIP: ip})
	fmt.Println(e.Agreement, e.Fault.Text(), e.Change) // agrees -all add ip4:203.0.113.9 to the record of example.org ...

	check := dnscheck.CheckDomain(ctx, new(dnscheck.Client), "example.org", dnscheck.DomainOptions{})
	fmt.Println(check.Findings) // what breaks mail first, each with whose record it is
}
