package main

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// lineHop is a next hop whose extensions are the test's, which may be restarted
// with others, and may go away when it has a mail and has not said so.
type lineHop struct {
	addr string

	mu       sync.Mutex
	offers   []string
	listener net.Listener
	conns    []net.Conn
	commands []string // MAIL and RCPT, as they came
	kept     map[string]int
	silent   int // mails that are kept and not answered from now on
}

func startLineHop(t *testing.T, offers ...string) *lineHop {
	t.Helper()
	h := &lineHop{addr: "127.0.0.1:0", kept: make(map[string]int)}
	h.start(t, offers...)
	t.Cleanup(h.stop)
	return h
}

func (h *lineHop) start(t *testing.T, offers ...string) {
	t.Helper()
	l, err := net.Listen("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.addr, h.listener, h.offers = l.Addr().String(), l, offers
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			h.mu.Lock()
			h.conns = append(h.conns, conn)
			h.mu.Unlock()
			go h.serve(conn, offers)
		}
	}()
}

// stop closes the door and every connection, as a process that is killed.
func (h *lineHop) stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listener.Close()
	for _, conn := range h.conns {
		conn.Close()
	}
	h.conns = nil
}

func (h *lineHop) restart(t *testing.T, offers ...string) {
	t.Helper()
	h.stop()
	h.start(t, offers...)
}

func (h *lineHop) serve(conn net.Conn, offers []string) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	io.WriteString(conn, "220 line.test\r\n")
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		switch verb, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(line)), " "); verb {
		case "EHLO":
			lines := append([]string{"line.test"}, offers...)
			for i, offer := range lines {
				mark := "-"
				if i == len(lines)-1 {
					mark = " "
				}
				io.WriteString(conn, "250"+mark+offer+"\r\n")
			}
		case "DATA":
			io.WriteString(conn, "354 go on\r\n")
			id := ""
			for line != ".\r\n" {
				if line, err = r.ReadString('\n'); err != nil {
					return // no dot: no mail
				}
				if value, ok := strings.CutPrefix(line, "Message-ID: "); ok {
					id = strings.TrimSpace(value)
				}
			}
			h.mu.Lock()
			h.kept[id]++
			silent := h.silent > 0
			h.silent--
			h.mu.Unlock()
			if silent {
				return
			}
			io.WriteString(conn, "250 kept\r\n")
		case "QUIT":
			io.WriteString(conn, "221 bye\r\n")
			return
		default:
			h.mu.Lock()
			h.commands = append(h.commands, strings.TrimSpace(line))
			h.mu.Unlock()
			io.WriteString(conn, "250 ok\r\n")
		}
	}
}

func (h *lineHop) said() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.commands)
}

// sendLines sends a mail with these parameters and returns the last reply.
func sendLines(c *client, id, mailParameters, rcptParameters string) string {
	for _, line := range []string{"MAIL FROM:<a@example.org>" + mailParameters, "RCPT TO:<b@example.net>" + rcptParameters, "DATA"} {
		if got := c.say(line); got == "" || got[0] > '3' {
			return got
		}
	}
	return c.say("Message-ID: " + id + "\r\n\r\nbody\r\n.")
}

// RFC 4954 section 5: who submitted a mail is told by those who are trusted, and
// taken from nobody else.
func TestWhoSubmittedAMail(t *testing.T) {
	for name, test := range map[string]struct {
		inside, parameter, want string
		offers                  []string
	}{
		"one of ours":                   {"127.0.0.0/8", " AUTH=anna@example.org", "MAIL FROM:<a@example.org> AUTH=anna@example.org", []string{"AUTH PLAIN"}},
		"with characters escaped":       {"127.0.0.0/8", " AUTH=e+3Dmc2@example.org", "MAIL FROM:<a@example.org> AUTH=e+3Dmc2@example.org", []string{"AUTH PLAIN"}},
		"nobody known":                  {"127.0.0.0/8", " AUTH=<>", "MAIL FROM:<a@example.org> AUTH=<>", []string{"AUTH PLAIN"}},
		"nothing said":                  {"127.0.0.0/8", "", "MAIL FROM:<a@example.org>", []string{"AUTH PLAIN"}},
		"a next hop that does not know": {"127.0.0.0/8", " AUTH=anna@example.org", "MAIL FROM:<a@example.org>", []string{"8BITMIME"}},
		"a stranger":                    {"", " AUTH=anna@example.org", "MAIL FROM:<a@example.org>", []string{"AUTH PLAIN"}},
		"a stranger, nobody known":      {"", " AUTH=<>", "MAIL FROM:<a@example.org>", []string{"AUTH PLAIN"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := startLineHop(t, test.offers...)
			c := connect(t, startGateway(t, &hop{addr: h.addr}, "-inside", test.inside)).greet()
			if got := sendLines(c, "<1@example.org>", test.parameter, ""); !strings.HasPrefix(got, "250") {
				t.Fatal(got)
			}
			mail, _, _ := strings.Cut(h.said()[0], " BODY=")
			if _, rest, ok := strings.Cut(h.said()[0], " BODY=8BITMIME"); ok {
				mail += rest
			}
			if mail != test.want || h.kept["<1@example.org>"] != 1 {
				t.Errorf("the next hop heard %q, want %q", h.said(), test.want)
			}
		})
	}
}

