package ndr

import (
	"os"
	"strings"
	"testing"
)

// README and the package comment say how many languages are known.
func TestDocsCountTheLanguages(t *testing.T) {
	parts, subjects := make(map[string]bool), make(map[string]bool)
	for _, h := range headings {
		if h.role == undeliverable {
			subjects[h.lang] = true
		} else {
			parts[h.lang] = true
		}
	}
	words := map[int]string{8: "eight", 9: "nine", 10: "ten", 11: "eleven", 12: "twelve", 16: "sixteen", 17: "seventeen", 18: "eighteen", 19: "nineteen", 20: "twenty"}
	for file, sentences := range map[string][2]string{
		"doc.go":       {"table of %s languages", "subjects in one of %s"},
		"../README.md": {"headings in %s languages", "subjects in %s"},
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		flat := strings.Join(strings.Fields(strings.ReplaceAll(string(text), "\n//", "\n")), " ")
		for i, n := range []int{len(parts), len(subjects)} {
			if want := strings.Replace(sentences[i], "%s", words[n], 1); !strings.Contains(flat, want) {
				t.Errorf("%s does not say %q", file, want)
			}
		}
	}
}
