package mailfault

import (
	"go/parser"
	"go/token"
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

// Imports point down, and the package at the bottom needs the standard library
// alone. Plumbing in internal does not count, but what it imports does.
func TestImportsPointDown(t *testing.T) {
	const module = "github.com/mailfault/mailfault/"
	var (
		message = "github.com/emersion/go-message"
		msgauth = "github.com/emersion/go-msgauth"
		net     = "golang.org/x/net/"
		text    = "golang.org/x/text/"
	)
	allowed := map[string][]string{
		"smtpcode":                      {},
		"dsn":                           {message, msgauth, net, text, module + "smtpcode"},
		"ndr":                           {net, text, module + "dsn", module + "smtpcode"},
		"ndr/messagetrace":              {text, module + "ndr", module + "dsn", module + "smtpcode"},
		"dnscheck":                      {msgauth, net, text},
		"dmarcreport":                   {message, net, text},
		"dmarcreport/history":           {net, module + "dmarcreport"},
		"dmarcreport/history/digest":    {message, module + "dmarcreport/history"},
		"dmarcreport/history/sqlstore":  {module + "dmarcreport/history"},
		"dmarcreport/history/storetest": {module + "dmarcreport/history", module + "dmarcreport"},
	}
	var imports func(dir string, seen map[string]bool)
	imports = func(dir string, seen map[string]bool) {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, ": no source, ", err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range file.Imports {
				path := strings.Trim(spec.Path.Value, `"`)
				inside, ok := strings.CutPrefix(path, module+"internal/")
				switch {
				case ok && !seen[path]:
					seen[path] = true
					imports(filepath.Join("internal", inside), seen)
				case strings.Contains(path, "."):
					seen[path] = true
				}
			}
		}
	}
	for dir, may := range allowed {
		seen := make(map[string]bool)
		imports(dir, seen)
		for path := range seen {
			if !strings.HasPrefix(path, module+"internal/") && !slices.ContainsFunc(may, func(p string) bool {
				return path == p || strings.HasPrefix(path, p+"/") && p != module+"dmarcreport" || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p)
			}) {
				t.Errorf("%s imports %s", dir, path)
			}
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
