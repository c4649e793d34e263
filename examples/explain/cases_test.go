package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A case is data: see testdata/cases/README.md.
func TestCases(t *testing.T) {
	folders, err := filepath.Glob("testdata/cases/*/want.json")
	if err != nil || len(folders) < 2 {
		t.Fatalf("%d cases, %v", len(folders), err)
	}
	for _, name := range folders {
		folder := filepath.Dir(name)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			var want, got any
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			files, err := os.ReadDir(folder)
			if err != nil || len(files) != 2 {
				t.Fatalf("a case has one input and want.json: %d files, %v", len(files), err)
			}
			input := files[0].Name()
			if input == "want.json" {
				input = files[1].Name()
			}
			stdout, stderr, _ := runExplain(t, "", "-json", filepath.Join(folder, input))
			if err := json.Unmarshal([]byte(stdout), &got); err != nil {
				t.Fatalf("not one document: %v\n%s%s", err, stdout, stderr)
			}
			for _, difference := range differences("", want, got) {
				t.Error(difference)
			}
		})
	}
}

// differences lists where got has not what want has.
func differences(at string, want, got any) (list []string) {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s: %v, want an object", at, got)}
		}
		for key, value := range want {
			list = append(list, differences(at+"."+key, value, object[key])...)
		}
	case []any:
		array, ok := got.([]any)
		if !ok || len(array) != len(want) {
			return []string{fmt.Sprintf("%s: %v, want a list of %d", at, got, len(want))}
		}
		for i, value := range want {
			list = append(list, differences(fmt.Sprintf("%s[%d]", at, i), value, array[i])...)
		}
	default:
		if want != got {
			list = append(list, fmt.Sprintf("%s: %v, want %v", at, got, want))
		}
	}
	return list
}
