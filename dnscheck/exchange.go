package dnscheck

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

const (
	// udpSize is the answer size offered with EDNS0: it passes without
	// fragments nearly everywhere (DNS flag day 2020).
	udpSize = 1232
	// maxStrays is how many wrong datagrams are passed over before TCP: who
	// guesses identifiers needs thousands.
	maxStrays = 16

	defaultTimeout = 3 * time.Second
)

// exchange asks one server, over UDP and where need be over TCP.
func (c *Client) exchange(ctx context.Context, server string, q *question, tcp bool) (reply, error) {
	if tcp {
		return c.overTCP(ctx, server, q)
	}
	r, err := c.overUDP(ctx, server, q)
	if err == nil && r.noEDNS {
		// RFC 6891 section 7: the server may not know EDNS at all.
		plain := *q
		if plain.wire, err = plain.pack(false); err != nil {
			return r, err
		}
		q = &plain
		r, err = c.overUDP(ctx, server, q)
	}
	switch {
	case err == nil && r.truncated:
		if r, err = c.overTCP(ctx, server, q); err != nil {
			err = fmt.Errorf("%w: %w", ErrTruncated, err)
		}
	case errors.Is(err, ErrSpoofed):
		if r, tcpErr := c.overTCP(ctx, server, q); tcpErr == nil {
			return r, nil
		}
	}
	return r, err
}

// open dials with the time of one try; done must be called.
func (c *Client) open(ctx context.Context, network, server string) (conn net.Conn, done func(), err error) {
	timeout := c.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	cancel := func() {}
	if timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, timeout)
	}
	dial := c.Dial
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	conn, err = dial(ctx, network, server)
	if err != nil {
		cancel()
		return nil, nil, err
	}
	if deadline, ok := ctx.Deadline(); ok {
		err = conn.SetDeadline(deadline)
	}
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	return conn, func() { stop(); cancel(); conn.Close() }, err
}

// overUDP passes over datagrams that do not answer the question. Its socket is
// connected, so that the system drops those of other senders.
func (c *Client) overUDP(ctx context.Context, server string, q *question) (reply, error) {
	conn, done, err := c.open(ctx, "udp", server)
	if err != nil {
		return reply{}, err
	}
	defer done()
	if _, err := conn.Write(q.wire[2:]); err != nil {
		return reply{}, err
	}
	buf := make([]byte, 2*udpSize)
	for range maxStrays {
		n, err := conn.Read(buf)
		if err != nil {
			return reply{}, err
		}
		r, err := readReply(buf[:n], q)
		if errors.Is(err, errStray) {
			continue
		}
		if n == len(buf) { // more than was offered: the rest is lost
			return reply{truncated: true}, nil
		}
		return r, err
	}
	return reply{}, ErrSpoofed
}

// overTCP reads one answer of at most 64 KiB (RFC 7766).
func (c *Client) overTCP(ctx context.Context, server string, q *question) (reply, error) {
	conn, done, err := c.open(ctx, "tcp", server)
	if err != nil {
		return reply{}, err
	}
	defer done()
	if _, err := conn.Write(q.wire); err != nil {
		return reply{}, err
	}
	var size [2]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return reply{}, err
	}
	msg := make([]byte, binary.BigEndian.Uint16(size[:]))
	if _, err := io.ReadFull(conn, msg); err != nil {
		return reply{}, err
	}
	r, err := readReply(msg, q)
	switch {
	case errors.Is(err, errStray):
		return reply{}, ErrSpoofed
	case err == nil && r.truncated:
		return reply{}, fmt.Errorf("%w: cut over TCP too", ErrMalformed)
	}
	r.answer.TCP = true
	return r, err
}
