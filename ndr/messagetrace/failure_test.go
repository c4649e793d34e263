package messagetrace

import (
	"bytes"
	"testing"

	"github.com/mailfault/mailfault/smtpcode"
)

func TestFailures(t *testing.T) {
	tests := []struct {
		name string
		row  Row
		want []smtpcode.Failure
	}{
		{
			"the bracketed form, refused by the service",
			Row{Recipients: one("bob@contoso.example", Failed, "FAIL"), ServerHostname: "AM0PR02.eurprd02.prod.outlook.com", ReturnPath: "alice@fabrikam.example", Texts: []string{notFound}},
			[]smtpcode.Failure{{Recipient: "bob@contoso.example", Status: smtpcode.Status{5, 1, 10}, GeneratingServer: "AM0PR02.eurprd02.prod.outlook.com", EnvelopeFrom: "alice@fabrikam.example",
				Replies: []smtpcode.Reply{{Code: 550, Status: smtpcode.Status{5, 1, 10}}}}},
		},
		{
			"the bracketed form, refused by another server; brackets in the reply",
			Row{Recipients: one("bob@contoso.example", Failed, "FAIL"), Sender: "alice@fabrikam.example",
				Texts: []string{"x", "Reason: [{LED=550 5.7.1 {policy} [id 7]};{MSG=};{FQDN=mx.contoso.example};{IP=192.0.2.25};{LRT=}]"}},
			[]smtpcode.Failure{{Recipient: "bob@contoso.example", Status: smtpcode.Status{5, 7, 1}, RemoteServer: "mx.contoso.example", EnvelopeFrom: "alice@fabrikam.example",
				Replies: []smtpcode.Reply{{Code: 550, Status: smtpcode.Status{5, 7, 1}}}}},
		},
		{
			"plain words in a column nobody knows",
			Row{Recipients: one("bob@contoso.example", Failed, "Failed"), Extra: []Column{{"note", "refused: 554 5.2.2 mailbox full"}}},
			[]smtpcode.Failure{{Recipient: "bob@contoso.example", Status: smtpcode.Status{5, 2, 2}, Replies: []smtpcode.Reply{{Code: 554, Status: smtpcode.Status{5, 2, 2}}}}},
		},
		{
			"no reply in the file: none is made up",
			Row{Recipients: one("bob@contoso.example", Failed, "Failed"), Texts: []string{"port 550 of 192.0.2.1, build 15.20.5.1"}},
			[]smtpcode.Failure{{Recipient: "bob@contoso.example"}},
		},
		{
			"only recipients that failed",
			Row{Recipients: []RecipientStatus{{Address: "bob@contoso.example", Status: Failed}, {Address: "carol@contoso.example", Status: Delivered}, {Address: "dan@contoso.example", Status: Pending}}},
			[]smtpcode.Failure{{Recipient: "bob@contoso.example"}},
		},
		{"delivered", Row{Recipients: one("bob@contoso.example", Delivered, "Delivered"), Texts: []string{notFound}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.row.Failures()
			if len(got) != len(tt.want) {
				t.Fatalf("%d failures, want %d", len(got), len(tt.want))
			}
			for i, w := range tt.want {
				g := got[i]
				if g.Recipient != w.Recipient || g.Status != w.Status || g.RemoteServer != w.RemoteServer || g.GeneratingServer != w.GeneratingServer || g.EnvelopeFrom != w.EnvelopeFrom {
					t.Errorf("got %+v\nwant %+v", g, w)
				}
				if g.Action != smtpcode.Failed {
					t.Errorf("action %v", g.Action)
				}
				if len(g.Replies) != len(w.Replies) || len(w.Replies) > 0 && (g.Replies[0].Code != w.Replies[0].Code || g.Replies[0].Status != w.Replies[0].Status) {
					t.Errorf("replies %+v, want %+v", g.Replies, w.Replies)
				}
			}
		})
	}
}

func TestFailuresOfAFile(t *testing.T) {
	n := 0
	for row, err := range Read(bytes.NewReader(fixture(t, "extended.csv"))) {
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range row.Failures() {
			n++
			if f.Recipient != "bob@contoso.example" || f.Status != (smtpcode.Status{5, 1, 10}) {
				t.Errorf("%+v", f)
			}
		}
	}
	if n != 1 {
		t.Errorf("%d failures", n)
	}
}
