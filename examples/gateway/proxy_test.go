package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

func TestMailThatIsNoReportPassesByteForByte(t *testing.T) {
	for name, test := range map[string]struct{ from, data string }{
		"plain":                        {"a@example.org", ordinary},
		"lines that begin with a dot":  {"a@example.org", "Subject: x\r\n\r\n.\r\n..\r\n.dot\r\n"},
		"eight bits and nul":           {"a@example.org", "Subject: gr\xc3\xbc\xdf\xff\r\n\r\n\x80\xff\x00\r\n"},
		"a line of 20,000 bytes":       {"a@example.org", "Subject: x\r\n\r\n" + strings.Repeat("y", 20000) + "\r\n"},
		"header alone":                 {"a@example.org", "Subject: x\r\n"},
		"header that is broken":        {"a@example.org", "no colon here\r\n folded\r\nSubject : x\r\n\r\n\r\n\r\n"},
		"bare CR in the body":          {"a@example.org", "Subject: x\r\n\r\na\rb\r\n"},
		"8 MiB":                        {"a@example.org", "Subject: x\r\n\r\n" + strings.Repeat(strings.Repeat("z", 70)+"\r\n", 8<<20/72)},
		"null reverse path, no report": {"", "From: mailer-daemon@example.org\r\nAuto-Submitted: auto-replied\r\nSubject: I am away\r\n\r\nBack on Monday.\r\n"},
		"results of somebody else":     {"a@example.org", "Authentication-Results: other.test; spf=pass\r\nReceived-SPF: pass\r\n\r\nbody\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			h := startHop(t)
			gw := startGateway(t, h)
			if got := send(t, gw, test.from, []string{"b@example.net"}, test.data); !strings.HasPrefix(got, "250") || !strings.Contains(got, "QUEUEID7") {
				t.Fatalf("reply %q, want the next hop's 250 with its queue id", got)
			}
			got := h.mails()
			if len(got) != 1 || string(got[0].data) != test.data || got[0].from != test.from {
				t.Fatalf("the next hop has %d mails; first differs", len(got))
			}
		})
	}
}

func TestReportGetsItsDiagnosisAndNoForgedOne(t *testing.T) {
	h := startHop(t)
	events := filepath.Join(t.TempDir(), "events.ndjson")
	gw := startGateway(t, h, "-events", events)
	forged := "X-Mailfault-Condition: mailbox-full\r\nx-mailfault-owner :\r\n  nobody\r\nAuthentication-Results: (c) GW.test; spf=pass\r\n"
	mail := bounce("", "1@example.org", "Wed, 2 Dec 2026 10:00:00 +0000")
	if got := send(t, gw, "", []string{"a@example.org"}, forged+mail); !strings.HasPrefix(got, "250") {
		t.Fatal(got)
	}
	got := h.mails()[0].data
	if !bytes.HasSuffix(got, []byte("\r\n"+mail)) {
		t.Errorf("the report itself was changed:\n%s", got)
	}
	fields := fieldsOf(got)
	for name, want := range map[string]string{
		"Report": "delivery-status", "Recipient": "gone@example.net", "Action": "failed", "Condition": "recipient-not-found",
		"Refuser": "remote-server mx2.example.net",
	} {
		if values := fields[prefix+name]; len(values) != 1 || values[0] != want {
			t.Errorf("%s%s: %q, want %q once", prefix, name, values, want)
		}
	}
	for _, name := range []string{"Owner", "First-Move", "Address", "Origin"} {
		if values := fields[prefix+name]; len(values) != 1 || values[0] == "" || values[0] == "nobody" {
			t.Errorf("%s%s: %q", prefix, name, values)
		}
	}
	if fields["Authentication-Results"] != nil || fields["x-mailfault-owner"] != nil {
		t.Errorf("forged fields passed: %v", fields)
	}
	var event struct {
		Kind       string
		Recipients []struct {
			FinalRecipient string `json:"final_recipient"`
			Diagnosis      struct{ Condition string }
		}
		Gateway struct {
			ID string
			To []string `json:"rcpt_to"`
		}
	}
	line := eventually(t, func() ([]byte, bool) { b, _ := os.ReadFile(events); return b, bytes.HasSuffix(b, []byte("\n")) })
	if err := json.Unmarshal(line, &event); err != nil {
		t.Fatal(err)
	}
	if event.Kind != "delivery-status" || len(event.Recipients) != 1 || event.Recipients[0].Diagnosis.Condition != "recipient-not-found" ||
		event.Gateway.ID == "" || !slices.Equal(event.Gateway.To, []string{"a@example.org"}) {
		t.Errorf("event %+v", event)
	}
}

