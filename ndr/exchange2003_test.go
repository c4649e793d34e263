package ndr

import (
	"errors"
	"testing"

	"github.com/mailfault/mailfault/smtpcode"
)

// The forms of Exchange 2000 and 2003 proper, which carry a status in angle
// brackets, and of recipients named by display name.
func TestExchange2003Forms(t *testing.T) {
	text := "Your message did not reach some or all of the intended recipients.\n\n      Subject:\tOffer\n      Sent:\t11/28/2003 9:05 AM\n\nThe following recipient(s) could not be reached:\n\n" +
		"      bob@contoso.example on 11/28/2003 9:05 AM\n            The e-mail account does not exist at the organization this message was sent to.\n            <gw.contoso.example #5.1.1 smtp;550 5.1.1 User unknown>\n\n" +
		"      carol@contoso.example on 11/28/2003 9:05 AM\n            You do not have permission to send to this recipient.\n            <gw.contoso.example #5.7.1>\n"
	n, err := ParseText(text)
	if err != nil || len(n.Recipients) != 2 || n.Layout != LayoutExchange2003 {
		t.Fatalf("%v %+v", err, n)
	}
	r := n.Recipients[0].Replies
	if len(r) != 1 || r[0].Code != 550 || r[0].Status != (smtpcode.Status{5, 1, 1}) {
		t.Errorf("%+v", r)
	}
	r = n.Recipients[1].Replies
	if len(r) != 1 || r[0].Code != 0 || r[0].Status != (smtpcode.Status{5, 7, 1}) {
		t.Errorf("%+v", r)
	}

	// The server's own status stands before a reply that has none.
	n, err = ParseText("The following recipient(s) could not be reached:\n\n      bob@contoso.example on 11/28/2003 9:05 AM\n            There was a SMTP communication problem with the recipient's email server.\n            <gw.contoso.example #5.5.0 smtp;554 Relay access denied>\n")
	if err != nil || len(n.Failures()) != 1 {
		t.Fatalf("%v %+v", err, n)
	}
	if f := n.Failures()[0]; f.Status != (smtpcode.Status{5, 5, 0}) || f.Replies[0].Code != 554 {
		t.Errorf("%+v", f)
	}

	text = "Your message\n\n  To:      bob@contoso.example\n  Subject: Offer\n  Sent:    Thu, 28 Nov 2002 09:05:03 +0000\n\ndid not reach the following recipient(s):\n\n" +
		"Bob the Builder on Thu, 28 Nov 2002 09:05:08 +0000\n    Unable to deliver the message due to a communications failure\n    MSEXCH:IMS:Contoso:HQ:GW 0 (000C05A6) Host unknown\n"
	n, err = ParseText(text)
	if err != nil || len(n.Recipients) != 1 {
		t.Fatalf("%v %+v", err, n)
	}
	if rc := n.Recipients[0]; rc.Address != "bob@contoso.example" || rc.DisplayName != "Bob the Builder" || rc.Reason != "Unable to deliver the message due to a communications failure" {
		t.Errorf("%+v", rc)
	}
}

// hMailServer and MailEnable copied Exchange's sentences: what they write about
// a recipient is theirs, and package dsn reads it.
func TestSentencesOfExchangeAloneAreNotItsLayout(t *testing.T) {
	for name, text := range map[string]string{
		"address alone": "Your message did not reach some or all of the intended recipients.\n\nThe following recipient(s) could not be reached:\n\nbob@contoso.example\n   Error Type: SMTP\n   Remote server replied: 550 No such user\n",
		"no recipient":  "The following recipient(s) could not be reached:\n\n\t[SMTP:bob@contoso.example]: Remote SMTP Server Returned: 550 No such user\n",
	} {
		if n, err := ParseText(text); !errors.Is(err, ErrNotMicrosoft) {
			t.Errorf("%s: read as %v, error %v", name, n, err)
		}
	}
}
