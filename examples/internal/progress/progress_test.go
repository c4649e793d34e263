//go:build unix

package progress

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"
)

// drawn returns what a bar for so many files draws on a terminal.
func drawn(t *testing.T, files int, use func(*Bar)) string {
	t.Helper()
	screen, terminal, err := pty.Open()
	if err != nil {
		t.Skip("no terminal can be opened: ", err)
	}
	defer screen.Close()
	dir := t.TempDir()
	for i := range files {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var shown bytes.Buffer
	var read sync.WaitGroup
	read.Go(func() { io.Copy(&shown, screen) })
	bar := New([]string{dir}, terminal)
	use(bar)
	bar.Finish()
	terminal.Close()
	read.Wait()
	return shown.String()
}

func TestManyFilesAreCounted(t *testing.T) {
	shown := drawn(t, manyFiles, func(b *Bar) {
		for range manyFiles {
			b.Step()
		}
	})
	if !strings.Contains(shown, fmt.Sprintf("/%d", manyFiles)) || !strings.Contains(shown, "reading") {
		t.Errorf("drawn: %q", shown)
	}
}

func TestFewFilesDrawNothingUntilOneIsLarge(t *testing.T) {
	step := func(b *Bar) { b.Step(); b.Clear() }
	if shown := drawn(t, manyFiles-1, step); shown != "" {
		t.Errorf("drawn: %q", shown)
	}
	if shown := drawn(t, 1, func(b *Bar) { step(b); b.Records(20000); b.Records(40000) }); !strings.Contains(shown, "40000 records") {
		t.Errorf("drawn: %q", shown)
	}
	// The count goes on within a bar that is there.
	if shown := drawn(t, manyFiles, func(b *Bar) { b.Records(20000); b.Step() }); !strings.Contains(shown, "20000 records") {
		t.Errorf("drawn: %q", shown)
	}
}

func TestWhereThereIsNoTerminalNothingIsDrawn(t *testing.T) {
	var b bytes.Buffer
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, bar := range []*Bar{New(nil, &b), New(nil, file), new(Bar)} {
		bar.Step()
		bar.Records(20000)
		bar.Clear()
		bar.Finish()
	}
	info, err := file.Stat()
	if err != nil || info.Size() != 0 || b.Len() != 0 {
		t.Errorf("%d bytes in the file, %q, %v", info.Size(), b.String(), err)
	}
}
