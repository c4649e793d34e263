package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// lineFile is a file that lines are appended to.
type lineFile interface {
	io.WriteCloser
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
}

// openLines opens a file for appending, whatever cut its last line short.
func openLines(name string) (lineFile, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return f, err
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], info.Size()-1); err != nil || last[0] == '\n' {
		return f, err
	}
	_, err = f.WriteString("\n")
	return f, err
}

// appendLine writes all of a line or, where the disk is full, nothing: half of
// one would spoil the next.
func appendLine(f lineFile, line []byte) error {
	n, err := f.Write(line)
	if err == nil || n == 0 {
		return err
	}
	info, statErr := f.Stat()
	if statErr != nil {
		return errors.Join(err, statErr)
	}
	return errors.Join(err, f.Truncate(info.Size()-int64(n)))
}
