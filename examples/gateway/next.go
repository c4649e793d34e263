package main

import (
	"crypto/tls"
	"errors"
	"net"
	"time"

	"github.com/emersion/go-smtp"
)

// nextHop is the server that mail goes on to.
type nextHop struct {
	Addr     string
	StartTLS bool
	Wait     time.Duration // for its answers, and for it to take bytes
}

// dial connects to the next hop and greets it.
func (n nextHop) dial(helo string) (*smtp.Client, error) {
	conn, err := net.DialTimeout("tcp", n.Addr, min(n.Wait, 30*time.Second))
	if err != nil {
		return nil, err
	}
	timed := &timedConn{conn, n.Wait}
	client := smtp.NewClient(timed)
	if n.StartTLS {
		host, _, _ := net.SplitHostPort(n.Addr)
		if client, err = smtp.NewClientStartTLS(timed, &tls.Config{ServerName: host}); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	client.CommandTimeout, client.SubmissionTimeout = n.Wait, n.Wait
	if err := client.Hello(helo); err != nil {
		return nil, errors.Join(err, client.Close())
	}
	return client, nil
}

// extensions are what the next hop can do and the proxy may therefore offer;
// none where it cannot be asked.
func (n nextHop) extensions(helo string) (utf8, dsn bool, err error) {
	client, err := n.dial(helo)
	if err != nil {
		return false, false, err
	}
	utf8, _ = client.Extension("SMTPUTF8")
	dsn, _ = client.Extension("DSN")
	return utf8, dsn, client.Quit()
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
