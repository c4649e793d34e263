package smtpcode

// Registered is what the IANA registry "SMTP Enhanced Status Codes" (RFC 5248)
// holds of one subject and detail.
type Registered struct {
	Name        string `json:"name"`        // sample text as registered; "" for the deprecated X.6.10 alone
	Codes       string `json:"codes"`       // basic reply codes it goes with, as registered: "451, 550"; "" where none are given
	Description string `json:"description"` // in our words
	Reference   string `json:"reference"`   // as registered, such as "RFC 7372; RFC 7208"
}

// Registered returns the registry's entry for the subject and detail of s; ok
// is false for a code that is not registered. The registry lists codes for any
// class, though some make sense with one class only.
func (s Status) Registered() (entry Registered, ok bool) {
	if s.IsZero() {
		return Registered{}, false
	}
	entry, ok = registry[[2]int{s[1], s[2]}]
	return entry, ok
}

// registry holds all 81 registered subjects and details, compared line by line
// with IANA's CSV of after RFC 8689 (November 2019). The edition of 2024-12-06
// was not at hand in full; code that reads it counts 81 too.
var registry = map[[2]int]Registered{
	{0, 0}:  {"Other undefined Status", "Any", "nothing more is known than the class", "RFC 3463"},
	{1, 0}:  {"Other address status", "", "something about an address, not said what", "RFC 3463"},
	{1, 1}:  {"Bad destination mailbox address", "451, 550", "the part left of the @ names no mailbox there", "RFC 3463"},
	{1, 2}:  {"Bad destination system address", "", "the part right of the @ names no system that takes mail", "RFC 3463"},
	{1, 3}:  {"Bad destination mailbox address syntax", "501", "the address is malformed", "RFC 3463"},
	{1, 4}:  {"Destination mailbox address ambiguous", "", "the address fits several recipients", "RFC 3463"},
	{1, 5}:  {"Destination address valid", "250", "used in reports of success", "RFC 3463"},
	{1, 6}:  {"Destination mailbox has moved, No forwarding address", "", "the address was valid once and takes no mail any longer", "RFC 3463"},
	{1, 7}:  {"Bad sender's mailbox address syntax", "", "the sender's address is malformed", "RFC 3463"},
	{1, 8}:  {"Bad sender's system address", "451, 501", "the sender's domain does not exist or takes no mail in return", "RFC 3463"},
	{1, 9}:  {"Message relayed to non-compliant mailer", "", "the address was valid; the message was passed on to a system that reports no further", "RFC 3886"},
	{1, 10}: {"Recipient address has null MX", "556", "the recipient's domain takes no mail", "RFC 7505; RFC 7504"},
	{2, 0}:  {"Other or undefined mailbox status", "", "something about the mailbox, not said what", "RFC 3463"},
	{2, 1}:  {"Mailbox disabled, not accepting messages", "", "the mailbox exists and is switched off", "RFC 3463"},
	{2, 2}:  {"Mailbox full", "552", "the mailbox is over its quota", "RFC 3463"},
	{2, 3}:  {"Message length exceeds administrative limit", "552", "the message is too large for this mailbox", "RFC 3463"},
	{2, 4}:  {"Mailing list expansion problem", "450, 452", "the list could not be expanded", "RFC 3463"},
	{3, 0}:  {"Other or undefined mail system status", "221, 250, 421, 451, 550, 554", "something about the destination system, not said what", "RFC 3463"},
	{3, 1}:  {"Mail system full", "452", "the system's storage is full", "RFC 3463"},
	{3, 2}:  {"System not accepting network messages", "453, 521", "the system is down for mail at the moment", "RFC 3463; RFC 7504"},
	{3, 3}:  {"System not capable of selected features", "", "the system lacks a feature the message needs", "RFC 3463"},
	{3, 4}:  {"Message too big for system", "552, 554", "the message is larger than the system takes", "RFC 3463"},
	{3, 5}:  {"System incorrectly configured", "", "the system is set up so that it cannot take the message", "RFC 3463"},
	{3, 6}:  {"Requested priority was changed", "250 or 251", "the message was accepted with another priority", "RFC 6710"},
	{4, 0}:  {"Other or undefined network or routing status", "", "something about the network, not said what", "RFC 3463"},
	{4, 1}:  {"No answer from host", "451", "the connection was not answered", "RFC 3463"},
	{4, 2}:  {"Bad connection", "421", "the connection broke off", "RFC 3463"},
	{4, 3}:  {"Directory server failure", "451, 550", "a directory such as DNS gave no answer", "RFC 3463"},
	{4, 4}:  {"Unable to route", "", "no next hop could be found", "RFC 3463"},
	{4, 5}:  {"Mail system congestion", "451", "the system is overloaded", "RFC 3463"},
	{4, 6}:  {"Routing loop detected", "", "the message went in circles", "RFC 3463"},
	{4, 7}:  {"Delivery time expired", "", "the message was tried for too long", "RFC 3463"},
	{5, 0}:  {"Other or undefined protocol status", "220, 250, 251, 252, 253, 451, 452, 454, 458, 459, 501, 502, 503, 554", "something about the protocol, not said what", "RFC 3463"},
	{5, 1}:  {"Invalid command", "430, 500, 501, 503, 530, 550, 554, 555", "a command was out of order or not supported", "RFC 3463"},
	{5, 2}:  {"Syntax error", "500, 501, 502, 550, 555", "a command was malformed", "RFC 3463"},
	{5, 3}:  {"Too many recipients", "451", "the message has more recipients than allowed", "RFC 3463"},
	{5, 4}:  {"Invalid command arguments", "451, 501, 502, 503, 504, 550, 555", "a command's arguments were not valid", "RFC 3463"},
	{5, 5}:  {"Wrong protocol version", "", "the protocol versions do not fit", "RFC 3463"},
	{5, 6}:  {"Authentication Exchange line is too long", "500", "a line of the login was too long", "RFC 4954"},
	{6, 0}:  {"Other or undefined media error", "", "something about the content, not said what", "RFC 3463"},
	{6, 1}:  {"Media not supported", "", "the kind of content is not supported", "RFC 3463"},
	{6, 2}:  {"Conversion required and prohibited", "", "the content had to be converted and may not be", "RFC 3463"},
	{6, 3}:  {"Conversion required but not supported", "554", "the content had to be converted and cannot be", "RFC 3463"},
	{6, 4}:  {"Conversion with loss performed", "250", "the content was converted and lost something", "RFC 3463"},
	{6, 5}:  {"Conversion Failed", "", "the conversion failed", "RFC 3463"},
	{6, 6}:  {"Message content not available", "554", "the content could not be fetched from a remote system", "RFC 4468"},
	{6, 7}:  {"Non-ASCII addresses not permitted for that sender/recipient", "553, 550", "the address of MAIL or RCPT is not ASCII, which is not permitted", "RFC 6531"},
	{6, 8}:  {"UTF-8 string reply is required, but not permitted by the SMTP client", "252, 553, 550", "the reply would need UTF-8 that the client did not allow", "RFC 6531"},
	{6, 9}:  {"UTF-8 header message cannot be transferred to one or more recipients, so the message must be rejected", "550", "refused after the end of DATA: a recipient's system does not take UTF-8 header fields", "RFC 6531"},
	{6, 10}: {"", "", "deprecated: a duplicate of X.6.8", "RFC 6531"},
	{7, 0}:  {"Other or undefined security status", "220, 235, 450, 454, 500, 501, 503, 504, 530, 535, 550", "a security rule, not said which", "RFC 3463"},
	{7, 1}:  {"Delivery not authorized, message refused", "451, 454, 502, 503, 533, 550, 551", "the sender may not send to this recipient", "RFC 3463"},
	{7, 2}:  {"Mailing list expansion prohibited", "550", "the sender may not send to the list", "RFC 3463"},
	{7, 3}:  {"Security conversion required but not possible", "", "a conversion between security systems was needed", "RFC 3463"},
	{7, 4}:  {"Security features not supported", "504", "the system lacks a security feature", "RFC 3463"},
	{7, 5}:  {"Cryptographic failure", "", "decryption or verification failed", "RFC 3463"},
	{7, 6}:  {"Cryptographic algorithm not supported", "", "the algorithm is not supported", "RFC 3463"},
	{7, 7}:  {"Message integrity failure", "", "the message was changed on its way", "RFC 3463"},
	{7, 8}:  {"Authentication credentials invalid", "535, 554", "user name or password is wrong", "RFC 4954"},
	{7, 9}:  {"Authentication mechanism is too weak", "534", "the login needs a stronger mechanism", "RFC 4954"},
	{7, 10}: {"Encryption Needed", "523", "the login needs an encrypted connection, or a stronger mechanism", "RFC 5248"},
	{7, 11}: {"Encryption required for requested authentication mechanism", "524, 538", "this mechanism needs an encrypted connection", "RFC 4954"},
	{7, 12}: {"A password transition is needed", "422, 432", "the user has to log in once another way before this mechanism works", "RFC 4954"},
	{7, 13}: {"User Account Disabled", "525", "the password was right, but an administrator has disabled the user's account", "RFC 5248"},
	{7, 14}: {"Trust relationship required", "535, 554", "the submission server needs a trust relationship with a third server to fetch the content", "RFC 5248"},
	{7, 15}: {"Priority Level is too low", "450, 550 (other 4XX or 5XX codes are allowed)", "the message's priority is below the lowest that is taken now", "RFC 6710"},
	{7, 16}: {"Message is too big for the specified priority", "552 (other 4XX or 5XX codes are allowed)", "large messages of this priority are not taken now", "RFC 6710"},
	{7, 17}: {"Mailbox owner has changed", "5XX", "the mailbox has had another owner since the sender knew it", "RFC 7293"},
	{7, 18}: {"Domain owner has changed", "5XX", "the domain has had another owner since the sender knew it", "RFC 7293"},
	{7, 19}: {"RRVS test cannot be completed", "5XX", "the receiver did not record what it needs to tell whether the owner changed", "RFC 7293"},
	{7, 20}: {"No passing DKIM signature found", "550", "no DKIM signature passed", "RFC 7372; RFC 6376"},
	{7, 21}: {"No acceptable DKIM signature found", "550", "signatures passed, none that the receiver accepts", "RFC 7372; RFC 6376"},
	{7, 22}: {"No valid author-matched DKIM signature found", "550", "signatures passed, none of the author's domain", "RFC 7372; RFC 6376"},
	{7, 23}: {"SPF validation failed", "550", "SPF failed", "RFC 7372; RFC 7208"},
	{7, 24}: {"SPF validation error", "451/550", "SPF could not be evaluated", "RFC 7372; RFC 7208"},
	{7, 25}: {"Reverse DNS validation failed", "550", "the client's address has no valid reverse name", "RFC 7372 section 3.3"},
	{7, 26}: {"Multiple authentication checks failed", "550", "more than one authentication check failed", "RFC 7372"},
	{7, 27}: {"Sender address has null MX", "550", "the sender's domain takes no mail in return", "RFC 7505"},
	{7, 28}: {"Mail flood detected", "", "the message looks like part of a flood of similar abusive mail", "draft-levine-mailbomb-header"},
	{7, 29}: {"ARC validation failure", "550", "the ARC chain does not verify", "RFC 8617"},
	{7, 30}: {"REQUIRETLS support required", "550", "no server the message could go to offers the REQUIRETLS that it demands", "RFC 8689"},
}
