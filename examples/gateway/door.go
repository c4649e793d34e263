package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"

	"github.com/emersion/go-smtp"
)

// door is the SMTP door. It offers a client what the next hop can do at that
// time, so there is a server for each set of abilities: go-smtp's offers are the
// server's.
type door struct {
	gateway *gateway
	next    *nextHop
	servers map[abilities]*smtp.Server
}

// door returns the SMTP door that the options describe.
func (o *options) door(g *gateway) (*door, error) {
	p := &proxy{
		gateway: g, Next: nextHop{Addr: o.next, StartTLS: o.nextTLS, Wait: o.nextWait},
		MaxHeader: o.maxHeader, ReadWait: o.idle, DataWait: o.data, Memory: newBudget(o.memory), Reports: o.reports,
	}
	d := &door{gateway: g, next: &p.Next, servers: make(map[abilities]*smtp.Server)}
	for _, can := range [...]abilities{{}, {UTF8: true}, {DSN: true}, everything} {
		s, err := o.server(p)
		if err != nil {
			return nil, err
		}
		s.EnableSMTPUTF8, s.EnableDSN = can.UTF8, can.DSN
		d.servers[can] = s
	}
	d.ask()
	return d, nil
}

// server returns a server that offers no extension of the next hop.
func (o *options) server(p *proxy) (s *smtp.Server, err error) {
	s = smtp.NewServer(p)
	s.Domain, s.MaxMessageBytes, s.MaxRecipients = o.hostname, o.maxMail, o.maxRecipients
	s.ReadTimeout, s.WriteTimeout = o.idle, o.idle
	s.MaxLineLength = 64 << 10 // lines beyond the standard's 998 bytes are common; they pass
	s.ErrorLog = slog.NewLogLogger(p.Log.Handler(), slog.LevelDebug)
	if o.cert != "" {
		if s.TLSConfig, err = tlsConfig(o.cert, o.certKey); err != nil {
			return nil, fmt.Errorf("-cert: %w", err)
		}
	}
	return s, nil
}

func (d *door) ask() {
	if err := d.next.ask(d.gateway.Hostname); err != nil {
		d.gateway.Log.Warn("the next server could not be asked what it can do", "err", err)
	}
}

// Serve gives each connection to the server that offers what the next hop can
// do, until the door or the listener is closed.
func (d *door) Serve(l net.Listener) error {
	all := &turns{Listener: l, closed: make(chan struct{})}
	all.close = sync.OnceValue(func() error { close(all.closed); return l.Close() })
	turn := make(map[abilities]chan incoming)
	ended := make(chan error, len(d.servers))
	for can, server := range d.servers {
		own := make(chan incoming)
		turn[can] = own
		go func() {
			err := server.Serve(turnOf{all, own})
			ended <- errors.Join(err, all.close())
		}()
	}
	give := func(next incoming) {
		can, _ := d.next.abilities()
		select {
		case turn[can] <- next:
		case <-all.closed:
			if next.conn != nil {
				next.conn.Close()
			}
		}
	}
	for {
		conn, err := l.Accept()
		if _, recent := d.next.abilities(); err == nil && !recent {
			go func() { d.ask(); give(incoming{conn, nil}) }()
		} else {
			give(incoming{conn, err})
		}
		select {
		case <-all.closed:
			var errs []error
			for range d.servers {
				if err := <-ended; !errors.Is(err, net.ErrClosed) {
					errs = append(errs, err)
				}
			}
			return errors.Join(errs...)
		default:
		}
	}
}

// Close closes the door and all connections.
func (d *door) Close() error {
	var errs []error
	for _, server := range d.servers {
		errs = append(errs, server.Close())
	}
	return errors.Join(errs...)
}

// Shutdown closes the door and waits for the connections, until the context
// ends.
func (d *door) Shutdown(ctx context.Context) error {
	errs := make(chan error)
	for _, server := range d.servers {
		go func() { errs <- server.Shutdown(ctx) }()
	}
	var all []error
	for range d.servers {
		all = append(all, <-errs)
	}
	return errors.Join(all...)
}

// incoming is what a listener's Accept returned: a connection, or an error that
// one of the servers knows how long to wait after.
type incoming struct {
	conn net.Conn
	err  error
}

// turns is a listener that servers take turns at.
type turns struct {
	net.Listener
	closed chan struct{}
	close  func() error
}

// turnOf is one server's.
type turnOf struct {
	*turns
	own <-chan incoming
}

// Accept returns the next connection that is this server's.
func (t turnOf) Accept() (net.Conn, error) {
	select {
	case next := <-t.own:
		return next.conn, next.err
	case <-t.closed:
		return nil, net.ErrClosed
	}
}

// Close closes the listener for all.
func (t turnOf) Close() error { return t.close() }
