package mailfault

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The library stays light: whatever else a test, a benchmark or an example
// needs belongs into the examples module.
func TestTheModuleNeedsFewOthers(t *testing.T) {
	data, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{"github.com/emersion/go-message", "github.com/emersion/go-msgauth", "golang.org/x/net", "golang.org/x/text",
		"github.com/google/go-cmp", "golang.org/x/crypto"}
	modules := regexp.MustCompile(`(?m)^(?:require )?\s*([a-z0-9.]+/\S+) v`).FindAllStringSubmatch(string(data), -1)
	if len(modules) == 0 {
		t.Fatal("no modules found in go.mod")
	}
	for _, m := range modules {
		if !slices.Contains(allowed, m[1]) {
			t.Errorf("go.mod names %s", m[1])
		}
	}
}

// Every line of Go in the README stands in an example, which compiles.
func TestREADMESnippetsCompile(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[string]bool)
	for line := range strings.Lines(string(example)) {
		known[strings.TrimSpace(line)] = true
	}
	snippets := regexp.MustCompile("(?ms)^```go\n(.*?)^```").FindAllStringSubmatch(string(readme), -1)
	if len(snippets) < 4 {
		t.Fatalf("%d snippets in the README", len(snippets))
	}
	for _, snippet := range snippets {
		for line := range strings.Lines(snippet[1]) {
			if line = strings.TrimSpace(line); !known[line] {
				t.Errorf("in no example: %s", line)
			}
		}
	}
}

// The README opens with what the program prints.
func TestREADMEShowsWhatExplainPrints(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile("examples/explain/testdata/blames-permissions.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll(strings.TrimSpace(string(golden)), "testdata/", "examples/explain/testdata/")
	if !strings.Contains(string(readme), want) {
		t.Errorf("not in the README:\n%s", want)
	}
}
