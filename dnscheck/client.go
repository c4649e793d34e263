package dnscheck

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"time"
)

// Client is a [Resolver] that asks recursive DNS servers over the network
// (a stub resolver, RFC 1034 section 5.3.1). The zero value asks the servers of
// /etc/resolv.conf, or those on this host when there are none. Use it by
// pointer; it keeps no connections and needs no closing.
//
// Each question goes out over UDP with EDNS0 from a port and with an identifier of its
// own; an answer to another question is passed over. TCP follows where the answer
// is cut, where only wrong answers come, and last where no server answers UDP. An
// answer is at most 64 KiB, what DNS can carry. Aliases are followed, ten at most.
//
// Answer.Authentic repeats what the server says. It is worth as much as the
// way to that server: on loopback much, over the internet nothing.
type Client struct {
	// Servers are addresses with or without a port: "192.0.2.53",
	// "[2001:db8::53]:5353". They are asked in order until one gives an answer.
	// Empty: the system's, read once.
	Servers []string
	// Timeout is how long one server has for one try; 0 is 3 seconds,
	// negative leaves it to the context alone.
	Timeout time.Duration
	// Rounds is how often all servers are asked over UDP before they are
	// asked over TCP; 0 is 2. A server that failed with an answer is not asked again.
	Rounds int
	// Dial opens the connections, network being "udp" or "tcp"; nil is
	// net.Dialer's, which lets the system choose a random port.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	once   sync.Once
	system []string
}

// Lookup asks for the records of one type and follows aliases.
func (c *Client) Lookup(ctx context.Context, name string, t Type) Answer {
	switch {
	case c == nil:
		return Answer{Err: ErrNoResolver}
	case ctx == nil:
		return Answer{Err: ErrNoContext}
	}
	name = canonical(name)
	asked, sofar := name, Answer{}
	for {
		answer, open := c.ask(ctx, name, t)
		if len(sofar.CNAME) > 0 {
			answer.CNAME = append(sofar.CNAME, answer.CNAME...)
			answer.TTL = min(answer.TTL, sofar.TTL)
			answer.Authentic = answer.Authentic && sofar.Authentic
		}
		if aliasLoop(asked, answer.CNAME) {
			return Answer{Outcome: ServFail, CNAME: answer.CNAME, Err: ErrAliasLoop, Server: answer.Server, TCP: answer.TCP, Size: answer.Size}
		}
		if !open {
			return answer
		}
		sofar, name = answer, answer.CNAME[len(answer.CNAME)-1]
	}
}

// aliasLoop reports whether a chain of aliases is too long or names a name
// twice.
func aliasLoop(asked string, chain []string) bool {
	for i, name := range chain {
		if i >= maxAliases || name == asked {
			return true
		}
		if slices.Contains(chain[:i], name) {
			return true
		}
	}
	return false
}

// ask puts one question to the servers until one answers. open says that the
// answer ends at an alias whose target the server did not look up.
func (c *Client) ask(ctx context.Context, name string, t Type) (answer Answer, open bool) {
	q, err := newQuestion(name, t)
	if err != nil {
		return Answer{Err: err}, false
	}
	servers := c.servers()
	failed := Answer{Outcome: Unreachable, Err: errNoServer}
	gaveUp := make([]bool, len(servers))
	rounds := c.Rounds
	if rounds <= 0 {
		rounds = 2
	}
	for round := range rounds + 1 {
		for i, server := range servers {
			if gaveUp[i] {
				continue
			}
			if err := ended(ctx); err != nil {
				return Answer{Outcome: Timeout, Err: err}, false
			}
			reply, err := c.exchange(ctx, server, q, round == rounds)
			if err == nil && (reply.open || !reply.answer.Outcome.Failed()) {
				reply.answer.Server = server
				return reply.answer, reply.open
			}
			answer := reply.answer
			if err != nil {
				answer = Answer{Outcome: outcomeOf(err), Err: err}
			}
			answer.Server = server
			gaveUp[i] = answer.Outcome == ServFail || answer.Outcome == Refused
			if failed.Err == errNoServer || telling(answer.Outcome) > telling(failed.Outcome) {
				failed = answer
			}
		}
	}
	if err := ended(ctx); err != nil {
		return Answer{Outcome: Timeout, Err: err}, false
	}
	return failed, false
}

// ended is ctx.Err, but does not wait for the context's timer: a connection
// with the same deadline may have noticed first.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if deadline, ok := ctx.Deadline(); ok && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return nil
}

var errNoServer = errors.New("dnscheck: there is no DNS server to ask")

// telling ranks failures by how much they say about the name: of several
// servers' failures the most telling one is reported.
func telling(o Outcome) int {
	switch o {
	case ServFail:
		return 3
	case Refused:
		return 2
	case Timeout:
		return 1
	}
	return 0
}

// outcomeOf tells what an error of the exchange means for the question.
func outcomeOf(err error) Outcome {
	var network net.Error
	switch {
	case errors.Is(err, ErrMalformed), errors.Is(err, ErrTruncated), errors.Is(err, ErrSpoofed):
		return ServFail
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded),
		errors.As(err, &network) && network.Timeout():
		return Timeout
	}
	return Unreachable
}

func (c *Client) servers() []string {
	if len(c.Servers) == 0 {
		c.once.Do(func() { c.system = systemServers() })
		return c.system
	}
	servers := make([]string, len(c.Servers))
	for i, server := range c.Servers {
		servers[i] = withPort(server)
	}
	return servers
}

// withPort completes a server's address with DNS's port.
func withPort(server string) string {
	if _, err := netip.ParseAddr(server); err == nil {
		return net.JoinHostPort(server, "53")
	}
	if _, _, err := net.SplitHostPort(server); err == nil {
		return server
	}
	return net.JoinHostPort(server, "53")
}
