package dsn

import (
	"strings"
	"testing"
)

// textSamples has a mail of each format of textFormats, of our own writing in
// the shape the program has. A sample without a header gets the usual one. All
// are about gone@example.net. A format is added with a line here.
var textSamples = map[string]string{
	"amazon-sns":          `{"notificationType":"Bounce","bounce":{"bounceType":"Permanent","bouncedRecipients":[{"emailAddress":"gone@example.net","action":"failed","status":"5.1.1","diagnosticCode":"smtp; 550 5.1.1 user unknown"}]}}`,
	"biglobe":             "   ----- The following addresses had delivery problems -----\n\ngone@example.net\n\n   ----- Non-delivered information -----\n\nThe number of messages in recipient's mailbox exceeded the local limit.\n",
	"x2":                  "Unable to deliver message to the following address(es).\n\n<gone@example.net>:\nThis user doesn't have an account here\n",
	"x3":                  "From: Mail Delivery System <Mail.Delivery.System@mx.example.org>\nSubject: Delivery status notification\n\n  This is an automatically generated Delivery Status Notification.\n\nDelivery to the following recipients failed permanently:\n\n    * gone@example.net\n\nReason:\n    * mx.example.net said: 550 5.1.1 user unknown\n",
	"dragonfly":           "Subject: Mail delivery failed\n\nThis is the DragonFly Mail Agent v0.13 at mx.example.org.\n\nThere was an error delivering your mail to <gone@example.net>.\n\nmx.example.net [192.0.2.1] did not like our RCPT TO:\n550 5.1.1 user unknown\n\nMessage headers follow.\n\nReceived: from a.example\nFrom: sender@example.com\n",
	"qmail":               "Hi. This is the qmail-send program at mx.example.org.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<gone@example.net>:\nSorry, no mailbox here by that name. (#5.1.1)\n",
	"mailru":              "Это письмо создано автоматически сервером Mail.Ru, отвечать на него не нужно.\n\nК сожалению, Ваше письмо не может быть доставлено одному или нескольким получателям:\n\n**********************\n\ngone@example.net\nhost mx.example.net [192.0.2.1]: 550 user not found\n",
	"google-groups":       "X-Failed-Recipients: gone@example.net\n\nHello sender@example.com,\n\nWe're writing to let you know that the group you tried to contact (gone) may not exist. Help is at https://groups.google.com/support/.\n",
	"gmx":                 "This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of\nits recipients. This is a permanent error. The following address\nfailed:\n\ngone@example.net:\nSMTP error from remote server after RCPT command:\nhost: mx.example.net\n5.1.1 user unknown\n",
	"einsundeins":         "From: Mail Delivery System <mailer-daemon@kundenserver.example>\nSubject: Mail delivery failed\n\nYour message could not be delivered to the following recipient:\n\ngone@example.net:\nmailbox is full\n\nThe header of the original message is following:\n\nFrom: sender@example.com\n",
	"zoho":                "X-Mailer: Zoho Mail\n\nThis message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its recipients. This is a permanent error.\n\ngone@example.net Invalid Address, ERROR_CODE :550, ERROR_CODE :5.1.1 user unknown\n",
	"mxlogic":             "A message that you have sent could not be delivered to one or more recipients.\n\n<gone@example.net>: 550 5.1.1 user unknown\n",
	"exim":                "X-Failed-Recipients: gone@example.net\n\nThis message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  gone@example.net\n    host mx.example.net [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<gone@example.net>:\n    550 5.1.1 user unknown\n",
	"opensmtpd":           "    Hi!\n\n    This is the MAILER-DAEMON, please DO NOT REPLY to this e-mail.\n\n    An error has occurred while attempting to deliver a message for\n    the following list of recipients:\n\ngone@example.net: 550 5.1.1 user unknown\n",
	"postfix-smtpd":       "Subject: Postfix SMTP server: errors from a.example[192.0.2.1]\n\nTranscript of session follows.\n\n Out: 220 mx.example.org ESMTP Postfix\n In:  MAIL FROM:<sender@example.com>\n Out: 250 2.1.0 Ok\n In:  RCPT TO:<gone@example.net>\n Out: 451 4.3.0 <gone@example.net>: Temporary lookup failure\n\nSession aborted, reason: lost connection\n",
	"postfix":             "This is the mail system at host mx.example.org.\n\nI'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients. It's attached below.\n\n<gone@example.net>: host mx.example.net[192.0.2.1] said: 550 5.1.1 user unknown\n    (in reply to RCPT TO command)\n",
	"activehunter":        "Subject: FAILURE NOTICE :\n\nSorry, I was unable to deliver your mail.\n\n   ----- The following addresses had permanent fatal errors -----\n\n>>> gone@example.net <gone@example.net>\n\n550 5.1.1 user unknown\n",
	"google":              "From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nSubject: Delivery Status Notification (Failure)\nX-Failed-Recipients: gone@example.net\n\nDelivery to the following recipient failed permanently:\n\n     gone@example.net\n\nTechnical details of permanent failure:\nGoogle tried to deliver your message, but it was rejected by the server for the recipient domain example.net by mx.example.net. [192.0.2.1].\n\nThe error that the other server returned was:\n550 5.1.1 user unknown\n",
	"yahoo":               "Sorry, we were unable to deliver your message to the following address.\n\n<gone@example.net>:\nRemote host said: 550 5.1.1 user unknown [RCPT_TO]\n",
	"amazon-workmail":     "X-Mailer: Amazon WorkMail\n\nAn error occurred while trying to deliver the mail to the following recipients:\n\ngone@example.net\n",
	"domino":              "Subject: DELIVERY FAILURE: User gone (gone@example.net) not listed in Domino Directory\n\nYour message\n\n  Subject: hello\n\nwas not delivered to:\n\n  gone@example.net\n\nbecause:\n\n  User gone (gone@example.net) not listed in Domino Directory\n",
	"notes":               "------- Failure Reasons  --------\n\nUser not listed in public Name & Address Book\ngone@example.net\n\n------- Returned Message --------\n\nReceived: from a.example\n",
	"exchange-2003":       "From: System Administrator <postmaster@mx.example.org>\nSubject: Undeliverable: hello\n\nYour message did not reach some or all of the intended recipients.\n\n      Subject: hello\n\nThe following recipient(s) could not be reached:\n\n      gone@example.net on 3/9/2026 8:05 AM\n            The e-mail account does not exist at the organization this message was sent to.\n            <mx.example.org #5.1.1>\n",
	"microsoft":           "From: postmaster@mx.example.org\nSubject: Undeliverable: hello\n\nDelivery has failed to these recipients or groups:\n\ngone@example.net\nThe address you entered couldn't be found.\n\nDiagnostic information for administrators:\n\nGenerating server: mx.example.org\n\ngone@example.net\n#550 5.1.1 user unknown ##\n",
	"m-filter":            "X-Mailer: m-FILTER\n\n-------SERVER MESSAGE\n<gone@example.net>: 550 5.1.1 user unknown\n-------SMTP command\nDATA\n-------original mail info\n",
	"mailfoundry":         "Unable to deliver message to: <gone@example.net>\nDelivery failed for the following reason:\nServer mx.example.net[192.0.2.1] failed with: 550 5.1.1 user unknown\n",
	"mimecast":            "Subject: [Postmaster] Email Delivery Failure\n\nAn email that you attempted to send to the following address could not be delivered:\n\n*   gone@example.net\n\nThe problem appears to be :\n-- Recipient email address is possibly incorrect\n\nAdditional information follows :\n-- 550 5.1.1 user unknown\n",
	"trend-micro":         "From: InterScan MSS <postmaster@mx.example.org>\nSubject: Mail could not be delivered\n\nSent <<< RCPT TO:<gone@example.net>\nReceived >>> 550 5.1.1 <gone@example.net>: user unknown\n\nThis is an InterScan Messaging Security Suite notice: unable to deliver to <gone@example.net>.\n",
	"mcafee":              "Subject: Delivery failure notice\n\nMcAfee Email Gateway: your message could not be delivered to the following addresses:\n\n<gone@example.net>: 550 5.1.1 user unknown\n",
	"mailmarshal":         "Subject: Undeliverable mail\n\nMailMarshal was unable to deliver your message to the following recipients:\n\n   gone@example.net\n\nReason: 550 5.1.1 user unknown\n",
	"barracuda":           "Subject: Undeliverable mail\n\nThis Barracuda gateway could not deliver your message to the following recipients:\n\n<gone@example.net>: 550 5.1.1 user unknown\n",
	"sendgrid":            "Subject: Delivery failure\n\nSendGrid could not deliver your message to the following recipient:\n\n<gone@example.net>: 550 5.1.1 user unknown\n",
	"kddi":                "Subject: Undeliverable\n\nYour mail sent on: Tue, 3 Mar 2026 10:00:00 +0900\n     Could not be delivered to: <gone@example.net>\n     As their mailbox is full.\n",
	"ezweb":               "Subject: Mail System Error - Returned Mail\n\nThe user(s) account is disabled.\n\n<gone@example.net>: 550 user unknown\n",
	"imail":               "Subject: Undeliverable Mail\nX-Mailer: <SMTP32 v8.22>\n\nunknown user: gone@example.net\n\nOriginal message follows.\n\nFrom: sender@example.com\n",
	"fml":                 "Subject: fml error: not a member\n\nYou are not a member of this mailing list <list@example.org>.\n\nThe following address could not be delivered to:\n\n<gone@example.net>: not a member\n",
	"verizon":             "Subject: Undeliverable Message\n\nError: message could not be delivered to mobile.\n\nMAIL FROM:<sender@example.com>\nRCPT TO:<gone@example.net>\n550 user unknown\n",
	"courier":             "Subject: NOTICE: mail delivery status.\n\nThis is a delivery status notification from mx.example.org,\nrunning the Courier mail server.\n\nYour message to the following recipients cannot be delivered:\n\n<gone@example.net>:\n    mx.example.net [192.0.2.1]:\n>>> RCPT TO:<gone@example.net>\n<<< 550 5.1.1 user unknown\n",
	"sendmail":            "Subject: Returned mail: see transcript for details\n\n   ----- The following addresses had permanent fatal errors -----\n<gone@example.net>\n    (reason: 550 5.1.1 user unknown)\n\n   ----- Transcript of session follows -----\n... while talking to mx.example.net.:\n>>> DATA\n<<< 550 5.1.1 user unknown\n550 5.1.1 <gone@example.net>... User unknown\n",
	"x1":                  "---The following addresses had delivery errors---\n\ngone@example.net [User unknown]\n",
	"x4":                  "Your mail message to the following address(es) could not be delivered. This\nis a permanent error.\n\n<gone@example.net>:\nThis user doesn't have an account here\n",
	"x6":                  "Subject: There was an error sending your mail\n\nWe had trouble delivering your message. Full details follow:\n\nSubject: 'hello'\n\n1 error(s):\n\nSMTP Server <mx.example.net> rejected recipient <gone@example.net> (Error following RCPT command). It responded as follows: [550 5.1.1 user unknown]\n",
	"powermta":            "Hello, this is the mail server on mta1.example.org.\n\nThis tells what became of a message you sent. The affected recipients:\n\n  <gone@example.net>  delivery failed; will not continue trying\n",
	"james":               "Hi. This is the James mail server at mx.example.org.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\ngone@example.net\n550 5.1.1 user unknown\n",
	"mailbox-closed":      "From: postmaster@example.net\nSubject: Failed delivery\n\nThe email address gone@example.net is no longer in use. Your message was not delivered to gone@example.net.\n",
	"bounce-notification": "Subject: Undeliverable\n\nAutomatic bounce notification\n\nThe following addresses had delivery problems:\n\n<gone@example.net>: 550 5.1.1 user unknown\n",
}

