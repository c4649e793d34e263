package smtpcode

import (
	"cmp"
	"iter"
	"slices"
	"strings"
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
}

// PatternKind names a pattern, kebab-case and stable.
type PatternKind string

const (
	PatternUndecided     PatternKind = "undecided"           // too few failures to tell whose side it is
	PatternOneDomain     PatternKind = "one-domain"          // every expiry went to one domain: theirs
	PatternSeveral       PatternKind = "several-domains"     // expiries at several domains: look at your own side
	PatternOwnAuth       PatternKind = "own-authentication"  // SPF, DKIM or DMARC fails at several receivers
	PatternBlocked       PatternKind = "sender-blocked"      // several receivers have the sender on block lists
	PatternStaleList     PatternKind = "stale-addresses"     // many addresses do not exist
	PatternCompromise    PatternKind = "compromised-account" // quota or abuse refusals of one sender
	PatternHostTransport PatternKind = "host-transport"      // certificate or DANE faults at one domain
)

// Limits of what Correlate remembers; beyond them it goes on counting.
const (
	maxDomains    = 10_000 // domains and hosts
	maxRecipients = 10_000
	maxSample     = 20
	staleFrom     = 5 // unknown addresses from which on a list is called stale
)

// Correlate reads failures once, in memory that does not grow with their
// number, and says what they show together. Delayed attempts count, delivered
// ones do not. A single failure stays undecided: whether an expiry is their
// fault or yours shows only in the number of domains. So do failures that name
// no recipient's domain, for they may have gone to any.
func Correlate(failures iter.Seq[Failure]) []Pattern { return Default().Correlate(failures) }

// Correlate is the function of that name with the rules of b.
func (b *Rulebook) Correlate(failures iter.Seq[Failure]) []Pattern {
	groups := make(map[PatternKind]*group)
	for f := range failures {
		d := b.Diagnose(f)
		kind, ok := patternOf(d.Condition)
		if !ok {
			continue
		}
		g := groups[kind]
		if g == nil {
			g = &group{condition: d.Condition, domains: make(map[string]int), hosts: make(map[string]int), recipients: make(map[string]bool)}
			groups[kind] = g
		}
		g.add(&f, &d)
	}
	var patterns []Pattern
	for kind, g := range groups {
		if p, ok := g.pattern(kind); ok {
			patterns = append(patterns, p)
		}
	}
	slices.SortFunc(patterns, func(p, q Pattern) int {
		return cmp.Or(cmp.Compare(q.Count, p.Count), strings.Compare(string(p.Kind), string(q.Kind)))
	})
	return patterns
}

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
	case "dane-failed", "mta-sts-failed", "tls-untrusted", "starttls-missing":
		return PatternHostTransport, true
	}
	return "", false
}

// group counts the failures of one pattern.
type group struct {
	condition Condition
	mixed     bool
	count     int
	domains   map[string]int
	nowhere   bool // a failure names no domain: it may have gone to any
	hosts     map[string]int

	recipients map[string]bool
	more       int // failures after maxRecipients addresses, each taken for another one
}

func (g *group) add(f *Failure, d *Diagnosis) {
	g.count++
	g.mixed = g.mixed || d.Condition != g.condition
	recipient := strings.ToLower(strings.TrimSuffix(f.Recipient, "."))
	domain := recipient[strings.LastIndexByte(recipient, '@')+1:]
	if domain == "" || domain == recipient {
		g.nowhere = true
	} else if _, ok := g.domains[domain]; ok || len(g.domains) < maxDomains {
		g.domains[domain]++
	}
	if !g.recipients[recipient] && recipient != "" {
		if len(g.recipients) < maxRecipients {
			g.recipients[recipient] = true
		} else {
			g.more++
		}
	}
	host := strings.ToLower(d.Refuser.Host)
	if _, ok := g.hosts[host]; host != "" && (ok || len(g.hosts) < maxDomains) {
		g.hosts[host]++
	}
}

// pattern says what the group shows, and whether it is worth saying.
func (g *group) pattern(kind PatternKind) (Pattern, bool) {
	several, one := len(g.domains) > 1, len(g.domains) == 1 && !g.nowhere
	recipients := len(g.recipients) + g.more
	switch kind {
	case PatternSeveral:
		switch {
		case g.count > 1 && one:
			kind = PatternOneDomain
		case !several:
			kind = PatternUndecided
		}
	case PatternOwnAuth, PatternBlocked:
		if !several {
			return Pattern{}, false
		}
	case PatternStaleList:
		if recipients < staleFrom {
			return Pattern{}, false
		}
	case PatternCompromise:
		if g.count < 2 {
			return Pattern{}, false
		}
	case PatternHostTransport:
		if g.count < 2 || !one {
			return Pattern{}, false
		}
	}
	p := patternTexts[kind]
	p.Kind, p.Count = kind, g.count
	if !g.mixed {
		p.Condition = g.condition
	}
	p.Domains, p.Hosts = top(g.domains), top(g.hosts)
	if one {
		p.Domain = p.Domains[0]
	}
	p.Recipients = recipients
	return p, true
}

// top returns the keys that were counted most.
func top(counts map[string]int) []string {
	keys := make([]string, 0, len(counts))
	for key := range counts {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	return keys[:min(len(keys), maxSample)]
}

// patternTexts is what each pattern says.
var patternTexts = map[PatternKind]Pattern{
	PatternUndecided: {
		Summary: "The failures are too few, or name too few recipients, to tell whose side the trouble is on.",
		Owners:  []Party{Unknown},
		Steps:   []Step{{SenderAdmin, "Check whether every failure of these hours went to one domain."}},
	},
	PatternOneDomain: {
		Summary: "Every failure went to one domain: the trouble is there.",
		Owners:  []Party{RecipientAdmin},
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
			{SenderAdmin, "Run the Hybrid Configuration Wizard again if mail leaves through a hybrid connector."},
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
	PatternHostTransport: {
		Summary: "Encryption fails at one domain: its certificate, TLSA records or MTA-STS policy do not fit.",
		Owners:  []Party{RecipientAdmin},
		Steps:   []Step{{SenderAdmin, "Hand their administrators the host's name and the error."}},
	},
}
