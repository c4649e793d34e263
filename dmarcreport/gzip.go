package dmarcreport

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
)

// gzip unpacks RFC 1952 data, several members one after the other included.
func (w *walker) gzip(r *bufio.Reader, at place) error {
	zr, err := gzip.NewReader(r)
	if err != nil {
		return w.give(at.within("gzip"), fmt.Errorf("%w: %w", ErrCorrupt, err))
	}
	zr.Multistream(false)
	return w.unpack(&gzipMembers{zr, r}, at.within("gzip"))
}

// gzipMembers reads member after member (RFC 1952 section 2.2). Unlike
// gzip.Reader it tells what follows the last one from a member that is cut,
// however short it is: to it a line break is a header cut in two.
type gzipMembers struct {
	zr *gzip.Reader
	r  *bufio.Reader
}

func (m *gzipMembers) Read(p []byte) (int, error) {
	for {
		n, err := m.zr.Read(p)
		if err != io.EOF {
			return n, err
		}
		if err = m.next(); err != nil || n > 0 {
			return n, err
		}
	}
}

// next begins the next member. The error is io.EOF where nothing follows,
// gzip.ErrHeader where something else does.
func (m *gzipMembers) next() error {
	head, err := m.r.Peek(2)
	switch {
	case len(head) == 0:
		return err
	case string(head) != "\x1f\x8b":
		return gzip.ErrHeader
	}
	if err = m.zr.Reset(m.r); err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	m.zr.Multistream(false)
	return err
}