func TestForgedFieldsAreRemovedHoweverTheyAreSpelt(t *testing.T) {
	for name, forged := range map[string]string{
		"plain":               "X-Mailfault-Condition: FORGED\r\n",
		"lower case":          "x-mailfault-condition: FORGED\r\n",
		"blank before colon":  "X-Mailfault-Condition \t: FORGED\r\n",
		"folded":              "X-Mailfault-Condition:\r\n FORGED\r\n\tFORGED\r\n",
		"behind a bare LF":    "Subject: x\nX-Mailfault-Condition: FORGED\r\n",
		"behind a bare CR":    "Subject: x\rX-Mailfault-Condition: FORGED\r\n",
		"between bare CRs":    "Subject: x\r\rX-Mailfault-Condition: FORGED\r\rTo: c\r\n",
		"our results":         "Authentication-Results: gw.test; spf=FORGED\r\n",
		"our results, quoted": "Authentication-Results: \"gw.test\" 1; spf=FORGED\r\n",

		"a NUL in the name":            "X-Mail\x00fault-Condition: FORGED\r\n",
		"a control before the name":    "\x0bX-Mailfault-Condition: FORGED\r\n",
		"a mark of byte order":         "\ufeffX-Mailfault-Condition: FORGED\r\n",
		"a folded first line":          " X-Mailfault-Condition: FORGED\r\n",
		"folded before the colon":      "X-Mailfault-Condition\r\n : FORGED\r\n",
		"CRs before the CRLF":          "Subject: x\r\r\nX-Mailfault-Condition: FORGED\r\n",
		"our results behind comments":  "Authentication-Results: (a (b) \\) c) gw.test; spf=FORGED\r\n",
		"our results, folded":          "Authentication-Results:\r\n\tgw.test; spf=FORGED\r\n",
		"our results, escaped":         "Authentication-Results: \"g\\w.\\test\"; spf=FORGED\r\n",
		"our results, with a root":     "Authentication-Results: GW.test.; spf=FORGED\r\n",
		"our results, encoded":         "Authentication-Results: =?us-ascii?q?gw=2Etest?=; spf=FORGED\r\n",
		"our results, in wide letters": "Authentication-Results: \uff47\uff57.test; spf=FORGED\r\n",
		"our results with a NUL":       "Authentication-Results: gw\x00.test; spf=FORGED\r\n",
		"our SPF result":               "Received-SPF: pass (gw.test: FORGED)\r\n",
		"our SPF result by its key":    "Received-SPF: pass (FORGED)\r\n receiver=GW.test; helo=x\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			h := startHop(t)
			gw := startGateway(t, h)
			if got := send(t, gw, "a@example.org", []string{"b@example.net"}, forged+ordinary); !strings.HasPrefix(got, "250") {
				t.Fatal(got)
			}
			if got := h.mails()[0].data; bytes.Contains(got, []byte("FORGED")) || !bytes.HasSuffix(got, []byte(ordinary)) {
				t.Errorf("got %q", got)
			}
		})
	}
	t.Run("a folded first line does not join our last field", func(t *testing.T) {
		h := startHop(t)
		gw := startGateway(t, h)
		send(t, gw, "", []string{"a@example.org"}, bounce(" FORGED\r\n", "1@x", ""))
		if got := h.mails()[0].data; bytes.Contains(got, []byte("FORGED")) || !bytes.Contains(got, []byte("X-Mailfault-Condition: recipient-not-found")) {
			t.Errorf("got %q", got)
		}
	})
}

func TestRefusalKeepsCodeAndStatusAndGainsALine(t *testing.T) {
	h := startHop(t)
	h.rcpt["gone@example.net"] = &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "User unknown\nin virtual table"}
	h.rcpt["later@example.net"] = &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 1}, Message: "Greylisted, try again later"}
	h.rcpt["bare@example.net"] = &smtp.SMTPError{Code: 550, EnhancedCode: smtp.NoEnhancedCode, Message: "no"}
	gw := startGateway(t, h)
	for to, want := range map[string]string{
		"gone@example.net":  "550-5.1.1 User unknown\r\n550-5.1.1 in virtual table\r\n550 5.1.1 Explained: ",
		"later@example.net": "451-4.7.1 Greylisted, try again later\r\n451 4.7.1 Explained: ",
		"bare@example.net":  "550-no\r\n550 Explained: ",
	} {
		got := send(t, gw, "a@example.org", []string{to}, ordinary)
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %q, want %q...", to, got, want)
		}
	}
	h.data = &smtp.SMTPError{Code: 552, EnhancedCode: smtp.EnhancedCode{5, 2, 2}, Message: "Mailbox full"}
	if got := send(t, gw, "a@example.org", []string{"b@example.net"}, ordinary); !strings.HasPrefix(got, "552-5.2.2 Mailbox full\r\n552 5.2.2 Explained: ") {
		t.Errorf("after data: %q", got)
	}
	if len(h.mails()) != 0 {
		t.Error("a refused mail was kept")
	}
}

