package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/internal/corpora"
)

// mutations damage a mail in the ways the wire and mail programs do, and in
// some that only an enemy would.
var mutations = []func(r *rand.Rand, mail []byte) []byte{
	func(r *rand.Rand, mail []byte) []byte { return mail[:r.IntN(len(mail)+1)] },
	func(r *rand.Rand, mail []byte) []byte { return dropLine(r, mail, false) },
	func(r *rand.Rand, mail []byte) []byte { return dropLine(r, mail, true) },
	func(r *rand.Rand, mail []byte) []byte {
		lines := bytes.SplitAfter(mail, []byte("\n"))
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
		return bytes.Join(lines, nil)
	},
	func(r *rand.Rand, mail []byte) []byte {
		out := bytes.Clone(mail)
		for range 1 + len(out)/500 {
			if len(out) > 0 {
				out[r.IntN(len(out))] ^= byte(1 << r.IntN(8))
			}
		}
		return out
	},
	func(r *rand.Rand, mail []byte) []byte { // nested a thousand deep
		var b bytes.Buffer
		for range 1000 {
			b.WriteString("Content-Type: multipart/mixed; boundary=\"b\"\n\n--b\n")
		}
		b.Write(mail)
		return b.Bytes()
	},
}

func dropLine(r *rand.Rand, mail []byte, blank bool) []byte {
	lines := bytes.SplitAfter(mail, []byte("\n"))
	for range 20 {
		i := r.IntN(len(lines))
		if !blank || len(bytes.TrimSpace(lines[i])) == 0 {
			return bytes.Join(append(lines[:i:i], lines[i+1:]...), nil)
		}
	}
	return mail
}

// No damage to a real mail makes the readers panic or hang, and what comes out
// is a document that can be printed.
func TestMutants(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpora.Dir(t, "bounces", "eml"), "*.eml"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	more, err := filepath.Glob(filepath.Join(corpora.Dir(t, "ndr"), "*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	rounds := 8 // of every mutation and file: 20,000 and more in all
	if testing.Short() || raceEnabled {
		rounds = 1
	}
	r := rand.New(rand.NewPCG(3464, 3463))
	mutants := 0
	for _, file := range append(files, more...) {
		mail, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, mutate := range mutations {
			for range rounds {
				d := explained.Any(file, 0, mutate(r, mail))
				if err := d.WriteJSON(io.Discard); err != nil {
					t.Fatalf("%s: %v", file, err)
				}
				mutants++
			}
		}
	}
	t.Logf("%d mutants", mutants)
}
