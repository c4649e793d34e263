package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Small files, an mbox and a log of many messages and a file that cannot be read
// are explained by all processors at once, and come out as they stand.
func TestExplanationsKeepTheOrderOfTheInputs(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	report, err := os.ReadFile("testdata/blames-permissions.eml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	var want []string
	for i := range 100 {
		want = append(want, fmt.Sprint(write(fmt.Sprintf("a%03d", i), string(report)), 0))
	}
	mbox := write("b", strings.Repeat("From x@example.org Thu Jan  1 00:00:00 2026\n"+string(report)+"\n", 300))
	log := write("c", mailLog(3000))
	for _, name := range []string{mbox, log} {
		if info, _ := os.Stat(name); info.Size() <= smallFile {
			t.Fatalf("%s is small", name)
		}
	}
	for i := range 300 {
		want = append(want, fmt.Sprint(mbox, i))
	}
	for i := range 3000 {
		want = append(want, fmt.Sprint(log, i))
	}
	stdout, stderr, code := runExplain(t, "", "-json", dir, filepath.Join(dir, "absent"), write("d", string(report)))
	want = append(want, fmt.Sprint(filepath.Join(dir, "d"), 0), fmt.Sprint(filepath.Join(dir, "d"), 0)) // in the folder, and named
	if code != 1 || strings.Count(stderr, "absent") != 1 {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	lines := bufio.NewScanner(strings.NewReader(stdout))
	lines.Buffer(nil, 1<<20)
	n := 0
	for ; lines.Scan(); n++ {
		var d struct {
			File  string
			Index int
		}
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(d.File, d.Index); n >= len(want) || got != want[n] {
			t.Fatalf("line %d is of %s", n, got)
		}
	}
	if n != len(want) {
		t.Errorf("%d lines, want %d", n, len(want))
	}
}

// Whoever takes nothing more is not read ahead for, and whoever stops leaves
// nobody reading.
func TestNobodyReadsFurtherAheadThanNeeded(t *testing.T) {
	const atOnce = 3
	var begun atomic.Int64
	ended := make(chan struct{})
	endless := func(yield func(task) bool) {
		defer close(ended)
		for i := 0; yield(task{explain: func() []explanation { return nil }, last: i%2 == 0}); i++ {
			begun.Add(1)
		}
	}
	taken := 0
	for done := range inOrder(endless, atOnce) {
		if done.last != (taken%2 == 0) {
			t.Fatalf("result %d is another's", taken)
		}
		if taken++; taken == 10 {
			time.Sleep(20 * time.Millisecond) // time enough to read too far
			break
		}
	}
	<-ended
	if n := begun.Load(); n > 10+atOnce+2 {
		t.Errorf("%d tasks were begun for the ten that were taken", n)
	}
}
