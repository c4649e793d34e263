package dsn

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/internal/corpora"
)

type forward struct {
	name  string
	share int // of the corpus that has to come out the same, in percent
	mail  func(mail, text string) string
}

func (w forward) read(mail, text string) (*Report, error) {
	if w.name == "the text alone" {
		return ReadText(w.mail(mail, text))
	}
	return Read(strings.NewReader(w.mail(mail, text)))
}

// forwards are ways in which people hand a report on: attached, or its text
// below their own.
var forwards = []forward{
	{"attached", 100, func(mail, _ string) string {
		return customer + "Content-Type: multipart/mixed; boundary=zzq\n\n--zzq\nContent-Type: text/plain\n\nPlease look at this.\n\n--zzq\nContent-Type: message/rfc822\n\n" + mail + "\n--zzq--\n"
	}},
	{"below a line that says so", 90, func(_, text string) string {
		return customer + plain + "---------- Forwarded message ---------\nFrom: Mail Delivery Subsystem <MAILER-DAEMON@mx.example.net>\nDate: Mon, 3 Aug 2026 10:00\nSubject: Undelivered\nTo: <anna@o.example>\n\n" + text
	}},
	{"quoted", 90, func(_, text string) string {
		return customer + plain + "On Mon, 3 Aug 2026 at 10:00, Mail Delivery Subsystem\n<MAILER-DAEMON@mx.example.net> wrote:\n" + quoted(text)
	}},
	{"quoted, in German", 90, func(_, text string) string {
		return customer + plain + "Am 3. Aug. 2026 um 10:00 schrieb Mail Delivery System <MAILER-DAEMON@mx.example.net>:\n\n" + quoted(text)
	}},
	{"below the fields Outlook writes", 90, func(_, text string) string {
		return customer + plain + "-----Original Message-----\nFrom: Mail Delivery System <MAILER-DAEMON@mx.example.net>\nSent: Monday, August 3, 2026 10:00 AM\nTo: Anna <anna@o.example>\nSubject: Undelivered Mail Returned to Sender\n\n" + text
	}},
	{"below the fields Outlook writes, in German and bold", 90, func(_, text string) string {
		return customer + plain + "*Von:* Mail Delivery System <MAILER-DAEMON@mx.example.net>\n*Gesendet:* Montag, 3. August 2026 10:00\n*An:* Anna <anna@o.example>\n*Betreff:* Undelivered Mail Returned to Sender\n\n" + text
	}},
	{"pasted with no word on whose it is", 65, func(_, text string) string {
		return customer + plain + text
	}},
	{"the text alone", 90, func(_, text string) string { return text }},
}

const (
	customer = "From: anna@o.example\nTo: help@desk.example\nSubject: FW: what is this?\nMessage-ID: <p1@o.example>\nMIME-Version: 1.0\n"
	plain    = "Content-Type: text/plain; charset=utf-8\n\nHello,\n\nwhat does this mean? It came when I wrote to a customer.\n\nAnna\n\n"
)

func quoted(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n> ") + "\n"
}

func recipientsOf(r *Report) []string {
	var all []string
	for _, rcpt := range r.Recipients {
		all = append(all, strings.ToLower(rcpt.FinalRecipient.Address))
	}
	slices.Sort(all)
	return all
}

// TestAForwardedBounceNamesTheSameRecipients hands every bounce of the corpus
// on in every way. Where the text alone names fewer or other recipients than
// the fields do, no forward can tell; hence the shares.
func TestAForwardedBounceNamesTheSameRecipients(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpora.Dir(t, "bounces", "eml"), "*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range forwards {
		t.Run(way.name, func(t *testing.T) {
			all, same := 0, 0
			for _, file := range files {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				mail := strings.ReplaceAll(string(data), "\r\n", "\n")
				want, err := Read(strings.NewReader(mail))
				if err != nil || want.Kind != DeliveryStatus || strings.TrimSpace(want.Explanation.Text) == "" {
					continue
				}
				all++
				got, err := way.read(mail, want.Explanation.Text)
				switch {
				case err != nil:
					t.Logf("%s: %v", filepath.Base(file), err)
				case !slices.Equal(recipientsOf(got), recipientsOf(want)):
					t.Logf("%s: %v, want %v", filepath.Base(file), recipientsOf(got), recipientsOf(want))
				default:
					same++
				}
			}
			if same < all*way.share/100 {
				t.Errorf("%d of %d, want %d %%", same, all, way.share)
			}
		})
	}
}

