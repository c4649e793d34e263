//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"
)

// onTerminal runs the program with a terminal to complain to, and returns what
// it wrote there.
func onTerminal(t *testing.T, args ...string) string {
	t.Helper()
	screen, terminal, err := pty.Open()
	if err != nil {
		t.Skip("no terminal can be opened: ", err)
	}
	defer screen.Close()
	var shown bytes.Buffer
	var read sync.WaitGroup
	read.Go(func() { io.Copy(&shown, screen) }) // ends with an error once nobody writes
	code := run(t.Context(), args, strings.NewReader(""), io.Discard, terminal)
	terminal.Close()
	read.Wait()
	if code != 0 {
		t.Errorf("%v: code %d: %q", args, code, shown.String())
	}
	return shown.String()
}

func TestProgressOfALargeReport(t *testing.T) {
	dir := t.TempDir()
	data, err := io.ReadAll(largeXML(3*progressRecords, 10, func(int) {}))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "large.xml")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	shown := onTerminal(t, "-db", filepath.Join(dir, "h.db"), "ingest", name)
	for _, want := range []string{"20000 records", "60000 records"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q on the terminal: %q", want, shown)
		}
	}
	small := reportFile(t, t.TempDir(), "r.example", "192.0.2.66")
	if shown := onTerminal(t, "-db", filepath.Join(dir, "h.db"), "ingest", small); shown != "" {
		t.Errorf("a file that takes no time draws %q", shown)
	}
}
