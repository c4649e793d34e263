package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
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
	return startWith(t, h, slog.DiscardHandler, nil, args...)
}

// startWith does so with a log, and with events in place of those of the
// arguments.
func startWith(t testing.TB, h *hop, log slog.Handler, to *events, args ...string) string {
	t.Helper()
	o, err := parse(append([]string{"-listen", "x", "-next", h.addr, "-hostname", "gw.test", "-next-wait", "5s"}, args...), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	g, err := o.gateway(slog.New(log))
	if err != nil {
		t.Fatal(err)
	}
	if to != nil {
		g.Events = to
	}
	server, err := o.door(g)
	if err != nil {
		t.Fatal(err)
	}
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
	defer c.Close()
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
