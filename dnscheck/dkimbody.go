package dnscheck

import (
	"bufio"
	"crypto/sha256"
	"hash"
)

// bodyHash takes a message's body and hashes its canonical form (RFC 6376
// sections 3.4.3 and 3.4.4), or the first octets of that. It holds nothing of it.
type bodyHash struct {
	relaxed bool
	limit   int64 // l=; negative: all
	sum     hash.Hash
	octets  int64 // of the canonical form so far
	out     *bufio.Writer

	cr    bool // a CR came, and perhaps an LF follows
	blank bool // blanks came that count only if something follows in the line
	lines int  // ends of lines that count only if something follows
	any   bool // something has been written
	done  []byte
}

func newBodyHash(relaxed bool, limit int64) *bodyHash {
	h := &bodyHash{relaxed: relaxed, limit: limit, sum: sha256.New()}
	h.out = bufio.NewWriter(hashed{h})
	return h
}

// hashed is where the canonical form goes.
type hashed struct{ *bodyHash }

func (h hashed) Write(p []byte) (int, error) {
	counted := p
	if left := max(h.limit-h.octets, 0); h.limit >= 0 && int64(len(p)) > left {
		counted = p[:left]
	}
	h.octets += int64(len(p))
	_, _ = h.sum.Write(counted) // a hash never fails
	return len(p), nil
}

// Write takes a part of the body. It never fails.
func (h *bodyHash) Write(p []byte) (int, error) {
	for _, c := range p {
		if h.cr && c != '\n' {
			h.take('\r')
		}
		h.cr = c == '\r'
		switch {
		case h.cr:
		case c == '\n':
			h.blank = false
			h.lines++
		case h.relaxed && (c == ' ' || c == '\t'):
			h.blank = true
		default:
			h.take(c)
		}
	}
	return len(p), nil
}

// take writes a byte that counts, and what waited for it.
func (h *bodyHash) take(c byte) {
	for ; h.lines > 0; h.lines-- {
		_, _ = h.out.WriteString(crlf)
	}
	if h.blank {
		_ = h.out.WriteByte(' ')
		h.blank = false
	}
	_ = h.out.WriteByte(c)
	h.any = true
}

// end returns the hash when the body is at its end. Empty lines there do not
// count, and the last line ends in any case; an empty body is an empty line in the simple
// form and nothing in the relaxed one.
func (h *bodyHash) end() []byte {
	if h.done != nil {
		return h.done
	}
	if h.cr {
		h.take('\r')
		h.cr = false
	}
	if h.any || !h.relaxed {
		_, _ = h.out.WriteString(crlf)
	}
	_ = h.out.Flush()
	h.done = h.sum.Sum(nil)
	return h.done
}
