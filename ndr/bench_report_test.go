package ndr

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/internal/corpora"
)

// BenchmarkReadAndParse reads the mails in Microsoft's layouts whole; the walk
// of the same mails with go-message stands in package dsn.
func BenchmarkReadAndParse(b *testing.B) {
	names, facts := corpusFacts(b)
	var all [][]byte
	var size int64
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(corpora.Dir(b, "bounces", "eml"), name+".eml"))
		if err != nil || facts[name][0].layout == "-" {
			continue
		}
		all = append(all, data)
		size += int64(len(data))
	}
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
