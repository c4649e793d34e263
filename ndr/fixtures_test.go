package ndr

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mailfault/mailfault/smtpcode"
)

// facts are what a careful reader finds in a fixture, worked out by hand.
type facts struct {
	layout     Layout
	labels     Labels
	product    Product // of the text alone
	language   string
	delayed    bool
	owner      smtpcode.Party
	label      string
	generating string
	receiving  string
	remote     string // of the whole report
	hops       int
	recipients []recipientFacts
	findings   []string
}

type recipientFacts struct {
	address, original, remote, reason string
	replies                           []string // "550 5.1.1"
	attempts                          []string // RFC 3339 times
}

const (
	online  = "AM0PR02.eurprd02.prod.outlook.com"
	server  = "mail1.contoso.example"
	entered = "The email address you entered couldn't be found."
	expired = "The server has tried to deliver this message, without success, and has stopped trying."
)

var notFoundCurrent = recipientFacts{address: "bob@contoso.example", reason: "bob wasn't found at contoso.example.", replies: []string{"550 5.1.10"}}

var fixtureFacts = map[string]facts{
	"current-2017-sender.eml":    {layout: LayoutCurrent, labels: Labels2017, product: ExchangeOnline, language: "en", owner: smtpcode.Sender, label: "Unknown To address", generating: online, hops: 3, recipients: []recipientFacts{notFoundCurrent}},
	"current-relayed.eml":        {layout: LayoutCurrent, labels: Labels2017, product: ExchangeOnline, language: "en", owner: smtpcode.Sender, label: "Unknown To address", generating: online, hops: 3, recipients: []recipientFacts{notFoundCurrent}},
	"current-2023-text-only.eml": {layout: LayoutCurrent, labels: Labels2023, product: ExchangeOnline, language: "en", owner: smtpcode.Sender, label: "Unknown To address", generating: online, remote: online, hops: 3, recipients: []recipientFacts{withRemote(notFoundCurrent, online)}},
	"current-2023-recipient.eml": {layout: LayoutCurrent, labels: Labels2023, product: ExchangeOnline, language: "en", owner: smtpcode.Recipient, label: "Messages suspected as spam", generating: online, remote: "mx.contoso.example", hops: 3,
		recipients: []recipientFacts{{address: "bob@contoso.example", remote: "mx.contoso.example", reason: "mx.contoso.example suspects your message is spam", replies: []string{"550 5.7.350", "554 5.7.1"}}}},
	"current-unknown-language.eml": {layout: LayoutCurrent, labels: Labels2023, product: ExchangeOnline, owner: smtpcode.Sender, label: "Unknown To address", generating: online, remote: online, hops: 3,
		recipients: []recipientFacts{{address: "bob@contoso.example", remote: online, reason: "bob na tene contoso.example.", replies: []string{"550 5.1.10"}}}},
	"two-section-2007-two-recipients.eml": {layout: LayoutTwoSection, product: ExchangeServer, language: "en", generating: server, recipients: []recipientFacts{
		{address: "bob@contoso.example", original: "bobby@contoso.example", reason: entered, replies: []string{"550 5.1.1"}},
		{address: "carol@contoso.example", reason: "The recipient's mailbox is full", replies: []string{"554 5.2.2"}},
	}},
	"two-section-online-remote.eml": {layout: LayoutTwoSection, product: ExchangeOnline, language: "en", generating: online, remote: "mx.contoso.example", recipients: []recipientFacts{
		{address: "bob@contoso.example", remote: "mx.contoso.example", reason: "Your message was rejected by the recipient email server.", replies: []string{"550 5.1.0"}}}},
	"two-section-attempts-day-first.eml": {layout: LayoutTwoSection, product: ExchangeServer, language: "en", generating: server, receiving: "mx.contoso.example", recipients: []recipientFacts{
		{address: "bob@contoso.example", remote: "mx.contoso.example", reason: expired, replies: []string{"550 4.4.7", "441 4.4.1"}, attempts: []string{"2026-09-03T20:05:56Z", "2026-09-03T19:58:27Z"}}}},
	"two-section-attempts-month-first.eml": {layout: LayoutTwoSection, product: ExchangeServer, language: "en", generating: server, receiving: "mx.contoso.example", recipients: []recipientFacts{
		{address: "bob@contoso.example", remote: "mx.contoso.example", reason: expired, replies: []string{"550 4.4.7", "441 4.4.1"}, attempts: []string{"2026-09-03T20:05:56Z", "2026-09-03T19:58:27Z"}}}},
	"two-section-delayed.eml": {layout: LayoutTwoSection, product: ExchangeServer, language: "en", delayed: true, generating: server, receiving: "mx.contoso.example", recipients: []recipientFacts{
		{address: "bob@contoso.example", remote: "mx.contoso.example", reason: "This message hasn't been delivered yet.", replies: []string{"400 4.4.7"}}}},
	"two-section-smtp-hash.eml": {layout: LayoutTwoSection, product: ExchangeServer, language: "en", generating: server, recipients: []recipientFacts{
		{address: "bob@contoso.example", remote: "gate.contoso.example", reason: "Your message wasn't delivered because of security policies.", replies: []string{"530 5.7.1"}}}},
	"two-section-fr.eml": localized("fr", "L’adresse de messagerie"),
	"two-section-it.eml": localized("it", "Non è stato possibile"),
	"two-section-ru.eml": localized("ru", "Введенный адрес не найден."),
	"two-section-nl.eml": localized("nl", "Het ingevoerde adres"),
	"two-section-pt.eml": localized("pt", "O endereço inserido"),
	"two-section-sv.eml": localized("sv", "Adressen som du angav"),
	"two-section-de.eml": localized("de", "Die eingegebene Adresse"),
	"two-section-es.eml": localized("es", "No se encontró la dirección"),
	"two-section-unknown.eml": {layout: LayoutTwoSection, product: ExchangeServer, generating: server, findings: []string{"ndr-heading-unknown"},
		recipients: []recipientFacts{{address: "bob@contoso.example", reason: "Rema sola na tene.", replies: []string{"550 5.1.1"}}}},
	"exchange-2003.eml": {layout: LayoutExchange2003, product: ExchangeServer, language: "en", generating: "GW", recipients: []recipientFacts{
		{address: "bob@contoso.example", reason: "The recipient name is not recognized", replies: []string{"0 "}, attempts: []string{"2002-11-28T09:05:08Z"}},
		{address: "carol@contoso.example", reason: "The recipient name is not recognized", replies: []string{"0 "}, attempts: []string{"2002-11-28T09:05:08Z"}},
	}},
	"exchange-2003-connector.eml": {layout: LayoutExchange2003, product: ExchangeServer, language: "en", generating: "GW", recipients: []recipientFacts{
		{address: "bob@contoso.example", reason: "Recipient Not Found", replies: []string{"0 "}, attempts: []string{"1997-11-28T09:05:08Z"}}}},
	"smtpsvc-failure.eml": {layout: LayoutSMTPSVC, language: "en", recipients: []recipientFacts{{address: "bob@contoso.example"}, {address: "carol@tailspin.example"}}},
	"smtpsvc-delay.eml":   {layout: LayoutSMTPSVC, language: "en", delayed: true, recipients: []recipientFacts{{address: "bob@contoso.example"}}},
	"smtpsvc-loop.eml":    {layout: LayoutSMTPSVC, language: "en", recipients: []recipientFacts{{address: "bob@contoso.example", reason: "Unable to deliver message to the following recipients, because"}}},
	"pasted-current-collapsed.txt": {layout: LayoutCurrent, labels: Labels2023, product: ExchangeOnline, language: "en", owner: smtpcode.Sender, label: "Unknown To address", generating: online, remote: online, hops: 3,
		recipients: []recipientFacts{withRemote(notFoundCurrent, online)}},
	"pasted-current-glued.txt": {layout: LayoutCurrent, labels: Labels2017, product: ExchangeOnline, language: "en", owner: smtpcode.Recipient, label: "Messages suspected as spam", generating: online, hops: 2,
		recipients: []recipientFacts{{address: "bob@contoso.example", reason: "contoso.example suspects your message is spam", replies: []string{"550 5.7.350", "554 5.7.1"}}}},
	"pasted-two-section-markdown.txt": {layout: LayoutTwoSection, product: ExchangeServer, language: "en", generating: server,
		recipients: []recipientFacts{{address: "allhands@contoso.example", reason: "Your message couldn't be delivered because delivery to this group is restricted", replies: []string{"550 5.7.133"}}}},
	"pasted-current-quoted.txt": {layout: LayoutCurrent, labels: Labels2023, product: ExchangeOnline, language: "en", owner: smtpcode.Sender, label: "Unknown To address", generating: online, remote: online, hops: 3,
		recipients: []recipientFacts{withRemote(notFoundCurrent, online)}},
	"pasted-two-section-one-line.txt": {layout: LayoutTwoSection, product: ExchangeOnline, language: "en", generating: online,
		recipients: []recipientFacts{{address: "bob@contoso.example", reason: entered, replies: []string{"550 5.4.1"}}}},
	"pasted-two-section-wrapped.txt": {layout: LayoutTwoSection, product: ExchangeOnline, language: "en", generating: online,
		recipients: []recipientFacts{{address: "bob@contoso.example", reason: entered, replies: []string{"550 5.4.1"}}}},
	"pasted-two-section-collapsed.txt": {layout: LayoutTwoSection, product: ExchangeServer, language: "en", generating: server, remote: "", recipients: []recipientFacts{
		{address: "bob@contoso.example", remote: "mx.contoso.example", reason: entered, replies: []string{"550 5.1.1"}},
		{address: "carol@contoso.example", reason: "The recipient's mailbox is full", replies: []string{"554 5.2.2"}}}},
	"pasted-two-section-collapsed-fr.txt": localized("fr", "L’adresse de messagerie"),
	"pasted-attempts-joined.txt": {layout: LayoutTwoSection, product: ExchangeServer, language: "en", generating: server, receiving: "mx.contoso.example",
		recipients: []recipientFacts{{address: "bob@contoso.example", remote: "mx.contoso.example", reason: expired, replies: []string{"550 4.4.7", "441 4.4.1"}, attempts: []string{"2026-09-23T20:05:56Z", "2026-09-23T19:58:27Z"}}}},
}

