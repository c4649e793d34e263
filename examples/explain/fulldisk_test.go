package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/examples/internal/smalldisk"
)

// On a full disk nothing is half written over what an earlier run left, the
// error names the file, and the same command does its work when there is room.
func TestFullDiskLeavesTheEarlierFiles(t *testing.T) {
	for name, arguments := range map[string][]string{
		"a suppression list":     {"-summary", "-suppress", "FILE", "-"},
		"the page of a summary":  {"-summary", "-html", "FILE", "-"},
		"the page of each input": {"-html", "FILE", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			disk := smalldisk.Mount(t, 2<<20)
			file := filepath.Join(disk.Dir, "out")
			const earlier = "what an earlier run wrote\n"
			if err := os.WriteFile(file, []byte(earlier), 0o600); err != nil {
				t.Fatal(err)
			}
			for i, a := range arguments {
				arguments[i] = strings.Replace(a, "FILE", file, 1)
			}
			log := mailLog(300)
			disk.Fill(t)
			_, stderr, code := runExplain(t, log, arguments...)
			if code != 2 || !strings.Contains(stderr, file+" was not written") || !strings.Contains(stderr, "no space left on device") || strings.Count(stderr, "\n") > 2 {
				t.Errorf("exit code %d, %q", code, stderr)
			}
			if data, err := os.ReadFile(file); err != nil || string(data) != earlier {
				t.Errorf("the earlier file is %q, %v", data, err)
			}
			disk.Free(t)
			if left, _ := os.ReadDir(disk.Dir); len(left) != 1 {
				t.Errorf("left behind: %v", left)
			}
			if _, stderr, code := runExplain(t, log, arguments...); code != 0 {
				t.Errorf("with room again: exit code %d, %q", code, stderr)
			}
			if data, _ := os.ReadFile(file); len(data) < 10_000 {
				t.Errorf("with room again: %d bytes", len(data))
			}
		})
	}
}

// What is no file is written to as it is, and not replaced by one.
func TestOutputThatIsNoFile(t *testing.T) {
	before, err := os.Stat("/dev/full")
	if err != nil {
		t.Skip("there is no device that is always full")
	}
	_, stderr, code := runExplain(t, mailLog(10), "-summary", "-suppress", "/dev/full", "-html", "/dev/null", "-")
	if code != 2 || !strings.Contains(stderr, "/dev/full was not written") || strings.Contains(stderr, "/dev/null") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	if after, err := os.Stat("/dev/full"); err != nil || after.Mode() != before.Mode() {
		t.Errorf("/dev/full is %v, %v", after, err)
	}
}

// The output itself may go to a full disk.
func TestStandardOutputOnAFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no device that is always full")
	}
	defer full.Close()
	for _, arguments := range [][]string{{"-"}, {"-json", "-"}, {"-summary", "-"}, {"-summary", "-json", "-"}, {"-summary", "-csv", "-"}} {
		var stderr strings.Builder
		if code := run(arguments, strings.NewReader(mailLog(300)), full, &stderr); code != 2 || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%q: exit code %d, %q", arguments, code, stderr.String())
		}
	}
}
