package ndr_test

import (
	"errors"
	"fmt"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/ndr"
)

// The way of any message, by the Received fields of its header.
func ExamplePathOf() {
	path := ndr.PathOf(dsn.ReadHeader([]byte(`Received: from mail.example.org (192.0.2.1) by AM0PR02MB0001.eurprd02.prod.outlook.com
 with SMTP; Mon, 5 Jan 2026 10:00:07 +0000
Received: from laptop.example.org (192.0.2.9) by mail.example.org with ESMTPSA;
 Mon, 5 Jan 2026 10:00:02 +0000

`)))
	for _, step := range path.Steps {
		fmt.Println(step.By, step.Delay)
	}
	fmt.Println(path.Operator)
	// Output:
	// mail.example.org 0s
	// AM0PR02MB0001.eurprd02.prod.outlook.com 5s
	// Microsoft
}

// Of a page that was saved from a mail program.
func ExampleParseHTML() {
	n, err := ndr.ParseHTML(`<p>Delivery has failed to these recipients or groups:</p>
<p>bob@contoso.example<br>The recipient's mailbox is full.</p>
<p>Diagnostic information for administrators:</p>
<p>Generating server: mail1.contoso.example</p>
<p>bob@contoso.example<br>#554 5.2.2 mailbox full ##</p>`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n.Layout, n.Recipients[0].Address, n.Recipients[0].Replies[0].Status)
	_, err = ndr.ParseHTML("<p>Lunch?</p>")
	fmt.Println(errors.Is(err, ndr.ErrNotMicrosoft))
	// Output:
	// two-section bob@contoso.example 5.2.2
	// true
}
