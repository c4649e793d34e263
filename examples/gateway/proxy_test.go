package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// hop is a next hop: it keeps what it accepts and refuses as told.
type hop struct {
	mu     sync.Mutex
	got    []delivery
	rcpt   map[string]*smtp.SMTPError // refusals of recipients
	data   *smtp.SMTPError            // refusal of every mail
	only   func(delivery) *smtp.SMTPError
	before func()        // runs before a mail is accepted
	saw    func(n int64) // told how much of a mail has come
	addr   string
	server *smtp.Server
}

type delivery struct {
	from string
	to   []string
	data []byte
	mail smtp.MailOptions
}

func startHop(t testing.TB) *hop {
	t.Helper()
	h := &hop{rcpt: map[string]*smtp.SMTPError{}}
	h.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &hopSession{hop: h}, nil }))
	h.server.EnableSMTPUTF8, h.server.EnableDSN, h.server.MaxLineLength = true, true, 1<<20
	h.server.Domain = "hop.test"
	h.server.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	h.addr = listen(t, h.server.Serve)
	t.Cleanup(func() { h.server.Close() })
	return h
}

func listen(t testing.TB, serve func(net.Listener) error) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go serve(l)
	return l.Addr().String()
}

func (h *hop) mails() []delivery {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.got)
}

type hopSession struct {
	*hop
	delivery
}

func (s *hopSession) Reset()        { s.delivery = delivery{} }
func (s *hopSession) Logout() error { return nil }
func (s *hopSession) Mail(from string, o *smtp.MailOptions) error {
	s.delivery = delivery{from: from, mail: *o}
	return nil
}

func (s *hopSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	if refusal := s.rcpt[to]; refusal != nil {
		return refusal
	}
	s.to = append(s.to, to)
	return nil
}

func (s *hopSession) Data(r io.Reader) error {
	var b bytes.Buffer
	chunk := make([]byte, 32<<10)
	for {
		n, err := r.Read(chunk)
		b.Write(chunk[:n])
		if s.saw != nil {
			s.saw(int64(b.Len()))
		}
		if err == io.EOF {
			break
		} else if err != nil {
			return err
		}
	}
	if s.before != nil {
		s.before()
	}
	if s.hop.data != nil {
		return s.hop.data
	}
	if s.only != nil {
		if refusal := s.only(s.delivery); refusal != nil {
			return refusal
		}
	}
	s.delivery.data = b.Bytes()
	s.mu.Lock()
	s.got = append(s.got, s.delivery)
	s.mu.Unlock()
	return &smtp.SMTPError{Code: 250, EnhancedCode: smtp.EnhancedCode{2, 0, 0}, Message: "kept as QUEUEID7"}
}

// startGateway opens the SMTP door in front of a hop and returns its address.
func startGateway(t testing.TB, h *hop, args ...string) string {
	t.Helper()
	o, err := parse(append([]string{"-listen", "x", "-next", h.addr, "-hostname", "gw.test", "-next-wait", "5s"}, args...), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	g, err := o.gateway(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	server := o.server(g)
	t.Cleanup(func() {
		server.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		g.Events.Close(ctx)
	})
	return listen(t, func(l net.Listener) error { return server.Serve(o.limited(l)) })
}

// client speaks SMTP line by line.
type client struct {
	t testing.TB
	net.Conn
	r *bufio.Reader
}

func connect(t testing.TB, addr string) *client {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(30 * time.Second))
	return &client{t, conn, bufio.NewReader(conn)}
}

// reply reads a whole reply; "" when the connection is at its end.
func (c *client) reply() string {
	var b strings.Builder
	for {
		line, err := c.r.ReadString('\n')
		b.WriteString(line)
		if err != nil || len(line) < 4 || line[3] == ' ' {
			return b.String()
		}
	}
}

// say sends lines and returns the reply to the last.
func (c *client) say(lines ...string) (last string) {
	c.t.Helper()
	for _, line := range lines {
		io.WriteString(c, line+"\r\n")
		last = c.reply()
	}
	return last
}

// greet reads the greeting and says EHLO.
func (c *client) greet() *client {
	c.reply()
	c.say("EHLO client.test")
	return c
}

// send sends a mail as it is and returns the reply to its end.
func send(t testing.TB, addr, from string, to []string, data string) string {
	t.Helper()
	c := connect(t, addr).greet()
	if got := c.say("MAIL FROM:<" + from + ">"); !strings.HasPrefix(got, "250") {
		return got
	}
	for _, rcpt := range to {
		if got := c.say("RCPT TO:<" + rcpt + ">"); !strings.HasPrefix(got, "250") {
			return got
		}
	}
	if got := c.say("DATA"); !strings.HasPrefix(got, "354") {
		return got
	}
	if strings.HasPrefix(data, ".") {
		data = "." + data
	}
	return c.say(strings.ReplaceAll(data, "\r\n.", "\r\n..") + ".")
}

const ordinary = "From: a@example.org\r\nTo: b@example.net\r\nSubject: hello\r\n\r\nbody\r\n"

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

// bounce is a report about mail to gone@example.net.
func bounce(top, messageID, date string) string {
	return top + "From: MAILER-DAEMON@mx.example.net\r\nTo: a@example.org\r\nSubject: Undelivered\r\n" +
		"MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n" +
		"--b\r\n\r\nIt did not work.\r\n" +
		"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.net\r\n\r\n" +
		"Final-Recipient: rfc822; gone@example.net\r\nAction: failed\r\nStatus: 5.1.1\r\nRemote-MTA: dns; mx2.example.net\r\n" +
		"Diagnostic-Code: smtp; 550 5.1.1 <gone@example.net>: Recipient address rejected: User unknown\r\n\r\n" +
		"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nFrom: a@example.org\r\nMessage-ID: <" + messageID + ">\r\nDate: " + date + "\r\n\r\n--b--\r\n"
}

func fieldsOf(data []byte) map[string][]string {
	fields := map[string][]string{}
	for raw := range rawFields(data[:headerEnd(data)]) {
		name, value := split(raw)
		fields[name] = append(fields[name], value)
	}
	return fields
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

// eventually waits up to twenty seconds for what another goroutine does.
func eventually[T any](t testing.TB, get func() (T, bool)) T {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if v, ok := get(); ok {
			return v
		}
	}
	t.Fatal("waited in vain")
	panic("unreachable")
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
