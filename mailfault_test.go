package mailfault

import (
	"os"
	"regexp"
	"slices"
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
