package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/mail"
)

// Mail writes the digest as a mail: text, and beside it HTML with its charts.
// The message id is the same each time the same digest is written, so that one
// that comes twice can be told for what it is.
func (d *Digest) Mail(w io.Writer, from string, date time.Time) error {
	var h mail.Header
	sender, err := mail.ParseAddress(from)
	if err != nil {
		return fmt.Errorf("digest: from: %w", err)
	}
	to, err := mail.ParseAddress(d.Address)
	if err != nil {
		return fmt.Errorf("digest: to: %w", err)
	}
	h.SetAddressList("From", []*mail.Address{sender})
	h.SetAddressList("To", []*mail.Address{to})
	h.SetSubject(d.Subject())
	h.SetDate(date)
	_, host, _ := strings.Cut(sender.Address, "@")
	id := sha256.Sum256([]byte(noteKey(d.Address, d.Period)))
	h.SetMessageID(hex.EncodeToString(id[:12]) + "@" + host)
	h.Set("Auto-Submitted", "auto-generated") // RFC 3834: no vacation answers
	h.SetContentType("multipart/alternative", nil)
	mw, err := message.CreateWriter(w, h.Header)
	if err != nil {
		return err
	}
	if err := d.parts(mw); err != nil {
		return err
	}
	return mw.Close()
}

func (d *Digest) parts(mw *message.Writer) error {
	if err := part(mw, "text/plain", nil, d.Text); err != nil {
		return err
	}
	var h message.Header
	h.SetContentType("multipart/related", nil)
	related, err := mw.CreatePart(h)
	if err != nil {
		return err
	}
	cid := func(i int) string { return fmt.Sprintf("chart%d@digest", i) }
	err = part(related, "text/html", nil, func(w io.Writer) error {
		return d.HTML(w, func(i int) string { return "cid:" + cid(i) })
	})
	if err != nil {
		return err
	}
	for i := range d.Domains {
		if d.Domains[i].State == NoReports {
			continue
		}
		extra := map[string]string{"Content-Id": "<" + cid(i) + ">", "Content-Disposition": "inline"}
		if err := part(related, "image/png", extra, d.Domains[i].Chart); err != nil {
			return err
		}
	}
	return related.Close()
}

func part(mw *message.Writer, mediaType string, extra map[string]string, write func(io.Writer) error) error {
	var h message.Header
	if strings.HasPrefix(mediaType, "text/") {
		h.SetContentType(mediaType, map[string]string{"charset": "utf-8"})
		h.Set("Content-Transfer-Encoding", "quoted-printable")
	} else {
		h.SetContentType(mediaType, nil)
		h.Set("Content-Transfer-Encoding", "base64")
	}
	for k, v := range extra {
		h.Set(k, v)
	}
	w, err := mw.CreatePart(h)
	if err != nil {
		return err
	}
	if err := write(w); err != nil {
		return err
	}
	return w.Close()
}
