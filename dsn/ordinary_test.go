package dsn

import (
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"strings"
	"testing"
)

// ordinaryTexts are subjects and texts of mail that reports no delivery,
// though many have the words of bounces in them.
var ordinaryTexts = []struct{ subject, text string }{
	{"Lunch on Friday?", "Hi, are you free on Friday? The place at the corner has moved.\n"},
	{"Your parcel could not be delivered", "We were unable to deliver your parcel 550-1117 today because nobody answered the door.\nPick it up at 5.1.1 Station Road, or write to service@parcel.example.\n"},
	{"Delivery failed", "The courier reports: delivery failed, recipient unknown at this address.\nContact: depot@parcel.example\n"},
	{"Order 5.7.1 returned to sender", "Your order was returned to sender. The address was incomplete. Reply to orders@shop.example.\n"},
	{"Rejected: your expense claim", "Your claim was rejected by accounting@corp.example: over quota for travel.\n"},
	{"Mailbox full of leaflets", "The mailbox is full again. Could you put a sticker on it?\n"},
	{"Undeliverable promises", "Chapter two of the book is called Undeliverable. I liked it.\n"},
	{"failure notice from the washing machine", "It shows error 550 and stops. The service man (help@wash.example) comes on Monday.\n"},
	{"Warning: disk almost full", "host db1.example.org: /var is 95% full (quota exceeded soon).\nMail admin@example.org with questions.\n"},
	{"Re: bounced cheque", "The bank returned the cheque. I told treasurer@club.example.\n"},
	{"Question about an error message", "Whenever I write to gone@example.net I get this:\n\n550 5.1.1 <gone@example.net>: Recipient address rejected: User unknown\n\nWhat does it mean?\n"},
	{"Server migration tonight", "Mail to lists.example.org will be delayed and retried for up to four hours.\nYou do not need to resend anything. Questions: postmaster-team@example.org\n"},
	{"Minutes of the mail working group", "1. The SMTP relay refuses with 554 5.7.1.\n2. user-unknown handling: b@example.org writes a draft.\n3. Undelivered mail: no news.\n"},
	{"How to read a bounce", "A report has a line such as\n\n  Final-Recipient: rfc822; somebody at example.net\n\nand a status like 5.1.1. More in the next part.\n"},
	{"Invitation: review", "You are invited to a review on Tuesday at ten. Organizer: c@example.org\n"},
	{"Password reset", "Somebody asked for a new password for a@example.org. The link works for one hour.\nIf you cannot be reached at this address, ignore this.\n"},
	{"Your invoice 421", "Invoice 421 over 450.00 is attached. Payment to billing@vendor.example failed last time; please check the card.\n"},
	{"Confirm your subscription", "Click to confirm a@example.org. If the address does not exist in our list nothing happens.\n"},
	{"Newsletter: postal history", "In 1871 letters could not be delivered for weeks. The museum (info@museum.example) shows some of them.\n"},
	{"Job failed: backup", "Job backup on host b1 failed permanently with code 554. Owner: ops@example.org\n"},
	{"Abgelehnt: Urlaubsantrag", "Ihr Antrag konnte nicht genehmigt werden. Rückfragen an personal@firma.example.\n"},
	{"Paket nicht zugestellt", "Ihr Paket konnte nicht zugestellt werden. Der Empfänger war unbekannt. Abholung ab morgen, Fragen an info@paket.example.\n"},
	{"Votre colis", "Votre colis n'a pas pu être livré. Échec de la livraison; écrivez à client@colis.example.\n"},
	{"Su pedido", "No se pudo entregar su pedido. Escriba a ayuda@tienda.example.\n"},
	{"Consegna non riuscita", "Non è stato possibile consegnare il pacco. Scriva a aiuto@pacchi.example.\n"},
	{"Pakket niet bezorgd", "Uw pakket kon niet worden bezorgd. Mail naar hulp@pakket.example.\n"},
	{"お荷物のお届けについて", "お荷物を届けられませんでした。help@takuhai.example までご連絡ください。\n"},
	{"Ваша посылка", "Посылка не может быть доставлена. Пишите на help@post.example.\n"},
	{"包裹通知", "您的包裹无法投递。请联系 help@kuaidi.example。\n"},
	{"Out of paper", "The printer on floor 2 is out of paper; the office is closed.\n"},
	{"Out of office plans", "Who is out of the office in August? Tell hr@example.org.\n"},
	{"Please confirm your message about the venue", "I got two versions. Please confirm that Hall B is right.\n"},
	{"Automatic door", "The automatic reply of the vendor says the part is not available.\n"},
	{"Returned books", "The library returned mail order books to the sender. Ask desk@library.example.\n"},
	{"Read: a book tip", "Read this if you like old postcards. It is about dead letters.\n"},
	{"Complaint about the noise", "The message of the neighbours was clear. Their address: house5@street.example\n"},
	{"Message from the headmaster", "Message from the school: term begins on the first. This message was created automatically? No, by me.\n"},
	{"Quota for saplings", "The user has exceeded the quota of saplings. Talk to forest@example.org.\n"},
	{"Access denied at gate 5", "Badge 5.7.1 was denied access. Security: gate@example.org, code 550.\n"},
	{"Delivery status of your order", "Status: delivered. Signed for by the neighbour. Thank you for shopping at shop.example.\n"},
}

