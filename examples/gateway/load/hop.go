package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/emersion/go-smtp"
)

// startHop starts this program as the next hop, in a process that can be killed.
func startHop(kept string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	hop := exec.Command(self, "-hop", hopAddr, "-kept", kept)
	hop.Stderr = os.Stderr
	return hop, hop.Start()
}

// serveHop takes every mail and writes down its name before it answers.
func serveHop(addr, kept string) error {
	f, err := os.OpenFile(kept, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	s := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return keeper{f}, nil }))
	s.Addr, s.Domain, s.MaxLineLength = addr, "hop.test", 1<<16
	return s.ListenAndServe()
}

type keeper struct{ f *os.File }

func (keeper) Reset()                               {}
func (keeper) Logout() error                        { return nil }
func (keeper) Mail(string, *smtp.MailOptions) error { return nil }
func (keeper) Rcpt(string, *smtp.RcptOptions) error { return nil }

func (k keeper) Data(r io.Reader) error {
	lines := bufio.NewReader(r)
	name := ""
	for name == "" {
		line, err := lines.ReadString('\n')
		if rest, ok := strings.CutPrefix(line, "X-Load: "); ok {
			name = rest
		}
		if err != nil {
			return err
		}
	}
	if _, err := io.Copy(io.Discard, lines); err != nil {
		return err
	}
	_, err := io.WriteString(k.f, strings.TrimSpace(name)+"\n")
	return err
}

func waitFor(addr string) error {
	for range 100 {
		if conn, err := net.Dial("tcp", addr); err == nil {
			return conn.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("nothing listens on %s", addr)
}

// watchMemory looks at a process's resident memory every second, in kB, until
// stop.
func watchMemory(pid int, stop chan struct{}) chan []int {
	out := make(chan []int, 1)
	go func() {
		seen := []int{0}
		for {
			select {
			case <-stop:
				out <- seen
				return
			case <-time.After(time.Second):
			}
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			for line := range strings.Lines(string(status)) {
				kB := 0
				if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &kB); n == 1 {
					seen = append(seen, kB)
				}
			}
		}
	}()
	return out
}
