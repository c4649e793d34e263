package dsn

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-message"
	"github.com/mailfault/mailfault/internal/corpora"
)

// mails reads the whole corpus of bounces into memory, or the fixtures where there
// is none.
func mails(b *testing.B) (all [][]byte, size int64) {
	files, err := filepath.Glob(filepath.Join(corpora.Or(b, filepath.Join("testdata", "mta"), "bounces", "eml"), "*.eml"))
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, data)
		size += int64(len(data))
	}
	return all, size
}

func BenchmarkRead(b *testing.B) {
	all, size := mails(b)
	b.SetBytes(size)
	b.ReportAllocs()
	textMarks() // built once a process; BenchmarkTables says what that costs
	for b.Loop() {
		for _, data := range all {
			Read(bytes.NewReader(data))
		}
	}
	b.ReportMetric(float64(len(all))*float64(b.N)/b.Elapsed().Seconds(), "mails/s")
}

// BenchmarkTables builds the phrases of the text formats, as the first text for
// people in a process does.
func BenchmarkTables(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newMarks()
	}
}

// BenchmarkGoMessageWalk is the yardstick: go-message reads every part of the
// same mails and throws it away.
func BenchmarkGoMessageWalk(b *testing.B) {
	all, size := mails(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, data := range all {
			goMessageWalk(data)
		}
	}
	b.ReportMetric(float64(len(all))*float64(b.N)/b.Elapsed().Seconds(), "mails/s")
}

func goMessageWalk(data []byte) {
	entity, err := message.Read(bytes.NewReader(data))
	if entity == nil || err != nil && !message.IsUnknownCharset(err) {
		return
	}
	entity.Walk(func(_ []int, part *message.Entity, err error) error {
		if err != nil || part == nil {
			return err
		}
		_, err = io.Copy(io.Discard, part.Body)
		return err
	})
}

// BenchmarkReadBesideGoMessage reads the corpus both ways in turns, so that what
// else the machine does falls on both, and gives the rate of Read as a part of
// go-message's, from each one's fastest turn.
func BenchmarkReadBesideGoMessage(b *testing.B) {
	all, _ := mails(b)
	textMarks()
	turn := func(fastest *time.Duration, read func(data []byte)) {
		begin := time.Now()
		for _, data := range all {
			read(data)
		}
		if took := time.Since(begin); *fastest == 0 || took < *fastest {
			*fastest = took
		}
	}
	var ours, theirs time.Duration
	for b.Loop() {
		turn(&ours, func(data []byte) { Read(bytes.NewReader(data)) })
		turn(&theirs, goMessageWalk)
	}
	b.ReportMetric(float64(theirs)/float64(ours), "of-go-message")
	b.ReportMetric(float64(len(all))/ours.Seconds(), "mails/s")
}

// BenchmarkReadGrows shows that the time grows as the size does.
func BenchmarkReadGrows(b *testing.B) {
	for _, size := range []int{1 << 20, 4 << 20, 16 << 20} {
		mail := strings.Replace(sample, "Sorry.\n", strings.Repeat("550 5.1.1 a line of text <a@example.net>: gone\n", size/48), 1)
		b.Run(byteSize(size), func(b *testing.B) {
			b.SetBytes(int64(len(mail)))
			for b.Loop() {
				if _, err := Read(strings.NewReader(mail)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func byteSize(n int) string { return fmt.Sprintf("%dMiB", n>>20) }
