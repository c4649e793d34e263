package ndr

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/smtpcode"
)

// The tests of this file are named for the rules (B1 to B22) and the sentences
// of the article they show. Rules about meaning alone are smtpcode's.

func TestB3NewLabelsCompareSentByWithRejectedBy(t *testing.T) {
	same := fixtureNotice(t, "current-2023-text-only.eml").Failures()[0]
	if same.GeneratingServer == "" || same.RemoteServer != same.GeneratingServer {
		t.Errorf("one server did both: wrote %q, refused %q", same.GeneratingServer, same.RemoteServer)
	}
	other := fixtureNotice(t, "current-2023-recipient.eml").Failures()[0]
	if other.RemoteServer != "mx.contoso.example" || other.GeneratingServer != online {
		t.Errorf("two servers: wrote %q, refused %q", other.GeneratingServer, other.RemoteServer)
	}
}

func TestB4SentenceDescribesMicrosoftsMeaningOfAForeignCode(t *testing.T) {
	n := fixtureNotice(t, "two-section-online-remote.eml")
	if s := n.Sentence(0); s.Kind != SentenceStock || !s.Foreign {
		t.Errorf("%+v", s)
	}
	n = fixtureNotice(t, "two-section-2007-two-recipients.eml")
	if s := n.Sentence(0); s.Kind != SentenceStock || s.Foreign {
		t.Errorf("own server: %+v", s)
	}
}

func TestB5InnerReplyIsKeptBehindTheOuter(t *testing.T) {
	r := fixtureNotice(t, "current-2023-recipient.eml").Failures()[0].Replies
	if len(r) != 2 || r[0].Code != 550 || r[0].Status != (smtpcode.Status{5, 7, 350}) || r[1].Code != 554 || r[1].Status != (smtpcode.Status{5, 7, 1}) {
		t.Errorf("%+v", r)
	}
}

