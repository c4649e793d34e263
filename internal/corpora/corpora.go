// Package corpora tells tests where the shared corpora of real messages lie.
// The corpora are not part of this repository: a test that needs them skips
// when they are absent, or fails where MAILFAULT_CORPORA_REQUIRED is set.
package corpora

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir returns the folder made of parts below the corpora, which stand at
// MAILFAULT_CORPORA, by default ../shared/corpora beside the repository.
func Dir(t testing.TB, parts ...string) string {
	t.Helper()
	dir, err := find(t, parts)
	if err != nil {
		t.Skipf("corpora not found (set MAILFAULT_CORPORA): %v", err)
	}
	return dir
}

// Or is Dir for a benchmark that says something without the corpora too: where
// they are absent it returns the folder instead, of the package's own fixtures.
func Or(t testing.TB, instead string, parts ...string) string {
	t.Helper()
	dir, err := find(t, parts)
	if err != nil {
		t.Logf("fixtures in place of the corpora: %v", err)
		return instead
	}
	return dir
}

func find(t testing.TB, parts []string) (string, error) {
	t.Helper()
	root := os.Getenv("MAILFAULT_CORPORA")
	if root == "" {
		root = filepath.Join(repository(t), "..", "shared", "corpora")
	}
	dir := filepath.Join(append([]string{root}, parts...)...)
	_, err := os.Stat(dir)
	if err != nil && os.Getenv("MAILFAULT_CORPORA_REQUIRED") != "" {
		t.Fatalf("corpora required: %v", err)
	}
	return dir, err
}

// repository returns the folder of the repository the test runs in: the
// nearest one upwards that holds go.work.
func repository(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.work above the test's folder")
		}
		dir = up
	}
}
