package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dsn"
)

const now = "Wed, 2 Dec 2036 10:00:00 +0000" // after every start of a test

// originOf sends a bounce from outside through the proxy and returns what is
// said of its origin.
func originOf(t *testing.T, h *hop, gw, to, messageID, date string) string {
	t.Helper()
	if got := send(t, gw, "", []string{to}, bounce("", messageID, date)); !strings.HasPrefix(got, "250") {
		t.Fatal(got)
	}
	mails := h.mails()
	return strings.Join(fieldsOf(mails[len(mails)-1].data)["X-Mailfault-Origin"], ",")
}

func TestBackscatterIsKnownByTheMailSent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sent")
	h := startHop(t)
	inside := startGateway(t, h, "-sent", file, "-inside", "127.0.0.1/32")
	send(t, inside, "a@example.org", []string{"gone@example.net"}, "Message-ID: <One@example.org>\r\n"+ordinary)
	// A restart remembers; this one takes everybody for outside.
	gw := startGateway(t, h, "-sent", file)
	for _, test := range []struct{ name, id, date, want string }{
		{"sent", "One@example.org", now, "ours"},
		{"not sent", "2@example.org", now, "not-ours"},
		{"before anything is remembered", "2@example.org", "Wed, 2 Dec 2020 10:00:00 +0000", "cannot-tell"},
		{"no date", "2@example.org", "", "cannot-tell"},
		{"no message id", "", now, "cannot-tell"},
	} {
		if got := originOf(t, h, gw, "a@example.org", test.id, test.date); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A forged report must not take an address off a list, nor give our people work.
func TestBackscatterGivesNoAdviceAboutTheAddress(t *testing.T) {
	h := startHop(t)
	gw := startGateway(t, h, "-sent", filepath.Join(t.TempDir(), "sent"))
	originOf(t, h, gw, "a@example.org", "2@example.org", now)
	fields := fieldsOf(h.mails()[0].data)
	if got := fields["X-Mailfault-Address"]; fields["X-Mailfault-Origin"][0] != "not-ours" || len(got) != 1 || got[0] != "keep" {
		t.Errorf("address advice %q of origin %q", got, fields["X-Mailfault-Origin"])
	}
	if got := fields["X-Mailfault-First-Move"]; len(got) != 1 || !strings.HasPrefix(got[0], "Nothing to resend") || fields["X-Mailfault-Owner"] != nil {
		t.Errorf("first move %q of %q", got, fields["X-Mailfault-Owner"])
	}
}

func TestReportOfOurOwnServerIsNoBackscatter(t *testing.T) {
	h := startHop(t)
	gw := startGateway(t, h, "-sent", filepath.Join(t.TempDir(), "sent"), "-inside", "127.0.0.1/32")
	if got := originOf(t, h, gw, "a@example.org", "refused-before-its-header@example.org", now); got != "cannot-tell" {
		t.Errorf("got %q", got)
	}
}

func TestGenerationsForgetTheOldest(t *testing.T) {
	name := filepath.Join(t.TempDir(), "sent")
	s, err := openSentMail(name, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	// All of it lies in the past, for a file opened again knows of no future.
	start := time.Now().Add(-3 * time.Hour)
	s.young.since, s.old.since = start, start
	for i, id := range []string{"<first@x>", "<second@x>", "<third@x>"} {
		if err := s.add(id, start.Add(time.Duration(i)*61*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	check := func(s *sentMail) {
		t.Helper()
		for id, want := range map[string]dsn.Verdict{"first@x": dsn.CannotTell, "SECOND@x": dsn.Ours, "third@x": dsn.Ours} {
			if got := s.lookup(id, start.Add(time.Minute)); got != want {
				t.Errorf("%s: %s, want %s", id, got, want)
			}
		}
	}
	check(s)
	again, err := openSentMail(name, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	check(again)
}

func TestSignedReversePath(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("0123456789abcdef"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := startHop(t)
	inside := startGateway(t, h, "-sign-key", key, "-own", "example.org", "-inside", "127.0.0.1/32")
	send(t, inside, "a@example.org", []string{"gone@example.net"}, ordinary)
	send(t, inside, "a@other.example", []string{"gone@example.net"}, ordinary)
	mails := h.mails()
	signed := mails[0].from
	if !strings.HasPrefix(signed, "prvs=0") || !strings.HasSuffix(signed, "=a@example.org") {
		t.Fatalf("reverse path %q", signed)
	}
	if mails[1].from != "a@other.example" {
		t.Errorf("a foreign domain was signed: %q", mails[1].from)
	}
	gw := startGateway(t, h, "-sign-key", key, "-own", "example.org")
	flipped := strings.Replace(signed, signed[8:9], string(signed[8]^1), 1)
	for name, test := range map[string]struct{ to, origin, delivered string }{
		"signed":           {signed, "ours", "a@example.org"},
		"not signed":       {"a@example.org", "not-ours", "a@example.org"},
		"forged signature": {flipped, "not-ours", flipped},
		"not our domain":   {"b@example.net", "cannot-tell", "b@example.net"},
	} {
		if got := originOf(t, h, gw, test.to, "1@example.org", now); got != test.origin {
			t.Errorf("%s: %q, want %q", name, got, test.origin)
		}
		if mails := h.mails(); mails[len(mails)-1].to[0] != test.delivered {
			t.Errorf("%s: delivered to %q, want %q", name, mails[len(mails)-1].to[0], test.delivered)
		}
	}
	m := startMilter(t, "-sign-key", key, "-own", "example.org", "-inside", "127.0.0.2/32")
	if _, from, _ := throughMilter(t, m, "127.0.0.2", "a@example.org", "b@example.net", ordinary); from != "<"+signed+">" {
		t.Errorf("milter signs %q, proxy %q", from, signed)
	}
	if _, _, to := throughMilter(t, m, "192.0.2.1", "", signed, bounce("", "1@x", now)); to != "<a@example.org>" {
		t.Errorf("milter delivers to %q", to)
	}
}

func TestSignatureHasItsTime(t *testing.T) {
	k := batvKey("0123456789abcdef")
	day := time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC)
	signed := k.sign("a@example.org", day)
	for days, want := range map[int]bool{0: true, 7: true, 8: false, 100: false, -1: false} {
		if _, ok := k.restore(signed, day.AddDate(0, 0, days)); ok != want {
			t.Errorf("after %d days: %v, want %v", days, ok, want)
		}
	}
}
