package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/examples/internal/progress"
)

// A list that lies beside the mails of a folder holds no failures of its own.
func TestTablesInAFolderAreReadWhereTheyAreNamed(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "List.TSV")
	for name, text := range map[string]string{
		filepath.Join(dir, "reply.txt"): "550 5.1.1 <a@example.net> User unknown\n",
		table:                           "550 5.1.1 <b@example.net> User unknown\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string][]string{dir: {"reply.txt"}, table: {"List.TSV"}} {
		var read []string
		bar := progress.New([]string{path}, new(strings.Builder))
		for d, err := range documents(t.Context(), options{paths: []string{path}}, nil, bar) {
			if err != nil {
				t.Fatal(err)
			}
			read = append(read, filepath.Base(d.File))
		}
		if !slices.Equal(read, want) {
			t.Errorf("%s: read %q, want %q", path, read, want)
		}
	}
}
