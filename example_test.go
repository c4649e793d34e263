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
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
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
	failures := ndr.Failures(report)
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
	switch d.Resend.Advice {
	case smtpcode.Later: // again, unchanged, after d.Resend.Wait
	case smtpcode.AfterFix, smtpcode.NeverUnchanged: // bounce
	default: // smtpcode.ResendUnknown: a reply without a class, or none: as a lost connection
	}
	suppress := d.Address == smtpcode.Suspend || d.Address == smtpcode.Remove
	fmt.Println(d.Condition, d.Owners, d.Resend.Advice, d.Resend.Wait, suppress)
	// Output:
	// submission-quota [sender] later 24h0m0s false
}

func watch(ctx context.Context, h *history.History, file io.Reader) error {
	report, err := dmarcreport.Read(file) // XML, gzip, zip, or the whole mail
	if err != nil {
		return err
	}
	s := history.Of(report)
	s.Learnt, s.Authentic = time.Now(), true // its mail was shown to come from the reporter; else it raises no event
	if _, err := h.Add(ctx, s); err != nil {
		return err
	}
	events, err := h.Events(ctx, report.Policy.Domain)
	fmt.Println(events) // [2026-12-02 sender.example new-failing-source 2001:db8::25 ...
	return err
}

// Aggregate reports are remembered, and each source that fails has its day.
func Example_dmarc() {
	file, err := os.Open("dmarcreport/testdata/generators/opendmarc.xml")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	h := &history.History{Store: new(history.Memory)}
	if err := watch(context.Background(), h, file); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [2026-12-02 sender.example new-failing-source 2001:db8::25 2026-12-02 sender.example new-failing-source 203.0.113.66]
}

// What a refusal blames is checked against DNS: here a zone in memory stands for it.
func Example_refusal() {
	failure := smtpcode.Failure{
		Recipient:    "bob@gmail.com",
		Replies:      smtpcode.ParseReplies("550 5.7.26 Your email has been blocked because the sender is unauthenticated."),
		RemoteServer: "gmail-smtp-in.l.google.com",
		EnvelopeFrom: "anna@example.org",
		AuthorDomain: "example.org",
		SendingIP:    netip.MustParseAddr("203.0.113.9"),
	}
	d := smtpcode.Diagnose(failure)
	fmt.Println(d.Condition, d.Owners)

	zone := new(dnscheck.Zone)
	zone.AddTXT("example.org", "v=spf1 ip4:198.51.100.0/24 -all")
	zone.AddTXT("_dmarc.example.org", "v=DMARC1; p=reject")
	e := dnscheck.Explain(context.Background(), zone, dnscheck.Refusal{ // Claim stays unknown: all that is given is looked at
		AuthorDomain: failure.AuthorDomain,
		EnvelopeFrom: failure.EnvelopeFrom,
		HELO:         failure.HELO,
		SendingIP:    failure.SendingIP,
		Time:         failure.Date,
	})
	fmt.Println(e.Agreement, e.Cause)
	fmt.Println(e.Change)
	// Output:
	// authentication-required [sender-dns sender-admin]
	// agrees dmarc-unauthenticated
	// add ip4:203.0.113.9 to the record of example.org, or the include of whoever runs that host
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
