package smtpcode

// messageConditions are refusals for the message's own form, and for mailboxes
// that left the common states.
var messageConditions = []meaning{
	{id: "header-invalid", summary: "A header field of the message is missing, doubled or malformed.", owners: []Party{SenderAdmin, Sender}, steps: []Step{{SenderAdmin, "Correct the program that writes the header: one From, Date, Subject and Message-ID each, encoded as RFC 2047 asks."}, {Sender, "Send the text from another mail program."}}, resend: unchanged, address: Keep, source: "RFC 5322 section 3.6; " + googleCodes},
	{id: "too-many-attachments", summary: "The message has more attachments than the receiver allows.", owners: []Party{Sender}, steps: []Step{{Sender, "Send fewer files, or one archive, or a link."}}, resend: unchanged, address: Keep, source: googleCodes},
	{id: "line-too-long", summary: "A line of the message is longer than SMTP allows.", owners: []Party{SenderAdmin}, steps: []Step{{SenderAdmin, "Have the sending program fold header lines and encode the body so that no line exceeds 998 bytes."}}, resend: unchanged, address: Keep, source: "RFC 5321 section 4.5.3.1.6"},
	{id: "smtputf8-unsupported", summary: "The address has letters outside ASCII and the next server does not support that.", owners: []Party{Sender, RecipientAdmin}, steps: []Step{{Sender, "Ask the recipient for an address in plain ASCII."}, {RecipientAdmin, "Switch SMTPUTF8 on."}}, resend: unchanged, address: Keep, source: "RFC 6531 section 3.5; IANA codes X.6.7 and X.6.9"},
	{id: "mailbox-inactive", summary: "The mailbox has not been used for long and takes no mail.", owners: []Party{Recipient}, steps: []Step{{Sender, "Reach the recipient another way; stop mailing the address until they confirm it."}, {Recipient, "Log in to the mailbox to bring it back."}}, resend: unchanged, address: Suspend, side: SideRecipient, source: googleCodes},
	{id: "mailbox-suspended", summary: "The operator has suspended the recipient's account.", owners: []Party{Recipient, Platform}, steps: []Step{{Sender, "Reach the recipient another way; stop mailing the address until they confirm it."}, {Recipient, "Ask the operator why the account is suspended."}, {Platform, "Open the account again once its owner has settled the reason."}}, resend: unchanged, address: Suspend, side: SideRecipient, source: "AT&T error message summary, rbl.att.net"},
}