// sampleMail gives a sample the header fields it lacks.
func sampleMail(sample string) string {
	header, _, ok := strings.Cut(sample, "\n\n")
	if first, _, _ := strings.Cut(header, ":"); !ok || strings.ContainsAny(first, " \n") || strings.HasPrefix(sample, "{") || strings.HasPrefix(sample, "-") {
		sample = "\n" + sample
	}
	if !strings.HasPrefix(sample, "From: ") {
		sample = "From: Mail Delivery System <MAILER-DAEMON@mx.example.org>\n" + sample
	}
	return "Return-Path: <>\nTo: sender@example.com\n" + sample
}

// TestEachTextFormatHasASample holds the table of formats and the samples
// against each other. Without its entry in the table a sample is told as
// another format, or as generic: the name shows that the entry is at work.
func TestEachTextFormatHasASample(t *testing.T) {
	names := map[string]bool{}
	for _, format := range textFormats {
		names[format.name] = true
		sample := textSamples[format.name]
		if sample == "" {
			t.Errorf("%s: no sample", format.name)
			continue
		}
		r, err := Read(strings.NewReader(sampleMail(sample)))
		if err != nil {
			t.Errorf("%s: %v", format.name, err)
			continue
		}
		if r.TextFormat != format.name {
			t.Errorf("%s: told as %q", format.name, r.TextFormat)
		}
		if len(r.Recipients) != 1 || r.Recipients[0].FinalRecipient.Address != "gone@example.net" {
			t.Errorf("%s: recipients %+v", format.name, r.Recipients)
		}
	}
	for name := range textSamples {
		if !names[name] {
			t.Errorf("%s: a sample of no format", name)
		}
	}
}
