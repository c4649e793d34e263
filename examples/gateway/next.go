package main

import (
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-smtp"
)

// nextHop is the server that mail goes on to.
type nextHop struct {
	Addr     string
	StartTLS bool
	Wait     time.Duration // for its answers, and for it to take bytes

	asking sync.Mutex // held by the one who asks what it can do
	mu     sync.Mutex
	can    abilities
	asked  time.Time
}

// abilities are the extensions that the door may offer only where the next hop
// has them.
type abilities struct{ UTF8, DSN bool }

// everything is what a next hop can do that does not answer: it takes no mail
// now, so that nothing is promised, while a client that missed an extension would
// give its mail up.
var everything = abilities{UTF8: true, DSN: true}

// recent is how long a next hop's abilities are taken for granted.
const recent = time.Minute

// dial connects to the next hop and greets it, and notes what it can do.
func (n *nextHop) dial(helo string) (*smtp.Client, error) {
	return n.dialFor(helo, n.Wait)
}

func (n *nextHop) dialFor(helo string, wait time.Duration) (*smtp.Client, error) {
	client, err := n.greet(helo, wait)
	can := everything
	if err == nil {
		can = abilitiesOf(client)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.can, n.asked = can, time.Now()
	return client, err
}

// errNoTLS is a next hop without the STARTTLS that was demanded.
var errNoTLS = errors.New("the next server does not offer STARTTLS")

func (n *nextHop) greet(helo string, wait time.Duration) (*smtp.Client, error) {
	conn, err := net.DialTimeout("tcp", n.Addr, min(wait, 30*time.Second))
	if err != nil {
		return nil, err
	}
	timed := &timedConn{conn, wait}
	client := smtp.NewClient(timed)
	client.CommandTimeout, client.SubmissionTimeout = wait, wait
	if n.StartTLS {
		host, _, _ := net.SplitHostPort(n.Addr)
		if client, err = smtp.NewClientStartTLS(timed, &tls.Config{ServerName: host}); err != nil {
			conn.Close()                                           // again, mostly: that it is closed says nothing
			if strings.Contains(err.Error(), "support STARTTLS") { // go-smtp's words; it has no error to compare with
				err = errNoTLS
			}
			return nil, err
		}
		client.CommandTimeout, client.SubmissionTimeout = wait, wait
	}
	if err := client.Hello(helo); err != nil {
		return nil, errors.Join(err, client.Close())
	}
	return client, nil
}

func abilitiesOf(client *smtp.Client) (can abilities) {
	can.UTF8, _ = client.Extension("SMTPUTF8")
	can.DSN, _ = client.Extension("DSN")
	return can
}

// abilities are what the next hop could do when it was last connected to, and
// whether that is recent.
func (n *nextHop) abilities() (can abilities, isRecent bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.can, time.Since(n.asked) < recent
}

// ask connects to the next hop only to hear what it can do, for ten seconds at
// most. Of several at once one asks.
func (n *nextHop) ask(helo string) error {
	n.asking.Lock()
	defer n.asking.Unlock()
	if _, ok := n.abilities(); ok {
		return nil
	}
	client, err := n.dialFor(helo, min(n.Wait, 10*time.Second))
	if err != nil {
		return err
	}
	return client.Quit()
}

// lacks reports whether a mail needs what the next hop cannot do, though the
// door offered it: the next hop was another one then.
func lacks(client *smtp.Client, mail *smtp.MailOptions, rcpt *smtp.RcptOptions) bool {
	can := abilitiesOf(client)
	utf8, dsn := false, false
	if mail != nil {
		utf8, dsn = mail.UTF8, mail.Return != "" || mail.EnvelopeID != ""
	}
	if rcpt != nil {
		dsn = dsn || len(rcpt.Notify) > 0 || rcpt.OriginalRecipient != ""
	}
	return utf8 && !can.UTF8 || dsn && !can.DSN
}

// timedConn gives each write its time: a next hop that stops reading in the
// middle of a mail would hold the client for ever.
type timedConn struct {
	net.Conn
	wait time.Duration
}

func (c *timedConn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.wait)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// reply returns the SMTP reply that an error is, or nil: the next hop was not
// reached or did not answer.
func reply(err error) *smtp.SMTPError {
	var smtpErr *smtp.SMTPError
	if errors.As(err, &smtpErr) {
		return smtpErr
	}
	return nil
}
