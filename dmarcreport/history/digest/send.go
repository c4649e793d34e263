package digest

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"

	"github.com/mailfault/mailfault/dmarcreport/history"
)

// topic is where the store notes what became of digests.
const topic = "digest"

// The fates of a digest, as [Fates] returns them.
const (
	Sending = "sending" // somebody is at it, or crashed while at it
	Sent    = "sent"
	Skipped = "skipped" // it was clean, and clean ones were not wanted
)

// Send calls deliver for a digest, unless that was done before, and notes it. A
// clean digest is noted as skipped and not delivered if skipClean is set. It
// returns what became of the digest: Sent or Skipped now or earlier, or Sending
// where another process has it.
//
// A digest whose delivery fails can be sent again. One whose sender was killed
// stays at Sending, so that nobody gets it twice; [Release] lets it go.
func Send(ctx context.Context, h *history.History, d *Digest, skipClean bool, deliver func(*Digest) error) (string, error) {
	key := noteKey(d.Address, d.Period)
	first, err := h.Store.Note(ctx, topic, key, "", Sending)
	if err != nil {
		return "", err
	}
	if !first {
		notes, err := h.Store.Notes(ctx, topic)
		return notes[key], err
	}
	fate := Sent
	if skipClean && d.Clean() {
		fate = Skipped
	} else if err := deliver(d); err != nil {
		_, release := h.Store.Note(context.WithoutCancel(ctx), topic, key, Sending, "")
		return "", errors.Join(err, release)
	}
	_, err = h.Store.Note(context.WithoutCancel(ctx), topic, key, Sending, fate)
	return fate, err
}

// Release lets a digest that stayed at Sending be sent again.
func Release(ctx context.Context, h *history.History, address string, p history.Period) error {
	_, err := h.Store.Note(ctx, topic, noteKey(address, p), Sending, "")
	return err
}

// Fates returns what became of all digests, by "FIRST/LAST ADDRESS".
func Fates(ctx context.Context, h *history.History) (map[string]string, error) {
	return h.Store.Notes(ctx, topic)
}

// noteKey names a digest. An address is the same with a name beside it, and in
// capitals.
func noteKey(address string, p history.Period) string {
	if a, err := mail.ParseAddress(address); err == nil {
		address = strings.ToLower(a.Address)
	}
	return fmt.Sprintf("%s/%s %s", p.First, p.Last, address)
}
