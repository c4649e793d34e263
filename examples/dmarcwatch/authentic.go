package main

import (
	"bytes"
	"strings"

	"github.com/emersion/go-message"

	"github.com/mailfault/mailfault/internal/authres"
)

// authenticated reports whether the mail that starts so was called dmarc=pass
// by the server. Only the topmost field of that name counts: a sender can write
// others below it.
func authenticated(start []byte, server string) bool {
	e, err := message.Read(bytes.NewReader(start))
	if e == nil || err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
		return false
	}
	for fields := e.Header.FieldsByKey("Authentication-Results"); fields.Next(); {
		results := authres.Parse(fields.Value())
		if !strings.EqualFold(results.ServID, server) {
			continue
		}
		for _, r := range results.Results {
			if r.Method == "dmarc" {
				return r.Value == "pass"
			}
		}
		return false
	}
	return false
}
