package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/smtp"
	"net/textproto"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/emersion/go-sasl"
)

// refusedError is a server's final no to a mail that it was given whole: to
// what the mail says, as far as anybody knows.
type refusedError struct{ error }

func (e refusedError) Unwrap() error { return e.error }

// sendMail hands a mail to a server: smtps speaks TLS from the start, smtp
// where the server offers it. The URL's user logs in.
func sendMail(ctx context.Context, u *url.URL, from string, to []string, data []byte) error {
	conn, err := dial(ctx, u)
	if err != nil {
		return err
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		conn.SetDeadline(deadline)
	}
	c, err := smtp.NewClient(conn, u.Hostname())
	if err != nil {
		return err
	}
	if name, err := os.Hostname(); err == nil {
		if err := c.Hello(name); err != nil {
			return err
		}
	}
	if ok, _ := c.Extension("STARTTLS"); ok {
		if err := c.StartTLS(&tls.Config{ServerName: u.Hostname()}); err != nil {
			return err
		}
	}
	if u.User != nil {
		if err := logIn(c, u); err != nil {
			return fmt.Errorf("log in as %s: %w", u.User.Username(), err)
		}
	}
	if err := c.Mail(from); err != nil {
		return err
	}
	for _, address := range to {
		if err := c.Rcpt(address); err != nil {
			return err
		}
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		var reply *textproto.Error
		if errors.As(err, &reply) && reply.Code/100 == 5 {
			return refusedError{err}
		}
		return err
	}
	c.Quit() // the mail is taken; a lost goodbye changes nothing
	return nil
}

// errNoPassword is a user of an address without a password: nothing would log in.
var errNoPassword = errors.New("the user has no password: write user:password before the host")

// serverURL reads the address of a mail server, smtp://HOST or smtps://HOST. No
// error repeats it: it may hold a password.
func serverURL(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, errors.New("the server's address is not readable: in a user and password write a blank as %20, % as %25, / as %2F, : as %3A and @ as %40")
	case u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "":
		return nil, errors.New("a mail server is written smtp://HOST or smtps://HOST")
	}
	if _, ok := u.User.Password(); u.User != nil && !ok {
		return nil, errNoPassword
	}
	return u, nil
}

// logIn gives the password by PLAIN, to servers that know only LOGIN by that:
// over TLS, or to the same machine.
func logIn(c *smtp.Client, u *url.URL) error {
	password, ok := u.User.Password()
	if !ok {
		return errNoPassword
	}
	ok, offered := c.Extension("AUTH")
	if !ok {
		return errors.New("the server takes no log-in here; a submission port, 587, mostly does")
	}
	plain := smtp.PlainAuth("", u.User.Username(), password, u.Hostname())
	words := strings.Fields(strings.ToUpper(offered))
	switch {
	case slices.Contains(words, "PLAIN"):
		return c.Auth(plain)
	case slices.Contains(words, sasl.Login):
		return c.Auth(login{plain, sasl.NewLoginClient(u.User.Username(), password)})
	}
	return fmt.Errorf("the server offers %q, none of PLAIN and LOGIN", offered)
}

// login is LOGIN, given where PLAIN would be.
type login struct {
	smtp.Auth
	client sasl.Client
}

// Start sends nothing yet: not every server takes the user with the command.
func (l login) Start(server *smtp.ServerInfo) (string, []byte, error) {
	_, _, err := l.Auth.Start(server) // whether the way is safe
	return sasl.Login, nil, err
}

// Next answers the two questions, whatever their words.
func (l login) Next(question []byte, more bool) ([]byte, error) {
	if !more {
		return nil, nil
	}
	if strings.HasPrefix(strings.ToLower(string(question)), "user") {
		_, name, err := l.client.Start()
		return name, err
	}
	return l.client.Next([]byte("Password:"))
}

func dial(ctx context.Context, u *url.URL) (net.Conn, error) {
	port := u.Port()
	if u.Scheme == "smtps" {
		if port == "" {
			port = "465"
		}
		d := tls.Dialer{Config: &tls.Config{ServerName: u.Hostname()}}
		return d.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	}
	if port == "" {
		port = "25"
	}
	var d net.Dialer
	return d.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
}
