package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	netmail "net/mail"
	"os"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/examples/internal/mailbox"
)

// String says on a line what became of a mail.
func (o outcome) String() string {
	line := fmt.Sprintf("%-11s %-10s", o.Kind, o.Action)
	if o.Ticket > 0 {
		line += fmt.Sprintf(" #%d", o.Ticket)
	}
	return line + "  " + printable(cmp.Or(o.About, o.Why))
}

// printMarks prints what a mail about the ticket is to carry.
func printMarks(w io.Writer, m marks, ticket int64, to string) error {
	fmt.Fprintf(w, "Message-ID: <%s>\nSubject: %s ...\n", m.MessageID(ticket), subjectToken(ticket))
	if to == "" {
		return nil
	}
	path, err := m.verp(ticket).Address(to)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "MAIL FROM:<%s>\n", path)
	return nil
}

// remember stores the ids of mails that went out, and whom they went to.
func (k *desk) remember(ctx context.Context, paths []string) (n int, err error) {
	var errs []error
	for name, err := range mailbox.Files(paths) {
		if err == nil {
			err = mailbox.Each(name, os.Stdin, func(r io.Reader) error {
				data, err := io.ReadAll(io.LimitReader(r, mailbox.MaxMessage))
				if err != nil {
					return err
				}
				h := dsn.ReadHeader(data)
				if h.Get("Message-ID") == "" {
					return errors.New("no Message-ID")
				}
				n++
				return k.update(ctx, func(t conn) error { return k.addOutgoing(ctx, t, h) })
			})
		}
		errs = append(errs, err)
	}
	return n, errors.Join(errs...)
}

// addOutgoing stores one mail that went out. Its mark, or the token in its
// subject, names the ticket: nobody but us wrote it.
func (k *desk) addOutgoing(ctx context.Context, t conn, h dsn.Header) error {
	ticket, v := k.Marks.Ticket(h.Get("Message-ID"))
	if v != dsn.Ours {
		ticket = tokenTicket(h.Get("Subject"))
	}
	var to []string
	for _, name := range [...]string{"To", "Cc"} {
		all, _ := netmail.ParseAddressList(h.Get(name))
		for _, a := range all {
			to = append(to, a.Address)
		}
	}
	return t.addSent(ctx, h.Get("Message-ID"), ticket, to, k.now())
}
