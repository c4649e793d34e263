// Package smalldisk gives the programs' tests a filesystem that is soon full.
package smalldisk

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// Disk is a filesystem of its own, in memory.
type Disk struct{ Dir string }

// Mount mounts a filesystem of so many bytes for the length of the test. Where
// that is not permitted the test is skipped: a test beside it sets the bound in
// the program itself.
func Mount(t testing.TB, bytes int) Disk {
	t.Helper()
	dir := t.TempDir()
	options := fmt.Sprintf("size=%d,mode=700", bytes)
	if said, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no filesystem can be mounted, so none is really full (root may on Linux): %v %s", err, said)
	}
	t.Cleanup(func() {
		if said, err := exec.Command("umount", "--lazy", dir).CombinedOutput(); err != nil {
			t.Errorf("umount %s: %v %s", dir, err, said)
		}
	})
	return Disk{dir}
}

func (d Disk) filler() string { return filepath.Join(d.Dir, "filler") }

// Fill leaves no room for another page of any file.
func (d Disk) Fill(t testing.TB) {
	t.Helper()
	f, err := os.OpenFile(d.filler(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	chunk := make([]byte, 4<<10)
	for err == nil {
		_, err = f.Write(chunk)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}

// Free gives back what Fill took.
func (d Disk) Free(t testing.TB) {
	t.Helper()
	if err := os.Remove(d.filler()); err != nil {
		t.Fatal(err)
	}
}
