package dsn

import "github.com/mailfault/mailfault/smtpcode"

// textFormat is how one mail system writes bounces for people. To add one,
// add a line to textFormats and a sample to textSamples, which the tests want of
// each; and to testdata/texts.tsv what is to be read out of a mail of it in the
// corpus.
type textFormat struct {
	name string
	// marks tell the format: one of them must occur in From, Subject and
	// X-Mailer ("from: ...", in lower case) and the text, blanks made one and in
	// lower case. "a & b" wants both.
	marks []string
	// textCounts says that X-Failed-Recipients may name addresses the text writes
	// otherwise, and the text counts.
	textCounts bool
	// before says that the reason stands before the address.
	before bool
	// above says that the reason may stand above the sentence that introduces the
	// addresses.
	above bool
	// transcript says that recipients stand in an SMTP dialogue alone.
	transcript bool
	// action is what became of the message where the text does not tell;
	// zero is failed.
	action smtpcode.Action
}

// textFormats is the table of formats, the first that fits counts. What a
// format shares with most needs no entry: see textLines. Sources: the programs'
// own templates (qmail-send.c, deliver.c and moan.c of Exim, bounce templates of
// Postfix, bounce.c of OpenSMTPD, dma's mail.c) and public samples.
var textFormats = []textFormat{
	{name: "amazon-sns", marks: []string{`"notificationtype":"`, `\"notificationtype\":\"`, `"eventtype":"bounce"`, `"eventtype":"deliverydelay"`}},
	{name: "biglobe", marks: []string{"----- non-delivered information -----"}},
	{name: "x2", marks: []string{"unable to deliver message to the following address(es)", "your delivery to the following address has been failed"}},
	{name: "x3", marks: []string{"<mail.delivery.system@ & this is an automatically generated delivery status notification"}},
	{name: "dragonfly", marks: []string{"this is the dragonfly mail agent"}},
	{name: "james", marks: []string{"this is the james mail server", "this is the apache james server"}},
	{name: "qmail", marks: []string{"this is the qmail-send program", "tried to deliver your message & i've given up", "qmail & failure notice & permanent error", "this is a permanent error; i've given up", "wasn't able to deliver your message to the following addresses", "message has been in the queue too long", "this is the machine generated message from mail service", "this is the mail delivery agent at", "hi. this is the "}},
	{name: "mailru", marks: []string{"автоматически сервером mail.ru"}, textCounts: true},
	{name: "google-groups", marks: []string{"groups.google.com/support", "the group you tried to contact", "google groups & x-failed-recipients"}},
	{name: "gmx", marks: []string{"mail delivery failed: returning message to sender & gmx.", "smtp error from remote server after rcpt command: host:"}},
	{name: "einsundeins", marks: []string{"kundenserver.", "1and1.com", "smtp error from remote server for text command"}},
	{name: "zoho", marks: []string{"x-mailer: zoho mail", "from: mailer-daemon@mail.zoho"}},
	{name: "mxlogic", marks: []string{"a message that you have sent could not be delivered to one or more recipients", "mxlogic.net"}},
	{name: "exim", marks: []string{"this message was created automatically by mail delivery software", "this message was created automatically by the smtp relay", "a message that you sent could not be delivered to", "a message that you sent has not yet been delivered"}, textCounts: true},
	{name: "opensmtpd", marks: []string{"this is the mailer-daemon, please do not reply"}},
	{name: "postfix-smtpd", marks: []string{"subject: postfix smtp server: errors from & transcript of session follows"}, transcript: true},
	{name: "postfix", marks: []string{"this is the postfix program at host", "this is the mail system at host", "i'm sorry to have to inform you that the message returned", "i'm sorry to have to inform you that your message could not"}},
	{name: "activehunter", marks: []string{"subject: failure notice : & the following addresses had permanent fatal errors"}},
	{name: "google", marks: []string{"google tried to deliver your message", "delivery to the following recipient failed permanently", "delivery to the following recipient has been delayed", "delivery to the following recipients failed permanently", "from: mail delivery subsystem <mailer-daemon@googlemail.com>"}},
	{name: "yahoo", marks: []string{"sorry, we were unable to deliver your message to the following address"}},
	{name: "amazon-workmail", marks: []string{"x-mailer: amazon workmail", "an error occurred while trying to deliver the mail to the following recipients"}},
	{name: "domino", marks: []string{"was not delivered to: & because:", "domino directory", "subject: delivery failure: & your message"}},
	{name: "notes", marks: []string{"------- failure reasons --------"}, before: true},
	{name: "exchange-2003", marks: []string{"did not reach the following recipient(s)", "the following recipient(s) could not be reached", "did not reach some or all of the intended recipients"}},
	{name: "microsoft", marks: []string{"delivery has failed to these recipients or groups", "diagnostic information for administrators"}},
	{name: "m-filter", marks: []string{"x-mailer: m-filter", "-------server message & -------smtp command"}},
	{name: "mailfoundry", marks: []string{"unable to deliver message to: < & delivery failed for the following reason"}},
	{name: "mimecast", marks: []string{"an email that you attempted to send to the following address could not be delivered", "subject: [postmaster] email delivery failure"}},
	{name: "trend-micro", marks: []string{"interscan messaging security suite", "interscan notification", "interscan nt alert"}},
	{name: "mcafee", marks: []string{"mcafee"}},
	{name: "mailmarshal", marks: []string{"mailmarshal"}},
	{name: "barracuda", marks: []string{"barracuda"}},
	{name: "sendgrid", marks: []string{"sendgrid"}},
	{name: "kddi", marks: []string{"your mail sent on: & could not be delivered to:"}},
	{name: "ezweb", marks: []string{"subject: mail system error - returned mail"}, above: true},
	{name: "imail", marks: []string{"x-mailer: <smtp32 v", "subject: undeliverable mail & original message follows"}},
	{name: "fml", marks: []string{"you are not a member of this mailing list", "are not member ("}},
	{name: "verizon", marks: []string{"message could not be delivered to mobile", "vtext.com & rcpt to:"}, transcript: true},
	{name: "courier", marks: []string{"this is a delivery status notification from & courier", "your message to the following recipients cannot be delivered", "unable to deliver your message to"}},
	{name: "sendmail", marks: []string{"----- the following addresses had", "----- transcript of session follows -----", "subject: returned mail:"}, transcript: true},
	{name: "powermta", marks: []string{"hello, this is the mail server on"}},
	{name: "x1", marks: []string{"---the following addresses had delivery errors---"}},
	{name: "x4", marks: []string{"your mail message to the following address(es) could not be delivered"}},
	{name: "x6", marks: []string{"we had trouble delivering your message. full details follow"}},
	{name: "mailbox-closed", marks: []string{"inbox & is no longer in use", "mailbox & is no longer in use", "email address & is no longer in use", "mailbox & is no longer active"}},
	{name: "bounce-notification", marks: []string{"automatic bounce notification"}},
}
