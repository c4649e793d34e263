package ndr

import (
	"testing"

	"github.com/mailfault/mailfault/dsn"
)

// qmail notes each of its own programs in a Received field: no server took the
// message over there.
func TestNotesOfQmailAreNoSteps(t *testing.T) {
	p := PathOf(dsn.ReadHeader([]byte("Received: (qmail 4711 invoked from network); 30 Nov 2026 09:00:04 -0000\r\n" +
		"Received: from unknown (HELO client.example) (192.0.2.24)\r\n  by mx.example with SMTP; 30 Nov 2026 09:00:03 -0000\r\n" +
		"Received: (qmail 4710 invoked by uid 89); 30 Nov 2026 09:00:01 -0000\r\n")))
	if len(p.Steps) != 1 || p.Steps[0].From != "unknown" || p.Steps[0].By != "mx.example" || p.Accepted != "mx.example" {
		t.Errorf("%+v, want one step, to mx.example", p)
	}
}
