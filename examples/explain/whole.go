package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeWhole writes a file beside its place and moves it there when all of it is
// on the disk: an earlier one stands until then. What is no file, as a pipe, is
// written to.
func writeWhole(name string, write func(io.Writer) error) error {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = writeTo(name, write)
	} else {
		err = writeBeside(name, write)
	}
	if err != nil {
		return fmt.Errorf("%s was not written: %w", name, err)
	}
	return nil
}

func writeTo(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	return errors.Join(write(out), out.Flush(), f.Close())
}

func writeBeside(name string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already where all went well
	out := bufio.NewWriter(f)
	err = errors.Join(write(out), out.Flush(), f.Chmod(0o644), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
