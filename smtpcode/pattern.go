package smtpcode

import (
	"encoding/json"
	"net/netip"

	"github.com/mailfault/mailfault/internal/lists"
)

// Pattern is what many failures show together that one alone cannot.
type Pattern struct {
	Kind    PatternKind `json:"kind"`
	Summary string      `json:"summary"`
	Owners  []Party     `json:"owners"`
	Steps   []Step      `json:"steps"`

	Condition  Condition `json:"condition"`  // shared by the failures, where it is one
	Domain     string    `json:"domain"`     // shared recipient domain, where it is one
	Count      int       `json:"count"`      // failures of the pattern
	Recipients int       `json:"recipients"` // different addresses among them; beyond 10,000 each failure counts as one
	Domains    []string  `json:"domains"`    // recipient domains, most failures first, 20 at most
	Hosts      []string  `json:"hosts"`      // servers that refused, 20 at most
	Senders    []string  `json:"senders"`    // envelope senders, most failures first, 20 at most

	IPs []netip.Addr `json:"ips"` // sending addresses the failures name, 20 at most
}

// MarshalJSON writes absent lists as [], never null.
func (p Pattern) MarshalJSON() ([]byte, error) {
	type plain Pattern
	p.Owners, p.Steps, p.IPs = lists.Filled(p.Owners), lists.Filled(p.Steps), lists.Filled(p.IPs)
	p.Domains, p.Hosts, p.Senders = lists.Filled(p.Domains), lists.Filled(p.Hosts), lists.Filled(p.Senders)
	return json.Marshal(plain(p))
}

// PatternKind names a pattern, kebab-case and stable: undecided, one-domain,
// several-domains, own-authentication, sender-blocked, stale-addresses,
// compromised-account, host-transport, backscatter.
type PatternKind string

const (
	PatternUndecided     PatternKind = "undecided"           // too few failures to tell whose side it is
	PatternOneDomain     PatternKind = "one-domain"          // every expiry went to one domain: theirs
	PatternSeveral       PatternKind = "several-domains"     // expiries at several domains: look at your own side
	PatternOwnAuth       PatternKind = "own-authentication"  // SPF, DKIM or DMARC fails at several receivers
	PatternBlocked       PatternKind = "sender-blocked"      // several receivers have the sender on block lists
	PatternStaleList     PatternKind = "stale-addresses"     // many addresses do not exist
	PatternCompromise    PatternKind = "compromised-account" // quota or abuse refusals of a sender, with the refusals of its mail as spam
	PatternHostTransport PatternKind = "host-transport"      // certificate or DANE faults at one host or domain
	PatternBackscatter   PatternKind = "backscatter"         // reports and automatic replies of ours are refused in a row
)

// patternOf tells which pattern a condition can be part of.
func patternOf(c Condition) (PatternKind, bool) {
	switch c {
	case "message-expired", "connection-timed-out", "connection-refused", "connection-dropped", "delayed", "dns-failed":
		return PatternSeveral, true
	case "spf-fail", "spf-permerror", "dkim-fail", "dmarc-reject", "authentication-required":
		return PatternOwnAuth, true
	case "ip-blocked", "sender-domain-blocked", "sender-banned":
		return PatternBlocked, true
	case "recipient-not-found", "mailbox-unavailable", "mailbox-disabled", "recipient-domain-not-found":
		return PatternStaleList, true
	case "submission-quota", "tenant-quota", "sender-account-blocked", "tenant-blocked":
		return PatternCompromise, true
	case "bounce-refused":
		return PatternBackscatter, true
	case "dane-failed", "mta-sts-failed", "tls-untrusted", "starttls-missing":
		return PatternHostTransport, true
	}
	return "", false
}

// takenForSpam reports whether a filter refused the mail for what it says.
// That is no pattern alone: it is part of one where the sender is stopped too.
func takenForSpam(c Condition) bool {
	return c == "spam-content" || c == "phishing" || c == "malware" || c == "url-blocked"
}

// summaryQuotaAndSpam is what a compromised account shows.
const summaryQuotaAndSpam = "The sender's own service has stopped the account for the amount or kind of mail it sent, and receivers refuse its mail as spam: so does an account whose password was stolen."

// hybridConnector is a third step of PatternSeveral, where a server of
// Microsoft's took part.
var hybridConnector = Step{SenderAdmin, "Run the Hybrid Configuration Wizard again if mail leaves through a hybrid connector."}

// patternTexts is what each pattern says.
var patternTexts = map[PatternKind]Pattern{
	PatternUndecided: {
		Summary: "The failures are too few, or name too few recipients, to tell whose side the trouble is on.",
		Owners:  []Party{Unknown},
		Steps:   []Step{{SenderAdmin, "Check whether every failure of these hours went to one domain."}},
	},
	PatternOneDomain: {
		Owners: []Party{RecipientAdmin},
		Steps: []Step{
			{Sender, "Reach the recipient another way."},
			{SenderAdmin, "Hand their administrators the rejecting server's name and the error."},
			{RecipientAdmin, "Check for a server that is offline, anti-spam settings that turn away legitimate senders, and a missing or wrong MX record."},
		},
	},
	PatternSeveral: {
		Summary: "The failures span several domains: look at your own side.",
		Owners:  []Party{SenderAdmin},
		Steps: []Step{
			{SenderAdmin, "Check that the SPF record covers every source you send from."},
			{SenderAdmin, "Check that your domain has not lapsed at the registrar."},
			{SenderAdmin, "Check the network of the server that sends: port 25 outwards, the DNS servers that it asks, and the smart host if it has one."},
		},
	},
	PatternOwnAuth: {
		Summary: "Receivers of several domains refuse the mail for failed authentication: the fault is in your DNS or your sending platform.",
		Owners:  []Party{SenderDNS, SenderAdmin},
		Steps:   []Step{{SenderDNS, "Check SPF, DKIM and DMARC of the sending domain, and the aggregate reports for the sources that fail."}},
	},
	PatternBlocked: {
		Summary: "Receivers of several domains have the sender on block lists.",
		Owners:  []Party{SenderAdmin},
		Steps:   []Step{{SenderAdmin, "Find what was sent from the address, stop it, then ask each list named in the replies for removal."}},
	},
	PatternStaleList: {
		Summary: "Many of the addresses do not exist: the list is stale.",
		Owners:  []Party{Sender},
		Steps:   []Step{{Sender, "Take the dead addresses off the list before the next mailing; receivers count them against you."}},
	},
	PatternCompromise: {
		Summary: "The sender's own service has stopped the account for the amount or kind of mail it sent.",
		Owners:  []Party{Sender, SenderAdmin},
		Steps: []Step{
			{Sender, "If nobody sent that much, reset the password first."},
			{SenderAdmin, "Read Sent Items and the sign-in log of the account, then ask for the block to be lifted."},
		},
	},
	PatternBackscatter: {
		Summary: "Servers refuse reports and automatic replies of yours: they answer mail whose sender was forged.",
		Owners:  []Party{SenderAdmin},
		Steps:   []Step{{SenderAdmin, "Refuse unwanted mail during the SMTP dialogue instead of reporting it later, and let no automatic reply answer it."}},
	},
	PatternHostTransport: {
		Summary: "Encryption fails at one mail host: its certificate, TLSA records or MTA-STS policy do not fit.",
		Owners:  []Party{RecipientAdmin},
		Steps:   []Step{{SenderAdmin, "Hand their administrators the host's name and the error."}},
	},
}
