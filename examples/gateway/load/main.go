// Load sends mail through the gateway at a steady rate, kills the next hop on
// the way and starts it again, and counts what came of every mail.
//
//	go run ./examples/gateway/load
//
// Sender, gateway and next hop are processes of their own on 127.0.0.1. A mail
// that is not acknowledged is sent again, as a mail server would.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/emersion/go-smtp"
)

func main() {
	var l load
	flag.IntVar(&l.rate, "rate", 5000, "mails a minute")
	flag.DurationVar(&l.length, "for", 2*time.Minute, "how long")
	flag.IntVar(&l.bounces, "bounces", 10, "one mail in so many is a bounce")
	flag.IntVar(&l.kills, "kills", 2, "how often the next hop is killed")
	flag.DurationVar(&l.down, "down", 2*time.Second, "how long it stays away")
	hop := flag.String("hop", "", "be the next hop: listen there")
	kept := flag.String("kept", "", "be the next hop: write down here what came")
	flag.Parse()
	err := error(nil)
	if *hop != "" {
		err = serveHop(*hop, *kept)
	} else {
		err = l.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

const (
	gatewayAddr = "127.0.0.1:25025"
	hopAddr     = "127.0.0.1:25026"
	senders     = 40
)

type load struct {
	rate, bounces, kills int
	length, down         time.Duration

	retries atomic.Int64
	mu      sync.Mutex
	took    map[bool][]time.Duration // of acknowledged attempts; true: bounces
}

func (l *load) run() error {
	dir, err := os.MkdirTemp("", "load")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	l.took = map[bool][]time.Duration{}
	binary, kept, events := filepath.Join(dir, "gateway"), filepath.Join(dir, "kept"), filepath.Join(dir, "events.ndjson")
	build := exec.Command("go", "build", "-o", binary, "github.com/mailfault/mailfault/examples/gateway")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	hop, err := startHop(kept)
	if err != nil {
		return err
	}
	gateway := exec.Command(binary, "-listen", gatewayAddr, "-next", hopAddr, "-events", events, "-sent", filepath.Join(dir, "sent"), "-quiet", "-max-per-client", "100")
	if err := gateway.Start(); err != nil {
		return err
	}
	defer func() { gateway.Process.Kill(); gateway.Wait() }()
	if err := errors.Join(waitFor(hopAddr), waitFor(gatewayAddr)); err != nil {
		return err
	}

	direct := l.measure(hopAddr, 3*time.Second, "direct")
	fmt.Printf("next hop alone:  %s\n", direct)

	stop := make(chan struct{})
	memory := watchMemory(gateway.Process.Pid, stop)
	outage := make(chan error, 1)
	go func() { outage <- l.outages(&hop, kept) }()
	start := time.Now()
	sent := l.send(gatewayAddr, l.length, "load")
	elapsed := time.Since(start)
	if err := <-outage; err != nil {
		return err
	}
	close(stop)
	rss := <-memory
	hop.Process.Kill()
	hop.Wait()

	lost, doubled, err := l.count(kept, sent)
	if err != nil {
		return err
	}
	gateway.Process.Signal(os.Interrupt)
	told := 0
	for range 100 {
		if told = lines(events); told >= sent/l.bounces {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	fmt.Printf("%d mails in %s (%.0f a minute), next hop killed %d times, %d attempts again\n", sent, elapsed.Round(time.Second), float64(sent)/elapsed.Minutes(), l.kills, l.retries.Load())
	fmt.Printf("ordinary mail:   %s\nbounces:         %s\n", spread(l.took[false]), spread(l.took[true]))
	fmt.Printf("memory of the gateway: %d MB after a quarter, %d MB at the end, at most %d MB\n", rss[len(rss)/4]>>10, rss[len(rss)-1]>>10, slices.Max(rss)>>10)
	fmt.Printf("events: %d of %d bounces\nlost: %d, doubled: %d\n", told, sent/l.bounces, lost, doubled)
	if lost > 0 || doubled > 0 {
		return errors.New("mail was lost or doubled")
	}
	return nil
}

// outages kills the next hop in the middle of its work and starts it again.
func (l *load) outages(hop **exec.Cmd, kept string) error {
	for range l.kills {
		time.Sleep(l.length / time.Duration(l.kills+1))
		(*hop).Process.Kill()
		(*hop).Wait()
		time.Sleep(l.down)
		var err error
		if *hop, err = startHop(kept); err != nil {
			return err
		}
	}
	return nil
}

// measure sends for a while and says how long a mail took; it forgets the
// times.
func (l *load) measure(addr string, length time.Duration, label string) string {
	l.send(addr, length, label)
	s := spread(append(l.took[false], l.took[true]...))
	l.took = map[bool][]time.Duration{}
	return s
}

// send sends at the rate for a while and returns how many mails.
func (l *load) send(addr string, length time.Duration, label string) int {
	work := make(chan int, 10000)
	var all sync.WaitGroup
	for range senders {
		all.Go(func() {
			s := &sender{addr: addr}
			defer s.close()
			for n := range work {
				l.deliver(s, n, label)
			}
		})
	}
	n, start := 0, time.Now()
	for due := time.Duration(0); due < length; n++ { // late ones are made up for: the rate is kept
		time.Sleep(due - time.Since(start))
		work <- n
		due = time.Minute * time.Duration(n+1) / time.Duration(l.rate)
	}
	close(work)
	all.Wait()
	return n
}

// deliver sends one mail until it is acknowledged.
func (l *load) deliver(s *sender, n int, label string) {
	bounce := n%l.bounces == l.bounces-1
	from, text := "a@example.org", ordinary(label, n)
	if bounce {
		from, text = "", report(label, n)
	}
	for {
		start := time.Now()
		if s.try(from, text) == nil {
			l.mu.Lock()
			l.took[bounce] = append(l.took[bounce], time.Since(start))
			l.mu.Unlock()
			return
		}
		l.retries.Add(1)
		time.Sleep(500 * time.Millisecond)
	}
}

// sender keeps a connection for ten mails.
type sender struct {
	addr   string
	client *smtp.Client
	mails  int
}

func (s *sender) try(from, text string) (err error) {
	defer func() {
		if s.mails++; err != nil || s.mails%10 == 0 {
			s.close()
		}
	}()
	if s.client == nil {
		if s.client, err = smtp.Dial(s.addr); err != nil {
			s.client = nil
			return err
		}
	}
	return s.client.SendMail(from, []string{"b@example.net"}, strings.NewReader(text))
}

func (s *sender) close() {
	if s.client != nil {
		s.client.Close()
		s.client = nil
	}
}

func ordinary(label string, n int) string {
	size := 1000 + n*7919%60000 // 1 to 61 kB
	return fmt.Sprintf("X-Load: %s-%d\r\nFrom: a@example.org\r\nTo: b@example.net\r\nMessage-ID: <%s-%d@example.org>\r\nSubject: load\r\n\r\n%s",
		label, n, label, n, strings.Repeat("A line of an ordinary mail, as there are many.\r\n", size/48))
}

func report(label string, n int) string {
	return fmt.Sprintf("X-Load: %s-%d\r\nFrom: MAILER-DAEMON@mx.example.net\r\nTo: a@example.org\r\nSubject: Undelivered Mail Returned to Sender\r\nMIME-Version: 1.0\r\n"+
		"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\nYour message could not be delivered.\r\n"+
		"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.net\r\n\r\nFinal-Recipient: rfc822; gone@example.net\r\nAction: failed\r\nStatus: 5.1.1\r\n"+
		"Diagnostic-Code: smtp; 550 5.1.1 <gone@example.net>: Recipient address rejected: User unknown\r\n\r\n"+
		"--b\r\nContent-Type: message/rfc822\r\n\r\n%s\r\n--b--\r\n", label, n, ordinary("sent", n))
}

// count says which mails the next hop has not, and which it has twice.
func (l *load) count(kept string, sent int) (lost, doubled int, err error) {
	f, err := os.Open(kept)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	times := map[string]int{}
	for s := bufio.NewScanner(f); s.Scan(); {
		times[s.Text()]++
	}
	for n := range sent {
		switch times[fmt.Sprintf("load-%d", n)] {
		case 0:
			lost++
		case 1:
		default:
			doubled++
		}
	}
	return lost, doubled, nil
}

func lines(name string) int {
	f, err := os.Open(name)
	if err != nil {
		return 0
	}
	defer f.Close()
	n := 0
	buffer := make([]byte, 64<<10)
	for {
		k, err := f.Read(buffer)
		for _, b := range buffer[:k] {
			if b == '\n' {
				n++
			}
		}
		if err == io.EOF || err != nil {
			return n
		}
	}
}

func spread(took []time.Duration) string {
	if len(took) == 0 {
		return "none"
	}
	slices.Sort(took)
	at := func(percent int) time.Duration { return took[(len(took)-1)*percent/100].Round(100 * time.Microsecond) }
	return fmt.Sprintf("%d acknowledged; half within %s, 99%% within %s, all within %s", len(took), at(50), at(99), at(100))
}
