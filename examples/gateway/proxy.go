package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/emersion/go-smtp"
)

// proxy is the SMTP door: each command goes on to the next hop and the reply
// comes from there, so that nothing is acknowledged before the next hop has it.
type proxy struct {
	*gateway
	Next      nextHop
	MaxHeader int64         // bytes of a header; a larger one is refused, for its forged fields could not be removed
	ReadWait  time.Duration // for the next bytes of a mail
	DataWait  time.Duration // for a whole mail
	Memory    *budget       // of all mails being read at once
	Reports   bool          // refusals of mail from inside become reports, not replies
}

var (
	errHeaderTooBig = &smtp.SMTPError{Code: 552, EnhancedCode: smtp.EnhancedCode{5, 3, 4}, Message: "Header too big"}
	errSpoilt       = &smtp.SMTPError{Code: 421, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "Chunks were given up, connect again"}
	errChanged      = &smtp.SMTPError{Code: 421, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "The next mail server can no longer do that, connect again"}
	errAborted      = &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 4, 2}, Message: "The message did not come to its end"}
)

// NewSession begins a client's connection.
func (p *proxy) NewSession(c *smtp.Conn) (smtp.Session, error) {
	client := addrOf(c.Conn().RemoteAddr())
	return &session{proxy: p, conn: c.Conn(), env: envelope{Door: "smtp", Client: client, HELO: c.Hostname(), Trusted: p.inside(client)}}, nil
}

func addrOf(a net.Addr) netip.Addr {
	if port, err := netip.ParseAddrPort(a.String()); err == nil {
		return port.Addr().Unmap()
	}
	return netip.Addr{}
}

// session is one client's connection. Reset may come while Data runs,
// when the client gives up between two chunks, so Data takes what it needs first.
type session struct {
	*proxy
	conn net.Conn

	mu      sync.Mutex
	closed  bool
	spoilt  bool         // chunks were given up: no further mail on this connection
	next    *smtp.Client // nil: not connected to the next hop
	env     envelope
	trx     transaction
	sending *smtp.Client  // used by Data, and nobody else's
	sent    chan struct{} // closed when Data is done with it
}

// transaction is the mail being sent.
type transaction struct {
	begun    bool // the next hop has the MAIL command
	options  smtp.MailOptions
	accepted []recipient // the next hop took them
	refused  []refusal   // the sender gets a report about them
}

// Mail begins a mail at the next hop. A connection that the next hop has closed
// meanwhile is made anew.
func (s *session) Mail(from string, opts *smtp.MailOptions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.spoilt {
		return errSpoilt
	}
	signed := from
	if s.env.Trusted {
		signed = s.sign(from)
	}
	if opts != nil {
		opts.Auth = passedOn(opts.Auth, s.env.Trusted)
	}
	fresh := s.next == nil
	err := s.begin(signed, opts)
	if err != nil && !fresh && (reply(err) == nil || errors.Is(err, errChanged)) {
		s.hangUp()
		err = s.begin(signed, opts)
	}
	s.env.From, s.env.To = from, nil
	if errors.Is(err, errChanged) {
		return err
	}
	if err != nil {
		return s.refused(err, "")
	}
	s.trx = transaction{begun: true}
	if opts != nil {
		s.trx.options = *opts
	}
	return nil
}

// refused answers a refused command, and drops a next hop that is gone.
func (s *session) refused(err error, to string) error {
	if dead(err) {
		s.hangUp()
	}
	return s.refuse(err, &mail{envelope: s.env}, to)
}

// begin begins a mail at the next hop, connected to where it is not.
func (s *session) begin(from string, opts *smtp.MailOptions) (err error) {
	if s.next == nil {
		if s.next, err = s.Next.dial(s.Hostname); err != nil {
			return err
		}
	}
	if lacks(s.next, opts, nil) {
		return errChanged
	}
	return s.next.Mail(from, opts)
}

// passedOn is who submitted a mail, as the next hop is told (RFC 4954 section 5):
// nobody where a stranger says it. That nobody is known is said as it came;
// go-smtp's client would leave the two brackets out.
func passedOn(auth *string, trusted bool) *string {
	switch {
	case auth == nil || !trusted:
		return nil
	case *auth == "":
		return new("<>")
	}
	return auth
}

