package smtpcode

import (
	"slices"
	"strings"
)

// A family is the wordings that say one thing of one kind of subject: any of
// the subjects and, behind it in the same sentence, any of the states. Servers
// coin such sentences by the thousand, so no list of them is ever whole. A
// wording that some rule knows exactly is stronger: see [Rule].
type family struct {
	id        string
	condition Condition
	subjects  []string
	states    []string
	status    Status // that the reply has to have, if any
	either    bool   // a state may stand before the subject, too
	vague     bool   // it does not say why: see [Rule.Vague]
	source    string // a page that shows such a sentence
}

// familyRules makes a rule of every pair.
func familyRules() []Rule {
	var rules []Rule
	for _, f := range slices.Concat(families, authenticationFamilies, deliveryFamilies, commonFamilies, sendingFamilies, receivingFamilies, receiverFamilies, refusalFamilies, limitFamilies,
		germanFamilies, frenchFamilies, spanishFamilies, italianFamilies, portugueseFamilies, dutchFamilies, polishFamilies, russianFamilies, japaneseFamilies, chineseFamilies) {
		for _, subject := range f.subjects {
			for _, state := range f.states {
				rules = append(rules, f.rule(subject, state))
				if f.either {
					rules = append(rules, f.rule(state, subject))
				}
			}
		}
	}
	return rules
}

// rule makes a rule of two wordings, one behind the other.
func (f *family) rule(before, behind string) Rule {
	return Rule{
		ID:        "family-" + f.id + "/" + strings.ReplaceAll(before+"/"+behind, " ", "-"),
		Condition: f.condition,
		Text:      before + gapMark + behind,
		From:      f.status,
		Vague:     f.vague,
		Source:    f.source,
	}
}

// Subjects that several families share.
var (
	mailboxWords = []string{"user", "recipient", "mailbox", "account", "username", "addressee", "email address", "e-mail address", "recipient address", "inbox", "local part", "mail address", "that address", "this address"}
	messageWords = []string{"message", "mail", "email", "e-mail", "content", "letter"}
	clientWords  = []string{"ip", "ip address", "client", "client host", "sending host", "your host", "your server", "mailserver"}
	senderWords  = []string{"sender", "from address", "sender address", "return path", "mail from"}
	ownNames     = []string{"your address", "your domain", "from domain", "envelope sender"}
)

