package messagetrace_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/mailfault/mailfault/ndr/messagetrace"
)

func ExampleRead() {
	export := `origin_timestamp,sender_address,Recipient_status,message_subject,message_id
2026-11-28T09:05:03Z,alice@fabrikam.example,"bob@contoso.example##Receive, Fail;carol@contoso.example##Receive, Send",Offer,<offer-2@fabrikam.example>
`
	for row, err := range messagetrace.Read(strings.NewReader(export)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, r := range row.Recipients {
			fmt.Println(row.MessageID, r.Address, r.Status)
		}
	}
	// Output:
	// offer-2@fabrikam.example bob@contoso.example failed
	// offer-2@fabrikam.example carol@contoso.example delivered
}

func ExampleRow_Failures() {
	export := `date_time_utc,sender_address,recipient_address,event_id,recipient_status
2026-11-28T09:05:04Z,alice@fabrikam.example,bob@contoso.example,FAIL,[{LED=550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup};{MSG=};{FQDN=};{IP=};{LRT=}]
`
	for row, err := range messagetrace.Read(strings.NewReader(export)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, f := range row.Failures() { // hand each to smtpcode.Diagnose
			fmt.Println(f.Recipient, f.Action, f.Status)
		}
	}
	// Output: bob@contoso.example failed 5.1.10
}

func ExampleAdvise() {
	a := messagetrace.Advise(messagetrace.Query{
		Sent:      time.Date(2026, 10, 2, 9, 5, 0, 0, time.UTC),
		Now:       time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC),
		Recipient: "bob@contoso.example",
	})
	fmt.Println(a.Kind, a.Filter)
	fmt.Println(a.Commands[1].Line)
	// Output:
	// historical failed
	// Start-HistoricalSearch -ReportTitle 'Undelivered message' -ReportType MessageTraceDetail -StartDate '10/02/2026 08:05' -EndDate '12/01/2026 12:00' -RecipientAddress 'bob@contoso.example' -DeliveryStatus Failed
}