func withRemote(r recipientFacts, host string) recipientFacts { r.remote = host; return r }

func localized(lang, reason string) facts {
	return facts{layout: LayoutTwoSection, product: ExchangeServer, language: lang, generating: server,
		recipients: []recipientFacts{{address: "bob@contoso.example", reason: reason, replies: []string{"550 5.1.1"}}}}
}

func factsOf(n *Notice) facts {
	f := facts{layout: n.Layout, labels: n.Labels, product: n.Product, language: n.Language, delayed: n.Delayed, owner: n.StatedOwner, label: n.Label,
		generating: n.Servers.Generating, receiving: n.Servers.Receiving, remote: n.Servers.Remote, hops: len(n.Hops)}
	for _, r := range n.Recipients {
		rf := recipientFacts{address: r.Address, original: r.OriginalAddress, remote: r.RemoteServer, reason: r.Reason}
		for _, x := range r.Replies {
			rf.replies = append(rf.replies, strings.TrimSuffix(itoa(x.Code)+" "+x.Status.String(), ""))
		}
		for _, a := range r.Attempts {
			rf.attempts = append(rf.attempts, a.At.Format("2006-01-02T15:04:05Z07:00"))
		}
		f.recipients = append(f.recipients, rf)
	}
	for _, x := range n.Findings {
		if x.ID != findingHopColumns.id { // text shows that, HTML does not
			f.findings = append(f.findings, x.ID)
		}
	}
	return f
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// cutReasons shortens found reasons to the length of the expected ones.
func cutReasons(got, want facts) facts {
	for i := range got.recipients {
		if i < len(want.recipients) && strings.HasPrefix(got.recipients[i].reason, want.recipients[i].reason) && want.recipients[i].reason != "" {
			got.recipients[i].reason = want.recipients[i].reason
		}
	}
	return got
}

func TestFixtures(t *testing.T) {
	names, err := filepath.Glob("testdata/*.[et][mx][lt]")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range names {
		name := filepath.Base(path)
		want, ok := fixtureFacts[name]
		if !ok {
			t.Errorf("%s: no facts", name)
			continue
		}
		check := func(form string, n *Notice, err error) {
			t.Run(name+"/"+form, func(t *testing.T) {
				if err != nil {
					t.Fatal(err)
				}
				got := cutReasons(factsOf(n), want)
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(facts{}, recipientFacts{})); diff != "" {
					t.Error(diff)
				}
			})
		}
		if strings.HasSuffix(name, ".txt") {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			n, err := ParseText(string(b))
			check("pasted", n, err)
			continue
		}
		text, html := fixtureParts(t, name)
		if text != "" {
			n, err := ParseText(text)
			check("text", n, err)
		}
		if strings.Contains(html, "<p") {
			n, err := ParseHTML(html)
			check("html", n, err)
		}
	}
}