// families is the table of families. What a subject and a state say together
// must be plain without the rest of the sentence.
var families = []family{
	{id: "no-recipient", condition: "recipient-not-found", subjects: mailboxWords, source: fobhostReplies,
		states: []string{"unknown", "not found", "not been found", "hasn't been found", "not known", "not exist", "doesn't exist", "don't exist", "don't exists", "no longer exists", "couldn't be found", "not registered", "not recognized", "non-existent", "nonexistent", "no longer valid", "not appear to exist", "doesn't appear to exist", "been deleted"}},
	{id: "no-recipient-negated", condition: "recipient-not-found", subjects: []string{"no", "unknown", "invalid", "nonexistent", "non-existent", "not a valid", "not a local", "unavailable"}, source: coremailReplies,
		states: []string{"mail user", "mailbox here", "user here", "account here", "mailbox by that name", "user by that name", "account by that name", "such person"}},
	{id: "no-account", condition: "recipient-not-found", subjects: []string{"recipient", "user", "address"}, source: coremailReplies,
		states: []string{"not have an account", "doesn't have an account", "has no account", "not a customer", "no mailbox"}},
	{id: "no-account-of", condition: "recipient-not-found", subjects: []string{"user doesn't have a", "user doesn't have an"}, source: yahooSMTP,
		states: []string{"account"}},
	{id: "not-of-server", condition: "recipient-not-found", subjects: []string{"not", "not a", "no"}, source: coremailReplies,
		states: []string{"user of this server", "user of this domain", "user on this server", "user at this domain", "mailbox on this server", "member of this domain"}},
	{id: "takes-none", condition: "recipient-refused", subjects: []string{"mailbox", "recipient", "address", "account"}, source: rfc3463In3 + "X.2.1",
		states: []string{"not accept mail", "not accept messages", "not accepting mail", "not accepting messages", "not accept incoming mail", "no longer accepts mail", "no longer accepting mail", "no longer accepting messages", "no longer accepts messages"}},
	{id: "unavailable", condition: "mailbox-unavailable", vague: true, subjects: mailboxWords, source: "RFC 5321 section 4.2.3",
		states: []string{"unavailable", "not available", "cannot be accessed"}},
	{id: "unavailable-4.2.2", condition: "mailbox-full", status: Status{4, 2, 2}, subjects: []string{"mailbox", "user", "recipient", "account"}, source: "RFC 3463 section 3.3",
		states: []string{"unavailable", "not available"}},
	{id: "unavailable-5.2.2", condition: "mailbox-full", status: Status{5, 2, 2}, subjects: []string{"mailbox", "user", "recipient", "account"}, source: "RFC 3463 section 3.3",
		states: []string{"unavailable", "not available"}},
	{id: "unavailable-5.2.1", condition: "mailbox-disabled", status: Status{5, 2, 1}, subjects: []string{"mailbox", "user", "recipient", "account"}, source: "RFC 3463 section 3.3",
		states: []string{"unavailable", "not available"}},
	{id: "not-a-member", condition: "group-restricted", subjects: []string{"not a member", "not member", "not a subscriber", "not subscribed", "not a list subscriber"}, source: "www.git.stargrave.org/mlmmj-listtexts.git, en/deny-post",
		states: []string{"mailing list", "this list", "the list", "this group"}},
	{id: "no-answer", condition: "connection-timed-out", subjects: []string{"host", "server", "mail server", "system"}, source: "RFC 3463 section 3.5",
		states: []string{"not responding", "not respond", "didn't respond", "not answering", "no answer"}},
	{id: "suspended", condition: "mailbox-suspended", subjects: mailboxWords, source: coremailReplies,
		states: []string{"suspended", "temporarily locked"}},
	{id: "disabled", condition: "mailbox-disabled", subjects: append([]string{"recipients' domain", "recipient domain"}, mailboxWords...), source: fobhostReplies,
		states: []string{"disabled", "deactivated", "not active", "no longer active", "not activated", "not yet activated", "not been activated", "terminated", "discontinued", "turned off", "switched off"}},
	{id: "inactive", condition: "mailbox-inactive", subjects: mailboxWords, source: weirdReplies,
		states: []string{"inactive", "dormant", "not logged in for", "due to inactivity", "for inactivity"}},
	{id: "inactive-first", condition: "mailbox-inactive", subjects: []string{"inactive", "dormant"}, source: weirdReplies,
		states: []string{"mailbox", "account", "user"}},
	{id: "full", condition: "mailbox-full", subjects: append([]string{"maildir", "folder", "mail box", "mail folder"}, mailboxWords...), source: coremailReplies,
		states: []string{"full", "overquota", "exceeded quota", "exceeds quota", "exceeding quota", "exceeded its quota", "exceeding their quota", "over its limit", "exceeded storage", "too full", "out of space", "out of storage", "out of disk space"}},
	{id: "quota", condition: "mailbox-full", subjects: []string{"quota", "storage", "disk quota"}, source: coremailReplies,
		states: []string{"exceed", "exceeds", "exceeded", "overdrawn", "full"}},
	{id: "quota-last", condition: "mailbox-full", subjects: []string{"exceed", "exceeds", "exceeded", "exceeding"}, source: coremailReplies,
		states: []string{"quota", "storage limit", "storage capacity"}},
	{id: "hourly", condition: "submission-quota", subjects: []string{"exceeded", "exceeds", "exceed", "reached", "over"}, source: cpanelReplies,
		states: []string{"emails per hour", "messages per hour", "emails per day", "messages per day", "defers and failures per hour", "sending limit", "send limit", "sending quota", "hourly limit", "daily limit", "hourly quota", "daily quota", "relay quota", "relay limit"}},

	{id: "client-listed", condition: "ip-blocked", subjects: clientWords, source: weirdReplies,
		states: []string{"blacklisted", "blocklisted", "black listed", "blacklist", "blocklist", "black list", "block list", "blocked", "banned", "forbidden", "listed in", "listed at", "listed on", "listed by", "in an rbl", "on an rbl", "in our rbl", "in prison", "bad reputation", "low reputation"}},
	{id: "client-refused", condition: "ip-blocked", subjects: []string{"no access for", "denied", "rejected", "refused", "blocked", "blocking", "banned", "forbidden", "invalid"}, source: icglinkReplies,
		states: []string{"this ip", "your ip", "sender ip", "client ip", "ip address", "from your host"}},
	{id: "listed", condition: "ip-blocked", subjects: []string{"rejected", "refused", "denied", "blocked"}, source: "wiki.ubiquityhosting.com/index.php/Delivery_Status_Notification",
		states: []string{"listed at", "listed in", "listed by", "listed on"}},
	{id: "you-banned", condition: "sender-banned", subjects: []string{"you", "you are", "you've been"}, source: coremailReplies,
		states: []string{"banned", "blocklisted"}},
	{id: "sender-refused", condition: "sender-address-rejected", subjects: append(ownNames, senderWords...), source: coremailReplies,
		states: []string{"rejected", "refused", "not accepted", "denied", "invalid", "must resolve", "not exist", "doesn't exist", "unknown", "not found", "not been found", "not known"}},
	{id: "sender-account", condition: "sender-account-blocked", subjects: []string{"sender", "sender account", "your account"}, source: coremailReplies,
		states: []string{"suspended", "disabled", "deactivated", "blocked from sending"}},
	{id: "sender-refused-first", condition: "sender-address-rejected", subjects: []string{"invalid", "fake", "forged", "bad", "unknown", "unacceptable"}, source: coremailReplies,
		states: []string{"sender", "from address", "return path", "mail from", "mailer domain", "sending domain"}},
	{id: "sender-resolve", condition: "sender-address-rejected", subjects: []string{"from:domain", "domain", "sender domain"}, source: icglinkReplies,
		states: []string{"must resolve"}},
	{id: "sender-blocked", condition: "sender-blocked-by-recipient", subjects: senderWords, source: coremailReplies,
		states: []string{"blocked", "banned", "blocklisted", "in blacklist", "on blacklist", "not welcome"}},
	{id: "domain-blocked", condition: "sender-domain-blocked", subjects: []string{"domain", "that domain", "your domain", "this domain", "sender domain"}, source: coremailReplies,
		states: []string{"not welcome", "blocklisted", "blacklisted", "banned"}},
	{id: "domain-no-access", condition: "sender-domain-blocked", subjects: []string{"no access", "no access for"}, source: icglinkReplies,
		states: []string{"for this domain", "this domain", "your domain"}},

	{id: "relay", condition: "relay-denied", subjects: []string{"relay", "relaying", "relays", "relayed"}, source: "viws.ru: what Yandex answers when a client may not relay",
		states: []string{"denied", "prohibited", "not allowed", "not permitted", "forbidden", "refused", "rejected", "not authorized", "disabled", "disallowed", "blocked"}},
	{id: "not-my-domain", condition: "relay-denied", subjects: []string{"domain", "host"}, source: coremailReplies,
		states: []string{"not in my list of allowed", "isn't in my list of allowed", "not hosted here", "not local", "not handled by this server", "not configured here", "not configured on this", "not configured to use this"}},
	{id: "must-login", condition: "client-not-authenticated", subjects: []string{"must", "have to", "need to", "please"}, source: ionosReplies,
		states: []string{"be authenticated", "authenticate", "log in", "be logged in", "login first"}},
	{id: "send-as", condition: "send-as-denied", subjects: []string{"sender", "username", "from address", "sender address rejected"}, source: "github.com/mybb/mybb/issues/2578",
		states: []string{"doesn't match", "does not match", "not owned by", "not belong to", "must be the same as", "mismatch"}},
	{id: "bounces", condition: "bounce-refused", subjects: []string{"null sender", "empty sender", "null return path", "bounces", "bounce messages", "auto-replies", "automatic replies"}, source: coremailReplies,
		states: []string{"not allowed", "not accepted", "rejected", "refused"}},
	{id: "members", condition: "group-restricted", subjects: []string{"only"}, source: "github.com/eclecticiq/cabby/issues/39",
		states: []string{"allowed senders list", "members may post", "members can post", "members are allowed", "subscribers may post", "subscribers can post"}},

	{id: "spam", condition: "spam-content", subjects: messageWords, source: "www.bytecamp.net/de/faq/email/zustellen.html",
		states: []string{"as spam", "is spam", "be spam", "like spam", "antispam", "anti-spam", "spam filter", "unsolicited", "junk mail", "as junk", "as bulk mail", "looks spammy", "resembles spam", "spamassassin"}},
	{id: "spam-first", condition: "spam-content", subjects: []string{"spam", "junkmail", "junk mail"}, source: "github.com/getconversio/email-deep-validator/issues/9",
		states: []string{"detected", "rejected", "refused", "denied", "not accepted"}},
	{id: "virus", condition: "malware", subjects: append([]string{"attachment"}, messageWords...), source: "Exim 4.96: doc/spec.txt",
		states: []string{"virus", "malware", "infected", "worm", "trojan"}},
	{id: "attachment", condition: "attachment-refused", subjects: []string{"attachment", "attachments", "attached file", "file type"}, source: "observed: public mail handlers that answer 550 Attachment type not allowed",
		states: []string{"not allowed", "not permitted", "prohibited", "forbidden", "blocked", "rejected", "not accepted", "not accept", "banned"}},
	{id: "large", condition: "message-too-large", subjects: append([]string{"attachment", "attachments"}, messageWords...), source: fobhostReplies,
		states: []string{"too large", "too big", "too heavy", "size violation", "exceeds size", "exceeds maximum size", "exceeds the maximum size", "exceeded maximum size", "exceeded the maximum size", "exceeds the size limit", "exceeded the size limit", "over the size limit"}},
	{id: "size", condition: "message-too-large", subjects: []string{"size", "message length"}, source: fobhostReplies,
		states: []string{"exceeds", "exceeded", "violation", "over limit"}},
	{id: "header", condition: "header-invalid", subjects: []string{"header", "headers"}, source: icglinkReplies,
		states: []string{"error", "invalid", "malformed", "missing", "duplicated"}},

	{id: "policy", condition: "policy-refusal", subjects: []string{"rejected", "refused", "blocked", "bounced", "denied", "violates", "violation", "prohibited"}, source: "www.symantec.com/connect: 501 Connection rejected by policy",
		states: []string{"policy", "policies", "organizational settings", "organization settings", "security settings"}},
	{id: "reverse-dns", condition: "missing-reverse-dns", subjects: []string{"reverse dns", "rdns", "ptr", "ptr record", "reverse lookup", "reverse hostname", "reverse host name", "reverse name"}, source: "wiki.ubiquityhosting.com/index.php/Delivery_Status_Notification",
		states: []string{"missing", "not found", "invalid", "fail", "failed", "failure", "required", "not match", "does not match", "doesn't match", "mismatch", "doesn't exist", "not exist", "not set"}},
	{id: "reverse-dns-first", condition: "missing-reverse-dns", subjects: []string{"no", "bad", "missing", "invalid", "without", "lacks", "lack of", "unknown", "fix"}, source: "wiki.ubiquityhosting.com/index.php/Delivery_Status_Notification",
		states: []string{"reverse dns", "rdns", "ptr", "reverse hostname", "reverse lookup"}},
	{id: "client-name", condition: "missing-reverse-dns", subjects: []string{"client host", "client hostname", "your host", "your hostname", "your server"}, source: "www.veraciti.com/Customer-Support/reverse-dns.html",
		states: []string{"not found", "not resolve", "doesn't resolve", "must resolve"}},
	{id: "helo", condition: "bad-helo", subjects: []string{"helo", "ehlo"}, source: "RFC 5321 section 4.1.1.1",
		states: []string{"rejected", "invalid", "denied", "not accepted", "not match", "does not match", "doesn't match", "refused", "not valid", "not found", "not resolve", "doesn't resolve"}},
	{id: "busy", condition: "service-unavailable", subjects: []string{"system", "server", "service"}, source: fobhostReplies,
		states: []string{"busy", "overloaded", "load too high"}},
}

// Pages that show how servers word their refusals.
const (
	sinaReplies     = "blog.sina.com.cn/s/blog_8dc13ec50101fxxr.html: replies of a Chinese server"
	fobhostReplies  = "www.fobhost.com/jishuzhichi/jishuzhichi59.html"
	coremailReplies = "icoremail.vip/support, replies of Coremail"
	weirdReplies    = "github.com/ActiveCampaign/smtp-field-manual/issues/11"
	icglinkReplies  = "icglink.net/cgi-bin/icglink/helpdesk/kb.cgi?view=73"
	ionosReplies    = "www.ionos.com/help/email: error messages caused by undeliverable email"
	cpanelReplies   = "github.com/freeCodeCamp/guide/pull/1844, cPanel"
)
