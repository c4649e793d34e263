package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// testDesk is a desk with an empty store of its own and the demo's key.
func testDesk(t *testing.T) *desk {
	t.Helper()
	return openDesk(t, filepath.Join(t.TempDir(), "desk.db"))
}

func openDesk(t *testing.T, db string) *desk {
	t.Helper()
	s, err := openStore(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.db.Close() })
	k := &desk{store: s, now: func() time.Time { return time.Date(2026, 12, 2, 10, 0, 0, 0, time.UTC) }}
	k.Marks = marks{Domain: demoDomain, Key: []byte(demoKey)}
	return k
}

// demoMail is one of the demo's mails.
func demoMail(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata/demo/new", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// takeAll takes the named mails of the demo in, in order.
func takeAll(t *testing.T, k *desk, names ...string) (all []outcome) {
	t.Helper()
	for _, name := range names {
		o, err := k.take(t.Context(), demoMail(t, name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, o)
	}
	return all
}

func timeline(t *testing.T, k *desk, ticket int64) (kinds []string) {
	t.Helper()
	entries, err := k.entries(t.Context(), ticket)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

// people open the demo's tickets 1 to 3.
var people = []string{"01-person", "02-person", "03-person"}

func TestEachKindOfMailIsToldApart(t *testing.T) {
	k := testDesk(t)
	takeAll(t, k, people...)
	for _, test := range []struct {
		mail   string
		kind   kind
		action string
		ticket int64
	}{
		{"04-delayed", report, "updated", 1},
		{"05-expired", report, "updated", 1},
		{"06-expired-again", report, "duplicate", 1},
		{"07-user-unknown", report, "updated", 2}, // by the signed return path alone
		{"08-out-of-office", autoReply, "noted", 3},
		{"09-refused-by-spf", report, "updated", 3},
		{"10-backscatter", backscatter, "shown", 0}, // its id is in our form, not of our key
		{"11-answer", person, "updated", 3},
		{"12-newsletter", automatic, "set-aside", 0},
		{"13-unreadable", unknown, "set-aside", 0},
	} {
		o := takeAll(t, k, test.mail)[0]
		if o.Kind != test.kind || o.Action != test.action || o.Ticket != test.ticket {
			t.Errorf("%s: %s %s #%d, want %s %s #%d", test.mail, o.Kind, o.Action, o.Ticket, test.kind, test.action, test.ticket)
		}
	}
	tickets, err := k.tickets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(tickets) != 3 {
		t.Errorf("%d tickets, want the three that people opened", len(tickets))
	}
}

func TestDelayOpensNothingAndIsClosedByItsFinalReport(t *testing.T) {
	k := testDesk(t)
	// The desk does not know the ticket: the mark is good, the ticket is gone.
	o := takeAll(t, k, "04-delayed")[0]
	if o.Ticket != 0 || o.Action != "shown" {
		t.Fatalf("a delay led to %s #%d", o.Action, o.Ticket)
	}
	takeAll(t, k, people...)
	takeAll(t, k, "05-expired")
	if got := timeline(t, k, 1); !slices.Contains(got, "settled") {
		t.Errorf("ticket 1 has %v: the wait was not closed", got)
	}
	var waits int
	if err := k.row(t.Context(), "SELECT COUNT(*) FROM deliveries WHERE state = 'waiting'").Scan(&waits); err != nil || waits != 0 {
		t.Errorf("%d deliveries still wait (%v)", waits, err)
	}
}

func TestDelayThatComesAfterTheFinalReportDoesNotWait(t *testing.T) {
	k := testDesk(t)
	takeAll(t, k, people...)
	takeAll(t, k, "05-expired", "04-delayed")
	ticket, _, err := k.ticket(t.Context(), 1)
	if err != nil || ticket.Waiting != 0 {
		t.Errorf("waiting for %d deliveries (%v)", ticket.Waiting, err)
	}
}

func TestFailureReopensAndAutomaticAnswerDoesNot(t *testing.T) {
	k := testDesk(t)
	takeAll(t, k, people...)
	for id := int64(1); id <= 3; id++ {
		if err := k.setState(t.Context(), id, closed, k.now()); err != nil {
			t.Fatal(err)
		}
	}
	takeAll(t, k, "08-out-of-office", "04-delayed")
	for _, id := range []int64{1, 3} {
		if ticket, _, _ := k.ticket(t.Context(), id); ticket.State != closed {
			t.Errorf("ticket %d is %s after automatic mail", id, ticket.State)
		}
	}
	for _, o := range takeAll(t, k, "07-user-unknown", "11-answer") {
		if o.Action != "reopened" {
			t.Errorf("ticket %d: %s, want reopened", o.Ticket, o.Action)
		}
	}
}

func TestReportThatProvesNothingChangesNothing(t *testing.T) {
	k := testDesk(t)
	takeAll(t, k, people...)
	if err := k.setState(t.Context(), 2, closed, k.now()); err != nil {
		t.Fatal(err)
	}
	// The same report to an address without our signature, about mail whose
	// subject has the token and whose recipient the ticket knows.
	data := bytes.Replace(demoMail(t, "07-user-unknown"), []byte("Subject: Re: Access"), []byte("Subject: [#2] Re: Access"), 1)
	i := bytes.Index(data, []byte("Delivered-To:"))
	data = append(append(slices.Clone(data[:i]), "Delivered-To: help@desk.example"...), data[i+bytes.IndexByte(data[i:], '\n'):]...)
	o, err := k.take(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	if o.Kind != unproven || o.Action != "noted" || o.Ticket != 2 {
		t.Errorf("%s %s #%d, want it noted on ticket 2 as unproven", o.Kind, o.Action, o.Ticket)
	}
	if ticket, _, _ := k.ticket(t.Context(), 2); ticket.State != closed || ticket.Failed != 0 {
		t.Errorf("acted on: %+v", ticket)
	}
}

func TestTokenOfAStrangerFindsNothing(t *testing.T) {
	k := testDesk(t)
	takeAll(t, k, people...)
	mail := "From: mallory@evil.example\nTo: help@desk.example\nSubject: [#1] hello\nMessage-ID: <m@evil.example>\n\nhi\n"
	o, err := k.take(t.Context(), []byte(mail))
	if err != nil || o.Action != "opened" || o.Ticket == 1 {
		t.Errorf("%+v, %v: want a ticket of its own", o, err)
	}
	mail = strings.ReplaceAll(mail, "mallory@evil.example", "anna@customer.example")
	if o, err := k.take(t.Context(), []byte(mail)); err != nil || o.Action != "updated" || o.Ticket != 1 {
		t.Errorf("%+v, %v: want Anna's ticket 1", o, err)
	}
}

func TestMailOfTheSentFolderIsKnown(t *testing.T) {
	k := testDesk(t)
	takeAll(t, k, people...)
	sent := filepath.Join(t.TempDir(), "sent.eml")
	if err := os.WriteFile(sent, []byte("From: help@desk.example\nTo: jo@partner.example\nSubject: Welcome [#2]\nMessage-ID: <plain-1@desk.example>\n\nhi\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := k.remember(t.Context(), []string{sent}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	bounce := bytes.ReplaceAll(demoMail(t, "10-backscatter"), []byte("t1.aaaaaaaaaaaa.bbbbbbbbbbbbbbbb@desk.example"), []byte("plain-1@desk.example"))
	o, err := k.take(t.Context(), bounce)
	if err != nil || o.Kind != report || o.Ticket != 2 {
		t.Errorf("%+v, %v: want a report on ticket 2", o, err)
	}
}

func TestSameMailTwiceIsOneEvent(t *testing.T) {
	k := testDesk(t)
	takeAll(t, k, people...)
	takeAll(t, k, "05-expired", "05-expired", "06-expired-again")
	if n := strings.Count(strings.Join(timeline(t, k, 1), " "), string(report)); n != 1 {
		t.Errorf("%d reports on the ticket, want 1", n)
	}
	var copies, events int
	if err := errors.Join(k.row(t.Context(), "SELECT MAX(copies) FROM mails").Scan(&copies),
		k.row(t.Context(), "SELECT COUNT(*) FROM outbox WHERE ticket = 1 AND idempotency_key IN (SELECT id || '-1' FROM mails WHERE kind = 'report')").Scan(&events)); err != nil {
		t.Fatal(err)
	}
	if copies != 3 || events != 1 {
		t.Errorf("%d copies and %d events, want 3 and 1", copies, events)
	}
}

func TestMaildirKeepsEveryMail(t *testing.T) {
	k := testDesk(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/demo")); err != nil {
		t.Fatal(err)
	}
	// The folder cur is missing, as in one that nobody has read yet.
	if n, err := (maildir{Dir: dir}).scan(t.Context(), k.take); n != 14 || err != nil {
		t.Fatal(n, err)
	}
	for folder, want := range map[string]int{"new": 0, "cur": 12, ".Unknown/cur": 2} {
		if entries, _ := os.ReadDir(filepath.Join(dir, folder)); len(entries) != want {
			t.Errorf("%s holds %d mails, want %d", folder, len(entries), want)
		}
	}
}

func TestMailThatWasShownIsTakenInWhereAskedFor(t *testing.T) {
	k := testDesk(t)
	dir := demoMaildir(t)
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	move("new/11-answer", "cur/11-answer:2,S") // somebody looked
	move("new/13-unreadable", "cur/13-unreadable:2,")
	if n, err := (maildir{Dir: dir}).scan(t.Context(), k.take); n != 12 || err != nil {
		t.Fatalf("%d mails of new, %v", n, err)
	}
	shown := maildir{Dir: dir, Shown: k.store}
	if n, err := shown.scan(t.Context(), k.take); n != 13 || err != nil {
		t.Fatalf("%d mails of cur, %v", n, err) // the others are known for what they are
	}
	move("cur/11-answer:2,S", "cur/11-answer:2,RS") // and answered
	if n, err := shown.scan(t.Context(), k.take); n != 0 || err != nil {
		t.Errorf("%d mails again, %v", n, err)
	}
	if mails, tickets, _, _ := counts(t, k); mails != 13 || tickets != 3 {
		t.Errorf("%d mails, %d tickets", mails, tickets) // 06 is a copy of 05
	}
	if entries, _ := os.ReadDir(filepath.Join(dir, ".Unknown/cur")); len(entries) != 2 {
		t.Errorf("%d mails set aside, want 2", len(entries))
	}
}

func TestStoreThatIsGoneLeavesTheMail(t *testing.T) {
	k := testDesk(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/demo")); err != nil {
		t.Fatal(err)
	}
	k.db.Close()
	_, err := (maildir{Dir: dir}).scan(t.Context(), k.take)
	if !errors.Is(err, errStore) || !strings.Contains(fmt.Sprint(err), "the mail stays in") {
		t.Errorf("said %v", err)
	}
	if entries, _ := os.ReadDir(filepath.Join(dir, "new")); len(entries) != 14 {
		t.Errorf("%d mails left in new, want all 14", len(entries))
	}
}

func TestDemoShowsTheTickets(t *testing.T) {
	var out bytes.Buffer
	if err := run(context.WithoutCancel(t.Context()), []string{"-demo"}, &out, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Ticket #1, open: Invoice 2231", "The wait for anna@customer.example is over: failed", "backscatter shown", "The address does not exist"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
}
