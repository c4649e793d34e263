package main

import (
	"fmt"
	"strings"
	"testing"
)

// Chunks that are given up leave nothing behind, and go-smtp's goroutine of them
// cannot answer for the next mail: there is none on that connection.
func TestChunksThatAreGivenUp(t *testing.T) {
	h := startHop(t)
	gw := startGateway(t, h)
	for range 20 {
		c := connect(t, gw).greet()
		c.say("MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>", "BDAT 14\r\nSubject: x\r\n", "BDAT 6\r\nhalf")
		if got := c.say("RSET"); !strings.HasPrefix(got, "250") {
			t.Fatalf("RSET: %q", got)
		}
		if got := c.say("MAIL FROM:<a@example.org>"); !strings.HasPrefix(got, "421") {
			t.Fatalf("MAIL after that: %q", got)
		}
		c.Close()
	}
	c := connect(t, gw).greet()
	c.say("MAIL FROM:<a@example.org>", "RCPT TO:<b@example.net>")
	if got := c.say(fmt.Sprintf("BDAT %d LAST\r\n%s", len(ordinary), strings.TrimSuffix(ordinary, "\r\n"))); !strings.HasPrefix(got, "250") {
		t.Fatalf("BDAT: %q", got)
	}
	if got := h.mails(); len(got) != 1 || string(got[0].data) != ordinary {
		t.Errorf("the next hop has %d mails, want the one that came to its end", len(got))
	}
}