// Rcpt asks the next hop about a recipient.
func (s *session) Rcpt(to string, opts *smtp.RcptOptions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == nil {
		return errAborted
	}
	if lacks(s.next, nil, opts) {
		return errChanged
	}
	address, signed := s.Key.restore(to, time.Now())
	err := s.next.Rcpt(address, opts)
	switch {
	case err == nil:
		s.trx.accepted = append(s.trx.accepted, recipient{address, opts})
		s.env.To = append(s.env.To, address)
		s.env.Signed = s.env.Signed || signed
		s.env.Unsigned = s.env.Unsigned || s.mustBeSigned(address) && !signed
		return nil
	case s.reportable(err, &s.env, opts):
		s.trx.refused = append(s.trx.refused, refusal{recipient{address, opts}, reply(err)})
		return nil
	}
	return s.refused(err, address)
}

// Data reads the mail as far as the decision needs, hands it on and answers what
// the next hop answers.
func (s *session) Data(r io.Reader) error {
	s.mu.Lock()
	next, env, trx := s.next, s.env, s.trx
	if next == nil {
		s.mu.Unlock()
		return errAborted
	}
	s.next, s.trx, s.sending, s.sent = nil, transaction{}, next, make(chan struct{})
	s.mu.Unlock()
	env.To = slices.Clone(env.To)
	in := &patientReader{r: r, conn: s.conn, wait: s.ReadWait, end: time.Now().Add(s.DataWait)}
	defer s.done(in)
	body := newLineEnds(in)
	held := s.Memory.reader(body)
	defer held.release()
	m, err := s.read(held, env, trx.options.Return == smtp.DSNReturnFull && s.Reports)
	if err != nil {
		next.Close()
		return err
	}
	d := s.decide(context.Background(), m)
	header := rewrite(m.header(), d.Add, s.strip(m, d))
	err = s.deliver(next, m, trx, io.MultiReader(bytes.NewReader(header), bytes.NewReader(m.body()), body), in)
	if e := reply(err); err == nil || e != nil && e.Code == 250 {
		s.Events.tell(d.Event)
	}
	return err
}

// read reads the header, and of a mail that may be a report, or be returned in
// full, the body up to the cap.
func (s *session) read(in *heldReader, env envelope, full bool) (*mail, error) {
	m := &mail{envelope: env, split: -1}
	for m.split < 0 {
		chunk, err := in.more(s.MaxHeader - int64(len(m.data)))
		m.data = append(m.data, chunk...)
		m.split = headerEnd(m.data)
		switch {
		case m.split >= 0:
		case errors.Is(err, io.EOF): // a mail that is all header
			m.split, m.whole = len(m.data), true
		case err != nil:
			return nil, readError(err)
		case int64(len(m.data)) >= s.MaxHeader:
			return nil, errHeaderTooBig
		}
	}
	if !full && !m.mayBeReport() && !s.wantsDKIM(m) {
		return m, nil
	}
	for int64(len(m.body())) < s.MaxReport {
		chunk, err := in.more(s.MaxReport - int64(len(m.body())))
		m.data = append(m.data, chunk...)
		if m.whole = errors.Is(err, io.EOF); m.whole || errors.Is(err, errMemory) {
			break
		} else if err != nil {
			return nil, readError(err)
		}
	}
	return m, nil
}

// readError is the reply to a client whose mail did not come to its end; the
// next hop never sees an end either.
func readError(err error) error {
	if smtpErr := reply(err); smtpErr != nil {
		return smtpErr // larger than the server's limit
	}
	return errAborted
}

// giveBack keeps the connection for the client's next mail.
func (s *session) giveBack(next *smtp.Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.next != nil {
		go next.Quit()
		return
	}
	s.next = next
}

// hangUp drops the connection to the next hop, and with it an unfinished mail.
func (s *session) hangUp() {
	if s.next != nil {
		s.next.Close()
		s.next = nil
	}
}

// Reset forgets the mail that was begun.
func (s *session) Reset() {
	s.giveUp()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next != nil && s.trx.begun && s.next.Reset() != nil {
		s.hangUp()
	}
	s.trx = transaction{}
	s.env = envelope{Door: s.env.Door, Client: s.env.Client, HELO: s.env.HELO, Trusted: s.env.Trusted}
}

// done says that Data needs the next hop no more. Of chunks that were not read to
// their end, go-smtp's goroutine may yet answer for those of the next mail, so
// there is none.
func (s *session) done(in *patientReader) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, chunks := in.r.(*io.PipeReader); chunks && in.err != io.EOF {
		s.spoilt = true
	}
	s.sending = nil
	close(s.sent)
}

// giveUp ends a mail that is being handed on, before its end, and waits until
// that is done.
func (s *session) giveUp() {
	s.mu.Lock()
	sending, sent := s.sending, s.sent
	s.mu.Unlock()
	if sending != nil {
		sending.Close()
		<-sent
	}
}

// Logout ends the client's connection.
func (s *session) Logout() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.next != nil {
		go s.next.Quit()
		s.next = nil
	}
	return nil
}
