package ndr

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files; read the difference before committing it")

// The JSON of every fixture, in full. What matters in it is asserted in
// TestFixtures by facts worked out by hand; this guards the rest.
func TestGolden(t *testing.T) {
	for name := range fixtureFacts {
		t.Run(name, func(t *testing.T) {
			n := fixtureNotice(t, name)
			got, err := json.MarshalIndent(n, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, '\n')
			path := filepath.Join("testdata", "golden", name+".json")
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// fixtureNotice reads a fixture's HTML where it has any, else its text.
func fixtureNotice(t testing.TB, name string) *Notice {
	t.Helper()
	var n *Notice
	var err error
	if strings.HasSuffix(name, ".txt") {
		b, rerr := os.ReadFile(filepath.Join("testdata", name))
		if rerr != nil {
			t.Fatal(rerr)
		}
		n, err = ParseText(string(b))
	} else if text, html := fixtureParts(t, name); strings.Contains(html, "<p") {
		n, err = ParseHTML(html)
	} else {
		n, err = ParseText(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}
