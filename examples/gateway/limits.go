package main

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// limitListener refuses connections beyond a number in all and a number an
// address, in one line and at once, so that one client cannot take every place.
type limitListener struct {
	net.Listener
	Max, MaxPerClient int

	mu    sync.Mutex
	total int
	by    map[netip.Addr]int
}

// Accept returns the next connection within the limits.
func (l *limitListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		client := addrOf(conn.RemoteAddr())
		if l.enter(client) {
			return &countedConn{Conn: conn, leave: sync.OnceFunc(func() { l.leave(client) })}, nil
		}
		// One write into an empty socket buffer does not block.
		_ = conn.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = io.WriteString(conn, "421 4.7.0 Too many connections, try again later\r\n")
		conn.Close()
	}
}

func (l *limitListener) enter(client netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.total >= l.Max || l.by[client] >= l.MaxPerClient {
		return false
	}
	if l.by == nil {
		l.by = map[netip.Addr]int{}
	}
	l.total++
	l.by[client]++
	return true
}

func (l *limitListener) leave(client netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total--
	if l.by[client]--; l.by[client] == 0 {
		delete(l.by, client)
	}
}

type countedConn struct {
	net.Conn
	leave func()
}

// Close closes the connection and gives its place free.
func (c *countedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// patientReader reads a client's mail: each read has its time, and the whole
// mail has one, however it drips.
type patientReader struct {
	r    io.Reader
	conn net.Conn
	wait time.Duration
	end  time.Time
	err  error // that ended the mail: io.EOF at its end
}

// Read reads within the time left.
func (p *patientReader) Read(b []byte) (int, error) {
	deadline := time.Now().Add(p.wait)
	if deadline.After(p.end) {
		deadline = p.end
	}
	if err := p.conn.SetReadDeadline(deadline); err != nil {
		return 0, err
	}
	n, err := p.r.Read(b)
	p.err = err
	return n, err
}

// errMemory says that all mails together hold as much as they may. The mail goes
// on with what was read of it.
var errMemory = errors.New("gateway: no memory left to read ahead")

// budget is the memory that mails being read may hold together, in bytes.
type budget struct{ left atomic.Int64 }

func newBudget(bytes int64) *budget {
	b := &budget{}
	b.left.Store(bytes)
	return b
}

// reader returns a reader that holds what it reads against the budget.
func (b *budget) reader(r io.Reader) *heldReader {
	return &heldReader{r: r, budget: b, chunk: make([]byte, 16<<10)}
}

// heldReader reads ahead against a budget.
type heldReader struct {
	r      io.Reader
	budget *budget
	held   int64
	chunk  []byte
}

// more returns up to limit bytes more, valid until the next call; errMemory when
// the budget is spent. The first chunk is always granted: a header has to be
// read.
func (h *heldReader) more(limit int64) ([]byte, error) {
	if h.held > 0 && h.budget.left.Load() < 0 {
		return nil, errMemory
	}
	n, err := h.r.Read(h.chunk[:min(limit, int64(len(h.chunk)))])
	h.held += int64(n)
	h.budget.left.Add(-2 * int64(n)) // what is held may have twice its size while it grows
	return h.chunk[:n], err
}

// release gives the memory back.
func (h *heldReader) release() {
	h.budget.left.Add(2 * h.held)
	h.held = 0
}
