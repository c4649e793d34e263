package ndr

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/emersion/go-message"
	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/internal/corpora"
)

// BenchmarkReadAndParse reads the mails in Microsoft's layouts whole.
func BenchmarkReadAndParse(b *testing.B) {
	all, size := microsoftMails(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, data := range all {
			report, _ := dsn.Read(bytes.NewReader(data))
			if _, err := Parse(report); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(all))*float64(b.N)/b.Elapsed().Seconds(), "mails/s")
}

// BenchmarkGoMessageWalk reads every part of the same mails and throws it away.
func BenchmarkGoMessageWalk(b *testing.B) {
	all, size := microsoftMails(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, data := range all {
			entity, err := message.Read(bytes.NewReader(data))
			if entity == nil || err != nil && !message.IsUnknownCharset(err) {
				continue
			}
			entity.Walk(func(_ []int, part *message.Entity, err error) error {
				if err != nil || part == nil {
					return err
				}
				_, err = io.Copy(io.Discard, part.Body)
				return err
			})
		}
	}
	b.ReportMetric(float64(len(all))*float64(b.N)/b.Elapsed().Seconds(), "mails/s")
}

// microsoftMails are the corpus mails in Microsoft's layouts.
func microsoftMails(b *testing.B) (all [][]byte, size int64) {
	names, facts := corpusFacts(b)
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(corpora.Dir(b, "bounces", "eml"), name+".eml"))
		if err != nil || facts[name][0].layout == "-" {
			continue
		}
		all = append(all, data)
		size += int64(len(data))
	}
	return all, size
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.eml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, mail []byte) {
		report, _ := dsn.Read(bytes.NewReader(mail))
		notice, err := Parse(report)
		if (err == nil) != (notice != nil) {
			t.Errorf("notice %v, error %v", notice, err)
		}
	})
}
