package main

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestOversizeIsRefusedAndNotHandedOn(t *testing.T) {
	h := startHop(t)
	gw := startGateway(t, h, "-max-mail", "100000", "-max-header", "20000")
	big := "Subject: x\r\n\r\n" + strings.Repeat(strings.Repeat("y", 70)+"\r\n", 3000)
	if got := send(t, gw, "a@example.org", []string{"b@example.net"}, big); !strings.HasPrefix(got, "552 5.3.4") {
		t.Errorf("large mail: %q", got)
	}
	if got := send(t, gw, "a@example.org", []string{"b@example.net"}, strings.Repeat("X: y\r\n", 10000)+ordinary); !strings.HasPrefix(got, "552 5.3.4") {
		t.Errorf("large header: %q", got)
	}
	c := connect(t, gw).greet()
	if got := c.say("MAIL FROM:<a@example.org> SIZE=100001"); !strings.HasPrefix(got, "552 5.3.4") {
		t.Errorf("declared size: %q", got)
	}
	c.say("MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>")
	io.WriteString(c, "BDAT 4000000000\r\n")
	if got := c.reply(); !strings.HasPrefix(got, "552 5.3.4") {
		t.Errorf("chunk: %q", got)
	}
	if len(h.mails()) != 0 {
		t.Error("the next hop has a mail that was refused")
	}
}

// A mail is handed on while it comes: of an ordinary one the header is held, of
// a possible report MaxReport bytes.
func TestMailIsNotHeldPastTheCap(t *testing.T) {
	const total = 8 << 20
	for name, test := range map[string]struct {
		from string
		held int64
	}{"ordinary": {"a@example.org", 256 << 10}, "possible report": {"", 512 << 10}} {
		t.Run(name, func(t *testing.T) {
			h := startHop(t)
			var sent, most, seen atomic.Int64
			h.saw = func(n int64) {
				seen.Store(n)
				most.Store(max(most.Load(), sent.Load()-n))
			}
			gw := startGateway(t, h, "-max-report", fmt.Sprint(64<<10))
			c := connect(t, gw).greet()
			c.say("MAIL FROM:<"+test.from+">", "RCPT TO:<b@example.net>", "DATA")
			chunk := strings.Repeat(strings.Repeat("y", 70)+"\r\n", 1000)
			io.WriteString(c, "Subject: x\r\n\r\n")
			for sent.Load() < total {
				io.WriteString(c, chunk)
				sent.Add(int64(len(chunk)))
				// What is on its way in sockets is not held by the gateway: wait
				// until the next hop has all but what may be held.
				eventually(t, func() (bool, bool) { return true, sent.Load()-seen.Load() <= test.held })
			}
			if got := c.say("."); !strings.HasPrefix(got, "250") {
				t.Fatal(got)
			}
			t.Logf("at most %d bytes behind", most.Load())
		})
	}
}

func TestSlowClientIsCutOff(t *testing.T) {
	h := startHop(t)
	gw := startGateway(t, h, "-idle", "500ms", "-data", "1500ms")
	t.Run("silent", func(t *testing.T) {
		c := connect(t, gw).greet()
		if got := c.reply(); !strings.HasPrefix(got, "421") {
			t.Errorf("got %q", got)
		}
	})
	t.Run("dripping command", func(t *testing.T) {
		c := connect(t, gw).greet()
		start := time.Now()
		go drip(c, "MAIL FROM:<"+strings.Repeat("a", 100)+"@example.org>")
		for c.reply() != "" { // go-smtp takes what came for commands, until there are too many wrong ones
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("held for %s", took)
		}
	})
	t.Run("dripping mail", func(t *testing.T) {
		c := connect(t, gw).greet()
		c.say("MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>", "DATA")
		start := time.Now()
		go drip(c, strings.Repeat("Subject: x\r\n", 100))
		if got := c.reply(); !strings.HasPrefix(got, "451 4.4.2") || time.Since(start) > 4*time.Second {
			t.Errorf("got %q after %s", got, time.Since(start))
		}
	})
	if len(h.mails()) != 0 {
		t.Error("the next hop has half a mail")
	}
}

