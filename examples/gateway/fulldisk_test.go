package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/examples/internal/smalldisk"
)

// A disk that is full while mail flows, and has room again: every mail is at the
// next hop once, every report is told of once, and what was sent is known after
// a restart, too, even one on the full disk.
func TestDiskThatIsFullForAWhile(t *testing.T) {
	const senders, each = 4, 30 // half of them reports
	disk := smalldisk.Mount(t, 256<<10)
	file, sent := filepath.Join(disk.Dir, "events.ndjson"), filepath.Join(disk.Dir, "sent")
	// A page that is begun has room on a full disk, too: this one for two ids more
	// than those of the first mails.
	const page, line = 4 << 10, 17
	padding := page - line*(1+senders*each/6+2)
	if err := os.WriteFile(sent, []byte(strings.Repeat("-", padding-1)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	j := &journal{}
	h := startHop(t)
	gw := startWith(t, h, j.handler(), nil, "-events", file, "-sent", sent, "-inside", "127.0.0.0/8")
	mail := func(s, n int) {
		id := fmt.Sprintf("%d.%d@example.org", s, n)
		from, data := "a@example.org", "Message-ID: <"+id+">\r\n"+ordinary
		if n%2 == 0 {
			from, data = "", bounce("Message-ID: <report-"+id+">\r\n", "none-"+id, now)
		}
		if got := send(t, gw, from, []string{"b@example.net"}, data); !strings.HasPrefix(got, "250") {
			t.Errorf("mail %s: %s", id, got)
		}
	}
	flow := func(from, to int) {
		var all sync.WaitGroup
		for s := range senders {
			all.Go(func() {
				for n := from; n < to; n++ {
					mail(s, n)
				}
			})
		}
		all.Wait()
	}
	flow(0, each/3)
	disk.Fill(t)
	flow(each/3, 2*each/3)
	for _, line := range []string{"events wait", "sent mail not written down", "no space left on device", file, sent} {
		eventually(t, func() (bool, bool) { return true, j.count(line) > 0 })
	}
	// Who starts now has a full disk before it has written anything.
	again, err := openSentMail(sent, time.Hour)
	if err != nil {
		t.Errorf("a start on a full disk: %v", err)
	} else if err := again.add("late@example.org", time.Now()); err == nil || again.lookup("late@example.org", time.Now()) != dsn.Ours {
		t.Errorf("a mail that could not be written down: %v", err)
	}
	disk.Free(t)
	flow(2*each/3, each)
	if again != nil {
		if err := again.add("later@example.org", time.Now()); err != nil {
			t.Error(err)
		}
	}

	const mails, reports = senders * each, senders * each / 2
	copies := map[string]int{}
	for _, d := range h.mails() {
		_, rest, _ := strings.Cut(string(d.data), "Message-ID: <")
		id, _, _ := strings.Cut(rest, ">")
		copies[id]++
	}
	for id, n := range copies {
		if n != 1 {
			t.Errorf("%s went on %d times", id, n)
		}
	}
	if len(copies) != mails {
		t.Errorf("%d mails went on, want %d", len(copies), mails)
	}
	lines := eventually(t, func() ([]byte, bool) {
		b, _ := os.ReadFile(file)
		return b, bytes.Count(b, []byte("\n")) >= reports
	})
	ids := told(t, lines)
	for id, n := range ids {
		if n != 1 {
			t.Errorf("%s was told %d times", id, n)
		}
	}
	if len(ids) != reports {
		t.Errorf("%d reports were told, want %d", len(ids), reports)
	}
	known, err := openSentMail(sent, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"late@example.org", "later@example.org"}
	for s := range senders {
		for n := 1; n < each; n += 2 {
			want = append(want, fmt.Sprintf("%d.%d@example.org", s, n))
		}
	}
	for _, id := range want {
		if known.lookup(id, time.Now()) != dsn.Ours {
			t.Errorf("%s is not known after a restart", id)
		}
	}
	if got := len(known.young.ids); got != len(want) {
		t.Errorf("%d ids are known, want %d", got, len(want))
	}
}