const utf8AndDSN = "SMTPUTF8 DSN"

// offered are those of the next hop's extensions that the door offers.
func offered(c *client) string {
	c.reply()
	var all []string
	reply := c.say("EHLO client.test")
	for name := range strings.FieldsSeq(utf8AndDSN) {
		if strings.Contains(reply, name+"\r\n") {
			all = append(all, name)
		}
	}
	return strings.Join(all, " ")
}

// A next hop that comes back able to do less: a client that was offered more is
// told to connect again, hears the truth then, and the mail is there once.
func TestNextHopThatComesBackWithOtherExtensions(t *testing.T) {
	h := startLineHop(t, "8BITMIME", "SMTPUTF8", "DSN")
	gw := startGateway(t, &hop{addr: h.addr})
	before := make([]*client, 4)
	for i := range before {
		before[i] = connect(t, gw)
		if got := offered(before[i]); got != utf8AndDSN {
			t.Fatalf("offered %q", got)
		}
	}
	if got := sendLines(before[0], "<0@example.org>", " SMTPUTF8 RET=HDRS", " NOTIFY=FAILURE"); !strings.HasPrefix(got, "250") {
		t.Fatal(got)
	}
	h.restart(t, "8BITMIME")
	for i, parameters := range [][2]string{{" SMTPUTF8"}, {" RET=FULL"}, {"", " NOTIFY=DELAY"}} {
		id := fmt.Sprintf("<%d@example.org>", i+1)
		if got := sendLines(before[i], id, parameters[0], parameters[1]); !strings.HasPrefix(got, "421 4.3.0") {
			t.Errorf("%q answered %q", parameters, got)
		}
		again := connect(t, gw)
		if got := offered(again); got != "" {
			t.Errorf("offered %q", got)
		}
		if got := sendLines(again, id, "", ""); !strings.HasPrefix(got, "250") {
			t.Errorf("sent again: %q", got)
		}
	}
	if got := sendLines(before[3], "<4@example.org>", "", ""); !strings.HasPrefix(got, "250") {
		t.Errorf("a mail that needs nothing: %q", got)
	}
	h.restart(t, "DSN", "SMTPUTF8")
	if got := sendLines(before[3], "<5@example.org>", " SMTPUTF8", ""); !strings.HasPrefix(got, "250") {
		t.Errorf("a next hop that can do it again: %q", got)
	}
	if got := offered(connect(t, gw)); got != utf8AndDSN {
		t.Errorf("offered %q when it can do so again", got)
	}
	for i := range 6 {
		if n := h.kept[fmt.Sprintf("<%d@example.org>", i)]; n != 1 {
			t.Errorf("mail %d is there %d times", i, n)
		}
	}
}

