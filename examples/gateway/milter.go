package main

import (
	"bytes"
	"context"
	"io"
	"net/netip"
	"strings"
	"time"

	"github.com/d--j/go-milter/mailfilter"
)

// openMilter opens the milter door. Every failure leaves the mail as it came.
func openMilter(g *gateway, address string) (*mailfilter.MailFilter, error) {
	network := "tcp"
	if strings.HasPrefix(address, "/") {
		network = "unix"
	}
	return mailfilter.New(network, address, g.filter,
		mailfilter.WithErrorHandling(mailfilter.AcceptWhenError),
		mailfilter.WithBody(64<<10, g.MaxReport, mailfilter.TruncateWhenTooBig),
		mailfilter.WithHeader(maxFields, mailfilter.RejectMessageWhenTooBig))
}

// maxFields is how many header fields a mail may have: more than a header of the
// size that mail servers take can hold. Beyond them forged ones could not be
// removed.
const maxFields = 1 << 16

// errUnremovable refuses a mail with a forged field whose name no field may have
// (RFC 5322 section 2.2): the protocol's library cannot name it, so that it would
// stay, and all changes with it.
var errUnremovable = mailfilter.CustomErrorResponse(550, "5.6.0 The mail has a header field whose name is not allowed")

// filter asks for the decision about a mail and writes it into its header. The
// milter protocol carries changes alone, so other mail is not touched at all.
func (g *gateway) filter(ctx context.Context, trx mailfilter.Trx) (mailfilter.Decision, error) {
	m, err := g.fromMilter(trx)
	if err != nil {
		return nil, err
	}
	d := g.decide(ctx, m)
	remove := g.strip(m, d)
	fields := trx.Headers().Fields()
	for fields.Next() {
		if remove(fields.CanonicalKey(), fields.UnfoldedValue()) {
			if key := fields.Key(); visible(key) != key {
				return errUnremovable, nil
			}
			fields.Del()
		}
	}
	if fields = trx.Headers().Fields(); fields.Next() {
		for _, f := range d.Add {
			fields.InsertBefore(f.Name, folded(f))
		}
	}
	g.Events.tell(d.Event)
	return mailfilter.Accept, nil
}

// fromMilter gathers what the mail server told about a mail.
func (g *gateway) fromMilter(trx mailfilter.Trx) (*mail, error) {
	client, _ := netip.ParseAddr(trx.Connect().Addr)
	m := &mail{envelope: envelope{Door: "milter", Client: client.Unmap(), HELO: trx.Helo().Name, From: trx.MailFrom().Addr}}
	m.Trusted = g.inside(client) || trx.MailFrom().AuthenticatedUser() != ""
	if m.Trusted {
		if signed := g.sign(m.From); signed != m.From {
			trx.ChangeMailFrom(signed, trx.MailFrom().Args)
		}
	}
	for _, to := range trx.RcptTos() {
		address, signed := g.Key.restore(to.Addr, time.Now())
		m.Signed = m.Signed || signed
		m.Unsigned = m.Unsigned || g.mustBeSigned(address) && !signed
		if m.To = append(m.To, address); address != to.Addr {
			args := to.Args
			trx.DelRcptTo(to.Addr)
			trx.AddRcptTo(address, args)
		}
	}
	header, err := io.ReadAll(trx.Headers().Reader())
	if err != nil {
		return nil, err
	}
	m.data, m.split = header, len(header)
	if body := trx.Body(); body != nil && (m.mayBeReport() || g.wantsDKIM(m)) {
		rest, err := io.ReadAll(io.LimitReader(body, g.MaxReport))
		m.data = append(m.data, rest...)
		m.whole = int64(len(rest)) < g.MaxReport
		return m, err
	}
	return m, nil
}

// folded returns a field's value as it stands in the header, folded.
func folded(f field) string {
	var b bytes.Buffer
	f.writeTo(&b)
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(b.String(), f.Name+":"), "\r\n"), "\r\n", "\n")
}
