package smtpcode

// Registered is what the IANA registry of enhanced mail system status codes
// (RFC 5248) holds of one code, in our words.
type Registered struct {
	Name        string // as registered
	Description string
	Reference   string // the RFC that registered it
}

// Registered returns the registry's entry for the subject and detail of s; ok
// is false for a code that our table does not have. The registry lists codes without
// regard to the class, except that a few are said of one class alone.
func (s Status) Registered() (entry Registered, ok bool) {
	if s.IsZero() {
		return Registered{}, false
	}
	entry, ok = registry[[2]int{s[1], s[2]}]
	return entry, ok
}

// registry holds registered subjects and details. It has not been compared with
// the registry's current edition (2024-12-06) yet: entries may be missing, and
// names and references are to be checked against it.
var registry = map[[2]int]Registered{
	{0, 0}:  {"Other undefined Status", "nothing more is known than the class", "RFC 3463"},
	{1, 0}:  {"Other address status", "something about an address, not said what", "RFC 3463"},
	{1, 1}:  {"Bad destination mailbox address", "the part left of the @ names no mailbox there", "RFC 3463"},
	{1, 2}:  {"Bad destination system address", "the part right of the @ names no system that takes mail", "RFC 3463"},
	{1, 3}:  {"Bad destination mailbox address syntax", "the address is malformed", "RFC 3463"},
	{1, 4}:  {"Destination mailbox address ambiguous", "the address fits several recipients", "RFC 3463"},
	{1, 5}:  {"Destination address valid", "used in reports of success", "RFC 3463"},
	{1, 6}:  {"Destination mailbox has moved, No forwarding address", "the address was valid once and mail for it is not forwarded", "RFC 3463"},
	{1, 7}:  {"Bad sender's mailbox address syntax", "the sender's address is malformed", "RFC 3463"},
	{1, 8}:  {"Bad sender's system address", "the sender's domain does not exist or takes no mail in return", "RFC 3463"},
	{1, 9}:  {"Message relayed to non-compliant mailer", "passed on to a system that sends no such notices", "RFC 5248"},
	{1, 10}: {"Recipient address has null MX", "the recipient's domain takes no mail", "RFC 7505"},
	{2, 0}:  {"Other or undefined mailbox status", "something about the mailbox, not said what", "RFC 3463"},
	{2, 1}:  {"Mailbox disabled, not accepting messages", "the mailbox exists and is switched off", "RFC 3463"},
	{2, 2}:  {"Mailbox full", "the mailbox is over its quota", "RFC 3463"},
	{2, 3}:  {"Message length exceeds administrative limit", "the message is too large for this mailbox", "RFC 3463"},
	{2, 4}:  {"Mailing list expansion problem", "the list could not be expanded", "RFC 3463"},
	{3, 0}:  {"Other or undefined mail system status", "something about the destination system, not said what", "RFC 3463"},
	{3, 1}:  {"Mail system full", "the system's storage is full", "RFC 3463"},
	{3, 2}:  {"System not accepting network messages", "the system is down for mail at the moment", "RFC 3463"},
	{3, 3}:  {"System not capable of selected features", "the system lacks a feature the message needs", "RFC 3463"},
	{3, 4}:  {"Message too big for system", "the message is larger than the system takes", "RFC 3463"},
	{3, 5}:  {"System incorrectly configured", "the system is set up so that it cannot take the message", "RFC 3463"},
	{3, 6}:  {"Requested priority was changed", "the message was accepted with another priority", "RFC 6710"},
	{4, 0}:  {"Other or undefined network or routing status", "something about the network, not said what", "RFC 3463"},
	{4, 1}:  {"No answer from host", "the connection was not answered", "RFC 3463"},
	{4, 2}:  {"Bad connection", "the connection broke off", "RFC 3463"},
	{4, 3}:  {"Directory server failure", "a directory such as DNS gave no answer", "RFC 3463"},
	{4, 4}:  {"Unable to route", "no next hop could be found", "RFC 3463"},
	{4, 5}:  {"Mail system congestion", "the system is overloaded", "RFC 3463"},
	{4, 6}:  {"Routing loop detected", "the message went in circles", "RFC 3463"},
	{4, 7}:  {"Delivery time expired", "the message was tried for too long", "RFC 3463"},
	{5, 0}:  {"Other or undefined protocol status", "something about the protocol, not said what", "RFC 3463"},
	{5, 1}:  {"Invalid command", "a command was out of order or not supported", "RFC 3463"},
	{5, 2}:  {"Syntax error", "a command was malformed", "RFC 3463"},
	{5, 3}:  {"Too many recipients", "the message has more recipients than allowed", "RFC 3463"},
	{5, 4}:  {"Invalid command arguments", "a command's arguments were not valid", "RFC 3463"},
	{5, 5}:  {"Wrong protocol version", "the protocol versions do not fit", "RFC 3463"},
	{5, 6}:  {"Authentication Exchange line is too long", "a line of the login was too long", "RFC 4954"},
	{6, 0}:  {"Other or undefined media error", "something about the content, not said what", "RFC 3463"},
	{6, 1}:  {"Media not supported", "the kind of content is not supported", "RFC 3463"},
	{6, 2}:  {"Conversion required and prohibited", "the content had to be converted and may not be", "RFC 3463"},
	{6, 3}:  {"Conversion required but not supported", "the content had to be converted and cannot be", "RFC 3463"},
	{6, 4}:  {"Conversion with loss performed", "the content was converted and lost something", "RFC 3463"},
	{6, 5}:  {"Conversion Failed", "the conversion failed", "RFC 3463"},
	{6, 6}:  {"Message content not available", "content that the message refers to could not be fetched", "RFC 4468"},
	{6, 7}:  {"Non-ASCII addresses not permitted for that sender/recipient", "the address needs SMTPUTF8 and the system does not offer it", "RFC 6531"},
	{6, 8}:  {"UTF-8 string reply is required, but not permitted by the SMTP client", "the reply would need UTF-8 that the client did not allow", "RFC 6531"},
	{6, 9}:  {"UTF-8 header message cannot be transferred to one or more recipients", "the message has UTF-8 fields that a recipient's system does not take", "RFC 6531"},
	{7, 0}:  {"Other or undefined security status", "a security rule, not said which", "RFC 3463"},
	{7, 1}:  {"Delivery not authorized, message refused", "the sender may not send to this recipient", "RFC 3463"},
	{7, 2}:  {"Mailing list expansion prohibited", "the sender may not send to the list", "RFC 3463"},
	{7, 3}:  {"Security conversion required but not possible", "a conversion between security systems was needed", "RFC 3463"},
	{7, 4}:  {"Security features not supported", "the system lacks a security feature", "RFC 3463"},
	{7, 5}:  {"Cryptographic failure", "decryption or verification failed", "RFC 3463"},
	{7, 6}:  {"Cryptographic algorithm not supported", "the algorithm is not supported", "RFC 3463"},
	{7, 7}:  {"Message integrity failure", "the message was changed on its way", "RFC 3463"},
	{7, 8}:  {"Authentication credentials invalid", "user name or password is wrong", "RFC 4954"},
	{7, 9}:  {"Authentication mechanism is too weak", "the login needs a stronger mechanism", "RFC 4954"},
	{7, 10}: {"Encryption Needed", "the login needs an encrypted connection first", "RFC 5248"},
	{7, 11}: {"Encryption required for requested authentication mechanism", "this mechanism needs an encrypted connection", "RFC 4954"},
	{7, 12}: {"A password transition is needed", "the password has to be changed first", "RFC 4954"},
	{7, 13}: {"User Account Disabled", "the sender's account is disabled", "RFC 5248"},
	{7, 14}: {"Trust relationship required", "the submission server needs a trust it does not have", "RFC 5248"},
	{7, 15}: {"Priority Level is too low", "the message's priority is below what is taken now", "RFC 6710"},
	{7, 16}: {"Message is too big for the specified priority", "large messages of this priority are not taken now", "RFC 6710"},
	{7, 17}: {"Mailbox owner has changed", "the mailbox has had another owner since the sender knew it", "RFC 7293"},
	{7, 18}: {"Domain owner has changed", "the domain has had another owner since the sender knew it", "RFC 7293"},
	{7, 19}: {"RRVS test cannot be completed", "whether the owner changed could not be found out", "RFC 7293"},
	{7, 20}: {"No passing DKIM signature found", "no DKIM signature passed", "RFC 7372"},
	{7, 21}: {"No acceptable DKIM signature found", "signatures passed, none that the receiver accepts", "RFC 7372"},
	{7, 22}: {"No valid author-matched DKIM signature found", "signatures passed, none of the author's domain", "RFC 7372"},
	{7, 23}: {"SPF validation failed", "SPF failed", "RFC 7372"},
	{7, 24}: {"SPF validation error", "SPF could not be evaluated", "RFC 7372"},
	{7, 25}: {"Reverse DNS validation failed", "the client's address has no valid reverse name", "RFC 7372"},
	{7, 26}: {"Multiple authentication checks failed", "more than one authentication check failed", "RFC 7372"},
	{7, 27}: {"Sender address has null MX", "the sender's domain takes no mail in return", "RFC 7505"},
	{7, 28}: {"Mail flood detected", "the traffic looks like a flood of mail", "IANA registry"},
	{7, 29}: {"ARC validation failure", "the ARC chain does not verify", "RFC 8617"},
	{7, 30}: {"REQUIRETLS support required", "the next hop does not offer REQUIRETLS", "RFC 8689"},
}
