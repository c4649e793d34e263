package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"slices"

	"github.com/mailfault/mailfault/dmarcreport"
)

// Digest stands for the content of a report. Two reports with the same key and
// digest are the same report.
type Digest [16]byte

// String returns the digest in hexadecimal digits.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// MarshalText returns the digest in hexadecimal digits.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// digester makes a digest that does not depend on the order of records.
type digester struct {
	sums [][16]byte
	buf  bytes.Buffer
}

func (d *digester) record(r *dmarcreport.Record) {
	b := &d.buf
	b.Reset()
	writeString(b, r.SourceIP.String())
	writeInt(b, r.Count)
	for _, s := range []string{r.SourceIPRaw, r.CountRaw, r.HeaderFrom, r.EnvelopeFrom, r.EnvelopeTo,
		r.Evaluated.DispositionRaw, r.Evaluated.DKIMRaw, r.Evaluated.SPFRaw} {
		writeString(b, s)
	}
	writeInt(b, int64(r.Evaluated.Disposition)<<16|int64(r.Evaluated.DKIM)<<8|int64(r.Evaluated.SPF))
	for _, x := range r.Evaluated.Reasons {
		writeInt(b, int64(x.Type))
		writeString(b, x.TypeRaw)
		writeString(b, x.Comment)
	}
	for _, x := range r.DKIM {
		writeString(b, x.Domain)
		writeString(b, x.Selector)
		writeInt(b, int64(x.Result))
	}
	for _, x := range r.SPF {
		writeString(b, x.Domain)
		writeInt(b, int64(x.Scope)<<8|int64(x.Result))
	}
	sum := sha256.Sum256(b.Bytes())
	d.sums = append(d.sums, [16]byte(sum[:16]))
}

func (d *digester) sum(m *dmarcreport.Metadata, p *dmarcreport.PolicyPublished) Digest {
	slices.SortFunc(d.sums, func(a, b [16]byte) int { return bytes.Compare(a[:], b[:]) })
	h := sha256.New()
	writeString(h, m.Email)
	writeString(h, policyText(p))
	writeString(h, p.Pct)
	for _, s := range d.sums {
		h.Write(s[:])
	}
	return Digest(h.Sum(nil)[:16])
}

func writeString(w io.Writer, s string) {
	writeInt(w, int64(len(s)))
	io.WriteString(w, s)
}

func writeInt(w io.Writer, v int64) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(v))
	w.Write(b[:])
}
