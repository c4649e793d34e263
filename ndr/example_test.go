package ndr_test

import (
	"fmt"

	"github.com/mailfault/mailfault/ndr"
)

// A report pasted into a ticket, with the quote marks of a reply.
const pasted = `> Delivery has failed to these recipients or groups:
>
> bob@contoso.example
> The recipient's mailbox is full and can't accept messages now. Please try
> resending this message later or contact the recipient directly.
>
> Diagnostic information for administrators:
>
> Generating server: mail1.contoso.example
>
> bob@contoso.example
> #554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException ##
`

func ExampleParseText() {
	n, err := ndr.ParseText(pasted)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n.Layout, n.Product)
	for _, r := range n.Recipients {
		fmt.Println(r.Address, r.Replies[0].Code, r.Replies[0].Status)
	}
	// Output:
	// two-section exchange-server
	// bob@contoso.example 554 5.2.2
}

func ExampleNotice_Failures() {
	n, err := ndr.ParseText(pasted)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range n.Failures() { // hand each to smtpcode.Diagnose
		fmt.Println(f.Recipient, f.Action, f.Status, "reported by", f.GeneratingServer)
	}
	// Output: bob@contoso.example failed 5.2.2 reported by mail1.contoso.example
}

func ExampleNotice_SendAgain() {
	n, err := ndr.ParseText(pasted)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := n.SendAgain(12 << 20)
	fmt.Println("helps:", s.Helps)
	fmt.Println("works:", s.Works)
	fmt.Println(s.Instead)
	// Output:
	// helps: no
	// works: no
	// Resend the message from Sent Items.
}

func ExampleNotice_Sentence() {
	n, err := ndr.ParseText(pasted)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := n.Sentence(0)
	fmt.Println(s.Kind, s.Codes, "mismatch:", s.Mismatch)
	// Output: stock [5.2.2] mismatch: false
}

func ExampleHostOperator() {
	fmt.Println(ndr.HostOperator("AM0PR02.eurprd02.prod.outlook.com"))
	fmt.Println(ndr.HostOperator("mx1.example.com") == "")
	// Output:
	// Microsoft
	// true
}