// ordinaryForms are ways such a text arrives.
var ordinaryForms = []struct {
	name string
	mail func(subject, text string) string
}{
	{"a person", func(subject, text string) string {
		return "Return-Path: <a@example.org>\nFrom: Ann <a@example.org>\nTo: b@example.com\nSubject: " + subject + "\nMessage-ID: <1@example.org>\n\n" + text
	}},
	{"an answer that quotes", func(subject, text string) string {
		return "Return-Path: <b@example.com>\nFrom: b@example.com\nTo: a@example.org\nIn-Reply-To: <1@example.org>\nSubject: Re: " + subject + "\n\nSee below, I think you are right.\n\n> " + strings.ReplaceAll(text, "\n", "\n> ") + "\n"
	}},
	{"a program with an empty return path", func(subject, text string) string {
		return "Return-Path: <>\nFrom: Shop <noreply@shop.example>\nTo: b@example.com\nSubject: " + subject + "\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" +
			base64.StdEncoding.EncodeToString([]byte("<html><body><p>"+html.EscapeString(text)+"</p></body></html>")) + "\n"
	}},
	{"a list", func(subject, text string) string {
		return "Return-Path: <talk-bounces+b=example.com@lists.example>\nFrom: a@example.org\nTo: talk@lists.example\nList-Id: <talk.lists.example>\nPrecedence: list\nSubject: [talk] " + subject +
			"\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n" + text + "\n-- \ntalk mailing list\ntalk@lists.example\n"
	}},
	{"a forward with a mail attached", func(subject, text string) string {
		return "Return-Path: <a@example.org>\nFrom: a@example.org\nTo: b@example.com\nSubject: Fwd: " + subject + "\nContent-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: text/plain\n\nfor you\n--o\nContent-Type: message/rfc822\n\nFrom: c@example.net\nTo: a@example.org\nSubject: " + subject + "\n\n" + text + "\n--o--\n"
	}},
}

func TestTwoHundredOrdinaryMailsAreNoReports(t *testing.T) {
	if n := len(ordinaryTexts) * len(ordinaryForms); n != 200 {
		t.Fatalf("%d mails", n)
	}
	for _, text := range ordinaryTexts {
		for _, form := range ordinaryForms {
			for charset, subject := range map[string]string{"raw": text.subject, "encoded": "=?utf-8?B?" + base64.StdEncoding.EncodeToString([]byte(text.subject)) + "?="} {
				r, err := Read(strings.NewReader(form.mail(subject, text.text)))
				if !errors.Is(err, ErrNotReport) {
					t.Errorf("%q, %s, %s: %v %v %v", text.subject, form.name, charset, r.Kind, r.TextFormat, err)
				}
			}
		}
	}
}

