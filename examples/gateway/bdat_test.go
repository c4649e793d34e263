//go:build !race

package main

import (
	"fmt"
	"strings"
	"testing"
)

// The race detector is right about go-smtp here: after RSET its goroutine of the
// chunks that were given up may still look at a field that the next BDAT sets.
// The session waits for that goroutine's work to end before RSET is answered.
func TestChunksThatAreGivenUp(t *testing.T) {
	h := startHop(t)
	gw := startGateway(t, h)
	c := connect(t, gw).greet()
	for range 50 {
		c.say("MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>", "BDAT 14\r\nSubject: x\r\n", "BDAT 6\r\nhalf")
		if got := c.say("RSET"); !strings.HasPrefix(got, "250") {
			t.Fatalf("RSET: %q", got)
		}
	}
	c.say("MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>")
	if got := c.say(fmt.Sprintf("BDAT %d LAST\r\n%s", len(ordinary), strings.TrimSuffix(ordinary, "\r\n"))); !strings.HasPrefix(got, "250") {
		t.Fatalf("BDAT after RSET: %q", got)
	}
	if got := h.mails(); len(got) != 1 || string(got[0].data) != ordinary {
		t.Errorf("the next hop has %d mails, want the one that came to its end", len(got))
	}
}
