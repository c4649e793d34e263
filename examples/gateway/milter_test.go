package main

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/d--j/go-milter"
)

// throughMilter tells the milter door of a mail as Postfix would, and returns
// the mail with the changes it asks for, and the changed envelope.
func throughMilter(t *testing.T, addr, client, from, to, data string) (mail, newFrom, newTo string) {
	t.Helper()
	session, err := milter.NewClient("tcp", addr).Session(milter.NewMacroBag())
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	must := func(a *milter.Action, err error) {
		t.Helper()
		if err != nil || a.StopProcessing() {
			t.Fatal(a, err)
		}
	}
	must(session.Conn("client.test", milter.FamilyInet, 25, client))
	must(session.Helo("client.test"))
	must(session.Mail(from, ""))
	must(session.Rcpt(to, ""))
	must(session.DataStart())
	end := headerEnd([]byte(data))
	type line struct{ name, value string }
	var lines []line
	for raw := range rawFields([]byte(data[:end])) {
		if name, _ := split(raw); name != "" {
			value := strings.TrimPrefix(strings.TrimSuffix(string(raw[len(name)+1:]), "\r\n"), " ")
			lines = append(lines, line{name, value})
			must(session.HeaderField(name, value, nil))
		}
	}
	must(session.HeaderEnd())
	actions, action, err := session.BodyReadFrom(strings.NewReader(data[end:]))
	must(action, err)
	for _, a := range actions {
		switch a.Type {
		case milter.ActionInsertHeader: // before the header of that number
			at := min(max(int(a.HeaderIndex), 1)-1, len(lines))
			lines = slices.Insert(lines, at, line{a.HeaderName, strings.TrimPrefix(a.HeaderValue, " ")})
		case milter.ActionChangeHeader:
			n := 0
			at := slices.IndexFunc(lines, func(l line) bool {
				if strings.EqualFold(l.name, a.HeaderName) {
					n++
				}
				return n == int(a.HeaderIndex)
			})
			if at < 0 || a.HeaderValue != "" {
				t.Fatalf("unexpected change %+v", a)
			}
			lines = slices.Delete(lines, at, at+1)
		case milter.ActionChangeFrom:
			newFrom = a.From
		case milter.ActionAddRcpt:
			newTo = a.Rcpt
		case milter.ActionDelRcpt:
		default:
			t.Fatalf("unexpected action %+v", a)
		}
	}
	for _, l := range lines {
		mail += fmt.Sprintf("%s: %s\r\n", l.name, strings.ReplaceAll(l.value, "\n", "\r\n"))
	}
	return strings.ReplaceAll(mail, "\r\r", "\r") + "\r\n" + data[end:], newFrom, newTo
}

func startMilter(t *testing.T, args ...string) string {
	t.Helper()
	o, err := parse(append([]string{"-milter", "127.0.0.1:0", "-hostname", "gw.test"}, args...), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	g, err := o.gateway(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	door, err := openMilter(g, o.milter)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(door.Close)
	return door.Addr().String()
}

// What the proxy makes of a mail, the milter makes of it too.
func TestBothDoorsDecideAlike(t *testing.T) {
	addr := startMilter(t)
	report := bounce("", "1@example.org", "Wed, 2 Dec 2026 10:00:00 +0000")
	for name, test := range map[string]struct{ from, data string }{
		"ordinary":       {"a@example.org", ordinary},
		"forged":         {"a@example.org", "X-Mailfault-Owner: nobody\r\nTo: x\r\nX-Mailfault-Owner: nobody\r\n" + ordinary},
		"our results":    {"a@example.org", "Authentication-Results: gw.test; spf=pass\r\n" + ordinary},
		"report":         {"", report},
		"report, forged": {"", "X-Mailfault-Condition: mailbox-full\r\nReceived: from x\r\nX-Mailfault-Condition: mailbox-full\r\n" + report},
		"large report":   {"", report + strings.Repeat(strings.Repeat("y", 70)+"\r\n", 200000)},
	} {
		t.Run(name, func(t *testing.T) {
			h := startHop(t)
			if got := send(t, startGateway(t, h), test.from, []string{"b@example.net"}, test.data); !strings.HasPrefix(got, "250") {
				t.Fatal(got)
			}
			want := string(h.mails()[0].data)
			if got, _, _ := throughMilter(t, addr, "127.0.0.1", test.from, "b@example.net", test.data); got != want {
				t.Errorf("milter:\n%.900s\nproxy:\n%.900s", got, want)
			}
		})
	}
}

// Forged fields go however many fields stand before them.
func TestMilterRemovesTheForgedFieldBehindTenThousand(t *testing.T) {
	addr := startMilter(t)
	header := strings.Repeat("X-A: b\r\n", 10_000) + "X-Mailfault-Condition: FORGED\r\nAuthentication-Results: =?utf-8?q?gw=2Etest?=; spf=FORGED\r\nSubject: x\r\n"
	got, _, _ := throughMilter(t, addr, "192.0.2.7", "a@example.org", "b@example.net", header+"\r\nbody\r\n")
	if strings.Contains(got, "FORGED") || strings.Count(got, "X-A: b") != 10_000 || !strings.HasSuffix(got, "Subject: x\r\n\r\nbody\r\n") {
		t.Errorf("%d bytes, FORGED: %v", len(got), strings.Contains(got, "FORGED"))
	}
}

// A forged field whose name the protocol's library cannot name would stay, and
// every other one with it: the mail is refused. Of a field that nobody forges with
// it is no matter.
func TestMilterRefusesWhatItCannotRemove(t *testing.T) {
	addr := startMilter(t)
	for name, want := range map[string]byte{"X-Mailfault-\xc3\xa9": byte(milter.ActionRejectWithCode), "X-\xc3\xa9": byte(milter.ActionAccept)} {
		session, err := milter.NewClient("tcp", addr).Session(milter.NewMacroBag())
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		session.Conn("client.test", milter.FamilyInet, 25, "192.0.2.7")
		session.Helo("client.test")
		session.Mail("a@example.org", "")
		session.Rcpt("b@example.net", "")
		session.DataStart()
		session.HeaderField("X-Mailfault-Owner", "FORGED", nil)
		session.HeaderField(name, "FORGED", nil)
		if _, err := session.HeaderEnd(); err != nil {
			t.Fatal(err)
		}
		changes, action, err := session.BodyReadFrom(strings.NewReader("body\r\n"))
		if err != nil || byte(action.Type) != want || want == byte(milter.ActionRejectWithCode) && action.SMTPCode != 550 {
			t.Errorf("%q: %+v, %v, want %d", name, action, err, want)
		}
		if want == byte(milter.ActionAccept) && len(changes) == 0 {
			t.Errorf("%q: the forged field stays", name)
		}
	}
}