// What a next hop could do a while ago is asked again before a client is
// greeted; one that does not answer is not said to be able to do less.
func TestNextHopIsAskedAgain(t *testing.T) {
	h := startLineHop(t, "8BITMIME")
	d, gw := startDoor(t, h.addr)
	if got := offered(connect(t, gw)); got != "" {
		t.Errorf("offered %q", got)
	}
	h.restart(t, "DSN")
	if got := offered(connect(t, gw)); got != "" {
		t.Errorf("offered %q before the time is up", got)
	}
	later := func() {
		d.next.mu.Lock()
		defer d.next.mu.Unlock()
		d.next.asked = d.next.asked.Add(-recent)
	}
	later()
	if got := offered(connect(t, gw)); got != "DSN" {
		t.Errorf("offered %q after that", got)
	}
	h.stop()
	later()
	down := connect(t, gw)
	if got := offered(down); got != utf8AndDSN {
		t.Errorf("offered %q while nobody knows", got)
	}
	if got := sendLines(down, "<1@example.org>", " SMTPUTF8", ""); !strings.HasPrefix(got, "451 4.4.1") {
		t.Errorf("answered %q while the next hop is down", got)
	}
	h.start(t, "8BITMIME")
	if got := sendLines(down, "<1@example.org>", " SMTPUTF8", ""); !strings.HasPrefix(got, "421 4.3.0") {
		t.Errorf("answered %q when it is up", got)
	}
}

// startDoor returns the door itself, too.
func startDoor(t *testing.T, next string) (*door, string) {
	t.Helper()
	o, err := parse([]string{"-listen", "x", "-next", next, "-hostname", "gw.test", "-next-wait", "5s"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	g, err := o.gateway(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	d, err := o.door(g)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d, listen(t, d.Serve)
}

// A client that breaks off in the middle leaves nothing; one that does not wait
// for the answer leaves its mail, once.
func TestClientsThatBreakOffAreCounted(t *testing.T) {
	const each = 15
	h := startLineHop(t, "8BITMIME")
	gw := startGateway(t, &hop{addr: h.addr})
	whole := func(kind string, i int) string {
		return fmt.Sprintf("Message-ID: <%s%d@example.org>\r\n\r\nbody\r\n", kind, i)
	}
	var all sync.WaitGroup
	for _, last := range []func(i int) string{
		func(i int) string { return "DATA\r\n" + whole("data", i) },
		func(i int) string { return "DATA\r\n" + whole("dot", i) + "." },
		func(i int) string { return "BDAT 500\r\n" + whole("chunk", i) },
		func(i int) string { return fmt.Sprintf("BDAT %d\r\n%s", len(whole("chunks", i)), whole("chunks", i)) },
		func(i int) string { return "DATA\r\n" + whole("nowait", i) + ".\r\n" },
		func(i int) string {
			return fmt.Sprintf("BDAT %d LAST\r\n%s", len(whole("nowaitb", i)), whole("nowaitb", i))
		},
	} {
		all.Go(func() {
			for i := range each {
				c := connect(t, gw).greet()
				c.say("MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>")
				io.WriteString(c, last(i))
				c.Conn.(*net.TCPConn).CloseWrite() // all that was written arrives, and no more
				io.Copy(io.Discard, c)
				c.Close()
			}
		})
	}
	all.Wait()
	kept := eventually(t, func() (map[string]int, bool) {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.kept, len(h.kept) >= 2*each
	})
	time.Sleep(50 * time.Millisecond) // for what should not come
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, n := range kept {
		if n != 1 || !strings.HasPrefix(id, "<nowait") {
			t.Errorf("%s is there %d times", id, n)
		}
	}
	if len(kept) != 2*each {
		t.Errorf("%d mails, want %d", len(kept), 2*each)
	}
}

// A next hop that has the mail and goes away without a word: nobody can know, so
// the mail is refused for now (RFC 5321 section 4.2.5, RFC 1047); it may be there
// twice, and never not at all, and it is told of once.
func TestNextHopThatTakesTheMailAndDoesNotSaySo(t *testing.T) {
	const mails, unsaid = 12, 5
	h := startLineHop(t, "8BITMIME")
	h.silent = unsaid
	gw := startGateway(t, &hop{addr: h.addr})
	later := 0
	for i := range mails {
		id := fmt.Sprintf("<%d@example.org>", i)
		c := connect(t, gw).greet()
		got := sendLines(c, id, "", "")
		for strings.HasPrefix(got, "451 4.4.1") {
			later++
			got = sendLines(c, id, "", "") // on the same connection
		}
		if !strings.HasPrefix(got, "250") {
			t.Fatalf("mail %d: %q", i, got)
		}
	}
	total := 0
	for _, n := range h.kept {
		total += n
	}
	if len(h.kept) != mails || total != mails+unsaid || later != unsaid {
		t.Errorf("%d mails, %d with copies, %d refused for now; want %d, %d, %d", len(h.kept), total, later, mails, mails+unsaid, unsaid)
	}
}