func drip(c net.Conn, text string) {
	for i := range text {
		if _, err := io.WriteString(c, text[i:i+1]); err != nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func TestHalfClosedClient(t *testing.T) {
	h := startHop(t)
	gw := startGateway(t, h)
	c := connect(t, gw).greet()
	c.say("MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>", "DATA")
	io.WriteString(c, "Subject: half\r\n\r\nno end")
	c.Conn.(*net.TCPConn).CloseWrite()
	if got := c.reply(); !strings.HasPrefix(got, "451 4.4.2") {
		t.Errorf("mail without its end: %q", got)
	}
	c = connect(t, gw).greet()
	c.say("MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>", "DATA")
	io.WriteString(c, ordinary+".\r\n")
	c.Conn.(*net.TCPConn).CloseWrite()
	if got := c.reply(); !strings.HasPrefix(got, "250") {
		t.Errorf("whole mail, then half closed: %q", got)
	}
	if got := h.mails(); len(got) != 1 || string(got[0].data) != ordinary {
		t.Errorf("the next hop has %d mails", len(got))
	}
}

func TestPipelinedClient(t *testing.T) {
	h := startHop(t)
	gw := startGateway(t, h)
	c := connect(t, gw)
	c.reply()
	const mails = 50
	var b strings.Builder
	b.WriteString("EHLO client.test\r\n")
	for range mails {
		b.WriteString("MAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.net>\r\nDATA\r\n" + ordinary + ".\r\n")
	}
	b.WriteString("QUIT\r\n")
	go io.WriteString(c, b.String())
	c.reply()
	for i := range mails {
		for _, want := range []string{"250", "250", "354", "250"} {
			if got := c.reply(); !strings.HasPrefix(got, want) {
				t.Fatalf("mail %d: %q, want %s", i, got, want)
			}
		}
	}
	if got := len(h.mails()); got != mails {
		t.Errorf("the next hop has %d mails of %d", got, mails)
	}
}

func TestThousandConnectionsDoNotShutOthersOut(t *testing.T) {
	h := startHop(t)
	gw := startGateway(t, h, "-max-connections", "200", "-max-per-client", "20")
	before := runtime.NumGoroutine()
	greeted, refused := 0, 0
	var conns []*client
	for range 1000 {
		c := connect(t, gw)
		conns = append(conns, c)
		switch got := c.reply(); {
		case strings.HasPrefix(got, "220"):
			greeted++
		case strings.HasPrefix(got, "421 4.7.0"):
			refused++
		}
	}
	if greeted != 20 || refused != 980 {
		t.Errorf("%d greeted and %d refused, want 20 and 980", greeted, refused)
	}
	if grown := runtime.NumGoroutine() - before; grown > 100 {
		t.Errorf("%d goroutines for 1,000 connections", grown)
	}
	other := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 9)}}
	conn, err := other.Dial("tcp", gw)
	if err != nil {
		t.Skip("no second loopback address:", err)
	}
	defer conn.Close()
	greeting := make([]byte, 3)
	if _, err := io.ReadFull(conn, greeting); err != nil || string(greeting) != "220" {
		t.Errorf("another client: %q, %v", greeting, err)
	}
	for _, c := range conns {
		c.Close()
	}
	eventually(t, func() (bool, bool) {
		return true, strings.HasPrefix(connect(t, gw).reply(), "220")
	})
}

// Mails that come in slowly all at once hold no more than the budget; what it
// does not grant passes without being read.
func TestMemoryOfAllMailsIsBounded(t *testing.T) {
	b := newBudget(1 << 20)
	var readers []*heldReader
	held := 0
	for range 100 {
		r := b.reader(strings.NewReader(strings.Repeat("x", 100<<10)))
		readers = append(readers, r)
		for {
			chunk, err := r.more(100 << 10)
			held += len(chunk)
			if err != nil {
				break
			}
		}
	}
	if limit := 1<<20/2 + 100*16<<10; held > limit {
		t.Errorf("%d bytes held, more than %d", held, limit)
	}
	for _, r := range readers {
		r.release()
	}
	if left := b.left.Load(); left != 1<<20 {
		t.Errorf("%d bytes left after all were released", left)
	}
}

func TestHostileReportText(t *testing.T) {
	for name, value := range map[string]string{
		"line ends":   "a\r\nX-Mailfault-Owner: nobody\r\n\r\nbody",
		"control":     "a\x00\x1b[31m\x7fb",
		"very long":   strings.Repeat("long ", 10000),
		"not UTF-8":   "\xff\xfe",
		"bidi, emoji": "\u202eevil \U0001f480",
		"separators":  "a\u2028b\u0085c",
		"one word":    strings.Repeat("w", 10000),
	} {
		f := field{"X-Test", clean(value)}
		out := rewrite(nil, []field{f}, nil)
		if strings.Count(string(out), "X-") != 1+strings.Count(value, "X-Mailfault") || len(out) > 3000 {
			t.Errorf("%s: %q", name, out)
		}
		for line := range strings.Lines(string(out)) {
			if !strings.HasSuffix(line, "\r\n") || len(line) > 998 {
				t.Errorf("%s: line %q", name, line)
			}
			if line = strings.TrimSuffix(line, "\r\n"); strings.IndexFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) >= 0 {
				t.Errorf("%s: line %q", name, line)
			}
			if name, _ := split([]byte(line)); strings.HasPrefix(name, prefix) {
				t.Errorf("%s: a field of its own", name)
			}
		}
	}
}
