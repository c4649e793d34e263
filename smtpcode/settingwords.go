package smtpcode

// What a word is in a sentence.
type wordKind uint8

const (
	negates  wordKind = 1 << iota // denies what follows
	fills                         // stands between a negation and what it denies
	heads                         // belongs to what a sentence is about
	sends                         // means the sending side
	supposes                      // what follows is not said to be so
	quotes                        // words of the message follow
)

// settingWords is the table of the words that make a setting.
var settingWords = []struct {
	kind  wordKind
	words []string
}{
	{negates, []string{"not", "no", "never", "nor", "n't", "n\u2019t", "isnt", "nicht", "kein", "keine", "keiner", "keinen", "nie",
		"pas", "aucun", "aucune", "niet", "geen", "non", "não", "nao", "nessun", "nessuna", "не"}},
	{supposes, []string{"if", "unless", "falls", "wenn"}},
	{quotes, []string{"subject"}},
	{sends | heads, []string{"sender", "sender's", "sender\u2019s", "senders", "return-path", "client", "client's", "helo", "ehlo",
		"absender", "absenders", "expéditeur", "expediteur", "remitente", "mittente", "remetente", "afzender"}},
	{sends | heads | fills, []string{"your"}},
	{sends, []string{"from"}},
	{fills | heads, []string{"a", "an", "the", "be", "been", "is", "are", "was", "in", "on", "at",
		"ist", "est", "está", "esta", "è", "jest"}},
	{fills, []string{"any", "yet", "currently", "listed", "found", "considered", "identified", "classified", "detected", "marked", "flagged", "as",
		"contain", "contains", "to", "our", "look", "looks", "longer", "auf", "einer", "einem", "eine", "der", "den", "die", "als", "sur", "dans",
		"une", "en", "una", "un", "rejected", "в", "находится"}},
	{heads, []string{"of", "address", "addresses", "domain", "domains", "user", "mailbox", "account", "name", "host", "hostname", "e-mail", "email", "own", "dns"}},
}

// longestWord is the length of the longest word of the table.
const longestWord = 18

// asserted are the conditions that a negation ahead of the words turns round:
// the words say that something is so. Where something is missing ("no PTR
// record", "not in the greylist yet") a negation is part of the reason.
var asserted = map[Condition]bool{
	"mailbox-full": true, "mailbox-disabled": true, "mailbox-inactive": true, "mailbox-suspended": true,
	"ip-blocked": true, "sender-domain-blocked": true, "sender-banned": true, "sender-blocked-by-recipient": true, "url-blocked": true,
	"spam-content": true, "phishing": true, "malware": true, "message-too-large": true, "mail-loop": true,
}

// ofRecipients are the conditions that are a recipient's: words that are said
// of the sender's address, mailbox or host do not mean them.
var ofRecipients = map[Condition]bool{
	"recipient-not-found": true, "recipient-domain-not-found": true, "recipient-address-invalid": true, "mailbox-unavailable": true,
	"mailbox-full": true, "mailbox-disabled": true, "mailbox-inactive": true, "mailbox-suspended": true,
	"null-mx": true, "recipient-refused": true,
}