func TestB6MarkedPartyIsStatedNotComputed(t *testing.T) {
	for name, want := range map[string]smtpcode.Party{
		"current-2017-sender.eml":      smtpcode.Sender,
		"current-2023-recipient.eml":   smtpcode.Recipient,
		"two-section-fr.eml":           smtpcode.Unknown, // that layout marks nobody
		"current-unknown-language.eml": smtpcode.Sender,  // colours need no words
	} {
		if got := fixtureNotice(t, name).StatedOwner; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	// A red middle bar was never seen; its only reading is the service.
	html := strings.NewReplacer(`bgcolor="#c00000"`, `bgcolor="#cccccc"`).Replace(fixtureHTML(t, "current-2017-sender.eml"))
	html = replaceNth(html, `bgcolor="#cccccc"`, `bgcolor="#c00000"`, 2)
	n, err := ParseHTML(html)
	if err != nil || n.StatedOwner != smtpcode.Platform {
		t.Errorf("middle: %v, %v", n.StatedOwner, err)
	}
	// Two red bars and no role line: nobody is stated, and a finding says so.
	html = replaceNth(html, `bgcolor="#cccccc"`, `bgcolor="#c00000"`, 1)
	html = strings.ReplaceAll(html, "Action Required", "")
	if n, err = ParseHTML(html); err != nil || n.StatedOwner != smtpcode.Unknown || !hasFinding(n, findingMarked) {
		t.Errorf("two red bars: %v, %v, %v", n.StatedOwner, n.Findings, err)
	}
}

func TestB8RetryWindowIsADay(t *testing.T) {
	if OnlineRetryWindow != 24*time.Hour {
		t.Error(OnlineRetryWindow)
	}
}

func TestB10AddressThatDiffersMeansForwarding(t *testing.T) {
	n := fixtureNotice(t, "two-section-2007-two-recipients.eml")
	if a := n.Addressee(0); a.Relation != Redirected || a.SentTo[0] != "bobby@contoso.example" {
		t.Errorf("named by the report: %+v", a)
	}
	if a := n.Addressee(1); a.Relation != NotAddressed { // To has bob alone
		t.Errorf("not in To: %+v", a)
	}
	if a := fixtureNotice(t, "two-section-fr.eml").Addressee(0); a.Relation != Addressed {
		t.Errorf("in To: %+v", a)
	}
	if a := fixtureNotice(t, "smtpsvc-loop.eml").Addressee(0); a.Relation != RelationUnknown {
		t.Errorf("no header quoted: %+v", a)
	}
}

func TestB11AcceptListSentenceMayMislead(t *testing.T) {
	text := strings.Replace(fixtureText(t, "two-section-attempts-month-first.eml"), expired,
		"Your message couldn't be delivered to the recipient because you don't have permission to send to it. Ask the recipient's email admin to add you to the accept list for the recipient.", 1)
	n, err := ParseText(text)
	if err != nil {
		t.Fatal(err)
	}
	if s := n.Sentence(0); s.Kind != SentenceStock || !s.MayMislead {
		t.Errorf("%+v", s)
	}
}

func TestB17ReceivedSPFOtherThanPassSaysCheckYourOwnRecord(t *testing.T) {
	c := fixtureNotice(t, "two-section-online-remote.eml").SPFCheck()
	if !c.Check || c.Result != "softfail" || c.Domain != "fabrikam.example" || c.SendingIP != "192.0.2.10" {
		t.Errorf("softfail: %+v", c)
	}
	if c := fixtureNotice(t, "two-section-fr.eml").SPFCheck(); c.Check || c.Result != "pass" {
		t.Errorf("pass: %+v", c)
	}
	if c := fixtureNotice(t, "smtpsvc-loop.eml").SPFCheck(); c.Check {
		t.Errorf("no field: %+v", c)
	}
}

func TestB18AuthorDomainIsTheFromDomainNotTheEnvelopes(t *testing.T) {
	text := strings.Replace(fixtureText(t, "current-2017-sender.eml"), "Return-Path: alice@fabrikam.example", "Return-Path: bounces@relay.adventure.example", 1)
	n, err := ParseText(text)
	if err != nil {
		t.Fatal(err)
	}
	f := n.Failures()[0]
	if f.AuthorDomain != "fabrikam.example" || f.EnvelopeFrom != "bounces@relay.adventure.example" {
		t.Errorf("author %q, envelope %q", f.AuthorDomain, f.EnvelopeFrom)
	}
}

func TestB22QuotedHeaderIsNotMinedForCodes(t *testing.T) {
	text := strings.Replace(fixtureText(t, "two-section-fr.eml"), "MIME-Version: 1.0",
		"X-Mailer: Exim 4.99.5\nX-Note: Remote Server returned '554 5.7.1 not this'\nMIME-Version: 1.0", 1)
	n, err := ParseText(text)
	if err != nil {
		t.Fatal(err)
	}
	r := n.Failures()[0].Replies
	if len(r) != 1 || r[0].Status != (smtpcode.Status{5, 1, 1}) {
		t.Errorf("%+v", r)
	}
}

func TestArticleHeadlineIsFollowedByTheReason(t *testing.T) {
	n := fixtureNotice(t, "current-2017-sender.eml")
	if n.Headline != "Your message to bob@contoso.example couldn't be delivered." || n.Cause != "bob wasn't found at contoso.example." {
		t.Errorf("%q, %q", n.Headline, n.Cause)
	}
}

func TestArticleDiagramDrawsThreePartiesAndMarksOne(t *testing.T) {
	d := fixtureNotice(t, "current-2023-recipient.eml").Diagram
	if d == nil || d.Marked != 2 || d.Parties[0].Name != "alice" || d.Parties[1].Name != "Microsoft 365" || d.Parties[2].Name != "contoso.example" {
		t.Errorf("%+v", d)
	}
}

func TestArticleHopsHaveTimesAndServerNames(t *testing.T) {
	hops := fixtureNotice(t, "current-2017-sender.eml").Hops
	if len(hops) != 3 || hops[0].From != "" || hops[1].RelayTime != 3*time.Second || hops[2].RelayTime != 65*time.Second || hops[2].Delay != 65*time.Second || hops[0].RelayTime >= 0 {
		t.Errorf("%+v", hops)
	}
}

func TestArticleSentenceIsChosenFromTheCodeNotByTheFarServer(t *testing.T) {
	// A stock sentence for another meaning than the reply's is flagged.
	text := strings.Replace(fixtureText(t, "two-section-fr.eml"), "L’adresse de messagerie que vous avez entrée est introuvable.",
		"The recipient's mailbox is full and can't accept messages now. Please try resending this message later.", 1)
	n, err := ParseText(text)
	if err != nil {
		t.Fatal(err)
	}
	s := n.Sentence(0)
	if s.Kind != SentenceStock || !s.Mismatch || len(s.Codes) != 1 || s.Codes[0] != (smtpcode.Status{5, 2, 2}) {
		t.Errorf("%+v", s)
	}
	if s := fixtureNotice(t, "two-section-2007-two-recipients.eml").Sentence(1); s.Mismatch {
		t.Errorf("5.2.2: %+v", s)
	}
}

func TestArticleNewSystemMessageReplacesTheSentenceOnExchangeServerOnly(t *testing.T) {
	custom := "Nope. Call the help desk at +1 555 0100 123 or write to help@fabrikam.example."
	put := func(name, stock string) Sentence {
		n, err := ParseText(strings.Replace(fixtureText(t, name), stock, custom, 1))
		if err != nil {
			t.Fatal(err)
		}
		return n.Sentence(0)
	}
	s := put("two-section-attempts-month-first.eml", expired)
	if s.Kind != SentenceCustom || strings.Join(s.Contacts, " ") != "help@fabrikam.example +1 555 0100 123" {
		t.Errorf("Exchange Server: %+v", s)
	}
	if s := put("two-section-online-remote.eml", "Your message was rejected by the recipient email server."); s.Kind == SentenceCustom {
		t.Errorf("Exchange Online: %+v", s)
	}
	if s := fixtureNotice(t, "two-section-es.eml").Sentence(0); s.Kind != SentenceUnknown {
		t.Errorf("a language without a table is not custom: %+v", s)
	}
}

func TestArticleExchangeOnlineReportsOnceItStops(t *testing.T) {
	for name, want := range map[string]RetryState{
		"current-2017-sender.eml":             RetryOver,
		"two-section-delayed.eml":             RetryGoing,
		"smtpsvc-delay.eml":                   RetryGoing,
		"two-section-2007-two-recipients.eml": RetryOver,
	} {
		if r := fixtureNotice(t, name).Retry(); r.State != want || r.Why == "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestArticleCheckToForAMistypedAddress(t *testing.T) {
	for addr, want := range map[string]string{
		"a@gmial.com": "gmail.com", "a@gmai.com": "gmail.com", "a@outlok.com": "outlook.com", "a@hotmaill.com": "hotmail.com", "a@yahop.com": "yahoo.com",
		"a@gmail.com": "", "a@mail.com": "", "a@ymail.com": "", "a@contoso.example": "", "no address": "",
	} {
		if got := nearDomain(addr); got != want {
			t.Errorf("%s: %q, want %q", addr, got, want)
		}
	}
}

func TestArticleReceivedFieldsShowThePathAndTheLastHop(t *testing.T) {
	p := fixtureNotice(t, "current-2017-sender.eml").Path()
	if len(p.Steps) != 3 || p.Accepted != online || p.Operator != "Microsoft" {
		t.Fatalf("%+v", p)
	}
	if p.Steps[0].By != "out.fabrikam.example" || p.Steps[1].FromIP.String() != "192.0.2.10" || p.Steps[1].Delay != 3*time.Second {
		t.Errorf("%+v", p.Steps)
	}
	if p.Slowest != 1 { // 3 s against 2 s
		t.Errorf("slowest %d", p.Slowest)
	}
	if p := fixtureNotice(t, "smtpsvc-loop.eml").Path(); len(p.Steps) != 0 || p.Slowest != -1 {
		t.Errorf("nothing quoted: %+v", p)
	}
}

// Re-rendering changes the gaps between the columns of a hop.
func TestHopColumnsOfText(t *testing.T) {
	const tls = "Microsoft SMTP Server (version=TLS1_2, cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384)"
	tests := []struct {
		name, rows string
		want       [][4]string
		unsure     bool
	}{
		{"tabs keep an empty column", "1 \t11/28/2026\n1:47:35 PM \t\tmail.fabrikam.example \tSMTP \t19 sec\n2 \t11/28/2026\n1:47:36 PM \ta.example \tb.example \t" + tls + " \t*\n",
			[][4]string{{"", "mail.fabrikam.example", "SMTP", "19 sec"}, {"a.example", "b.example", tls, "*"}}, false},
		{"wide gaps", "1       11/28/2026\n1:05:05 AM      a.example       b.example       " + tls + "  9 sec\n", [][4]string{{"a.example", "b.example", tls, "9 sec"}}, false},
		{"an empty WITH", "1       11/28/2026\n1:05:05 AM      lists.example mx-in.example          *\n", [][4]string{{"lists.example", "mx-in.example", "", "*"}}, false},
		{"one line", "1    11/28/2026 9:18:00 PM  a.example  a.example  mapi     *\n2    11/28/2026 9:18:15 PM  a.example  b.example  " + tls + "      15 sec\n",
			[][4]string{{"a.example", "a.example", "mapi", "*"}, {"a.example", "b.example", tls, "15 sec"}}, false},
		{"nothing between them", "112/1/2021\n8:04:26 AMlocalhostb.example" + tls + "42 sec\n212/1/2021\n8:04:27 AMb.exampleb.examplemapi1 sec\n312/1/2021\n8:04:27 AMb.examplec.example" + tls + "*\n",
			[][4]string{{"", "", "localhostb.example" + tls, "42 sec"}, {"", "", "b.exampleb.examplemapi", "1 sec"}, {"", "", "b.examplec.example" + tls, "*"}}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, err := ParseText("More Info for Email Admins\nStatus code: 550 5.1.10\n\nCreated Date:11/28/2026 1:00:00 AM\n\nMessage Hops\nHOPTIME (UTC)FROMTOWITHRELAY TIME\n" + tt.rows + "\nOriginal Message Headers\n")
			if err != nil || len(n.Hops) != len(tt.want) {
				t.Fatalf("%v, %+v", err, n)
			}
			for i, w := range tt.want {
				h := n.Hops[i]
				if got := [4]string{h.From, h.To, h.With, h.Relay}; got != w || h.Number != i+1 || h.At.IsZero() {
					t.Errorf("hop %d: %q %v, want %q", i+1, got, h.At, w)
				}
			}
			if hasFinding(n, findingHopColumns) != tt.unsure {
				t.Errorf("findings %v", n.Findings)
			}
		})
	}
}

func TestDelayNoticeRepeatsTheSubject(t *testing.T) {
	text := strings.Replace(fixtureText(t, "two-section-delayed.eml"), "This message hasn't been", "\nSubject: Offer, second draft\n\nThis message hasn't been", 1)
	n, err := ParseText(text)
	if err != nil || n.Details.Subject != "Offer, second draft" || !strings.HasPrefix(n.Recipients[0].Reason, "This message hasn't been") {
		t.Errorf("%v, %+v", err, n)
	}
}

func TestHopsTableStandsInForMissingReceivedFields(t *testing.T) {
	n := fixtureNotice(t, "current-2017-sender.eml")
	n.Original.Received = nil
	p := n.Path()
	if len(p.Steps) != 3 || p.Slowest != 2 || p.Accepted != online {
		t.Errorf("%+v", p)
	}
}

func TestDoubtAboutADateStays(t *testing.T) {
	// Nothing but the attempt's own date, and both readings are dates.
	text := "Diagnostic information for administrators:\n\nGenerating server: mail1.contoso.example\n\nbob@contoso.example\n3/09/2026 8:05:56 PM - Server at mail1.contoso.example returned '550 4.4.7 QUEUE.Expired; message expired'\n"
	n, err := ParseText(text)
	if err != nil {
		t.Fatal(err)
	}
	a := n.Recipients[0].Attempts[0]
	if !a.At.IsZero() || a.Order != OrderOpen || len(a.Or) != 2 || !hasFinding(n, findingDateOpen) {
		t.Errorf("%+v, %v", a, n.Findings)
	}
}

func TestLimits(t *testing.T) {
	many := "Diagnostic information for administrators:\n\nGenerating server: mail1.contoso.example\n\n" + strings.Repeat("a@b.example\n#550 5.1.1 x ##\n", 3) + "c@b.example\n#550 5.1.1 x ##\n"
	tests := map[string]struct {
		r    Reader
		text string
		want findingKind
	}{
		"bytes":      {Reader{MaxBytes: len(many) - 10}, many, findingCut},
		"lines":      {Reader{MaxLines: 8}, many, findingCut},
		"recipients": {Reader{MaxRecipients: 1}, many, findingTooMany},
		"hops":       {Reader{MaxHops: 2}, fixtureText(t, "current-2017-sender.eml"), findingTooMany},
		"fields":     {Reader{MaxFields: 3}, fixtureText(t, "current-2017-sender.eml"), findingTooMany},
	}
	for name, tt := range tests {
		n, err := tt.r.ParseText(tt.text)
		if err != nil || !hasFinding(n, tt.want) {
			t.Errorf("%s: %v, %+v", name, err, n)
		}
	}
	no := Reader{MaxBytes: -1, MaxLines: -1, MaxRecipients: -1, MaxHops: -1, MaxFields: -1}
	if n, err := no.ParseText(many); err != nil || len(n.Recipients) != 2 || len(n.Findings) != 0 {
		t.Errorf("no limits: %v, %+v", err, n)
	}
}

func TestHeadingsAreStoredFolded(t *testing.T) {
	for _, h := range headings {
		if fold(h.text) != h.text {
			t.Errorf("%q folds to %q", h.text, fold(h.text))
		}
	}
	for _, s := range stockSentences {
		if fold(s.prefix) != s.prefix || s.source == "" {
			t.Errorf("%+v", s)
		}
	}
}

func TestNotMicrosoft(t *testing.T) {
	if _, err := Parse(nil); !errors.Is(err, ErrNotMicrosoft) {
		t.Errorf("of no report: %v", err)
	}
	for _, s := range []string{"", "Hello", "<html><body>Hello</body></html>",
		"This is the mail system at host mx.example.com.\n\n<bob@contoso.example>: host mx.contoso.example[192.0.2.1] said: 550 5.1.1 User unknown (in reply to RCPT TO command)\n",
		"This is an automatically generated Delivery Status Notification\n\nDelivery to the following recipient failed permanently:\n\n     bob@contoso.example\n"} {
		if n, err := ParseText(s); err != ErrNotMicrosoft {
			t.Errorf("%q: %+v, %v", s, n, err)
		}
		if n, err := ParseHTML(s); err != ErrNotMicrosoft {
			t.Errorf("%q: %+v, %v", s, n, err)
		}
	}
}

func hasFinding(n *Notice, k findingKind) bool {
	for _, f := range n.Findings {
		if f.ID == k.id {
			return true
		}
	}
	return false
}

func fixtureText(t testing.TB, name string) string { text, _ := fixtureParts(t, name); return text }
func fixtureHTML(t testing.TB, name string) string { _, html := fixtureParts(t, name); return html }

func replaceNth(s, old, new string, n int) string {
	at := 0
	for range n - 1 {
		at += strings.Index(s[at:], old) + len(old)
	}
	return s[:at] + strings.Replace(s[at:], old, new, 1)
}

func TestPathOfAnyReturnedHeaderIsItsReceivedFieldsUpwards(t *testing.T) {
	path := PathOf(dsn.ReadHeader([]byte("Received: from b.example (b.example [192.0.2.2]) by c.example; Mon, 30 Nov 2026 09:01:00 +0000\r\n" +
		"Received: from a.example by b.example; Mon, 30 Nov 2026 09:00:00 +0000\r\nSubject: x\r\n\r\n")))
	if len(path.Steps) != 2 || path.Steps[0].By != "b.example" || path.Steps[1].Delay != time.Minute || path.Accepted != "c.example" {
		t.Errorf("got %+v", path)
	}
}
