package mailfault

import (
	"os"
	"path/filepath"
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

// A newcomer finds the texts of an enumeration, which JSON and tables hold, on
// the first screen of go doc; and a test of its package reads them back.
func TestEnumerationsListTheirTexts(t *testing.T) {
	var (
		names = regexp.MustCompile(`(?s)var (\w+) = enum\.Names\{(.*?)\}`)
		quote = regexp.MustCompile(`"([^"]*)"`)
		word  = regexp.MustCompile(`[\w-]+`)
	)
	enumerations := 0
	for _, dir := range []string{"smtpcode", "dsn", "ndr", "ndr/messagetrace", "dnscheck", "dmarcreport", "dmarcreport/history", "dmarcreport/history/digest"} {
		source := sourceOf(t, dir)
		tested, _ := os.ReadFile(filepath.Join(dir, "enum_test.go"))
		for _, list := range names.FindAllStringSubmatch(source, -1) {
			method := regexp.MustCompile(`func \(\w+ (\w+)\) String\(\) string \{[^}]*\b` + list[1] + `\.`).FindStringSubmatch(source)
			if method == nil {
				t.Errorf("%s: no String method uses %s", dir, list[1])
				continue
			}
			doc := regexp.MustCompile(`(?m)((?:^//.*\n)+)type ` + method[1] + ` `).FindStringSubmatch(source)
			if doc == nil {
				t.Errorf("%s.%s has no doc comment", dir, method[1])
				continue
			}
			enumerations++
			if method[1] != "Action" && !strings.Contains(string(tested), "enumtest.RoundTrip["+method[1]+"](t)") {
				t.Errorf("no test reads back the texts of %s.%s", dir, method[1])
			}
			said := word.FindAllString(doc[1], -1)
			for _, text := range quote.FindAllStringSubmatch(list[2], -1) {
				if text[1] != "" && !slices.Contains(said, text[1]) {
					t.Errorf("the comment of %s.%s does not list %q", dir, method[1], text[1])
				}
			}
		}
	}
	if enumerations < 50 {
		t.Errorf("%d enumerations found", enumerations)
	}
}

// sourceOf returns the source of a package, its tests left out.
func sourceOf(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source.Write(data)
	}
	return source.String()
}