func TestAForwardedBounceIsToldFromAnOrdinaryMail(t *testing.T) {
	bounce := "This is the mail system at host mx.o.example.\n\nYour message could not be delivered to one or more recipients.\n\n<gone@example.net>: host mx.example.net[192.0.2.1] said: 550 5.1.1 no such\n    user (in reply to RCPT TO command)\n"
	for _, way := range forwards {
		r, err := way.read("From: MAILER-DAEMON@mx.o.example\nTo: anna@o.example\nSubject: Undelivered Mail Returned to Sender\n\n"+bounce, bounce)
		if err != nil {
			t.Errorf("%s: %v", way.name, err)
			continue
		}
		rcpt := r.Recipients[0]
		if rcpt.FinalRecipient.Address != "gone@example.net" || rcpt.Diagnostic.Text != "550 5.1.1 no such user (in reply to RCPT TO command)" || rcpt.RemoteMTA.Host != "mx.example.net" || r.ReportingMTA.Host != "mx.o.example" {
			t.Errorf("%s: %+v, by %+v", way.name, rcpt, r.ReportingMTA)
		}
		if way.name != "the text alone" && !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.ID == findingForwarded }) {
			t.Errorf("%s: no word that a person forwarded it: %v", way.name, r.Findings)
		}
	}
	for name, text := range map[string]string{
		"a person quoted":           "On Mon, 3 Aug 2026 at 10:00, Bob <bob@example.net> wrote:\n> My mail to gone@example.net came back:\n> 550 5.1.1 no such user\n",
		"a person below fields":     "-----Original Message-----\nFrom: Bob <bob@example.net>\nSent: Monday\nTo: Anna\nSubject: delivery failed\n\nMy mail to gone@example.net came back: 550 5.1.1 no such user\n",
		"talk of a mail system":     "The mail system at host mx.example.net was down, as the mail delivery team wrote:\n> We will be back at 10:00. Write to gone@example.net.\n",
		"a postmaster writes":       "On Mon, 3 Aug 2026, Postmaster <postmaster@example.net> wrote:\n> Please call bob@example.net about the new filter, room 550.\n",
		"only the line before it":   "Mail Delivery System <MAILER-DAEMON@mx.example.net> wrote:\n",
		"only the fields before it": "From: MAILER-DAEMON@mx.example.net\nSubject: Undelivered\n",
	} {
		if r, err := Read(strings.NewReader(customer + plain + text)); !errors.Is(err, ErrNotReport) {
			t.Errorf("%s: %v %v %+v", name, err, r.Kind, r.Recipients)
		}
	}
	byProgram := strings.Replace(customer, "From: anna@o.example", "Auto-Submitted: auto-generated\nFrom: alerts@o.example", 1) +
		"Content-Type: multipart/mixed; boundary=zzq\n\n--zzq\nContent-Type: message/rfc822\n\n" + sample + "\n--zzq--\n"
	r, err := Read(strings.NewReader(byProgram))
	if err != nil || !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.ID == findingForwardedByProgram }) {
		t.Errorf("sent on by a program: %v %v", err, r.Findings)
	}
}

func TestReadTextWantsAReport(t *testing.T) {
	for _, text := range []string{"", "\n", "> > >\n", "Hello,\nsee you at 5.1.1?\nAnna <anna@o.example>\n", strings.Repeat("x@example.org\n", 100)} {
		if r, err := ReadText(text); !errors.Is(err, ErrNotReport) || r == nil {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

func FuzzReadText(f *testing.F) {
	for _, way := range forwards {
		if _, text, ok := strings.Cut(way.mail("", "This is the mail system at host mx.o.example.\n\n<gone@example.net>: host mx.example.net[192.0.2.1] said: 550 5.1.1 no\n"), "\n\n"); ok {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ReadText(text)
		if r == nil || err == nil && r.Kind == KindUnknown {
			t.Fatal(err)
		}
		Read(strings.NewReader(customer + plain + text))
	})
}

// A list of addresses in Markdown's bold is one of recipients all the same.
func TestBoldAddressesInAPaste(t *testing.T) {
	for _, text := range []string{
		"I'm sorry to have to inform you that your message could not be delivered to one or more recipients.\n\n<**gone@example.net**>: host mx.example.net[192.0.2.1] said: 550 5.1.1 no such user\n<**two@example.net**>: host mx.example.net[192.0.2.1] said: 552 5.2.2 mailbox full\n",
		"Your message could not be delivered to the following recipients:\n\n**gone@example.net**: 550 5.1.1 no such user\n**two@example.net**: 552 5.2.2 mailbox full\n",
	} {
		r, err := ReadText(text)
		if err != nil || !slices.Equal(recipientsOf(r), []string{"gone@example.net", "two@example.net"}) {
			t.Errorf("%v: %v", err, recipientsOf(r))
			continue
		}
		for i, want := range []string{"5.1.1", "5.2.2"} {
			if got := r.Recipients[i].Status.String(); got != want {
				t.Errorf("recipient %d: %s, want %s", i, got, want)
			}
		}
	}
}
