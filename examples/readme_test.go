// Package examples_test holds what is about all programs together.
package examples_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A newcomer runs what the READMEs of the programs and of the library show, and
// compares.
func TestREADMEsShowWhatTheProgramsPrint(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	readmes, err := filepath.Glob("*/README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, file := range append(readmes, "../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sessions(string(text)) {
			shown++
			t.Run(filepath.Dir(file), func(t *testing.T) {
				inOrder(t, s.output, output(t, s.command))
			})
		}
	}
	if shown < 5 {
		t.Errorf("%d commands with their output found", shown)
	}
}

// A session is a command in a README and the output below it.
type session struct {
	command string
	output  []string
}

// sessions finds the commands that run a program out of the tree, each with the
// next indented block of its section, where that is no command itself.
func sessions(readme string) (list []session) {
	for section := range strings.SplitSeq(readme, "\n## ") {
		command := ""
		for _, block := range blocks(section) {
			switch last := block[len(block)-1]; {
			case strings.HasPrefix(last, "go run ./examples/"):
				command = last
			case command != "" && !notCompared.MatchString(block[0]):
				list = append(list, session{command, block})
				command = ""
			}
		}
	}
	return list
}

// notCompared begins a block that is no output, or one that is never the same:
// gateway/load sends mail for two minutes and prints times.
var notCompared = regexp.MustCompile(`^(dmarcwatch|ticketing|gateway|curl) |^next hop alone`)

// blocks returns the indented blocks of a text, blank lines left out.
func blocks(text string) (list [][]string) {
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		code, indented := strings.CutPrefix(line, "    ")
		switch {
		case line == "" && inside:
			if last := list[len(list)-1]; strings.HasPrefix(last[len(last)-1], "go run ") {
				inside = false
			}
		case !indented:
			inside = false
		case inside:
			list[len(list)-1] = append(list[len(list)-1], code)
		default:
			list, inside = append(list, []string{code}), true
		}
	}
	return list
}

// output runs a command line of a README as a shell does.
func output(t *testing.T, line string) string {
	t.Helper()
	temp := t.TempDir()
	line = regexp.MustCompile(`\b(suppress\.csv|\w+\.html)\b`).ReplaceAllString(line, filepath.ToSlash(temp)+"/$1")
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	cmd := exec.Command(shell, "-c", line)
	cmd.Dir = ".."
	out, err := cmd.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) { // 1 says that something was found
		if len(out) == 0 {
			t.Fatalf("%s: %v\n%s", line, err, exit.Stderr)
		}
	} else if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// inOrder reports shown lines that are not in the output, in their order.
// "..." stands for what is left out: lines, or the rest of one.
func inOrder(t *testing.T, shown []string, output string) {
	t.Helper()
	lines := strings.Split(output, "\n")
	for _, want := range shown {
		want = strings.TrimSpace(want)
		start, cut := strings.CutSuffix(want, "...")
		if start == "" {
			continue
		}
		at := 0
		for at < len(lines) {
			line := strings.TrimSpace(lines[at])
			if line == want || cut && strings.HasPrefix(line, start) {
				break
			}
			at++
		}
		if at == len(lines) {
			t.Errorf("not printed, or not there: %s", want)
			continue
		}
		lines = lines[at+1:]
	}
}