func TestNothingIsAcknowledgedBeforeTheNextHopHasIt(t *testing.T) {
	h := startHop(t)
	gw := startGateway(t, h)
	release, reached := make(chan bool), make(chan bool)
	h.before = func() { reached <- true; <-release }
	answer := make(chan string)
	go func() { answer <- send(t, gw, "a@example.org", []string{"b@example.net"}, ordinary) }()
	<-reached
	select {
	case got := <-answer:
		t.Fatalf("answered %q while the next hop had not", got)
	case <-time.After(200 * time.Millisecond):
	}
	release <- true
	if got := <-answer; !strings.HasPrefix(got, "250") {
		t.Error(got)
	}
	// The next hop goes away with the mail in its hands.
	h.before = func() { h.server.Close() }
	if got := send(t, gw, "a@example.org", []string{"b@example.net"}, ordinary); !strings.HasPrefix(got, "451 4.4.1") {
		t.Errorf("the next hop is gone: %q", got)
	}
	if got := send(t, gw, "a@example.org", []string{"b@example.net"}, ordinary); !strings.HasPrefix(got, "451 4.4.1") {
		t.Errorf("no next hop: %q", got)
	}
}

func TestClientThatBreaksOffLeavesNothing(t *testing.T) {
	h := startHop(t)
	gw := startGateway(t, h)
	for _, part := range []string{"Subject: x\r\n", "Subject: x\r\n\r\nhalf a mail\r\n", "Subject: x\r\n\r\n" + strings.Repeat("half\r\n", 100000)} {
		c := connect(t, gw).greet()
		c.say("MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>", "DATA")
		io.WriteString(c, part)
		c.Close()
	}
	c := connect(t, gw).greet()
	c.say("MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>", "BDAT 6\r\nhalf")
	c.Close()
	c = connect(t, gw).greet()
	c.say("MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>")
	if got := c.say(fmt.Sprintf("BDAT %d LAST\r\n%s", len(ordinary), strings.TrimSuffix(ordinary, "\r\n"))); !strings.HasPrefix(got, "250") {
		t.Fatalf("BDAT: %q", got)
	}
	if got := h.mails(); len(got) != 1 || string(got[0].data) != ordinary {
		t.Errorf("the next hop has %d mails, want the one that came to its end", len(got))
	}
}

func TestNextHopWithoutTLSGetsNothingWhenTLSIsDemanded(t *testing.T) {
	h := startHop(t)
	gw := startGateway(t, h, "-next-starttls")
	if got := send(t, gw, "a@example.org", []string{"b@example.net"}, ordinary); !strings.HasPrefix(got, "451 4.7.4") || !strings.Contains(got, "does not offer STARTTLS") {
		t.Errorf("got %q", got)
	}
	if len(h.mails()) != 0 {
		t.Error("a mail went in the clear")
	}
}

// A next hop that stops reading in the middle of a mail does not hold the client
// for ever.
func TestNextHopThatStallsIsGivenUp(t *testing.T) {
	stalled := listen(t, func(l net.Listener) error {
		for {
			conn, err := l.Accept()
			if err != nil {
				return err
			}
			go func() {
				r := bufio.NewReader(conn)
				io.WriteString(conn, "220 stalled.test\r\n")
				for {
					line, err := r.ReadString('\n')
					if err != nil {
						return
					}
					if strings.HasPrefix(line, "DATA") {
						io.WriteString(conn, "354 go on\r\n")
						select {} // and never reads again
					}
					io.WriteString(conn, "250 ok\r\n")
				}
			}()
		}
	})
	gw := startGateway(t, &hop{addr: stalled}, "-next-wait", "500ms")
	c := connect(t, gw).greet()
	c.say("MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>", "DATA")
	start := time.Now()
	go io.WriteString(c, "Subject: x\r\n\r\n"+strings.Repeat(strings.Repeat("y", 70)+"\r\n", 400000)+".\r\n")
	if got := c.reply(); !strings.HasPrefix(got, "451 4.4.1") || time.Since(start) > 10*time.Second {
		t.Errorf("got %q after %s", got, time.Since(start))
	}
}