func TestOrdinaryMailsAreClassed(t *testing.T) {
	want := []Author{Person, Person, Program, List, Person}
	for _, text := range ordinaryTexts {
		for i, form := range ordinaryForms {
			c := Classify(ReadHeader([]byte(form.mail(text.subject, text.text))))
			if c.Author != want[i] || c.Answer != (want[i] == Person) {
				t.Errorf("%q, %s: %+v", text.subject, form.name, c)
			}
		}
	}
}

func TestReportsAboutOtherThingsAreNoReportsAboutMail(t *testing.T) {
	// multipart/report carries other reports too (RFC 8460 section 5.3), and
	// reports on a domain's mail come as attachments (RFC 7489 section 7.2).
	for name, mail := range map[string]string{
		"tlsrpt":          "From: tls@example.net\nSubject: Report Domain: example.org\nContent-Type: multipart/report; report-type=tlsrpt; boundary=x\n\n--x\n\nA report.\n--x\nContent-Type: application/tlsrpt+gzip\nContent-Transfer-Encoding: base64\n\nH4sI\n--x--\n",
		"dmarc aggregate": "From: dmarc@example.net\nSubject: Report Domain: example.org Submitter: example.net\nContent-Type: application/zip\nContent-Transfer-Encoding: base64\n\nUEsD\n",
		"calendar reply":  "Return-Path: <>\nFrom: b@example.net\nSubject: Accepted: review\nContent-Type: text/calendar; method=REPLY\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n",
		"tracking":        "From: noreply@example.net\nSubject: Message read\nContent-Type: multipart/report; report-type=\"x-private\"; boundary=x\n\n--x\n\nSeen.\n--x--\n",
		"empty":           "",
		"no header":       "\n\nhello\n",
		"only a header":   "From: a@example.org\nSubject: hello\n",
	} {
		if r, err := Read(strings.NewReader(mail)); !errors.Is(err, ErrNotReport) {
			t.Errorf("%s: %v %v", name, r.Kind, err)
		}
	}
}

func TestGlobalKindsAreReadLikeThePlainOnes(t *testing.T) {
	// RFC 6533 sections 3 to 5: the four global types beside the plain four.
	for _, c := range []struct{ status, returned, address string }{
		{"message/delivery-status", "message/rfc822", `utf-8; j\x{FC}rgen@example.net`},
		{"message/global-delivery-status", "message/global", "utf-8; jürgen@example.net"},
		{"message/global-delivery-status", "message/global-headers", `utf-8; j\x{fc}rgen@example.net`},
		{"message/global-delivery-status", "text/rfc822-headers", "utf-8;jürgen@example.net"},
	} {
		mail := fmt.Sprintf("From: mailer-daemon@mx.example\nContent-Type: multipart/report; report-type=global-delivery-status; boundary=x\n\n--x\n\nFailed.\n--x\nContent-Type: %s\nContent-Transfer-Encoding: 8bit\n\nReporting-MTA: dns; mx.example\n\nFinal-Recipient: %s\nAction: failed\nStatus: 5.1.1\n\n--x\nContent-Type: %s\nContent-Transfer-Encoding: 8bit\n\nFrom: ü@example.org\nSubject: grüße\n\ntext\n--x--\n", c.status, c.address, c.returned)
		r, err := Read(strings.NewReader(mail))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Recipients) != 1 || r.Recipients[0].FinalRecipient.Address != "jürgen@example.net" {
			t.Errorf("%+v: %+v", c, r.Recipients)
		}
		if want := c.status == "message/global-delivery-status"; (r.Format == RFC6533) != want {
			t.Errorf("%+v: %v", c, r.Format)
		}
		if r.Returned == nil || r.Returned.Header.Get("Subject") != "grüße" || (r.Returned.Extent == Whole) != (c.returned == "message/rfc822" || c.returned == "message/global") {
			t.Errorf("%+v: %+v", c, r.Returned)
		}
	}
}
