package ndr_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

// notice reads a report mail of this package's fixtures.
func notice(name string) (*ndr.Notice, error) {
	file, err := os.Open("testdata/" + name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	report, err := dsn.Read(file)
	if err != nil && !errors.Is(err, dsn.ErrNotReport) {
		return nil, err
	}
	return ndr.Parse(report)
}

// What the report marks and what the evidence says are two things.
func ExampleParse() {
	n, err := notice("current-2017-sender.eml")
	if err != nil {
		fmt.Println(err) // errors.Is(err, ndr.ErrNotMicrosoft): the report's own Failures say all
		return
	}
	fmt.Println(n.Layout, n.Product, "marks the", n.StatedOwner)
	d := smtpcode.Diagnose(n.Failures()[0])
	fmt.Println(d.Condition, d.Owners)
	// Output:
	// current exchange-online marks the sender
	// recipient-not-found [sender recipient-admin]
}

// A report about a message that Sent Items does not hold is backscatter. That
// alone says nothing of the account.
func ExampleNotice_Backscatter() {
	n, err := notice("current-2017-sender.eml")
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := n.Backscatter(context.Background(), ndr.SentItems{
		Lookup: func(ctx context.Context, m ndr.SentMessage) (ndr.Answer, error) {
			return ndr.No, nil // no such message there
		},
	})
	fmt.Println("backscatter:", b.Backscatter, "compromised:", b.Compromised, err)
	// Output: backscatter: yes compromised: not-known <nil>
}

// Whether a server still tries, and what the receiver made of the sender's SPF
// record.
func ExampleNotice_Retry() {
	n, err := notice("two-section-online-remote.eml")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("trying:", n.Retry().State)
	spf := n.SPFCheck()
	fmt.Println("check the SPF record:", spf.Check, spf.Result, spf.Domain)
	// Output:
	// trying: over
	// check the SPF record: true softfail fabrikam.example
}
